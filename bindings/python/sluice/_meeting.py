"""The call of a kernel: pairs rows of logits with rows of masks, and fills the struct that describes them.

Nothing here knows the device of the rows; _cpu.py, _gpu.py, _triton.py and _jax.py do.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from . import _abi, _tensors

_SIZE = ctypes.sizeof(_abi.ApplyArgs)


class Options(NamedTuple):
    """The parameters of apply_bitmask besides logits, mask and indices."""

    mask_indices: Any = None
    vocab_size: int | None = None
    keep_beyond: bool = False
    token_map: Any = None
    map_offsets: bool = False
    enabled: Any = None
    threads: int = 1
    level: str = "best"


class Meeting(NamedTuple):
    """How many pairs of rows there are, and how the masks' rows are to be understood."""

    n: int
    n_mask_rows: int
    mask_stride: int
    mask_words: int
    same: bool  # a row of masks has the number of its row of logits


def meeting(
    logits: _tensors.Matrix, masks: _tensors.Matrix, o: Options, index: Any, of: Any, enabled: Any, token_map: Any
) -> Meeting:
    """Checks that logits and masks fit together. The last four have n, how many numbers there are; None: not given."""
    if logits.kind not in _abi.DTYPES:
        raise TypeError(f"logits are float32, float16 or bfloat16, this object is {logits.kind}")
    if masks.kind != _tensors.INT32:
        raise TypeError(f"masks are int32 (or uint32), this object is {masks.kind}")
    if masks.device != logits.device or masks.index != logits.index:
        raise ValueError(
            f"logits are on {logits.device}:{logits.index}, masks on {masks.device}:{masks.index}: bring them together"
        )
    words = masks.width
    if o.vocab_size is not None:
        if not 0 <= o.vocab_size <= 32 * words:
            raise ValueError(f"vocab_size is {o.vocab_size}, masks of {words} words speak of {32 * words}")
        if o.vocab_size == 0:
            words = 0  # the struct has no other way to say it
    n = logits.rows if index.n is None else index.n
    if of.n is not None and of.n != n:
        raise ValueError(f"{of.n} mask_indices for {n} rows of logits")
    if enabled.n is not None and enabled.n != n:
        raise ValueError(f"{enabled.n} numbers in enabled for {n} rows of logits")
    if token_map.n is not None and token_map.n != logits.width:
        raise ValueError(f"token_map has {token_map.n} numbers, a row has {logits.width} logits")
    if of.n is None and masks.rows == 1:
        return Meeting(n, n, 0, words, False)
    if of.n is None and index.n is None and masks.rows != n:
        raise ValueError(f"{n} rows of logits and {masks.rows} rows of masks: say which meet, with indices")
    return Meeting(n, masks.rows, masks.stride, words, of.n is None)


def packed(
    logits: _tensors.Matrix,
    masks: _tensors.Matrix,
    o: Options,
    meet: Meeting,
    index: int,
    of: int,
    enabled: int,
    token_map: int,
) -> bytes:
    """Returns the struct of the call; the last four are addresses or 0."""
    return _abi.pack_apply(
        _SIZE,
        _abi.DTYPES[logits.kind],
        bool(o.keep_beyond) * _abi.APPLY_KEEP_BEYOND + bool(o.map_offsets) * _abi.APPLY_MAP_OFFSETS,
        0 if logits.device != "cpu" else min(max(o.threads, 0), 1 << 16),
        logits.address,
        0,
        logits.rows,
        logits.stride,
        logits.width,
        masks.address,
        0,
        meet.n_mask_rows,
        meet.mask_stride,
        meet.mask_words,
        o.vocab_size or 0,
        meet.n,
        index,
        index if meet.same else of,
        enabled,
        token_map,
        _abi.CPU_LEVELS[o.level],
        0,
    )
