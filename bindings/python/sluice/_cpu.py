"""Logits in memory of the CPU: libsluice's own kernels."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _library, _meeting, _tensors
from ._library import _state
from ._meeting import Options

# The most bytes of logits that are worked on without giving the interpreter up to other threads: some 50 µs.
_SHORT = 1 << 20


def apply(logits: _tensors.Matrix, masks: _tensors.Matrix, indices: Any, o: Options) -> None:
    """Applies rows in memory of the CPU."""
    none = _tensors.NONE
    index = none if indices is None else _tensors.vector(indices, "indices")
    of = none if o.mask_indices is None else _tensors.vector(o.mask_indices, "mask_indices")
    enabled = none if o.enabled is None else _tensors.vector(o.enabled, "enabled")
    token_map = none if o.token_map is None else _tensors.vector(o.token_map, "token_map")
    meet = _meeting.meeting(logits, masks, o, index, of, enabled, token_map)
    args = _meeting.packed(logits, masks, o, meet, index.address, of.address, enabled.address, token_map.address)
    library = _state.library or _library.library()
    short = meet.n * logits.width <= _SHORT // 4
    call = library.apply_short if short else library.apply
    if call(args, None):  # it has written nothing, and says why if it is asked again
        error = _library.scratch()
        _library.check(call(args, ctypes.byref(error)), error)
