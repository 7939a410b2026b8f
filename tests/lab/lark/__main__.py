"""Differential fuzzing of Lark grammars: Sluice against the PyPI package lark.

    python tests/lab/lark --grammars 500            so many grammars, always the same ones
    python tests/lab/lark --time 3600 --seed 7      for an hour
    python tests/lab/lark --only 7:1234             one round again, by the seed that a finding names

Each round makes a grammar and compares both on all short texts of its alphabet and some longer ones. lark runs its
Earley parser without a lexer (dynamic_complete), which tries every way to cut a text into terminals, as Sluice does.
Grammars and texts on which the two differ by design are left out:

- lark ignores blanks before the first token, too: no text begins with one;
- it has no terminals that match nothing: none is made;
- it asks a pattern for the longest of its matches only, up to each end: patterns are sequences of single characters, in
  which the longest match is found from the left.

The exit status is 1 if there is a finding. Needs build/libsluice.so and the packages of tests/requirements.txt.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from pathlib import Path

import lark

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bindings" / "python"))

import sluice

ALPHABET = "abc"
IMPORTED = {"INT": "common.INT", "NAME": "common.CNAME -> NAME"}


class Maker:
    """Makes one grammar."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.rules = ["s", "x", "y"][: r.randint(1, 3)]
        self.terminals = ["A", "B", "_C"][: r.randint(0, 3)]
        self.imported = [n for n in IMPORTED if r.random() < 0.15]
        self.template = r.random() < 0.3
        self.blanks = r.random() < 0.4

    def text(self) -> str:
        text = '"' + "".join(self.r.choice(ALPHABET) for _ in range(self.r.randint(1, 2))) + '"'
        return text + "i" if self.r.random() < 0.1 else text

    def pattern(self) -> str:
        """A sequence of single characters that cannot be empty."""
        parts = [self.r.choice(["a", "b", "[ab]", "[^c ]", "."]) for _ in range(self.r.randint(1, 3))]
        counts = [self.r.choice(["", "", "?", "*", "+", "{2}", "{1,2}"]) for _ in parts]
        counts[self.r.randrange(len(counts))] = self.r.choice(["", "+"])
        return "/" + "".join(p + c for p, c in zip(parts, counts, strict=True)) + "/"

    def terminal(self) -> str:
        kind = self.r.random()
        if kind < 0.5:
            return self.pattern()
        if kind < 0.9:
            return " | ".join(self.text() for _ in range(self.r.randint(1, 3)))
        return '"a".."b"'

    def atom(self, depth: int, params: tuple[str, ...]) -> str:
        kind = self.r.random()
        if depth > 0 and kind < 0.3:
            return self.r.choice(["({})", "({})", "[{}]"]).format(self.alternatives(depth - 1, params))
        if kind < 0.5:
            return self.r.choice(self.rules)
        if kind < 0.6 and self.terminals + self.imported:
            return self.r.choice(self.terminals + self.imported)
        if kind < 0.7 and params:
            return self.r.choice(params)
        if kind < 0.75 and self.template:
            return f"t{{{self.r.choice(self.rules)}, {self.text()}}}"
        if kind < 0.85:
            return self.pattern()
        return self.text()

    def sequence(self, depth: int, params: tuple[str, ...]) -> str:
        out = []
        for _ in range(self.r.choice([0, 1, 1, 2, 2, 3])):
            count = self.r.choice(["", "", "", "", "*", "+", "?", "~2", "~0..2"])
            out.append(self.atom(depth, params) + count)
        return " ".join(out)

    def alternatives(self, depth: int, params: tuple[str, ...] = ()) -> str:
        return " | ".join(self.sequence(depth, params) for _ in range(self.r.choice([1, 1, 2, 3])))

    def grammar(self) -> str:
        lines = ["start: s"]  # lark fails over a start rule that is recursive in several ways
        lines += [f"{self.r.choice(['', '?', '!'])}{n}: {self.alternatives(2)}" for n in self.rules]
        lines += [f"{n}{self.r.choice(['', '', '.2'])}: {self.terminal()}" for n in self.terminals]
        lines += [f"%import {IMPORTED[n]}" for n in self.imported]
        if self.template:
            lines.append(f"t{{p, q}}: {self.alternatives(1, ('p', 'q'))}")
        if self.blanks:
            lines.append('%ignore " "')
        self.r.shuffle(lines)
        return "\n".join(lines) + "\n"


def texts(r: random.Random) -> list[str]:
    """Texts that do not begin with a blank."""
    short = ["".join(t) for n in range(4) for t in itertools.product(ALPHABET + " ", repeat=n)]
    longer = ["".join(r.choices("aabbc 1A", k=r.randint(4, 9))) for _ in range(60)]
    return [t for t in short + longer if not t.startswith(" ")]


class Judge:
    """lark's opinion of a grammar."""

    def __init__(self, grammar: str) -> None:
        self.parser = lark.Lark(grammar, parser="earley", lexer="dynamic_complete", ambiguity="resolve")

    def accepts(self, text: str) -> bool:
        try:
            self.parser.parse(text)
        except lark.exceptions.UnexpectedInput:
            return False
        return True


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--grammars", type=int, help="stop after so many")
    ap.add_argument("--time", type=float, help="stop after so many seconds")
    ap.add_argument("--seed", type=int, help="default: 1 with --grammars, else from the clock")
    ap.add_argument("--only", help="SEED:NUMBER of one round")
    a = ap.parse_args()
    if not (a.grammars or a.time or a.only):
        ap.error("give --grammars, --time or --only")
    seed = a.seed if a.seed is not None else 1 if not a.time else int(time.time())
    numbers = itertools.count()
    if a.only:
        seed, _, number = a.only.partition(":")
        numbers = [int(number)]
    print(f"seed {seed}", flush=True)
    vocabulary = sluice.Vocabulary.from_tokens(
        [*(bytes([b]) for b in range(256)), b"<end>"], special=[256], end_tokens=[256]
    )
    compiler = sluice.Compiler(vocabulary)
    begin = time.monotonic()
    counts = {"grammars": 0, "refused by lark": 0, "empty": 0, "texts": 0, "accepted": 0, "beyond a budget": 0}
    findings = 0
    for n in numbers:
        if (a.grammars and n >= a.grammars) or (a.time and time.monotonic() - begin > a.time) or findings >= 10:
            break
        name = f"{seed}:{n}"
        r = random.Random(name)
        grammar = Maker(r).grammar()
        try:
            judge = Judge(grammar)
        except lark.exceptions.LarkError:
            counts["refused by lark"] += 1
            continue
        counts["grammars"] += 1
        try:
            compiled = compiler.compile_lark(grammar)
        except sluice.UnsatisfiableError:
            compiled = None
            counts["empty"] += 1
        except sluice.LimitError:
            counts["beyond a budget"] += 1
            continue
        except sluice.SluiceError as e:
            findings += 1
            print(f"FINDING {name}: lark reads it, and here it is {e}\n{grammar}", flush=True)
            continue
        for text in texts(r):
            want = judge.accepts(text)
            got = False
            try:
                if compiled is not None:
                    matcher = compiled.matcher()
                    got = matcher.accept_bytes(text.encode()) and matcher.completed
            except sluice.LimitError:
                counts["beyond a budget"] += 1
                continue
            counts["texts"] += 1
            counts["accepted"] += want
            if want != got:
                findings += 1
                print(
                    f"FINDING {name}: {text!r} is accepted by {'lark' if want else 'Sluice'} alone\n{grammar}",
                    flush=True,
                )
                break
    for what, count in counts.items():
        print(f"{count:9} {what}")
    print(f"{findings} findings, {time.monotonic() - begin:.0f} s")
    # A run in which hardly anything was compared says nothing.
    return 1 if findings or (a.grammars and counts["accepted"] < a.grammars) else 0


if __name__ == "__main__":
    sys.exit(main())
