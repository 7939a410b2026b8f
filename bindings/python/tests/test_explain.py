"""Why a token or a text is refused: the parts of an explanation."""

import dataclasses
import json

import pytest

import sluice

VOCABULARY = sluice.Vocabulary.from_tokens([*map(bytes, zip(range(256))), b"</s>"], special=[256], end_tokens=[256])
SCHEMA = {
    "type": "object",
    "properties": {"age": {"type": "integer", "maximum": 14}, "name": {"type": "string", "minLength": 2}},
    "required": ["age", "name"],
}


@pytest.fixture(scope="module")
def compiler():
    return sluice.Compiler(VOCABULARY)


def test_places(compiler):
    """Each kind of constraint names its place."""
    for grammar, text, offset, place in (
        (compiler.compile_json_schema(SCHEMA), '{"age":19', 8, ("json_schema", "/properties/age", "maximum", "", 0)),
        (compiler.compile_regex("ab{2,5}c"), b"abx", 2, ("regex", None, "", "", 1)),
        (compiler.compile_choice(["yes", "no"]), "ya", 1, ("choice", "", "", "", 0)),
        (compiler.compile_ebnf('root ::= "<" b ">"\nb ::= "x" | root'), "<<y", 2, ("ebnf", None, "", "root", 1)),
        (compiler.compile_lark('start: "a" b\nb: "(" b ")" | "x"\n'), "a(y", 2, ("lark", None, "", "b", 2)),
        (
            compiler.compile_structural_tag(
                {
                    "type": "structural_tag",
                    "format": {"type": "tag", "begin": "<f>", "end": "</f>",
                               "content": {"type": "json_schema", "json_schema": SCHEMA}},
                }
            ),
            '<f>{"age":x', 10, ("structural_tag", "/format/content/json_schema/properties/age", "maximum", "", 0),
        ),
    ):  # fmt: skip
        why = grammar.matcher().explain(text=text)
        assert not why.allowed and why.offset == offset, why
        first = why.expected[0]
        assert (first.source, first.pointer, first.keyword, first.rule, first.line) == place, why


def test_missing(compiler):
    why = compiler.compile_json_schema(SCHEMA).matcher().explain(text='{"age":1,"name":"a"')
    assert [(part.kind, part.count) for part in why.missing] == [("characters", 1), ("part", 0), ("text", 0)]
    assert why.missing[0].keyword == "minLength" and "1 more character" in str(why)
    why = compiler.compile_json_schema(SCHEMA).matcher().explain(text='{"age":1')
    assert why.allowed and [part.name for part in why.missing] == ["name", ""]


def test_agrees_with_accept(compiler):
    """Explanations agree with accept and forced_bytes."""
    matcher = compiler.compile_json_schema(SCHEMA).matcher()
    for byte in json.dumps({"age": 3, "name": "abc"}).encode():
        for token in range(VOCABULARY.size):
            why, fork = matcher.explain(token), matcher.fork()
            assert why.allowed == fork.accept(token), why
            if not why.allowed:
                assert why.forced == matcher.forced_bytes() and why.ends == matcher.completed
        assert matcher.accept(byte)
    assert matcher.explain(text="").ends


def test_arguments(compiler):
    matcher = compiler.compile_regex("a").matcher()
    for wrong in ({}, {"token": 1, "text": "a"}, {"token": 1 << 40}, {"token": 257}):
        with pytest.raises(sluice.ArgumentError):
            matcher.explain(**wrong)
    with pytest.raises(dataclasses.FrozenInstanceError):
        matcher.explain(0).offset = 3
