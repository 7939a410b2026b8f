"""Python types as JSON Schemas: pydantic writes the schema, and this module closes it.

A type describes an object completely, so an output with keys that the type does not declare wastes tokens, and a
dataclass cannot be constructed from it. JSON Schema allows such keys unless the schema forbids them. `schema` therefore
adds `"additionalProperties": false` to every object that stems from a pydantic model, a dataclass or a TypedDict,
nested ones too. It also adds restrictions that Python has and JSON Schema cannot name, so that the type accepts every
output.

Invariant: an object whose type says itself which keys it takes stays as pydantic wrote it (`extra="allow"`, `closed=`
and `extra_items=` of a TypedDict, `dict[str, int]`). Pydantic is imported when a type is compiled, never earlier.
"""

from __future__ import annotations

import functools
import sys
import typing
from collections.abc import Iterable
from typing import Any

# Restrictions of Python that formats of JSON Schema do not have: years begin at 1, a minute has no second 60, a
# timedelta has fewer than a billion days, and json.loads reads larger numbers as infinity, which is no Decimal.
_NO_YEAR_0, _NO_SECOND_60, _NO_LARGE_NUMBER = "^0000", ":60", "[0-9]{7}"
_LARGEST = 1e308
_KEYS = {  # of mappings, by the JSON type of the key: pydantic writes nothing for them
    "integer": "^(0|-?[1-9][0-9]{0,17})$",
    "number": "^-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,17})?$",
    "boolean": "^(true|false)$",
}


def schema(spec: Any, closed: bool | None) -> Any:
    """Returns the JSON Schema of a type, or of an object that describes itself as one; None if `spec` is neither.

    Args:
        spec: a pydantic model or TypeAdapter, any other object with the same methods, or a type that pydantic knows.
        closed: False leaves objects open that their type does not close.

    Raises:
        TypeError: `spec` is a type and pydantic is not installed.
    """
    for method in ("model_json_schema", "json_schema"):  # pydantic's models and TypeAdapter
        if callable(made := getattr(spec, method, None)):
            return made(**_arguments(made, closed is not False))
    if not isinstance(spec, type) and not _parametrized(spec):
        return None
    try:
        from pydantic import TypeAdapter
    except ImportError:
        raise TypeError(f"{spec!r} is a type: pydantic is needed to make a JSON Schema of it; pass a schema") from None
    return schema(TypeAdapter(spec), closed)


def _parametrized(spec: Any) -> bool:
    """Reports whether `spec` is a type with arguments, such as list[int] or Annotated[int, Field(ge=0)]."""
    return typing.get_origin(spec) is not None


def _arguments(made: Any, closed: bool) -> dict[str, Any]:
    """Returns the argument that makes pydantic use `_generator`; none for a method that does not take it."""
    if "pydantic" not in sys.modules:
        return {}  # a class of another package, which has its own way to write a schema
    import inspect  # PERF: only here, since it doubles the time that importing the package takes

    taken = inspect.signature(made).parameters.values()
    if any(p.name == "schema_generator" or p.kind is p.VAR_KEYWORD for p in taken):
        return {"schema_generator": _generator(closed)}
    return {}


@functools.lru_cache(maxsize=2)
def _generator(closed: bool) -> type:
    from pydantic.json_schema import GenerateJsonSchema

    close = _closed if closed else lambda made: made

    class Generator(GenerateJsonSchema):
        """Writes the schema of a type so that the type accepts every output."""

        def model_schema(self, schema: Any) -> Any:
            return close(super().model_schema(schema))

        def dataclass_schema(self, schema: Any) -> Any:
            return close(super().dataclass_schema(schema))

        def typed_dict_schema(self, schema: Any) -> Any:
            made = super().typed_dict_schema(schema)
            return made if _said(schema.get("cls")) is False else close(made)

        def field_is_present(self, field: Any) -> bool:
            # Of a dataclass: its constructor does not take a field with init=False.
            return field.get("init") is not False and super().field_is_present(field)

        def dict_schema(self, schema: Any) -> Any:
            return self._keyed(schema, super().dict_schema(schema))

        def ordered_dict_schema(self, schema: Any) -> Any:
            return self._keyed(schema, super().ordered_dict_schema(schema))

        def _keyed(self, schema: Any, made: Any) -> Any:
            key = self.generate_inner(schema["keys_schema"]).get("type") if "keys_schema" in schema else None
            if key in _KEYS:
                made.setdefault("propertyNames", {"pattern": _KEYS[key]})
            return made

        def tagged_union_schema(self, schema: Any) -> Any:
            # Pydantic reads no member without its tag, even if the member has a default for the tag.
            made = super().tagged_union_schema(schema)
            if "discriminator" in made:
                made.setdefault("required", [made["discriminator"]["propertyName"]])
            return made

        def bytes_schema(self, schema: Any) -> Any:
            made = super().bytes_schema(schema)
            if "maxLength" in made:  # counts bytes here, and characters in JSON Schema
                made.setdefault("pattern", "^[ -~]*$")
            return made

        def decimal_schema(self, schema: Any) -> Any:
            made = super().decimal_schema(schema)
            numbers = [arm for arm in made.get("anyOf", ()) if arm.get("type") == "number"]
            if not numbers:
                return made
            # Not the other arm, which is any string.
            return _digits(_finite(numbers[0]), schema.get("max_digits"), schema.get("decimal_places"))

        def date_schema(self, schema: Any) -> Any:
            return _without(super().date_schema(schema), _NO_YEAR_0)

        def datetime_schema(self, schema: Any) -> Any:
            return _without(super().datetime_schema(schema), f"{_NO_YEAR_0}|{_NO_SECOND_60}")

        def time_schema(self, schema: Any) -> Any:
            return _without(super().time_schema(schema), _NO_SECOND_60)

        def timedelta_schema(self, schema: Any) -> Any:
            return _without(super().timedelta_schema(schema), _NO_LARGE_NUMBER)

    return Generator


def _closed(made: dict[str, Any]) -> dict[str, Any]:
    """Forbids undeclared keys if the schema declares some and does not mention others."""
    if "properties" in made and "additionalProperties" not in made:
        made["additionalProperties"] = False
    return made


def _said(typed_dict: Any) -> bool | None:
    """Returns the `closed=` of a TypedDict, or of the first of its bases that has one; None if none has."""
    own: bool | None = getattr(typed_dict, "__dict__", {}).get("__closed__")
    if own is not None:
        return own
    said = (_said(base) for base in getattr(typed_dict, "__orig_bases__", ()))
    return next((answer for answer in said if answer is not None), None)


def _finite(made: dict[str, Any]) -> dict[str, Any]:
    """Bounds a number to the range that json.loads reads as finite."""
    if "exclusiveMinimum" not in made:
        made.setdefault("minimum", -_LARGEST)
    if "exclusiveMaximum" not in made:
        made.setdefault("maximum", _LARGEST)
    return made


def _digits(made: dict[str, Any], most: int | None, places: int | None) -> dict[str, Any]:
    """Bounds the digits of a number, and those after its point. Digits may stand on either side of the point if only
    their sum is bounded."""
    if most is None and places is None:
        return made
    arms: list[dict[str, Any]] = [{"multipleOf": float(f"1e-{k}")} for k in _splits(most, places)]
    if most is not None:
        for k, arm in zip(_splits(most, places), arms):
            arm.update(exclusiveMinimum=-(10 ** (most - k)), exclusiveMaximum=10 ** (most - k))
    return {"allOf": [made, {"anyOf": arms}]}


def _splits(most: int | None, places: int | None) -> Iterable[int]:
    """Returns how many digits may stand after the point."""
    if places is None:
        return range((most or 0) + 1)
    return (places if most is None else min(most, places),)


def _without(made: dict[str, Any], pattern: str) -> dict[str, Any]:
    if made.get("type") == "string":  # else the type is written as a number
        made.setdefault("not", {"pattern": pattern})
    return made
