"""The adapter for sglang-jax without sglang-jax: modules of the same names, with its scheduler's manners. There is no
package of it that has constrained decoding, so that these are all tests of it.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import types
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest
from conftest import ROOT, case_tokens, environment

import sluice
from sluice import _serving, sglang_jax

END = case_tokens()[3]
KINDS = {
    ("json", '{"enum": [12, 345]}'): ("345", "35"),
    ("json", "$$ANY$$"): ("[null]", "[nul]"),
    ("regex", "[a-c]x?"): ("bx", "bb"),
    ("ebnf", 'root ::= "a" root?'): ("aaa", "ab"),
    ("structural_tag", '{"structures": [{"begin": "<f>", "schema": null, "end": "</f>"}], "triggers": ["<f>"]}'): (
        "so <f>1</f>",
        "<f>}",
    ),
}


class Object:
    """sglang-jax's BaseGrammarObject."""

    def __init__(self):
        self.finished = False

    def copy(self):
        raise NotImplementedError


class Backend:
    """sglang-jax's BaseGrammarBackend."""

    def __init__(self, num_threads=4):
        self.executor, self.cache = ThreadPoolExecutor(num_threads), {}

    def set_cache(self, key, value):
        self.cache[key] = value

    def reset(self):
        self.cache.clear()


def create_grammar_backend(server_args, tokenizer, vocab_size, eos_token_ids=None):
    """sglang-jax's own."""
    return "sglang-jax's own"


class Scheduler:
    """The calls of sglang-jax's scheduler to a backend."""

    def __init__(self, args, tokenizer, size):
        create = sys.modules[sglang_jax.SCHEDULER].create_grammar_backend
        self.backend, self.size = create(args, tokenizer, size, {END[1]}), size
        self.invalid = sys.modules[sglang_jax.BASE].INVALID_GRAMMAR_OBJ

    def begin(self, *key):
        """Returns a request's grammar, as its loop has it after it is compiled."""
        value, hit = self.backend.get_cached_or_future_value(key)
        if not hit:
            assert isinstance(value, Future)
            value = value.result(timeout=60)
            self.backend.set_cache(key, value.copy())  # also of an invalid one
        return None if value is self.invalid else value

    def masks(self, grammars):
        """The rows of a batch; None and finished requests fill none."""
        used = [g for g in grammars if g is not None]
        masks = used[0].allocate_vocab_mask(vocab_size=self.size, batch_size=len(grammars))
        for row, grammar in enumerate(grammars):
            if grammar is not None and not grammar.finished and not grammar.is_terminated():
                grammar.fill_vocab_mask(masks, row)
        return masks


@pytest.fixture(params=[True, False], ids=["scheduler imported before", "after"])
def engine(request, monkeypatch, vocabulary):
    """Modules in sglang-jax's place, with the hooks in them; returns a function that makes a scheduler."""
    modules = {
        "sgl_jax": {},
        "sgl_jax.srt": {},
        "sgl_jax.srt.constrained": {},
        "sgl_jax.srt.server_args": {"GRAMMAR_BACKEND_CHOICES": ["llguidance", "none"]},
        sglang_jax.BASE: {
            "BaseGrammarObject": Object,
            "BaseGrammarBackend": Backend,
            "INVALID_GRAMMAR_OBJ": Object(),
            "create_grammar_backend": create_grammar_backend,
        },
        sglang_jax.SCHEDULER: {"create_grammar_backend": create_grammar_backend},
    }
    for name, members in modules.items():
        module = types.ModuleType(name)
        module.__dict__.update(members)
        monkeypatch.setitem(sys.modules, name, module)
    sys.modules["sgl_jax.srt.constrained"].base_grammar_backend = sys.modules[sglang_jax.BASE]
    later = None if request.param else sys.modules.pop(sglang_jax.SCHEDULER)
    monkeypatch.delitem(sys.modules, "sluice._sglang_jax", raising=False)
    monkeypatch.setattr(sglang_jax, "_registered", False)
    monkeypatch.setattr(_serving, "_all", [])
    monkeypatch.delenv(sglang_jax.SWITCH, raising=False)

    def read(tokenizer, size, end_tokens):
        tokens, added, special, _ = case_tokens()
        return sluice.Vocabulary.from_tokens(
            tokens, added=added, special=special, end_tokens=end_tokens, padded_size=size
        )

    monkeypatch.setattr(_serving, "_vocabulary", read)
    tokenizer, size = types.SimpleNamespace(eos_token_id=END[0]), vocabulary.size + 40

    def scheduler(backend="sluice", **options):
        sglang_jax.register()
        if later is not None:
            later.create_grammar_backend = sys.modules[sglang_jax.BASE].create_grammar_backend
            sys.modules[sglang_jax.SCHEDULER] = later
        return Scheduler(types.SimpleNamespace(grammar_backend=backend, **options), tokenizer, size)

    return scheduler


def walked(grammar, text):
    """How many bytes are accepted, one token each."""
    for i, byte in enumerate(text.encode()):
        try:
            grammar.accept_token(np.int32(byte))
        except ValueError:
            return i
    return len(text)


def allowed(row):
    return set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist())


def test_every_kind(engine):
    scheduler = engine()
    assert sys.modules["sgl_jax.srt.server_args"].GRAMMAR_BACKEND_CHOICES == ["llguidance", "none", "sluice"]
    for key, (good, bad) in KINDS.items():
        for _ in range(2):  # the second time it is kept
            assert walked(scheduler.begin(*key), bad) == len(bad) - 1
            grammar = scheduler.begin(*key)
            assert walked(grammar, good) == len(good) and not grammar.is_terminated()
            grammar.accept_token(END[1])
            assert grammar.is_terminated()


def test_rows(engine):
    """Rows are numpy's; unfilled ones allow everything, and no two steps in a row share an array."""
    scheduler = engine()
    a, b = (scheduler.begin("regex", p) for p in ("[a-c]x?", "de"))
    masks = scheduler.masks([a, None, b])
    assert masks.dtype == np.int32 and masks.shape == (3, (scheduler.size + 31) // 32)
    assert [allowed(masks[i]) for i in (0, 2)] == [set(b"abc"), set(b"d")] and (masks[1] == -1).all()
    a.accept_token(ord("a"))
    again = scheduler.masks([a, None, b])
    assert allowed(again[0]) == {ord("x"), *END[:2]} and allowed(masks[0]) == set(b"abc")
    a.accept_token(END[0])
    b.finished = True
    assert (scheduler.masks([a, None, b]) == -1).all()


def test_requests_share_nothing(engine):
    """Two requests never share an object, cached or still compiling."""
    scheduler = engine()
    pending = [scheduler.backend.get_cached_or_future_value(("regex", "ab"))[0].result() for _ in range(2)]
    pending.append(scheduler.begin("regex", "ab"))
    pending.append(scheduler.begin("regex", "ab"))
    assert len(scheduler.masks(pending)) == 4  # each is an object of sglang-jax's, not finished
    for grammar in pending:
        assert walked(grammar, "ab") == 2 and grammar.cancel() is False
    assert scheduler.backend._compiling.compiler().cache.misses == 1
    assert isinstance(scheduler.backend.cache, _serving.Latest)
    scheduler.backend.reset()
    assert not scheduler.backend.cache and not scheduler.backend._compiling.compiler().cache.entries


def test_what_is_refused(engine, caplog):
    """It is the engine's sentinel, never an exception; the log says why."""
    scheduler = engine()
    for key in (("regex", "(a"), ("json", "{"), ("structural_tag", "{}"), ("ebnf", "root ::= x"), ("choice", "[]")):
        for _ in range(2):
            assert scheduler.begin(*key) is None
    assert caplog.text.count("is refused") == 5 and "choice" in caplog.text
    grammar = scheduler.begin("regex", "ab")
    for wrong in (-1, ord("b"), scheduler.size, 1 << 40):
        with pytest.raises(ValueError, match=r"after 0 tokens: token .* is not allowed"):
            grammar.accept_token(wrong)


def test_whitespace(engine):
    scheduler = engine(constrained_json_disable_any_whitespace=True)
    assert walked(scheduler.begin("json", '{"type": "array"}'), "[ ") == 1
    scheduler = engine(constrained_json_whitespace_pattern="[ ]?")
    assert walked(scheduler.begin("json", '{"type": "array"}'), "[  ") == 2
    with pytest.raises(ValueError, match=r"^--constrained-json-whitespace-pattern "):
        engine(constrained_json_whitespace_pattern="(")


def test_a_server_that_is_set_wrongly(engine, monkeypatch):
    engine()
    monkeypatch.setenv("SLUICE_OPTIONS", "x")
    with pytest.raises(ValueError, match=r"^SLUICE_OPTIONS=x: "):
        engine()


def test_others_and_the_switch(engine, monkeypatch):
    assert engine("llguidance").backend == "sglang-jax's own"
    assert engine("none").backend == "sglang-jax's own"
    monkeypatch.setattr(sglang_jax, "_registered", False)
    base = sys.modules[sglang_jax.BASE]
    monkeypatch.setattr(base, "create_grammar_backend", create_grammar_backend)
    monkeypatch.setenv(sglang_jax.SWITCH, "off")
    sglang_jax.register()
    assert base.create_grammar_backend is create_grammar_backend


def test_what_a_release_lacks(engine, caplog):
    del sys.modules["sgl_jax.srt.server_args"].GRAMMAR_BACKEND_CHOICES
    with caplog.at_level(logging.INFO, "sgl_jax.sluice"):
        scheduler = engine()
    (warning,) = [r.getMessage() for r in caplog.records if r.levelname == "WARNING"]
    assert "hooked in: backend" in warning and "name (AttributeError" in warning
    assert walked(scheduler.begin("regex", "ab"), "ab") == 2


STARTED = """
import json, multiprocessing, sys
sys.modules["torch"] = None  # neither this process nor a spawned one may import it
def work(queue):
    from sgl_jax.srt.constrained import base_grammar_backend as base
    queue.put([base.create_grammar_backend.__module__, "sluice._sglang_jax" in sys.modules])
if __name__ == "__main__":
    spawn = multiprocessing.get_context("spawn")
    queue = spawn.Queue()
    child = spawn.Process(target=work, args=(queue,))
    child.start()
    from sgl_jax.srt.server_args import GRAMMAR_BACKEND_CHOICES as choices
    import sluice
    print(json.dumps([sys.argv[1:], choices, queue.get(timeout=60), sluice.loaded()]))
    child.join()
"""


def test_as_a_program(tmp_path):
    """`python -m sluice.sglang_jax` starts the server with the name known, in processes that are spawned too."""
    srt = tmp_path / "sgl_jax" / "srt"
    (srt / "constrained").mkdir(parents=True)
    for folder in (tmp_path / "sgl_jax", srt, srt / "constrained"):
        (folder / "__init__.py").write_text("")
    (srt / "server_args.py").write_text('GRAMMAR_BACKEND_CHOICES = ["llguidance", "none"]\n')
    (srt / "constrained" / "base_grammar_backend.py").write_text(
        "def create_grammar_backend(server_args, tokenizer, vocab_size, eos_token_ids=None): pass\n"
    )
    (tmp_path / "sgl_jax" / "work.py").write_text(STARTED.partition("if __name__")[0])
    launch = STARTED.replace("target=work", "target=__import__('sgl_jax.work').work.work")
    (tmp_path / "sgl_jax" / "launch_server.py").write_text(launch)
    env = environment()
    env["PYTHONPATH"] = f"{tmp_path}:{ROOT / 'bindings' / 'python'}"
    command = [sys.executable, "-m", "sluice.sglang_jax", "--grammar-backend", "sluice"]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    argv, choices, spawned, loaded = json.loads(done.stdout.splitlines()[-1])
    assert argv == ["--grammar-backend", "sluice"] and choices[-1] == "sluice"
    assert spawned == ["sluice.sglang_jax", False] and loaded is False


def test_without_torch():
    """The adapter's modules import neither torch nor JAX, and hook nothing until `register` is called."""
    code = (
        "import sys, types; sys.modules['torch'] = sys.modules['jax'] = None\n"
        "b = types.SimpleNamespace(BaseGrammarObject=object, BaseGrammarBackend=object)\n"
        "for n in ('sgl_jax', 'sgl_jax.srt'): sys.modules[n] = types.ModuleType(n)\n"
        "m = sys.modules['sgl_jax.srt.constrained'] = types.ModuleType('c'); m.base_grammar_backend = b\n"
        "import sluice._sglang_jax, sluice.sglang_jax as p, sluice; print(sluice.loaded(), p._registered)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False", "False"], done.stderr
