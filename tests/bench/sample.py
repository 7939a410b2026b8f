#!/usr/bin/env python3
"""Writes sample/: the constraints of MaskBench and BFCL that `make bench` runs without a download.

    python tests/bench/sample.py               # from build/bench-data, which `make bench-data` fills
    python tests/bench/sample.py --check       # compares with the committed files

The choice depends on names alone: of each split, constraints that have instances come in the order of the SHA-256 of
their ids. A split gets its share of the whole, and three constraints at least. Of the constraints with many tools the
sample has the largest.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLE = HERE / "sample"
LEAST = 3  # constraints of a split
SIZES = {"maskbench": 200, "bfcl": 100}


def split_of(name: str) -> str:
    """Returns the part of an id that names its split: "Github_easy---o1", "BFCL_java_0", "bfcl/parallel_3"."""
    return name.split("---")[0] if "---" in name else re.split(r"_\d", name)[0]


def choose(lines: list[str], size: int) -> list[str]:
    """Returns about `size` lines, in their order."""
    splits: dict[str, list[tuple[bytes, int]]] = defaultdict(list)
    for place, line in enumerate(lines):
        job = json.loads(line)
        if job["tests"]:
            splits[split_of(job["id"])].append((hashlib.sha256(job["id"].encode()).digest(), place))
    total = sum(map(len, splits.values()))
    places = [
        place
        for members in splits.values()
        for _, place in sorted(members)[: max(LEAST, round(size * len(members) / total))]
    ]
    return [lines[place] for place in sorted(places)]


def read(path: Path) -> list[str]:
    return [line for line in gzip.decompress(path.read_bytes()).decode().split("\n") if line]


def make(data: Path) -> dict[str, bytes]:
    """Returns the files of the sample by name."""
    made = {name: choose(read(data / name / "dev.jsonl.gz"), size) for name, size in SIZES.items()}
    made["many"] = [max(read(data / "bfcl" / "many.jsonl.gz"), key=len)]
    return {
        f"{name}.jsonl.gz": gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0)
        for name, lines in made.items()
    }


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--data", type=Path, default=HERE.parents[1] / "build" / "bench-data")
    ap.add_argument("--check", action="store_true")
    a = ap.parse_args()
    if not (a.data / "maskbench").is_dir():
        print(f"sample: {a.data} has no data sets; run `make bench-data`, or name a folder by --data", file=sys.stderr)
        return 1
    differ = []
    for name, content in make(a.data).items():
        path = SAMPLE / name
        if a.check:
            same = path.is_file() and gzip.decompress(path.read_bytes()) == gzip.decompress(content)
            differ += [] if same else [name]
            continue
        path.write_bytes(content)
        print(f"{path}: {len(read(path))} constraints, {len(content):,} bytes")
    if differ:
        print(f"sample: differs from the data in {', '.join(differ)}", file=sys.stderr)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
