"""The kernel in Triton, for GPUs for which libsluice has no code (ROCm, XPU).

Like the CUDA kernel it writes −inf for bits that are 0 and reads no logits. It skips pairs whose rows are out of range,
because only the device knows the row numbers.

tests_torch/check_apply.py tests it on the CPU with TRITON_INTERPRET=1.
"""

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl

from . import _tensors
from ._meeting import Meeting, Options

# Words for each program: 4,096 logits.
_WORDS = 128


@triton.jit
def _kernel(
    logits,
    masks,
    index,
    mask_index,
    enabled,
    token_map,
    n_logit_rows,
    logit_stride,
    vocab_size,
    n_mask_rows,
    mask_stride,
    covered,
    HAS_INDEX: tl.constexpr,
    HAS_MASK_INDEX: tl.constexpr,
    HAS_ENABLED: tl.constexpr,
    HAS_MAP: tl.constexpr,
    MAP_OFFSETS: tl.constexpr,
    KEEP_BEYOND: tl.constexpr,
    WORDS: tl.constexpr,
):
    pair = tl.program_id(0)
    row = pair.to(tl.int64)
    of = pair.to(tl.int64)
    if HAS_INDEX:
        row = tl.load(index + pair).to(tl.int64)
    if HAS_MASK_INDEX:
        of = tl.load(mask_index + pair).to(tl.int64)
    live = (row >= 0) & (row < n_logit_rows) & (of >= 0) & (of < n_mask_rows)
    if HAS_ENABLED:
        live = live & (tl.load(enabled + pair) != 0)
    if live:
        word_at = tl.program_id(1) * WORDS + tl.arange(0, WORDS)
        at = word_at[:, None] * 32 + tl.arange(0, 32)[None, :]
        there = at < vocab_size
        if HAS_MAP:
            token = tl.load(token_map + at, mask=there, other=0).to(tl.int64)
            if MAP_OFFSETS:
                token += at
            inside = (token >= 0) & (token < covered)
            word = tl.load(masks + of * mask_stride + token // 32, mask=there & inside, other=0)
            allowed = ((word >> (token % 32).to(tl.int32)) & 1) != 0
        else:
            inside = at < covered
            word = tl.load(masks + of * mask_stride + word_at, mask=word_at * 32 < covered, other=0)
            allowed = ((word[:, None] >> tl.arange(0, 32)[None, :]) & 1) != 0
        denied = there & ((inside & allowed) == 0)
        if KEEP_BEYOND:
            denied = denied & inside
        tl.store(logits + row * logit_stride + at, float("-inf"), mask=denied)


def apply(
    logits: Any,
    mask: Any,
    view: _tensors.Matrix,
    meet: Meeting,
    o: Options,
    index: Any,
    mask_index: Any,
    enabled: Any,
    token_map: Any,
) -> None:
    """Launches the kernel on torch's current stream. `view` and `meet` hold checked numbers, the others are tensors."""
    if meet.n == 0 or view.width == 0:
        return
    if meet.same:
        mask_index = index
    grid = (meet.n, triton.cdiv(view.width, 32 * _WORDS))
    _kernel[grid](  # pyright: ignore[reportIndexIssue]
        logits,
        mask,
        index if index is not None else mask,
        mask_index if mask_index is not None else mask,
        enabled if enabled is not None else mask,
        token_map if token_map is not None else mask,
        view.rows,
        view.stride,
        view.width,
        meet.n_mask_rows,
        meet.mask_stride,
        32 * meet.mask_words if o.vocab_size is None else o.vocab_size,
        HAS_INDEX=index is not None,
        HAS_MASK_INDEX=mask_index is not None,
        HAS_ENABLED=enabled is not None,
        HAS_MAP=token_map is not None,
        MAP_OFFSETS=bool(o.map_offsets),
        KEEP_BEYOND=bool(o.keep_beyond),
        WORDS=_WORDS,
    )
