#!/usr/bin/env python3
"""Writes tests/bench/small.jsonl.gz: constraints of every kind with valid and invalid instances, all made up here.

    pip install jsonschema==4.26.0
    python tests/bench/make_small.py

`make bench` runs it if there is no larger data. Schemas are drawn at random, their instances are drawn from them and
then damaged; jsonschema decides which instances are valid, so the labels do not depend on Sluice.
"""

from __future__ import annotations

import copy
import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "data"))

from corpus import Words, sentence

FILE = HERE / "small.jsonl.gz"
SEED, SCHEMAS = 7, 80


def schema(w: Words, depth: int) -> dict[str, Any]:
    """Draws a schema; every drawn schema can be satisfied."""
    rng = w.rng
    kinds = ["string", "string", "integer", "number", "boolean", "enum"] + ["object", "object", "array"] * (depth > 0)
    kind = rng.choice(kinds)
    if kind == "object":
        names = list(dict.fromkeys(w.identifier() for _ in range(rng.randint(1, 8))))
        out: dict[str, Any] = {"type": "object", "properties": {n: schema(w, depth - 1) for n in names}}
        out["required"] = [n for n in names if rng.random() < 0.6]
        if rng.random() < 0.7:
            out["additionalProperties"] = False
        return out
    if kind == "array":
        low = rng.randint(0, 2)
        return {"type": "array", "items": schema(w, depth - 1), "minItems": low, "maxItems": low + rng.randint(1, 6)}
    if kind == "enum":
        return {"enum": [*w.words(rng.randint(1, 5)), rng.randrange(100), None][: rng.randint(1, 6)]}
    if kind == "string":
        return rng.choice(
            (
                {"type": "string"},
                {"type": "string", "maxLength": rng.choice((10, 80, 400))},
                {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"},
                {"type": "string", "pattern": "^[a-z]+(_[a-z]+)*$"},
            )
        )
    if kind == "boolean":
        return {"type": "boolean"}
    low = rng.randrange(-50, 50)
    return (
        {"type": kind, "minimum": low, "maximum": low + rng.randrange(1, 5000)}
        if rng.random() < 0.5
        else {"type": kind}
    )


def instance(w: Words, s: dict[str, Any]) -> Any:
    """Draws a value of a schema, properties in their order."""
    rng = w.rng
    kind = s.get("type")
    if "enum" in s:
        return rng.choice(s["enum"])
    if kind == "object":
        chosen = {n: x for n, x in s["properties"].items() if n in s["required"] or rng.random() < 0.6}
        return {n: instance(w, x) for n, x in chosen.items()}
    if kind == "array":
        return [instance(w, s["items"]) for _ in range(rng.randint(s["minItems"], s["maxItems"]))]
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "string":
        if "pattern" in s:
            return (
                f"QX-{rng.randrange(10000):04}"
                if "A-Z" in s["pattern"]
                else "_".join(["alpha", *(["beta"] * rng.randrange(3))])
            )
        return " ".join(sentence(w) for _ in range(rng.randint(1, 6)))[: s.get("maxLength", 1000)]
    low, high = s.get("minimum", -1000), s.get("maximum", 10**6)
    return rng.randint(low, high) if kind == "integer" else round(rng.uniform(low, high), 3)


def damaged(rng: random.Random, value: Any) -> Any:
    """Returns a copy with one thing changed: often no longer valid."""
    value = copy.deepcopy(value)
    holder, key, at = None, None, value
    while isinstance(at, (dict, list)) and at and rng.random() < 0.8:
        holder, key = at, rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
        at = at[key]
    if isinstance(holder, dict) and rng.random() < 0.4:
        del holder[key]
        return value
    other = rng.choice((None, -1, 99999999, "§", [], {"unexpected": 1}, True, 1.5))
    if holder is None:
        return other
    holder[key] = other
    return value


def schema_job(w: Words, i: int) -> dict[str, Any]:
    s = schema(w, 3)
    while s.get("type") not in ("object", "array"):
        s = schema(w, 3)
    judge = Draft202012Validator(s)
    values = [instance(w, s) for _ in range(4)]
    values += [damaged(w.rng, v) for v in values]
    return {"id": f"schema-{i:03}", "schema": s, "tests": [{"valid": judge.is_valid(v), "data": v} for v in values]}


ARITHMETIC = """root ::= sum
sum ::= product (("+" | "-") product)*
product ::= factor (("*" | "/") factor)*
factor ::= [0-9]+ | "(" sum ")" | "-" factor
"""

TOOLS = {
    "type": "structural_tag",
    "format": {
        "type": "triggered_tags",
        "triggers": ["<function="],
        "tags": [
            {
                "begin": f"<function={name}>",
                "content": {
                    "type": "json_schema",
                    "json_schema": {"type": "object", "properties": {a: {"type": t}}, "required": [a]},
                },
                "end": "</function>",
            }
            for name, a, t in (("weather", "city", "string"), ("add", "left", "integer"), ("search", "query", "string"))
        ],
    },
}


def fixed_jobs() -> list[dict[str, Any]]:
    def job(name: str, kind: str, spec: str, valid: list[str], invalid: list[str]) -> dict[str, Any]:
        tests = [{"valid": True, "text": t} for t in valid] + [{"valid": False, "text": t} for t in invalid]
        return {"id": name, "kind": kind, "spec": spec, "tests": tests}

    deep = "(" * 40 + "1" + ")" * 40
    return [
        job(
            "arithmetic",
            "ebnf",
            ARITHMETIC,
            ["1+2*3", "-(4-5)/6", deep, "7*" * 60 + "8"],
            ["1+", "()", deep[:-1], "1 + 2"],
        ),
        job(
            "left",
            "ebnf",
            'root ::= root ";" word | word\nword ::= [a-z]+\n',
            ["a", "alpha;beta;gamma" * 5],
            ["", ";a", "A"],
        ),
        job(
            "date", "regex", r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", ["2026-11-21"], ["2026-13-01", "2026-11-2"]
        ),
        job("words", "regex", r"(\S+\s+){0,30}\S+", ["The quick brown fox jumps.", "one"], ["", " a", "a "]),
        job("colours", "choice", json.dumps(["red", "green", "dark green"]), ["red", "dark green"], ["dark", "blue"]),
        job(
            "tools",
            "structural_tag",
            json.dumps(TOOLS),
            [
                "No tool is needed for that.",
                'Let me look. <function=weather>{"city": "Łódź"}</function> It rains.',
                '<function=add>{"left": 12}</function><function=search>{"query": "a \\"b\\""}</function>',
            ],
            ['<function=add>{"left": "x"}</function>', "<function=divide>{}</function>", '<function=add>{"left": 1}'],
        ),
    ]


def main() -> None:
    w = Words(random.Random(SEED))
    jobs = fixed_jobs() + [schema_job(w, i) for i in range(SCHEMAS)]
    lines = "".join(json.dumps(j, ensure_ascii=False) + "\n" for j in jobs)
    FILE.write_bytes(gzip.compress(lines.encode(), 9, mtime=0))
    tests = [t["valid"] for j in jobs for t in j["tests"]]
    print(f"{len(jobs)} constraints, {sum(tests)} of {len(tests)} instances valid, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
