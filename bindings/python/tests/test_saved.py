"""Compilers as files: save and load."""

import os
import pickle

import pytest

import sluice

SCHEMA = {"properties": {"name": {"pattern": "^[a-z]{2,9}-x"}, "n": {"minimum": 3, "type": "integer"}}}


@pytest.fixture(scope="module")
def compiler(vocabulary):
    made = sluice.Compiler(vocabulary, warm_bytes=0)
    masks(made)
    return made


def masks(compiler):
    """The masks along an output."""
    matcher, found = compiler.compile_json_schema(SCHEMA).matcher(), []
    for token in b'{"name": "ab-x", "n": 12, "other": [true]}':
        row = sluice.allocate_bitmask(1, compiler.vocabulary)
        matcher.fill(row)
        found.append(bytes(row))
        assert matcher.accept(token)
    return found


def test_a_loaded_compiler_has_the_same_masks(compiler, tmp_path):
    path = tmp_path / "model.sluice"
    content = compiler.save(path)
    assert path.read_bytes() == content == compiler.save()
    for file in (path, os.fspath(path), content, bytearray(content)):
        loaded = sluice.Compiler.load(file, warm_bytes=0)
        assert loaded.vocabulary.hash == compiler.vocabulary.hash
        assert loaded.vocabulary.end_tokens == compiler.vocabulary.end_tokens
        assert masks(loaded) == masks(compiler)
        assert loaded.save() == content
    own = sluice.Compiler.load(path, vocabulary=compiler.vocabulary)
    assert own.vocabulary is compiler.vocabulary and masks(own) == masks(compiler)
    assert sluice.Vocabulary.from_file(path).hash == compiler.vocabulary.hash


def test_a_loaded_compiler_is_pickled(compiler):
    loaded = sluice.Compiler.load(compiler.save(), mask_budget=6_000_000)
    assert masks(pickle.loads(pickle.dumps(loaded))) == masks(compiler)


def test_other_files_are_refused(compiler, tmp_path):
    content = compiler.save()
    for file, error in (
        (b"", sluice.SyntaxError_),
        (b"{}", sluice.SyntaxError_),
        (content[:-9], sluice.SyntaxError_),
        (content[:-1] + bytes([content[-1] ^ 1]), sluice.InvalidError),
        (bytes([content[0], content[1] + 1]) + content[2:], sluice.UnsupportedError),
    ):
        with pytest.raises(error):
            sluice.Compiler.load(file)
        with pytest.raises(error):
            sluice.Compiler.load(file, vocabulary=compiler.vocabulary)
    with pytest.raises(FileNotFoundError):
        sluice.Compiler.load(tmp_path / "none.sluice")
    other = sluice.Vocabulary.from_tokens([b"a", b"</s>"], special=[1], end_tokens=[1])
    with pytest.raises(sluice.ArgumentError, match="hash"):
        sluice.Compiler.load(content, vocabulary=other)
    with pytest.raises(sluice.ArgumentError):
        sluice.Compiler.load(content, no_such_option=3)
    with pytest.raises(TypeError, match="Vocabulary"):
        sluice.Compiler.load(content, vocabulary="llama")
