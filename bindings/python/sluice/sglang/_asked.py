"""What SGLang asks for, in our words: its options of whitespace, and its constraints, where its parsers of tool calls
leave something out.

It imports nothing of SGLang.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .._errors import SluiceError

# Options of SGLang's command line, of which the first that is given counts: ours.
_WHITESPACE = {
    "constrained_json_disable_any_whitespace": "compact",
    "constrained_json_whitespace_pattern": "whitespace_pattern",
    "constrained_json_max_whitespace_cnt": "max_whitespace",
}


def whitespace(options: Any) -> dict[str, Any]:
    """Returns the options of the kind json_schema that an operator's options of whitespace are."""
    for name, ours in _WHITESPACE.items():
        value = getattr(options, name, None)
        if value or (ours == "max_whitespace" and value is not None):
            return {ours: True if ours == "compact" else value}
    return {}


def try_whitespace(compile: Callable[[str, str, dict[str, Any]], Any], whitespace: dict[str, Any]) -> None:
    """Compiles a schema with these options, so that what is wrong with them is an error when a server starts.

    Raises:
        ValueError: the message names the option of the command line.
    """
    for name, ours in _WHITESPACE.items():
        if ours in whitespace:
            try:
                compile("json_schema", "{}", whitespace)
            except (SluiceError, TypeError, ValueError) as e:
                raise ValueError(f"--{name.replace('_', '-')} {whitespace[ours]}: {e}") from e


def json_constraint(text: str) -> tuple[str, str]:
    """Returns the kind and the constraint that a request's JSON Schema is here."""
    return ("json", "") if text == "$$ANY$$" else ("json_schema", _with_calls(text))


def _with_calls(schema: str) -> str:
    """Says of the calls in a schema that they are objects, where SGLang's parsers leave that out: for a tool that is
    named they write only what properties a call has, and a number has none that is wrong."""
    if '"name"' not in schema or '"parameters"' not in schema:
        return schema
    try:
        read = json.loads(schema)
    except (ValueError, RecursionError):
        return schema
    items = read.get("items") if isinstance(read, dict) and read.get("type") == "array" else None
    calls = isinstance(items, dict) and items.keys() == {"properties", "required"}
    if not calls or items["required"] != ["name", "parameters"]:
        return schema
    return json.dumps({**read, "items": {"type": "object", **items}})
