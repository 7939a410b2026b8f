"""A stand-in for a language model: a seeded random logit for every token, and a tendency to end.

It knows nothing of constraints. Its logits depend on how a token looks (words are likelier than control characters), on
how long the present run of words is, and on how much has been written: full stops, closing brackets and end tokens
grow likelier, opening brackets less so. A hint is text that it would like to write next ("<tool_call>…"): while the
mask allows a token of it, it takes the longest one.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Sequence

import sluice

# How a token looks. STOP is what ends a sentence, CLOSE what closes a bracket, NEXT what leads on (commas, operators).
SPACED, WORD, DIGIT, NEXT, QUOTE, STOP, CLOSE, OPEN, ODD, FOREIGN, END = range(11)
# The base likelihood of a token of each class. ODD ones are line ends, escapes, runs of punctuation: there are
# thousands of them, and a text of them looks like noise.
_BASE = (1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 2e-5, 1e-3, 1e-3)
_PLAIN = re.compile(r""" ?[\[{(]*"?[:,]? ?[\[{(]*"?| ?"[\]})]*,? ?"?| ?[\]})]+,? ?"?| ?[-+*/:,;] ?""")

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
    if not bare or not text.isprintable() or "  " in text:
        return ODD
    if not text.isascii():
        return FOREIGN
    if bare.isalpha():
        return SPACED if text[0] == " " else WORD
    if bare.isdigit():
        return DIGIT
    if bare in (".", "!", "?"):
        return STOP
    if bare.strip('"').isalnum():
        return QUOTE
    if not _PLAIN.fullmatch(text):
        return ODD
    return QUOTE if '"' in bare else CLOSE if bare[0] in "}])" else OPEN if bare[-1] in "{[(" else NEXT


class Model:
    """Draws tokens. One sequence at a time; `begin` starts the next one."""

    def __init__(self, vocabulary: sluice.Vocabulary, seed: int):
        self.rng = random.Random(seed)
        self.bytes = [vocabulary.token_bytes(i) for i in range(vocabulary.size)]
        self.end = frozenset(vocabulary.end_tokens)
        self.looks = bytes(END if i in self.end else looks(b) for i, b in enumerate(self.bytes))
        # Most vocabularies number their tokens by how frequent they are.
        self.base = [math.exp(self.rng.gauss(0, 1)) * _BASE[c] / (800 + i) for i, c in enumerate(self.looks)]
        self.begin(())

    def begin(self, hints: Sequence[str]) -> None:
        """Starts a sequence; hints are written in turn, each after a few words."""
        self.hints = [h.encode() for h in hints]
        self.pending = b""
        self.hinted = False
        self.last = OPEN
        self.step = self.run = self.idle = 0

    def _hinted(self, allowed: Sequence[int]) -> int | None:
        """Returns the longest allowed token that the hint goes on with."""
        best = None
        for i in allowed:
            token = self.bytes[i]
            if token and self.pending.startswith(token) and (best is None or len(token) > len(self.bytes[best])):
                best = i
        if best is None:
            self.pending = b""  # the constraint wants something else from here on
        return best

    def _free(self, allowed: Sequence[int]) -> bool:
        """Returns whether this is free text. Before the first hint: nearly everything is allowed. Later: the output may
        end here, outside of the text that a hint began."""
        return len(allowed) > 5000 and (not self.hinted or not self.end.isdisjoint(allowed))

    def _wishes(self, text: bool) -> list[float]:
        """Returns the factor of each class at this step; `text`: words are allowed, so this is prose."""
        step, run = self.step, self.run
        out = [1.0] * len(_BASE)
        out[QUOTE] = out[STOP] = math.exp(min(0.7 * run - (3 if text else 0), 30))
        out[CLOSE] = math.exp(min(step / 12 + run, 30))
        out[OPEN] = math.exp(-step / 12)
        if not self.hints:
            out[END] = math.exp(min(step / 5 + 0.3 * run - 3, 40))
        if text:
            out[NEXT] = 0.01
            out[OPEN] = out[CLOSE] = out[DIGIT] = 1e-4
            if self.last in (WORD, SPACED):
                out[WORD] = 0.02  # the next word rather than more of this one
            elif self.last in (QUOTE, OPEN):
                out[SPACED] = 0.02
        return out

    def choose(self, row: bytes) -> tuple[int, int]:
        """Returns the chosen token and how many were allowed."""
        allowed = allowed_ids(row)
        if not allowed:
            raise RuntimeError("a row without any token: the mask is wrong")
        if self.hints and self.idle >= 7 and not self.pending and self._free(allowed):
            self.pending = self.hints.pop(0)
            self.hinted = True
        token = self._hinted(allowed) if self.pending else None
        if token is None:
            text = len(allowed) > 200 and any(self.looks[i] == WORD for i in allowed)
            wish = self._wishes(text)
            weights = [self.base[i] * wish[self.looks[i]] for i in allowed]
            if len(allowed) <= 64:
                # Few tokens are the pieces of a few texts, and a model writes a text in as few pieces as it can.
                weights = [
                    x * (len(self.bytes[i]) ** 4 if self.looks[i] != ODD else 1) for x, i in zip(weights, allowed)
                ]
            token = self.rng.choices(allowed, weights)[0]
            self.idle += 1
        else:
            self.pending = self.pending[len(self.bytes[token]) :]
            self.idle = 0
        self.step += 1
        self.last = self.looks[token]
        self.run = self.run + 1 if self.last in (SPACED, WORD, DIGIT, FOREIGN) else 0
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
