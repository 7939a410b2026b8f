"""Logits on devices for which there is no kernel (NPU, HPU, MPS, XLA, …): the semantics of kernels.h in torch's own
operations.

Only operations that every backend has are used, nothing waits for the device, and no number is read from it. So rows
out of range are skipped, as in kernels on devices. Logits are written in place.
"""

from __future__ import annotations

from typing import Any

from ._meeting import Meeting, Options

_PAIRS = 64  # pairs of rows at once: the bits of their masks take 4 bytes a token for a moment


def apply(
    torch: Any, logits: Any, mask: Any, meet: Meeting, o: Options, index: Any, of: Any, enabled: Any, token_map: Any
) -> None:
    """Applies rows; the last four are tensors of int32 on the device, or None."""
    rows = logits if logits.ndim == 2 else logits.unsqueeze(0)
    words = (mask if mask.ndim == 2 else mask.unsqueeze(0)).view(torch.int32)
    n_rows, vocab, device = rows.shape[0], rows.shape[1], rows.device
    if n_rows == 0:
        return
    covered = 32 * words.shape[1] if o.vocab_size is None else o.vocab_size
    token = torch.arange(vocab, dtype=torch.int32, device=device)
    if token_map is not None:
        token = token_map + token if o.map_offsets else token_map
    inside = (token >= 0) & (token < covered)
    safe = torch.where(inside, token, torch.zeros_like(token))
    place, bit = (safe // 32).long(), safe % 32
    pairs = torch.arange(meet.n, dtype=torch.int32, device=device)
    index = pairs if index is None else index
    if of is None:
        of = index if meet.same else pairs if meet.mask_stride else torch.zeros_like(pairs)
    live = (index >= 0) & (index < n_rows) & (of >= 0) & (of < words.shape[0])
    if enabled is not None:
        live = live & (enabled != 0)
    zero = torch.zeros_like(index)
    at, of = torch.where(live, index, zero).long(), torch.where(live, of, zero).long()
    denied = torch.zeros((n_rows, vocab), dtype=torch.int32, device=device)
    for first in range(0, meet.n, _PAIRS):
        some = min(_PAIRS, meet.n - first)
        no = torch.full((some, vocab), int(not o.keep_beyond), dtype=torch.int32, device=device)
        if covered and words.shape[0]:
            picked = words.index_select(0, of.narrow(0, first, some)).index_select(1, place)
            no = torch.where(inside, 1 - ((picked >> bit) & 1), no)
        # If several pairs name a row, all their masks apply.
        denied.index_add_(0, at.narrow(0, first, some), no * live.narrow(0, first, some).int().unsqueeze(1))
    rows.masked_fill_(denied != 0, float("-inf"))
