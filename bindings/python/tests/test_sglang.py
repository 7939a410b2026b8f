"""The plugin for SGLang without SGLang: modules of the same names, with the parts of the real ones that the hooks use.

tests_engines/test_sglang.py is the same with SGLang itself.
"""

from __future__ import annotations

import dataclasses
import gc
import json
import logging
import subprocess
import sys
import types
import weakref
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest
from conftest import ROOT, case_tokens, counted, environment

import sluice
from sluice import _serving
from sluice.sglang import _hooks, register

END = case_tokens()[3]


@dataclasses.dataclass
class Stats:
    """SGLang's GrammarStats."""

    compilation_time: float | None = None
    is_cache_hit: bool = False
    tree_traversal_time: list = dataclasses.field(default_factory=list)
    dispatch_type: str | None = None


class Object:
    """SGLang's BaseGrammarObject."""

    def __init__(self):
        self.finished, self.grammar_stats, self.current_token = False, None, None

    @staticmethod
    def fill_vocab_mask_batched(entries, vocab_mask):
        for row, grammar in entries:
            grammar.fill_vocab_mask(vocab_mask, row)


class Invalid(Object):
    """SGLang's InvalidGrammarObject."""

    def __init__(self, error_message):
        self.error_message = error_message


class Backend:
    """SGLang's BaseGrammarBackend."""

    def __init__(self):
        self.executor, self.cache = ThreadPoolExecutor(1), {}

    def _init_value_dispatch(self, key, require_reasoning):
        return getattr(self, f"dispatch_{key[0]}", lambda text: self.dispatch_fallback(*key))(key[1])

    def reset(self):
        self.cache.clear()


class Gated(Object):
    """SGLang's ReasonerGrammarObject: free until a token, then its grammar."""

    def __init__(self, grammar, end):
        super().__init__()
        self.grammar, self.end, self.open, self.reasoning_in_grammar = grammar, end, False, False

    def _is_generation(self):
        return self.open

    def fill_vocab_mask(self, vocab_mask, idx):
        if self.open:
            self.grammar.fill_vocab_mask(vocab_mask, idx)


class Gate(Backend):
    """SGLang's ReasonerGrammarBackend."""

    def __init__(self, grammar_backend, reasoning_parser, tokenizer, enable_strict_thinking=False):
        super().__init__()
        self.grammar_backend, self.strict = grammar_backend, enable_strict_thinking
        self.functions = [getattr(grammar_backend, f"{n}_vocab_mask") for n in ("allocate", "move", "apply")]


class Registry:
    """SGLang's HookRegistry."""

    def __init__(self):
        self.hooks = []

    def register(self, target, hook, hook_type):
        self.hooks.append((*target.rpartition(".")[::2], hook, hook_type))

    def apply_hooks(self):
        for place, name, hook, kind in self.hooks:
            module, _, cls = place.rpartition(".")
            owner = sys.modules.get(place) or getattr(sys.modules[module], cls)
            original = getattr(owner, name)
            if kind == "around":
                wrapped = lambda *a, o=original, h=hook: h(o, *a)
            else:

                def wrapped(*a, o=original, h=hook):
                    result = o(*a)
                    changed = h(result, *a)
                    return result if changed is None else changed

            setattr(owner, name, wrapped)
        self.hooks = []


class Manager:
    """SGLang's GrammarManager: it takes a request's grammar from `backend`, or queues the request."""

    SGLANG_GRAMMAR_MAX_POLL_ITERATIONS = 10

    def __init__(self, collector, backend):
        self.scheduler = types.SimpleNamespace(metrics_collector=collector)
        self.backend, self.queue = backend, []

    def process_req_with_grammar(self, req):
        if req.grammar_key is None:
            return False
        req.grammar = self.backend.get(req.grammar_key) or Future()
        if isinstance(req.grammar, Future):
            self.queue.append(req)
        return isinstance(req.grammar, Future)

    def get_ready_grammar_requests(self):
        for req in self.queue:
            if req.grammar.done():
                req.grammar = req.grammar.result()
        ready, self.queue = self.queue, []
        return ready


@pytest.fixture
def sglang(monkeypatch, vocabulary):
    """Modules in SGLang's place."""

    def generate_token_bitmask(reqs, retrieve_next_token_cpu, retrieve_next_sibling_cpu, draft_tokens_cpu, vocab_size):
        return "SGLang's own"

    def traverse_tree(retrieve_next_token, retrieve_next_sibling, draft_tokens, grammar, masks, vocab_size=None):
        masks[0] = 7

    made = types.SimpleNamespace(choices=["xgrammar"], backends={}, options=types.SimpleNamespace(), ends=[5])
    utils = types.ModuleType("spec_utils")
    utils.generate_token_bitmask, utils.traverse_tree = generate_token_bitmask, traverse_tree

    class Parser:
        def __init__(self, model_type, stream_reasoning, tokenizer):
            self.detector = types.SimpleNamespace(get_think_end_token_ids=lambda t: made.ends)

    names = {
        "sglang": {},
        "sglang.srt": {},
        "sglang.srt.server_args": {"add_grammar_backend_choices": made.choices.extend},
        "sglang.srt.runtime_context": {"get_serving": lambda: made.options},
        "sglang.srt.parser.reasoning_parser": {"ReasoningParser": Parser},
        "sglang.srt.plugins.hook_registry": {
            "HookRegistry": Registry(),
            "HookType": types.SimpleNamespace(AROUND="around", AFTER="after"),
        },
        "sglang.srt.constrained.grammar_manager": {"GrammarManager": type("GrammarManager", (Manager,), {})},
        "sglang.srt.speculative.spec_utils": utils.__dict__,
        "sglang.srt.constrained.reasoner_grammar_backend": {
            "ReasonerGrammarObject": type("Gated", (Gated,), {}),
            "ReasonerGrammarBackend": Gate,
        },
        "sglang.srt.constrained.base_grammar_backend": {
            "BaseGrammarObject": Object,
            "BaseGrammarBackend": Backend,
            "InvalidGrammarObject": Invalid,
            "GrammarStats": Stats,
            "register_grammar_backend": made.backends.__setitem__,
        },
        "torch": {
            "int32": np.int32,
            "int64": np.int64,
            "full": lambda shape, value, dtype, pin_memory: np.full(shape, value, dtype),
            "frombuffer": lambda raw, dtype: np.frombuffer(raw, dtype).view(Tensor),
            "cuda": types.SimpleNamespace(is_available=lambda: False),
            "Tensor": np.ndarray,
        },
    }
    for name, members in names.items():
        module = utils if name.endswith("spec_utils") else types.ModuleType(name)
        module.__dict__.update(members)
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("_backend", "_grammar", "_metrics"):
        monkeypatch.delitem(sys.modules, f"sluice.sglang.{name}", raising=False)
    monkeypatch.setattr(_hooks, "_state", _hooks._State())
    monkeypatch.setattr(_serving, "_all", [])
    monkeypatch.delenv(_hooks.SWITCH, raising=False)

    def read(tokenizer, size, end_tokens):
        tokens, added, special, _ = case_tokens()
        return sluice.Vocabulary.from_tokens(
            tokens, added=added, special=special, end_tokens=end_tokens, padded_size=size
        )

    monkeypatch.setattr(_serving, "_vocabulary", read)
    made.utils, made.size = utils, vocabulary.size + 40
    made.reasoner = sys.modules["sglang.srt.constrained.reasoner_grammar_backend"].ReasonerGrammarObject
    made.tokenizer = types.SimpleNamespace(eos_token_id=END[0])
    return made


def created(sglang):
    register()
    return sglang.backends["sluice"](None, sglang.tokenizer, sglang.size, {END[1]})


def grammar(backend, kind, spec):
    return backend._init_value_dispatch((kind, spec), False)


def allowed(row):
    return set(np.flatnonzero(np.unpackbits(np.asarray(row).view(np.uint8), bitorder="little")).tolist())


def test_what_is_hooked_is_said(sglang, caplog):
    with caplog.at_level(logging.INFO, "sglang.sluice"):
        register()
        register()
        assert sglang.choices == ["xgrammar", "sluice"] and caplog.messages == []
        created(sglang)
        created(sglang)
    assert caplog.messages == ["Sluice is hooked in: name, backend, draft trees, rows behind reasoning, metrics"]


def test_what_a_release_lacks(sglang, caplog):
    del sys.modules["sglang.srt.server_args"].add_grammar_backend_choices
    sglang.utils.generate_token_bitmask = lambda reqs, verify_input: "SGLang's own"
    g = grammar(created(sglang), "regex", "ab?")
    assert "backend, rows behind reasoning, metrics; this release of SGLang lacks the place for: name (" in caplog.text
    assert "draft trees (TypeError" in caplog.text
    assert g.accept_token(ord("a")) is None and sglang.utils.generate_token_bitmask([], 0) == "SGLang's own"


def test_the_switch(sglang, monkeypatch, caplog):
    monkeypatch.setenv(_hooks.SWITCH, "off")
    register()
    assert sglang.backends == {} and sglang.choices == ["xgrammar"]
    monkeypatch.setattr(_hooks, "register", lambda: 1 / 0)
    register()
    assert "ZeroDivisionError" in caplog.text


def test_nothing_is_loaded():
    """Neither importing nor calling the plugin loads SGLang, even if it is not installed."""
    code = "import sys, sluice.sglang as p; p.register(); import sluice; print(sluice.loaded(), 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False", "False"], done.stderr
    project = (ROOT / "pyproject.toml").read_text()
    assert '[project.entry-points."sglang.srt.plugins"]\nsluice = "sluice.sglang:register"\n' in project


CALLS = {"properties": {"name": {"enum": ["f"]}, "parameters": {}}, "required": ["name", "parameters"]}
KINDS = [
    ("json", '{"type": "integer"}', "12", "x"),
    ("json", "$$ANY$$", "[1]", "x"),
    # SGLang's parsers for a named tool: a call is an object, though they do not say so.
    ("json", json.dumps({"type": "array", "items": CALLS}), '[{"name":"f","parameters":1}]', "[1]"),
    ("regex", "ab?", "ab", "b"),
    ("ebnf", 'root ::= "a" root?', "aa", "b"),
    ("full_assistant_ebnf", 'root ::= "a" root?', "aa", "b"),
    ("structural_tag", '{"structures": [{"begin": "<f>", "end": "</f>"}], "triggers": ["<f>"]}', "<f>[1]</f>", "<f>]"),
]


@pytest.mark.parametrize("kind, spec, right, wrong", KINDS)
def test_every_kind(sglang, kind, spec, right, wrong):
    made = grammar(created(sglang), kind, spec)
    twin = made.copy()
    assert twin.grammar_stats.is_cache_hit and not made.grammar_stats.is_cache_hit
    for byte in right.encode():
        made.accept_token(byte)
    made.accept_token(END[1])
    assert made.is_terminated() and not twin.is_terminated()
    with pytest.raises(ValueError, match=r"after .* tokens: token .* is not allowed"):
        for byte in wrong.encode():
            twin.accept_token(byte)


def test_what_cannot_be_compiled(sglang, caplog):
    backend = created(sglang)
    for kind, spec, said in (("regex", "(a", "regex:"), ("json", '{"type": 1}', "/type"), ("lark", "a", "lark")):
        assert said in grammar(backend, kind, spec).error_message
    assert caplog.text.count("A constraint is refused: ") == 2  # the third is of no kind
    assert "json_schema" in grammar(backend, "json", '{"name": "parameters"').error_message
    for tag in ("[", "[" * 100000, '{"type": 1}'):
        assert "structural_tag" in grammar(backend, "structural_tag", tag).error_message


def test_tokens_and_the_end(sglang):
    made = grammar(created(sglang), "regex", "ab?")
    masks = made.allocate_vocab_mask(sglang.size, 2, "cpu")
    assert masks.shape == (2, (sglang.size + 31) // 32) and (masks == -1).all()
    for wrong in (ord("b"), -1, sglang.size, 1 << 40, END[0]):
        with pytest.raises(ValueError):
            made.accept_token(wrong)
    made.accept_token(ord("a"))
    made.fill_vocab_mask(masks, 1)
    assert allowed(masks[1]) == {ord("b"), *END[:2]} and (masks[0] == -1).all()  # the tokenizer's end and the model's
    made.accept_token(END[0])
    made.accept_token(ord("z"))  # after the end, and taken back with it
    assert made.is_terminated()
    made.rollback(1)
    assert made.is_terminated()
    made.rollback(1)
    assert not made.is_terminated() and made.current_token == ord("z")
    made.accept_token(ord("b"))
    made.fill_vocab_mask(masks, 1)
    assert allowed(masks[1]) == {*END[:2]}


def test_why_a_request_was_ended(sglang):
    """It is part of the error with which SGLang aborts the request."""
    made = grammar(created(sglang), "regex", "ab")
    made.give_up(made.allocate_vocab_mask(sglang.size, 1, "cpu"), 0, sluice.LimitError("too much work"))
    with pytest.raises(
        ValueError, match=r"after 0 tokens: token \d+ is not allowed: the request was ended.*: too much work"
    ):
        made.accept_token(END[1])
    with pytest.raises(ValueError, match=r"after 0 tokens: token \d+ .*is not allowed(?!: the request was ended)"):
        made.accept_token(ord("z"))


def test_no_explanation_of_what_took_long_to_compile(sglang):
    """The first explanation takes as long as the compilation, and the batch would wait for it."""
    for size, said in ((3, "expected"), (5000, "is not allowed$")):
        made = grammar(created(sglang), "json", json.dumps({"properties": {f"a{i}": {} for i in range(size)}}))
        with pytest.raises(ValueError, match=rf"after 0 tokens: token \d+ .*{said}"):
            made.accept_token(ord("z"))


def test_rows_of_a_batch(sglang, monkeypatch):
    """One call fills the rows, also of requests behind an open gate; others fill their own, and unlisted rows stay."""
    backend = created(sglang)
    grammars = [grammar(backend, "regex", p) for p in ("[a-c]x[0-9]", "aq", "yz+y", "w")]
    for made, text in zip(grammars, (b"ax", b"a", b"yzzz")):
        for byte in text:
            made.accept_token(byte)
    gates = [sglang.reasoner(g, 5) for g in grammars[2:]]
    gates[0].open = True
    foreign = types.SimpleNamespace(fill_vocab_mask=lambda masks, row: masks[row].fill(9))
    calls = counted(monkeypatch, "fill")
    for made in (grammars[0], gates[0]):
        masks = grammars[0].allocate_vocab_mask(sglang.size, 7, "cpu")
        entries = list(zip((5, 4, 3, 2, 1), (*grammars[:2], *gates, foreign)))
        made.fill_vocab_mask_batched(entries, masks)
        assert [len(allowed(masks[i])) for i in (5, 4, 3)] == [10, 1, 2]
        assert (masks[[0, 2, 6]] == -1).all() and (masks[1] == 9).all()
        assert all(g._late is None for g in grammars)
    assert calls == [3, 3]
    gates[0].reasoning_in_grammar = True  # it looks at the row at once
    gates[0].fill_vocab_mask_batched([(0, gates[0])], masks)
    assert len(allowed(masks[0])) == 2


@pytest.mark.parametrize("after", ["one", "others"])
def test_requests_of_a_large_step_are_let_go(sglang, after):
    """Also if every later step has one request, or only requests of other backends."""
    backend = created(sglang)
    many = [grammar(backend, "regex", f"a{i}") for i in range(9)]
    masks = many[0].allocate_vocab_mask(sglang.size, 9, "cpu")
    fill = many[0].fill_vocab_mask_batched
    fill(list(enumerate(many)), masks)
    alive = [weakref.ref(g.matcher) for g in many]
    del many
    foreign = types.SimpleNamespace(fill_vocab_mask=lambda masks, row: None)
    fill([(0, grammar(backend, "regex", "b"))] if after == "one" else [(0, foreign), (1, foreign)], masks)
    gc.collect()
    assert not any(ref() for ref in alive)


class Tensor(np.ndarray):
    """An array with the attributes of tensors."""

    def is_contiguous(self):
        return True

    def contiguous(self):
        return self

    def numel(self):
        return self.size

    def to(self, device=None, dtype=None):
        return self.astype(dtype or self.dtype)

    def copy_(self, other):
        self[:] = other


def test_trees(sglang):
    backend = created(sglang)
    request = types.SimpleNamespace(grammar=grammar(backend, "regex", "a[bc]|dd"))
    shut = types.SimpleNamespace(grammar=sglang.reasoner(request.grammar.copy(), 5))
    #            0: here, 1: a (2: b, 3: x, 4: c (5: end (6: z))), 7: d
    drafts = [0, ord("a"), ord("b"), ord("x"), ord("c"), END[0], ord("z"), ord("d")]
    child = [1, 2, -1, -1, 5, 6, -1, -1]
    sibling = [-1, 7, 3, 4, -1, -1, -1, -1]
    trees = [np.array([part] * 3, dtype=np.int64).view(Tensor) for part in (child, sibling, drafts)]
    shut.grammar.allocate_vocab_mask = request.grammar.allocate_vocab_mask
    free = types.SimpleNamespace(grammar=None)
    masks, last = sglang.utils.generate_token_bitmask([free, request, shut], *trees, sglang.size)
    rows = [{t for t in allowed(m) if t < 256 or t in END} for m in masks[8:16]]
    assert last is shut.grammar and (masks[:8] == -1).all() and (masks[16] == 7).all()
    end = set(END[:2])
    everything = {*range(256), *END}
    assert rows == [{*b"ad"}, {*b"bc"}, end, everything, end, everything, everything, {ord("d")}]
    assert request.grammar.matcher.length == 0
    before = np.array(masks)
    for _ in range(3):  # the memory of earlier steps, in which another request had these rows
        other, _ = sglang.utils.generate_token_bitmask([request, free, shut], *trees, sglang.size)
        assert (other[:8] == before[8:16]).all() and (other[8:16] == -1).all()
        kept = np.array(other)
        again, _ = sglang.utils.generate_token_bitmask([free, request, shut], *trees, sglang.size)
        assert (again == before).all() and (other == kept).all()  # SGLang may still read the rows of the step before
    assert sglang.utils.generate_token_bitmask([free], *trees, 4) == "SGLang's own"


def test_token_filters(sglang):
    """SGLang's gate allows or forbids tokens by themselves or on top of a row; ids without a logit do not count."""
    masks = np.full((2, 2), 6, np.int32).view(Tensor)
    fill = created(sglang).set_token_filter
    fill(masks, [1, 40, 99, -1], 0)
    fill(masks, [1, 40], 1, is_allowed=False)
    assert allowed(masks[0]) == {1, 40} == {*range(64)} - allowed(masks[1])
    fill(masks, [2], 0, reset_vocab_mask=False)
    fill(masks, [1], 0, is_allowed=False, reset_vocab_mask=False)
    assert allowed(masks[0]) == {2, 40}


def test_trees_of_other_integers(sglang, monkeypatch):
    backend = created(sglang)
    request = types.SimpleNamespace(grammar=grammar(backend, "regex", "a[bc]"))
    trees = [np.array([[n]], dtype=np.int32).view(Tensor) for n in (-1, -1, 0)]
    masks, _ = sglang.utils.generate_token_bitmask([request], *trees, sglang.size)
    assert {t for t in allowed(masks[0]) if t < 256} == {ord("a")}
    monkeypatch.setattr(sluice.sglang._grammar.Batch, "fill_trees", lambda *_: [][0:0].sort(1))  # a TypeError
    assert sglang.utils.generate_token_bitmask([request], *trees, sglang.size) == "SGLang's own"


def test_trees_that_fail(sglang, monkeypatch):
    """Only the request whose rows cannot be computed is ended."""
    backend = created(sglang)
    requests = [types.SimpleNamespace(grammar=grammar(backend, "regex", p)) for p in ("ab", "cd")]

    def fails(batch, *trees_and_masks):
        trees_and_masks[-1][:] = 5
        error = sluice.LimitError("too much work")
        error.statuses = (0, error.code)
        raise error

    monkeypatch.setattr(sluice.sglang._grammar.Batch, "fill_trees", fails)
    trees = [np.full((2, 2), n, np.int64).view(Tensor) for n in (-1, -1, 0)]
    masks, _ = sglang.utils.generate_token_bitmask(requests, *trees, sglang.size)
    assert (masks[:2] == 5).all() and allowed(masks[2]) == set(END[:2]) and (masks[3] == -1).all()
    assert [r.grammar.gave_up is None for r in requests] == [True, False]


def test_masks_on_logits(sglang):
    """Each row of logits has one of masks: one row of masks is never taken for all."""
    backend, masks = created(sglang), np.array([[1], [3]], np.int32)
    made = np.zeros((2, 32), np.float32).view(Logits)
    backend.apply_vocab_mask(made, masks)
    assert np.isfinite(made).sum(1).tolist() == [1, 2]
    for rows, of in ((2, 1), (1, 2), (4, 2)):
        made = np.zeros((rows, 32), np.float32).view(Logits)
        with pytest.raises(ValueError, match=rf"\({rows}, 32\) and \({of}, 1\)"):
            backend.apply_vocab_mask(made, masks[:of])
        assert np.isfinite(made).all()
    made = np.zeros(32, np.float32).view(Logits)
    backend.apply_vocab_mask(made, masks[1:])
    assert np.isfinite(made).sum() == 2


class Logits(np.ndarray):
    """The parts of a torch tensor that the hooks use."""

    device = types.SimpleNamespace(type="cpu")


def test_ends_that_are_no_tokens(sglang, caplog):
    tokenizer = types.SimpleNamespace(
        eos_token_id=1, convert_ids_to_tokens=lambda t: {1: "</s>", 2: "x"}[t] if t < 9 else None
    )
    logger = logging.getLogger("ends")
    assert _serving.known_ends(tokenizer, 100, [2, 7, 50, 400, -1], logger) == (1, 2)
    assert "[-1, 7, 50, 400]" in caplog.text
    assert _serving.known_ends(types.SimpleNamespace(), 9, None, logger) is None
    assert _serving.known_ends(types.SimpleNamespace(), 9, (3, 9, -1), logger) == (3,)


def test_behind_the_gate(sglang):
    sglang.options.reasoning_parser, sglang.options.enable_strict_thinking = "r1", True
    gate = created(sglang)
    assert isinstance(gate, Gate) and gate.strict and gate.grammar_backend.is_support_token_filter
    gate.cache["x"] = 1
    grammar(gate.grammar_backend, "regex", "a")
    assert isinstance(gate.cache, _serving.Latest) and gate.grammar_backend._compiling.compiler().cache.entries
    gate.reset()
    assert not gate.cache and not gate.grammar_backend._compiling.compiler().cache.entries
    sglang.ends = []  # a parser whose tokens this tokenizer lacks
    assert not isinstance(created(sglang), Gate)


def test_only_the_latest_are_kept(sglang, monkeypatch):
    backend = created(sglang)
    monkeypatch.setattr(_serving, "KEPT", 3)
    for i in range(5):
        backend.cache[i] = i
        backend.cache.get(2)
    assert list(backend.cache) == [3, 4, 2]


class Collector:
    """SGLang's SchedulerMetricsCollector: it keeps the values of its metrics of grammars."""

    def __init__(self):
        self.labels, self.seen = {"engine": "x"}, {}
        for name in ("total", "cache_hit", "aborted", "timeout"):
            self._metric(f"num_grammar_{name}")
        for name in ("compilation_time", "ebnf_size"):
            self._metric(f"grammar_{name}")

    def _metric(self, name):
        seen = self.seen.setdefault(name, [])
        one = types.SimpleNamespace(inc=lambda: seen.append(1), observe=seen.append)
        setattr(self, name, types.SimpleNamespace(labels=lambda engine: one))


def asked(key, waited=0):
    return types.SimpleNamespace(grammar_key=key, grammar=None, grammar_wait_ct=waited)


def test_metrics(sglang, caplog):
    backend, collector = created(sglang), Collector()
    key = ("ebnf", 'root ::= "a" root?')
    made = grammar(backend, *key)
    made.grammar_stats.compilation_time = 0.25
    known = {("regex", "b"): grammar(backend, "regex", "b"), ("regex", "(b"): grammar(backend, "regex", "(b")}
    manager = sys.modules["sglang.srt.constrained.grammar_manager"].GrammarManager(collector, known)
    ready, failed, late, aborted = (asked(key, waited) for waited in (0, 0, 10, 3))
    assert [manager.process_req_with_grammar(r) for r in (ready, failed, late, aborted)] == [True] * 4
    assert [manager.process_req_with_grammar(asked(k)) for k in (*known, None)] == [False] * 3
    ready.grammar.set_result(made)
    failed.grammar.set_result(Invalid("why"))
    assert manager.get_ready_grammar_requests() == [ready, failed, late, aborted]
    assert {name: len(seen) for name, seen in collector.seen.items()} == {
        "num_grammar_total": 6,
        "num_grammar_cache_hit": 2,
        "num_grammar_aborted": 2,
        "num_grammar_timeout": 1,
        "grammar_compilation_time": 1,
        "grammar_ebnf_size": 1,
    }
    assert collector.seen["grammar_compilation_time"] == [0.25] and collector.seen["grammar_ebnf_size"] == [len(key[1])]
    caplog.clear()
    del collector.num_grammar_total  # a release without it
    for _ in range(2):
        assert not manager.process_req_with_grammar(asked(("regex", "b")))
    assert len(caplog.messages) == 1 and "are not filled any more" in caplog.text
    manager.scheduler.metrics_collector = None  # metrics are off
    assert not manager.process_req_with_grammar(asked(("regex", "b")))
