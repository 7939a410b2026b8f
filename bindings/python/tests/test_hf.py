"""sluice.hf without torch and transformers: arrays of numpy that answer what tensors are asked, and rows in bytes.

tests_engines/test_generate.py is the same with `generate` itself.
"""

from __future__ import annotations

import array
import random
import subprocess
import sys

import numpy as np
import pytest
from conftest import case_tokens, environment

import sluice
import sluice.hf
from sluice._sequences import Sequences

PATTERN = "a(b|c){2,4}d|ab*"
CHOICES = ["abba", "abca", "add", "b"]


class Scores(np.ndarray):
    """An array with the methods of a tensor that a processor calls."""

    clone = np.ndarray.copy
    amax = np.ndarray.max


class Ids(Scores):
    """The same for the other parameter."""

    def cpu(self):
        return self

    def long(self):
        return self.astype(np.int64)

    def contiguous(self):
        return np.ascontiguousarray(self).view(Ids)

    def data_ptr(self):
        return self.ctypes.data


def ids(*rows):
    return np.array([[ord(c) if isinstance(c, str) else c for c in row] for row in rows], dtype=np.int64).view(Ids)


def zeros(rows, vocabulary, more=0):
    return np.zeros((rows, vocabulary.size + more), dtype=np.float32).view(Scores)


def allowed(scores, row=0):
    return set(np.flatnonzero(np.isfinite(np.asarray(scores)[row])).tolist())


END = case_tokens()[3]


def letters(scores, row=0):
    """The allowed bytes, ascending, and "$" for the end tokens."""
    found = allowed(scores, row)
    assert found.issuperset(END) or not found.intersection(END)
    return "".join(chr(i) for i in sorted(found) if i < 256) + "$" * found.issuperset(END)


def text(*tokens):
    return array.array("q", [ord(t) if isinstance(t, str) else t for t in tokens]).tobytes()


@pytest.fixture
def grammar(compiler):
    return compiler.compile_regex("[a-c]x[0-9]?")


def test_a_generation(grammar, vocabulary):
    processor = sluice.hf.LogitsProcessor(grammar)
    scores = zeros(2, vocabulary, more=40)
    first = processor(ids("pq", "rs"), scores)
    assert letters(first, 0) == letters(first, 1) == "abc"
    assert not np.isneginf(np.asarray(scores)).any()  # generate may still need them
    assert letters(processor(ids("pqa", "rsc"), scores), 1) == "x"
    third = processor(ids("pqax", "rscx"), scores)
    assert allowed(third, 0) == {*range(ord("0"), ord("9") + 1), *vocabulary.end_tokens}
    # Row 0 ends, and generate fills it up; row 1 goes on.
    end = vocabulary.end_tokens[0]
    fourth = processor(ids([*"pqax", end], "rscx5"), scores)
    assert allowed(fourth, 0) == allowed(fourth, 1) == set(vocabulary.end_tokens)
    fifth = processor(ids([*"pqax", end, 0], [*"rscx5", end]), scores)
    assert allowed(fifth, 0) == set(vocabulary.end_tokens)


def test_rows_are_found_by_their_ids(grammar, vocabulary):
    """Rows as in beam search: reordered, doubled, and one that took a token with logit −inf."""
    processor, scores = sluice.hf.LogitsProcessor(grammar), zeros(3, vocabulary)
    processor(ids("p", "p", "p"), scores)
    processor(ids("pa", "pb", "pc"), scores)
    got = processor(ids("pcx", "pcx", "pbx"), scores)
    assert [letters(got, i) for i in range(3)] == ["0123456789$"] * 3
    got = processor(ids("pcx1", "pbxz", "pcx2"), scores)
    assert [letters(got, i) for i in range(3)] == ["$"] * 3
    got = processor(ids("pcx1a", "pcx2b", "pbxzz"), scores)
    assert [letters(got, i) for i in range(3)] == ["$"] * 3


def test_drafts_come_and_go(grammar, vocabulary):
    processor, scores = sluice.hf.LogitsProcessor(grammar), zeros(1, vocabulary)
    expected = {"": "abc", "a": "x", "ax": "0123456789$", "ax1": "$", "az": "$", "azx": "$", "b": "x"}
    for generated in ("", "a", "ax", "ax1", "a", "az", "azx", "a", "ax", "", "b", "ax1", "ax"):
        assert letters(processor(ids("pq" + generated), scores)) == expected[generated], generated


def test_a_grammar_for_each_prompt(compiler, vocabulary):
    grammars = [compiler.compile_regex("a+"), None, compiler.compile_choice(["x", "y"])]
    processor, scores = sluice.hf.LogitsProcessor(grammars), zeros(6, vocabulary)
    got = processor(ids("p", "p", "q", "q", "r", "r"), scores)
    assert [letters(got, i) for i in (0, 1, 4, 5)] == ["a", "a", "xy", "xy"]
    assert len(allowed(got, 2)) == len(allowed(got, 3)) == vocabulary.size


def test_free_text_is_not_touched(compiler, vocabulary):
    tag = {"structures": [{"begin": "<f>", "schema": {}, "end": "</f>"}], "triggers": ["<f>"]}
    processor = sluice.hf.LogitsProcessor(compiler.compile_structural_tag(tag))
    scores = zeros(1, vocabulary)
    assert len(allowed(processor(ids("p"), scores))) > 200
    assert letters(processor(ids("p<f>"), scores)) == '"-0123456789[fnt{'


def test_stop_tokens(grammar, vocabulary):
    processor, scores = sluice.hf.LogitsProcessor(grammar, stop_tokens=[ord("!")]), zeros(1, vocabulary)
    processor(ids("p"), scores)
    assert letters(processor(ids("pax0"), scores)) == "!"
    assert letters(processor(ids("pax0!!"), scores)) == "!"
    processor.reset()
    processor(ids("p"), scores)
    assert letters(processor(ids("pz"), scores)) == "!"  # what something else has forced
    assert letters(processor(ids("pzz"), scores)) == "!"


def test_another_generation(grammar, vocabulary):
    processor, scores = sluice.hf.LogitsProcessor(grammar), zeros(1, vocabulary)
    processor(ids("pq"), scores)
    processor(ids("pqa"), scores)
    assert letters(processor(ids("pq"), scores)) == "abc"  # the same prompt again
    for other in (ids("pr"), ids("p"), ids("pq", "pq")):
        with pytest.raises(ValueError, match="reset"):
            processor(other, zeros(len(other), vocabulary))
        processor(ids("pq"), scores)
    for other in ("pqaz prompt", "pqaz"):  # they begin as the first one
        processor.reset()
        for n in range(2, 8):
            processor(ids("pqax0!!"[:n]), scores)
        with pytest.raises(ValueError, match="reset"):
            processor(ids(other), scores)
    processor.reset()
    assert letters(processor(ids("longer", "prompt"), zeros(2, vocabulary)), 1) == "abc"


def test_refusals(grammar, compiler, vocabulary):
    other = sluice.Vocabulary.from_tokens([b"a", b"<e>"], special=[1], end_tokens=[1])
    with pytest.raises(ValueError, match="different vocabularies"):
        sluice.hf.LogitsProcessor([grammar, sluice.Compiler(other).compile_regex("a")])
    with pytest.raises(ValueError, match="no grammar"):
        sluice.hf.LogitsProcessor([None])
    with pytest.raises(TypeError, match=r"sluice\.Compiler"):
        sluice.hf.LogitsProcessor(["a+"])
    with pytest.raises(ValueError, match="3 rows and 2 grammars"):
        sluice.hf.LogitsProcessor([grammar, None])(ids("a", "b", "c"), zeros(3, vocabulary))
    with pytest.raises(ValueError, match="padded_size=100"):
        sluice.hf.LogitsProcessor(grammar)(ids("a"), np.zeros((1, 100), dtype=np.float32).view(Scores))


def test_nothing_is_left(grammar, vocabulary):
    """Something else forbids all that the grammar allows: said at once, but of one beam of several not at all."""
    scores = zeros(2, vocabulary)
    scores[1, [ord(c) for c in "abc"]] = -np.inf
    with pytest.raises(ValueError, match="in row 1"):
        sluice.hf.LogitsProcessor(grammar)(ids("p", "q"), scores)
    assert letters(sluice.hf.LogitsProcessor(grammar)(ids("p", "p"), scores)) == "abc"


def test_nothing_is_left_of_equal_prompts(compiler, vocabulary):
    """Neighbours with equal prompts and grammars of their own are two prompts."""
    grammars = [compiler.compile_regex("a+"), compiler.compile_regex("b+")]
    scores = zeros(2, vocabulary)
    scores[1, ord("b")] = -np.inf
    with pytest.raises(ValueError, match="in row 1"):
        sluice.hf.LogitsProcessor(grammars)(ids("p", "p"), scores)


def test_no_token_goes_on():
    v = sluice.Vocabulary.from_tokens([b"a", b"b", b"<e>"], special=[2], end_tokens=[2])
    c = sluice.Compiler(v)
    processor = sluice.hf.LogitsProcessor([c.compile_regex("az|b"), c.compile_regex("b")])
    scores = zeros(2, v)
    processor(ids("p", "q"), scores)
    with pytest.raises(ValueError, match="row 0"):
        processor(ids(["p", 0], ["q", 1]), scores)


def test_sequences_are_a_function_of_their_rows(compiler, vocabulary):
    """Rows that are reordered, cut, grown and spoilt at random, against matchers that begin anew for each."""
    grammars = [compiler.compile_regex(PATTERN), None, compiler.compile_choice(CHOICES)]
    alphabet = [*map(ord, "abcd"), vocabulary.end_tokens[0], vocabulary.size + 5]
    for seed in range(60):
        rng = random.Random(seed)
        share = rng.randint(1, 3)
        sequences = Sequences(grammars, 3 * share)
        rows = [[] for _ in range(3 * share)]
        for _ in range(25):
            for first in range(0, 3 * share, share):
                here = [list(rng.choice(rows[first : first + share])) for _ in range(share)]
                for row in here:
                    del row[rng.choice((len(row), len(row), len(row) // 2)) :]
                    row += rng.choices(alphabet, (9, 9, 5, 5, 2, 1), k=rng.choice((0, 1, 1, 1, 3)))
                rows[first : first + share] = here
            sequences.move([text(*row) for row in rows])
            for i, row in enumerate(rows):
                grammar, found = grammars[i // share], sequences.matcher(i)
                assert (found is None) == (grammar is None)
                if found is None:
                    continue
                fresh = grammar.matcher()
                assert sequences.accepted(i) == fresh.accept_tokens(row), (seed, row)
                assert (found.length, found.terminated) == (fresh.length, fresh.terminated)
                one, two = (sluice.allocate_bitmask(1, vocabulary) for _ in range(2))
                assert found.fill(one) == fresh.fill(two) and bytes(one) == bytes(two)


def test_nothing_is_imported():
    code = "import sys, sluice.hf; print(sluice.loaded(), *({'numpy', 'torch', 'transformers'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False"], done.stderr


class Fast:
    """A tokenizer as transformers has them: a fast one."""

    def __init__(self, text, eos=None):
        self.backend_tokenizer, self.eos_token_id = self, eos
        self.to_str = lambda: text


TOKENIZER = (
    '{"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "STOP": 2}, "merges": []}, "added_tokens": '
    '[{"id": 2, "content": "STOP", "special": true}%s], "decoder": {"type": "ByteLevel"}}'
)


def test_vocabulary_of_a_tokenizer_object():
    named = TOKENIZER % ', {"id": 3, "content": "<|im_end|>", "special": true}'
    read = sluice.Vocabulary.from_huggingface
    assert read(Fast(named)).end_tokens == (3,)
    assert read(Fast(named, 2)).end_tokens == (2, 3)
    assert read(Fast(named), end_tokens=2).end_tokens == (2,)
    assert read(Fast(named), end_tokens=[2, 3], padded_size=64).padded_size == 64
    assert read(Fast(TOKENIZER % "", 2)).end_tokens == (2,)
    assert read(Fast(named, 4)).end_tokens == (3,)  # no token has this id
    with pytest.raises(ValueError, match="no end token"):
        read(Fast(TOKENIZER % ""))
    with pytest.raises(TypeError, match="use_fast=True"):
        read(object())
