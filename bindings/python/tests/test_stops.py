"""Strings at which an output stops."""

import random

import pytest

import sluice


@pytest.fixture(scope="module")
def vocabulary():
    words = [bytes([b]) for b in range(256)] + [b"\n\n", b"Obs", b"ervation: ", b"<|x|>", b"</s>"]
    return sluice.Vocabulary.from_tokens(words, special=[259, 260], end_tokens=[260])


@pytest.fixture(scope="module")
def grammar(vocabulary):
    return sluice.Compiler(vocabulary).compile_regex(r"(.|\n)*")


def allowed(matcher):
    masks = sluice.allocate_bitmask(1, matcher.grammar.vocabulary)
    matcher.fill(masks)
    return sluice.allowed_ids(masks)


def test_a_stop(grammar):
    matcher = grammar.matcher(stop_strings=["\n\n", "Observation:"])
    assert matcher.accept_tokens(b"so\n") == 3
    assert (matcher.stopped, matcher.held_back, matcher.terminated) == (None, 1, False)
    assert matcher.accept_tokens([257, 258, 65]) == 2
    assert matcher.stopped == sluice.Stop(1, 13)
    assert matcher.output[: -matcher.stopped.behind] == b"so\n"
    assert matcher.terminated and matcher.finished and matcher.held_back == 0
    assert allowed(matcher) == [260]
    assert not matcher.accept(65) and not matcher.accept_bytes("x")
    assert matcher.accept(260)
    assert matcher.stopped == (1, 13) and matcher.output == b"so\nObservation: "
    matcher.rollback(2)
    assert (matcher.stopped, matcher.held_back) == (None, 3)
    matcher.set_stop_strings([])
    assert matcher.accept(258) and not matcher.terminated


def test_all_allowed(grammar):
    matcher = grammar.matcher(stop_strings=[b"\n"], all_allowed_after_end=True)
    assert matcher.accept_tokens([65, 10, 65, 66]) == 4
    assert matcher.stopped == (0, 1) and matcher.output == b"A\n"
    refusing = grammar.matcher(stop_strings=[b"\n"], reject_after_end=True)
    assert refusing.accept_tokens([65, 10, 260]) == 2


def test_wrong_strings(grammar):
    with pytest.raises(sluice.ArgumentError, match="stop string 1 is empty"):
        grammar.matcher(stop_strings=["a", ""])
    with pytest.raises(sluice.LimitError, match="4097 bytes"):
        grammar.matcher(stop_strings=["a" * 4096, "b"])
    for wrong in ("\n\n", b"\n"):
        with pytest.raises(TypeError, match="not one string"):
            grammar.matcher().set_stop_strings(wrong)


def test_batches_are_single_calls(grammar):
    rng = random.Random(3)
    for _ in range(20):
        strings = [None, ["ab"], ["b", "aa"], ["ba\n", "abab"]]
        batch = sluice.Batch([grammar.matcher(), None, grammar.matcher(), grammar.matcher()])
        single = [None if m is None else m.fork() for m in batch]
        batch.set_stop_strings(strings)
        for m, s in zip(single, strings):
            if m is not None:
                m.set_stop_strings(s)
        if rng.random() < 0.5:
            assert batch.held_back == [0] * 4
        for _ in range(8):
            tokens = [rng.choice(b"aab\n") for _ in range(4)]
            refused = batch.accept(tokens)
            assert list(refused) == [i for i, m in enumerate(single) if m is not None and not m.accept(tokens[i])]
            stopped = {i: m.stopped for i, m in enumerate(single) if m is not None and m.stopped}
            assert batch.stopped() == stopped and batch.ended() == sorted(stopped)
            assert batch.held_back == [0 if m is None else m.held_back for m in single]
            assert set(refused) <= set(stopped)
        batch[2] = grammar.matcher()
        assert 2 not in batch.stopped() and batch.held_back[2] == 0
        batch.set_stop_strings([None] * 4)
        batch[3].reset()
        assert not batch.accept([97] * 4)


def test_wrong_strings_of_a_place(grammar):
    batch = sluice.Batch([grammar.matcher(), grammar.matcher()])
    with pytest.raises(ValueError, match="1 lists of stop strings for 2 places"):
        batch.set_stop_strings([["a"]])
    with pytest.raises(sluice.ArgumentError, match="empty") as failed:
        batch.set_stop_strings([["a", ""], ["b"]])
    assert failed.value.statuses == (1, 0)
    batch.accept([ord("a"), ord("b")])
    assert batch.stopped() == {1: (0, 1)}
