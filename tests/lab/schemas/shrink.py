"""Makes a finding small: parts of its schema and instance are left out as long as it still shows."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import judge
from check import Checker, Finding
from instances import Writer


def smaller(value: Any) -> Iterator[Any]:
    """Yields simpler versions of a JSON value, those that leave out most first."""
    if isinstance(value, dict):
        for v in value.values():
            if isinstance(v, (dict, bool)):
                yield v
            elif isinstance(v, list):
                yield from (x for x in v if isinstance(x, (dict, bool)))
        for k in value:
            yield {x: v for x, v in value.items() if x != k}
        for k, v in value.items():
            yield from ({**value, k: s} for s in smaller(v))
    elif isinstance(value, list):
        for i in range(len(value)):
            yield value[:i] + value[i + 1 :]
        for i, v in enumerate(value):
            yield from (value[:i] + [s] + value[i + 1 :] for s in smaller(v))
    elif isinstance(value, str):
        if value:
            yield from ("", value[1:], value[:-1])
    elif isinstance(value, bool) or value is None:
        return
    else:
        yield from (s for s in (0, 1, 2) if abs(s) < abs(value))


def size(value: Any) -> int:
    """How long a value is as text."""
    return len(judge.dump(value))


def shrink(checker: Checker, finding: Finding, seconds: float = 20) -> Finding:
    """Returns the smallest finding of the same kind that was found in the time."""
    best = finding
    deadline = time.monotonic() + seconds
    progress = True
    if not checker.reproduce(finding, best.case, best.instance):
        return replace(finding, detail=finding.detail + " (does not show again by itself)")
    while progress and time.monotonic() < deadline:
        progress = False
        for option in [k for k in best.case.options if k != "dialect"]:
            case = replace(best.case, options={k: v for k, v in best.case.options.items() if k != option})
            if checker.reproduce(finding, case, best.instance):
                best, progress = replace(best, case=case), True
        for documents in smaller(best.case.options.get("documents", {})):
            if time.monotonic() > deadline or not isinstance(documents, dict):
                break
            case = replace(best.case, options=best.case.options | {"documents": documents})
            if size(documents) < size(best.case.options["documents"]) and checker.reproduce(
                finding, case, best.instance
            ):
                best, progress = replace(best, case=case), True
                break
        for schema in smaller(best.case.schema):
            if time.monotonic() > deadline:
                break
            case = replace(best.case, schema=schema)
            if size(schema) < size(best.case.schema) and checker.reproduce(finding, case, best.instance):
                best, progress = replace(best, case=case), True
                break
        for text in smaller_texts(best):
            if time.monotonic() > deadline:
                break
            if checker.reproduce(finding, best.case, text):
                best, progress = replace(best, instance=text), True
                break
    return best


def smaller_texts(finding: Finding) -> Iterator[str]:
    """Yields simpler instances; the beginning of an output is not one and stays."""
    if finding.instance is None or finding.kind.startswith("generation"):
        return
    try:
        value = judge.read(finding.instance)
    except ValueError:
        return
    writer = Writer(random.Random(0), finding.case.options)
    writer.wild = False
    plain = writer.text(value)
    if len(plain) < len(finding.instance):
        yield plain
    for v in smaller(value):
        text = writer.text(v)
        if len(text) < len(finding.instance):
            yield text


def report(finding: Finding) -> str:
    """The finding as a JSON document that another run, or a person, can read."""
    head = {"kind": finding.kind, "seed": finding.seed, "options": finding.case.options, "detail": finding.detail}
    lines = [f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in head.items()]
    lines.append(f'  "schema": {judge.dump(finding.case.schema)}')
    lines.append(f'  "instance": {json.dumps(finding.instance, ensure_ascii=False)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"
