"""Outputs that are complete within a number of tokens."""

import pytest

import sluice


@pytest.fixture
def vocabulary():
    words = [b"[", b"]", b"1", b",", b"11", b"</s>", b"<think>", b"</think>"]
    return sluice.Vocabulary.from_tokens(words, special=[5, 6, 7], end_tokens=[5])


@pytest.fixture
def grammar(vocabulary):
    return sluice.Compiler(vocabulary).compile_regex(r"\[(1+(,1+)*)?\]")


def allowed(matcher):
    masks = sluice.allocate_bitmask(1, matcher.grammar.vocabulary)
    matcher.fill(masks)
    return sluice.allowed_ids(masks)


def test_every_choice_ends_in_time(grammar):
    for most in range(3, 9):
        todo, ends = [grammar.matcher(max_tokens=most)], 0
        while todo:
            matcher = todo.pop()
            tokens = allowed(matcher)
            assert tokens and matcher.length < most
            for token in range(8):
                twin = matcher.fork()
                assert twin.accept(token) == (token in tokens)
                if token in tokens:
                    ends += twin.terminated
                    if not twin.terminated:
                        todo.append(twin)
        assert ends


def test_the_least(grammar):
    with pytest.raises(sluice.UnsatisfiableError, match="takes 3"):
        grammar.matcher(max_tokens=2)
    matcher = grammar.matcher(max_tokens=3)
    assert matcher.min_tokens == 3
    assert matcher.accept_tokens([0, 2]) == 1
    assert allowed(matcher) == [1]
    matcher.rollback(1)
    matcher.set_max_tokens(4)
    assert matcher.accept_tokens([0, 2, 2]) == 2
    matcher.set_max_tokens(None)
    assert matcher.accept_tokens([2, 2, 2, 1, 5]) == 5
    assert matcher.terminated and matcher.min_tokens == 0


@pytest.mark.parametrize("wrong", [0, -1])
def test_no_limit(grammar, wrong):
    with pytest.raises(ValueError, match="at least 1"):
        grammar.matcher(max_tokens=wrong)
    with pytest.raises(ValueError, match="at least 1"):
        grammar.matcher().set_max_tokens(wrong)


def test_reasoning_ends_in_time(grammar):
    matcher = grammar.matcher(reasoning=sluice.Reasoning("</think>"), max_tokens=6)
    assert matcher.accept_tokens([2, 2]) == 2
    assert allowed(matcher) == [7]
    assert not matcher.accept(2)
    assert matcher.accept_tokens([7, 0, 1, 5]) == 4
    assert matcher.terminated


def test_batches(grammar):
    batch = sluice.Batch(3)
    masks = sluice.allocate_bitmask(3, grammar.vocabulary)
    for i, most in enumerate((3, 4, 30)):
        batch[i] = grammar.matcher(max_tokens=most)
    batch.fill(masks)
    batch.accept([0, 0, 0])
    batch.fill(masks)
    assert [sluice.allowed_ids(masks[i]) for i in range(3)] == [[1], [1, 2, 4], [1, 2, 4]]
