"""Requests: their constraints, tools and choices, families of models."""

from __future__ import annotations

import json
from typing import Any

import pytest

import sluice

TOOLS = [
    {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}},
    {"name": "g", "input_schema": {"type": "object", "properties": {}, "additionalProperties": False}},
]


def whole(grammar: sluice.Grammar, text: str) -> bool:
    m = grammar.matcher()
    return m.accept_bytes(text.encode()) and m.completed


def test_a_request_becomes_a_constraint_for_another_process(compiler: sluice.Compiler):
    request = {"structured_outputs": {"json": {"type": "array"}, "disable_any_whitespace": True}}
    read = sluice.read_request(request, any_order=True, start_rule="x")
    assert read == sluice.Constraint("json_schema", '{"type": "array"}', {"any_order": True, "compact": True})
    grammar = compiler.compile(read.kind, read.spec, **read.options)
    assert whole(grammar, "[1,2]") and not whole(grammar, "[1, 2]")
    assert sluice.read_request(json.dumps({"messages": []})) is None


def test_nothing_to_constrain_allows_text_tokens_and_the_end_at_every_step(compiler: sluice.Compiler):
    grammar, vocabulary = compiler.compile_request({"messages": []}), compiler.vocabulary
    assert not grammar.constrained
    m, mask = grammar.matcher(), sluice.allocate_bitmask(1, vocabulary)
    ends = set(vocabulary.end_tokens)
    for step in range(3):
        m.fill(mask)
        assert len(sluice.allowed_ids(mask)) == vocabulary.size and m.completed
        assert m.accept_bytes("h é\n".encode()) and m.completed
        assert m.accept(next(i for i in range(vocabulary.size - 1 - step, 0, -1) if i not in ends))


def test_tools_are_called_as_the_family_writes_it(compiler: sluice.Compiler):
    request = {"tools": TOOLS, "tool_choice": "required"}
    grammar = compiler.compile_request(request, family="hermes")
    call = '<tool_call>\n{"name": "g", "arguments": {}}\n</tool_call>'
    assert whole(grammar, call) and not whole(grammar, "text") and not whole(grammar, call.replace('"g"', '"h"'))
    read = sluice.read_request(request, vocabulary=compiler.vocabulary, family="hermes")
    assert read is not None and read.kind == "structural_tag" and read.options == {"special_tokens": "tokens"}
    assert whole(compiler.compile(read.kind, read.spec, **read.options), call)
    with pytest.raises(sluice.ArgumentError, match="set the option family"):
        compiler.compile_request(request)
    with pytest.raises(sluice.ArgumentError, match=r"no family of this name; use one of .*hermes"):
        compiler.compile_request(request, family="nobody")


def test_a_family_of_the_users(compiler: sluice.Compiler):
    family = {"name": "mine", "call": "@$name($arguments)", "triggers": ["@"]}
    grammar = compiler.compile_request({"tools": TOOLS}, family=family)
    assert whole(grammar, "I call @g({}).") and not whole(grammar, "I call @h({}).")
    with pytest.raises(sluice.InvalidError, match=r"there is no such field here; did you mean call\?") as caught:
        compiler.compile_request({"tools": TOOLS}, family={**family, "cal": 1})
    assert caught.value.pointer == "/cal"


@pytest.mark.parametrize(
    ("choice", "names", "mode"),
    [
        (None, ["f", "g"], "auto"),
        ("none", [], "none"),
        ("required", ["f", "g"], "required"),
        ({"type": "any"}, ["f", "g"], "required"),
        ({"type": "function", "function": {"name": "f"}}, ["f"], "named"),
        ({"type": "tool", "name": "g"}, ["g"], "named"),
        ({"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "g"}]}, ["g"], "auto"),
    ],
)
def test_normalize_tool_choice(choice: Any, names: list[str], mode: str):
    found = sluice.normalize_tool_choice(TOOLS, choice)
    assert [t.get("name") or t["function"]["name"] for t in found.tools] == names
    assert (found.mode, found.parallel) == (mode, True)
    assert not sluice.normalize_tool_choice(TOOLS, choice, parallel_tool_calls=False).parallel


def test_normalize_tool_choice_without_tools():
    assert sluice.normalize_tool_choice(None) == ([], "auto", True)


def test_families():
    found = {f["name"]: f for f in sluice.families()}
    assert "<|tool_call_begin|>" in found["kimi_k2"]["needs"]
    assert all(f["models"] and f["call"] for f in found.values())
