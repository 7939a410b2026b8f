"""Applies masks to JAX arrays. These are immutable, so the functions return a new array.

On the CPU, libsluice's kernel works on a copy through DLPack. On other devices and inside jit, an expression in
jax.numpy does the same, and XLA compiles it to one kernel.
"""

from __future__ import annotations

import sys
from typing import Any

from . import _cpu, _tensors
from ._meeting import Options


def apply(logits: Any, mask: Any, indices: Any, o: Options) -> Any:
    """Returns the logits with −inf for forbidden tokens."""
    jax = sys.modules["jax"]
    given = (logits, mask, indices, o.mask_indices, o.enabled, o.token_map)
    traced = any(isinstance(x, jax.core.Tracer) for x in given)
    if traced or {d.platform for d in logits.devices()} != {"cpu"} or len(logits.devices()) > 1:
        return _expression(jax.numpy, logits, mask, indices, o)
    out = jax.numpy.array(logits, copy=True)  # no other code has a reference to it yet, so writing is safe
    out.block_until_ready()
    if isinstance(mask, jax.Array):
        mask.block_until_ready()
    _cpu.apply(_tensors.matrix(out, "logits"), _tensors.matrix(mask, "masks"), indices, o)
    return out


def _expression(np: Any, logits: Any, mask: Any, indices: Any, o: Options) -> Any:
    """The semantics of kernels.h in jax.numpy.

    Tracing knows shapes but not numbers. So rows out of range are skipped, as in kernels on devices.
    """
    rows = logits if logits.ndim == 2 else logits[None]
    words = np.asarray(mask)
    words = words if words.ndim == 2 else words[None]
    if str(words.dtype) not in ("int32", "uint32"):
        raise TypeError(f"masks are int32 (or uint32), this array is {words.dtype}")
    n_rows, vocab = rows.shape
    index = np.arange(n_rows) if indices is None else np.asarray(indices, dtype=np.int32)
    if o.mask_indices is not None:
        of = np.asarray(o.mask_indices, dtype=np.int32)
    elif words.shape[0] == 1:
        of = np.zeros_like(index)
    elif indices is None and words.shape[0] != n_rows:
        raise ValueError(f"{n_rows} rows of logits and {words.shape[0]} rows of masks: say which meet, with indices")
    else:
        of = index
    if o.vocab_size is not None and not 0 <= o.vocab_size <= 32 * words.shape[1]:
        raise ValueError(f"vocab_size is {o.vocab_size}, a mask of {words.shape[1]} words is too short for it")
    if of.shape != index.shape:
        raise ValueError(f"{of.shape[0]} mask_indices for {index.shape[0]} rows of logits")
    live = (index >= 0) & (index < n_rows) & (of >= 0) & (of < words.shape[0])
    if o.enabled is not None:
        live &= np.asarray(o.enabled) != 0
    token = np.arange(vocab)
    if o.token_map is not None:
        token = np.asarray(o.token_map) + (token if o.map_offsets else 0)
    covered = 32 * words.shape[1] if o.vocab_size is None else o.vocab_size
    inside = (token >= 0) & (token < covered)
    safe = np.where(inside, token, 0)
    if covered:
        picked = words[np.clip(of, 0, words.shape[0] - 1)][:, safe // 32]
        stays = (picked >> (safe % 32).astype(picked.dtype)) & 1 != 0
    else:
        stays = np.zeros((index.shape[0], vocab), dtype=bool)
    denied = live[:, None] & np.where(inside[None], ~stays, not o.keep_beyond)
    # If several pairs name a row, all their masks apply.
    all_denied = np.zeros(rows.shape, dtype=bool).at[np.where(live, index, n_rows)].max(denied, mode="drop")
    return np.where(all_denied, -np.inf, rows).astype(logits.dtype).reshape(logits.shape)
