"""Masks as arrays: made, reset, looked at, and turned into booleans and back. Bit i of word i // 32 is token i.

Only functions whose result is a numpy array import numpy.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import _abi, _library, _rows
from ._ids import token_ids
from ._vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._typing import Bitmask, Memory, Tensor


def bitmask_shape(batch: int, vocabulary: Vocabulary | int) -> tuple[int, int]:
    """Returns the shape of `batch` rows, (rows, words of 32 bits), for a vocabulary or a number of logits."""
    return batch, vocabulary.words if isinstance(vocabulary, Vocabulary) else (vocabulary + 31) // 32


def allocate_bitmask(batch: int, vocabulary: Vocabulary | int) -> Bitmask:
    """Returns int32 [batch, words] in which every row allows every token.

    The result is a numpy array if numpy is installed, else a memoryview of the same shape. A row that no matcher fills
    constrains nothing.
    """
    return _rows.allocate(*bitmask_shape(batch, vocabulary))


def reset_bitmask(masks: Memory, rows: Iterable[int] | None = None) -> None:
    """Sets all bits of the given rows, or of all rows, so that they allow every token again."""
    block = _rows.block(masks)
    for row in range(block.rows) if rows is None else rows:
        ctypes.memset(_address(block, row), 0xFF, 4 * block.words)


def filter_bitmask(
    masks: Memory, ids: Iterable[int] | Tensor, row: int | None = None, *, allow: bool = False, reset: bool = False
) -> None:
    """Clears the bits of tokens in a row, or sets them, on top of the constraint.

    Args:
        masks: [words] or [rows, words] in CPU memory, as for `Matcher.fill`.
        ids: the tokens.
        row: the row to change; optional if `masks` has one row.
        allow: allow the tokens instead of forbidding them.
        reset: first allow every token, or with `allow` none.

    Raises:
        ValueError: `row` is missing and `masks` has several rows.
        IndexError: `masks` has no such row.
    """
    block, tokens = _rows.block(masks), token_ids(ids)
    if row is None and block.rows != 1:
        raise ValueError(f"{block.rows} rows were given and no number: say which one")
    address, n = tokens.buffer_info()
    flags = allow * _abi.FILTER_ALLOW + reset * _abi.FILTER_RESET
    error = _library.scratch()
    status = _library.library().mask_filter(
        _address(block, row or 0), block.words, address, n, flags, ctypes.byref(error)
    )
    _library.check(status, error)


def allowed_ids(masks: Memory, row: int | None = None) -> list[int]:
    """Returns the ids that a row allows, ascending. `row` is optional if `masks` has one row."""
    block = _rows.block(masks)
    if row is None and block.rows != 1:
        raise ValueError(f"{block.rows} rows were given and no number: say which one")
    bits = int.from_bytes(ctypes.string_at(_address(block, row or 0), 4 * block.words), "little")
    return [i for i, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"]


def bitmask_to_bool(masks: Memory, size: int) -> npt.NDArray[np.bool_]:
    """Returns the first `size` bits of each row as booleans: numpy [rows, size]."""
    import numpy

    block = _rows.block(masks)
    if size > 32 * block.words:
        raise ValueError(f"rows of {block.words} words have {32 * block.words} bits, fewer than {size}")
    raw = b"".join(ctypes.string_at(_address(block, row), 4 * block.words) for row in range(block.rows))
    octets = numpy.frombuffer(raw, dtype=numpy.uint8).reshape(block.rows, 4 * block.words)
    return numpy.unpackbits(octets, axis=1, count=size, bitorder="little").astype(bool)


def bool_to_bitmask(allowed: npt.ArrayLike) -> Bitmask:
    """Returns numpy int32 [rows, words] with a 1 bit for each true value.

    `allowed` is [rows, size] or [size]: anything that numpy converts to an array."""
    import numpy

    bits = numpy.atleast_2d(numpy.asarray(allowed, dtype=bool))
    rows, words = bitmask_shape(bits.shape[0], bits.shape[1])
    octets = numpy.zeros((rows, 4 * words), dtype=numpy.uint8)
    packed = numpy.packbits(bits, axis=1, bitorder="little")
    octets[:, : packed.shape[1]] = packed
    return octets.view(numpy.int32)


def _address(block: _rows.Block, row: int) -> int:
    if not 0 <= (row := operator.index(row)) < block.rows:
        raise IndexError(f"row {row} of {block.rows}")
    return block.address + 4 * block.stride * row
