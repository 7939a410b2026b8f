"""Explanation: why a token or a text may come next or not.

Invariant: everything here comes from the library's JSON (`sluice_matcher_explanation`); nothing is decided in Python.
"""

from __future__ import annotations

import base64
import builtins
import json
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _library
from ._errors import ArgumentError

if TYPE_CHECKING:
    from typing_extensions import Buffer


@dataclass(frozen=True)
class Expectation:
    """A part of the constraint that may come next.

    Attributes:
        text: the expected text in words: a quoted text, a class of bytes, the names of properties.
        source: the kind of the constraint, as errors name it; "" if the place is not known.
        pointer: the JSON pointer of the place, None if the constraint is no JSON.
        keyword: the keyword at the pointer, or the type of the element of a structural tag; "" if there is none.
        value: the value of the keyword as it is written, shortened.
        rule: the rule of a grammar, "" if there is none.
        line, column: the place of the rule or the pattern, from 1; 0 if there is none.
    """

    text: str
    source: str
    pointer: str | None
    keyword: str
    value: str
    rule: str
    line: int
    column: int


@dataclass(frozen=True)
class Missing:
    """A part of the constraint that every output still has to write.

    Attributes:
        kind: "text", "characters", "property", "properties", "items", or "part" for anything else.
        text: the part in words.
        name: the name of a property, else "".
        count: the number of characters, properties or items, else 0.
        source, pointer, keyword, value, rule, line, column: as in `Expectation`.
    """

    kind: str
    text: str
    name: str
    count: int
    source: str
    pointer: str | None
    keyword: str
    value: str
    rule: str
    line: int
    column: int


@dataclass(frozen=True)
class Explanation:
    """Why a token or a text may come next or not; `str` returns the sentence.

    The explanation describes the place at `offset`: the byte that is refused, or the end of an allowed token or text.

    Attributes:
        allowed: whether the matcher would accept it.
        offset: the first byte that no output has there; the length if the whole is allowed, and 0 for a token that is
            refused for another reason than its text.
        ends: whether the output may end at the offset.
        bytes: the bytes that may come there, as a class such as "[0-9]"; "" if there are none.
        expected: the parts of the constraint that may come there, at most 8, the most specific first.
        missing: the parts that every output still writes from there on, at most 8, in their order.
        forced: the text that every output continues with there, as `forced_bytes` returns it.
        sentence: all of it for people to read; its wording changes between versions.
    """

    allowed: bool
    offset: int
    ends: bool
    bytes: str
    expected: tuple[Expectation, ...]
    missing: tuple[Missing, ...]
    forced: builtins.bytes
    sentence: str

    def __str__(self) -> str:
        return self.sentence


_EXPECTATION = tuple(Expectation.__dataclass_fields__)
_MISSING = tuple(Missing.__dataclass_fields__)


def read(text: bytes) -> Explanation:
    """Returns the explanation of the library's JSON. Members that a later library adds are left out."""
    x: dict[str, Any] = json.loads(text)
    return Explanation(
        allowed=x["allowed"],
        offset=x["offset"],
        ends=x["ends"],
        bytes=x["bytes"],
        expected=tuple(Expectation(**{k: e[k] for k in _EXPECTATION}) for e in x["expected"]),
        missing=tuple(Missing(**{k: e[k] for k in _MISSING}) for e in x["missing"]),
        forced=base64.b64decode(x["forced"]),
        sentence=x["sentence"],
    )


def ask(lib: _library.Library, handle: int, token: int | None, text: str | Buffer | None) -> Explanation:
    """Returns the matcher's explanation of the token, or of the text."""
    if (token is None) == (text is None):
        raise ArgumentError("explain takes a token or a text")
    raw = None
    if text is not None:
        raw = text.encode() if isinstance(text, str) else bytes(memoryview(text))
    number = 0 if token is None else operator.index(token)
    if not -1 << 31 <= number < 1 << 31:
        raise ArgumentError(f"token {number} is outside every vocabulary")
    size = 0 if raw is None else len(raw)
    return read(_library.written("matcher_explanation", handle, number, raw, size, lib=lib))
