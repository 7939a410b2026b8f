"""Errors: their classes, their parts, and that they survive pickling."""

from __future__ import annotations

import pickle

import pytest

import sluice
from sluice import _abi, _errors, _library


@pytest.mark.parametrize("cls", [sluice.SluiceError, sluice.LibraryError, *_errors.CLASSES.values()])
def test_pickling(cls):
    error = cls(
        "json_schema:/a/b: no",
        source="json_schema",
        pointer="/a/b",
        line=3,
        column=4,
        offset=17,
        keyword="b",
        fragment="x",
        advice="; or y",
        statuses=(0, 8),
    )
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is cls and str(again) == "json_schema:/a/b: no"
    assert again.__dict__ == error.__dict__
    assert isinstance(again, sluice.SluiceError)


def test_real_errors_survive_pickling(compiler):
    with pytest.raises(sluice.ConstraintError) as caught:
        compiler.compile_regex("a(b")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)
    assert (str(again), again.code, again.line, again.column, again.offset) == (
        str(caught.value),
        caught.value.code,
        caught.value.line,
        caught.value.column,
        caught.value.offset,
    )


def test_every_code_has_its_class():
    for code, cls in _errors.CLASSES.items():
        assert type(_library.failure(code)) is cls and _library.failure(code).code == code
    assert type(_library.failure(99)) is sluice.SluiceError


def test_parts_of_the_struct():
    e = _abi.Error(code=5, has_pointer=1, pointer_length=4, pointer=b"/a~1", message=b"a long one", message_length=6)
    made = _library.failure(5, e)
    assert (type(made), made.pointer, made.message, made.line) == (sluice.InvalidError, "/a~1", "a long", None)
    e = _abi.Error(code=4, line=2, column=3, offset=9, message=b"caf\xc3", message_length=2000, source=b"ebnf")
    made = _library.failure(4, e)
    assert (made.pointer, made.line, made.column, made.offset) == (None, 2, 3, 9)
    assert made.message.startswith("caf\ufffd")
    e = _abi.Error(code=6, message=b"no; or \xc3\xa9", message_length=9, advice_length=7)
    assert _library.failure(6, e).advice == "; or é"
    e.message_length = 2000  # the end is cut off
    assert _library.failure(6, e).advice == ""
    assert _library.failure(4, _abi.Error(code=8, message=b"of another call")).message == "sluice: syntax"


def test_places(compiler):
    with pytest.raises(sluice.SyntaxError_) as caught:
        compiler.compile_json_schema('{"type": "object",\n  oops}')
    assert caught.value.code == 4 and caught.value.source == "json_schema"
    with pytest.raises(sluice.InvalidError) as caught:
        compiler.compile_json_schema({"properties": {"age": {"type": "string", "minLength": -3}}})
    assert caught.value.pointer == "/properties/age/minLength"
    with pytest.raises(sluice.SyntaxError_) as caught:
        compiler.compile_ebnf('root ::= "a"\nb ::= (')
    assert caught.value.line == 2 and caught.value.pointer is None and caught.value.column >= 1
    with pytest.raises(sluice.UnsatisfiableError):
        compiler.compile_json_schema({"type": "integer", "minimum": 3, "maximum": 2})
    assert issubclass(sluice.UnsatisfiableError, ValueError)


def test_arguments(compiler, vocabulary):
    with pytest.raises(sluice.ArgumentError, match="no_such_option"):
        compiler.compile_regex("a", no_such_option=True)
    with pytest.raises(ValueError, match="kind"):
        compiler.compile("yaml", "a")
    with pytest.raises(sluice.ArgumentError):
        sluice.Compiler(vocabulary, no_such_option=1)
    with pytest.raises(sluice.FileError) as caught:
        sluice.Vocabulary.from_file("/nowhere/tokenizer.json")
    assert isinstance(caught.value, OSError)
    with pytest.raises(sluice.ConstraintError):
        sluice.Vocabulary.from_tokenizer_json("{")
