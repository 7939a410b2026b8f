#!/usr/bin/env python3
"""`make demo`: constraints of every kind, generated under by a stand-in model through libsluice.so, and judged.

    python tests/demo/demo.py [--tokenizer PATH] [--seed N] [--schema PATH] [--regex PATH] [--ebnf PATH]
                              [--structural-tag PATH] [--max-tokens N]

Without a constraint of your own it runs the four of tests/demo/constraints: a JSON Schema, an arithmetic grammar, a
regular expression and a structural tag with two tools. It shows every token with the number of allowed tokens, the
finished output, the verdict of a validator that knows nothing of Sluice, and the times. The exit status is 1 if any
output is wrong or does not end.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Callable, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "bindings" / "python")]

import sluice
import verify
from model import Model, generate
from show import Screen, duration

TOKENIZER = ROOT / "tests" / "data" / "tokenizer.json.gz"
# The tokens that end an output in the committed tokenizer; other files name theirs in the usual ways.
END_NAMES = ("<|end|>", "<|eot|>")


class Constraint(NamedTuple):
    """One thing to show."""

    label: str
    kind: str
    path: Path
    verdict: Callable[[str, str], verify.Verdict]


class Run(NamedTuple):
    """Its outcome."""

    constraint: Constraint
    tokens: int
    compile_ns: int
    fills: list[int]
    verdict: verify.Verdict


FOLDER = HERE / "constraints"
BUILT_IN = [
    Constraint("JSON Schema", "json_schema", FOLDER / "order.schema.json", verify.json_schema),
    Constraint("EBNF", "ebnf", FOLDER / "arithmetic.ebnf", verify.arithmetic),
    Constraint("Regex", "regex", FOLDER / "logline.regex", verify.regex),
    Constraint("Structural tag", "structural_tag", FOLDER / "tools.tag.json", verify.structural_tag),
]


def arguments() -> argparse.Namespace:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tokenizer", type=Path, default=TOKENIZER, help="any tokenizer.json, tiktoken or .model file")
    ap.add_argument("--schema", type=Path, action="append", default=[], help="a JSON Schema of yours")
    ap.add_argument("--regex", type=Path, action="append", default=[], help="a file with a regular expression")
    ap.add_argument("--ebnf", type=Path, action="append", default=[], help="a GBNF grammar")
    ap.add_argument("--structural-tag", type=Path, action="append", default=[], help="a structural tag document")
    ap.add_argument("--seed", type=int, default=7, help="of the stand-in model (default 7)")
    ap.add_argument("--max-tokens", type=int, default=600, help="give up after so many (default 600)")
    return ap.parse_args()


def constraints(a: argparse.Namespace) -> list[Constraint]:
    own = [Constraint("JSON Schema", "json_schema", p, verify.json_schema) for p in a.schema]
    own += [Constraint("EBNF", "ebnf", p, verify.grammar) for p in a.ebnf]
    own += [Constraint("Regex", "regex", p, verify.regex) for p in a.regex]
    own += [Constraint("Structural tag", "structural_tag", p, verify.structural_tag) for p in a.structural_tag]
    return own or BUILT_IN


def read(c: Constraint) -> str:
    text = c.path.read_text()
    return text.rstrip("\n") if c.kind == "regex" else text


def hints(c: Constraint, spec: str) -> list[str]:
    """Returns hints for the stand-in model: the beginnings of a structural tag's tags."""
    if c.kind != "structural_tag":
        return []
    found: list[str] = []
    worklist = [json.loads(spec)]
    while worklist:
        node = worklist.pop(0)
        if isinstance(node, dict):
            if isinstance(node.get("begin"), str):
                found.append(node["begin"])
            worklist.extend(v for k, v in node.items() if k not in ("json_schema", "schema"))
        elif isinstance(node, list):
            worklist.extend(node)
    return found[:2]


def load(a: argparse.Namespace, screen: Screen) -> tuple[sluice.Vocabulary, sluice.Compiler, Model]:
    start = time.perf_counter_ns()
    vocabulary = sluice.Vocabulary.from_file(a.tokenizer)
    if a.tokenizer == TOKENIZER:
        end = [i for name in END_NAMES if (i := vocabulary.token_id(name)) is not None]
        vocabulary = sluice.Vocabulary.from_file(a.tokenizer, end_tokens=end)
    compiler = sluice.Compiler(vocabulary)
    spent = time.perf_counter_ns() - start
    screen.line(
        f"{screen.paint('Sluice ' + sluice.version(), 'bold')}  "
        f"{vocabulary.size:,} tokens of {a.tokenizer.name}, loaded in {duration(spent)}"
    )
    screen.line(screen.paint("Behind each token: how many were allowed in its place.", "dim"))
    sample = ((b"forced", 1), (b"few", 12), (b"many", 31_000))
    for text, allowed in sample:
        screen.token(text, allowed, False)
    return vocabulary, compiler, Model(vocabulary, a.seed)


def run(c: Constraint, compiler: sluice.Compiler, model: Model, limit: int, screen: Screen) -> Run:
    spec = read(c)
    screen.title(c.label, c.path.name)
    screen.indented(spec)
    clock = time.perf_counter_ns
    start = clock()
    grammar = compiler.compile(c.kind, spec)
    compile_ns = clock() - start
    for note in grammar.notes:
        screen.field("note", f"{note.pointer or '/'}: {note.text}", style="yellow")
    vocabulary = compiler.vocabulary
    row = memoryview(bytearray(4 * vocabulary.words))
    matcher = grammar.matcher()
    model.begin(hints(c, spec))
    fills: list[int] = []
    written = b""
    screen.line()
    for token, allowed, spent in generate(matcher, model, row, limit, clock):
        fills.append(spent)
        end = token in vocabulary.end_tokens
        written += b"" if end else vocabulary.token_bytes(token)
        screen.token(vocabulary.token_bytes(token), allowed, end)
    screen.line()
    output = written.decode("utf-8", "backslashreplace")
    screen.wrapped("output", output)
    if matcher.terminated:
        verdict = c.verdict(spec, output)
    else:
        verdict = verify.Verdict(False, "demo", f"not at its end after {limit} tokens")
    mark, style = {
        True: (screen.glyph("✔", "OK"), "green"),
        False: (screen.glyph("✘", "WRONG"), "red"),
        None: ("?", "yellow"),
    }[verdict.ok]
    screen.field("verdict", f"{verdict.by}: {verdict.text}", mark=mark, mark_style=style)
    later = fills[1:] or fills
    times = f"compiled in {duration(compile_ns)}, first mask {duration(fills[0])}, "
    times += f"then {duration(statistics.median(later))} a mask (median of {len(later)}, Python included; "
    times += f"slowest {duration(max(later))}); {grammar.stats.states:,} parser states"
    screen.field("times", times)
    return Run(c, len(fills), compile_ns, fills, verdict)


def closing(runs: list[Run], screen: Screen) -> None:
    rows = [["constraint", "tokens", "compile", "first mask", "mask p50", "mask max", "verdict"]]
    marks = {}
    for r in runs:
        later = r.fills[1:] or r.fills
        times = [duration(x) for x in (r.compile_ns, r.fills[0], statistics.median(later), max(later))]
        word = {True: "right", False: "WRONG", None: "not checked"}[r.verdict.ok]
        marks[len(rows)] = {True: "green", False: "red", None: "yellow"}[r.verdict.ok]
        rows.append([r.constraint.label, str(r.tokens), *times, word])
    screen.title("Summary", "")
    screen.table(rows, marks)
    screen.line()


def main() -> int:
    a = arguments()
    screen = Screen()
    try:
        _, compiler, model = load(a, screen)
        runs = [run(c, compiler, model, a.max_tokens, screen) for c in constraints(a)]
    except BrokenPipeError:  # the reader of the output has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (sluice.SluiceError, OSError) as e:
        screen.line(f"{screen.paint('error', 'bold', 'red')}  {e}")
        return 1
    closing(runs, screen)
    return 0 if all(r.verdict.ok is not False for r in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
