#!/usr/bin/env python3
"""Steps of a batch with one engine: for each size of a batch, µs of CPU time a sequence and step. bench.py starts it.

Sequences are valid instances of tool schemas, as many grammars as there are; larger batches have a grammar several
times. A step fills all rows and accepts a token for each sequence, as a scheduler written in Python does. A first
round meets every state; the others are measured, and the least of them counts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from engines import ENGINES, Engine, Unsupported
from jobs import instance_of, read_jobs, spec_of
from vocabulary import Vocabulary

SIZES = (1, 4, 16, 64, 256)
SPLIT = "Glaiveai2K"  # of MaskBench: parameters of functions
LONGEST = 40  # tokens of a sequence, so that all of them go on for the whole round
ROUNDS = 7


def sequences(engine: Engine, data: Path, vocabulary: Vocabulary) -> list[tuple[Any, list[int]]]:
    """Returns a grammar and the first tokens of a valid instance for each schema."""
    made = []
    for job in read_jobs(data):
        valid = next((test for test in job["tests"] if test["valid"]), None)
        if valid is None or not job["id"].startswith(SPLIT):
            continue
        tokens = vocabulary.encode(instance_of(valid))[:LONGEST]
        try:
            made.append((engine.compile("json_schema", spec_of(job)), tokens))
        except Unsupported as e:
            print(f"{job['id']}: {e}", file=sys.stderr)
    return made


def round_of(engine: Engine, chosen: list[tuple[Any, list[int]]], rows: np.ndarray) -> float:
    """Returns the CPU time of a round, in ns a sequence and step."""
    live = [(engine.matcher(grammar), tokens) for grammar, tokens in chosen]
    spent = filled = 0
    for place in range(LONGEST):
        live = [(matcher, tokens) for matcher, tokens in live if place < len(tokens)]
        if not live:
            break
        step, some = engine.step([matcher for matcher, _ in live]), rows[: len(live)]
        tokens = [tokens[place] for _, tokens in live]
        begin = time.process_time_ns()
        step(some, tokens)
        spent += time.process_time_ns() - begin
        filled += len(live)
    return spent / filled


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("engine", choices=ENGINES)
    ap.add_argument("--data", type=Path, required=True)
    ap.add_argument("--vocabulary", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    vocabulary = Vocabulary.read(a.vocabulary)
    engine = ENGINES[a.engine](vocabulary)
    grammars = sequences(engine, a.data, vocabulary)
    found: dict[str, Any] = {"version": engine.version(), "grammars": len(grammars), "us": {}}
    for size in SIZES:
        chosen = [grammars[i % len(grammars)] for i in range(size)]
        rows = np.zeros((size, vocabulary.words), dtype=np.int32)
        _, *times = (round_of(engine, chosen, rows) for _ in range(ROUNDS))
        found["us"][size] = round(min(times) / 1e3, 3)
    a.out.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
