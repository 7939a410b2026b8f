"""Converts a constraint to the text that the library compiles, and encodes its options.

A text is a text: any other value (None, a number) is a TypeError here, and never JSON by accident.
"""

from __future__ import annotations

import enum
import json
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from . import _abi, _types
from ._abi import Kind
from ._errors import InvalidError

_NONE: Mapping[str, Any] = {}
_TEXTS = {"regex": "a regular expression", "ebnf": "a grammar", "lark": "a grammar", "grammar": "a grammar"}


class Options(TypedDict, total=False):
    """Options of a constraint, as keyword arguments of everything that compiles one.

    None is the default of each. An option that means nothing for the kind of a constraint is refused. docs/options.md
    and docs/CAPABILITIES.md list them with the kinds that take them.

    Attributes:
        special_tokens: the places that allow a special token. "tokens": only its name in the grammar. "text": also its
            spelling as text, which is the default of structural tags and Lark.
        start_rule: the first rule of a grammar; "root" by default, and "start" in Lark.
        lines: a choice is given as one string a line instead of a JSON list.
        any_order: properties may come in any order. Required ones stay required, and none comes twice.
        closed: True forbids keys and items that a schema does not declare, if it declares any and does not allow
            others itself. False leaves objects of a *type* open, which are closed by default; see
            `Compiler.compile_json_schema`.
        lenient: keywords that are unsupported are left out with a note, instead of raising UnsupportedError.
        compact: JSON without whitespace.
        max_whitespace: any whitespace between two tokens of JSON, up to so many characters. By default the whitespace
            that serializers write is allowed.
        whitespace_pattern: a regular expression for the whitespace between two tokens of JSON.
        separators: exactly these two texts between elements and after keys, as [", ", ": "], and no other whitespace.
        indent: each element on a line of its own, indented for each level by so many spaces or by this text.
        number_forms: "all" lets integers be written 1.0 and 1e2 too; "integer" is the default.
        ascii_only: strings in ASCII; all other characters are escaped.
        escapes: "any" lets declared keys and the strings of enum and const be written with any escapes. With "written",
            the default, letters, digits and a few signs stand for themselves.
        dialect: the dialect of a schema that has no $schema, "2020-12" by default. "draft-04" to "2020-12" are known.
        documents: further schema documents by their URI, to which $ref may refer.
        format: "annotation" ignores the keyword format; "assertion", the default, enforces it.
        grammars: further grammars by name, for @name in Lark: {"lark_grammar": text} or {"json_schema": schema} each.
        family: how a model writes calls of tools and reasoning: a family's name, see `family_of`, or the object of a
            family's file.
        reasoning: whether the output of a request has reasoning in it: "off", the default; "on", which comes first;
            "auto", first if at all.
    """

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


class CompilerOptions(TypedDict, total=False):
    """Options of a compiler, as keyword arguments of `Compiler`. None is the default of each.

    Budgets count steps of work, so the same call fails the same way on every machine; it raises LimitError.

    Attributes:
        cache_bytes: the memory for grammars that are kept for equal constraints, 16 MiB by default; 0 keeps none.
        shared_bytes: how far the terminals of a grammar may grow before they are built anew, 8 MiB by default.
        grammar_states: how many states a grammar keeps beside those that matchers are in, 8,192 by default.
        warm_bytes: the length of the sample output along which masks are computed after a compilation, 256 by default;
            0 turns this off.
        compile_budget: the most steps of a compilation with its first mask: 32,000,000, about a second.
        mask_budget: the most steps of a mask: 7,000,000, about 70 ms.
        search_budget: the most steps of exploring the conditions on one text: 6,000,000, about 0.15 s.
        transition_budget: the most parser items that one byte may lead to: 590,000.
    """

    cache_bytes: int | None
    shared_bytes: int | None
    grammar_states: int | None
    warm_bytes: int | None
    compile_budget: int | None
    mask_budget: int | None
    search_budget: int | None
    transition_budget: int | None


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


def number(kind: Kind) -> int:
    """Returns the number of a kind in the C interface.

    Raises:
        ValueError: there is no such kind.
    """
    found = _abi.KINDS.get(kind)
    if found is None:
        import difflib

        near = difflib.get_close_matches(kind, _abi.KINDS, 1) if isinstance(kind, str) else []
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"kind {kind!r} is none of {', '.join(_abi.KINDS)}{meant}")
    return found


def text(kind: Kind, spec: Any, options: Mapping[str, Any] = _NONE) -> bytes:
    """Returns the text of a constraint of that kind; the option `closed` decides about objects of a type.

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
        spec = _schema(spec, options.get("closed"))
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


def _schema(spec: Any, closed: bool | None) -> Any:
    """Returns a schema as JSON has it."""
    if isinstance(spec, (dict, bool, list)):
        return spec
    if isinstance(spec, Mapping):
        return dict(spec)
    if isinstance(spec, type) and issubclass(spec, enum.Enum):
        return {"enum": [member.value for member in spec]}
    if typing.get_origin(spec) is Literal:
        return {"enum": list(typing.get_args(spec))}
    made = _types.schema(spec, closed)
    if made is None:
        raise TypeError(
            f"a JSON Schema is a dict or bool, JSON as str or bytes, or a type (a pydantic model, a TypeAdapter, a "
            f"dataclass, a TypedDict, an Enum, a Literal), not {_name(spec)}"
        )
    return made


def _choices(spec: Any) -> list[Any]:
    """Returns choices as a list of strings."""
    if isinstance(spec, type) and issubclass(spec, enum.Enum):
        found: list[Any] = [member.value for member in spec]
        if others := [member for member in spec if not isinstance(member.value, str)]:
            raise TypeError(
                f"choices are strings, and the value of {others[0]!r} is {_article(others[0].value)}. Pass the names, "
                f"list({spec.__name__}.__members__), or the values as strings, [str(m.value) for m in "
                f"{spec.__name__}]; compile_json_schema takes the Enum as it is"
            )
    elif typing.get_origin(spec) is Literal:
        found = list(typing.get_args(spec))
    elif isinstance(spec, Iterable) and not isinstance(spec, Mapping):
        found = list(spec)
    else:
        raise TypeError(f"choices are a list of strings, an Enum or a Literal, not {_name(spec)}")
    if any(not issubclass(kind, str) for kind in set(map(type, found))):  # PERF: a million strings take 20 ms
        i, choice = next((i, choice) for i, choice in enumerate(found) if not isinstance(choice, str))
        raise TypeError(f"choices are strings, and number {i} is {_article(choice)}, {choice!r}")
    if not found:
        raise InvalidError("there is nothing to choose from: give at least one string", source="choice")
    return found


def _article(value: Any) -> str:
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
