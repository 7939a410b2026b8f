#!/usr/bin/env python3
"""Fetches the whole data sets of the benchmark: `make bench-data`.

    make bench-data                           # into build/bench-data, 45 MB over the network
    make bench-data BENCH_DATA="--out DIR"

data/manifest.json names the source, revision and licence of each set and the SHA-256 of every file. A file whose hash
differs stops the program. It writes maskbench/dev.jsonl.gz, bfcl/dev.jsonl.gz and bfcl/many.jsonl.gz, one constraint
with its instances a line, and compares their hashes with the manifest as well.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import sys
import tarfile
import urllib.error
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import bfcl

HERE = Path(__file__).resolve().parent
MANIFEST = HERE / "data" / "manifest.json"
SETS = ("maskbench", "bfcl")


class DataError(Exception):
    """A file that cannot be had, or that is not the one of the manifest."""


def get(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=120) as response:
            return response.read()
    except (urllib.error.URLError, OSError) as e:
        raise DataError(f"{url}: {e}") from e


def checked(name: str, data: bytes, expected: str) -> bytes:
    """Returns the data if its SHA-256 is the expected one."""
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise DataError(f"{name}: SHA-256 is {found}, and the manifest has {expected}")
    return data


def listing(path: Path) -> dict[str, str]:
    """Reads a compressed list of the kind that sha256sum writes."""
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}


def lines_of(records: Iterable[dict[str, Any]], **form: Any) -> str:
    return "".join(json.dumps(record, ensure_ascii=False, **form) + "\n" for record in records)


def maskbench(entry: dict[str, Any], folder: Path) -> dict[str, str]:
    """Returns the files to write: the schemas of an archive that the list names, in the list's order."""
    wanted = listing(folder / entry["files"])
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(get(entry["archive"])), mode="r:gz") as archive:
        for member in archive:
            name = member.name.partition("/")[2]  # below the archive's own folder
            if name in wanted and (file := archive.extractfile(member)):
                found[name] = checked(name, file.read(), wanted[name])
    missing = [name for name in wanted if name not in found]
    if missing:
        raise DataError(f"{entry['archive']}: {len(missing)} files are missing, {missing[0]} first")
    records = []
    for name in wanted:
        record = json.loads(found[name])
        tests = [{"valid": test["valid"], "data": test["data"]} for test in record.get("tests", [])]
        records.append({"id": Path(name).stem, "schema": record["schema"], "tests": tests})
    return {"maskbench/dev.jsonl.gz": lines_of(records, separators=(",", ":"))}


def tool_calls(entry: dict[str, Any], _: Path) -> dict[str, str]:
    """Returns the files to write: the half of BFCL's cases that this project develops on, and many tools at once."""
    rows = {
        name: [json.loads(line) for line in checked(name, get(entry["base"] + name), digest).decode().splitlines()]
        for name, digest in entry["files"].items()
    }
    jobs = []
    for category in bfcl.CATEGORIES:
        name = f"BFCL_v4_{category}.json"
        jobs += [job for job in bfcl.cases(rows[name], rows[f"possible_answer/{name}"]) if bfcl.develops(job)]
    return {"bfcl/dev.jsonl.gz": lines_of(jobs), "bfcl/many.jsonl.gz": lines_of(bfcl.many(jobs))}


MAKERS = {"maskbench": maskbench, "bfcl": tool_calls}


def fetch(manifest: Path, names: Iterable[str], out: Path) -> None:
    entries = json.loads(manifest.read_text())
    for name in names:
        entry = entries[name]
        print(f"{name}: {entry['source']} at {entry['revision'][:12]}, {entry['licence']}", flush=True)
        for path, text in MAKERS[name](entry, manifest.parent).items():
            checked(path, text.encode(), entry["made"][path])
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (out / path).write_bytes(gzip.compress(text.encode(), 9, mtime=0))
            print(f"  {out / path}: {text.count(chr(10)):,} constraints")


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--out", type=Path, default=HERE.parents[1] / "build" / "bench-data")
    ap.add_argument("--only", choices=SETS, help="one of the sets")
    ap.add_argument("--manifest", type=Path, default=MANIFEST)
    a = ap.parse_args()
    try:
        fetch(a.manifest, [a.only] if a.only else SETS, a.out)
    except DataError as e:
        print(f"bench-data: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
