"""Masks on a device and descriptions of devices, without a device: against the drivers that tests/cuda builds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import sluice

DRIVERS = ROOT / "build" / "cmake" / "tests" / "cuda"


def driver(name: str) -> Path:
    folder = DRIVERS / name
    if not folder.is_dir():
        pytest.skip(f"{folder} was not built: run `make test-c` before")
    return folder


def run(folder: Path | None, *command: str) -> str:
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "bindings" / "python"))
    if folder:
        environment["LD_LIBRARY_PATH"] = str(folder)
    done = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Exception ignored" not in done.stderr, done.stderr
    return done.stdout


def test_pool():
    pytest.importorskip("numpy")
    assert run(driver("fake_cuda"), str(Path(__file__).with_name("pool_script.py"))) == "ok\n"


def test_devices_of_a_driver():
    code = """
import sluice
found = sluice.devices()
first, lost = found
assert (found.driver, found.cuda, found.reason) == ("535.104.05", (12, 2), "")
assert (first.name, first.compute_capability, first.memory_total) == ("Test GPU", (9, 0), 80 << 30)
assert first.compute_percent is None and not first.error
assert "GPU is lost" in lost.error and lost.name == ""
print("ok")
"""
    assert run(driver("fake_nvml"), "-c", code) == "ok\n"


def test_devices_of_this_machine():
    found = sluice.devices()
    assert (len(found) == 0) == (found.reason != "")
    for i, d in enumerate(found):
        assert d.index == i and d.name and d.compute_capability > (0, 0) and d.memory_free <= d.memory_total


def test_no_driver(vocabulary):
    if sluice.devices():
        pytest.skip("this machine has a device")
    with pytest.raises(sluice.UnavailableError, match="CUDA driver"):
        sluice.MaskPool(vocabulary, 0)
