"""Which NVIDIA GPUs this machine has. No driver is an answer and not an error."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

from . import _abi_cuda, _library


class Device(NamedTuple):
    """Describes one GPU as its management library does. A field is None if the library does not report it."""

    index: int  # type: ignore[assignment]  # in the order of bus addresses
    name: str
    uuid: str
    bus: str
    compute_capability: tuple[int, int]
    memory_total: int  # bytes
    memory_free: int
    compute_percent: int | None  # share of the last second or so in which a kernel ran
    memory_percent: int | None  # share in which its memory was read or written
    error: str  # why it does not answer, "" if it does; it is named here nevertheless, since it counts


class Devices(tuple[Device, ...]):
    """Lists the GPUs of a machine and describes their driver.

    Attributes:
        driver: its version, "" without one.
        cuda: the newest CUDA that it serves, (0, 0) without one.
        reason: why there are no devices, in words; "" if there are some.
    """

    driver: str
    cuda: tuple[int, int]
    reason: str


def devices() -> Devices:
    """Returns the GPUs of this machine as they are now. Without any, the result is empty and has a `reason`."""
    lib, error, facts = _library.library(), _library.scratch(), _abi_cuda.DevicesFacts()
    _library.check(lib.devices(ctypes.byref(facts), ctypes.byref(error)), error)
    found = []
    for i in range(facts.n_devices):
        gpu = _abi_cuda.DeviceFacts(compute_percent=_abi_cuda.UNKNOWN, memory_percent=_abi_cuda.UNKNOWN)
        status = lib.device_info(i, ctypes.byref(gpu), ctypes.byref(error))
        found.append(
            Device(
                index=i,
                name=gpu.name.decode("utf-8", "replace"),
                uuid=gpu.uuid.decode("utf-8", "replace"),
                bus=gpu.bus.decode("utf-8", "replace"),
                compute_capability=(gpu.compute_major, gpu.compute_minor),
                memory_total=gpu.memory_total,
                memory_free=gpu.memory_free,
                compute_percent=_known(gpu.compute_percent),
                memory_percent=_known(gpu.memory_percent),
                error=str(_library.failure(status, error)) if status else "",
            )
        )
    result = Devices(found)
    result.driver = facts.driver.decode("utf-8", "replace")
    result.cuda = (facts.cuda_major, facts.cuda_minor)
    result.reason = facts.reason.decode("utf-8", "replace")
    return result


def _known(share: int) -> int | None:
    return None if share == _abi_cuda.UNKNOWN else share
