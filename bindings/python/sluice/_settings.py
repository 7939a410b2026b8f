"""The environment variables that all plugins share. docs/operations.md lists them."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from ._abi import Kind
from ._compiler import capabilities, check
from ._errors import SluiceError

OPTIONS = "SLUICE_OPTIONS"
CACHE = "SLUICE_CACHE_MB"
MAX_TOKENS = "SLUICE_MAX_TOKENS"
_MOST_MB = 1 << 20  # a TiB

# The kinds that plugins compile, each with a constraint on which options are tried.
_TRIED: dict[Kind, Any] = {
    "json_schema": {},
    "json_object": "",
    "json": "",
    "regex": "a",
    "choice": ["a"],
    "ebnf": '{start} ::= "a"',
    "grammar": '{start} ::= "a"',
    "structural_tag": {"type": "structural_tag", "format": {"type": "any_text"}},
}

# Options that exclude each other. If an engine or a request sets one of them, it replaces the operator's.
_WHITESPACE = {"compact", "max_whitespace", "whitespace_pattern", "separators", "indent"}


class Settings(NamedTuple):
    """The operator's settings."""

    options: Mapping[str, Mapping[str, Any]]  # for each kind the options that it takes
    compiler: Mapping[str, Any]  # options of compilers
    max_tokens: bool  # masks leave room for the end within the limit of tokens of each request

    def of(self, kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the options of a constraint: the given ones, and the operator's for options that are not given."""
        own = self.options.get(kind, {})
        decided = given.keys() | (_WHITESPACE if given.keys() & _WHITESPACE else set())
        return {**{name: value for name, value in own.items() if name not in decided}, **given}


def settings() -> Settings:
    """Reads the environment. It loads the library if SLUICE_OPTIONS is set.

    Raises:
        ValueError: a variable has a wrong value; the message names the variable.
    """
    return _read(*(os.environ.get(name, "").strip() for name in (OPTIONS, CACHE, MAX_TOKENS)))


@functools.lru_cache(maxsize=8)
def _read(options: str, cache: str, max_tokens: str) -> Settings:
    if max_tokens not in ("", "off", "on"):
        raise ValueError(f"{MAX_TOKENS}={max_tokens}: must be on or off")
    compiler = {"cache_bytes": _megabytes(cache) << 20} if cache else {}
    return Settings(_options(options) if options else {}, compiler, max_tokens == "on")


def _megabytes(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= _MOST_MB and len(text) < 9):
        raise ValueError(f"{CACHE}={text}: must be a whole number of MiB from 0 to {_MOST_MB}")
    return int(text)


def _options(text: str) -> dict[str, dict[str, Any]]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as e:
        raise ValueError(f"{OPTIONS}={text}: is no JSON: {e}") from e
    if not isinstance(read, dict):
        raise ValueError(f'{OPTIONS}={text}: must be a JSON object, as {{"closed": true}}')
    read = {name: value for name, value in read.items() if value is not None}
    known = {option["name"]: option["kinds"] for option in capabilities()["options"]}
    for name in read:
        if name not in known:
            raise ValueError(f"{OPTIONS}={text}: there is no option {name!r}; there are {', '.join(known)}")
        if not _TRIED.keys() & known[name]:
            raise ValueError(f"{OPTIONS}={text}: the option {name!r} means nothing for the constraints of engines")
    found: dict[str, dict[str, Any]] = {}
    for kind, example in _TRIED.items():
        own = found[kind] = {name: value for name, value in read.items() if kind in known[name]}
        if isinstance(example, str):
            example = example.replace("{start}", str(own.get("start_rule", "root")))
        try:
            check(kind, example, **own)
        except (SluiceError, TypeError, ValueError) as e:
            raise ValueError(f"{OPTIONS}={text}: {e}") from e
    return found
