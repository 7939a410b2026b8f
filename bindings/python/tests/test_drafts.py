"""Forced tokens and drafts."""

import base64
import copy
import json
import pickle
import subprocess
import sys

import pytest
from conftest import ROOT, environment

import sluice

TOKENIZER = ROOT / "tests" / "data" / "tokenizer.json.gz"

SCHEMA = {
    "type": "object",
    "properties": {
        "location": {"type": "string"},
        "days": {"type": "integer"},
        "unit": {"enum": ["celsius", "fahrenheit"]},
    },
    "required": ["location", "days", "unit"],
    "additionalProperties": False,
}
VALUE = {"location": "San Francisco, CA", "days": 10, "unit": "celsius"}


@pytest.fixture(scope="module")
def cutting():
    return sluice.Vocabulary.from_file(TOKENIZER, keep_tokenizer=True)


def cut(compiler, text):
    """Returns the tokens of a text, of a grammar with no other one."""
    matcher, ids = compiler.compile_choice([text]).matcher(), []
    while not matcher.completed:
        more = matcher.forced_tokens()
        assert more and matcher.accept_tokens(more) == len(more)
        ids += more
    return ids


@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_along_an_output(cutting, indent):
    compiler = sluice.Compiler(cutting)
    text = json.dumps(VALUE, indent=indent)
    ids = cut(compiler, text)
    assert cutting.decode(ids) == text
    matcher, saved, drafted, wrong = compiler.compile_json_schema(SCHEMA).matcher(), 0, 0, 0
    for i, token in enumerate(ids):
        forced, drafts = matcher.forced_tokens(), matcher.drafts(5)
        assert forced == ids[i : i + len(forced)]
        assert len(drafts) <= 5 and matcher.validate(drafts) == len(drafts)
        assert matcher.fork().drafts(5) == drafts and matcher.drafts(1) == drafts[:1]
        saved += bool(forced)
        drafted += drafts[:1] == [token]
        wrong += drafts[:1] not in ([], [token])
        assert matcher.accept(token)
    assert matcher.completed and saved and drafted > len(ids) // 3 and wrong <= 1
    assert matcher.forced_tokens() == matcher.drafts(0) == []
    matcher.rollback(len(ids))
    assert matcher.drafts(3) == compiler.compile_json_schema(SCHEMA).matcher().drafts(3)


def test_long_texts(cutting):
    text = "a b" * 1300 + "."
    matcher = sluice.Compiler(cutting).compile_choice([text]).matcher()
    ids = matcher.forced_tokens()
    assert cutting.decode(ids) == text and matcher.drafts(10**6) == ids


def test_long_texts_are_counted_once(cutting):
    compiler = sluice.Compiler(cutting)
    matcher = compiler.compile_choice(["ab cd " * 300]).matcher()
    text, ids, drafts = matcher.forced_bytes(), matcher.forced_tokens(), matcher.drafts(1000)
    assert len(text) == 1800 and len(ids) > 64
    matcher.reset()
    s = compiler.stats()
    assert (s.forced_bytes, s.forced_tokens, s.drafted_tokens) == (len(text), len(ids), len(drafts))


def test_without_a_tokenizer(matcher):
    assert not matcher.grammar.vocabulary.has_tokenizer
    for call in (matcher.forced_tokens, lambda: matcher.drafts(1)):
        with pytest.raises(sluice.ArgumentError, match="keep_tokenizer"):
            call()
    with pytest.raises(ValueError, match="-1"):
        matcher.drafts(-1)
    with pytest.raises(sluice.UnsupportedError, match=r"tokenizer\.json"):
        sluice.Vocabulary.from_data("YQ== 0\n", end_tokens=(), keep_tokenizer=True)


def test_copies(cutting):
    assert cutting.has_tokenizer and copy.deepcopy(cutting) is cutting
    assert pickle.loads(pickle.dumps(cutting)) is cutting
    with open(TOKENIZER, "rb") as f:
        read = sluice.Vocabulary.from_data(f.read(), keep_tokenizer=True)
    child = (
        "import pickle, sys, sluice; v = pickle.loads(sys.stdin.buffer.read()); "
        "print(v.has_tokenizer, sluice.Compiler(v).compile_choice(['ab cd']).matcher().forced_tokens())"
    )
    want = f"True {cut(sluice.Compiler(cutting), 'ab cd')}"
    for vocabulary in (cutting, read):
        done = subprocess.run(
            [sys.executable, "-c", child], input=pickle.dumps(vocabulary), env=environment(), capture_output=True
        )
        assert done.stdout.decode().strip() == want, done.stderr.decode()


def test_tekken(tmp_path):
    """Forced tokens equal the tokens of mistral-common."""
    tekkenizer = pytest.importorskip("mistral_common.tokens.tokenizers.tekken").Tekkenizer
    words = [bytes([b]) for b in range(256)] + [b"ab", b"cd", b" ab", b"abcd", b'":', b"  ", b'": ', b"12", b"\n\n"]
    config = {
        "pattern": r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        "num_vocab_tokens": len(words),
        "default_vocab_size": len(words) + 20,
        "default_num_special_tokens": 20,
        "version": "v3",
    }
    vocab = [{"rank": i, "token_bytes": base64.b64encode(w).decode(), "token_str": None} for i, w in enumerate(words)]
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps({"config": config, "vocab": vocab}))
    theirs = tekkenizer.from_file(path)
    for vocabulary in (
        sluice.Vocabulary.from_file(path, keep_tokenizer=True),
        sluice.Vocabulary.from_file(path, keep_tokenizer=True, end_tokens=[2]),
    ):
        compiler = sluice.Compiler(vocabulary)
        for text in ("abcd", "abab cdab", '{"ab": 1212, "x":\n\n  "é\t"}', "   ab  ", "'ab\n\n\ncd //\n"):
            assert cut(compiler, text) == theirs.encode(text, bos=False, eos=False)
    with pytest.raises(sluice.UnsupportedError, match="from_file"):
        sluice.Vocabulary.from_mistral(theirs, keep_tokenizer=True)


def test_sentencepiece(tmp_path):
    """Forced tokens equal the tokens of SentencePiece."""
    sentencepiece = pytest.importorskip("sentencepiece")
    lines = [
        json.dumps(VALUE),
        "the quick brown fox jumps over the lazy dog",
        "an  apple a day,\tand: a banana",
        "über",
    ]

    def trained(name, **options):
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines * 4),
            model_prefix=str(tmp_path / name),
            hard_vocab_limit=False,
            minloglevel=2,
            **{
                "vocab_size": 400,
                "byte_fallback": True,
                "model_type": "bpe",
                "normalization_rule_name": "identity",
                "remove_extra_whitespaces": False,
                # SentencePiece never finds the last one: it looks for symbols after it has written spaces as U+2581.
                "user_defined_symbols": ["<tool>", "\u2581\u2581", "\n", "brown fox"],
                **options,
            },
        )
        return sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / f"{name}.model"))

    theirs = trained("bpe")
    compiler = sluice.Compiler(sluice.Vocabulary.from_sentencepiece(theirs, keep_tokenizer=True))
    texts = [*lines, "the  dog <tool><tool>x", "日本 é the", '{\n    "a": 1\n}', "quick\n\n", "   a"]
    for text in texts:
        # SentencePiece writes a space before a text; this one is the end of a longer text.
        want = theirs.encode("\n" + text)
        assert theirs.id_to_piece(want[:2]) == ["\u2581", "\n"]
        assert cut(compiler, text) == want[2:], text
    for options, why in (
        ({"model_type": "unigram"}, "byte pair"),
        ({"remove_extra_whitespaces": True}, "removes spaces"),
        ({"normalization_rule_name": "nfkc"}, "precompiled_charsmap"),
        ({"treat_whitespace_as_suffix": True}, "behind words"),
    ):
        model = trained(f"other{len(why)}", **options)
        with pytest.raises(sluice.UnsupportedError, match=why):
            sluice.Vocabulary.from_sentencepiece(model, keep_tokenizer=True)


def test_tokenizers():
    """Forced tokens equal the tokens of the package tokenizers, which CI's environment may lack."""
    tokenizers = pytest.importorskip("tokenizers")
    shared = ROOT.parent / "shared" / "data"
    if not shared.exists():
        pytest.skip("there is no shared/data beside the checkout")
    theirs = tokenizers.Tokenizer.from_buffer(
        __import__("gzip").open(shared / "tokenizers" / "llama3_1.json.gz").read()
    )
    compiler = sluice.Compiler(sluice.Vocabulary.from_huggingface(theirs, keep_tokenizer=True))
    for text in (json.dumps(VALUE), json.dumps(VALUE, indent=4), "don't  \n\n x\u00a0y 中文 12345"):
        assert cut(compiler, text) == theirs.encode(text, add_special_tokens=False).ids
