"""Reasoning before the output, and why a token may come next."""

from __future__ import annotations

import random

import pytest

import sluice
from sluice import Reasoning

TOKENS = [b"a", b"b", b"c", b"x", b"<t>", b"</t>", b"ab", b"</s>"]
OPEN, CLOSE, AB, END = 4, 5, 6, 7


@pytest.fixture(scope="module")
def thinking():
    v = sluice.Vocabulary.from_tokens(TOKENS, special=[OPEN, CLOSE, END], end_tokens=[END])
    return sluice.Compiler(v).compile_regex("a(b|ab)*")


def allowed(matcher):
    masks = sluice.allocate_bitmask(1, matcher.grammar.vocabulary)
    constrained = matcher.fill(masks)
    return sluice.allowed_ids(masks), constrained


def test_in_the_middle_of_it(thinking):
    m = thinking.matcher(reasoning=Reasoning("</t>"))
    assert allowed(m) == ([0, 1, 2, 3, OPEN, CLOSE, AB], True)
    assert not m.completed and m.accept_tokens([3, OPEN, AB]) == 3 and not m.accept(END)
    assert m.forced_bytes() == b""
    assert m.accept(CLOSE) and allowed(m)[0] == [0, AB]
    assert m.accept(0) and m.completed and m.accept(END) and m.terminated
    m.rollback(4)
    assert not m.completed and m.accept_tokens([CLOSE, AB]) == 2 and m.completed


def test_budget(thinking):
    m = thinking.matcher(reasoning=Reasoning([1, "</t>"], budget=2))
    assert m.accept(3) and len(allowed(m)[0]) == 7
    assert m.validate([3, 3]) == 1 and m.accept(3)
    assert allowed(m)[0] == [1] and m.accept(1) and allowed(m)[0] == [CLOSE]
    assert "budget" in m.explain(3).sentence and "reasoning ends with it" in m.explain(CLOSE).sentence
    assert m.accept(CLOSE) and allowed(m)[0] == [0, AB]
    assert allowed(thinking.matcher(reasoning=Reasoning(CLOSE, budget=0)))[0] == [CLOSE]


def test_perhaps(thinking):
    perhaps = Reasoning("</t>", begin="<t>", budget=1)
    m = thinking.matcher(reasoning=perhaps)
    assert allowed(m)[0] == [0, OPEN, AB]
    other = m.fork()
    assert other.accept(AB) and other.completed and OPEN not in allowed(other)[0]
    assert m.accept(OPEN) and not m.completed and m.accept(2) and allowed(m)[0] == [CLOSE]
    assert m.accept(CLOSE) and allowed(m)[0] == [0, AB]
    m.reset()
    assert allowed(m)[0] == [0, OPEN, AB]


def test_batches_and_drafts(thinking):
    """A batch of sequences in all places of their reasoning returns the results of each."""
    rng = random.Random(5)
    kinds = [None, Reasoning(CLOSE), Reasoning([0, CLOSE], begin=OPEN, budget=3), Reasoning([0, 0, 1], budget=2)]
    matchers = [thinking.matcher(reasoning=r) for r in kinds * 3]
    batch = sluice.Batch(matchers)
    masks = sluice.allocate_bitmask(len(matchers), thinking.vocabulary)
    for _ in range(12):
        batch.fill(masks)
        rows = [sluice.allowed_ids(masks, i) for i in range(len(matchers))]
        assert rows == [allowed(m)[0] for m in matchers]
        tokens = [rng.choice(row) for row in rows]
        drafted = sluice.allocate_bitmask(2 * len(matchers), thinking.vocabulary)
        done = batch.fill_chains([[t] for t in tokens], drafted)
        assert list(done) == [1] * len(matchers)
        assert not batch.accept(tokens)
        for i, m in enumerate(matchers):
            assert sluice.allowed_ids(drafted, 2 * i + 1) == allowed(m)[0]


def test_what_is_refused(thinking):
    for wrong in (Reasoning([]), Reasoning([99]), Reasoning(CLOSE, begin=[0] * 65), Reasoning(CLOSE, budget=1 << 30)):
        with pytest.raises(sluice.ArgumentError):
            thinking.matcher(reasoning=wrong)
    with pytest.raises(ValueError, match="structural tag"):
        thinking.matcher(reasoning=Reasoning("no such token"))
    for budget in (-1, 1 << 32):
        with pytest.raises(ValueError, match=f"a budget of {budget} tokens"):
            thinking.matcher(reasoning=Reasoning(CLOSE, budget=budget))
    with pytest.raises(TypeError, match=r"sluice\.Reasoning, not str"):
        thinking.matcher(reasoning="</think>")


def test_explain(thinking):
    m = thinking.matcher()
    assert str(m.explain(0)).startswith('token 0 ("a") is allowed') and m.explain(0).allowed
    assert "not with" in m.explain(1).sentence and "goes on with one of" in m.explain(1).sentence
    assert "may not end here" in m.explain(END).sentence
    with pytest.raises(sluice.ArgumentError):
        m.explain(1000)
