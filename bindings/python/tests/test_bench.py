"""The native benchmark, on a few jobs of the small set: it builds, and its verdicts are the labels of the jobs."""

from __future__ import annotations

import gzip
import json
import shutil
import struct
import subprocess
import sys

import pytest
from conftest import ROOT

import sluice
from sluice import _library

BENCH = ROOT / "tests" / "bench"
TOKENIZER = ROOT / "tests" / "data" / "tokenizer.json.gz"
sys.path.insert(0, str(BENCH))

import jobs


class ByteTokenizer:
    """Encodes text as the one-byte tokens of a vocabulary."""

    def __init__(self, vocabulary: sluice.Vocabulary):
        self.table = {vocabulary.token_bytes(i): i for i in reversed(range(vocabulary.size))}

    def encode(self, text: str, add_special_tokens: bool) -> ByteTokenizer:
        self.ids = [self.table[bytes([b])] for b in text.encode()]
        return self


@pytest.fixture(scope="module")
def native(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler on this machine: the native benchmark cannot be built")
    program = tmp_path_factory.mktemp("native") / "native"
    library = _library.find().resolve()
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", str(ROOT / "include")]
    link = [str(library), f"-Wl,-rpath,{library.parent}"]
    subprocess.run([compiler, *flags, str(BENCH / "native.c"), "-o", str(program), *link], check=True)
    return program


def run(native, picked, folder, *flags):
    vocabulary = sluice.Vocabulary.from_file(TOKENIZER)
    tokenizer, packed, out = ByteTokenizer(vocabulary), folder / "jobs.bin", folder / "out.jsonl"
    with open(packed, "wb") as f:
        f.write(jobs.MAGIC + jobs.ids([vocabulary.token_id("<|end|>")]) + struct.pack("<I", len(picked)))
        for job in picked:
            f.writelines(jobs.encode(job, tokenizer))
    subprocess.run([str(native), str(packed), str(TOKENIZER), str(out), *flags], check=True, timeout=120)
    first, *rest = (json.loads(line) for line in out.read_text().splitlines())
    assert first["engine"].startswith("sluice (C) ") and first["noop_ns"] > 0
    return rest


def test_verdicts(native, tmp_path):
    picked = [json.loads(line) for line in gzip.decompress((BENCH / "small.jsonl.gz").read_bytes()).splitlines()][:12]
    wrong = json.loads(json.dumps(picked[0]))
    for test in wrong["tests"]:
        test["valid"] = not test["valid"]
    broken = {"id": "broken", "kind": "regex", "spec": "a(", "tests": [{"valid": True, "text": "a"}]}
    plain = run(native, [*picked, wrong, broken], tmp_path)
    for job, r in zip(picked, plain):
        assert (r["id"], r["outcome"], r["valid_rejected"], r["invalid_accepted"]) == (job["id"], "ok", 0, 0)
        assert r["bad"] == [] and len(r["fills"]) > 0 and r["first_mask_ns"] > r["compile_ns"] > 0
    labels = [t["valid"] for t in picked[0]["tests"]]
    assert (plain[12]["valid_rejected"], plain[12]["invalid_accepted"]) == (labels.count(False), labels.count(True))
    assert plain[12]["bad"] == list(range(len(labels)))
    assert plain[13]["outcome"] == "unsupported" and "regex" in plain[13]["error"]


def test_second_walk(native, tmp_path):
    picked = [json.loads(line) for line in gzip.decompress((BENCH / "small.jsonl.gz").read_bytes()).splitlines()][:3]
    for r in run(native, picked, tmp_path, "--twice"):
        assert len(r["again"]) == len(r["fills"]) == len(r["cold"]) and set(r["cold"]) <= {"0", "1"}


def test_harness_options():
    from harness_options import options_of

    assert options_of({"dialect": "draft7", "any_order": True}) == {"dialect": "draft-07", "any_order": True}
    with pytest.raises(ValueError, match="colour"):
        options_of({"colour": "red"})
