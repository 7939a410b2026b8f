#!/usr/bin/env python3
"""`make bench`: Sluice at the C interface, and beside its peers through Python, on the same constraints.

    python tests/bench/bench.py [--sample 100] [--bfcl 150] [--engines llguidance,xgrammar,sluice] [--native] [--all]

Where ../shared holds MaskBench, BFCL and the peers' harness, they are what is run; elsewhere it is the small set of
tests/bench/small.jsonl.gz with the committed tokenizer. Results go to build/bench: a table (.md), the numbers (.json),
figures (.png, .svg) and every single time (.jsonl). The native benchmark has no Python in the loop.

The peers want 6 GB of packages: an active environment that has them is used, else $SLUICE_PEERS, else one is made
under build/venv-peers.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHARED = ROOT.parent / "shared"
BUILD = ROOT / "build"
NATIVE_PACKAGES = ["tokenizers==0.23.3", "numpy>=2", "matplotlib>=3.10"]
ENGINES = {
    "llguidance": "peer_llguidance:LLGuidance",
    "xgrammar": "peer_xgrammar:XGrammar",
    "xgrammar-strict": "peer_xgrammar:XGrammarStrict",
    "sluice": f"{HERE / 'sluice_engine.py'}:Sluice",
}


class DataSet(NamedTuple):
    """What is run, and with which tokenizer."""

    stem: str
    title: str
    data: Path
    tokenizer: Path
    sample: int | None
    peers: bool


def has(*modules: str) -> bool:
    return all(importlib.util.find_spec(m) for m in modules)


def environment(folder: Path, packages: list[str]) -> Path:
    """Makes a virtual environment with these packages unless it is there; returns its Python."""
    python = folder / "bin" / "python"
    stamp = folder / "packages.txt"
    if not (stamp.is_file() and stamp.read_text() == "\n".join(packages)):
        print(f"making {folder.relative_to(ROOT)} ({len(packages)} packages)", flush=True)
        venv.create(folder, with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], check=True
        )
        stamp.write_text("\n".join(packages))
    return python


def right_python(peers: bool) -> None:
    """Starts this program again under a Python that has what the run needs, unless this one does."""
    needed = ["tokenizers", "numpy", "matplotlib"] + (["xgrammar", "llguidance", "jsonschema"] if peers else [])
    if has(*needed) or os.environ.get("SLUICE_BENCH_ENV"):
        return
    given = os.environ.get("SLUICE_PEERS")
    if given:
        python = Path(given, "bin", "python")
    elif peers:
        wanted = (SHARED / "peers" / "requirements.txt").read_text().splitlines()
        python = environment(BUILD / "venv-peers", [w for w in wanted if w and w[0] != "#"] + NATIVE_PACKAGES[2:])
    else:
        python = environment(BUILD / "venv-bench", NATIVE_PACKAGES)
    os.environ["SLUICE_BENCH_ENV"] = str(python)
    os.execv(python, [str(python), *sys.argv])


def build_native() -> Path:
    """Compiles native.c against build/libsluice.so."""
    out = BUILD / "bench" / "native"
    out.parent.mkdir(parents=True, exist_ok=True)
    library = BUILD / "libsluice.so"
    if not library.is_file():
        raise SystemExit("build/libsluice.so is missing: run `make lib` first")
    compiler = os.environ.get("CC") or shutil.which("cc") or "gcc"
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", f"-I{ROOT / 'include'}"]
    link = [str(library), f"-Wl,-rpath,{BUILD}"]
    subprocess.run([compiler, *flags, str(HERE / "native.c"), "-o", str(out), *link], check=True)
    return out


def data_sets(a: argparse.Namespace) -> list[DataSet]:
    if not SHARED.is_dir() or a.small:
        why = "asked for" if a.small else "../shared is not here"
        print(f"small set of this repository ({why})")
        tokenizer = ROOT / "tests" / "data" / "tokenizer.json.gz"
        return [DataSet("small", "small set", HERE / "small.jsonl.gz", tokenizer, None, False)]
    tokenizer = SHARED / "data" / "tokenizers" / "llama3_1.json.gz"
    data = SHARED / "data"
    return [
        DataSet("maskbench", "MaskBench", data / "maskbench" / "dev.jsonl.gz", tokenizer, a.sample or None, True),
        DataSet("bfcl", "BFCL tool calls", data / "bfcl" / "dev.jsonl.gz", tokenizer, a.bfcl or None, True),
        DataSet("many", "BFCL, 10 to 929 tools at once", data / "bfcl" / "many.jsonl.gz", tokenizer, None, True),
    ]


def run_native(binary: Path, d: DataSet, out: Path) -> list[Path]:
    import jobs

    packed = out / f"{d.stem}.jobs"
    n = jobs.write(d.data, d.tokenizer, packed, d.sample, {})
    print(f"{d.title}: {n} constraints at the C interface", flush=True)
    files = []
    for suffix, flag in (("native", []), ("native-twice", ["--twice"])):
        files.append(out / f"{d.stem}.{suffix}.jsonl")
        subprocess.run([binary, packed, d.tokenizer, files[-1], *flag], check=True)
    return files


def run_peers(engines: list[str], d: DataSet, out: Path) -> list[Path]:
    folder = out / f"{d.stem}.python"
    shutil.rmtree(folder, ignore_errors=True)
    command = [
        sys.executable,
        SHARED / "peers" / "maskbench.py",
        "--data",
        d.data,
        "--tokenizer",
        d.tokenizer,
        "--out",
        folder,
    ]
    for name in engines:
        command += ["--engine", ENGINES[name]]
    if d.sample:
        command += ["--sample", str(d.sample)]
    with open(out / f"{d.stem}.python.log", "w") as log:
        print(f"{d.title}: {', '.join(engines)} through Python", flush=True)
        subprocess.run([str(c) for c in command], check=True, stdout=log)
    return [folder / f"{name}.jsonl" for name in engines]


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--sample", type=int, default=60, help="schemas of MaskBench, always the same; 0: all")
    ap.add_argument("--bfcl", type=int, default=100, help="cases of BFCL; 0: all")
    ap.add_argument("--engines", default="sluice,llguidance,xgrammar,xgrammar-strict")
    ap.add_argument("--only", help="data sets by name: maskbench, bfcl, many")
    ap.add_argument("--native", action="store_true", help="without the peers and Python")
    ap.add_argument("--small", action="store_true", help="the small set, even where ../shared is")
    ap.add_argument("--out", type=Path, default=BUILD / "bench")
    a = ap.parse_args()
    engines = [e for e in a.engines.split(",") if e]
    for e in engines:
        if e not in ENGINES:
            ap.error(f"engine {e} is none of {', '.join(ENGINES)}")
    sets = [d for d in data_sets(a) if not a.only or d.stem in a.only.split(",")]
    peers = not a.native and any(d.peers for d in sets)
    right_python(peers)
    a.out.mkdir(parents=True, exist_ok=True)
    binary = build_native()
    import report

    texts = [f"# Benchmark\n\n{platform.machine()}, {os.cpu_count()} cores, one thread; times in µs.\n"]
    for d in sets:
        plain, twice = run_native(binary, d, a.out)
        first = report.read(plain)
        second = report.read(twice, None)
        split = report.summary(second)
        results = [first] + ([report.read(p) for p in run_peers(engines, d, a.out)] if peers and d.peers else [])
        texts.append(report.write(d.title, results, a.out, d.stem))
        apart = {k: v for k, v in split.items() if k == "engine" or "again" in k or "grew" in k}
        texts.append(
            "Masks met for the first time and those of the memo, at the C interface:\n\n" + report.table([apart]) + "\n"
        )
        print("\n" + "\n".join(texts[-2:]), flush=True)
    (a.out / "report.md").write_text("\n".join(texts))
    print(f"written: {(a.out / 'report.md')} and the tables, figures and times beside it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
