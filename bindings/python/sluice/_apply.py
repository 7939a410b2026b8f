"""apply_bitmask: masks meet logits, wherever those are.

Logits in memory of the CPU go to libsluice's own kernels, torch tensors on an NVIDIA GPU to its CUDA kernel on torch's
current stream. Tensors on other GPUs go to the same kernel in Triton, as on an NVIDIA GPU that cannot load the kernel.
Tensors on other devices (NPU, HPU, MPS, XLA) go to torch's own operations.
The module imports nothing but the packages of the caller's objects.

Start reading at apply_bitmask, then _apply, _meeting.py (which rows meet, everything checked), and the modules that it
hands the rows to: _cpu.py, _gpu.py, and _jax.py for arrays that cannot be written to.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from . import _abi, _cpu, _library, _tensors
from ._meeting import Options

if TYPE_CHECKING:
    from ._typing import Array, Memory, Numbers

T = TypeVar("T")

# For types whose tensors C can read without help: the library's function and its first parameter, the address of the
# type's own function table; None for other types. An entry is made at the first call with a type. A forked child starts
# anew, since it has a library of its own.
_shown: dict[type, tuple[Any, Any] | None] = {}
os.register_at_fork(after_in_child=_shown.clear)

_pointer = ctypes.c_void_p.from_param


def apply_bitmask(
    logits: T,
    mask: Array,
    indices: Numbers | None = None,
    mask_indices: Numbers | None = None,
    vocab_size: int | None = None,
    keep_beyond: bool = False,
    token_map: Numbers | None = None,
    map_offsets: bool = False,
    enabled: Numbers | None = None,
    threads: int = 1,
) -> T:
    """Sets logits to −inf, in place, if the bit of their token is 0, and returns them.

    A JAX array cannot be written to: a new one is returned, and `logits` stays as it was. Of all other objects the
    one that was given is returned.

    Args:
        logits: [rows, vocabulary] or [vocabulary], float32, float16 or bfloat16: a numpy array, a torch tensor on any
            device, a JAX array, anything else with DLPack, or a writable buffer.
        mask: [rows, words] or [words], int32 or uint32, of any of these, on the same device: bit i of word i // 32 is
            token i. One row serves all rows of logits.
        indices: the rows to work on, all others stay as they are: row k of logits meets row k of the mask, for each k
            given. Default: all rows.
        mask_indices: the rows of the mask for `indices`, one each, if their numbers differ; −1 leaves a row
            of logits as it is.
        vocab_size: the number of tokens that the mask covers, if it is less than 32 a word.
        keep_beyond: logits of ids beyond the mask stay as they are; otherwise they become −inf.
        token_map: for each logit the token that it stands for, as a draft model with a vocabulary of its own has it.
        map_offsets: the map has the distance from the logit's own number to the token instead.
        enabled: for each row of `indices` (or of logits) a number; rows with 0 stay as they are.
        threads: the most threads to use on the CPU; each gets 2 MiB of logits or more.

    Raises:
        TypeError, ValueError: logits or masks have a wrong type, or their shapes do not match.
        ArgumentError: a row is out of range.
        UnavailableError: there is no kernel for this device here.
    """
    # PERF: 0.5 µs instead of 4 for the code below, of 2 to 6 that a row takes (cpu/README.md). So no parameter is
    # keyword-only, which would cost 0.06.
    kind = type(logits)
    if (
        kind is type(mask)
        and (indices is mask_indices is vocab_size is token_map is enabled is None)  # type: ignore[comparison-overlap]
        and not keep_beyond
        and (entry := _shown.get(kind))
    ):
        apply, functions = entry
        try:
            if not apply(functions, _pointer(id(logits)), _pointer(id(mask))):
                return logits
        except (BufferError, RuntimeError, TypeError, ValueError):
            pass  # a tensor that its framework does not like to show; _apply says why, or manages
    return _apply(
        logits,
        mask,
        indices,
        Options(mask_indices, vocab_size, keep_beyond, token_map, map_offsets, enabled, threads, "best"),
    )


def _apply(logits: T, mask: Any, indices: Any, o: Options) -> T:
    """apply_bitmask for all objects."""
    kind = type(logits)
    if kind not in _shown:
        functions = _tensors.exchange(kind)
        _shown[kind] = (_library.library().apply_dlpack, _pointer(functions)) if functions else None
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(logits, jax.Array):
        from . import _jax

        made: T = _jax.apply(logits, mask, indices, o)
        return made
    view = _tensors.matrix(logits, "logits", writable=True)
    if view.device != "cpu":
        from . import _gpu

        _gpu.apply(logits, view, mask, indices, o)
    else:
        _cpu.apply(view, _tensors.matrix(mask, "masks"), indices, o)
    return logits


def apply_sparse(
    ids: Memory, logits: Memory, mask: Memory, *, vocab_size: int | None = None, keep_beyond: bool = False
) -> int:
    """Sets logits of forbidden candidates to −inf, in place, and returns the number of allowed ones.

    Args:
        ids: the candidates' tokens, int32, one-dimensional, in memory of the CPU.
        logits: their logits, float32, float16 or bfloat16, as many.
        mask: one row of a mask; vocab_size, keep_beyond: as for apply_bitmask.

    Both may be columns of one numpy structured array, as llama.cpp's candidates are.
    """
    row = _tensors.matrix(mask, "masks")
    if row.rows != 1 or row.device != "cpu" or row.kind != _tensors.INT32:
        raise ValueError("candidates meet one row of an int32 mask in memory of the CPU")
    if vocab_size is not None and not 0 <= vocab_size <= 32 * row.width:
        raise ValueError(f"vocab_size is {vocab_size}, a mask of {row.width} words speaks of {32 * row.width}")
    of_ids, of_logits = _column(ids, "ids"), _column(logits, "logits", writable=True)
    if of_ids[3] != _tensors.INT32 or of_logits[3] not in _abi.DTYPES:
        raise TypeError(f"ids are int32 and logits float32, float16 or bfloat16, not {of_ids[3]} and {of_logits[3]}")
    if of_ids[1] != of_logits[1]:
        raise ValueError(f"{of_ids[1]} ids and {of_logits[1]} logits")
    args = _abi.SparseArgs(
        dtype=_abi.DTYPES[of_logits[3]],
        flags=bool(keep_beyond) * _abi.APPLY_KEEP_BEYOND,
        ids=of_ids[0],
        id_step=of_ids[2],
        logits=of_logits[0],
        logit_step=of_logits[2],
        n=of_ids[1],
        mask=row.address,
        mask_words=row.width if vocab_size != 0 else 0,
        covered=vocab_size or 0,
    )
    kept, error = ctypes.c_size_t(), _library.scratch()
    status = _library.library().apply_sparse(ctypes.byref(args), ctypes.byref(kept), ctypes.byref(error))
    if status:
        raise _library.failure(status, error)
    return kept.value


def _column(x: Any, what: str, writable: bool = False) -> tuple[int, int, int, str, Any]:
    """Returns address, length, bytes from one to the next, kind and pin of a one-dimensional object, strided or not."""
    interface = getattr(x, "__array_interface__", None)
    if interface is not None and len(interface["shape"]) == 1 and interface.get("strides"):
        flat = dict(interface, strides=None)  # _tensors refuses strides, which are fine here
        m = _tensors.from_interface(x, flat, what, writable)
        return m.address, m.width, interface["strides"][0], m.kind, m.pin
    m = _tensors.matrix(x, what, writable)
    if m.rows != 1 or m.device != "cpu":
        raise ValueError(f"{what} of candidates are one-dimensional and in memory of the CPU")
    return m.address, m.width, _tensors.SIZES[m.kind], m.kind, m.pin


def cpu_level() -> Literal["generic", "avx2", "avx512", "neon"]:
    """Returns the instruction set of the CPU kernels on this machine: generic, avx2, avx512 or neon."""
    best = _library.library().cpu_level()
    named = next(name for name, number in _abi.CPU_LEVELS.items() if number == best)
    return cast('Literal["generic", "avx2", "avx512", "neon"]', named)
