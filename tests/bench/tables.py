#!/usr/bin/env python3
"""The tables of README.md and docs/benchmarks.md, from the results that are committed: `make bench-table`.

    python tests/bench/tables.py              # writes the tables
    python tests/bench/tables.py --check      # compares; tests do that

A table stands between the lines `<!-- bench: NAME -->` and `<!-- end -->`. NAME is `compared`, or a set of results/.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGES = ("README.md", "docs/benchmarks.md")
BLOCK = re.compile(r"(<!-- bench: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
NATIVE = "sluice-c"
NAMES = {
    "sluice": "Sluice",
    NATIVE: "Sluice, C",
    "llguidance": "LLGuidance",
    "glrmask": "GLRMask",
    "xgrammar": "XGrammar",
    "xgrammar-lazy": "XGrammar lazy",
}

Results = dict[str, Any]
Value = Callable[[dict[str, Any]], "float | None"]


def load(folder: Path = HERE / "results") -> dict[str, Results]:
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}


def number(value: float | None) -> str:
    """Writes a count as it is, anything else with three significant digits."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if value >= 100 or value == int(value):
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"


def at(*keys: str) -> Value:
    def value(engine: dict[str, Any]) -> float | None:
        for key in keys:
            engine = engine.get(key)  # type: ignore[assignment]
            if engine is None:
                return None
        return engine  # type: ignore[return-value]

    return value


def share_right(results: Results) -> Value:
    return lambda engine: 100 * engine["right"] / results["constraints"] if engine["compiled"] else None


def unanswered(engine: dict[str, Any]) -> float | None:
    return engine["refused"] + sum(engine["stopped"].values()) if engine["compiled"] else None


def answered(key: str) -> Value:
    return lambda engine: engine[key] if engine["compiled"] else None


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def row(label: str, engines: dict[str, dict[str, Any]], value: Value, most: bool = False) -> list[str]:
    """Returns a row of the comparison: Python beside Python, C in brackets, the best in bold."""
    cells = {name: value(engine) for name, engine in engines.items() if name != NATIVE}
    known = [v for v in cells.values() if v is not None]
    best = (max(known) if most else min(known)) if known else None
    made = [label]
    for name, v in cells.items():
        cell = f"**{number(v)}**" if v is not None and number(v) == number(best) else number(v)
        native = value(engines[NATIVE]) if name == "sluice" and NATIVE in engines else None
        made.append(cell if native is None or native == v else f"{cell} ({number(native)})")
    return made


def versioned(name: str, engine: dict[str, Any]) -> str:
    return f"{NAMES[name]} {engine['version']}"


def measured(results: Results, label: str) -> list[tuple[str, Value]]:
    """Returns the rows of times of a set."""
    return [
        (f"{label}: compile + first mask, p50, µs", at("first", "p50")),
        (f"{label}: compile + first mask, p99, µs", at("first", "p99")),
        (f"{label}: mask, p50, µs", at("mask", "p50")),
        (f"{label}: mask, p99, µs", at("mask", "p99")),
        (f"{label}: mask, p99.9, µs", at("mask", "p99.9")),
    ]


WRONG = (
    ("are refused or run into a limit", unanswered),
    ("reject a valid instance", answered("valid_rejected")),
    ("accept an invalid instance", answered("invalid_accepted")),
)


def compared(results: dict[str, Results]) -> str:
    """Returns README's table, of the sets of the sample that are there."""
    rows: list[list[str]] = []
    head: list[str] = []
    for name in ("maskbench-sample", "bfcl-sample"):
        if (r := results.get(name)) is None:
            continue
        engines = r["engines"]
        head = head or ["", *(versioned(n, e) for n, e in engines.items() if n != NATIVE)]
        label = f"{r['title']}, {r['constraints']} {r['unit']}"
        rows.append(row(f"{label}: fully right, %", engines, share_right(r), most=True))
        if name == "maskbench-sample":
            rows += [row(f"{r['title']}: {r['unit']} that {text}", engines, value) for text, value in WRONG]
        rows += [row(text, engines, value) for text, value in measured(r, r["title"])]
    if (r := results.get("many-sample")) is not None:
        head = head or ["", *(versioned(n, e) for n, e in r["engines"].items() if n != NATIVE)]

        def milliseconds(engine: dict[str, Any]) -> float | None:
            found = at("first", "p50")(engine)
            return None if found is None else found / 1000

        rows.append(row(f"{r['title']}: compile + first mask, ms", r["engines"], milliseconds))
    return table(head, rows) + accepted(results.get("maskbench"))


def accepted(whole: Results | None) -> str:
    """Returns the sentence about invalid instances in the whole of MaskBench, if Sluice ran on it."""
    if whole is None or "sluice" not in whole["engines"]:
        return ""
    count = whole["engines"]["sluice"]["invalid_accepted"]
    return f"\n\n**{count} of {whole['constraints']:,}** MaskBench schemas accept an invalid instance with Sluice."


def section(results: Results) -> str:
    """Returns the whole table of a set, and how it was measured."""
    engines = results["engines"]
    if results["set"] == "batch":
        return batch(results)
    head = ["", *(versioned(name, engine) for name, engine in engines.items())]

    def line(label: str, value: Value) -> list[str]:
        return [label, *(number(value(engine)) for engine in engines.values())]

    rows = [
        line("compiled", answered("compiled")),
        line("refused", at("refused")),
        line("stopped: time, memory, crash", lambda engine: sum(engine["stopped"].values())),
        line("fully right, %", share_right(results)),
        line("reject a valid instance", answered("valid_rejected")),
        line("accept an invalid instance", answered("invalid_accepted")),
    ]
    for key, label in (("first", "compile + first mask"), ("mask", "mask"), ("again", "mask, met before")):
        if any(key in engine for engine in engines.values()):
            for i, name in enumerate(("avg", "p50", "p90", "p99", "p99.9", "max")):
                rows.append(line(f"{label}, µs: {name}" if i == 0 else name, at(key, name)))
    rows += [
        line("CPU time of all, s", answered("cpu_s")),
        line("peak memory, MB", answered("rss_mb")),
    ]
    about = (
        f"`{results['command']}`: {results['constraints']:,} {results['unit']}, times of the {results['common']:,} "
        f"that every engine compiles; least of {results['rounds']} round{'s' * (results['rounds'] > 1)}. "
    )
    return f"{about}{circumstances(results)}\n\n{table(head, rows)}"


def circumstances(results: Results) -> str:
    machine, source, vocabulary = results["machine"], results["source"], results["vocabulary"]
    text = (
        f"Vocabulary {vocabulary['name']}, {vocabulary['tokens']:,} tokens; {machine['cores']} cores of "
        f"{machine['processor']}, load {machine['load'][0]:.1f} to {machine['load'][1]:.1f}."
    )
    return text + (f" Data: {source['source']} at `{source['revision'][:12]}`, {source['licence']}." if source else "")


def batch(results: Results) -> str:
    """Returns the table of steps of batches."""
    engines = results["engines"]
    sizes = next(iter(engines.values()))["us"]
    rows = [
        row(f"{size} sequence{'s' * (size != '1')}", engines, lambda engine, size=size: engine["us"][size])
        for size in map(str, sizes)
    ]
    about = f"`{results['command']}`: µs of CPU time a sequence and step. {circumstances(results)}"
    return f"{about}\n\n{table(['', *(versioned(n, e) for n, e in engines.items())], rows)}"


def updated(text: str, results: dict[str, Results]) -> str:
    """Returns a page with its tables as the results give them."""

    def block(match: re.Match[str]) -> str:
        made = compared(results) if match[2] == "compared" else section(results[match[2]])
        return f"{match[1]}{made}\n{match[3]}"

    return BLOCK.sub(block, text)


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--check", action="store_true")
    a = ap.parse_args()
    results, stale = load(), []
    for name in PAGES:
        path = ROOT / name
        text = path.read_text()
        made = updated(text, results)
        if made != text:
            stale.append(name)
            if not a.check:
                path.write_text(made)
    if a.check and stale:
        print(f"{', '.join(stale)}: tables differ from tests/bench/results; run `make bench-table`", file=sys.stderr)
        return 1
    print(f"{len(PAGES)} pages, {len(stale)} {'stale' if a.check else 'rewritten'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
