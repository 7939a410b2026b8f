"""The independent opinion: PyPI `jsonschema`, with exact code for its inexact parts.

Numbers are read as integers and decimals, so that multipleOf and bounds never go through a float; patterns are ECMA-262
searches; unevaluated items and properties, and formats, are decided here, from the specifications. Nothing of Sluice is
known in this file.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import jsonschema
from jsonschema import _keywords, _legacy_keywords, _utils
from jsonschema_specifications import REGISTRY as SPECIFICATIONS
from referencing import Resource
from referencing.jsonschema import lookup_recursive_ref, specification_with


class _Patterns:
    """Stands in for the module re inside jsonschema: patterns mean what ECMA-262 says."""

    @staticmethod
    def search(pattern: str, text: str) -> Any:
        return ecma(pattern).search(text)


_compiled: dict[str, re.Pattern[str]] = {}


def ecma(pattern: str) -> re.Pattern[str]:
    """Translates a pattern of schemas.PATTERNS: "$" is the very end, classes are ASCII, "." is no line end."""
    found = _compiled.get(pattern)
    if found is None:
        out, i, inside = "", 0, False
        while i < len(pattern):
            c = pattern[i]
            if c == "\\":
                out, i = out + pattern[i : i + 2], i + 2
                continue
            inside = (c == "[" or inside) and c != "]"
            out += c if inside or c not in "$." else {"$": r"\Z", ".": "[^\\n\\r\\u2028\\u2029]"}[c]
            i += 1
        found = _compiled[pattern] = re.compile(out, re.ASCII)
    return found


for _module in (_keywords, _legacy_keywords, _utils):
    _module.re = _Patterns  # type: ignore[attr-defined]


def _is_integer(_: Any, x: Any) -> bool:
    return (isinstance(x, int) and not isinstance(x, bool)) or (isinstance(x, Decimal) and x == x.to_integral_value())


def _is_number(_: Any, x: Any) -> bool:
    return isinstance(x, (int, Decimal)) and not isinstance(x, bool)


def _multiple_of(validator: Any, divisor: Any, x: Any, _: Any) -> Iterator[jsonschema.ValidationError]:
    if validator.is_type(x, "number") and (Fraction(x) / Fraction(divisor)).denominator != 1:
        yield jsonschema.ValidationError(f"{x} is no multiple of {divisor}")


def evaluated(validator: Any, instance: Any, schema: Any) -> set[Any]:
    """The keys, or the places, of the instance that the schema has evaluated, given that the instance is valid by it.

    As the specifications of 2019-09 and 2020-12 have it. jsonschema's own reading of 2019-09 takes the schema of
    additionalProperties for a map of properties, and counts items that contains has looked at.
    """
    if not isinstance(schema, dict):
        return set()
    out: set[Any] = set()
    if isinstance(instance, dict):
        out |= _evaluated_keys(instance, schema)
    elif isinstance(instance, list):
        out |= _evaluated_places(validator, instance, schema)
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in schema:
            out |= _evaluated_there(validator, instance, validator._resolver.lookup(schema[keyword]))
    if "$recursiveRef" in schema:
        out |= _evaluated_there(validator, instance, lookup_recursive_ref(validator._resolver))
    for sub in _in_place(validator, instance, schema):
        if next(validator.descend(instance, sub), None) is None:
            out |= evaluated(validator.evolve(schema=sub), instance, sub)
    return out


def _evaluated_there(validator: Any, instance: Any, found: Any) -> set[Any]:
    return evaluated(validator.evolve(schema=found.contents, _resolver=found.resolver), instance, found.contents)


def _evaluated_keys(instance: dict[str, Any], schema: dict[str, Any]) -> set[Any]:
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return set(instance)
    patterns = schema.get("patternProperties", {})
    return {k for k in instance if k in schema.get("properties", {}) or any(ecma(p).search(k) for p in patterns)}


def _evaluated_places(validator: Any, instance: list[Any], schema: dict[str, Any]) -> set[Any]:
    everything = set(range(len(instance)))
    items = schema.get("items")
    if "unevaluatedItems" in schema or (items is not None and not isinstance(items, list)):
        return everything
    if isinstance(items, list):  # 2019-09
        return everything if "additionalItems" in schema else set(range(min(len(items), len(instance))))
    out = set(range(min(len(schema.get("prefixItems", [])), len(instance))))
    if "contains" in schema and validator.META_SCHEMA["$schema"].endswith("2020-12/schema"):
        out |= {i for i in everything if validator.evolve(schema=schema["contains"]).is_valid(instance[i])}
    return out


def _in_place(validator: Any, instance: Any, schema: dict[str, Any]) -> Iterator[Any]:
    """The subschemas that apply to the same instance; whether they are satisfied is another question."""
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from schema.get(keyword, ())
    if "if" in schema:
        yield schema["if"]
        holds = validator.evolve(schema=schema["if"]).is_valid(instance)
        yield schema.get("then" if holds else "else", True)
    if isinstance(instance, dict):
        yield from (s for k, s in schema.get("dependentSchemas", {}).items() if k in instance)


def _unevaluated(keyword: str, kind: type) -> Any:
    def check(validator: Any, sub: Any, instance: Any, schema: Any) -> Iterator[jsonschema.ValidationError]:
        if not isinstance(instance, kind):
            return
        seen = evaluated(validator, instance, {k: v for k, v in schema.items() if k != keyword})
        for at in instance if kind is dict else range(len(instance)):
            if at not in seen and not validator.evolve(schema=sub).is_valid(instance[at]):
                yield jsonschema.ValidationError(f"{at!r} is unevaluated and not allowed")

    return check


formats = jsonschema.FormatChecker(formats=())


def _format(name: str) -> Any:
    def register(check: Any) -> Any:
        formats.checks(name)(lambda x: not isinstance(x, str) or check(x))
        return check

    return register


_TIME = re.compile(
    r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))", re.ASCII
)


@_format("date")
def is_date(x: str) -> bool:
    """RFC 3339 full-date."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", x, re.ASCII):
        return False
    year, month, day = map(int, x.split("-"))
    try:
        date(year or 2000, month, day)  # year 0 is a leap year, as 2000 is
    except ValueError:
        return False
    return True


@_format("time")
def is_time(x: str) -> bool:
    """RFC 3339 full-time; a leap second is the last one of a day in UTC."""
    m = _TIME.fullmatch(x)
    if not m:
        return False
    if m[3] != "60":
        return True
    minutes = int(m[1]) * 60 + int(m[2])
    if m[4]:
        offset = int(m[5]) * 60 + int(m[6])
        minutes += offset if m[4] == "-" else -offset
    return minutes % (24 * 60) == 23 * 60 + 59


@_format("date-time")
def is_date_time(x: str) -> bool:
    """RFC 3339 date-time."""
    return len(x) > 10 and x[10] in "Tt" and is_date(x[:10]) and is_time(x[11:])


@_format("ipv4")
def is_ipv4(x: str) -> bool:
    """RFC 2673 dotted quad."""
    return bool(re.fullmatch(r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}", x, re.ASCII)) and "\n" not in x


@_format("ipv6")
def is_ipv6(x: str) -> bool:
    """RFC 4291, without a zone."""
    try:
        ipaddress.IPv6Address(x)
    except ValueError:
        return False
    return "%" not in x


@_format("uuid")
def is_uuid(x: str) -> bool:
    """RFC 4122."""
    return bool(re.fullmatch(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", x))


@_format("duration")
def is_duration(x: str) -> bool:
    """RFC 3339 appendix A."""
    clock = r"T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)"
    days = r"(?:\d+D|\d+M(?:\d+D)?|\d+Y(?:\d+M(?:\d+D)?)?)"
    return bool(re.fullmatch(rf"P(?:{days}(?:{clock})?|{clock}|\d+W)", x, re.ASCII))


@_format("json-pointer")
def is_pointer(x: str) -> bool:
    """RFC 6901."""
    return bool(re.fullmatch(r"(?:/(?:[^~/]|~[01])*)*", x, re.DOTALL))


@_format("relative-json-pointer")
def is_relative_pointer(x: str) -> bool:
    """draft-bhutton-relative-json-pointer-00, without index manipulation."""
    m = re.match(r"(?:0|[1-9]\d*)", x, re.ASCII)
    return m is not None and (x[m.end() :] == "#" or is_pointer(x[m.end() :]))


_CLASSES = {
    "draft4": jsonschema.Draft4Validator,
    "draft6": jsonschema.Draft6Validator,
    "draft7": jsonschema.Draft7Validator,
    "draft2019-09": jsonschema.Draft201909Validator,
    "draft2020-12": jsonschema.Draft202012Validator,
}
DIALECTS = tuple(_CLASSES)
FORMATS = frozenset(formats.checkers)

_UNEVALUATED = {
    "unevaluatedProperties": _unevaluated("unevaluatedProperties", dict),
    "unevaluatedItems": _unevaluated("unevaluatedItems", list),
}
_EXACT = {
    name: jsonschema.validators.extend(
        c,
        validators={"multipleOf": _multiple_of} | (_UNEVALUATED if "unevaluatedItems" in c.VALIDATORS else {}),
        type_checker=c.TYPE_CHECKER.redefine("integer", _is_integer).redefine("number", _is_number),
    )
    for name, c in _CLASSES.items()
}


def read(text: str) -> Any:
    """Reads JSON with exact numbers."""
    return json.loads(text, parse_float=Decimal)


class Undecided(Exception):
    """The validator has no opinion: a schema that refers to itself without end, or one that it cannot read."""


class Judge:
    """Decides instances of one schema."""

    def __init__(self, dialect: str, schema: Any, assert_formats: bool = True, documents: Any = {}):  # noqa: B006
        self.schema = read(dump(schema))
        cls = _EXACT[dialect]
        others = [
            (uri, Resource.from_contents(read(dump(d)), specification_with(cls.META_SCHEMA["$schema"])))
            for uri, d in documents.items()
        ]
        registry = SPECIFICATIONS.with_resources(others)
        self.validator = cls(self.schema, format_checker=formats if assert_formats else None, registry=registry)

    def check_schema(self, dialect: str) -> str | None:
        """Returns the errors of the dialect's metaschema about the schema."""
        error = next(_EXACT[dialect](_CLASSES[dialect].META_SCHEMA).iter_errors(self.schema), None)
        return error.message if error else None

    def valid(self, text: str) -> bool:
        """Decides the text of an instance."""
        try:
            return self.validator.is_valid(read(text))
        except BaseException as e:  # a recursion that is too deep inside the registry's Rust is no Exception
            if not isinstance(e, (RecursionError, AttributeError)) and type(e).__name__ != "PanicException":
                raise
            # AttributeError: looking for an anchor, `referencing` takes the lists of dependencies for schemas.
            raise Undecided from None


def dump(value: Any) -> str:
    """Writes a schema: decimals as they are."""
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, dict):
        return "{" + ", ".join(json.dumps(k, ensure_ascii=False) + ": " + dump(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(dump, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
