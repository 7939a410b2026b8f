"""The output of a matcher, tokens as text, and families of models."""

from __future__ import annotations

import codecs
import json

import pytest

import sluice


def spelled(vocabulary, text: bytes) -> int:
    return next(i for i in range(vocabulary.size) if vocabulary.token_bytes(i) == text)


def test_output_follows_the_matcher(compiler, vocabulary):
    a, b = spelled(vocabulary, b"a"), spelled(vocabulary, b"b")
    matcher = compiler.compile_regex("(a|b|é)*").matcher()
    assert matcher.output == b""
    assert matcher.accept(a) and matcher.accept_tokens([b, a]) == 2 and matcher.accept_bytes("é")
    assert matcher.output == "abaé".encode()
    twin = matcher.fork()
    matcher.rollback(2)
    assert (matcher.output, twin.output) == (b"ab", "abaé".encode())
    assert not matcher.accept(spelled(vocabulary, b"c")) and matcher.output == b"ab"
    assert matcher.accept(vocabulary.end_tokens[0]) and matcher.accept(a)
    assert matcher.output == b"ab"  # the end token and everything after it are left out
    matcher.reset()
    assert matcher.output == b""


def test_output_of_batches(compiler, vocabulary):
    a, b = spelled(vocabulary, b"a"), spelled(vocabulary, b"b")
    batch = sluice.Batch([compiler.compile_regex("[ab]+").matcher() for _ in range(2)])
    batch.accept([a, b])
    batch.accept_tokens([[b, b], None])
    batch.rollback([1, 0])
    assert [m.output for m in batch] == [b"ab", b"b"]


def test_output_of_special_tokens_and_of_reasoning():
    words = ["<think>", "</think>", "<call>", "yes", "no", "</s>"]
    vocabulary = sluice.Vocabulary.from_tokens([w.encode() for w in words], special=[0, 1, 2, 5])
    grammar = sluice.Compiler(vocabulary).compile_lark('start: <call> "yes"')
    matcher = grammar.matcher(reasoning=sluice.Reasoning("</think>", "<think>"))
    assert matcher.accept_tokens([0, 4, 4, 1, 2, 3, 5]) == 7
    assert matcher.output == b"<call>yes"
    assert vocabulary.decode([0, 4, 1, 2, 3, 5]) == "noyes"
    assert vocabulary.decode([0, 4, 1, 2, 3, 5], skip_special_tokens=False) == "<think>no</think><call>yes"


def test_long_output(compiler):
    matcher = compiler.compile_regex("a*").matcher()
    assert matcher.accept_bytes(b"a" * 100_000) and matcher.output == b"a" * 100_000


def test_decode(vocabulary):
    tokens = [spelled(vocabulary, bytes([b])) for b in "né".encode()]
    assert vocabulary.decode(tokens) == "né" and vocabulary.decode([]) == ""
    assert vocabulary.decode(tokens[:-1]) == "n�" and vocabulary.decode(tokens[:-1], errors="ignore") == "n"
    assert vocabulary.decode(iter([*tokens, vocabulary.end_tokens[0]])) == "né"
    with pytest.raises(UnicodeDecodeError):
        vocabulary.decode(tokens[:-1], errors="strict")
    with pytest.raises(IndexError):
        vocabulary.decode([vocabulary.size])


def test_streaming(compiler):
    """An incremental decoder prints an output while it grows, whole characters at a time."""
    matcher, decoder, printed, at = (
        compiler.compile_regex("[éü]*").matcher(),
        codecs.getincrementaldecoder("utf-8")(),
        [],
        0,
    )
    for byte in "éü".encode():
        assert matcher.accept(byte)
        printed.append(decoder.decode(matcher.output[at:]))
        at = len(matcher.output)
    assert printed == ["", "é", "", "ü"]


def test_families_of_models(compiler):
    assert sluice.family_of("Qwen/Qwen3-8B") == "qwen3" == sluice.family_of("qwen3")
    for family in sluice.families():
        for name in family.get("model_names", []):
            assert sluice.family_of(f"owner/{name}-8B-Instruct") == family["name"]
    with pytest.raises(ValueError, match=r"no family is known.*similar models are hermes \(qwen2\.5\)"):
        sluice.family_of("Qwen/Qwen2-7B")
    with pytest.raises(TypeError, match="a model's name is a str, not NoneType"):
        sluice.family_of(None)
    request = {"tools": [{"type": "function", "function": {"name": "f"}}], "tool_choice": "required"}
    with pytest.raises(sluice.ArgumentError, match='this is a model of the family "qwen3"'):
        compiler.compile_request(request, family="Qwen/Qwen3-8B")
    matcher = compiler.compile_request(request, family=sluice.family_of("Qwen/Qwen3-8B")).matcher()
    call = {"name": "f", "arguments": {}}
    assert matcher.accept_bytes(f"<tool_call>\n{json.dumps(call)}\n</tool_call>")
    assert matcher.output == f"<tool_call>\n{json.dumps(call)}\n</tool_call>".encode()
