"""include/sluice/cuda.h in ctypes, and the keys of masks from sluice.h, as `_abi` is for the rest."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

from ._abi import Sized

ID_ROW, ID_NONE = -1, -2
UNKNOWN = 0x7FFFFFFF


class MaskKey(Structure):
    """sluice_mask_key."""

    _fields_ = [("low", c_uint64), ("high", c_uint64)]


class PoolOptions(Sized):
    """sluice_cuda_pool_options."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("device", c_int32),
        ("mask_words", c_uint32),
        ("slots", c_uint32),
        ("staging", c_uint32),
        ("reserved", c_uint32),
    ]


class Put(Sized):
    """sluice_cuda_put."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("pool", c_uint64),
        ("stream", c_void_p),
        ("n", c_size_t),
        ("keys", POINTER(MaskKey)),
        ("masks", c_void_p),
        ("mask_stride", c_size_t),
        ("ids", POINTER(c_int32)),
        ("ticket", c_uint64),
    ]


class PoolUse(Sized):
    """sluice_cuda_pool_use."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("ids_on_device", c_uint32),
        ("pool", c_uint64),
        ("ids", c_void_p),
        ("ticket", c_uint64),
    ]


class PoolFacts(Sized):
    """sluice_cuda_pool_facts."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("mask_words", c_uint32),
        ("slots", c_uint32),
        ("resident", c_uint32),
        ("open_tickets", c_uint32),
        ("staging", c_uint32),
        ("device_bytes", c_uint64),
        ("hits", c_uint64),
        ("uploads", c_uint64),
        ("uploaded_bytes", c_uint64),
        ("evictions", c_uint64),
        ("refused", c_uint64),
    ]


class DevicesFacts(Sized):
    """sluice_devices_facts."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("n_devices", c_uint32),
        ("cuda_major", c_uint32),
        ("cuda_minor", c_uint32),
        ("driver", c_char * 80),
        ("reason", c_char * 256),
    ]


class DeviceFacts(Sized):
    """sluice_device_facts."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("compute_major", c_uint32),
        ("compute_minor", c_uint32),
        ("compute_percent", c_uint32),
        ("memory_percent", c_uint32),
        ("reserved", c_uint32),
        ("memory_total", c_uint64),
        ("memory_free", c_uint64),
        ("name", c_char * 96),
        ("uuid", c_char * 96),
        ("bus", c_char * 32),
    ]


_H, _P = c_uint64, c_void_p

# As in _abi. Calls that load a driver, compile for a device or wait for it are long; calls that only enqueue work are
# short.
LONG: dict[str, tuple[str, list[Any]]] = {
    "batch_keys_long": ("sluice_batch_try_keys", [_P, _P, c_uint32, _P]),
    "cuda_prepare": ("sluice_cuda_prepare", [c_int32, _P]),
    "cuda_pool_new": ("sluice_cuda_pool_new", [_P, _P, _P]),
    "cuda_pool_put": ("sluice_cuda_pool_put", [_P, _P]),
    "devices": ("sluice_devices", [_P, _P]),
    "device_info": ("sluice_device_info", [c_uint32, _P, _P]),
}
SHORT: dict[str, tuple[str, list[Any]]] = {
    "batch_keys": ("sluice_batch_try_keys", [_P, _P, c_uint32, _P]),
    "matcher_mask_key": ("sluice_matcher_mask_key", [_H, _P, _P]),
    "cuda_apply": ("sluice_cuda_apply", [_P, _P, _P]),
    "cuda_pool_apply": ("sluice_cuda_pool_apply", [_P, _P, _P, _P]),
    "cuda_pool_close": ("sluice_cuda_pool_close", [_H, c_uint64, _P, _P]),
    "cuda_pool_info": ("sluice_cuda_pool_info", [_H, _P, _P]),
}
FREE = {"cuda_pool_free": "sluice_cuda_pool_free"}
