"""Rows: memory that a mask may be written to, memory that is refused, and no write beside the row."""

from __future__ import annotations

import array
import ctypes
import mmap

import pytest

import sluice

np = pytest.importorskip("numpy", reason="numpy is not installed: rows of numpy arrays cannot be tried")


@pytest.fixture
def expected(matcher, vocabulary):
    row = bytearray(4 * vocabulary.words)
    assert matcher.fill(row)
    assert any(row)
    return bytes(row)


def test_buffers(matcher, vocabulary, expected):
    n = vocabulary.words
    for row in (
        bytearray(4 * n),
        array.array("i", [-1] * n),
        array.array("I", [7] * n),
        memoryview(bytearray(4 * n)),
        memoryview(bytearray(4 * n)).cast("i"),
        (ctypes.c_int32 * n)(),
        (ctypes.c_uint32 * n)(),
        mmap.mmap(-1, 4 * n),
        np.full(n, -1, dtype=np.int32),
        np.full(n, 5, dtype=np.uint32),
        np.zeros((1, n), dtype=np.int32),
    ):
        assert matcher.fill(row)
        assert bytes(row)[: 4 * n] == expected, type(row)


def test_indexed_rows(matcher, vocabulary, expected):
    n = vocabulary.words
    for masks in (np.full((3, n), 9, dtype=np.int32), sluice.allocate_bitmask(3, vocabulary)):
        before = np.array(masks)
        matcher.fill(masks, 1)
        assert bytes(masks[1]) == expected
        assert (masks[[0, 2]] == before[[0, 2]]).all()
        for index in (-1, 3):
            with pytest.raises(IndexError):
                matcher.fill(masks, index)
    with pytest.raises(ValueError, match="which one"):
        matcher.fill(np.zeros((2, n), dtype=np.int32))


def test_wider_rows_are_zeroed(matcher, vocabulary, expected):
    wide = np.full(vocabulary.words + 3, -1, dtype=np.int32)
    matcher.fill(wide)
    assert bytes(wide)[: len(expected)] == expected
    assert not wide[vocabulary.words :].any()


def test_strided_rows(matcher, vocabulary, expected):
    n = vocabulary.words
    base = np.full((4, n + 5), 3, dtype=np.int32)
    view = base[::2, 2 : 2 + n]
    matcher.fill(view, 1)
    assert bytes(np.ascontiguousarray(base[2, 2 : 2 + n])) == expected
    base[2, 2 : 2 + n] = 3
    assert (base == 3).all()


def refused(n):
    readonly = np.zeros(n, dtype=np.int32)
    readonly.flags.writeable = False
    unaligned = np.frombuffer(bytearray(4 * n + 4), dtype=np.uint8)[1 : 4 * n + 1].view(np.int32)
    return [
        (b"\0" * 4 * n, ValueError),
        (readonly, ValueError),
        (bytearray(4 * n - 4), ValueError),
        (np.zeros(n - 1, dtype=np.int32), ValueError),
        (np.zeros(2 * n, dtype=np.int32)[::2], ValueError),
        (np.zeros((n, 2), dtype=np.int32)[:, 0], ValueError),
        (np.zeros(n, dtype=np.int32)[::-1], ValueError),
        (unaligned, ValueError),
        (np.zeros(n, dtype=[("word", "<i4"), ("other", "<i2")])["word"], ValueError),
        (np.zeros((), dtype=np.int32), ValueError),
        (np.zeros((1, 1, n), dtype=np.int32), ValueError),
        (bytearray(0), ValueError),
        (np.zeros(n, dtype=np.int64), TypeError),
        (np.zeros(n, dtype=np.float32), TypeError),
        (np.zeros(4 * n, dtype=np.uint8), TypeError),
        (np.zeros(n, dtype=np.dtype(">i4")), TypeError),
        (array.array("q", [0] * n), TypeError),
        (array.array("f", [0] * n), TypeError),
        ([0] * n, TypeError),
        (None, TypeError),
    ]


def test_refusals(matcher, vocabulary):
    for row, error in refused(vocabulary.words):
        with pytest.raises(error):
            matcher.fill(row)
        with pytest.raises(error):
            sluice.fill_batch([matcher], row)


class Tensor:
    """Answers as a torch tensor does, on top of a numpy array."""

    def __init__(self, values, dtype="torch.int32", device="cpu"):
        self.values, self.dtype = values, dtype
        self.device = type("Device", (), {"type": device})()

    @property
    def shape(self):
        return self.values.shape

    def stride(self):
        return tuple(s // 4 for s in self.values.strides)

    def data_ptr(self):
        return self.values.__array_interface__["data"][0]


def test_tensors(matcher, vocabulary, expected):
    n = vocabulary.words
    t = Tensor(np.full((2, n), 4, dtype=np.int32))
    for _ in range(2):
        matcher.fill(t, 1)
        assert bytes(t.values[1]) == expected
        t.values[1] = 4
    t.values = np.full((2, n), 6, dtype=np.int32)  # the same object with other memory
    matcher.fill(t, 1)
    assert bytes(t.values[1]) == expected
    assert (t.values[0] == 6).all()
    for wrong in (Tensor(t.values, "torch.int64"), Tensor(t.values, "torch.float32"), Tensor(t.values, device="cuda")):
        with pytest.raises(TypeError):
            matcher.fill(wrong, 0)
    with pytest.raises(ValueError):
        matcher.fill(Tensor(t.values.T), 0)


def test_the_kept_row_is_the_right_one(compiler, vocabulary):
    """fill keeps the address of its last row: another object or index must never meet the old address."""
    m, k = compiler.compile_regex("a").matcher(), compiler.compile_regex("b").matcher()
    masks = np.zeros((4, vocabulary.words), dtype=np.int32)
    for _ in range(3):
        for i in range(4):
            (m if i % 2 else k).fill(masks, i)
        rows = [np.zeros(vocabulary.words, dtype=np.int32) for _ in range(5)]
        for r in rows:
            m.fill(r)
        assert all((r == masks[1]).all() for r in rows)
        assert (masks[0] == masks[2]).all() and (masks[1] == masks[3]).all() and (masks[0] != masks[1]).any()
        masks[:] = 0


def test_an_array_is_the_same_for_all_matchers(compiler, vocabulary, expected):
    """A matcher reuses the facts of another one about an array: it checks index and length again, and the array cannot
    move."""
    n = vocabulary.words
    grammar = compiler.compile_choice(["yes", "no"])
    masks = np.zeros((2, n), dtype=np.int32)
    for index in (0, 1, 0):
        masks[:] = -1
        grammar.matcher().fill(masks, index)
        other = bytearray(4 * n)
        grammar.matcher().fill(other)
        assert bytes(masks[index]) == bytes(other)
        assert (masks[1 - index] == -1).all()
    short = np.zeros(n - 1, dtype=np.int32)
    for _ in range(2):
        with pytest.raises(ValueError):
            grammar.matcher().fill(short)
    row = np.zeros(n, dtype=np.int32)
    grammar.matcher().fill(row)
    with pytest.raises(ValueError):
        row.resize(100 * n)
    small = sluice.Compiler(sluice.Vocabulary.from_tokens([b"a", b"b", b""], end_tokens=[2])).compile_choice(["ab"])
    words = np.zeros(1, dtype=np.int32)
    small.matcher().fill(words)
    assert words[0] == 1
    with pytest.raises(ValueError):
        grammar.matcher().fill(words)


def test_a_kept_bytearray_cannot_move(matcher, vocabulary):
    row = bytearray(4 * vocabulary.words)
    matcher.fill(row)
    with pytest.raises(BufferError):
        row.extend(b"x" * 100000)
    matcher.fill(bytearray(4 * vocabulary.words))
    row.extend(b"x")


def test_allocate(vocabulary):
    masks = sluice.allocate_bitmask(3, vocabulary)
    assert masks.shape == (3, vocabulary.words) and masks.dtype == np.int32 and (masks == -1).all()
    assert sluice.allocate_bitmask(2, 128256).shape == (2, 4008)
    assert sluice.allocate_bitmask(2, 33).shape == (2, 2)
