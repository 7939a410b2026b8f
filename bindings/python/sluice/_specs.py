"""What users pass as a constraint, as the text that the library compiles; and the options that go with it.

A text is a text: what is none (None, a number) is a TypeError here, and no JSON that somebody happened to mean.
"""

from __future__ import annotations

import enum
import json
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from . import _abi

_TEXTS = {"regex": "a regular expression", "ebnf": "a grammar", "lark": "a grammar", "grammar": "a grammar"}


class Options(TypedDict, total=False):
    """Options of a constraint, as include/sluice.h and docs/CAPABILITIES.md explain them; None is the default of each.
    One that a kind does not know is refused."""

    special_tokens: Literal["tokens", "text"] | None
    start_rule: str | None
    lines: bool | None
    any_order: bool | None
    closed: bool | None
    lenient: bool | None
    compact: bool | None
    max_whitespace: int | None
    whitespace_pattern: str | None
    separators: Sequence[str] | None
    indent: int | str | None
    number_forms: Literal["integer", "all"] | None
    ascii_only: bool | None
    escapes: Literal["written", "any"] | None
    dialect: str | None
    documents: Mapping[str, Any] | None
    format: Literal["assertion", "annotation"] | None
    grammars: Mapping[str, Mapping[str, Any]] | None
    family: str | Mapping[str, Any] | None
    reasoning: Literal["off", "on", "auto"] | None


def encode(options: Mapping[str, Any]) -> bytes | None:
    """Returns options as JSON, None if all are the defaults."""
    given = {name: value for name, value in options.items() if value is not None}
    return json.dumps(given).encode() if given else None


# Longer ones are looked up without the interpreter lock. A text is hashed, which takes a microsecond for each KiB;
# options are read, which takes 10 to 30.
_SHORT_TEXT, _SHORT_OPTIONS = 64 << 10, 2 << 10


def short(spec: bytes, options: bytes | None) -> bool:
    """Says whether it takes less time to look for a constraint than others would notice that they wait."""
    return len(spec) <= _SHORT_TEXT and (options is None or len(options) <= _SHORT_OPTIONS)


def number(kind: str) -> int:
    """Returns the number of a kind in the C interface.

    Raises:
        ValueError: there is no such kind.
    """
    found = _abi.KINDS.get(kind)
    if found is None:
        raise ValueError(f"kind {kind!r} is none of {', '.join(_abi.KINDS)}")
    return found


def text(kind: str, spec: Any) -> bytes:
    """Returns the text of a constraint of that kind.

    Raises:
        TypeError: nothing of this type is such a constraint.
    """
    if isinstance(spec, bytes):
        return spec
    if isinstance(spec, str):
        # Lone surrogates go through, so that the library names their place instead of Python its codec.
        return spec.encode("utf-8", "surrogatepass")
    if kind in _TEXTS:
        raise TypeError(f"{_TEXTS[kind]} is a str or bytes, not {_name(spec)}")
    if kind == "json_schema":
        spec = _schema(spec)
    elif kind == "choice":
        spec = _choices(spec)
    elif isinstance(spec, Mapping):
        spec = dict(spec)
    elif callable(dump := getattr(spec, "model_dump", None)) and not isinstance(spec, type):
        spec = dump(by_alias=True)
    elif kind not in ("json", "json_object") or spec is not None:
        raise TypeError(f"a constraint of the kind {kind} is a dict, or JSON as str or bytes, not {_name(spec)}")
    else:
        return b""
    return json.dumps(spec).encode()


def _name(spec: Any) -> str:
    return spec.__name__ if isinstance(spec, type) else "None" if spec is None else type(spec).__name__


def _schema(spec: Any) -> Any:
    """Returns a schema as JSON has it."""
    if isinstance(spec, (dict, bool, list)):
        return spec
    if isinstance(spec, Mapping):
        return dict(spec)
    for method in ("model_json_schema", "json_schema"):  # pydantic's models and TypeAdapter
        if callable(made := getattr(spec, method, None)):
            return made()
    if isinstance(spec, type) and issubclass(spec, enum.Enum):
        return {"enum": [member.value for member in spec]}
    if typing.get_origin(spec) is Literal:
        return {"enum": list(typing.get_args(spec))}
    if not isinstance(spec, type) and typing.get_origin(spec) is None:
        raise TypeError(
            f"a JSON Schema is a dict or bool, JSON as str or bytes, or a type (a pydantic model, a TypeAdapter, a "
            f"dataclass, a TypedDict, an Enum, a Literal), not {_name(spec)}"
        )
    try:
        from pydantic import TypeAdapter
    except ImportError:
        raise TypeError(f"{spec!r} is a type: pydantic is needed to make a JSON Schema of it; pass a schema") from None
    return TypeAdapter(spec).json_schema()


def _choices(spec: Any) -> list[Any]:
    """Returns choices as a list of strings; which of them is none, the library says."""
    if isinstance(spec, type) and issubclass(spec, enum.Enum):
        return [member.value for member in spec]
    if typing.get_origin(spec) is Literal:
        return list(typing.get_args(spec))
    if isinstance(spec, Iterable) and not isinstance(spec, Mapping):
        return list(spec)
    raise TypeError(f"choices are a list of strings, an Enum or a Literal, not {_name(spec)}")
