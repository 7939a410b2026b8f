"""The wheel: one for every Python 3 on this platform, with the library inside, and usable without the checkout."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT

from sluice import _library

PROGRAM = """
import sluice, sys
from sluice import _library
v = sluice.Vocabulary.from_tokens([b"a", b"<end>"], special=[1], end_tokens=[1])
print(sluice.Compiler(v).compile_regex("a").matcher().accept(0), _library.library().path)
"""


def test_wheel(tmp_path):
    setuptools = (
        importlib.util.find_spec("setuptools.command.bdist_wheel") if importlib.util.find_spec("setuptools") else None
    )
    if setuptools is None:
        pytest.skip("setuptools 70.1 or newer is not installed here: no wheel can be built without fetching it")
    source = tmp_path / "source"
    shutil.copytree(ROOT / "bindings" / "python", source, ignore=shutil.ignore_patterns("build", "*.egg-info", "tests"))
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SLUICE_LIBRARY")}
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index"]
    command += ["--disable-pip-version-check", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run(command, env=env | {"SLUICE_LIBRARY": str(_library.find())}, check=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith("sluice_engine-") and "-py3-none-linux_" in wheel.name
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as z:
        names = set(z.namelist())
        z.extractall(installed)
    assert {
        "sluice/__init__.py",
        "sluice/py.typed",
        "sluice/libsluice.so",
        "sluice/vllm/_hooks.py",
        "sluice/sglang/_hooks.py",
    } <= names
    (plugins,) = installed.glob("*.dist-info/entry_points.txt")
    for group, entry in (("vllm.general_plugins", "sluice.vllm"), ("sglang.srt.plugins", "sluice.sglang")):
        assert f"[{group}]\nsluice = {entry}:register\n" in plugins.read_text()
    assert not [n for n in names if n.startswith("tests/")]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=env | {"PYTHONPATH": str(installed)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"True {installed / 'sluice' / 'libsluice.so'}"
