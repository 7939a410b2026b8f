"""Batch: its results equal those from single calls, and so do its masks."""

from __future__ import annotations

import array
import copy
import random

import pytest

import sluice

PATTERNS = ["a(b|c)*d", "[0-9]{1,4}(,[0-9]+)*", '"[a-z ]*"', "(yes|no)?"]


class Lot:
    """A batch, and a twin of each of its matchers that makes single calls."""

    def __init__(self, compiler, seed, places=20, each=6):
        self.dice, self.vocabulary, self.each = random.Random(seed), compiler.vocabulary, each
        grammars = [compiler.compile_regex(p) for p in PATTERNS]
        grammars.append(compiler.compile("json"))
        self.twins = []
        for i in range(places):
            options = {"reject_after_end": i % 2 == 0, "all_allowed_after_end": i % 3 == 0}
            if i % 7 == 3:
                options["stop_tokens"] = ()  # a dead end if the output is complete
            self.twins.append(None if i % 6 == 5 else self.dice.choice(grammars).matcher(**options))
        self.batch = sluice.Batch([t and t.fork() for t in self.twins], threads=seed % 3)
        self.masks = sluice.allocate_bitmask(places * each, self.vocabulary)

    def mark(self):
        memoryview(self.masks).cast("B")[:] = b"\xcd" * memoryview(self.masks).nbytes

    def row(self, i):
        n = 4 * self.vocabulary.words
        return bytes(memoryview(self.masks).cast("B")[n * i : n * (i + 1)])

    def single(self, matcher):
        row = bytearray(4 * self.vocabulary.words)
        constrained = matcher.fill(row)
        return bytes(row), constrained

    def untouched(self, i):
        return set(self.row(i)) == {0xCD}

    def token(self, matcher):
        """A token that is mostly allowed."""
        if matcher is not None and self.dice.random() < 0.85:
            try:
                ids = sluice.allowed_ids(bytearray(self.single(matcher)[0]))
                return self.dice.choice(ids)
            except sluice.SluiceError:
                pass
        return self.dice.choice([-1, 1 << 40, self.vocabulary.size, 0, ord("a")])

    def tokens(self, matcher, n):
        twin, out = matcher and matcher.fork(), []
        for _ in range(n):
            out.append(self.token(twin))
            if twin is not None:
                twin.accept(out[-1])
        return out


def statuses_of(call):
    """Returns the statuses of a call that may fail in some places."""
    try:
        call()
    except sluice.SluiceError as e:
        return e.statuses
    return None


@pytest.mark.parametrize("seed", range(4))
def test_steps(compiler, seed):
    lot = Lot(compiler, seed, each=1)
    failed = refused = ended = 0
    for _ in range(25):
        lot.mark()
        statuses = statuses_of(lambda: lot.batch.fill(lot.masks))
        for i, twin in enumerate(lot.twins):
            if twin is None:
                assert lot.untouched(i)
                continue
            try:
                row, constrained = lot.single(twin)
                assert lot.row(i) == row and lot.batch.constrained[i] == constrained
                assert not statuses or not statuses[i]
            except sluice.SluiceError as e:
                assert statuses[i] == e.code and lot.untouched(i)
                failed += 1
        tokens = [lot.token(t) for t in lot.twins]
        where = set(lot.batch.accept(tokens))
        for i, twin in enumerate(lot.twins):
            assert twin is None or twin.accept(tokens[i]) == (i not in where)
        refused += len(where)
        several = [lot.tokens(t, lot.dice.randrange(3)) if t and i % 4 else None for i, t in enumerate(lot.twins)]
        assert lot.batch.validate(several) == [t.validate(s) if t and s else 0 for t, s in zip(lot.twins, several)]
        assert lot.batch.accept_tokens(several) == [
            t.accept_tokens(s) if t and s else 0 for t, s in zip(lot.twins, several)
        ]
        back = [lot.dice.randrange(t.length + 1) if t and lot.dice.random() < 0.2 else 0 for t in lot.twins]
        lot.batch.rollback(back)
        for twin, steps in zip(lot.twins, back):
            if twin is not None:
                twin.rollback(steps)
        assert lot.batch.ended() == [i for i, t in enumerate(lot.twins) if t and t.terminated]
        assert lot.batch.completed() == [i for i, t in enumerate(lot.twins) if t and t.completed]
        ended += len(lot.batch.ended())
    assert failed and refused and ended


@pytest.mark.parametrize("seed", range(4))
def test_chains(compiler, seed):
    lot = Lot(compiler, seed)
    everything = bytes(sluice.bool_to_bitmask([True] * lot.vocabulary.padded_size)[0])
    for _ in range(10):
        drafts = [lot.tokens(t, lot.dice.randrange(lot.each)) for t in lot.twins]
        first = [i * lot.each for i in range(len(lot.twins))]
        lot.dice.shuffle(first)
        lot.mark()
        try:
            done = lot.batch.fill_chains(drafts, lot.masks, first)
            statuses = (0,) * len(drafts)
        except sluice.SluiceError as e:
            done, statuses = None, e.statuses
        for i, twin in enumerate(lot.twins):
            if twin is None:
                assert lot.untouched(first[i])
                continue
            other, n = twin.fork(), 0
            while True:
                try:
                    assert lot.row(first[i] + n) == lot.single(other)[0]
                except sluice.SluiceError as e:
                    assert statuses[i] == e.code
                    break
                if n == len(drafts[i]) or not other.accept(drafts[i][n]):
                    assert done is None or done[i] == n
                    assert all(lot.row(first[i] + k) == everything for k in range(n + 1, len(drafts[i]) + 1))
                    break
                n += 1
        lot.batch.accept_tokens([d[:1] for d in drafts])
        for twin, some in zip(lot.twins, drafts):
            if twin is not None:
                twin.accept_tokens(some[:1])


def test_chains_one_after_the_other(compiler, vocabulary):
    batch = sluice.Batch([compiler.compile_regex("abc").matcher(), None, compiler.compile_regex("x*").matcher()])
    masks = sluice.allocate_bitmask(8, vocabulary)
    assert batch.fill_chains([b"ab", None, b"xx"], masks) == [2, 0, 2]
    letters = [[i for i in sluice.allowed_ids(masks, row) if i < 256] for row in (0, 1, 2, 4, 5, 6)]
    assert bytes(i for row in letters for i in row) == b"abcxxx"
    assert all(set(vocabulary.end_tokens) <= set(sluice.allowed_ids(masks, row)) for row in (4, 5, 6))
    with pytest.raises(sluice.ArgumentError):
        batch.fill_chains([b"ab", None, b"xxxx"], masks)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["lists", "numpy"])
def test_trees(compiler, seed, kind):
    lot, nodes = Lot(compiler, seed), 6
    shape = range(len(lot.twins))
    next_token, sibling, tokens = ([[-1] * nodes for _ in shape] for _ in range(3))
    for i, twin in enumerate(lot.twins):
        at, last = {0: twin}, {}
        for k in range(1, nodes):
            parent = lot.dice.randrange(k)
            if parent in last:
                sibling[i][last[parent]] = k
            else:
                next_token[i][parent] = k
            last[parent] = k
            tokens[i][k] = lot.token(at[parent])
            at[k] = at[parent] and at[parent].fork()
            if twin is not None:
                at[k].accept(tokens[i][k])
    tables = [next_token, sibling, tokens]
    if kind != "lists":
        module = pytest.importorskip(kind)
        tables = [module.asarray(t, dtype=module.int64) for t in tables]
    lot.mark()
    try:
        done, statuses = lot.batch.fill_trees(*tables, lot.masks), (0,) * len(lot.twins)
    except sluice.SluiceError as e:
        done, statuses = None, e.statuses

    def visit(i, matcher, node):
        assert lot.row(i * nodes + node) == lot.single(matcher)[0]
        reached, child = 1, next_token[i][node]
        while child >= 0:
            other = matcher.fork()
            if other.accept(tokens[i][child]):
                reached += visit(i, other, child)
            child = sibling[i][child]
        return reached

    for i, twin in enumerate(lot.twins):
        if twin is not None and not statuses[i]:
            reached = visit(i, twin, 0)
            assert done is None or done[i] == reached


def test_tokens_of_all_kinds(compiler):
    numpy = pytest.importorskip("numpy", reason="numpy is not installed: its arrays cannot be tried")
    ids = [ord(c) for c in "ab"]
    for tokens in (ids, tuple(ids), array.array("q", ids), numpy.array(ids), numpy.array(ids, dtype=numpy.int32)):
        batch = sluice.Batch([compiler.compile_regex(p).matcher() for p in ("a", "c")])
        assert list(batch.accept(tokens)) == [1]
    batch = sluice.Batch([compiler.compile_regex("a").matcher(), None])
    assert not batch.accept(numpy.array([97, -1]))
    assert list(batch.accept([97 + (1 << 32), 0])) == [0]
    for wrong in (["a", 1], [1.0, 2], [None, 97]):
        with pytest.raises(TypeError):
            batch.accept(wrong)


def test_places(compiler, vocabulary):
    batch = sluice.Batch(3)
    masks = sluice.allocate_bitmask(3, vocabulary)
    before = bytes(masks)
    batch.fill(masks)
    assert batch and len(batch) == 3 and bytes(masks) == before and not batch.accept([1, 2, 3])
    batch[1] = m = compiler.compile_regex("ab").matcher()
    batch.fill(masks)
    assert batch[1] is m and ord("a") in sluice.allowed_ids(masks, 1) and ord("b") not in sluice.allowed_ids(masks, 1)
    assert all(len(sluice.allowed_ids(masks, i)) == 32 * vocabulary.words for i in (0, 2))
    assert list(batch.accept([0, ord("x"), 0])) == [1] and not batch.accept([0, ord("a"), 0])
    assert m.length == 1 and batch.constrained == [False, True, False]
    batch.rollback(1)
    assert m.length == 0
    assert not batch.accept([0, ord("a"), 0]) and not batch.accept([0, ord("b"), 0]) and batch.completed() == [1]
    assert not batch.accept([0, vocabulary.end_tokens[0], 0]) and batch.ended() == [1]
    del batch[1]
    assert batch.ended() == [] and "3 places, 0 matchers" in repr(batch)
    with pytest.raises(TypeError):
        batch[0] = "matcher"
    with pytest.raises(IndexError):
        batch[3] = m
    assert sluice.Batch(0).accept([]) == () and sluice.Batch([]).validate([]) == []


def test_width_is_that_of_the_matchers_there(compiler, vocabulary):
    small = sluice.Vocabulary.from_tokens([b"a", b"</s>"], special=[1], end_tokens=[1])
    batch = sluice.Batch([compiler.compile_regex("a").matcher(), sluice.Compiler(small).compile_regex("a").matcher()])
    masks = sluice.allocate_bitmask(2, small)
    with pytest.raises(ValueError, match=f"rows of 1 words are too short: {vocabulary.words} are needed"):
        batch.fill(masks)
    wide, batch[0] = batch[0], None
    batch.fill(masks)
    assert list(sluice.allowed_ids(masks, 1)) == [0]
    batch[0] = wide
    with pytest.raises(ValueError, match="too short"):
        batch.fill(masks)
    batch[0] = batch[1].fork()
    batch.fill(masks)


def test_places_are_bounded():
    assert len(sluice.Batch(1000)) == 1000
    for places in (-1, (1 << 20) + 1, 1 << 31, 1 << 80, [None] * ((1 << 20) + 1)):
        with pytest.raises(ValueError, match="at most 1048576"):
            sluice.Batch(places)


def test_nodes_below_none(compiler, vocabulary):
    batch = sluice.Batch([compiler.compile_regex("ab").matcher()])
    masks = sluice.allocate_bitmask(2, vocabulary)
    with pytest.raises(sluice.ArgumentError, match="node 1 of the draft tree leads to node -2 of 2"):
        batch.fill_trees([[1, -2]], [[-1, -1]], [[0, ord("a")]], masks)


def test_failures_say_which(compiler, vocabulary):
    a, b = (compiler.compile_regex(p).matcher() for p in "ab")
    batch, masks = sluice.Batch([a, b, a]), sluice.allocate_bitmask(3, vocabulary)
    with pytest.raises(sluice.BusyError, match="item 2") as caught:
        batch.fill(masks)
    assert caught.value.statuses == (0, 0, 3)
    with pytest.raises(sluice.ArgumentError, match="cannot take back"):
        sluice.Batch([a, b]).rollback([0, 5])
    with pytest.raises(sluice.ArgumentError, match="row 7") as caught:
        sluice.Batch([a, b]).fill(masks, [0, 7])
    assert caught.value.statuses == (0, 1)
    for call, wrong in (("accept", [1]), ("validate", [[1]]), ("rollback", [1]), ("rollback", -1)):
        with pytest.raises(ValueError):
            getattr(sluice.Batch([a, b]), call)(wrong)
    with pytest.raises(ValueError, match="words"):
        sluice.Batch([a, b]).fill(sluice.allocate_bitmask(2, 32))


def test_a_place_is_never_half_set(compiler):
    """A signal's handler may raise between any two lines: a place whose matcher is the new one has its handle too."""
    ab, ba = (compiler.compile_regex(x) for x in ("a+", "b+"))
    batch, new = sluice.Batch([ab.matcher()]), ba.matcher()

    class Refusing(list):
        def __setitem__(self, place, value):
            raise KeyboardInterrupt

    batch._matchers = Refusing(batch._matchers)
    with pytest.raises(KeyboardInterrupt):
        batch[0] = new
    assert batch[0] is not new and batch._handles[0] == new._handle


def test_masks(vocabulary):
    numpy = pytest.importorskip("numpy", reason="numpy is not installed: booleans are its arrays")
    words = vocabulary.words
    assert sluice.bitmask_shape(4, vocabulary) == (4, words) and sluice.bitmask_shape(2, 33) == (2, 2)
    masks = sluice.allocate_bitmask(3, vocabulary)
    assert masks.dtype == numpy.int32 and (masks == -1).all()
    masks[:] = 0
    masks[1, 0] = 1 << 5 | 1 << 31 - 31
    sluice.reset_bitmask(masks, [2])
    assert sluice.allowed_ids(masks, 1) == [0, 5] and sluice.allowed_ids(masks, 0) == [] and (masks[2] == -1).all()
    bools = sluice.bitmask_to_bool(masks, vocabulary.padded_size)
    assert bools.shape == (3, vocabulary.padded_size) and bools[1].nonzero()[0].tolist() == [0, 5] and bools[2].all()
    back = sluice.bool_to_bitmask(bools)
    assert back.dtype == numpy.int32 and (sluice.bitmask_to_bool(back, vocabulary.padded_size) == bools).all()
    assert sluice.bool_to_bitmask([True] * 33).tolist() == [[-1, 1]]
    sluice.reset_bitmask(masks)
    assert (masks == -1).all()
    sluice.filter_bitmask(masks, [1, 40], 1)
    assert set(range(64)) - set(sluice.allowed_ids(masks, 1)) == {1, 40} and (masks[0] == -1).all()
    sluice.filter_bitmask(masks, [3, 1], 1, allow=True)
    assert set(range(64)) - set(sluice.allowed_ids(masks, 1)) == {40}
    sluice.filter_bitmask(masks, [3, 7], 1, allow=True, reset=True)
    assert sluice.allowed_ids(masks, 1) == [3, 7]
    sluice.filter_bitmask(masks, [7], 1, reset=True)
    assert len(sluice.allowed_ids(masks, 1)) == 32 * words - 1
    for wrong in (-1, 32 * words, 1 << 40):
        with pytest.raises(sluice.ArgumentError, match="does not cover"):
            sluice.filter_bitmask(masks, [0, wrong], 1)
    assert 0 in sluice.allowed_ids(masks, 1), "nothing was written"
    with pytest.raises(ValueError):
        sluice.filter_bitmask(masks, [1])
    with pytest.raises(ValueError):
        sluice.allowed_ids(masks)
    with pytest.raises(IndexError):
        sluice.reset_bitmask(masks, [3])
    with pytest.raises(ValueError):
        sluice.bitmask_to_bool(masks, 32 * words + 1)


def test_kept_rows(compiler, vocabulary):
    """A batch that keeps rows has the rows of single calls, and does not write rows that stay the same."""
    grammar = compiler.compile_regex('"[a-z ]*"[0-9]{2}')
    batch = sluice.Batch([grammar.matcher(), None, grammar.matcher()], keep_rows=True)
    twins = [m and m.fork() for m in batch]
    masks, unchanged = sluice.allocate_bitmask(3, vocabulary), []
    for step, text in enumerate(['""', "  ", "ax", 'a"', '"1', "1"]):
        batch.fill(masks)
        unchanged.append(list(batch.unchanged))
        for i in (0, 2):
            row = bytearray(4 * vocabulary.words)
            assert twins[i].fill(row) == batch.constrained[i]
            assert bytes(masks[i].tobytes()) == bytes(row)
        tokens = [ord(text[0]), -1, ord(text[-1])]
        assert batch.accept(tokens) == ()
        for i in (0, 2):
            assert twins[i].accept(tokens[i]), (step, i)
    no, yes = [False, False, False], [True, False, True]
    assert unchanged == [no, no, yes, yes, [True, False, False], [False, False, False]]

    batch = sluice.Batch([grammar.matcher()], keep_rows=True)
    for write, stays in [
        (lambda: batch.fill(masks), False),
        (lambda: batch.fill(masks), True),
        (lambda: batch.forget_rows() or batch.fill(masks), False),
        (lambda: batch.fill(masks[1:]), False),
        (lambda: batch.fill(masks), False),
        (lambda: batch.fill(masks, [2]), False),
        (lambda: batch.fill(masks, [0]), True),
        (lambda: batch.fill_chains([[]], masks) and batch.fill(masks), False),
        (lambda: copied(batch).fill(masks), True),
        (lambda: batch.fill(masks), True),
    ]:
        write()
        assert batch.unchanged == [stays]
    batch[0] = None
    batch.fill(masks)
    assert batch.unchanged == [False]
    assert sluice.Batch([grammar.matcher()]).unchanged == [False]


def copied(batch):
    """Returns the batch after a copy of it, which has keys of its own, has filled other rows."""
    other = copy.copy(batch)
    other.fill(sluice.allocate_bitmask(1, batch[0].grammar.vocabulary))
    return batch


HOT = "start: a b\na[temperature=0.5]: /[a-z]{1,3}/\nb[temperature=1.25]: /[0-9]*/\n"


def columns(rows):
    """float32 memory of each kind."""
    yield array.array("f", [9.0] * rows)
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    yield numpy.full(rows, 9, numpy.float32)


def test_temperatures(compiler, vocabulary):
    batch = sluice.Batch([compiler.compile_lark(HOT).matcher(), None, compiler.compile_regex("a1").matcher()])
    masks = sluice.allocate_bitmask(9, vocabulary)
    for column in columns(9):
        batch.fill(masks, [4, 5, 6], column)
        assert list(column) == [9, 9, 9, 9, 0.5, 9, 9, 9, 9]
        batch.fill(masks)
        batch.fill_chains([[ord("a"), ord("1")], None, [ord("a")]], masks, [0, 3, 5], temperatures=column)
        assert list(column) == [0.5, 1.25, 1.25, 9, 0.5, 9, 9, 9, 9]
        links = [[1, -1]] * 3, [[-1, -1]] * 3, [[0, ord("a")]] * 3
        batch.fill_trees(*links, masks, [7, 3, 5], temperatures=column)
        assert list(column) == [0.5, 1.25, 1.25, 9, 0.5, 9, 9, 0.5, 1.25]
        with pytest.raises(ValueError, match="8 temperatures for 9 rows"):
            batch.fill(masks, temperatures=column[:8])
    for wrong in (array.array("d", [1] * 9), bytes(36), [1.0] * 9, memoryview(array.array("f", [1] * 18))[::2]):
        with pytest.raises(TypeError):
            batch.fill(masks, temperatures=wrong)


@pytest.mark.parametrize("seed", range(3))
def test_texts_and_limits(compiler, seed):
    lot = Lot(compiler, seed, each=1)
    taken = refused = limited = short = 0
    for _ in range(20):
        texts = [lot.dice.choice(["a", b"1", "yes", '"x', "", None, "bcd", "[1, "]) for _ in lot.twins]
        answers = lot.batch.accept_bytes(texts)
        for twin, text, answer in zip(lot.twins, texts, answers):
            assert answer == (twin is not None and text is not None and twin.accept_bytes(text))
        taken, refused = taken + sum(answers), refused + len(answers) - sum(answers)
        limits = [lot.dice.choice([None, 1, 2, 5, 40]) for _ in lot.twins]
        statuses = statuses_of(lambda limits=limits: lot.batch.set_max_tokens(limits))
        for i, (twin, limit) in enumerate(zip(lot.twins, limits)):
            if twin is None:
                continue
            try:
                twin.set_max_tokens(limit)
                assert not statuses or not statuses[i]
                limited += limit is not None
            except sluice.SluiceError as e:
                assert statuses[i] == e.code
                short += 1
            assert lot.batch[i].validate([ord("a")]) == twin.validate([ord("a")])
    assert taken and refused and limited and short
    lot.batch.set_max_tokens(None)
    with pytest.raises(ValueError, match="2 limits"):
        lot.batch.set_max_tokens([1, 2])
    with pytest.raises(ValueError, match="1 texts"):
        lot.batch.accept_bytes(["a"])
    with pytest.raises(ValueError, match="at least 1"):
        lot.batch.set_max_tokens(0)
