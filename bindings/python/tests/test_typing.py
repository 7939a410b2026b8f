"""Type checkers on programs that use the package: nothing about right ones, an error about each mistake."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from conftest import ROOT, environment

pytest.importorskip("mypy")

BEGIN = """\
from __future__ import annotations
import array
import numpy as np
import sluice

v = sluice.Vocabulary.from_tokens([b"a", b"</s>"], end_tokens=[1])
c = sluice.Compiler(v, cache_bytes=0)
m = c.compile_regex("a+").matcher()
"""
RIGHT = """\
options: sluice.Options = {"compact": True, "indent": None}
g: sluice.Grammar = c.compile("json_schema", {}, **options)
masks = sluice.allocate_bitmask(2, v)
constrained: bool = m.fill(masks, 0)
m.fill(bytearray(4))
m.fill(array.array("i", [0]))
ids: list[int] = sluice.allowed_ids(masks, 0)
text: str = v.decode(ids) + m.output.decode()
logits = sluice.apply_bitmask(np.zeros((2, 2), np.float32), masks)
logits.sum()
kind: sluice.Kind = g.kind
effects: list[str] = [note.effect for note in g.notes]
future = c.submit("choice", ["a"], lenient=None)
grammar: sluice.Grammar = future.result()
batch = sluice.Batch([m, None])
batch.accept(np.array([0, 0]))
sluice.concat(("regex", "a"), ("json_schema", {}))
family: str = sluice.family_of("Qwen/Qwen3-8B")
"""
WRONG = {
    'c.compile("jsonschema", {})': "arg-type",
    "c.compile_json_schema({}, compct=True)": "call-arg",
    'c.compile_json_schema({}, compact="yes")': "typeddict-item|arg-type",
    'c.compile_json_schema({}, escapes="none")': "typeddict-item|arg-type",
    "sluice.Compiler(v, cache_byte=1)": "call-arg",
    "c.compile_regex(5)": "arg-type",
    'm.accept("a")': "arg-type",
    "m.fill(5)": "arg-type",
    "m.outputs": "attr-defined",
    'n: int = sluice.family_of("x")': "assignment",
    "sluice.bitmask_shape(1)": "call-arg",
    "sluice.Vocabulary.from_vocab({}, 'bytelevel')": "arg-type",
    "sluice.Vocabulary.from_tiktoken(5)": "arg-type",
}


def complaints(tmp_path, program: str) -> dict[int, str]:
    """Returns mypy's codes by line."""
    (tmp_path / "program.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", tmp_path / "cache", "program.py"],
        cwd=tmp_path,
        env=environment(MYPYPATH=str(ROOT / "bindings" / "python")),
        capture_output=True,
        text=True,
        timeout=300,
    )
    found = re.findall(r"^program.py:(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.MULTILINE)
    assert found or done.returncode == 0 or "Found" in done.stdout, done.stdout + done.stderr
    return {int(line): code for line, code in found}


def test_right_and_wrong_programs(tmp_path):
    first = len((BEGIN + RIGHT).splitlines()) + 1
    found = complaints(tmp_path, BEGIN + RIGHT + "\n".join(WRONG) + "\n")
    assert {line: code for line, code in found.items() if line < first} == {}
    for line, (program, code) in enumerate(WRONG.items(), first):
        assert re.fullmatch(code, found.get(line, "")), f"{program}: {found.get(line)}"
