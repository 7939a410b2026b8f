"""Translates SGLang's whitespace options, and adds the parts of a constraint that its tool-call parsers leave out.

The module imports nothing from SGLang.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .._abi import Kind
from .._errors import SluiceError

# Options of SGLang's command line, and ours. The first one that is set counts.
_WHITESPACE = {
    "constrained_json_disable_any_whitespace": "compact",
    "constrained_json_whitespace_pattern": "whitespace_pattern",
    "constrained_json_max_whitespace_cnt": "max_whitespace",
}


def whitespace(options: Any) -> dict[str, Any]:
    """Returns SGLang's whitespace options as options of the kind json_schema."""
    for name, ours in _WHITESPACE.items():
        value = getattr(options, name, None)
        if value or (ours == "max_whitespace" and value is not None):
            return {ours: True if ours == "compact" else value}
    return {}


def try_whitespace(compile: Callable[[Kind, str, dict[str, Any]], Any], whitespace: dict[str, Any]) -> None:
    """Compiles a schema with these options, so that a wrong option fails when the server starts.

    Raises:
        ValueError: an option is wrong; the message names the option of the command line.
    """
    for name, ours in _WHITESPACE.items():
        if ours in whitespace:
            try:
                compile("json_schema", "{}", whitespace)
            except (SluiceError, TypeError, ValueError) as e:
                raise ValueError(f"--{name.replace('_', '-')} {whitespace[ours]}: {e}") from e


def json_constraint(text: str) -> tuple[Kind, str]:
    """Returns kind and text of a request's JSON Schema in Sluice's terms."""
    return ("json", "") if text == "$$ANY$$" else ("json_schema", _with_calls(text))


def _with_calls(schema: str) -> str:
    """Adds `"type": "object"` to the calls in a schema if SGLang's parser left it out.

    For a named tool the parser lists only the properties of a call, and a number satisfies these.
    """
    if '"name"' not in schema or '"parameters"' not in schema:
        return schema
    try:
        read = json.loads(schema)
    except (ValueError, RecursionError):
        return schema
    items = read.get("items") if isinstance(read, dict) and read.get("type") == "array" else None
    if not isinstance(items, dict) or items.keys() != {"properties", "required"}:
        return schema
    if items["required"] != ["name", "parameters"]:
        return schema
    return json.dumps({**read, "items": {"type": "object", **items}})
