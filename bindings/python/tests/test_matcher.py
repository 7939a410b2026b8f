"""Compiler, Grammar and Matcher: the promises of every method."""

from __future__ import annotations

import copy
import gc

import pytest

import sluice


def ids(text: str) -> list[int]:
    return list(text.encode())  # ids 0–255 of the test vocabulary are the single bytes


def allowed(m: sluice.Matcher) -> set[int]:
    row = bytearray(4 * m.grammar.vocabulary.words)
    m.fill(row)
    bits = int.from_bytes(row, "little")
    return {i for i in range(m.grammar.vocabulary.padded_size) if bits >> i & 1}


def test_a_generation(matcher, vocabulary):
    end = vocabulary.end_tokens[0]
    assert ord("a") in allowed(matcher) and ord("b") not in allowed(matcher)
    assert matcher.accept(ord("a")) and not matcher.accept(ord("a"))
    assert matcher.accept_tokens(ids("bcbc")) == 4
    assert not matcher.completed and not matcher.accept(end)
    assert matcher.accept(ord("d")) and matcher.completed and not matcher.terminated
    assert allowed(matcher) == set(vocabulary.end_tokens)
    assert matcher.accept(end) and matcher.terminated and matcher.completed
    assert matcher.length == 7


def test_masks_are_what_accept_says(matcher, vocabulary):
    for step in ids("abc"):
        mask = allowed(matcher)
        for token in range(vocabulary.size):
            twin = matcher.fork()
            assert twin.accept(token) == (token in mask)
        assert matcher.accept(step)


def test_strange_ids(matcher, vocabulary):
    numpy = pytest.importorskip("numpy", reason="numpy is not installed: its integers cannot be tried")
    a = ord("a")
    for wrong in (-1, vocabulary.size, 1 << 31, (1 << 32) + a, (1 << 64) + a, a - (1 << 32), -(1 << 70)):
        assert not matcher.accept(wrong)
        assert matcher.accept_tokens([wrong]) == matcher.validate([wrong]) == 0
    assert matcher.length == 0
    assert matcher.accept(numpy.int64(a))
    assert not matcher.accept(numpy.int64((1 << 32) + ord("b")))
    assert matcher.accept_tokens(numpy.array(ids("bc"))) == 2
    for wrong in ("b", 1.0, None):
        with pytest.raises(TypeError):
            matcher.accept(wrong)


def test_validate_does_not_move(matcher):
    assert matcher.validate(ids("abbx")) == 3
    assert matcher.validate([]) == 0
    assert matcher.length == 0
    assert matcher.accept_tokens(ids("abbxd")) == 3
    assert matcher.length == 3


def test_rollback_and_reset(matcher, vocabulary):
    start = allowed(matcher)
    matcher.accept_tokens(ids("abcd"))
    matcher.accept(vocabulary.end_tokens[0])
    matcher.rollback(2)
    assert not matcher.terminated and not matcher.completed and matcher.accept(ord("b"))
    matcher.rollback(4)
    assert allowed(matcher) == start and matcher.length == 0
    with pytest.raises(sluice.ArgumentError):
        matcher.rollback(1)
    with pytest.raises(ValueError):
        matcher.rollback(-1)
    matcher.accept_tokens(ids("ab"))
    matcher.reset()
    assert matcher.length == 0 and allowed(matcher) == start


def test_fork_goes_its_own_way(matcher):
    matcher.accept(ord("a"))
    for twin in (matcher.fork(), copy.copy(matcher)):
        assert twin.length == 1 and twin.grammar is matcher.grammar
        twin.accept_tokens(ids("bd"))
        assert twin.completed and not matcher.completed and matcher.length == 1
        twin.rollback(3)


def test_accept_bytes(matcher):
    assert matcher.accept_bytes("abc") and matcher.length == 1
    assert not matcher.accept_bytes(b"bx") and matcher.length == 1
    assert matcher.accept_bytes(b"d") and matcher.completed
    matcher.rollback(2)
    assert matcher.length == 0


def test_forced_bytes(compiler):
    long = "x" * 2000
    m = compiler.compile_regex(f"ab({long}|{long}c)").matcher()
    assert m.forced_bytes() == b"ab" + long.encode()
    m.accept_bytes("ab" + long)
    assert m.forced_bytes() == b""


def test_after_the_end(compiler, vocabulary):
    end = vocabulary.end_tokens[0]
    g = compiler.compile_regex("a")
    tolerant, strict, wide = g.matcher(), g.matcher(reject_after_end=True), g.matcher(all_allowed_after_end=True)
    for m in (tolerant, strict, wide):
        assert m.accept_tokens([ord("a"), end]) == 2 and m.terminated
    assert tolerant.accept(ord("z")) and tolerant.length == 3
    assert not strict.accept(ord("z"))
    assert allowed(tolerant) == set(vocabulary.end_tokens)
    row = bytearray(4 * vocabulary.words)
    assert wide.fill(row) is False
    assert allowed(wide) >= set(range(256))


def test_stop_tokens(compiler, vocabulary):
    m = compiler.compile_regex("a").matcher(stop_tokens=[ord("!")])
    m.accept(ord("a"))
    assert allowed(m) == {ord("!")}
    assert not m.accept(vocabulary.end_tokens[0]) and m.accept(ord("!")) and m.terminated
    with pytest.raises(sluice.ArgumentError):
        compiler.compile_regex("a").matcher(stop_tokens=[vocabulary.size + 5])


def test_conveniences(compiler):
    for grammar, text in (
        (compiler.compile_json_schema({"type": "integer"}), "12"),
        (compiler.compile_json_schema('{"type": "integer"}'), "12"),
        (compiler.compile_json_schema(True), "[1]"),
        (compiler.compile_regex("[0-9]+"), "12"),
        (compiler.compile_ebnf('root ::= "1" root | "2"'), "112"),
        (compiler.compile_ebnf('a ::= "x" b\nb ::= "y"', start_rule="b"), "y"),
        (compiler.compile_choice(["yes", "no"]), "no"),
        (compiler.compile_choice('["yes", "no"]'), "yes"),
        (compiler.compile_json_object(), '{"a": 1}'),
        (compiler.compile("json"), "null"),
        (compiler.compile_structural_tag({"type": "structural_tag", "format": {"type": "any_text"}}), "any text"),
    ):
        m = grammar.matcher()
        assert m.accept_tokens(ids(text)) == len(text), grammar
        assert m.completed, grammar


def test_pydantic_like_models(compiler):
    class Model:
        @classmethod
        def model_json_schema(cls):
            return {"type": "boolean"}

    m = compiler.compile_json_schema(Model).matcher()
    assert m.accept_bytes("true") and m.completed


def test_instances_of_models(compiler):
    class Request:
        def model_dump(self, by_alias):
            return {"regex": "ab"} if by_alias else {}

    assert compiler.compile("request", Request()).matcher().accept_bytes("ab")
    with pytest.raises(TypeError, match="a dict, or JSON"):
        compiler.compile("request", Request)


def test_notes_and_stats(compiler):
    g = compiler.compile_json_schema({"type": "string", "format": "no-such-format"})
    assert [(n.pointer, n.keyword, n.effect) for n in g.notes] == [("/format", "format", "ignored")] or [
        n.keyword for n in g.notes
    ] == ["format"]
    assert compiler.compile_regex("a").notes == ()
    m = g.matcher()
    m.accept_bytes('"abc')
    stats = g.stats
    assert stats.states > 0 and stats.compile_ns > 0 and stats.bytes > 0 and stats.compile_work > 0
    assert g.kind == "json_schema" and g.spec.startswith("{") and "json_schema" in repr(g)


def test_matchers_outlive_what_they_came_from(vocabulary):
    c = sluice.Compiler(vocabulary)
    g = c.compile_regex("ab")
    m = g.matcher()
    twin = m.fork()
    del c, g, m
    gc.collect()
    assert twin.accept_tokens(ids("ab")) == 2 and twin.completed


def test_handles_are_given_back(compiler):
    """Ten thousand matchers and a thousand grammars, with nothing of them left: the handle table would notice."""
    for _ in range(10):
        g = compiler.compile_regex("ab")
        for _ in range(1000):
            g.matcher()
    m = g.matcher()
    g._library.matcher_free(m._handle)
    with pytest.raises(sluice.HandleError):
        m.fill(bytearray(4 * compiler.vocabulary.words))
    with pytest.raises(sluice.HandleError):
        m.accept(ord("a"))
    m._handle = 0  # it has been freed above


def test_finished(compiler, vocabulary):
    """Nothing but the end may follow: an engine may stop, also without an end token."""
    for pattern, text, finished in (("ab*", "a", False), ("ab", "a", False), ("ab", "ab", True), ("abc?", "ab", False)):
        m = compiler.compile_regex(pattern).matcher()
        assert m.accept_bytes(text) and m.finished == finished and m.length == 1
    m = compiler.compile_regex("ab?").matcher(stop_tokens=[ord("b")])  # the rest of it as text ends it
    assert m.accept_bytes("a") and m.finished
    m = compiler.compile_regex("ab*").matcher()
    assert m.accept_tokens([ord("a"), vocabulary.end_tokens[0]]) == 2 and m.finished
    m.rollback(1)
    assert not m.finished


def test_batch(compiler, vocabulary):
    grammars = [compiler.compile_regex(p) for p in ("a", "b+", "[a-c]x", ".*")]
    matchers = [g.matcher() for g in grammars] * 1
    masks = sluice.allocate_bitmask(6, vocabulary)
    one = sluice.allocate_bitmask(6, vocabulary)
    assert sluice.fill_batch(matchers, masks) == [m.fill(one, i) for i, m in enumerate(matchers)]
    assert bytes(masks) == bytes(one)
    rows = [5, 0, 3, 1]
    masks = sluice.allocate_bitmask(6, vocabulary)
    sluice.fill_batch(matchers, masks, rows, threads=2)
    for i, r in enumerate(rows):
        assert (
            bytes(memoryview(masks).cast("B"))[4 * vocabulary.words * r :][: 4 * vocabulary.words]
            == bytes(memoryview(one).cast("B"))[4 * vocabulary.words * i :][: 4 * vocabulary.words]
        )
    assert sluice.fill_batch([], masks) == []


def test_batch_refusals(compiler, vocabulary):
    m, k = compiler.compile_regex("a").matcher(), compiler.compile_regex("b").matcher()
    masks = sluice.allocate_bitmask(2, vocabulary)
    with pytest.raises(ValueError):
        sluice.fill_batch([m, k], masks, [0])
    with pytest.raises(ValueError):
        sluice.fill_batch([m], sluice.allocate_bitmask(2, 32))
    with pytest.raises(sluice.SluiceError) as caught:
        sluice.fill_batch([m, m, k], sluice.allocate_bitmask(3, vocabulary))
    assert caught.value.statuses is not None and caught.value.statuses[0] == 0 and caught.value.statuses[2] == 0
    assert isinstance(caught.value, sluice.BusyError)
    with pytest.raises(sluice.ArgumentError):
        sluice.fill_batch([m, k], masks, [0, 2])
