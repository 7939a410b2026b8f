"""Messages for a newcomer's mistakes: the right name, the right method, the place."""

from __future__ import annotations

import ast
import enum
import inspect
import types

import pytest

import sluice
from sluice import _specs


@pytest.mark.parametrize(
    "name, said",
    [
        ("compct", "there is no such option; did you mean compact"),
        ("maxWhitespace", "did you mean max_whitespace"),
        ("strict_mode", "XGrammar's strict_mode is the option closed here"),
        ("any_whitespace", "in place of XGrammar's any_whitespace=False set compact"),
        ("max_whitespace_cnt", "XGrammar's max_whitespace_cnt is the option max_whitespace here"),
        ("whitespace_flexible", "in place of LLGuidance's whitespace_flexible=false set compact"),
        ("coerce_one_of", "is not needed: oneOf is enforced as it is"),
        ("item_separator", "are the option separators here"),
        ("nonsense", "there are special_tokens, start_rule, lines, any_order, closed, lenient, compact"),
    ],
)
def test_options(compiler, name, said):
    with pytest.raises(sluice.ArgumentError, match=rf"^options:/{name}: .*{said}"):
        compiler.compile_json_schema({}, **{name: True})


def test_options_of_a_compiler(vocabulary):
    with pytest.raises(sluice.ArgumentError, match="did you mean cache_bytes"):
        sluice.Compiler(vocabulary, cache_byte=1)
    with pytest.raises(sluice.ArgumentError, match="there are cache_bytes, compile_budget"):
        sluice.Compiler(vocabulary, workers=1)


def test_options_are_explained():
    """help() explains each option that the library knows, and an editor shows the same text."""
    known = {o["name"] for o in sluice.capabilities()["options"]}
    for cls, names in ((sluice.Options, known), (sluice.CompilerOptions, sluice.CompilerOptions.__annotations__)):
        explained = {line.split(":")[0].strip() for line in inspect.getdoc(cls).splitlines() if line.startswith("    ")}
        assert set(names) <= explained
        assert set(cls.__annotations__) == set(names)
    tree = ast.parse(inspect.getsource(_specs))
    assert all(ast.get_docstring(node) for node in tree.body if isinstance(node, ast.ClassDef))


@pytest.mark.parametrize("kind, meant", [("jsonschema", "json_schema"), ("regexp", "regex"), ("choices", "choice")])
def test_kinds(compiler, kind, meant):
    with pytest.raises(ValueError, match=f"'{kind}' is none of json_schema.*; did you mean '{meant}'"):
        compiler.compile(kind, "")


def test_choices(compiler):
    class Level(enum.IntEnum):
        LOW = 1

    with pytest.raises(TypeError, match=r"the value of <Level.LOW: 1> is an int. Pass the names, list\(Level"):
        compiler.compile_choice(Level)
    assert compiler.compile_choice(list(Level.__members__)).matcher().accept_bytes("LOW")
    with pytest.raises(TypeError, match="choices are strings, and number 1 is an int, 2"):
        compiler.compile_choice(["a", 2])
    with pytest.raises(sluice.InvalidError, match=r"^there is nothing to choose from: give at least one string$"):
        compiler.compile_choice([])


def test_places(compiler):
    """Texts that are no JSON documents show the line and a caret; JSON documents have a pointer."""
    with pytest.raises(sluice.SyntaxError_) as caught:
        compiler.compile_regex("a(b")
    assert str(caught.value).splitlines()[1:] == ["    a(b", "     ^"]
    with pytest.raises(sluice.SyntaxError_) as caught:
        compiler.compile_json_schema('{"type": "object",\n  oops}')
    assert str(caught.value).splitlines()[1:] == ["      oops}", "      ^"]
    assert (caught.value.line, caught.value.column, caught.value.fragment) == (2, 3, "oops}")
    with pytest.raises(sluice.SyntaxError_) as caught:
        compiler.compile_choice('["a", b]')
    assert str(caught.value).splitlines()[1:] == ['    ["a", b]', "          ^"]
    with pytest.raises(sluice.SyntaxError_) as caught:
        compiler.compile_json_schema({"items": {"pattern": "a(b"}})
    assert caught.value.pointer == "/items/pattern" and "\n" not in str(caught.value)
    long = "b" * 500 + "(" + "c" * 500
    with pytest.raises(sluice.SyntaxError_) as caught:
        compiler.compile_regex(long)
    _, line, caret = str(caught.value).splitlines()
    assert len(line) < 100 and line[caret.index("^")] == "("


def test_files_that_are_models_names(tmp_path, monkeypatch):
    with pytest.raises(
        sluice.FileError, match=r"may be a model's name.*AutoTokenizer.from_pretrained\('Qwen/Qwen3-8B'\)"
    ):
        sluice.Vocabulary.from_file("Qwen/Qwen3-8B")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(sluice.FileError, match=r"this is a folder; its tokenizer is '.*tokenizer.json'"):
        sluice.Vocabulary.from_file(tmp_path)
    with pytest.raises(sluice.FileError) as caught:
        sluice.Vocabulary.from_file("/nowhere/tokenizer.json")
    assert "model's name" not in str(caught.value)


def test_tokenizers_of_other_packages():
    piece = types.SimpleNamespace(serialized_model_proto=lambda: b"", eos_id=lambda: 1)
    encoding = types.SimpleNamespace(decode_single_token_bytes=lambda i: b"a", n_vocab=1)
    with pytest.raises(
        TypeError, match=r"from_tiktoken takes a tiktoken.Encoding, not .*Vocabulary.from_sentencepiece"
    ):
        sluice.Vocabulary.from_tiktoken(piece)
    with pytest.raises(TypeError, match=r"from_sentencepiece takes a sentencepiece.*Vocabulary.from_tiktoken"):
        sluice.Vocabulary.from_sentencepiece(encoding)
    with pytest.raises(TypeError, match=r"pass the SimpleNamespace to Vocabulary.from_tiktoken"):
        sluice.Vocabulary(encoding)
    with pytest.raises(TypeError, match=r"from_huggingface\(tokenizer\) of a tokenizer object, from_file\(path\)"):
        sluice.Vocabulary()
