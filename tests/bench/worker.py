#!/usr/bin/env python3
"""Runs one engine over a file of constraints; harness.py starts it, a process for each engine.

It writes a JSON line about the engine, then one for each constraint, to the file descriptor that it was given. For each
instance it walks the tokens: fill the mask, look the token up, accept it. A valid instance must get through and be
allowed to end; an invalid one must not.

Fills are timed by the CPU time of the calling thread, compilation by the CPU time of the process. The cost of reading
the clock is subtracted.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from engines import ENGINES, Engine, Unsupported
from jobs import instance_of, read_jobs, spec_of
from vocabulary import Vocabulary

READINGS = 2000


def cost(clock: Any) -> int:
    """Returns the time of one reading of a clock, in ns: the median, since the least is rare."""
    found = sorted(clock() * -1 + clock() for _ in range(READINGS))
    return found[READINGS // 2]


class Walk:
    """Walks of the instances of one constraint."""

    def __init__(self, engine: Engine, row: np.ndarray, reading: int) -> None:
        self.engine, self.row, self.reading = engine, row, reading
        self.fills: list[int] = []
        self.first_done = 0  # process time right after the first fill

    def fill(self, matcher: Any) -> None:
        clock, fill, row = time.thread_time_ns, self.engine.fill, self.row
        begin = clock()
        fill(matcher, row)
        end = clock()
        if not self.fills:
            self.first_done = time.process_time_ns()
        self.fills.append(max(0, end - begin - self.reading))

    def accepts(self, matcher: Any, tokens: list[int]) -> bool:
        """Says whether an output is accepted as a whole."""
        for token in tokens:
            self.fill(matcher)
            if not self.row[token >> 5] >> (token & 31) & 1 or not self.engine.accept(matcher, token):
                return False
        self.fill(matcher)
        return self.engine.may_end(matcher, self.row)


def run(engine: Engine, job: dict[str, Any], vocabulary: Vocabulary, walk: Walk) -> dict[str, Any]:
    """Returns the record of one constraint."""
    record: dict[str, Any] = {"id": job["id"], "outcome": "ok", "valid_rejected": 0, "invalid_accepted": 0, "bad": []}
    outputs = [(test["valid"], vocabulary.encode(instance_of(test))) for test in job["tests"]]
    spec = spec_of(job)
    begin = time.process_time_ns()
    try:
        grammar = engine.compile(job.get("kind", "json_schema"), spec)
    except Unsupported as e:
        return record | {"outcome": "unsupported", "error": str(e)[:300], "fills": []}
    record["compile_ns"] = time.process_time_ns() - begin
    for place, (valid, tokens) in enumerate(outputs):
        if walk.accepts(engine.matcher(grammar), tokens) != valid:
            record["valid_rejected" if valid else "invalid_accepted"] += 1
            record["bad"].append(place)
    if walk.fills:
        record["first_mask_ns"] = walk.first_done - begin
    record["cpu_ns"] = time.process_time_ns() - begin
    return record | {"fills": walk.fills, "rss_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


def work(name: str, vocabulary: Vocabulary, jobs: list[dict[str, Any]], out: TextIO) -> None:
    begin = time.process_time_ns()
    engine = ENGINES[name](vocabulary)
    loaded = time.process_time_ns() - begin
    reading = cost(time.thread_time_ns)
    row = np.zeros(vocabulary.words, dtype=np.int32)
    about = {"engine": name, "version": engine.version(), "load_ns": loaded, "clock_ns": reading}
    print(json.dumps(about), file=out, flush=True)
    gc.disable()
    for job in jobs:
        record = run(engine, job, vocabulary, Walk(engine, row, reading))
        print(json.dumps(record), file=out, flush=True)
        gc.collect(0)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("engine", choices=ENGINES)
    ap.add_argument("--data", type=Path, required=True)
    ap.add_argument("--vocabulary", type=Path, required=True)
    ap.add_argument("--limit", type=int, help="constraints")
    ap.add_argument("--start", type=int, default=0, help="the constraint to begin with")
    ap.add_argument("--descriptor", type=int, required=True, help="where the lines go")
    a = ap.parse_args()
    with os.fdopen(a.descriptor, "w") as out:
        work(a.engine, Vocabulary.read(a.vocabulary), read_jobs(a.data, a.limit)[a.start :], out)


if __name__ == "__main__":
    sys.exit(main())
