"""Completes the structural tags that engines make of tools: they leave out that the arguments of a call are an object.

It imports nothing of any engine.
"""

from __future__ import annotations

import json
import re
from typing import Any

# How tags of calls begin, in the forms that engines know: other tags may well hold any JSON.
_CALL = re.compile(r'"(?:arguments|parameters)":\s*\Z|functions\.|tool.?(?:call|sep|arguments)|\[ARGS\]')


def with_arguments(tag: str) -> str:
    """Returns a structural tag in which every tool has a schema. A tool that had none gets `{}`, marked as arguments
    of a call, so the compiler makes it an object."""
    try:
        read = json.loads(tag)
        filled = _filled(read, False)
    except (ValueError, RecursionError):
        return tag  # the compiler reports the place of the fault
    return tag if filled == read else json.dumps(filled)  # numbers stay as they are written


def _filled(tag: Any, call: bool) -> Any:
    """Puts {} in place of a null or absent schema, which SGLang's parsers write for a tool without parameters. In the
    tag of a call, a schema without keywords becomes the schema of an object, or gets the mark `arguments`."""
    if isinstance(tag, list):
        return [_filled(t, call) for t in tag]
    if not isinstance(tag, dict):
        return tag
    begin = tag.get("begin")
    call = bool(_CALL.search(begin)) if isinstance(begin, str) else call
    made = {k: v if k in ("json_schema", "schema") else _filled(v, call) for k, v in tag.items()}
    structures = made.get("structures")
    for structure in structures if isinstance(structures, list) else ():
        if isinstance(structure, dict) and structure.get("schema") in (None, True, {}):
            of_call = _CALL.search(str(structure.get("begin")))
            structure["schema"] = {"type": "object"} if of_call else structure.get("schema") or {}
    if made.get("type") in ("json_schema", "qwen_xml_parameter") and made.get("json_schema") is None:
        made["json_schema"] = {}
    plain = made.get("type") == "json_schema" and made.get("style") in (None, "json")
    if call and plain and made["json_schema"] in (True, {}):
        made["arguments"] = True
    return made
