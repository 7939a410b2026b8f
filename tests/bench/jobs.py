#!/usr/bin/env python3
"""Prepares a job file for native.c: constraints as text, instances as token ids.

    python tests/bench/jobs.py --data jobs.jsonl.gz --tokenizer tokenizer.json.gz --out jobs.bin [--sample 200]

The input is what ../shared/peers/maskbench.py reads, {"id", "schema" or "kind"+"spec", "tests": [{"valid", "data" or
"text"}]} on each line, and the same --sample takes the same jobs as there.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness_options import options_of

KINDS = {"json_schema": 1, "regex": 2, "ebnf": 3, "lark": 4, "structural_tag": 5, "choice": 6}
MAGIC = b"SLJOBS1\n"
# The end token of a vocabulary is the first of these that it has, as in maskbench.py.
END_NAMES = ["<|eot_id|>", "<|end_of_text|>", "<|im_end|>", "<|endoftext|>", "<|end|>", "<eos>", "</s>"]


def open_text(path: Path) -> str:
    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()


def read_jobs(path: Path, sample: int | None) -> list[dict[str, Any]]:
    jobs = [json.loads(line) for line in open_text(path).split("\n") if line.strip()]
    if not sample or sample >= len(jobs):
        return jobs
    return sorted(jobs, key=lambda j: hashlib.sha256(j["id"].encode()).digest())[:sample]


def text(value: bytes) -> bytes:
    return struct.pack("<I", len(value)) + value


def ids(values: list[int]) -> bytes:
    return struct.pack(f"<I{len(values)}i", len(values), *values)


def encode(job: dict[str, Any], tokenizer: Any) -> Iterator[bytes]:
    spec = job["spec"] if job.get("spec") is not None else json.dumps(job["schema"], ensure_ascii=False)
    options = options_of(job.get("options", {}))
    yield text(job["id"].encode())
    yield struct.pack("<I", KINDS[job.get("kind", "json_schema")])
    yield text(spec.encode("utf-8", "surrogatepass"))
    yield text(json.dumps(options).encode() if options else b"")
    yield struct.pack("<I", len(job["tests"]))
    for test in job["tests"]:
        instance = test["text"] if "text" in test else json.dumps(test["data"], ensure_ascii=False)
        yield struct.pack("<B", test["valid"]) + ids(tokenizer.encode(instance, add_special_tokens=False).ids)


def write(data: Path, tokenizer_path: Path, out: Path, sample: int | None, options: dict[str, Any]) -> int:
    """Writes the job file; returns how many jobs are in it."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(open_text(tokenizer_path))
    end = [i for name in END_NAMES if (i := tokenizer.token_to_id(name)) is not None][:1]
    jobs = read_jobs(data, sample)
    with open(out, "wb") as f:
        f.write(MAGIC + ids(end) + struct.pack("<I", len(jobs)))
        for job in jobs:
            job["options"] = job.get("options", {}) | options
            f.writelines(encode(job, tokenizer))
    return len(jobs)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--data", type=Path, required=True)
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--sample", type=int)
    ap.add_argument("--options", type=json.loads, default={}, help="JSON object, added to every job's options")
    a = ap.parse_args()
    print(f"{write(a.data, a.tokenizer, a.out, a.sample, a.options)} jobs in {a.out}")


if __name__ == "__main__":
    main()
