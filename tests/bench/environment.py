"""The Python environment of the benchmark: made once under build/, or named by SLUICE_PEERS."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path

from engines import LAZY_FOLDER, LAZY_VERSION, ROOT

HERE = Path(__file__).resolve().parent
FOLDER = ROOT / "build" / "venv-bench"
TOOLS = ("numpy", "tiktoken", "tokenizers", "mistral_common", "matplotlib")
MARK = "SLUICE_BENCH_ENV"  # set in the process that runs in the environment


def _pip(python: Path, *arguments: str) -> None:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
    if subprocess.run(command).returncode:
        raise SystemExit(
            f"bench: {' '.join(arguments)} could not be installed. Run it without peers (--engines sluice,sluice-c), "
            "or let SLUICE_PEERS name an environment that has tests/bench/requirements*.txt."
        )


def _make(names: list[str]) -> Path:
    """Makes the environment unless it is there; returns its Python."""
    python, stamp = FOLDER / "bin" / "python", FOLDER / "requirements.txt"
    wanted = "".join((HERE / name).read_text() for name in names)
    if not (stamp.is_file() and stamp.read_text().startswith(wanted)):
        print(f"bench: making {FOLDER.relative_to(ROOT)} from {' and '.join(names)}", flush=True)
        venv.create(FOLDER, with_pip=True)
        _pip(python, *(argument for name in names for argument in ("-r", str(HERE / name))))
        stamp.write_text(wanted)
    return python


def _lazy(python: Path) -> None:
    stamp = LAZY_FOLDER / "version.txt"
    if not (stamp.is_file() and stamp.read_text() == LAZY_VERSION):
        _pip(python, "--no-deps", "--upgrade", "--target", str(LAZY_FOLDER), f"xgrammar=={LAZY_VERSION}")
        stamp.write_text(LAZY_VERSION)


def enter(engines: list[str]) -> None:
    """Starts this program again in an environment that has what these engines need, unless it runs in one."""
    peers = any(not name.startswith("sluice") for name in engines)
    if os.environ.get(MARK):
        if missing := [name for name in TOOLS if importlib.util.find_spec(name) is None]:
            raise SystemExit(f"bench: {sys.executable} lacks {', '.join(missing)} of tests/bench/requirements.txt")
        return
    if given := os.environ.get("SLUICE_PEERS"):
        python = Path(given, "bin", "python")
    else:
        python = _make(["requirements.txt", "requirements-peers.txt"] if peers else ["requirements.txt"])
    if "xgrammar-lazy" in engines:
        _lazy(python)
    os.environ[MARK] = str(python)
    os.execv(python, [str(python), *sys.argv])
