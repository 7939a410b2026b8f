"""The wheel: one for every Python 3 on this platform, with the library inside, and usable without the checkout."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT

from sluice import _library

# Behind the ten lines of README.md: which library they ran with, and that nothing else was there to help.
BEHIND = """
import importlib.util
from sluice import _library
print(_library.library().path, [n for n in ("numpy", "torch", "pytest") if importlib.util.find_spec(n)])
"""


def test_wheel(tmp_path):
    setuptools = (
        importlib.util.find_spec("setuptools.command.bdist_wheel") if importlib.util.find_spec("setuptools") else None
    )
    if setuptools is None:
        pytest.skip("setuptools 70.1 or newer is not installed here: no wheel can be built without fetching it")
    source = tmp_path / "checkout"
    shutil.copytree(
        ROOT / "bindings" / "python",
        source / "bindings" / "python",
        ignore=shutil.ignore_patterns("*.egg-info", "tests*"),
    )
    texts = ("LICENSE", "THIRD_PARTY.md")
    for name in (*texts, "pyproject.toml", "setup.py", "MANIFEST.in"):
        shutil.copy(ROOT / name, source)
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SLUICE_LIBRARY")}
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index"]
    command += ["--disable-pip-version-check", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run(command, env=env | {"SLUICE_LIBRARY": str(_library.find())}, check=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith("sluice_engine-") and "-py3-none-linux_" in wheel.name
    with zipfile.ZipFile(wheel) as z:
        names = set(z.namelist())
        (plugins,) = (z.read(n).decode() for n in names if n.endswith(".dist-info/entry_points.txt"))
        for name in texts:
            (found,) = (z.read(n) for n in names if n.endswith(f".dist-info/licenses/{name}"))
            assert found == (ROOT / name).read_bytes()
    assert {
        "sluice/__init__.py",
        "sluice/py.typed",
        "sluice/libsluice.so",
        "sluice/vllm/_hooks.py",
        "sluice/sglang/_hooks.py",
    } <= names
    for group, entry in (("vllm.general_plugins", "sluice.vllm"), ("sglang.srt.plugins", "sluice.sglang")):
        assert f"[{group}]\nsluice = {entry}:register\n" in plugins
    assert not [n for n in names if n.startswith("tests/")]
    check_readme(wheel, tmp_path, env)


def test_build_without_go(tmp_path):
    """Without Go, the build prints one sentence; with a finished library it needs no Go."""
    script = "import build_backend; print(build_backend.get_requires_for_build_wheel())"
    python = ROOT / "bindings" / "python"
    env = os.environ | {"PYTHONPATH": str(python), "PATH": str(tmp_path)}
    env.pop("SLUICE_LIBRARY", None)
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("sluice-engine: Go is needed to build") and "install a wheel" in line
    env["SLUICE_LIBRARY"] = str(_library.find())
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def check_readme(wheel, folder, env):
    """An environment with the wheel and nothing else runs the blocks of README.md, away from the checkout."""
    page = (ROOT / "README.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 3
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True, timeout=60)
    python = folder / "venv" / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*install, "--disable-pip-version-check", str(wheel)], env=env, check=True, timeout=120)
    data = folder / "elsewhere" / "tests" / "data"
    data.mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "data" / "tokenizer.json.gz", data)
    done = subprocess.run(
        [str(python), "-I", "-c", "".join(blocks) + BEHIND],
        env=env,
        cwd=folder / "elsewhere",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    output, error, behind = done.stdout.splitlines()
    assert f"# {output} or" in page or f"or {output}\n" in page
    assert f"# {error}\n" in page
    (library,) = (folder / "venv").glob("lib/python3*/site-packages/sluice/libsluice.so")
    assert behind == f"{library} []"


@pytest.mark.skipif(shutil.which("go") is None, reason="Go says what is in the library")
def test_third_party_texts():
    """Every module whose code is in the library has its line."""
    command = ["go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./capi"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120).stdout.split()
    text = (ROOT / "THIRD_PARTY.md").read_text()
    listed = set(re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE))
    assert listed == set(found)
