#!/usr/bin/env python3
"""Measures long lists of strings: compilation, and masks that are met for the first time and again.

    make lab NAME=lists                                             # beside LLGuidance, if it can be imported
    make lab NAME=lists ARGS="--sizes 1000 --forms enum,choice"

Each line is one list in one form. It measures the masks before each token of some strings of the list; the tokens are
the longest that fit. Times are CPU time, of the process for compilations and of the thread for masks. Sluice computes
no mask ahead (`warm_bytes` is 0). If a mask of LLGuidance has a token that Sluice's lacks, the program fails. The last
column counts the masks that are equal: LLGuidance allows one token within forced text, and one spelling in JSON.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings/python"))

import sluice

try:
    import llguidance
except ImportError:
    llguidance = None

TOKENIZERS = ROOT.parent / "shared/data/tokenizers"
NOUNS = "Delta Alpha Stone River Classic Ultra Pro Max Steel Kitchen Garden Phone Case Cable Lamp Chair".split()
SYLLABLES = "ba ko ri ten ster mon ly que za in ard el tho un pra".split()


def _word(r: random.Random, most: int) -> str:
    return "".join(r.choice(SYLLABLES) for _ in range(r.randint(2, most)))


SHAPES: dict[str, Callable[[random.Random], str]] = {
    "ids": lambda r: f"<a_{r.randrange(10_000)}><b_{r.randrange(10_000)}><c_{r.randrange(100)}>",
    "numbers": lambda r: f"{r.randrange(10_000_000):07}",
    "products": lambda r: f"Product {r.choice(NOUNS)} {r.choice(NOUNS)} {r.randrange(100_000)}",
    "paths": lambda r: f"/usr/share/{_word(r, 3)}/{r.choice(NOUNS)}/{_word(r, 2)}{r.randrange(1000)}.txt",
    "URLs": lambda r: f"https://www.example.com/{r.choice(NOUNS)}/{_word(r, 4)}-{r.randrange(100)}",
    "words": lambda r: _word(r, 6),
    "hex": lambda r: f"{r.getrandbits(64):016x}",
}


def strings(shape: str, n: int) -> list[str]:
    """Returns n different strings of a shape, in no order."""
    r, made = random.Random(7), {}
    while len(made) < n:
        made[SHAPES[shape](r)] = None
    return list(made)


class Form(NamedTuple):
    """A form of a list: the constraint of each engine, and the output before a string."""

    sluice: Callable[[list[str]], tuple[str, Any, dict[str, Any]]]
    peer: Callable[[list[str]], tuple[str, str]] | None
    before: str


def _alternatives(names: list[str]) -> str:
    return " | ".join(json.dumps(name) for name in names)


def _terminal(names: list[str]) -> str:
    """Returns a Lark grammar with one terminal: LLGuidance takes at most 2,000 alternatives of a rule."""
    return "start: NAME\nNAME: " + _alternatives(names)


def _request(names: list[str]) -> dict[str, Any]:
    tool = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    tools = [{"type": "function", "function": {"name": name, "parameters": tool}} for name in names]
    return {"tool_choice": "required", "tools": tools}


FORMS = {
    "enum": Form(
        lambda names: ("json_schema", {"enum": names}, {}),
        lambda names: ("json_schema", json.dumps({"enum": names})),
        '"',
    ),
    "choice": Form(lambda names: ("choice", names, {}), lambda names: ("lark", _terminal(names)), ""),
    "ebnf": Form(
        lambda names: ("ebnf", "root ::= " + _alternatives(names), {}),
        lambda names: ("lark", _terminal(names)),
        "",
    ),
    "lark": Form(
        lambda names: ("lark", "start: " + _alternatives(names), {}),
        lambda names: ("lark", _terminal(names)),
        "",
    ),
    "tools": Form(lambda names: ("request", _request(names), {"family": "hermes"}), None, '<tool_call>\n{"name": "'),
}


class Sluice:
    """Sluice for one vocabulary."""

    def __init__(self, path: Path) -> None:
        self.vocabulary = sluice.Vocabulary.from_file(path)
        self.compiler = sluice.Compiler(self.vocabulary, cache_bytes=0, warm_bytes=0)

    def compile(self, kind: str, spec: Any, options: dict[str, Any]) -> sluice.Grammar:
        return self.compiler.compile(kind, spec, **options)

    def matcher(self, grammar: sluice.Grammar) -> sluice.Matcher:
        return grammar.matcher()

    def fill(self, matcher: sluice.Matcher, rows: np.ndarray) -> None:
        matcher.fill(rows, 0)

    def accept(self, matcher: sluice.Matcher, token: int) -> None:
        assert matcher.accept(token)


class Peer:
    """LLGuidance for the same vocabulary."""

    def __init__(self, path: Path, vocabulary: sluice.Vocabulary) -> None:
        text = gzip.decompress(path.read_bytes()).decode()
        end = vocabulary.end_tokens[0]
        self.tokenizer = llguidance.LLTokenizer(text, n_vocab=vocabulary.size, eos_token=end)

    def compile(self, kind: str, text: str) -> Any:
        make = llguidance.LLMatcher
        grammar = make.grammar_from_lark(text) if kind == "lark" else make.grammar_from_json_schema(text)
        matcher = make(self.tokenizer, grammar, log_level=0)
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return matcher

    def matcher(self, grammar: Any) -> Any:
        return grammar.deep_copy()

    def fill(self, matcher: Any, rows: np.ndarray) -> None:
        matcher.unsafe_compute_mask_ptr(rows.ctypes.data, rows.nbytes)

    def accept(self, matcher: Any, token: int) -> None:
        assert matcher.consume_token(token)


def tokens_along(engine: Sluice, grammar: sluice.Grammar, text: bytes) -> list[int]:
    """Returns the tokens of a text, each the longest that is allowed."""
    matcher, tokens = grammar.matcher(), []
    rows = sluice.allocate_bitmask(1, engine.vocabulary)
    while text:
        matcher.fill(rows, 0)
        allowed = np.flatnonzero(np.unpackbits(rows[0].view(np.uint8), bitorder="little"))
        spelled = {int(t): engine.vocabulary.token_bytes(int(t)) for t in allowed}
        token = max((t for t, b in spelled.items() if b and text.startswith(b)), key=lambda t: len(spelled[t]))
        tokens.append(token)
        text = text[len(spelled[token]) :]
        assert matcher.accept(token)
    return tokens


class Masks(NamedTuple):
    """Times of the masks along some outputs, in µs, new and cached, and the masks."""

    first: list[float]
    again: list[float]
    rows: list[np.ndarray]


def measure(engine: Any, grammar: Any, outputs: list[list[int]], shape: np.ndarray) -> Masks:
    """Fills the masks before each token of some outputs, twice."""
    found = Masks([], [], [])
    for times in (found.first, found.again):
        for tokens in outputs:
            matcher = engine.matcher(grammar)
            for token in tokens:
                rows = np.zeros_like(shape)
                begin = time.thread_time_ns()
                engine.fill(matcher, rows)
                times.append((time.thread_time_ns() - begin) / 1000)
                found.rows.append(rows)
                engine.accept(matcher, token)
    return found


def compiled(make: Callable[[], Any]) -> tuple[Any, float]:
    """Returns what make returns, and the CPU time that it took in ms."""
    begin = time.process_time()
    return make(), (time.process_time() - begin) * 1000


def told(masks: Masks, took: float) -> str:
    """Returns an engine's part of a line: medians, and also the slowest new mask."""
    first = sorted(masks.first)
    again = sorted(masks.again)
    return f"{took:9.1f} {first[len(first) // 2]:8.1f} {first[-1]:9.1f} {again[len(again) // 2]:8.1f}"


def lines(arguments: argparse.Namespace) -> Iterator[str]:
    """Yields the table, a line at a time."""
    columns = f"{'compile':>9} {'median':>8} {'slowest':>9} {'again':>8}"
    yield f"{'':39}  {'Sluice: ms, then µs a mask':38}" + ("  LLGuidance" if llguidance else "")
    head = f"{'vocabulary':12}{'form':8}{'shape':10}{'strings':>9}  {columns}"
    yield f"{head}   {columns}  equal" if llguidance else head
    for vocabulary in arguments.vocabularies.split(","):
        path = arguments.tokenizers / f"{vocabulary}.json.gz"
        ours = Sluice(path)
        peer = Peer(path, ours.vocabulary) if llguidance else None
        shape = sluice.allocate_bitmask(1, ours.vocabulary)
        for size in (int(n) for n in arguments.sizes.split(",")):
            for name in arguments.shapes.split(","):
                for form in arguments.forms.split(","):
                    line = f"{vocabulary:12}{form:8}{name:10}{size:9}  "
                    if form == "tools" and (size > 10_000 or name not in ("words", "hex")):
                        continue  # not names of tools, or more than a request may have
                    yield line + one(FORMS[form], strings(name, size), ours, peer, shape, arguments)


def one(form: Form, names: list[str], ours: Sluice, peer: Peer | None, shape: np.ndarray, arguments: Any) -> str:
    """Returns the measurements of one list."""
    samples = random.Random(3).sample(names, arguments.samples)
    kind, spec, options = form.sluice(names)
    grammar, took = compiled(lambda: ours.compile(kind, spec, options))
    outputs = [tokens_along(ours, grammar, (form.before + text).encode()) for text in samples]
    grammar, took = compiled(lambda: ours.compile(kind, spec, options))  # no mask of it has been met
    masks = measure(ours, grammar, outputs, shape)
    line = told(masks, took)
    if peer is None or form.peer is None:
        return line
    theirs, text = form.peer(names)
    try:
        other, took = compiled(lambda: peer.compile(theirs, text))
        others = measure(peer, other, outputs, shape)
    except (ValueError, AssertionError) as e:
        return f"{line}   refused: {str(e).splitlines()[0][:60] if str(e) else 'a token'}"
    pairs = list(zip(masks.rows, others.rows, strict=True))
    if any((b & ~a).any() for a, b in pairs):
        raise SystemExit(f"{line}   a mask of the peer has a token more")
    same = sum(bool((a == b).all()) for a, b in pairs)
    return f"{line}   {told(others, took)}  {same} of {len(pairs)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokenizers", type=Path, default=TOKENIZERS, help="folder of NAME.json.gz")
    parser.add_argument("--vocabularies", default="llama3_1,qwen2_5")
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--forms", default=",".join(FORMS))
    parser.add_argument("--samples", type=int, default=5, help="strings of a list whose masks are measured")
    for line in lines(parser.parse_args()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
