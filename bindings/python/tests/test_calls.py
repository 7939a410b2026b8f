"""The parts that engines leave out of the structural tags of tools."""

from __future__ import annotations

import json

import pytest

from sluice._calls import with_arguments


def tag(begin, **content):
    return {"type": "tag", "begin": begin, "content": {"type": "json_schema", **content}, "end": "e"}


@pytest.mark.parametrize(
    "written, read",
    [
        (tag('{"name": "f", "arguments": ', json_schema=True), {"json_schema": True, "arguments": True}),
        (tag('{"name": "f", "parameters": ', json_schema={}), {"json_schema": {}, "arguments": True}),
        (tag("<｜tool▁call▁begin｜>f<｜tool▁sep｜>"), {"json_schema": {}, "arguments": True}),
        (tag(" to=functions.f", json_schema=None, style="json"), {"json_schema": {}, "arguments": True}),
        (tag("<tool_call>f", json_schema={"type": "integer"}), {"json_schema": {"type": "integer"}}),
        (tag("<tool_call>f", json_schema=True, style="qwen_xml"), {"json_schema": True}),
        (tag("<answer>", json_schema=True), {"json_schema": True}),
        (tag("<answer>", json_schema=None), {"json_schema": {}}),
    ],
)
def test_arguments(written, read):
    made = json.loads(with_arguments(json.dumps({"type": "structural_tag", "format": written})))["format"]["content"]
    assert {k: v for k, v in made.items() if k not in ("type", "style")} == read


@pytest.mark.parametrize(
    "begin, schema, filled",
    [("<f>", None, {}), ("<f>", True, True), ('"arguments": ', None, {"type": "object"}), ("<f>", {"a": 1}, {"a": 1})],
)
def test_structures(begin, schema, filled):
    written = {"structures": [{"begin": begin, "schema": schema, "end": "e"}], "triggers": [begin]}
    assert json.loads(with_arguments(json.dumps(written)))["structures"][0]["schema"] == filled


@pytest.mark.parametrize("text", ["{", "[" * 100000, "1", '{"format": {"type": "any_text"}, "n": 1e2}'])
def test_others_stay(text):
    assert with_arguments(text) == text
