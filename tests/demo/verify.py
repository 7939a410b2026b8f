"""Independent verdicts on finished output: none of these functions knows Sluice.

Each returns a Verdict: right, wrong, or not checked if Python has no second reader for the constraint.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from importlib.metadata import version
from typing import Any, NamedTuple


class Verdict(NamedTuple):
    """An independent reader's verdict on an output; ok is None if there is none."""

    ok: bool | None
    by: str
    text: str


def json_schema(spec: str, output: str) -> Verdict:
    """Asks the jsonschema package."""
    import jsonschema

    schema = json.loads(spec)
    by = f"jsonschema {version('jsonschema')}"
    try:
        value = json.loads(output)
    except ValueError as e:
        return Verdict(False, by, f"no JSON: {e}")
    cls = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
    error = jsonschema.exceptions.best_match(cls(schema, format_checker=cls.FORMAT_CHECKER).iter_errors(value))
    if error is None:
        return Verdict(True, by, "valid")
    return Verdict(False, by, f"/{'/'.join(map(str, error.absolute_path))}: {error.message}"[:300])


def regex(spec: str, output: str) -> Verdict:
    """Asks Python's re."""
    try:
        pattern = re.compile(spec, re.ASCII)
    except re.error as e:
        return Verdict(None, "Python's re", f"does not read this pattern: {e}")
    return Verdict(
        pattern.fullmatch(output) is not None, "Python's re", "fullmatch" if pattern.fullmatch(output) else "no match"
    )


class _Arithmetic:
    """Evaluates sums, products and parentheses exactly; division by zero gives None."""

    def __init__(self, text: str):
        self.tokens = re.findall(r"\d+|[-+*/()]|\S", text)
        self.at = 0

    def take(self, *wanted: str) -> str | None:
        if self.at < len(self.tokens) and self.tokens[self.at] in wanted:
            self.at += 1
            return self.tokens[self.at - 1]
        return None

    def sum(self) -> Fraction | None:
        value = self.product()
        while sign := self.take("+", "-"):
            other = self.product()
            value = None if value is None or other is None else value + other if sign == "+" else value - other
        return value

    def product(self) -> Fraction | None:
        value = self.factor()
        while sign := self.take("*", "/"):
            other = self.factor()
            if value is None or other is None or (sign == "/" and other == 0):
                value = None
            else:
                value = value * other if sign == "*" else value / other
        return value

    def factor(self) -> Fraction | None:
        if self.take("-"):
            value = self.factor()
            return None if value is None else -value
        if self.take("("):
            value = self.sum()
            if not self.take(")"):
                raise ValueError("a parenthesis is not closed")
            return value
        if self.at < len(self.tokens) and self.tokens[self.at].isdigit():
            self.at += 1
            return Fraction(self.tokens[self.at - 1])
        raise ValueError("a number is missing")


def arithmetic(_: str, output: str) -> Verdict:
    """Parses and evaluates the expression."""
    reader = _Arithmetic(output)
    try:
        value = reader.sum()
    except ValueError as e:
        return Verdict(False, "evaluator", str(e))
    if reader.at != len(reader.tokens):
        return Verdict(False, "evaluator", f"text remains after the expression: {reader.tokens[reader.at]!r}")
    return Verdict(True, "evaluator", "= undefined (a division by zero)" if value is None else f"= {shown(value)}")


def shown(value: Fraction) -> str:
    """Returns a number as people write it."""
    whole = str(value.numerator) if value.denominator == 1 else f"{float(value):,.6g} (a fraction)"
    return whole if len(whole) < 30 else f"{float(value):.4e}"


def grammar(_: str, output: str) -> Verdict:
    """Nobody but Sluice reads a user's grammar here."""
    return Verdict(None, "–", "no second reader for EBNF at hand; the grammar's end was reached")


class Unchecked(Exception):
    """A part of a structural tag that there is no second reader for."""


def structural_tag(spec: str, output: str) -> Verdict:
    """Reads the output against the tag by trying all ways to cut it."""
    document = json.loads(spec)
    by = "tag checker + jsonschema"
    try:
        ends = set(_ends(_format(document), output, 0))
    except Unchecked as e:
        return Verdict(None, by, str(e))
    calls = output.count("<tool_call>")
    if len(output) in ends:
        return Verdict(True, by, f"valid, {calls} tool call{'s' * (calls != 1)}" if calls else "valid")
    return Verdict(False, by, "the output does not follow the tag")


def _format(document: dict[str, Any]) -> dict[str, Any]:
    if document.get("type") == "structural_tag":
        return document["format"]
    # The older document: free text with tags whose content is a schema.
    tags = [
        {"begin": s["begin"], "content": {"type": "json_schema", "json_schema": s["schema"]}, "end": s["end"]}
        for s in document["structures"]
    ]
    return {"type": "triggered_tags", "triggers": document["triggers"], "tags": tags}


def _ends(f: dict[str, Any], text: str, at: int) -> Iterator[int]:
    """Yields the possible ends of a part that begins at `at`."""
    kind = f.get("type")
    if kind == "const_string":
        if text.startswith(f["value"], at):
            yield at + len(f["value"])
    elif kind == "json_schema":
        yield from _json_ends(f["json_schema"], text, at)
    elif kind == "regex":
        yield from (e for e in range(at, len(text) + 1) if re.fullmatch(f["pattern"], text[at:e]))
    elif kind == "any_text":
        excluded = f.get("excludes", [])
        yield from (e for e in range(at, len(text) + 1) if not any(x in text[at:e] for x in excluded))
    elif kind == "sequence":
        ends = {at}
        for part in f["elements"]:
            ends = {e for start in ends for e in _ends(part, text, start)}
        yield from ends
    elif kind == "or":
        yield from {e for part in f["elements"] for e in _ends(part, text, at)}
    elif kind == "tag":
        yield from _tag_ends(f, text, at)
    elif kind == "triggered_tags":
        yield from _triggered_ends(f, text, at)
    else:
        raise Unchecked(f"no second reader for the format {kind!r}")


def _json_ends(schema: Any, text: str, at: int) -> Iterator[int]:
    import jsonschema

    try:
        value, end = json.JSONDecoder().raw_decode(text, at)
    except ValueError:
        return
    if jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)(schema).is_valid(value):
        yield end


def _tag_ends(tag: dict[str, Any], text: str, at: int) -> Iterator[int]:
    if not isinstance(tag["begin"], str):
        raise Unchecked("no second reader for tags that begin with a token")
    if not text.startswith(tag["begin"], at):
        return
    closings = tag["end"] if isinstance(tag["end"], list) else [tag["end"]]
    for end in _ends(tag["content"], text, at + len(tag["begin"])):
        yield from (end + len(c) for c in closings if text.startswith(c, end))


def _triggered_ends(f: dict[str, Any], text: str, at: int) -> Iterator[int]:
    """Free text up to the first trigger, a tag there, and so on; the free text may end anywhere."""
    ends, seen = {at}, set()
    while ends:
        start = ends.pop()
        if start in seen:
            continue
        seen.add(start)
        hits = [h for h in (text.find(t, start) for t in f["triggers"]) if h >= 0]
        hit = min(hits, default=None)
        yield from range(start, (len(text) if hit is None else hit) + 1)
        if hit is not None:
            ends |= {e for tag in f["tags"] for e in _tag_ends(tag, text, hit)}
