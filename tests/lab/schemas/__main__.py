"""Differential fuzzing of JSON Schema: Sluice against the PyPI package jsonschema.

    python tests/lab/schemas --schemas 2000               so many schemas, always the same ones
    python tests/lab/schemas --time 3600 --seed 7         for an hour
    python tests/lab/schemas --only 7:1234                one round again, by the seed that a finding names

Each round makes a schema of some dialect with options, instances for it and their mutations, and outputs that follow
the masks. The judge (judge.py) and Sluice must agree about every one of them; what disagrees is explained by the
contract (check.py: notes, declared order, number forms) or it is a finding. Findings are made small (shrink.py) and
written to --out; the exit status is 1 if there is one.

Start reading at check.py. Needs build/libsluice.so and the packages of tests/requirements.txt.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import random
import re
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from check import Checker, Tally, make
from engine import Engine, sluice
from shrink import report, shrink


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--schemas", type=int, help="stop after so many")
    ap.add_argument("--time", type=float, help="stop after so many seconds")
    ap.add_argument("--seed", type=int, help="default: 1 with --schemas, else from the clock")
    ap.add_argument("--only", help="SEED:NUMBER of one round")
    ap.add_argument("--out", type=Path, default=HERE.parents[2] / "build" / "schemas")
    ap.add_argument("--behind", help="leave out findings whose report matches this expression: those known already")
    ap.add_argument("--most", type=int, default=20, help="stop after so many findings")
    a = ap.parse_args()
    if not (a.schemas or a.time or a.only):
        ap.error("give --schemas, --time or --only")
    seed = a.seed if a.seed is not None else 1 if not a.time else int(time.time())
    numbers = itertools.count()
    if a.only:
        seed, _, number = a.only.partition(":")
        numbers = [int(number)]
    print(f"seed {seed}", flush=True)

    engine, tally = Engine(), Tally()
    checker = Checker(engine, tally)
    begin = last = time.monotonic()
    seen: dict[str, int] = {}
    for n in numbers:
        if (a.schemas and n >= a.schemas) or (a.time and time.monotonic() - begin > a.time) or len(seen) >= a.most:
            break
        name = f"{seed}:{n}"
        r = random.Random(name)
        checker.round(r, make(r), name)
        for finding in tally.findings:
            small = shrink(Checker(engine, Tally()), finding)
            if not (a.behind and re.search(a.behind, report(small))):
                write(small, a.out, seen)
        tally.findings.clear()
        if time.monotonic() - last > 60:
            last = time.monotonic()
            print(f"{last - begin:.0f} s, {n + 1} schemas, {len(seen)} findings", flush=True)
    for what, count in sorted(tally.counts.items()):
        print(f"{count:9} {what}")
    missed = {k["name"] for k in sluice.capabilities()["keywords"]} - tally.keywords.keys()
    if missed and tally.counts["schemas"] > 1000:
        print(f"never in a schema that compiled: {', '.join(sorted(missed))}")
        seen["coverage"] = 1
    print(f"{len(seen)} findings" + (f" in {a.out}" if seen else "") + f", {time.monotonic() - begin:.0f} s")
    return 1 if seen else 0


def write(finding, out: Path, seen: dict[str, int]) -> None:
    """Writes a finding once."""
    text = report(finding)
    key = hashlib.sha256(text.split('"options"', 1)[1].encode()).hexdigest()[:10]
    if key in seen:
        return
    seen[key] = 1
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{finding.kind.replace(',', '').replace(' ', '-')}-{key}.json"
    path.write_text(text)
    print(f"FINDING {path}\n{text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
