"""Vocabularies from tokenizer objects of real packages, whose own decoders are the second opinion, and from other
shapes of tokens.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import subprocess
import sys
import types
from pathlib import Path

import pytest
from conftest import ROOT, environment

import sluice

LINE = "The quick brown fox, 42 jumps; über den Hund — 敏捷的狐狸 🦊\n\ttwo  spaces  and <b>tags</b> {1}\n"
TEXT = 40 * LINE


def generates(vocabulary, text, tokens):
    """The tokens of a text are one under a grammar of exactly that text."""
    matcher = sluice.Compiler(vocabulary).compile_choice([text]).matcher()
    assert matcher.accept_tokens(tokens) == len(tokens) and matcher.completed
    matcher.accept(vocabulary.end_tokens[0])
    assert matcher.terminated


# --------------------------------------------------------------------------------------------------------- tiktoken


@pytest.fixture(scope="module")
def encoding():
    """An encoding of all bytes and some merges, with a hole before its special tokens."""
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {bytes([b]): b for b in range(256)}
    for word in (b"th", b"he", b" t", b" th", b"the", b" the", b"\xc3\xbc", b"ox", b"fox", b"  ", b"\n\t"):
        ranks[word] = len(ranks)
    special = {"<|endoftext|>": len(ranks) + 3, "<|im_end|>": len(ranks) + 4, "<|tool|>": len(ranks) + 6}
    return tiktoken.Encoding("ours", pat_str=r"\s?\S+|\s+", mergeable_ranks=ranks, special_tokens=special)


def test_tiktoken(encoding):
    v = sluice.Vocabulary.from_tiktoken(encoding, padded_size=300)
    tokens = v.tokens()
    assert len(tokens) == v.size == encoding.n_vocab and v.padded_size == 300
    for i, raw in enumerate(tokens):
        assert raw == v.token_bytes(i)
        if raw:
            assert encoding.decode_single_token_bytes(i) == raw
    assert [i for i, raw in enumerate(tokens) if not raw] == [267, 268, 269, 272]
    assert v.special_tokens == [270, 271, 273] and v.added_tokens == []
    assert v.end_tokens == (270, 271)  # its own, and one by name
    assert sluice.Vocabulary.from_tiktoken(encoding, end_tokens=273).end_tokens == (273,)
    generates(v, TEXT, encoding.encode(TEXT))


def test_tiktoken_inside(encoding):
    """As slow tokenizers have it, which add tokens of their own."""
    token = types.SimpleNamespace
    marks = {265: Mark("<|new|>", True), 275: Mark("<tool_call>", False)}
    slow = token(tokenizer=encoding, eos_token_id=273, added_tokens_decoder=marks)
    v = sluice.Vocabulary.from_huggingface(slow)
    assert v.end_tokens == (270, 271, 273) and v.special_tokens == [265, 270, 271, 273] and v.added_tokens == [275]
    assert v.token_bytes(265) == b"<|new|>" and v.token_id("<tool_call>") == 275 and v.token_bytes(274) == b""
    assert (
        sluice.Vocabulary.from_huggingface(token(model=encoding)).hash == sluice.Vocabulary.from_tiktoken(encoding).hash
    )


def test_tiktoken_inside_of_vllms(encoding):
    """As vLLM's KimiAudioTokenizer has it, which has `get_vocab` too, from which no bytes can be read."""

    class KimiAudio:
        eos_token_id = 271

        def __init__(self):
            self._tokenizer, self._added_tokens_decoder = encoding, {}

        def get_vocab(self):
            return {encoding.decode_single_token_bytes(i).decode(errors="replace"): i for i in range(256)}

    v = sluice.Vocabulary.from_huggingface(KimiAudio(), padded_size=300)
    assert v.hash == sluice.Vocabulary.from_tiktoken(encoding, padded_size=300).hash and v.end_tokens == (270, 271)
    generates(v, TEXT, encoding.encode(TEXT))


class Mark(str):
    """An AddedToken of transformers."""

    def __new__(cls, text, special):
        made = super().__new__(cls, text)
        made.special = special
        return made


# ---------------------------------------------------------------------------------------------------- sentencepiece


@pytest.fixture(scope="module", params=["bpe", "unigram"])
def processor(request):
    sentencepiece = pytest.importorskip("sentencepiece")
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT.split("\n")),
        model_writer=model,
        vocab_size=360,
        model_type=request.param,
        byte_fallback=True,
        hard_vocab_limit=False,
        user_defined_symbols=["<tool_call>"],
        control_symbols=["<ctl>"],
        remove_extra_whitespaces=False,
        normalization_rule_name="identity",
        minloglevel=2,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def test_sentencepiece(processor):
    v = sluice.Vocabulary.from_sentencepiece(processor)
    assert v.size == processor.get_piece_size() and v.end_tokens == (processor.eos_id(),)
    tokens = v.tokens()
    for i in range(v.size):
        if processor.is_byte(i):
            assert tokens[i] == bytes([int(processor.id_to_piece(i)[3:5], 16)])
        elif not processor.is_control(i) and not processor.is_unknown(i):
            # Behind another token, because the first loses its space.
            x = processor.piece_to_id("<tool_call>")
            assert processor.decode([x, i]).encode() == b"<tool_call>" + tokens[i]
    assert v.token_id("<tool_call>") in v.added_tokens and v.token_id("<ctl>") in v.special_tokens
    ids = processor.encode("The quick brown fox über 敏 🦊")
    generates(v, b"".join(tokens[i] for i in ids).decode(), ids)


def test_sentencepiece_inside(processor):
    size = processor.get_piece_size()
    wrapper = types.SimpleNamespace(
        sp_model=processor, eos_token_id=size, added_tokens_decoder={size: Mark("<|eot|>", True)}
    )
    v, base = sluice.Vocabulary.from_huggingface(wrapper), sluice.Vocabulary.from_sentencepiece(processor)
    assert v.tokens() == [*base.tokens(), b"<|eot|>"] and v.special_tokens == [*base.special_tokens, size]
    assert v.added_tokens == base.added_tokens and set(v.end_tokens) == {processor.eos_id(), size}


def test_sentencepiece_numbered_anew(processor):
    """As fairseq's models have it: the wrapper has ids of its own for the pieces of its model."""
    pieces = [processor.id_to_piece(i) for i in range(processor.get_piece_size())]
    own = ["<s>", "<pad>", "</s>", "<unk>", *(p for p in pieces if p not in ("<s>", "</s>", "<unk>"))]
    special = {i: Mark(own[i], True) for i in range(4)}
    wrapper = types.SimpleNamespace(
        sp_model=processor,
        get_vocab=lambda: {t: i for i, t in enumerate(own)},
        all_special_ids=list(special),
        added_tokens_decoder={**special, len(own): Mark("<new>", False)},
        eos_token_id=2,
    )
    v = sluice.Vocabulary.from_huggingface(wrapper)
    tokens = dict(zip(pieces, sluice.Vocabulary.from_sentencepiece(processor).tokens()))
    assert v.tokens() == [*(t.encode() for t in own[:4]), *(tokens[p] for p in own[4:]), b"<new>"]
    assert v.special_tokens == [0, 1, 2, 3] and v.added_tokens == [len(own)] and v.end_tokens == (2,)


# --------------------------------------------------------------------------------------------------- mistral-common


def test_mistral_of_transformers(processor):
    """Its wrapper has `added_tokens_decoder` as a method, which raises."""

    class MistralCommonBackend:
        tokenizer = types.SimpleNamespace(instruct_tokenizer=types.SimpleNamespace(tokenizer=processor))
        eos_token_id = processor.eos_id()

        def added_tokens_decoder(self):
            raise NotImplementedError

    v = sluice.Vocabulary.from_huggingface(MistralCommonBackend())
    assert v.hash == sluice.Vocabulary.from_sentencepiece(processor).hash


@pytest.mark.parametrize("name", ["tekken_240911.json", "mistral_instruct_tokenizer_241114.model.v7"])
def test_mistral(name):
    common = pytest.importorskip("mistral_common")
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

    whole = MistralTokenizer.from_file(str(Path(common.__file__).parent / "data" / name))
    inner = whole.instruct_tokenizer.tokenizer
    v = sluice.Vocabulary.from_mistral(whole)
    assert v.hash == sluice.Vocabulary.from_mistral(inner).hash and v.size == inner.n_words
    assert v.end_tokens == (inner.eos_id,) and set(v.special_tokens) == {
        i for i in range(v.size) if inner.is_special(i)
    } | ({inner.unk_id} if "model" in name else set())
    tokens = v.tokens()
    some = random.Random(3).sample(range(v.size), 3000)
    if "tekken" in name:
        assert sluice.Vocabulary.from_file(Path(common.__file__).parent / "data" / name).hash == v.hash
        assert all(tokens[i] == inner.id_to_byte_piece(i) for i in some if not inner.is_special(i))
    ids = inner.encode(TEXT, bos=False, eos=False)
    generates(v, b"".join(tokens[i] for i in ids).decode(), ids)
    assert b"".join(tokens[i] for i in ids).decode().strip() == TEXT.strip()


# --------------------------------------------------------------------------------- dictionaries, arrays, Python alone


@pytest.fixture(scope="module")
def file():
    """The committed tokenizer.json, as a dictionary."""
    return json.loads(gzip.decompress((ROOT / "tests" / "data" / "tokenizer.json.gz").read_bytes()))


def test_vocab(file):
    """The result of get_vocab() of the committed tokenizer is the same vocabulary as its file."""
    expected = sluice.Vocabulary.from_file(ROOT / "tests" / "data" / "tokenizer.json.gz")
    known = dict(file["model"]["vocab"])
    marks = {t["id"]: Mark(t["content"], t["special"]) for t in file["added_tokens"]}
    known |= {str(t): i for i, t in marks.items()}
    special = [i for i, t in marks.items() if t.special]
    plain = [i for i, t in marks.items() if not t.special]
    v = sluice.Vocabulary.from_vocab(known, "byte_level", special=special, added=plain)
    assert v.hash == expected.hash
    listed = [""] * len(known)
    for text, i in known.items():
        listed[i] = text
    kinds = [3 if i in special else 4 if i in plain else 1 for i in range(len(listed))]
    arrays = sluice.Vocabulary.from_llama_cpp([t.encode() for t in listed], kinds, model="gpt2")
    assert sluice.Vocabulary.from_vocab(listed, "byte_level", special=special, added=plain).hash == expected.hash
    assert arrays.hash == expected.hash
    slow = types.SimpleNamespace(
        get_vocab=lambda: file["model"]["vocab"],
        added_tokens_decoder=marks,
        byte_decoder={"Ġ": 32},
        all_special_ids=special,
        eos_token_id=expected.end_tokens[0],
    )
    assert sluice.Vocabulary.from_huggingface(slow).hash == expected.hash


def test_byte_fallback():
    texts = ["<unk>", "<s>", "</s>", *(f"<0x{b:02X}>" for b in range(256)), "▁a", "é", "▁▁", "<tool>", "<0x41>"]
    kinds = [2, 3, 3, *[6] * 256, 1, 1, 1, 4, 1]
    v = sluice.Vocabulary.from_llama_cpp(texts, kinds, model="llama", end_tokens=2)
    assert v.tokens()[3:] == [*(bytes([b]) for b in range(256)), b" a", "é".encode(), b"  ", b"<tool>", b"A"]
    assert v.special_tokens == [0, 1, 2] and v.added_tokens == [262] and v.end_tokens == (2,)
    slow = types.SimpleNamespace(
        get_vocab=lambda: {t: i for i, t in enumerate(texts[:-1])}, all_special_ids=[0, 1, 2], eos_token_id=2
    )
    assert sluice.Vocabulary.from_huggingface(slow).tokens()[3:262] == v.tokens()[3:262]
    assert sluice.Vocabulary.from_vocab(["a", "▁", "Ġ"], "raw", end_tokens=()).tokens() == [
        b"a",
        "▁".encode(),
        "Ġ".encode(),
    ]


def test_what_is_refused():
    vocabulary = sluice.Vocabulary
    with pytest.raises(TypeError, match=r"SimpleNamespace does not show what its tokens are.*from_vocab"):
        vocabulary.from_huggingface(types.SimpleNamespace(get_vocab=lambda: {"a": 0}))
    with pytest.raises(TypeError, match="int does not show what its tokens are"):
        vocabulary.from_huggingface(7)
    for wrong, way in (
        (
            "meta-llama/Llama-3.1-8B",
            r"may be a model's name.*AutoTokenizer.from_pretrained\('meta-llama/Llama-3.1-8B'\)",
        ),
        (__file__, r"Vocabulary.from_file\('"),
        (None, "from_huggingface\\(tokenizer\\) of a tokenizer object"),
        ({"a": 0}, r"Vocabulary.from_vocab\(vocab, spelling\)"),
        (["a"], r"Vocabulary.from_tokens\(tokens\)"),
        (b"{}", r"Vocabulary.from_data\(data\)"),
    ):
        with pytest.raises(TypeError, match=f"from_huggingface takes a tokenizer object: .*{way}"):
            vocabulary.from_huggingface(wrong)
        with pytest.raises(TypeError, match=f"made by one of its from_ methods: .*{way}"):
            vocabulary(wrong)
    with pytest.raises(ValueError, match="byte_level, byte_fallback, raw"):
        vocabulary.from_vocab({"a": 0}, "bytelevel")
    with pytest.raises(TypeError, match="from_tokens"):
        vocabulary.from_vocab([b"a"], "raw")
    with pytest.raises(ValueError, match="gpt2, llama"):
        vocabulary.from_llama_cpp(["a"], [1], model="bert")
    with pytest.raises(ValueError, match="1 tokens and 2 types"):
        vocabulary.from_llama_cpp(["a"], [1, 1], model="gpt2")
    with pytest.raises(ValueError, match="names no end token: pass end_tokens"):
        vocabulary.from_vocab({"a": 0}, "raw")
    with pytest.warns(UserWarning, match="names no end token"):
        vocabulary.from_tokens([b"a"])
    assert vocabulary.from_tokens([b"a", b"</s>"], special=[1]).end_tokens == (1,)


def test_nothing_is_imported():
    code = """
import sys, types, sluice
class Tekken:
    n_words, eos_id = 3, 2
    def is_special(self, i): return i == 2
    def id_to_piece(self, i): return "</s>"
    def id_to_byte_piece(self, i): return b"ab"[i:i + 1]
assert sluice.Vocabulary.from_mistral(Tekken()).tokens() == [b"a", b"b", b"</s>"]
print([n for n in ("numpy", "torch", "transformers", "tokenizers", "tiktoken", "sentencepiece") if n in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr
