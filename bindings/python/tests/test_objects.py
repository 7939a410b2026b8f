"""Objects of the package behave like Python's: pickled, copied, weakly referenced, given attributes. A value that is no
constraint is a TypeError, whose text names the types that are.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import json
import pickle
import subprocess
import sys
import typing
import weakref

import numpy as np
import pytest
from conftest import ROOT, case_tokens, environment

import sluice


@pytest.fixture
def grammar(compiler):
    return compiler.compile_json_schema({"enum": ["a", "b"]}, compact=True)


def test_pickling_here(vocabulary, compiler, grammar):
    """Equal objects are one object after unpickling, in any number."""
    again = [pickle.loads(pickle.dumps(grammar)) for _ in range(2)]
    for g in again:
        assert g.vocabulary.hash == vocabulary.hash and g.vocabulary.end_tokens == vocabulary.end_tokens
        assert (g.kind, g.spec) == (grammar.kind, grammar.spec) and g.matcher().accept_bytes(b'"b"')
    assert again[0].vocabulary is again[1].vocabulary and again[0]._compiler is again[1]._compiler
    other = sluice.Compiler(vocabulary, grammar_states=50)
    assert pickle.loads(pickle.dumps(other))._options == other._options
    with pytest.raises(TypeError, match=r"cannot be pickled or sent to another process.*there"):
        pickle.dumps(grammar.matcher())


SPAWNED = """
import sys
import sluice

def work(grammars):
    first, second = grammars
    matcher = first.matcher()
    assert first.vocabulary is second.vocabulary
    row = bytearray(4 * first.vocabulary.words)
    matcher.fill(row)
    return first.vocabulary.hash, bytes(row), second.matcher().accept_bytes("xy")

if __name__ == "__main__":
    import multiprocessing
    sys.path.insert(0, {tests!r})
    from conftest import case_tokens
    tokens, added, special, end = case_tokens()
    v = sluice.Vocabulary.from_tokens(tokens, added=added, special=special, end_tokens=end, padded_size=500)
    compiler = sluice.Compiler(v)
    grammars = compiler.compile_regex("[a-c]+"), compiler.compile_choice(["xy"])
    expected = work(grammars)
    for how in ("spawn", "fork", "forkserver"):
        with multiprocessing.get_context(how).Pool(2) as pool:
            assert pool.map(work, [grammars] * 4) == [expected] * 4, how
    print("fine")
"""


def test_pickling_to_workers(tmp_path):
    program = tmp_path / "spawned.py"
    program.write_text(SPAWNED.format(tests=str(ROOT / "bindings" / "python" / "tests")))
    done = subprocess.run(
        [sys.executable, str(program)], env=environment(), capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "fine\n", done.stderr


def test_pickled_vocabularies_are_equal():
    """Holes, padding and the marks of tokens go along."""
    made = sluice.Vocabulary.from_tokens(
        [b"a", None, b"<s>", b"<t>", b"</s>"], special=[2, 4], added=[3, 4], end_tokens=[4], padded_size=77
    )
    data, digest = pickle.dumps(made), made.hash
    tokens, special, added = made.tokens(), made.special_tokens, made.added_tokens
    del made
    again = pickle.loads(data)
    assert (again.hash, again.padded_size, again.end_tokens) == (digest, 77, (4,))
    assert (again.tokens(), again.special_tokens, again.added_tokens) == (tokens, special, added)


def test_copies(vocabulary, compiler, grammar):
    for thing in (vocabulary, compiler, grammar):
        assert copy.copy(thing) is thing and copy.deepcopy(thing) is thing  # immutable
    matcher = grammar.matcher()
    matcher.accept_bytes(b'"')
    for twin in (copy.copy(matcher), copy.deepcopy({"m": matcher})["m"]):
        assert twin is not matcher and twin.accept_bytes(b"b")
    assert matcher.accept_bytes(b"a")


def test_references_and_attributes(vocabulary, compiler, grammar):
    for thing in (vocabulary, compiler, grammar, grammar.matcher(), sluice.Batch(1)):
        assert weakref.ref(thing)() is thing
    matcher = grammar.matcher()
    matcher.req = grammar.req = "mine"
    assert matcher.req == grammar.req == "mine"
    gone = weakref.ref(matcher)
    del matcher
    assert gone() is None


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"


Both = typing.Literal["red", "green"]


@pytest.mark.parametrize("kind", ["json_schema", "choice"])
@pytest.mark.parametrize("spec", [Colour, Both], ids=["enum", "literal"])
def test_enums_and_literals(compiler, kind, spec):
    text = json.dumps if kind == "json_schema" else str
    grammar = compiler.compile(kind, spec)
    assert [grammar.matcher().accept_bytes(text(t)) for t in ("red", "green", "blue")] == [True, True, False]


@dataclasses.dataclass
class Point:
    """A type that pydantic knows."""

    x: int
    y: int = 0


class Typed(typing.TypedDict):
    """Another."""

    x: int


def test_types_that_pydantic_knows(compiler, monkeypatch):
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Model", x=(int, ...))
    for spec in (model, pydantic.TypeAdapter(Point), Point, pydantic.TypeAdapter(model)):
        for made in (
            compiler.compile("json_schema", spec, compact=True),
            compiler.compile_json_schema(spec, compact=True),
        ):
            assert made.matcher().accept_bytes(b'{"x":1}') and not made.matcher().accept_bytes(b'{"x":"')
    assert compiler.compile_json_schema(list[model], compact=True).matcher().accept_bytes(b'[{"x":1}]')
    if sys.version_info >= (3, 12):  # pydantic reads it
        assert compiler.compile_json_schema(Typed, compact=True).matcher().accept_bytes(b'{"x":1}')
    monkeypatch.setitem(sys.modules, "pydantic", None)
    with pytest.raises(TypeError, match=r"Point.* is a type: pydantic is needed"):
        compiler.compile_json_schema(Point)


@pytest.mark.parametrize(
    "kind, spec, said",
    [
        ("regex", None, "a regular expression is a str or bytes, not None"),
        ("regex", 5, "a regular expression is a str or bytes, not int"),
        ("regex", ["a"], "not list"),
        ("ebnf", None, "a grammar is a str or bytes, not None"),
        ("lark", 1.5, "not float"),
        ("json_schema", None, "a JSON Schema is a dict or bool, JSON as str or bytes, or a type"),
        ("json_schema", 3, "not int"),
        ("json_schema", Point(1), "not Point"),
        ("choice", None, "choices are a list of strings, an Enum or a Literal, not None"),
        ("choice", {"a": 1}, "not dict"),
        ("structural_tag", None, "a constraint of the kind structural_tag is a dict"),
        ("structural_tag", 7, "not int"),
        ("request", None, "not None"),
    ],
)
def test_what_is_no_constraint(compiler, kind, spec, said):
    with pytest.raises(TypeError, match=said):
        compiler.compile(kind, spec)


def test_other_wrong_types(compiler, matcher):
    with pytest.raises(TypeError, match=r"a Compiler takes a sluice.Vocabulary, not str: see Vocabulary.from_file"):
        sluice.Compiler("tokenizer.json")
    with pytest.raises(TypeError, match="a token is an integer, not float"):
        matcher.accept(1.0)
    with pytest.raises(TypeError, match=r"has a sluice.Matcher or None, not int"):
        sluice.Batch([matcher, None, 7])


def test_options_are_typed(compiler):
    """The type has the options that the library knows; None is the default of each."""
    known = {o["name"] for o in sluice.capabilities()["options"]}
    assert set(sluice.Options.__annotations__) == known
    nothing = dict.fromkeys(known)
    assert compiler.compile_regex("a", **nothing)._options is None
    assert compiler.compile_ebnf('x ::= "a"', start_rule="x").matcher().accept(ord("a"))
    with pytest.raises(sluice.ArgumentError, match="strict"):
        compiler.compile_json_schema({}, strict=True)


INTERRUPTED = """
import signal, sys
sys.path.insert(0, {tests!r})
from conftest import case_tokens
import sluice
from sluice import _library
tokens, added, special, end = case_tokens()

class Stop(Exception):
    pass

lib, made, freed = _library.library(), [], []
for name, free in (("vocabulary_new", "vocabulary_free"), ("compiler_new", "compiler_free")):
    def call(*a, real=getattr(lib, name), out=-2):
        status = real(*a)
        made.append(a[out]._obj.value)
        signal.raise_signal(signal.SIGALRM)  # between the call and what Python does with its handle
        return status
    def give(handle, real=getattr(lib, free)):
        freed.append(getattr(handle, "value", handle))
        return real(handle)
    setattr(lib, name, call)
    setattr(lib, free, give)

def stop(*_):
    raise Stop

vocabulary = None
for make in (lambda: sluice.Vocabulary.from_tokens(tokens, end_tokens=end), lambda: sluice.Compiler(vocabulary)):
    signal.signal(signal.SIGALRM, stop)
    try:
        make()
        print("not interrupted")
    except Stop:
        pass
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    vocabulary = vocabulary or make()
assert len(made) == 3 and freed == [made[0], made[2]], (made, freed)
print("fine")
"""


def test_signals_leak_nothing():
    """A handler that raises before Python has a handle: the object in the library is freed. (Grammars:
    test_long.py.)"""
    code = INTERRUPTED.format(tests=str(ROOT / "bindings" / "python" / "tests"))
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout == "fine\n", done.stderr + done.stdout


def test_case_tokens_are_the_vocabulary(vocabulary):
    assert vocabulary.tokens() == case_tokens()[0]


# ------------------------------------------------------------------------------------------------- refused values


def test_copies_of_a_batch(compiler, vocabulary):
    matchers = [compiler.compile_regex("[a-z]{1,5}").matcher() for _ in range(3)]
    batch = sluice.Batch(matchers, threads=2, keep_rows=True)
    masks, other = (sluice.allocate_bitmask(3, vocabulary) for _ in range(2))
    batch.fill(masks)
    twin, own = copy.copy(batch), copy.deepcopy(batch)
    assert [(b._batch.threads, b._keep) for b in (batch, twin, own)] == [(2, True)] * 3
    twin.fill(other)
    twin[0] = None
    other[:] = 0
    batch.fill(masks)
    assert not other.any() and masks.any() and batch[0] is not None
    assert twin[1] is batch[1] and own[1] is not batch[1] and own[1].length == 0
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(batch)


def test_tokens_are_gone_through_once(compiler, vocabulary):
    a, b = (next(i for i in range(vocabulary.size) if vocabulary.token_bytes(i) == x) for x in (b"a", b"b"))
    matcher = compiler.compile_choice(["a1", "b2"]).matcher()
    assert matcher.accept_tokens(iter([a, 1 << 40, b])) == 1
    assert matcher.accept_bytes("1")


def test_numbers_do_not_wrap(compiler, vocabulary):
    grammar, masks = compiler.compile_regex("[a-z]{1,5}"), sluice.allocate_bitmask(4, vocabulary)
    batch = sluice.Batch([grammar.matcher()])
    batch[0].accept_bytes("a")
    for call in (
        lambda: batch.fill(masks, [(1 << 32) + 3]),
        lambda: batch.fill_chains([[]], masks, [1 << 32]),
        lambda: batch.rollback((1 << 32) + 1),
        lambda: batch[0].rollback((1 << 64) + 1),
        lambda: sluice.Batch(-1),
        lambda: sluice.Vocabulary.from_tokens([b"a"], end_tokens=(), padded_size=(1 << 32) + 2),
    ):
        with pytest.raises((ValueError, IndexError)):
            call()
    assert (masks == -1).all() and batch[0].length == 1
    with pytest.raises(sluice.ArgumentError, match="outside"):
        batch[0].explain((1 << 32) + 68)


def test_arrays_that_change(compiler, vocabulary):
    words = vocabulary.words
    for fill in (lambda masks: compiler.compile_regex("a").matcher().fill(masks, 1), sluice.Batch([None] * 2).fill):
        masks = np.full((4, 2 * words), -1, np.int32)
        fill(masks)
        masks.shape = (8, words)
        masks[:] = -1
        fill(masks)
        assert (masks[[0, *range(2, 8)]] == -1).all()
    batch = sluice.Batch([compiler.compile_regex("a").matcher() for _ in range(2)])
    masks = np.full((4, 2 * words), -1, np.int32)
    batch.fill(masks)
    masks.shape = (8, words)
    masks[:] = -1
    batch.fill(masks)
    assert (masks[2:] == -1).all() and (masks[:2] != -1).any(axis=1).all()


def test_flags_are_true_or_false(compiler):
    matcher = compiler.compile_regex("a").matcher(reject_after_end=2, all_allowed_after_end=[])
    matcher.accept_bytes("a")
    assert matcher.accept(compiler.vocabulary.end_tokens[0]) and not matcher.accept(5)


def test_numbers_are_no_text(compiler):
    for call in (
        lambda: compiler.compile_regex("a").matcher().accept_bytes(5),
        lambda: sluice.Vocabulary.from_data(5),
        lambda: compiler.compile_regex("a").matcher(stop_tokens="12"),
        lambda: compiler.compile_regex("a").matcher(stop_tokens=[1.9]),
        lambda: sluice.apply_bitmask(np.zeros((2, 32), np.float32), np.zeros((2, 1), np.int32), indices=[True, False]),
    ):
        with pytest.raises(TypeError):
            call()


def test_choice_file(compiler, tmp_path):
    """A file has one string on each line; if its name ends in .json, it is a JSON list."""
    lines, listed = tmp_path / "names.txt", tmp_path / "names.json"
    lines.write_bytes('yes\nnein\r\n\n["a"]\nja, é'.encode())
    listed.write_text('["yes", "two\\nlines", ""]')
    for path, texts, others in [
        (lines, ["yes", "nein", '["a"]', "ja, é"], ["", "a", "no"]),
        (str(lines), ["yes"], [""]),
        (listed, ["yes", "two\nlines", ""], ["[", "n"]),
    ]:
        grammar = compiler.compile_choice_file(path)
        assert grammar.kind == "choice"
        for text in texts:
            matcher = grammar.matcher()
            assert matcher.accept_bytes(text.encode()) and matcher.completed, text
        for text in others:
            matcher = grammar.matcher()
            assert not (matcher.accept_bytes(text.encode()) and matcher.completed), text
    matcher = compiler.compile_choice_file(listed, lines=True).matcher()
    assert matcher.accept_bytes(b'["yes", ')
    with pytest.raises(OSError):
        compiler.compile_choice_file(tmp_path / "none")
    listed.write_text('["yes", 5]')
    with pytest.raises(sluice.InvalidError, match=r"/1"):
        compiler.compile_choice_file(listed)
    lines.write_bytes(b"a\nb\xff")
    with pytest.raises(sluice.InvalidError, match=r"2:2"):
        compiler.compile_choice_file(lines)


def test_long_choices_of_any_iterable(compiler):
    matcher = compiler.compile_choice(str(n) for n in range(20_000)).matcher()
    assert matcher.accept_bytes(b"1999")
    assert matcher.completed and matcher.accept_bytes(b"9") and not matcher.accept_bytes(b"9")
