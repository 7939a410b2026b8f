"""A stand-in for a language model: a seeded random logit for every token, and a wish to come to an end.

It knows nothing of constraints. Its logits depend on how a token looks (words are likelier than control characters), on
how long the present run of words is, and on how much has been written: closing brackets, quotes and end tokens grow
likelier with time, opening ones less so. A hint is text that it would like to write next ("<tool_call>…"): while the
mask allows a token of it, it takes the longest one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

import sluice

WORD, MARK, QUOTE, CLOSE, OPEN, SPACE, FOREIGN, END = range(8)
_CLASSES = 8
# How likely a token of each class is by itself.
_BASE = (1.0, 0.3, 0.25, 0.4, 0.4, 0.004, 0.02, 1e-3)

_BITS = [[i for i in range(8) if byte >> i & 1] for byte in range(256)]


def allowed_ids(row: bytes) -> list[int]:
    """Returns the ids whose bit is set, from a row's bytes (words are little-endian)."""
    return [8 * at + bit for at, byte in enumerate(row) if byte for bit in _BITS[byte]]


def looks(token: bytes) -> int:
    """Returns the class of a token's bytes."""
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return FOREIGN
    bare = text.strip(" ")
    if not bare or "\n" in text or "\t" in text or "\\" in text or "  " in text or not text.isprintable():
        return SPACE
    if not text.isascii():
        return FOREIGN
    if '"' in bare:
        return QUOTE
    if bare[0] in "}])":
        return CLOSE
    if bare[-1] in "{[(":
        return OPEN
    return WORD if bare.isalnum() else MARK


class Model:
    """Draws tokens. One sequence at a time; `begin` starts the next one."""

    def __init__(self, vocabulary: sluice.Vocabulary, seed: int):
        self.rng = random.Random(seed)
        self.bytes = [vocabulary.token_bytes(i) for i in range(vocabulary.size)]
        self.end = frozenset(vocabulary.end_tokens)
        self.looks = bytes(END if i in self.end else looks(b) for i, b in enumerate(self.bytes))
        self.base = [math.exp(self.rng.gauss(0, 1)) * _BASE[c] for c in self.looks]
        self.begin(())

    def begin(self, hints: Sequence[str]) -> None:
        """Starts a sequence; hints are written in turn, each after a few words."""
        self.hints = [h.encode() for h in hints]
        self.pending = b""
        self.step = self.run = self.idle = 0

    def _hinted(self, allowed: Sequence[int]) -> int | None:
        """Returns the longest allowed token that the hint goes on with."""
        best = None
        for i in allowed:
            token = self.bytes[i]
            if token and self.pending.startswith(token) and (best is None or len(token) > len(self.bytes[best])):
                best = i
        if best is None:
            self.pending = b""  # the constraint wants something else here
        return best

    def _pressure(self) -> list[float]:
        """Returns the factor of each class at this step."""
        step, run = self.step, self.run
        out = [1.0] * _CLASSES
        out[QUOTE] = math.exp(min(0.8 * run - 1.5, 12))
        out[CLOSE] = math.exp(min(step / 14 + 0.5 * run, 25))
        out[OPEN] = math.exp(-step / 12)
        out[MARK] = math.exp(-step / 60)
        if not self.hints:
            out[END] = math.exp(min(step / 5 + run, 30))
        return out

    def choose(self, row: bytes) -> tuple[int, int]:
        """Returns the chosen token and how many were allowed."""
        allowed = allowed_ids(row)
        if not allowed:
            raise RuntimeError("a row without any token: the mask is wrong")
        if not self.pending and self.hints and self.idle >= 9:
            self.pending = self.hints.pop(0)
        token = self._hinted(allowed) if self.pending else None
        if token is None:
            factor = self._pressure()
            weights = [self.base[i] * factor[self.looks[i]] for i in allowed]
            token = self.rng.choices(allowed, weights)[0]
            self.idle += 1
        else:
            self.pending = self.pending[len(self.bytes[token]) :]
            self.idle = 0
        self.step += 1
        self.run = self.run + 1 if self.looks[token] in (WORD, FOREIGN, SPACE) else 0
        return token, len(allowed)


def generate(
    matcher: sluice.Matcher, model: Model, row: memoryview, limit: int, clock: object
) -> Iterator[tuple[int, int, int]]:
    """Yields (token, number allowed, ns of the fill) until the end token, which comes last, or `limit` tokens."""
    for _ in range(limit):
        start = clock()
        matcher.fill(row)
        spent = clock() - start
        token, allowed = model.choose(row.tobytes())
        if not matcher.accept(token):
            raise RuntimeError(f"token {token} is in the mask, but is not accepted")
        yield token, allowed, spent
        if matcher.terminated:
            return
