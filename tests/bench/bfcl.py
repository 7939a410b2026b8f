"""Turns tool-calling cases of the Berkeley Function Calling Leaderboard into constraints with judged instances.

A case gives questions, functions and the calls that answer them. `cases` makes a structural tag of the functions and,
from the reference calls, two valid outputs (the calls; text without a call) and up to four invalid ones: a function
that was not declared, a required argument left out, an argument of the wrong type, an output that is cut short.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

# The single-turn categories whose functions are Python's or users'; in the order of the data set.
CATEGORIES = (
    "simple_python multiple parallel parallel_multiple live_simple live_multiple live_parallel live_parallel_multiple"
).split()
MANY = (10, 100, 300, 10**9)  # tools of the constraints with many of them; the last takes all there are
TYPES = {"dict": "object", "float": "number", "tuple": "array"}
NOT_OF_JSON_SCHEMA = ("default", "optional")  # annotations, of which peers refuse some
PLAIN = 'No tool is needed here: a < b, <b>bold</b>, {"x": 1}.'
BEFORE = "I will call the tools now.\n"

Call = tuple[str, dict[str, Any]]


def schema_of(parameters: Any) -> Any:
    """Returns parameters as JSON Schema: its names of types, closed objects."""
    if not isinstance(parameters, dict):
        return parameters
    made: dict[str, Any] = {}
    for key, value in parameters.items():
        if key == "properties":
            made[key] = {name: schema_of(schema) for name, schema in value.items()}
        elif key == "items":
            made[key] = schema_of(value)
        elif key == "type" and isinstance(value, str):
            if value != "any":
                made[key] = TYPES.get(value, value)
        elif key not in NOT_OF_JSON_SCHEMA:
            made[key] = value
    if "properties" in made:
        made["additionalProperties"] = False
    return made


def first(options: Any) -> Any:
    """Returns the first alternative that has a value: the empty text and null stand for "may be left out"."""
    if not isinstance(options, list):
        return options
    return next((option for option in options if option not in ("", None)), None)


def chosen(value: Any, schema: Any) -> Any:
    """Returns a reference argument: one alternative of each key of an object, keys in the schema's order."""
    schema = schema if isinstance(schema, dict) else {}
    if isinstance(value, list):
        return [chosen(item, schema.get("items")) for item in value]
    if not isinstance(value, dict):
        return value
    declared = schema.get("properties", {})
    picked = {key: first(options) for key, options in value.items()}
    names = [key for key in (*declared, *(key for key in picked if key not in declared)) if key in picked]
    return {key: chosen(picked[key], declared.get(key)) for key in names if picked[key] is not None}


def calls_of(truth: Iterable[dict[str, Any]], tools: dict[str, Any]) -> list[Call]:
    return [(name, chosen(arguments, tools[name])) for call in truth for name, arguments in call.items()]


def tag(tools: Iterable[tuple[str, Any]]) -> str:
    """Returns the structural tag of some tools."""
    tags = [
        {
            "begin": f"<function={name}>",
            "content": {"type": "json_schema", "json_schema": schema},
            "end": "</function>",
        }
        for name, schema in tools
    ]
    form = {"type": "triggered_tags", "triggers": ["<function="], "tags": tags}
    return json.dumps({"type": "structural_tag", "format": form}, ensure_ascii=False)


def written(call: Call) -> str:
    return f"<function={call[0]}>{json.dumps(call[1], ensure_ascii=False)}</function>"


def wrong(calls: list[Call], schema: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields why an output is invalid, and the output; the last call is the one that is damaged."""
    before = BEFORE + "\n".join(map(written, calls[:-1]))
    name, arguments = calls[-1]
    yield "unknown function", before + written((name + "_x", arguments))
    required = [key for key in schema.get("required", []) if key in arguments]
    if required:
        rest = {key: value for key, value in arguments.items() if key != required[0]}
        yield f"required {required[0]} missing", before + written((name, rest))
    typed = [key for key in arguments if "type" in schema["properties"][key]]
    if typed:
        other = 5 if schema["properties"][typed[0]]["type"] == "object" else {"wrong": 1}
        damaged = arguments | {typed[0]: other}
        yield f"{typed[0]} of wrong type", before + written((name, damaged))
    yield "cut short", (before + written(calls[-1]))[: -len("}</function>")]


def cases(questions: Iterable[dict[str, Any]], answers: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yields the cases whose reference calls fit their functions."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    truths = {answer["id"]: answer["ground_truth"] for answer in answers}
    for question in questions:
        tools = {function["name"]: schema_of(function["parameters"]) for function in question["function"]}
        try:
            calls = calls_of(truths[question["id"]], tools)
            fit = all(Draft202012Validator(tools[name]).is_valid(arguments) for name, arguments in calls)
        except (KeyError, SchemaError):
            fit = False
        if not fit:
            continue
        tests = [
            {"valid": True, "text": BEFORE + "\n".join(map(written, calls))},
            {"valid": True, "text": PLAIN},
            *({"valid": False, "why": why, "text": text} for why, text in wrong(calls, tools[calls[-1][0]])),
        ]
        yield {"id": "bfcl/" + question["id"], "kind": "structural_tag", "spec": tag(tools.items()), "tests": tests}


def develops(job: dict[str, Any]) -> bool:
    """Says whether a case is of the half that this project develops on; the other half is held out."""
    return hashlib.sha256(job["id"].encode()).digest()[0] % 2 == 0


def many(jobs: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yields constraints that have 10, 100, 300 and all tools of the cases, and outputs of up to 20 cases each."""
    jobs = list(jobs)
    tools: dict[str, Any] = {}
    for job in jobs:
        for one in json.loads(job["spec"])["format"]["tags"]:
            tools.setdefault(one["begin"][len("<function=") : -1], one["content"]["json_schema"])
    for size in MANY:
        some = dict(list(tools.items())[:size])
        tests = []
        for job in jobs:
            called = [part.split(">")[0] for part in job["tests"][0]["text"].split("<function=")[1:]]
            own = {t["begin"][10:-1]: t["content"]["json_schema"] for t in json.loads(job["spec"])["format"]["tags"]}
            if len(tests) < 40 and all(some.get(name) == own[name] for name in called):
                tests += [job["tests"][0], job["tests"][2]]
        spec = tag(some.items())
        yield {"id": f"bfcl/many/{len(some)}", "kind": "structural_tag", "spec": spec, "tests": tests}
