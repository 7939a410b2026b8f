#!/usr/bin/env python3
"""The figures of README.md and docs/benchmarks.md, from the results that are committed: `make bench-figures`.

    python tests/bench/figures.py              # writes docs/figures/NAME-light.svg and NAME-dark.svg

Equal results give equal files: no date, no random ids, text as text.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import environment

if __name__ == "__main__":
    environment.enter([])

import matplotlib

matplotlib.use("svg")

from matplotlib import pyplot
from matplotlib.axes import Axes

import tables
from report import GRID

OUT = tables.ROOT / "docs" / "figures"
# Colours that differ in both themes, by engine; the first is ours.
COLOURS = {
    "sluice": ("#0969da", "#58a6ff"),
    "sluice-c": ("#54aeff", "#1f6feb"),
    "llguidance": ("#bc4c00", "#f0883e"),
    "glrmask": ("#8250df", "#bc8cff"),
    "xgrammar": ("#1a7f37", "#3fb950"),
    "xgrammar-lazy": ("#9a6700", "#d29922"),
}
THEMES = {
    "light": {"ink": "#1f2328", "faint": "#d1d9e0", "paper": "#ffffff"},
    "dark": {"ink": "#f0f6fc", "faint": "#3d444d", "paper": "#0d1117"},
}
STYLES = {"sluice-c": "--", "xgrammar-lazy": "-."}

Results = dict[str, Any]


def colour(engine: str, theme: str) -> str:
    return COLOURS[engine][theme == "dark"]


def named(engine: str) -> str:
    return tables.NAMES[engine]


def latency(axes: Axes, results: dict[str, Results], theme: str) -> None:
    """The share of masks that are done after a time."""
    found = results["maskbench-sample"]
    for name, engine in found["engines"].items():
        if "mask_grid" in engine:
            style = STYLES.get(name, "-")
            axes.plot(engine["mask_grid"], GRID, style, color=colour(name, theme), label=named(name), linewidth=2)
    axes.set_xscale("log")
    axes.set_xlim(left=0.2)
    axes.set_yscale("function", functions=(nines, share))
    axes.set_ylim(0, 99.99)
    axes.set_yticks([0, 50, 90, 99, 99.9, 99.99], ["0 %", "50 %", "90 %", "99 %", "99.9 %", "99.99 %"])
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:g} µs" if x < 1e3 else f"{x / 1e3:g} ms")
    axes.set_xlabel("time of a mask")
    axes.set_ylabel("share of masks that are done by then")
    title = f"{found['title']}, {found['common']} schemas that all compile: time of a mask"
    axes.set_title(title, loc="left")
    axes.legend(frameon=False, loc="lower right", labelcolor="linecolor")
    axes.grid(True)


def nines(percent: Any) -> Any:
    """Spreads percentages so that every further nine takes the same room."""
    import numpy as np

    return -np.log10(1 - np.clip(percent, 0, 99.999) / 100)


def share(nines_: Any) -> Any:
    return 100 * (1 - 10.0 ** (-nines_))


def answers(axes: Axes, results: dict[str, Results], theme: str) -> None:
    """Fully right constraints, set by set."""
    sets = [results[name] for name in ("maskbench-sample", "bfcl-sample") if name in results]
    names = [name for name in sets[0]["engines"] if name != tables.NATIVE]
    width = 0.8 / len(names)
    for i, name in enumerate(names):
        for place, found in enumerate(sets):
            engine = found["engines"].get(name)
            if engine is None or not engine["compiled"]:
                continue
            value = 100 * engine["right"] / found["constraints"]
            label = named(name) if place == 0 else None
            at = place + (i - (len(names) - 1) / 2) * width
            axes.bar(at, value, width * 0.9, color=colour(name, theme), label=label)
            axes.text(at, value + 1, tables.number(value), ha="center", fontsize=9)
    axes.set_xticks(range(len(sets)), [f"{s['title']}, {s['constraints']} {s['unit']}" for s in sets])
    axes.set_ylim(0, 108)
    axes.set_ylabel("fully right, %")
    axes.set_title("Constraints whose instances are all judged right", loc="left")
    axes.legend(
        frameon=False, loc="lower center", ncols=len(names), labelcolor="linecolor", bbox_to_anchor=(0.5, -0.22)
    )
    axes.grid(True, axis="y")


def batch(axes: Axes, results: dict[str, Results], theme: str) -> None:
    """A step of a batch, a sequence."""
    for name, engine in results["batch"]["engines"].items():
        sizes = [int(size) for size in engine["us"]]
        style = STYLES.get(name, "-")
        axes.plot(sizes, engine["us"].values(), style, marker="o", color=colour(name, theme), label=named(name))
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.yaxis.set_major_formatter(lambda y, _: f"{y:g} µs")
    axes.set_xlabel("sequences of a batch")
    axes.set_ylabel("CPU time a sequence and step")
    axes.set_title("A step from Python, states known, one thread", loc="left")
    axes.legend(frameon=False, labelcolor="linecolor")
    axes.grid(True)


def steps(axes: Axes, results: dict[str, Results], theme: str) -> None:
    """The share of an engine's step that structured output takes."""
    found = results["engine-steps"]["engines"]
    batches = results["engine-steps"]["batches"]
    groups = [(engine, place) for engine in found for place in range(len(batches))]
    backends = ["xgrammar", "llguidance", "sluice"]
    width = 0.8 / len(backends)
    for i, backend in enumerate(backends):
        values = [found[engine]["share"][backend][place] for engine, place in groups]
        places = [at + (i - 1) * width for at in range(len(groups))]
        axes.bar(places, values, width * 0.9, color=colour(backend, theme), label=named(backend))
        for at, value in zip(places, values):
            axes.text(at, value + 0.8, tables.number(value), ha="center", fontsize=9)
    axes.set_xticks(range(len(groups)), [f"{engine}\nbatch {batches[place]}" for engine, place in groups])
    axes.set_ylabel("share of the step, %")
    axes.set_title("Structured output's share of an engine's step, without a GPU", loc="left")
    axes.legend(frameon=False, loc="lower center", ncols=3, labelcolor="linecolor", bbox_to_anchor=(0.5, -0.3))
    axes.grid(True, axis="y")


FIGURES: dict[str, tuple[str, Callable[[Axes, dict[str, Results], str], None]]] = {
    "latency": ("maskbench-sample", latency),
    "answers": ("maskbench-sample", answers),
    "batch": ("batch", batch),
    "engine-steps": ("engine-steps", steps),
}


def settings(theme: str) -> dict[str, Any]:
    ink, faint, paper = (THEMES[theme][key] for key in ("ink", "faint", "paper"))
    return {
        "svg.hashsalt": "sluice",
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.size": 11,
        "axes.titlesize": 12,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": faint,
        "grid.color": faint,
        "grid.linewidth": 0.6,
        "figure.facecolor": paper,
        "axes.facecolor": paper,
        "text.color": ink,
        "axes.labelcolor": ink,
        "xtick.color": ink,
        "ytick.color": ink,
    }


def draw(results: dict[str, Results], out: Path) -> list[Path]:
    """Draws the figures for which there are results; returns the files."""
    out.mkdir(parents=True, exist_ok=True)
    made = []
    for name, (needed, figure) in FIGURES.items():
        if needed not in results:
            continue
        for theme in THEMES:
            with pyplot.rc_context(settings(theme)):
                drawing, axes = pyplot.subplots(figsize=(8.4, 4.6), layout="constrained")
                figure(axes, results, theme)
                path = out / f"{name}-{theme}.svg"
                drawing.savefig(path, format="svg", metadata={"Date": None})
                pyplot.close(drawing)
                lines = path.read_text().splitlines()
                path.write_text("\n".join(line.rstrip() for line in lines) + "\n")
                made.append(path)
    return made


if __name__ == "__main__":
    print(f"{len(draw(tables.load(), OUT))} figures in {OUT}")
    sys.exit(0)
