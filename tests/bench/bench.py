#!/usr/bin/env python3
"""Sluice beside its peers on the same constraints: `make bench`.

    make bench                                     the committed sample, all engines: about a quarter of an hour
    make bench BENCH="--small"                     constraints of every kind, Sluice alone: seconds
    make bench BENCH="--full --engines sluice-c"   the whole sets, which `make bench-data` fetches

Results go to build/bench: a JSON file and a Markdown table for each set, report.md with all of them, figures, and every
single time (.jsonl). The README's table comes last.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import environment
from engines import ENGINES, ROOT

HERE = Path(__file__).resolve().parent
BUILD = ROOT / "build"
NATIVE = "sluice-c"  # Sluice through C, without Python in the loop
ALL = [NATIVE, *ENGINES]


class DataSet(NamedTuple):
    name: str
    title: str
    unit: str
    path: Path
    source: str | None = None  # its name in data/manifest.json


def data_sets(a: argparse.Namespace) -> list[DataSet]:
    """Returns the requested sets; a missing one is an error, not a smaller run."""
    if a.small:
        sets = [DataSet("small", "Constraints of every kind", "constraints", HERE / "small.jsonl.gz")]
    elif a.full:
        sets = [
            DataSet("maskbench", "MaskBench", "schemas", a.data / "maskbench" / "dev.jsonl.gz", "maskbench"),
            DataSet("bfcl", "BFCL", "tool sets", a.data / "bfcl" / "dev.jsonl.gz", "bfcl"),
            DataSet("many", "BFCL, 10 to 929 tools", "tool sets", a.data / "bfcl" / "many.jsonl.gz", "bfcl"),
        ]
    else:
        folder = HERE / "sample"
        sets = [
            DataSet("maskbench-sample", "MaskBench", "schemas", folder / "maskbench.jsonl.gz", "maskbench"),
            DataSet("bfcl-sample", "BFCL", "tool sets", folder / "bfcl.jsonl.gz", "bfcl"),
            DataSet("many-sample", "BFCL, 929 tools at once", "tool sets", folder / "many.jsonl.gz", "bfcl"),
            DataSet(
                "batch", "Batches of MaskBench's tool schemas", "schemas", folder / "maskbench.jsonl.gz", "maskbench"
            ),
        ]
    wanted = a.only.split(",") if a.only else [d.name.removesuffix("-sample") for d in sets]
    chosen = [d for d in sets if d.name.removesuffix("-sample") in wanted]
    if len(chosen) < len(wanted):
        have = ", ".join(d.name.removesuffix("-sample") for d in sets)
        raise SystemExit(f"bench: --only {a.only}: the sets of this run are {have}")
    for d in chosen:
        if not d.path.is_file():
            raise SystemExit(f"bench: {d.path} is missing: run `make bench-data`, or name a folder by --data")
    return chosen


def build_native() -> Path:
    """Compiles native.c against build/libsluice.so."""
    out, library = BUILD / "bench" / "native", BUILD / "libsluice.so"
    out.parent.mkdir(parents=True, exist_ok=True)
    if not library.is_file():
        raise SystemExit("bench: build/libsluice.so is missing: run `make lib`")
    compiler = os.environ.get("CC") or shutil.which("cc") or "gcc"
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", f"-I{ROOT / 'include'}"]
    link = [str(library), f"-Wl,-rpath,{BUILD}"]
    subprocess.run([compiler, *flags, str(HERE / "native.c"), "-o", str(out), *link], check=True)
    return out


def run_native(binary: Path, d: DataSet, vocabulary: Any, limit: int | None, out: Path) -> Iterator[dict[str, Any]]:
    """Yields the records of Sluice through C, with the times of masks that were met before."""
    import jobs

    packed = out / f"{d.name}.jobs"
    jobs.write(jobs.read_jobs(d.path, limit), vocabulary, packed)
    walks = []
    for flags in ([], ["--twice"]):
        file = packed.with_suffix(".native")
        with open(out / f"{d.name}.{NATIVE}.log", "a") as log:
            subprocess.run([binary, packed, vocabulary.path, file, *flags], check=True, stderr=log)
        walks.append([json.loads(line) for line in file.read_text(errors="replace").splitlines()])
    for once, twice in zip(*walks, strict=True):
        yield once | ({"again": twice["again"]} if "again" in twice else {})


def run_engine(
    name: str, binary: Path | None, d: DataSet, vocabulary: Any, a: argparse.Namespace
) -> Iterator[dict[str, Any]]:
    import harness
    import jobs

    if name == NATIVE:
        assert binary is not None
        return run_native(binary, d, vocabulary, a.limit, a.out)
    arguments = ["--data", str(d.path), "--vocabulary", str(vocabulary.path)]
    arguments += ["--limit", str(a.limit)] if a.limit else []
    ids = [job["id"] for job in jobs.read_jobs(d.path, a.limit)]
    limits = harness.Limits(a.seconds, a.megabytes)
    return harness.records(name, arguments, ids, limits, a.out / f"{d.name}.{name}.log")


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def settings(d: DataSet, vocabulary: Any, a: argparse.Namespace, load: float) -> dict[str, Any]:
    """Returns how a set was measured."""
    manifest = json.loads((HERE / "data" / "manifest.json").read_text())
    return {
        "set": d.name,
        "title": d.title,
        "unit": d.unit,
        "source": {k: manifest[d.source][k] for k in ("source", "revision", "licence")} if d.source else {},
        "command": f'make bench BENCH="{" ".join(a.given)}"' if a.given else "make bench",
        "vocabulary": {"name": vocabulary.path.name.split(".")[0], "tokens": len(vocabulary.tokens)},
        "machine": {"processor": processor(), "cores": os.cpu_count(), "load": [load, os.getloadavg()[0]]},
    }


def run_batch(d: DataSet, names: list[str], vocabulary: Any, a: argparse.Namespace) -> dict[str, Any]:
    """Measures steps of batches, an engine after the other; C has no loop over sequences of its own to compare."""
    load, engines, out = os.getloadavg()[0], {}, a.out / "batch.out"
    for name in names:
        if name == NATIVE:
            continue
        command = [sys.executable, HERE / "batch.py", name, "--data", d.path, "--vocabulary", vocabulary.path]
        with open(a.out / f"{d.name}.{name}.log", "w") as log:
            subprocess.run([*command, "--out", out], check=True, stdout=log, stderr=log)
        engines[name] = json.loads(out.read_text())
        print(f"{d.title}: {name} {engines[name]['version']}", flush=True)
    return settings(d, vocabulary, a, load) | {"engines": engines}


def run_set(
    d: DataSet, names: list[str], binary: Path | None, vocabulary: Any, a: argparse.Namespace
) -> dict[str, Any]:
    """Runs the engines on a set, by turns if there are several rounds; returns the numbers."""
    import report

    before, abouts = os.getloadavg()[0], {}
    rounds: dict[str, list[list[dict[str, Any]]]] = {name: [] for name in names}
    for number in range(a.rounds):
        for name in names:
            begin = time.monotonic()
            abouts[name], *records = run_engine(name, binary, d, vocabulary, a)
            rounds[name].append(records)
            told = f"{d.title}, round {number + 1}: {name} {abouts[name]['version']}"
            print(f"{told}, {len(records)} {d.unit} in {time.monotonic() - begin:.0f} s", flush=True)
    merged = {name: report.least(found) for name, found in rounds.items()}
    for name, records in merged.items():
        with open(a.out / f"{d.name}.{name}.jsonl", "w") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
    common, engines = report.summary({name: (abouts[name], records) for name, records in merged.items()})
    return settings(d, vocabulary, a, before) | {
        "constraints": len(merged[names[0]]),
        "common": common,
        "rounds": a.rounds,
        "limits": {"seconds": a.seconds, "megabytes": a.megabytes},
        "engines": engines,
    }


def told(given: list[str]) -> list[str]:
    """Returns the arguments without folders, which do not change the numbers."""
    folders = ("--out", "--data")
    joined = [word for word in given if not word.startswith(tuple(f"{folder}=" for folder in folders))]
    return [word for i, word in enumerate(joined) if word not in folders and (i == 0 or joined[i - 1] not in folders)]


def arguments() -> argparse.Namespace:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = ap.add_mutually_exclusive_group()
    which.add_argument("--small", action="store_true", help="constraints made up here, Sluice alone")
    which.add_argument("--full", action="store_true", help="the whole sets in place of the sample")
    ap.add_argument("--only", help="sets by name: maskbench, bfcl, many, batch")
    ap.add_argument("--engines", help=f"by name: {', '.join(ALL)}")
    ap.add_argument("--limit", type=int, help="constraints of each set, always the same")
    ap.add_argument("--rounds", type=int, default=1, help="each in new processes; the least of each time counts")
    ap.add_argument("--seconds", type=float, default=30, help="of CPU time for a constraint and its instances")
    ap.add_argument("--megabytes", type=int, default=8000, help="of resident memory")
    ap.add_argument("--vocabulary", type=Path, help="tekken.json, or tokenizer.json with byte-level BPE")
    ap.add_argument("--data", type=Path, default=BUILD / "bench-data", help="folder of the whole sets")
    ap.add_argument("--out", type=Path, default=BUILD / "bench")
    a = ap.parse_args()
    a.given = told(sys.argv[1:])
    a.names = a.engines.split(",") if a.engines else [NATIVE, "sluice"] if a.small else ALL
    if unknown := [name for name in a.names if name not in ALL]:
        ap.error(f"engine {unknown[0]} is none of {', '.join(ALL)}")
    return a


def main() -> int:
    a = arguments()
    sets = data_sets(a)
    environment.enter(a.names)
    import figures
    import harness
    import tables
    from vocabulary import Vocabulary, standard

    small = ROOT / "tests" / "data" / "tokenizer.json.gz"
    vocabulary = Vocabulary.read(a.vocabulary or (small if a.small else standard()))
    a.out.mkdir(parents=True, exist_ok=True)
    for log in a.out.glob("*.log"):
        log.unlink()
    binary = build_native() if NATIVE in a.names else None
    results: dict[str, dict[str, Any]] = {}
    try:
        for d in sets:
            batch = d.name == "batch"
            found = run_batch(d, a.names, vocabulary, a) if batch else run_set(d, a.names, binary, vocabulary, a)
            results[d.name] = found
            (a.out / f"{d.name}.json").write_text(json.dumps(found, indent=1) + "\n")
    except harness.EngineError as e:
        print(f"bench: {e}", file=sys.stderr)
        return 1
    parts = [f"## {found['title']}\n\n{tables.section(found)}" for found in results.values()]
    (a.out / "report.md").write_text("# Benchmark\n\n" + "\n\n".join(parts) + "\n")
    figures.draw(results, a.out)
    print("\n" + "\n\n".join(parts))
    if not (a.small or a.full):
        print(f"\nAs in README.md:\n\n{tables.compared(results)}\n")
    print(f"written: {a.out / 'report.md'}, and numbers, figures and every time beside it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
