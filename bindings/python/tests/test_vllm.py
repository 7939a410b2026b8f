"""The plugin for vLLM without vLLM: modules of the same names, with the parts of the real ones that the hooks use.

tests_engines/test_vllm.py is the same with vLLM itself.
"""

from __future__ import annotations

import array
import gc
import json
import logging
import subprocess
import sys
import types
import weakref

import numpy as np
import pytest
from conftest import ROOT, counted, environment, listed_hooks
from vllm_shape import (
    END,
    PATTERN,
    Asked,
    Config,
    Invalid,
    Kind,
    Request,
    allowed,
    put_in_place,
    started,
)

import sluice
from sluice import _serving
from sluice.vllm import _hooks, register


@pytest.fixture
def vllm(monkeypatch, vocabulary):
    return put_in_place(monkeypatch, vocabulary)


def test_what_is_hooked_is_said(vllm, caplog):
    with caplog.at_level(logging.INFO, "vllm.sluice"):
        register()
        register()
    (line,) = caplog.messages  # once, for all callers
    assert "backend, rows, drafts, validation, apply, beam search" in line
    assert "lacks the place for: name (" in line  # neither pydantic nor vLLM's config is here
    assert caplog.records[0].levelname == "WARNING"
    assert _hooks.HOOKS.keys() == listed_hooks("vllm.md")


def contents(vllm):
    """The members of vLLM's modules and their classes, by name."""
    found = {}
    for name, module in vllm.modules.items():
        for attribute, value in vars(module).items():
            found[name, attribute] = value
            if isinstance(value, type) and name != "torch":
                found |= {(name, attribute, a): v for a, v in vars(value).items()}
    return found


# Parts that a release may lack: the hook, and the place that is gone or has another shape.
LACKING = {
    "backend": ("vllm.v1.structured_output", "StructuredOutputManager", "grammar_init"),
    "rows": ("vllm.v1.structured_output", "StructuredOutputManager", "_fill_bitmasks"),
    "validation": ("vllm.v1.structured_output.backend_xgrammar", "validate_xgrammar_grammar"),
    "apply": ("vllm.v1.structured_output.utils", "xgr"),
    "beam search": ("vllm.entrypoints.generate.beam_search.offline", "BeamSearchOfflineMixin"),
}


@pytest.mark.parametrize(
    ("hook", "gone"),
    [(hook, True) for hook in LACKING] + [(hook, False) for hook in ("backend", "rows", "validation")],
)
def test_what_a_release_lacks(vllm, caplog, hook, gone):
    """It is as it was there, and one warning says so; everything else is hooked."""
    module, *path, last = LACKING[hook]
    owner = sys.modules[module]
    for name in path:
        owner = getattr(owner, name)
    if gone:
        delattr(owner, last)
    else:
        setattr(owner, last, lambda something, entirely, different: None)
    before = contents(vllm)
    register()
    register()
    (warning,) = [r for r in caplog.records if r.levelname == "WARNING"]
    done, _, lacking = warning.getMessage().partition("lacks the place for: ")
    others = set(LACKING) - {hook}
    assert all(f" {o}" in done for o in others) and f"{hook} (" in lacking
    assert not any(f"{o} (" in lacking for o in others)
    left = {"backend": "grammar_init", "rows": "grammar_bitmask", "validation": "_validate_structured_outputs"}
    for key, value in contents(vllm).items():
        if key[-1] == left.get(hook, last):
            assert value is before[key], key
    if hook != "backend":
        manager, requests = started(vllm, Asked("REGEX", PATTERN))
        assert requests["0"].grammar.accept_tokens("0", [ord("a")])
        if hook != "rows":
            assert allowed(manager.grammar_bitmask(requests, ["0"], {})[0]) == {ord("x")}


def test_the_switch(vllm, monkeypatch):
    before = contents(vllm)
    monkeypatch.setenv(_hooks.SWITCH, " False")
    assert _hooks._switch() == "off"
    monkeypatch.setenv(_hooks.SWITCH, "off")
    register()
    assert contents(vllm) == before
    monkeypatch.setenv(_hooks.SWITCH, "always")
    manager, requests = started(vllm, Asked("REGEX", PATTERN), backend="auto")
    assert type(manager.backend).__name__ == "SluiceBackend" and requests["0"].grammar is not None
    assert contents(vllm) != before


def test_nothing_is_raised(monkeypatch, caplog):
    monkeypatch.setattr(_hooks, "register", lambda: 1 / 0)
    register()
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(("said", "warns"), [("alwyas", True), ("Always", False), ("0", False)])
def test_unknown_values_of_the_switch(vllm, monkeypatch, caplog, said, warns):
    monkeypatch.setenv("SLUICE_VLLM", said)
    monkeypatch.setattr(_hooks._state, "registered", False)
    monkeypatch.setattr(_hooks, "HOOKS", {})
    register()
    assert ("SLUICE_VLLM=alwyas is ignored: it must be off or auto or always" in caplog.text) is warns


def test_nothing_is_loaded():
    """Neither importing nor calling the plugin loads vLLM, even if it is not installed."""
    code = "import sys, sluice.vllm as p; p.register(); import sluice; print(sluice.loaded(), 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False", "False"], done.stderr
    project = (ROOT / "pyproject.toml").read_text()
    assert '[project.entry-points."vllm.general_plugins"]\nsluice = "sluice.vllm:register"\n' in project


def test_other_backends_are_left_alone(vllm):
    manager, _ = started(vllm, Asked("REGEX", PATTERN, "xgrammar"), backend="xgrammar")
    assert (manager.backend, manager.backend_name) == ("vLLM's own", "xgrammar")
    manager._grammar_bitmask = np.zeros((1, 1))
    assert len(manager.grammar_bitmask({}, [], {})) == 0
    params = vllm.SamplingParams(Asked("REGEX", "("))
    _hooks._state.chosen = True  # by another engine of this process
    params._validate_structured_outputs(manager.vllm_config, manager.vllm_config, vllm.tokenizer)
    assert vllm.own == ["("] and params.structured_outputs._backend == "xgrammar"
    _hooks._state.chosen = False
    vllm.xgrammar.validate_xgrammar_grammar(params)
    assert len(vllm.own) == 2
    beams = vllm.BeamSearchOfflineMixin()
    beams.llm_engine = types.SimpleNamespace(vllm_config=manager.vllm_config)
    assert beams._init_beam_search_structured_output(params.structured_outputs, None)[2] == "vLLM's own"
    assert vllm.tokenizer.reads == 0


SCHEMA = json.dumps({"type": "object", "properties": {"a": {"enum": [1, 2]}}, "required": ["a"]})
TAG = {"structures": [{"begin": "<f>", "schema": {"enum": [1]}, "end": "</f>"}], "triggers": ["<f>"]}
KINDS = [
    ("JSON", SCHEMA, '{"a": 1}', '{"a": 3}'),
    ("JSON", "true", "[1, 2]", "[1 2]"),
    ("JSON_OBJECT", "", '{"x": [null]}', "[]"),
    ("REGEX", PATTERN, "ax1", "ay"),
    ("CHOICE", '["red", "green"]', "green", "gren"),
    ("GRAMMAR", 'root ::= "(" root ")" | "x" # a: b', "((x))", "(x))"),
    ("GRAMMAR", 'start: "(" start ")" | "x" // a ::= b', "((x))", "(x))"),
    ("STRUCTURAL_TAG", json.dumps(TAG), "so: <f>1</f>.", "so: <f>2</f>."),
]


@pytest.mark.parametrize(("kind", "spec", "right", "wrong"), KINDS)
def test_each_kind(vllm, kind, spec, right, wrong):
    _, requests = started(vllm, Asked(kind, spec))
    grammar = requests["0"].grammar
    assert len(grammar.validate_tokens([*wrong.encode(), END[0]])) < len(wrong) + 1
    assert grammar.accept_tokens("0", [*right.encode(), END[0]]) and grammar.is_terminated()


def test_whitespace(vllm):
    _, requests = started(vllm, *(Asked(k, s) for k, s, *_ in KINDS), disable_any_whitespace=True)
    for (kind, _, right, _), r in zip(KINDS, requests.values()):
        spaced = kind in ("JSON", "JSON_OBJECT")  # the right texts have a space there
        assert r.grammar.accept_tokens("0", list(right.encode())) is not spaced
        assert not spaced or r.grammar.accept_tokens("0", list(right.replace(" ", "").encode()))


def test_additional_properties(vllm):
    """Undeclared properties are forbidden if a schema declares others; the flag does not matter for kinds without a
    schema."""
    schema = json.dumps({"type": "object", "properties": {"a": {"type": "integer"}}})
    for closed in (False, True):
        _, requests = started(
            vllm, Asked("JSON", schema), *(Asked(k, s) for k, s, *_ in KINDS), disable_additional_properties=closed
        )
        for text in ('{"a": 1}', '{"a": 1, "z": [2]}'):
            right = not closed or "z" not in text
            assert (requests["0"].grammar.validate_tokens(list(text.encode())) == list(text.encode())) is right
        for (_, _, right, _), r in zip(KINDS, list(requests.values())[1:]):
            assert r.grammar.accept_tokens("0", list(right.encode()))


@pytest.mark.parametrize("few", [3, 4])
def test_rows_of_a_step(vllm, monkeypatch, few):
    """One call fills the rows of a step, unless they are few; the rows are the same."""
    monkeypatch.setattr(_hooks, "FEW", few)
    asked = [Asked("REGEX", "[a-c]x[0-9]"), Asked("CHOICE", '["a", "b"]'), Asked("REGEX", "yz+y"), Asked("REGEX", "q")]
    manager, requests = started(vllm, *asked)
    requests["3"].reasons = True
    requests["0"].grammar.accept_tokens("0", [*b"ax"])
    requests["1"].grammar.accept_tokens("1", [ord("a"), END[0]])
    requests["2"].grammar.accept_tokens("2", [*b"yzzz"])
    calls = counted(monkeypatch, "fill")
    for i in range(2):
        rows = manager.grammar_bitmask(requests, ["0", "1", "2", "3"], {})
        assert calls == [2] * (i + 1 if few == 3 else 0) and rows.shape == (4, (vllm.size + 31) // 32)
        assert [len(allowed(rows[i])) for i in range(4)] == [10, 32 * rows.shape[1], 2, 32 * rows.shape[1]]
        manager._grammar_bitmask[:] = 7
    assert manager.grammar_bitmask(requests, ["0"], {})[0].tolist() == rows[0].tolist()


@pytest.mark.parametrize("said", ["off", "on"])
def test_limits_of_tokens(vllm, monkeypatch, caplog, said):
    """Masks leave room for the end within max_tokens, reasoning counted. A limit that is too short is logged."""
    monkeypatch.setenv("SLUICE_MAX_TOKENS", said)
    manager, requests = started(vllm, *[Asked("REGEX", "[a-c]+z")] * 2, Asked("REGEX", "abcz"))
    plain, reasons, short = requests.values()
    for r in requests.values():
        r.max_tokens, r.num_output_tokens = 4, 0
    reasons.max_tokens, short.max_tokens = 9, 1
    reasoning = reasons.structured_output_request
    reasoning.reasoning_ended = False

    def rows(*names):
        return [allowed(row) for row in manager.grammar_bitmask(requests, list(names), {})]

    letters = {*b"abc"}
    rows("0", "1", "2")
    reasons.num_output_tokens, reasoning.reasoning_ended = 6, True  # three are left: a letter, z, the end
    assert letters <= rows("0", "1", "2")[1]
    for name, r in requests.items():
        assert r.grammar.accept_tokens(name, [ord("a")])
    found = rows("0", "1", "2")
    assert letters <= found[0] and found[2] == {ord("b")}
    assert bool(letters & found[1]) is (said == "off") and ord("z") in found[1]
    assert plain.grammar.accept_tokens("0", [ord("b")])
    assert bool(letters & rows("0")[0]) is (said == "off")
    assert ("the limit of tokens is 1, and the shortest output" in caplog.text) is (said == "on")
    assert not short.grammar.gave_up


def test_a_release_that_tells_no_limit(vllm, monkeypatch, caplog):
    """The log says so once, and the request goes on."""
    monkeypatch.setenv("SLUICE_MAX_TOKENS", "on")
    manager, requests = started(vllm, Asked("REGEX", "[a-c]"))
    for _ in range(2):
        assert allowed(manager.grammar_bitmask(requests, ["0"], {})[0]) == {*b"abc"}
    assert caplog.text.count("tells no limit of tokens") == 1


@pytest.mark.parametrize(
    ("ended", "prompt", "answers"),
    [(None, [1, 9], True), (None, [1], False), (None, None, False), (False, [1, 9], False), (True, [1], True)],
)
@pytest.mark.parametrize("within", [False, True])
def test_where_an_answer_begins(ended, prompt, answers, within):
    """Behind the reasoning, which a prompt may have ended: vLLM then leaves reasoning_ended None."""
    request = Request(None)
    request.structured_output_request.reasoning_ended, request.prompt_token_ids = ended, prompt
    manager = types.SimpleNamespace(enable_in_reasoning=within)
    manager._get_reasoner = lambda request: types.SimpleNamespace(is_reasoning_end=lambda tokens: 9 in tokens)
    assert _hooks._answers(manager, request) is (answers or within)


@pytest.mark.parametrize("most", [None, 3])
def test_rows_of_drafts(vllm, monkeypatch, most):
    """One call fills all rows of all requests if vLLM has a block of rows for each, and one call a request if the rows
    follow one another. They equal vLLM's rows, filled one by one."""
    end = END[0]
    asked = [Asked("REGEX", p) for p in ("[a-c]x[0-9]", "yz+y", "q?", "[0-9]+", "ab")]
    drafts = {"0": [*b"ax"], "2": [ord("q"), end, end], "3": [*b"1x2"], "4": [ord("a"), -1, -1], "5": [*b"ab"]}
    manager, requests = started(vllm, *asked, Asked("REGEX", "ab"), Asked("REGEX", "cd"), num_speculative_tokens=most)
    requests["5"].reasons = requests["6"].reasons = True
    requests["6"].structured_output_request.reasoning_ended = False
    names, firsts = sorted(requests), [0, 3, 4, 8, 12, 16, 19] if most is None else [*range(0, 28, 4)]
    written = {firsts[i] + k for i, name in enumerate(names) for k in range(1 + len(drafts.get(name, ())))}
    single = []
    fill = _serving.Rows.fill
    monkeypatch.setattr(_serving.Rows, "fill", lambda g, masks, row: single.append(row) or fill(g, masks, row))
    calls = counted(monkeypatch, "fill_chains")
    moves = []
    accept = sluice.Matcher.accept
    monkeypatch.setattr(sluice.Matcher, "accept", lambda m, token: moves.append(token) or accept(m, token))
    rows = np.array(manager.grammar_bitmask(requests, names, drafts))
    if most is not None:  # vLLM moves over drafts without a call, except over ends and refused ones
        assert moves == [ord("q"), end, *b"1x2", ord("a"), -1, -1]
    behind = [firsts[i] + k for i in (3, 4) for k in (2, 3)]
    assert [n for n in single if n < firsts[5]] == behind, "what is behind drafts that are refused"
    assert calls == ([1] * 7 if most is None else [6])
    assert [len(allowed(rows[firsts[0] + k])) for k in range(3)] == [3, 1, 10]
    assert allowed(rows[firsts[1]]) == {ord("y")}
    for g in (r.grammar for r in requests.values()):
        assert g.matcher.length == 0
    monkeypatch.setattr(_serving.Chains, "takes", lambda *_: False)
    one_by_one = np.array(manager.grammar_bitmask(requests, names, drafts))
    assert all((rows[i] == one_by_one[i]).all() for i in written) and len(single) > 12


def test_an_engine_fails_among_drafts(vllm):
    """Matchers stay in vLLM's place."""
    manager, requests = started(vllm, Asked("REGEX", "abcd"), Asked("REGEX", "x"), num_speculative_tokens=3)
    grammar = requests["0"].grammar

    def rollback(k):
        assert grammar.matcher.length == 0 and k == 3
        raise RuntimeError("not now")

    grammar.rollback, own = rollback, grammar.rollback
    with pytest.raises(RuntimeError):
        manager.grammar_bitmask(requests, ["0", "1"], {"0": [*b"abc"]})
    assert grammar.matcher.length == 3
    own(2)
    assert grammar.matcher.length == 1 and grammar.accept_tokens("0", [*b"bcd"])


def test_two_engines_of_one_process(vllm):
    """One after the other on the same thread, with rows of other widths."""
    manager, requests = started(vllm, Asked("REGEX", "a"), Asked("REGEX", "c"))
    vllm.size -= 40
    other, others = started(vllm, Asked("REGEX", "x"), Asked("REGEX", "y"))
    for _ in range(2):
        rows = manager.grammar_bitmask(requests, ["0", "1"], {})
        narrow = other.grammar_bitmask(others, ["0", "1"], {})
        assert rows.shape[1] > narrow.shape[1]
        assert [allowed(r) for r in (*rows, *narrow)] == [{ord(c)} for c in "acxy"]


def test_rows_of_reasoning_are_the_engines(vllm):
    """A request that seemed to answer still reasons: the rows that vLLM writes for it stay."""
    manager, requests = started(vllm, Asked("REGEX", "ab"), Asked("REGEX", "cd"), num_speculative_tokens=1)
    requests["0"].reasons = True
    rows = manager.grammar_bitmask(requests, ["0", "1"], {"1": [*b"c"]})
    assert (np.array(rows[0]) == -1).all() and [allowed(rows[i]) for i in (2, 3)] == [{ord("c")}, {ord("d")}]


def test_tokens_and_the_end(vllm):
    _, requests = started(vllm, Asked("REGEX", PATTERN))
    g, end = requests["0"].grammar, END[0]
    assert g.accept_tokens("0", []) and g.validate_tokens([]) == []
    assert g.validate_tokens([end]) == [] and g.validate_tokens([END[1]]) == [] and g.validate_tokens([-1]) == []
    assert g.validate_tokens([*b"ax1", end, ord("z"), end]) == [*b"ax1", end]
    assert not g.accept_tokens("0", [*b"ax", ord("z")])
    assert g.accept_tokens("0", [*b"ax"])  # nothing had moved
    assert g.accept_tokens("0", [ord("1"), end, ord("z"), 10**9])
    assert g.is_terminated() and g.accept_tokens("0", [5]) and g.accept_tokens("0", []) and g.validate_tokens([5]) == []
    g.rollback(3)  # tokens that were ignored
    assert g.is_terminated()
    g.rollback(1)
    assert not g.is_terminated() and g.validate_tokens([end]) == [end]
    g.rollback(3)
    assert g.validate_tokens([*b"bx"]) == [*b"bx"]
    g.accept_tokens("0", [*b"bx", end])
    g.reset()
    assert not g.is_terminated() and g.accept_tokens("0", [*b"cx"])


def test_stop_tokens(vllm):
    register()
    manager = vllm.StructuredOutputManager(Config(size=vllm.size), vllm.tokenizer)
    for stop, expected in (({ord("!"), 10**6, -1}, [ord("!")]), (set(), END[:1]), (None, END[:1]), ({10**6}, END[:1])):
        r = Request(Asked("REGEX", "ab"), stop)
        manager.grammar_init(r)
        row = manager.backend.allocate_token_bitmask(1)
        assert r.grammar.accept_tokens("0", [*b"ab"])
        r.grammar.fill_bitmask(row, 0)
        assert allowed(row[0]) == set(expected)
        assert r.grammar.accept_tokens("0", expected) and r.grammar.is_terminated()
    assert vllm.tokenizer.reads == 1


def test_a_row_that_cannot_be_found(vllm, monkeypatch, caplog):
    """The request is ended; others are not affected."""
    manager, requests = started(vllm, Asked("REGEX", "a"), Asked("REGEX", "b"), Asked("REGEX", "c"))
    broken = requests["1"].grammar.matcher
    broken._library.matcher_free(broken._handle)
    rows = manager.grammar_bitmask(requests, ["0", "1", "2"], {})
    assert [allowed(r) for r in rows] == [{ord("a")}, {END[0]}, {ord("c")}]
    assert "is ended" in caplog.text
    manager.grammar_bitmask(requests, ["1"], {})
    assert allowed(manager._grammar_bitmask[0]) == {END[0]}
    broken._handle = 0


def test_why_a_request_was_ended(vllm, caplog):
    """It is said with the request's name, when vLLM hands over the end that it was led to."""
    _, requests = started(vllm, Asked("REGEX", "ab"))
    grammar, row = requests["0"].grammar, np.zeros((1, (vllm.size + 31) // 32), np.int32)
    assert not grammar.accept_tokens("a name", [END[0]]) and "Request a name: token" in caplog.text
    grammar.give_up(row, 0, sluice.LimitError("too much work"))
    assert "the request was ended" not in caplog.text and allowed(row[0]) == {END[0]}
    assert not grammar.accept_tokens("a name", [END[0]])
    assert "Request a name: token" in caplog.messages[-1] and "cannot be computed: too much work" in caplog.messages[-1]
    assert not grammar.accept_tokens("a name", [ord("z")])
    assert "the request was ended" not in caplog.messages[-1]


def test_tokens_that_fail(vllm, monkeypatch, caplog):
    """Nothing is raised into the engine: the request does not move, and the log has its name."""
    _, requests = started(vllm, Asked("REGEX", "[ab]+"))
    grammar = requests["0"].grammar
    for _ in range(2):
        grammar.reset()
        assert grammar.accept_tokens("0", [*b"ab"])
    grammar.rollback(1)

    def fails(matcher, tokens):
        matcher.accept(tokens[0])
        raise sluice.LimitError("too much work")

    monkeypatch.setattr(sluice.Matcher, "accept_tokens", fails)
    assert not grammar.accept_tokens("a name", [*b"ab"]) and grammar.matcher.length == 1
    monkeypatch.setattr(sluice.Matcher, "validate", fails)
    assert grammar.validate_tokens([ord("a")]) == []
    assert "Request a name: too much work" in caplog.text and "are dropped: too much work" in caplog.text


def test_validation(vllm):
    register()
    config = Config(size=vllm.size)

    def verify(kind, spec, before=None):
        params = vllm.SamplingParams(Asked(kind, spec, before))
        params._validate_structured_outputs(config, config, vllm.tokenizer)
        return params.structured_outputs

    assert config.backend == "sluice"
    for kind, spec, *_ in KINDS:
        if spec:
            assert verify(kind, spec)._backend == "sluice"
            assert verify(kind, spec, "sluice")._backend == "sluice"  # parameters that are used again
    for kind, spec, said in (
        ("REGEX", "(a", "regex"),
        ("JSON", '{"type": "integer", "minimum": 3, "maximum": 2}', "/minimum"),
        ("JSON", "{", "json"),
        ("CHOICE", "[1]", "choice"),
        ("STRUCTURAL_TAG", "{}", "structural_tag"),
        ("GRAMMAR", "root ::= missing", "missing"),
        ("SOMETHING", "a", "SOMETHING"),
        ("REGEX", "", "vLLM's own check"),
    ):
        with pytest.raises(Invalid, match=said):
            verify(kind, spec)
    with pytest.raises(Invalid, match="request-level"):
        verify("REGEX", "a", "guidance")
    # The engine reports errors that need the vocabulary.
    assert verify("GRAMMAR", "start: <|nobody|>")._backend == "sluice"
    with pytest.raises(sluice.SluiceError, match="nobody"):
        started(vllm, Asked("GRAMMAR", "start: <|nobody|>"))
    assert vllm.own == [] and vllm.tokenizer.reads == 1  # by the engine
    # It also answers vLLM's questions about a constraint before it belongs to a request.
    vllm.xgrammar.validate_xgrammar_grammar(vllm.SamplingParams(Asked("REGEX", "a")))
    with pytest.raises(Invalid, match="regex"):
        vllm.xgrammar.validate_xgrammar_grammar(vllm.SamplingParams(Asked("REGEX", "(a")))
    assert vllm.own == []


@pytest.mark.parametrize("spec", [{1, 2}, {"a": object()}, "recursive", "deep"])
def test_validation_of_what_is_no_json(vllm, monkeypatch, spec):
    """A schema that comes as an object becomes a text in vLLM's code."""
    if spec == "recursive":
        spec = {}
        spec["a"] = spec
    elif spec == "deep":
        spec = []
        for _ in range(100000):
            spec = [spec]
    request_module = sys.modules["vllm.v1.structured_output.request"]
    monkeypatch.setattr(request_module, "get_structured_output_key", lambda a: (Kind(a.kind), json.dumps(a.spec)))
    register()
    config, params = Config(size=vllm.size), vllm.SamplingParams(Asked("JSON", spec))
    with pytest.raises(Invalid):
        params._validate_structured_outputs(config, config, vllm.tokenizer)


def test_a_tokenizer_without_ends(monkeypatch):
    """Requests bring theirs along; without any nothing could end."""

    def read(tokenizer, size, end_tokens):
        if end_tokens is None:
            raise ValueError("it names no end token")
        return sluice.Vocabulary.from_tokens([b"a", b"b"], end_tokens=end_tokens)

    monkeypatch.setattr(_serving, "_vocabulary", read)
    made = _serving.Compiling("tokenizer", 2, requests_end=True)
    assert made.compiler().vocabulary.end_tokens == ()
    with pytest.raises(ValueError, match="no end token"):
        _serving.Compiling("tokenizer", 2).compiler()


def test_a_tokenizer_that_cannot_be_read(vllm, monkeypatch, caplog):
    """The tokenizer is read once, for all callers, and the log says so once."""
    reads = []

    def read(tokenizer, size, end_tokens):
        reads.append(tokenizer)
        raise TypeError("it does not show its tokens")

    monkeypatch.setattr(_serving, "_vocabulary", read)
    for _ in range(3):
        with pytest.raises(TypeError, match="does not show") as caught:
            started(vllm, Asked("REGEX", PATTERN))
    assert reads == [vllm.tokenizer] and len(caught.traceback) < 12  # it does not grow
    (line,) = [r for r in caplog.records if r.levelname == "ERROR"]
    assert "tokenizer cannot be read: it does not show its tokens" in line.getMessage()


def test_compilers_of_dropped_tokenizers_are_freed(monkeypatch):
    monkeypatch.setattr(_serving, "_all", [])
    made = [weakref.ref(_serving.compiling(object(), 4)) for _ in range(12)]
    gc.collect()
    assert sum(ref() is not None for ref in made) == 8


def test_requests_of_a_large_step_are_let_go(vllm, compiler):
    """A later step of few requests, which has no batch, frees them."""
    manager, requests = started(vllm, Asked("REGEX", "a"))
    matchers = [compiler.compile_regex("a").matcher() for _ in range(6)]
    _serving._kept.of(matchers)
    gone = weakref.ref(matchers.pop())
    del matchers
    gc.collect()
    assert gone() is not None
    manager.grammar_bitmask(requests, ["0"], {})
    gc.collect()
    assert gone() is None


def test_equal_constraints_are_compiled_once(vllm):
    from concurrent.futures import ThreadPoolExecutor

    made = _serving.compiling(vllm.tokenizer, vllm.size)
    assert made is _serving.compiling(vllm.tokenizer, vllm.size)
    assert made is not _serving.compiling(vllm.tokenizer, vllm.size + 1)
    assert made is not _serving.compiling(vllm.tokenizer, vllm.size, (END[0],))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: made.grammar("regex", f"x{{{i % 4}}}", {}), range(64)))
    made.grammar("json_schema", "{}", {})
    made.grammar("json_schema", "{}", {"compact": True})
    cache = made.compiler().cache
    assert (vllm.tokenizer.reads, cache.misses, cache.hits + cache.joined) == (1, 6, 60)
    for _ in range(2):
        with pytest.raises(sluice.SluiceError):
            made.grammar("regex", "(", {})
    made.clear()
    assert made.compiler().cache.entries == 0


FORK = """
import os, sys
sys.path.insert(0, {tests!r})
from conftest import case_tokens
import sluice
from sluice import _serving
tokens, added, special, end = case_tokens()
_serving._vocabulary = lambda t, n, e: sluice.Vocabulary.from_tokens(tokens, special=special, end_tokens=end)
made = _serving.compiling("tokenizer", 400)
made.grammar("regex", "ab", {{}})
made._making.acquire()  # as another thread of the parent may have
pid = os.fork()
grammar = made.grammar("regex", "ab", {{}}) if pid == 0 else None
if pid == 0:
    assert grammar.matcher().accept(97) and made.grammar("regex", "cd", {{}}).matcher().accept(99)
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


def test_fork_after_load():
    """A process that has checked requests makes a second engine: its child compiles with a library of its own."""
    code = FORK.format(tests=str(ROOT / "bindings" / "python" / "tests"))
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "7", done.stderr


def test_memory_of_rows_is_exact(vllm):
    """A worker copies rows into a buffer that is as wide as the model's logits say."""
    _, requests = started(vllm, Asked("REGEX", "a"))
    row = array.array("i", [7] * ((vllm.size + 31) // 32 + 2))
    masks = np.frombuffer(row, dtype=np.int32)[None, 1:-1]
    requests["0"].grammar.fill_bitmask(masks, 0)
    assert row[0] == row[-1] == 7 and allowed(masks[0]) == {ord("a")}
