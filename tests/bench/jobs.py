"""Constraints and instances: how a file of them is read, and the job file that native.c reads.

A line of a data set is {"id", "schema" or "kind" + "spec", "tests": [{"valid", "data" or "text"}]}.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from vocabulary import END_NAMES, Vocabulary

__all__ = ["END_NAMES", "encode", "instance_of", "read_jobs", "spec_of", "write"]

KINDS = {"json_schema": 1, "regex": 2, "ebnf": 3, "lark": 4, "structural_tag": 5, "choice": 6}
MAGIC = b"SLJOBS1\n"


def read_jobs(path: Path, limit: int | None = None) -> list[dict[str, Any]]:
    """Reads constraints; of more than the limit it takes those whose ids have the least SHA-256."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    jobs = [json.loads(line) for line in text.split("\n") if line.strip()]
    if not limit or limit >= len(jobs):
        return jobs
    return sorted(jobs, key=lambda job: hashlib.sha256(job["id"].encode()).digest())[:limit]


def spec_of(job: dict[str, Any]) -> str:
    return job["spec"] if job.get("spec") is not None else json.dumps(job["schema"], ensure_ascii=False)


def instance_of(test: dict[str, Any]) -> str:
    return test["text"] if "text" in test else json.dumps(test["data"], ensure_ascii=False)


def text(value: bytes) -> bytes:
    return struct.pack("<I", len(value)) + value


def ids(values: list[int]) -> bytes:
    return struct.pack(f"<I{len(values)}i", len(values), *values)


def encode(job: dict[str, Any], tokens_of: Callable[[str], list[int]]) -> Iterator[bytes]:
    yield text(job["id"].encode())
    yield struct.pack("<I", KINDS[job.get("kind", "json_schema")])
    yield text(spec_of(job).encode("utf-8", "surrogatepass"))
    yield text(b"")  # options
    yield struct.pack("<I", len(job["tests"]))
    for test in job["tests"]:
        yield struct.pack("<B", test["valid"]) + ids(tokens_of(instance_of(test)))


def write(jobs: list[dict[str, Any]], vocabulary: Vocabulary, out: Path) -> None:
    """Writes the job file of native.c."""
    with open(out, "wb") as file:
        file.write(MAGIC + ids([vocabulary.end]) + struct.pack("<I", len(jobs)))
        for job in jobs:
            file.writelines(encode(job, vocabulary.encode))
