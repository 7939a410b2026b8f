"""Rows of masks: turns numpy arrays, torch tensors and any other writable buffer into an address.

The module imports neither numpy nor torch; it reads the attributes of the objects. A row is refused unless it is
writable memory of the CPU, of 32-bit integers, without gaps, and long enough: a mask written anywhere else is
corruption.
"""

from __future__ import annotations

import array
import ctypes
import operator
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from ._typing import Bitmask

_INT32 = frozenset("iIlL")
_BYTES = frozenset("BbcX")


class Block(NamedTuple):
    """Rows in memory: the first word, how many rows, words in a row, words from one row to the next."""

    address: int
    rows: int
    words: int
    stride: int
    pin: Any  # keeps the memory alive


def block(masks: Any) -> Block:
    """Returns the rows of a one- or two-dimensional object; a one-dimensional one is a single row."""
    interface = getattr(masks, "__array_interface__", None)
    if interface is not None:
        return _array(masks, interface)
    if hasattr(masks, "data_ptr"):
        return _tensor(masks)
    return _buffer(masks)


def row(masks: Any, index: int | None, words: int) -> tuple[int, int, Any]:
    """Returns address, length in words, and pin of row `index` (None: the only one), which must hold `words` words."""
    b = block(masks)
    if index is None:
        if b.rows != 1:
            raise ValueError(f"{b.rows} rows were given and no index; say which one: fill(masks, index)")
        index = 0
    elif not 0 <= (index := operator.index(index)) < b.rows:
        raise IndexError(f"row {index} of {b.rows}")
    if b.words < words:
        raise ValueError(f"a row of {b.words} words is too short: this vocabulary needs {words} (Vocabulary.words)")
    return b.address + 4 * b.stride * index, b.words, b.pin


def _shape(shape: tuple[int, ...], strides: tuple[int, ...], address: int, pin: Any) -> Block:
    """Checks the layout; strides are in words."""
    if len(shape) == 1:
        shape, strides = (1, *shape), (shape[0], *strides)
    if len(shape) != 2:
        raise ValueError(f"masks have one or two dimensions, this object has {len(shape)}")
    rows, words = shape
    if words > 1 and strides[1] != 1:
        raise ValueError("the words of a row must lie beside each other; this object's are strided")
    if rows > 1 and strides[0] < words:
        raise ValueError("rows overlap or run backwards in this object")
    if address % 4:
        raise ValueError("rows must be aligned to 4 bytes")
    return Block(address, rows, words, strides[0], pin)


def _array(a: Any, interface: dict[str, Any]) -> Block:
    """A numpy array; its interface says all in one look-up, which a fresh view per call pays every time."""
    if interface["typestr"] not in ("<i4", "<u4"):
        raise TypeError(f"masks are int32 (or uint32) arrays, this one is {getattr(a, 'dtype', interface['typestr'])}")
    address, readonly = interface["data"]
    if readonly:
        raise ValueError("this array is read-only")
    shape, strides = interface["shape"], interface.get("strides")
    words = shape[-1] if shape else 0
    if strides is None:
        return _shape(shape, (words, 1)[2 - len(shape) :], address, a)
    if any(s % 4 for s in strides):  # a field of a packed record: rounding down would call it contiguous
        raise ValueError("the words of a row must lie beside each other; this array's are fields of something larger")
    return _shape(shape, tuple(s // 4 for s in strides), address, a)


def _tensor(t: Any) -> Block:
    """A torch tensor, or an object with the same interface."""
    dtype = str(t.dtype)
    if dtype.rpartition(".")[2] not in ("int32", "uint32"):
        raise TypeError(f"masks are int32 (or uint32) tensors, this one is {dtype}")
    device = getattr(t.device, "type", str(t.device))
    if device != "cpu":
        raise TypeError(
            f"masks are written by the CPU, this tensor is on {device}; fill a pinned CPU tensor and copy it"
        )
    return _shape(tuple(t.shape), tuple(t.stride()), t.data_ptr(), t)


def _buffer(masks: Any) -> Block:
    try:
        view = memoryview(masks)
    except (TypeError, BufferError) as e:
        raise TypeError(f"masks are numpy arrays, torch tensors or writable buffers, not {type(masks).__name__}") from e
    if view.readonly:
        raise ValueError("this buffer is read-only")
    code = view.format.lstrip("@=<")
    if view.itemsize == 4 and code in _INT32:
        shape, strides = tuple(view.shape or ()), tuple(s // 4 for s in view.strides or ())
    elif view.itemsize == 1 and code in _BYTES and view.ndim == 1 and view.c_contiguous:
        shape, strides = (view.nbytes // 4,), (1,)
    else:
        raise TypeError(f"masks are int32 (or uint32) words, this object holds items of format {view.format!r}")
    if view.nbytes == 0:
        raise ValueError("this buffer is empty")
    if not view.c_contiguous:
        raise ValueError("this buffer has gaps; pass a contiguous one")
    pin = ctypes.c_char.from_buffer(masks)  # also keeps a bytearray from being resized
    return _shape(shape, strides, ctypes.addressof(pin), pin)


def links(table: Any) -> Block:
    """Returns the rows of a two-dimensional table of int64, which is only read: an array of numpy or a tensor of torch
    without gaps, in memory of the CPU, or lists. `words` are its elements."""
    interface = getattr(table, "__array_interface__", None)
    if interface is not None:
        dtype, shape, address = interface["typestr"], interface["shape"], interface["data"][0]
        whole = interface.get("strides") is None
    elif hasattr(table, "data_ptr"):
        dtype, shape, address = str(table.dtype), tuple(table.shape), table.data_ptr()
        whole = table.is_contiguous() and getattr(table.device, "type", "cpu") == "cpu"
    else:
        lists = [list(row) for row in table]
        if len({len(row) for row in lists}) > 1:
            raise ValueError("the rows of a table of nodes have one length")
        flat = array.array("q", [x for row in lists for x in row])
        return Block(flat.buffer_info()[0], len(lists), len(lists[0]) if lists else 0, 0, flat)
    if dtype not in ("<i8", "torch.int64") or len(shape) != 2 or not whole:
        raise TypeError(
            f"nodes are int64 [places, nodes] without gaps, in memory of the CPU, not {dtype} {tuple(shape)}"
        )
    return Block(address, shape[0], shape[1], shape[1], table)


def floats(column: Any) -> Block:
    """Returns the numbers of a one-dimensional object of float32 without gaps, each as a row of one word."""
    interface = getattr(column, "__array_interface__", None)
    if interface is not None:
        dtype, shape, (address, readonly) = interface["typestr"], interface["shape"], interface["data"]
        whole, pin = interface.get("strides") is None, column
    elif hasattr(column, "data_ptr"):
        dtype, shape, address, readonly = str(column.dtype), tuple(column.shape), column.data_ptr(), False
        whole, pin = column.is_contiguous() and getattr(column.device, "type", "cpu") == "cpu", column
    else:
        view = memoryview(column)
        dtype, shape, readonly, whole = (
            view.format.lstrip("@=<"),
            tuple(view.shape or ()),
            view.readonly,
            view.c_contiguous,
        )
        pin = None if readonly or not view.nbytes else ctypes.c_char.from_buffer(column)
        address = ctypes.addressof(pin) if pin is not None else 0
    if dtype not in ("<f4", "torch.float32", "f") or len(shape) != 1 or not whole or readonly:
        raise TypeError(
            f"temperatures are a writable float32 [rows] without gaps, in memory of the CPU, not {dtype} {tuple(shape)}"
        )
    return Block(address, shape[0], 1, 1, pin)


def allocate(rows: int, words: int) -> Bitmask:
    """Returns `rows` rows of ones: a numpy int32 array if numpy is installed, else a two-dimensional memoryview."""
    try:
        import numpy
    except ImportError:
        flat = memoryview(bytearray(b"\xff" * (4 * rows * words)))
        made: Any = flat.cast("i", (rows, words)) if rows * words else flat
        return cast("Bitmask", made)
    return numpy.full((rows, words), -1, dtype=numpy.int32)
