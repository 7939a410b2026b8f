"""Matches matchers with rows that the decoder reorders, cuts and extends between two calls.

A foreign decoder shows its sequences as rows of token ids, again and again. With greedy decoding and sampling row i
continues row i; beam search reorders and doubles rows; speculative decoding adds drafts and removes some of them. So a
matcher is found by its accepted tokens, never by the number of its row.

Invariant: after `Sequences.move(rows)` the matcher of row i has accepted the longest prefix of that row that the
grammar allows. So the answers depend on the rows alone and on no earlier call.
"""

from __future__ import annotations

import array
from collections.abc import Sequence
from typing import Any, NamedTuple

from ._grammar import Grammar, Matcher

_SIZE = 8  # bytes of a token id in a row


class _Place(NamedTuple):
    """A matcher and the ids that it has accepted, 8 bytes each."""

    matcher: Matcher
    text: bytes


class Sequences:
    """The matchers of the rows of one generation. One thread at a time."""

    def __init__(self, grammars: Sequence[Grammar | None], rows: int, stop_tokens: Any = None):
        """Begins with `rows` empty rows, of which each grammar has as many as the others, one after the other; None
        leaves its rows free."""
        if not grammars or rows % len(grammars):
            raise ValueError(
                f"{rows} rows and {len(grammars)} grammars: give one grammar for all rows, or one for each prompt"
            )
        # Rows of one prompt, each of which may continue any other.
        self._share = rows // len(grammars)
        self._grammars = grammars
        self._stop_tokens = stop_tokens
        self._places: list[_Place | None] = []
        for i in range(rows):
            grammar = grammars[i // self._share]
            self._places.append(_Place(grammar.matcher(stop_tokens=stop_tokens), b"") if grammar else None)

    def move(self, rows: Sequence[bytes]) -> None:
        """Moves to these rows: all ids that each of them has, 8 bytes each."""
        if len(rows) != len(self._places):
            raise ValueError(f"{len(rows)} rows, and {len(self._places)} before")
        sources = [self._source(i, text) for i, text in enumerate(rows)]
        users: dict[int, int] = {}
        for source in sources:
            users[source] = users.get(source, 0) + 1
        moved: list[_Place | None] = []
        for source, text in zip(sources, rows):
            place = self._places[source]
            users[source] -= 1
            if place is not None:
                matcher = place.matcher.fork() if users[source] else place.matcher
                place = _advance(matcher, place.text, text)
            moved.append(place)
        self._places = moved

    def _source(self, i: int, text: bytes) -> int:
        """Returns the row whose matcher has accepted the longest beginning of `text`; row i itself if it may be."""
        own = self._places[i]
        if own is None or (len(text) - len(own.text) <= _SIZE and text.startswith(own.text)):
            return i
        first = i - i % self._share
        best, most = i, -1
        for k in (i, *range(first, first + self._share)):
            place = self._places[k]
            if place is not None and (n := _common(place.text, text)) > most:
                best, most = k, n
        return best

    def matcher(self, i: int) -> Matcher | None:
        """Returns the matcher of row i, None for a free row."""
        place = self._places[i]
        return place and place.matcher

    def accepted(self, i: int) -> int:
        """Returns how many ids of row i were accepted."""
        place = self._places[i]
        return len(place.text) // _SIZE if place else 0

    def group(self, i: int) -> int:
        """Returns which prompt row i belongs to."""
        return i // self._share


def _common(a: bytes, b: bytes) -> int:
    """Returns how many bytes of whole ids two rows have in common."""
    low, high = 0, min(len(a), len(b)) // _SIZE
    while low < high:
        middle = (low + high + 1) // 2
        if a[low * _SIZE : middle * _SIZE] == b[low * _SIZE : middle * _SIZE]:
            low = middle
        else:
            high = middle - 1
    return low * _SIZE


def _advance(matcher: Matcher, text: bytes, to: bytes) -> _Place:
    """Moves a matcher that has accepted `text` to `to`, as far as its grammar takes it."""
    n = len(text) if to.startswith(text) else _common(text, to)
    if n < len(text):
        matcher.rollback((len(text) - n) // _SIZE)
    rest = array.array("q", to[n:])
    count = matcher.accept_tokens(rest) if rest else 0
    return _Place(matcher, to[: n + count * _SIZE])
