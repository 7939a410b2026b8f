"""The fuzzer's interface to Sluice, through its Python binding: compile, decide a text, generate from masks."""

from __future__ import annotations

import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bindings" / "python"))

import sluice

# Every byte, and longer tokens that cross the borders of JSON's own tokens, like tokens of real vocabularies.
_TEXTS = [bytes([b]) for b in range(256)]
_TEXTS += [
    t.encode() for t in ('{"', '":', '": ', '", "', '"}', '"]', "},", '}, {"', "[[", "]]", "null", "true", "false")
]
_TEXTS += [
    t.encode()
    for t in ("10", "100", ".5", "e1", "0.", "-1", "aa", "aaa", "ab", '"a"', '"a": ', '{"a":', "é", "éa", "😀")
]
_TEXTS += [t.encode() for t in ("\\u00", "\\n", '\\"', "  ", "\n  ", ', "b": ', "[]", "{}", "[1, 2", "1,", '""', '","')]
END = len(_TEXTS)
_SCALARS = {bytes([b]) for b in b"0123456789tfna"}


class Engine:
    """One compiler for the whole run."""

    def __init__(self) -> None:
        self.vocabulary = sluice.Vocabulary.from_tokens([*_TEXTS, b"<end>"], special=[END], end_tokens=[END])
        self.compiler = sluice.Compiler(self.vocabulary)
        self.rows = sluice.allocate_bitmask(1, self.vocabulary)

    def compile(self, schema: str, options: dict[str, Any]) -> sluice.Grammar:
        """Compiles the text of a schema."""
        return self.compiler.compile("json_schema", schema, **options)

    @staticmethod
    def accepts(grammar: sluice.Grammar, text: str) -> bool:
        """Whether the text is a whole output."""
        matcher = grammar.matcher()
        return matcher.accept_bytes(text.encode()) and matcher.completed

    def allowed(self, matcher: sluice.Matcher) -> list[int]:
        """The tokens of the mask."""
        matcher.fill(self.rows, 0)
        bits = int.from_bytes(memoryview(self.rows).cast("B"), "little")
        out = []
        while bits:
            low = bits & -bits
            out.append(low.bit_length() - 1)
            bits ^= low
        return out

    def compare_mask(self, matcher: sluice.Matcher) -> str | None:
        """Compares the mask with trying every token."""
        mask = set(self.allowed(matcher))
        for token in range(END + 1):
            if (matcher.validate([token]) == 1) != (token in mask):
                return f"token {token} {_spelling(token)!r}: in the mask {token in mask}, accepted {token not in mask}"
        return None

    def generate(self, r: random.Random, grammar: sluice.Grammar) -> tuple[bytes, str]:
        """Follows masks from the start to an end. Returns the text and its end: "ended", "endless" (too long), or a
        sentence about an error: no token is allowed, a mask that contradicts accept."""
        matcher = grammar.matcher()
        said = bytearray()
        wander = r.choice([0, 5, 20, 60])
        compare_at = r.randrange(40) if r.random() < 0.1 else -1
        for n in itertools.count():
            try:
                if n == compare_at and (wrong := self.compare_mask(matcher)):
                    return bytes(said), wrong
                tokens = self.allowed(matcher)
            except sluice.UnsatisfiableError as e:
                return bytes(said), f"dead end: {e}"
            except sluice.SluiceError as e:
                return bytes(said), f"no mask: {e}"
            if END in tokens and (n >= wander or len(tokens) == 1 or r.random() < 0.1):
                return bytes(said), "ended"
            if n > 600:
                return bytes(said), "endless"
            tokens = [t for t in tokens if t != END]
            if not tokens:
                return bytes(said), "an empty mask"
            token = self.choose(r, tokens, said, n >= wander)
            try:
                if not matcher.accept(token):
                    return bytes(said), f"the mask allows {_TEXTS[token]!r}, which is then not accepted"
            except sluice.SluiceError as e:
                return bytes(said), f"the mask allows {_TEXTS[token]!r}, which is then an error: {e}"
            said += _TEXTS[token]

    @staticmethod
    def choose(r: random.Random, tokens: list[int], said: bytes, closing: bool) -> int:
        """Picks a token: a closing one, once the walk shall end; else any, preferably legible."""
        quote, brace, bracket = b'"}]'
        if closing and r.random() < 0.9:
            if brace in tokens and bracket in tokens:  # only a string can go on with either
                return quote if quote in tokens else r.choice(tokens)
            opens = said.endswith((b",", b"{", b"[", b": ", b":", b", "))  # a quote here begins one more
            for close in (brace, bracket, *(() if opens else (quote,))):
                if close in tokens:
                    return close
        legible = [t for t in tokens if t >= 256 or 0x20 < t < 0x7F]
        quiet = [t for t in legible if _TEXTS[t] not in (b" ", b"\n", b"\t", b"\r", b"  ", b"\n  ")]
        if closing and (digits := [t for t in quiet if _TEXTS[t] in _SCALARS]):
            return r.choice(digits) if r.random() < 0.7 else r.choice(quiet)
        pool = quiet if quiet and r.random() < 0.9 else tokens
        return r.choice(pool)


def _spelling(token: int) -> bytes:
    return _TEXTS[token] if token < END else b"<end>"


def repeats_key(text: str) -> bool:
    """Whether an object of the text has a key twice, compared after decoding."""
    found = False

    def pairs(members: list[tuple[str, Any]]) -> None:
        nonlocal found
        found = found or len({k for k, _ in members}) < len(members)

    json.loads(text, object_pairs_hook=pairs)
    return found


def reorderings(value: Any, most: int) -> list[Any]:
    """The value with the keys of its objects in every order, up to a number."""
    if isinstance(value, list):
        return [list(c) for c in itertools.islice(itertools.product(*(reorderings(v, most) for v in value)), most)]
    if isinstance(value, dict):
        out: list[Any] = []
        for order in itertools.permutations(value):
            for parts in itertools.product(*(reorderings(value[k], most) for k in order)):
                out.append(dict(zip(order, parts)))
                if len(out) >= most:
                    return out
        return out
    return [value]
