"""Logits and masks as memory: reads address, shape and kind from torch tensors, numpy arrays, DLPack objects and
buffers.

The module imports nothing for that; it reads the attributes of an object. Invariant: a Matrix describes memory exactly
as the object does, or there is an exception; its pin keeps that memory alive. The caller checks whether the memory is
right for a call.
"""

from __future__ import annotations

import array
import ctypes
from collections.abc import Iterable
from typing import Any, NamedTuple

F32, F16, BF16, INT32 = "float32", "float16", "bfloat16", "int32"

# Names of element types, as numpy, torch and DLPack have them, to the four kinds that matter here.
_TYPESTR = {"<f4": F32, "<f2": F16, "<i4": INT32, "<u4": INT32}
_FORMATS = {"f": F32, "e": F16, "i": INT32, "I": INT32, "l": INT32, "L": INT32}
_DLPACK_TYPES = {(2, 32): F32, (2, 16): F16, (4, 16): BF16, (0, 32): INT32, (1, 32): INT32}
_DLPACK_DEVICES = {1: "cpu", 2: "cuda", 3: "cpu", 10: "rocm", 13: "cuda"}
SIZES = {F32: 4, F16: 2, BF16: 2, INT32: 4}


# Kinds by torch's objects for element types, noted when one is first met: asking one for its name takes 0.5 µs.
_kinds: dict[Any, str] = {}


class Matrix(NamedTuple):
    """Rows in memory."""

    address: int
    rows: int
    width: int
    stride: int  # elements from one row to the next
    kind: str  # F32, F16, BF16 or INT32
    device: str  # "cpu", "cuda", or the framework's name for it
    index: int  # type: ignore[assignment]  # which of these devices
    pin: Any


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def matrix(x: Any, what: str, writable: bool = False) -> Matrix:
    """Reads a one- or two-dimensional object; a one-dimensional one is a single row. `what` names it in errors."""
    if hasattr(x, "data_ptr"):
        return _torch(x, what)
    interface = getattr(x, "__array_interface__", None)
    if interface is not None:
        return from_interface(x, interface, what, writable)
    if hasattr(x, "__dlpack__"):
        return _dlpack(x, what)
    return _buffer(x, what, writable)


def _shaped(
    what: str,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    address: int,
    kind: str,
    device: str,
    index: int,
    pin: Any,
) -> Matrix:
    if len(shape) == 1:
        rows, width, stride, step = 1, shape[0], shape[0], strides[0]
    elif len(shape) == 2:
        (rows, width), (stride, step) = shape, strides
    else:
        raise ValueError(f"{what} have one or two dimensions, this object has {len(shape)}")
    if width > 1 and step != 1:
        raise ValueError(f"the elements of a row of {what} must lie beside each other; this object's are strided")
    if rows <= 1:
        stride = width
    elif stride < width:
        raise ValueError(f"rows of {what} overlap or run backwards in this object")
    # PERF: 0.1 µs; Matrix(…) itself takes 0.3.
    return tuple.__new__(Matrix, (address, rows, width, stride, kind, device, index, pin))


def _wrong_kind(what: str, found: object) -> TypeError:
    wanted = "float32, float16 or bfloat16" if what == "logits" else "int32 (or uint32)"
    return TypeError(f"{what} are {wanted}, this object is {found}")


def _torch(t: Any, what: str) -> Matrix:
    """A torch tensor, or an object with the same interface."""
    dtype = t.dtype
    kind = _kinds.get(dtype)
    if kind is None:
        kind = str(dtype).rpartition(".")[2].replace("uint32", INT32)
        if kind not in SIZES:
            raise _wrong_kind(what, dtype)
        _kinds[dtype] = kind
    if t.is_cpu:
        return _shaped(what, t.shape, t.stride(), t.data_ptr(), kind, "cpu", 0, t)
    device = t.device
    return _shaped(what, t.shape, t.stride(), address(t), kind, device.type, device.index or 0, t)


def address(t: Any) -> int:
    """Returns the address of a torch tensor, 0 if its device has none, as XLA."""
    try:
        at: int = t.data_ptr()
    except RuntimeError:
        at = 0
    return at


def from_interface(a: Any, interface: dict[str, Any], what: str, writable: bool) -> Matrix:
    """Reads a numpy array from its `__array_interface__`."""
    kind = _TYPESTR.get(interface["typestr"])
    if kind is None and str(getattr(a, "dtype", "")) == BF16:  # numpy knows it through ml_dtypes, as two bytes
        kind = BF16
    if kind is None:
        raise _wrong_kind(what, getattr(a, "dtype", interface["typestr"]))
    address, readonly = interface["data"]
    if readonly and writable:
        raise ValueError("this array is read-only")
    shape, strides, size = interface["shape"], interface.get("strides"), SIZES[kind]
    if strides is None:
        strides = _contiguous(shape)
    elif any(s % size for s in strides):  # a field of a packed record: rounding down would call it contiguous
        raise ValueError(f"the elements of a row of {what} must lie beside each other; these are fields of something")
    else:
        strides = tuple(s // size for s in strides)
    return _shaped(what, shape, strides, address, kind, "cpu", 0, a)


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (shape[-1], 1)[2 - len(shape) :] if 1 <= len(shape) <= 2 else (1,) * len(shape)


def _dlpack(x: Any, what: str) -> Matrix:
    """An object of any other framework that speaks DLPack: JAX, CuPy, … The capsule is the pin."""
    capsule = x.__dlpack__()
    at = _capsule_pointer(capsule, b"dltensor")
    t = _DLTensor.from_address(at)
    kind = _DLPACK_TYPES.get((t.code, t.bits)) if t.lanes == 1 else None
    if kind is None:
        raise _wrong_kind(what, getattr(x, "dtype", f"DLPack type {t.code}, {t.bits} bits"))
    shape = tuple(t.shape[i] for i in range(t.ndim))
    strides = tuple(t.strides[i] for i in range(t.ndim)) if t.strides else _contiguous(shape)
    device = _DLPACK_DEVICES.get(t.device_type, f"DLPack device {t.device_type}")
    return _shaped(what, shape, strides, (t.data or 0) + t.byte_offset, kind, device, t.device_id, (x, capsule))


def _capsule_pointer(capsule: Any, name: bytes) -> int:
    # A function object of our own: the one that is an attribute of pythonapi is everybody's.
    get = ctypes.pythonapi["PyCapsule_GetPointer"]
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address: int = get(capsule, name)
    return address


def _buffer(x: Any, what: str, writable: bool) -> Matrix:
    try:
        view = memoryview(x)
    except (TypeError, BufferError) as e:
        raise TypeError(f"{what} are arrays, tensors or buffers, not {type(x).__name__}") from e
    kind = _FORMATS.get(view.format.lstrip("@=<"))
    if kind is None or SIZES[kind] != view.itemsize:
        raise _wrong_kind(what, f"a buffer of format {view.format!r}")
    if view.readonly:
        raise ValueError("this buffer is read-only")
    if not view.c_contiguous:
        raise ValueError("this buffer has gaps; pass a contiguous one")
    shape = tuple(view.shape or ())
    if view.nbytes == 0:
        return _shaped(what, shape, _contiguous(shape), 0, kind, "cpu", 0, view)
    pin = ctypes.c_char.from_buffer(x)  # also keeps an array.array from being resized
    return _shaped(what, shape, _contiguous(shape), ctypes.addressof(pin), kind, "cpu", 0, pin)


class Vector(NamedTuple):
    """int32 numbers in memory of the CPU, for parameters such as row indices."""

    address: int
    n: int | None  # None: the parameter was not given
    pin: Any


NONE = Vector(0, None, None)


def vector(x: Any, what: str) -> Vector:
    """Reads numbers. Copies them unless they are adjacent int32 in memory of the CPU."""
    if not isinstance(x, (list, tuple, range)):
        try:
            m = matrix(x, what)
        except (TypeError, ValueError):
            m = None
        if m is not None and m.kind == INT32 and m.device == "cpu" and m.rows <= 1 and not _unsigned(x):
            return Vector(m.address, m.width, m.pin)
        if hasattr(x, "tolist"):
            x = x.tolist()
    return _copied(x, what)


def _unsigned(x: Any) -> bool:
    return "uint" in str(getattr(x, "dtype", "")) or getattr(x, "typecode", "i") in "IL"


def _copied(numbers: Iterable[int], what: str) -> Vector:
    numbers = list(numbers)
    if any(isinstance(n, bool) for n in numbers):
        raise TypeError(f"{what} are numbers, not booleans: pass where they are true, as numpy.flatnonzero finds it")
    try:
        copy = array.array("i", numbers)
    except (TypeError, OverflowError) as e:
        raise type(e)(f"{what} are int32 numbers: {e}") from e
    address, n = copy.buffer_info()
    return Vector(address, n, copy)


def exchange(kind: type) -> int:
    """Returns the address of the functions by which a framework's type shows its tensors to C, 0 if it has none."""
    capsule = getattr(kind, "__dlpack_c_exchange_api__", None)
    try:
        return _capsule_pointer(capsule, b"dlpack_exchange_api") if capsule is not None else 0
    except ValueError:  # a capsule of another name
        return 0
