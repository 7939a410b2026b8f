"""docs/migration.md: each program of another library prints the output of ours, if the library is installed.

SLUICE_PEERS names an environment that has them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, environment

PAGE = (ROOT / "docs" / "migration.md").read_text()
PROGRAMS = re.findall(r'^```python title="([^"]+)"\n(.*?)^```$', PAGE, re.DOTALL | re.MULTILINE)
PEERS = os.environ.get("SLUICE_PEERS")
PYTHON = str(Path(PEERS) / "bin" / "python") if PEERS else sys.executable


def _run(code, **more):
    return subprocess.run([PYTHON, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300, **more)


@pytest.mark.parametrize("name, program", PROGRAMS, ids=[name for name, _ in PROGRAMS])
def test_program(name, program):
    packages = sorted(set(re.findall(r"^(?:import|from) (\w+)", program, re.MULTILINE)))
    asked = f"from importlib.util import find_spec; print([p for p in {packages} if not find_spec(p)])"
    missing = _run(asked).stdout.strip()
    if missing != "[]":
        pytest.skip(f"{name} needs {missing}: SLUICE_PEERS names an environment that has it")
    done = _run(program, env=environment())
    assert done.returncode == 0, done.stderr
    assert done.stdout.replace(" ", "") == '{"ok":false}\n'


def test_each_library_has_a_program():
    assert [name.split()[0] for name, _ in PROGRAMS] == ["XGrammar", "LLGuidance", "outlines-core"]
