"""Facts about constraints for programs: the table of capabilities, notes and errors, as data."""

from __future__ import annotations

import json
import pickle

import pytest

import sluice
from sluice import _abi


def test_capabilities():
    table = sluice.capabilities()
    assert {k["name"]: k["value"] for k in table["kinds"]} == _abi.KINDS
    assert table["build"]["version"] == sluice.__version__ and table["build"]["commit"]
    assert table["dialects"][0] == "draft-04" and table["dialects"][-1] == "2020-12"
    supports = {"exact", "narrower", "wider", "ignored", "unsupported"}
    for group in ("keywords", "formats", "regex", "ebnf", "lark", "structural_tag"):
        assert len({c["name"] for c in table[group]}) == len(table[group]) > 5
        assert {c["support"] for c in table[group]} <= supports
        assert all(c["example"] for c in table[group])
    assert sluice.capabilities() == table and sluice.capabilities() is not table


def test_capabilities_tell_what_will_happen(compiler):
    """Constructs that the table calls unsupported are refused, and no example is refused for another reason."""
    for keyword in sluice.capabilities()["keywords"]:
        for text, unsupported in (
            (keyword["example"], keyword["support"] == "unsupported"),
            (keyword.get("refused"), True),
        ):
            if text and unsupported:
                with pytest.raises(sluice.UnsupportedError) as caught:
                    compiler.compile_json_schema(text)
                assert caught.value.pointer is not None
            elif text:
                compiler.compile_json_schema(text)


def test_options_of_the_table_are_those_of_the_library(compiler):
    for option in sluice.capabilities()["options"]:
        for kind in _abi.KINDS:
            try:
                compiler.compile(kind, "", **{option["name"]: option["example"]})
            except sluice.ArgumentError as e:
                assert kind not in option["kinds"], e
            except sluice.SluiceError:
                assert kind in option["kinds"]
            else:
                assert kind in option["kinds"]


def test_notes(compiler):
    assert compiler.compile_json_schema({"type": "integer"}).notes == ()
    schema = {"properties": {"a/b": {"type": "string", "format": "no-such-format"}}}
    (note,) = compiler.compile_json_schema(schema).notes
    assert (note.pointer, note.keyword, note.effect) == ("/properties/a~1b/format", "format", "ignored") and note.text


def test_grammar_of_either_kind(compiler):
    for text, kind in (('root ::= "a"', "ebnf"), ('start: "a"', "lark")):
        grammar = compiler.compile_grammar(text)
        assert (grammar.kind, pickle.loads(pickle.dumps(grammar)).kind) == (kind, kind)
        assert compiler.submit("grammar", text).result().kind == kind and grammar.matcher().accept_bytes(b"a")
    with pytest.raises(sluice.SyntaxError_, match=r"^lark:1.*read as Lark"):
        compiler.compile_grammar('root = "a"')
    with pytest.raises(sluice.SyntaxError_, match=r"^ebnf:1.*read as EBNF"):
        sluice.check("grammar", "root ::= (")


def test_check_says_what_compiling_says():
    (note,) = sluice.check("json_schema", {"requried": ["a"]})
    assert (note.pointer, note.keyword, note.effect) == ("/requried", "requried", "ignored") and "required" in note.text
    assert sluice.check("request", {"regex": "[a-z]+"}) == () == sluice.check("lark", 'start: "a" <|any|>')
    with pytest.raises(sluice.ConstraintError) as e:
        sluice.check("json_schema", {"properties": {"a": {"minLength": -1}}})
    assert e.value.pointer == "/properties/a/minLength"
    with pytest.raises(sluice.ConstraintError):
        sluice.check("regex", "(a)\\1")
    with pytest.raises(sluice.ArgumentError):
        sluice.check("regex", "a", compact=True)
    with pytest.raises(ValueError, match="is none of"):
        sluice.check("regexp", "a")


def test_check_within_a_budget():
    """A check beyond its budget raises UnfinishedError; within it the result equals an unbounded check's."""
    many = "root ::= " + '[a-f] "x" | ' * 10_000 + '"y"'
    assert sluice.check("ebnf", many) == () == sluice.check("ebnf", 'root ::= "a"', budget=50_000)
    for _ in range(2):
        with pytest.raises(sluice.UnfinishedError):
            sluice.check("ebnf", many, budget=50_000)
    with pytest.raises(sluice.SyntaxError_):
        sluice.check("ebnf", "root ::= (", budget=50_000)


def test_check_looks_tokens_up():
    """In a vocabulary that has nothing else."""
    names = sluice.Vocabulary.from_tokens([b"<|any|>", b"end"], special=[0], end_tokens=[1])
    tag = {"type": "structural_tag", "format": {"type": "token", "token": "<|any|>"}}
    for kind, spec in (("lark", "start: <|any|>"), ("ebnf", "root ::= <|any|>"), ("structural_tag", json.dumps(tag))):
        assert sluice.check(kind, spec, vocabulary=names) == () == sluice.check(kind, spec.replace("any", "other"))
        with pytest.raises(sluice.InvalidError, match=r"no special or added token \"<\|other\|>\""):
            sluice.check(kind, spec.replace("any", "other"), vocabulary=names)


def test_concat_and_union(compiler):
    both = sluice.concat(("regex", "[0-9]+"), ("choice", ["kg", "m"]), sluice.Constraint("json", "", {}))
    m = compiler.compile(both.kind, both.spec, **both.options).matcher()
    assert m.accept_bytes(b'12kg{"a": 1}') and m.completed
    either = sluice.union(("json_schema", {"type": "integer"}), ("ebnf", 'root ::= "x" | both\nboth ::= "y"'))
    grammar = compiler.compile(either.kind, either.spec, **either.options)
    for text, right in ((b"7", True), (b"y", True), (b"7y", False)):
        m = grammar.matcher()
        assert (m.accept_bytes(text) and m.completed) is right
    either = sluice.union(("lark", 'start: "a" | "::="'), ("grammar", 'start: "b"'))
    for text in (b"a", b"::=", b"b"):
        assert compiler.compile(either.kind, either.spec, **either.options).matcher().accept_bytes(text)
    with pytest.raises(sluice.ArgumentError):
        sluice.union(("request", "{}"))
    with pytest.raises(sluice.ArgumentError):
        sluice.concat()
    with pytest.raises(ValueError, match="options"):
        sluice.concat(sluice.Constraint("json_schema", "{}", {"compact": True}))


def test_to_ebnf(compiler):
    lark = 'start: greeting{"Anna"} | <|any|>\ngreeting{name}: /h./ " " name'
    assert sluice.to_ebnf("grammar", lark) == (
        'root ::= start\nstart ::= greeting | Token("<|any|>")\nargument ::= "Anna"\n'
        'greeting ::= Regex("h[^\\\\n]") " " argument\n'
    )
    text = 'root[lazy]::=(  "é" |.+)\n  "]" # a comment'
    assert sluice.to_ebnf("ebnf", text) == 'root[lazy] ::= ("é" | [^]+) "]"\n'
    named = {"start_rule": "s", "grammars": {"g": {"lark_grammar": 'start: "a"'}}}
    ebnf = sluice.to_ebnf("lark", 's: @g "b"', **named)
    assert compiler.compile_ebnf(ebnf).matcher().accept_bytes("ab")
    with pytest.raises(sluice.UnsupportedError, match="%json has no form in EBNF") as e:
        sluice.to_ebnf("lark", "start: %json {}")
    assert (e.value.line, e.value.column) == (1, 14)
    with pytest.raises(sluice.ArgumentError):
        sluice.to_ebnf("regex", "a")


def test_errors_and_lenient_notes_name_the_same_place(compiler):
    schema = {"type": "array", "items": {"type": "string", "pattern": "(a)\\1"}}
    with pytest.raises(sluice.UnsupportedError) as caught:
        compiler.compile_json_schema(schema)
    e = caught.value
    assert (e.name, e.source, e.pointer, e.keyword) == ("unsupported", "json_schema", "/items/pattern", "pattern")
    assert e.fragment and "back-reference" in e.message
    (note,) = compiler.compile_json_schema(schema, lenient=True).notes
    assert (note.effect, note.pointer, note.keyword) == ("wider", e.pointer, e.keyword)
    with pytest.raises(sluice.UnsatisfiableError) as caught:
        compiler.compile_json_schema({"type": "integer", "minimum": 2, "maximum": 1})
    assert caught.value.pointer is not None and caught.value.message


def test_a_request_asks_for_something_or_for_nothing(compiler: sluice.Compiler):
    g = compiler.compile_request({"response_format": {"type": "json_object"}})
    assert g.constrained and g.matcher().accept_bytes(b"{}")
    g = compiler.compile_request('{"messages": []}')
    assert not g.constrained
    both = {"regex": "a", "json_schema": "{}"}
    with pytest.raises(sluice.InvalidError, match="Cannot specify both 'json_schema' and 'regex' in the same request"):
        compiler.compile_request(both)
