"""The numbers of a benchmark run: reads the engines' records, one a constraint, and sums them up.

Invariant: all engines of a set are compared on the same constraints. Times cover the constraints that every engine
compiled, without engines that compiled none; answers cover all constraints.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

Record = dict[str, Any]

PERCENTILES = (50, 90, 99, 99.9)
# The stored percentiles of distributions: dense towards the tail.
GRID = [*range(100), *(99 + i / 10 for i in range(1, 10)), *(99.9 + i / 100 for i in range(1, 10)), 99.99, 100]


def least(rounds: list[list[Record]]) -> list[Record]:
    """Returns one record a constraint: of several rounds the least of each time, which other programs disturb least."""
    merged = []
    for same in zip(*rounds, strict=True):
        good = [record for record in same if record["outcome"] == "ok"]
        if not good:
            merged.append(same[0])
            continue
        verdicts = {tuple(record["bad"]) for record in good}
        if len(verdicts) > 1 or len({len(record["fills"]) for record in good}) > 1:
            raise ValueError(f"{good[0]['id']}: an engine's answers differ from round to round")
        best = dict(good[0])
        for key in ("compile_ns", "first_mask_ns", "cpu_ns"):
            if key in best:
                best[key] = min(record[key] for record in good)
        for key in ("fills", "again"):
            if key in best:
                best[key] = np.min([record[key] for record in good], axis=0).tolist()
        merged.append(best)
    return merged


def rounded(value: float) -> float:
    return float(f"{value:.4g}")


def spread(values: Iterable[float]) -> dict[str, float]:
    """Returns average, percentiles and maximum, ns to us."""
    found = np.asarray(list(values), dtype=np.float64) / 1e3
    if not len(found):
        return {}
    out = {"avg": rounded(found.mean())}
    out |= {f"p{p:g}": rounded(np.percentile(found, p)) for p in PERCENTILES}
    return out | {"max": rounded(found.max())}


def gather(records: Iterable[Record], key: str) -> list[float]:
    return [value for record in records for value in record.get(key, ())]


def answers(records: list[Record]) -> dict[str, Any]:
    """Returns how many constraints have which outcome."""
    good = [record for record in records if record["outcome"] == "ok"]
    return {
        "compiled": len(good),
        "refused": sum(record["outcome"] == "unsupported" for record in records),
        "stopped": {why: n for why in ("time", "memory", "crash") if (n := sum(r["outcome"] == why for r in records))},
        "right": sum(not record["bad"] for record in good),
        "valid_rejected": sum(record["valid_rejected"] > 0 for record in good),
        "invalid_accepted": sum(record["invalid_accepted"] > 0 for record in good),
        "cpu_s": rounded(sum(record.get("cpu_ns", 0) for record in good) / 1e9),
        "rss_mb": max((record.get("rss_kb", 0) for record in good), default=0) // 1024 or None,
    }


def times(records: list[Record], common: set[str]) -> dict[str, Any]:
    """Returns the times of the common constraints."""
    good = [record for record in records if record["id"] in common]
    fills = gather(good, "fills")
    out: dict[str, Any] = {
        "first": spread(record["first_mask_ns"] for record in good if "first_mask_ns" in record),
        "compile": spread(record["compile_ns"] for record in good),
        "mask": spread(fills),
        "masks": len(fills),
    }
    if fills:
        out["mask_grid"] = [rounded(v) for v in np.percentile(np.asarray(fills) / 1e3, GRID)]
    if again := gather(good, "again"):
        out["again"] = spread(again)
    return out


def summary(found: dict[str, tuple[Record, list[Record]]]) -> tuple[int, dict[str, Any]]:
    """Returns the number of common constraints, and the numbers of each engine."""
    compiled = {
        name: {record["id"] for record in records if record["outcome"] == "ok"} for name, (_, records) in found.items()
    }
    common = set.intersection(*(ids for ids in compiled.values() if ids)) if any(compiled.values()) else set()
    engines = {}
    for name, (about, records) in found.items():
        engines[name] = {"version": about["version"], "load_ms": rounded(about["load_ns"] / 1e6)}
        engines[name] |= answers(records)
        if compiled[name]:
            engines[name] |= times(records, common)
    return len(common), engines
