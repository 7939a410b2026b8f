"""Logits on a GPU: libsluice's CUDA kernel, or its equivalent in Triton if that kernel cannot run. On other devices:
torch's own operations.

Everything is put on the stream that the framework is using; nothing waits. Numbers that are given as lists are copied
to the device first; in a CUDA graph they have to be tensors that are there already.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, NamedTuple

from . import _abi, _library, _meeting, _tensors
from ._errors import CLASSES
from ._meeting import Options


def apply(logits: Any, view: _tensors.Matrix, mask: Any, indices: Any, o: Options) -> None:
    """Applies rows in memory of a GPU."""
    masks = _tensors.matrix(mask, "masks")
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(logits, torch.Tensor):
        if view.device != "cuda" or any(x is not None for x in (indices, o.mask_indices, o.enabled, o.token_map)):
            raise TypeError(
                f"logits of type {type(logits).__name__} on {view.device}: without torch only whole masks on CUDA "
                "devices are applied here; pass torch tensors (torch.from_dlpack makes them without a copy)"
            )
        numbers = [_Numbers(None, 0, None)] * 4
        meet = _meeting.meeting(view, masks, o, *numbers)
        _library.check(*_launch(view.index, _meeting.packed(view, masks, o, meet, 0, 0, 0, 0), _stream(logits)))
        return
    numbers = [
        _on(torch, logits.device, x, what)
        for x, what in (
            (indices, "indices"),
            (o.mask_indices, "mask_indices"),
            (o.enabled, "enabled"),
            (o.token_map, "token_map"),
        )
    ]
    meet = _meeting.meeting(view, masks, o, *numbers)
    reason = None
    if view.device == "cuda" and not torch.version.hip:
        args = _meeting.packed(view, masks, o, meet, *(x.address for x in numbers))
        status, error = _launch(view.index, args, torch.cuda.current_stream(view.index).cuda_stream)
        if status != _abi.UNAVAILABLE:
            _library.check(status, error)
            return
        reason = _library.failure(status, error)
    elif view.device not in ("cuda", "xpu"):
        from . import _torch

        _torch.apply(torch, logits, mask, meet, o, *(x.tensor for x in numbers))
        return
    try:
        from . import _triton
    except ImportError as e:
        raise reason or _unavailable(f"logits on {view.device} need Triton, which is not installed") from e
    _triton.apply(logits, mask, view, meet, o, *(x.tensor for x in numbers))


class _Numbers(NamedTuple):
    """Numbers on the device, as _tensors.Vector has them on the CPU."""

    n: int | None
    address: int
    tensor: Any


def _unavailable(text: str) -> Exception:
    return CLASSES[_abi.UNAVAILABLE](f"apply_bitmask: {text}", code=_abi.UNAVAILABLE, source="apply_bitmask")


_prepared: set[tuple[_library.Library, int]] = set()


def _launch(device: int, args: bytes, stream: int) -> tuple[int, _abi.Error]:
    lib, error = _library.library(), _library.scratch()
    if (lib, device) not in _prepared:
        # Without the GIL: the driver is loaded and compiles the kernels. The call below repeats an error of this one.
        lib.cuda_prepare(device, ctypes.byref(error))
        _prepared.add((lib, device))
    return lib.cuda_apply(args, stream, ctypes.byref(error)), error


def _stream(x: Any) -> int:
    """CuPy's current stream; other frameworks' arrays go to the stream that waits for all others."""
    cupy = sys.modules.get("cupy")
    return cupy.cuda.get_current_stream().ptr if cupy is not None and isinstance(x, cupy.ndarray) else 0


def _on(torch: Any, device: Any, x: Any, what: str) -> _Numbers:
    """Returns numbers as an int32 tensor on the device."""
    if x is None:
        return _Numbers(None, 0, None)
    if not isinstance(x, torch.Tensor):
        x = torch.tensor(x if isinstance(x, (list, tuple)) else list(x), dtype=torch.int32)
    if x.ndim != 1 or x.dtype.is_floating_point:
        raise TypeError(f"{what} are integers in one dimension, this tensor is {x.dtype} of shape {tuple(x.shape)}")
    x = x.to(device=device, dtype=torch.int32, non_blocking=True).contiguous()
    return _Numbers(len(x), _tensors.address(x), x)
