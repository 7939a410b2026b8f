"""Vocabulary: its constructors and its facts."""

from __future__ import annotations

import gzip

import pytest
from conftest import ROOT, case_tokens

import sluice

TOKENIZER = ROOT / "tests" / "data" / "tokenizer.json.gz"


def test_from_tokens(vocabulary):
    tokens, added, special, end = case_tokens()
    assert vocabulary.size == len(vocabulary) == vocabulary.padded_size == len(tokens)
    assert vocabulary.words == (len(tokens) + 31) // 32
    assert vocabulary.end_tokens == tuple(end)
    assert vocabulary.max_token_length == max(map(len, tokens))
    for i, raw in enumerate(tokens):
        assert vocabulary.token_bytes(i) == raw
        assert vocabulary.is_special(i) == (i in special)
        assert vocabulary.is_added(i) == (i in added)
    assert vocabulary.token_id(tokens[end[0]].decode()) == end[0]
    assert vocabulary.token_id("no such token") is None
    for wrong in (-1, len(tokens), 1 << 40):
        with pytest.raises(IndexError):
            vocabulary.token_bytes(wrong)
    assert "end tokens" in repr(vocabulary)


def test_holes_and_padding():
    v = sluice.Vocabulary.from_tokens([b"a", None, b"", b"b"], end_tokens=[], padded_size=100)
    assert (v.size, v.padded_size, v.words, v.end_tokens) == (4, 100, 4, ())
    assert v.token_bytes(1) == v.token_bytes(2) == b""
    narrow = sluice.Vocabulary.from_tokens(
        [b"a", b"b"], padded_size=1, end_tokens=()
    )  # logits that have no place for the second
    assert (narrow.size, narrow.padded_size) == (1, 1)
    with pytest.raises(sluice.ArgumentError):
        sluice.Vocabulary.from_tokens([b"a", b"b"], end_tokens=[1], padded_size=1)
    with pytest.raises(TypeError):
        sluice.Vocabulary.from_tokens(["a"])
    for wrong in ({"special": [2]}, {"added": [-1]}, {"end_tokens": [-1]}):
        with pytest.raises(ValueError):
            sluice.Vocabulary.from_tokens([b"a", b"b"], **wrong)


def test_equal_vocabularies_have_equal_hashes(vocabulary):
    tokens, added, special, end = case_tokens()
    twin = sluice.Vocabulary.from_tokens(tokens, added=added, special=special, end_tokens=end)
    other = sluice.Vocabulary.from_tokens([*tokens[:-1], b"<other>"], added=added, special=special, end_tokens=end)
    assert twin.hash == vocabulary.hash != other.hash


@pytest.fixture(scope="module")
def from_file():
    return sluice.Vocabulary.from_file(TOKENIZER)


def test_from_file(from_file):
    assert from_file.size == 32768 and from_file.words == 1024
    end = from_file.token_id("<|end|>")
    assert end is not None and end in from_file.end_tokens and from_file.is_special(end)
    call = from_file.token_id("<tool_call>")
    assert from_file.is_added(call) and not from_file.is_special(call) and from_file.token_bytes(call) == b"<tool_call>"


def test_from_text_is_the_same(from_file):
    text = gzip.decompress(TOKENIZER.read_bytes())
    for make in (
        lambda: sluice.Vocabulary.from_tokenizer_json(text),
        lambda: sluice.Vocabulary.from_tokenizer_json(text.decode()),
        lambda: sluice.Vocabulary.from_data(text),
    ):
        assert make().hash == from_file.hash
    chosen = sluice.Vocabulary.from_tokenizer_json(text, end_tokens=[7, 5], padded_size=40000)
    assert chosen.end_tokens == (5, 7) and chosen.padded_size == 40000 and chosen.words == 1250
    with pytest.raises(ValueError, match="format"):
        sluice.Vocabulary.from_data(text, "yaml")


def test_bytes_round_trip(from_file):
    """The committed tokenizer's tokens, joined, are the text that the tokenizers library encoded."""
    tokenizers = pytest.importorskip("tokenizers", reason="the tokenizers package is not installed: no second opinion")
    tokenizer = tokenizers.Tokenizer.from_str(gzip.decompress(TOKENIZER.read_bytes()).decode())
    for text in ('{"name": "Łódź", "list": [1, 2.5]}\n    ok', "привет 世界 😀\t<tool_call>", "a  b\n\n\nc"):
        ids = tokenizer.encode(text).ids
        assert b"".join(map(from_file.token_bytes, ids)).decode() == text
