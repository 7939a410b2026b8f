"""Values and calls while they are written, and calls of finished outputs."""

import json
import random

import pytest

import sluice

TOOL = {
    "name": "add",
    "input_schema": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
}
OUTPUTS = {
    "hermes": '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": "x\\u00e9\\ud83d\\ude00 é"}}\n</tool_call>',
    "qwen3_coder": "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\nxé😀 é\n</parameter>\n"
    "</function>\n</tool_call>",
    "lfm2": "<|tool_call_start|>[add(a=1, b='xé😀 é')]<|tool_call_end|>",
    "gemma_4": '<|tool_call>call:add{a:1,b:<|"|>xé😀 é<|"|>}<tool_call|>',
    "cohere": '<cofl:tool_calls><cofl:tool_call id="0" name="add"><cofl:value name="a" type="json">1</cofl:value>'
    '<cofl:value name="b" type="raw">xé😀 é</cofl:value></cofl:tool_call></cofl:tool_calls>',
}
ARGUMENTS = {"a": 1, "b": "xé😀 é"}


@pytest.fixture(scope="module")
def vocabulary():
    return sluice.Vocabulary.from_tokens([bytes([b]) for b in range(256)] + [b"</s>"], special=[256], end_tokens=[256])


@pytest.fixture(scope="module")
def compiler(vocabulary):
    return sluice.Compiler(vocabulary)


@pytest.fixture(scope="module")
def array(compiler):
    return compiler.compile_json_schema({"type": "array"})


def joined(events):
    return "".join(e.json for e in events)


@pytest.mark.parametrize("family", OUTPUTS)
def test_calls_of_every_style_at_every_cut(compiler, family):
    text = "Adding é. " + OUTPUTS[family]
    grammar, raw = compiler.compile_request({"tools": [TOOL]}, family=family), text.encode()
    for cut in range(len(raw) + 1):
        matcher, events = grammar.matcher(), []
        for piece in (raw[:cut], raw[cut:]):
            assert matcher.accept_bytes(piece)
            events += matcher.events()
        assert matcher.accept(256)
        events += matcher.events()
        assert [(e.begins, e.ends, e.text) for e in events if e.kind == "call"] == [
            (True, False, "add"),
            (False, True, "add"),
        ]
        assert json.loads(joined(e for e in events if e.call == 0)) == ARGUMENTS
        assert "".join(e.text for e in events if e.kind == "text") == "Adding é. "
        assert "".join(e.text for e in events if e.pointer == "/b") == ARGUMENTS["b"]


@pytest.mark.parametrize("family", OUTPUTS)
def test_finished_outputs(family):
    for tools in (None, [TOOL]):
        found = sluice.parse_calls("Adding é. " + OUTPUTS[family], family, tools)
        assert (found.text, found.reasoning) == ("Adding é. ", "")
        [call] = found.calls
        assert (call.name, call.raw, json.loads(call.arguments)) == ("add", False, ARGUMENTS)
    with pytest.raises(sluice.InvalidError, match="within the arguments"):
        sluice.parse_calls(OUTPUTS[family].partition(" é")[0], family)
    wrong = OUTPUTS[family].replace("1", "+")
    if family != "qwen3_coder":  # a text there
        with pytest.raises(sluice.InvalidError, match="byte"):
            sluice.parse_calls(wrong, family)


def test_reasoning():
    found = sluice.parse_calls("Hm.</think>\n\nYes.", "qwen3", reasoning="on")
    assert found == ("Yes.", "Hm.", [])
    with pytest.raises(sluice.ArgumentError):
        sluice.parse_calls("", "no such family")


def test_an_output_that_is_not_utf8():
    text = b'<tool_call>\n{"name": "f", "arguments": {"\xe9": "\xe9"}}\n</tool_call>'
    [call] = sluice.parse_calls(text, "hermes").calls
    assert call.arguments == '{"\ufffd":"\ufffd"}'


def test_raw_input():
    tool = {"type": "custom", "custom": {"name": "sh"}}
    found = sluice.parse_calls("ls -l", "arguments", [tool])
    assert found.calls == [sluice.ParsedCall("sh", "ls -l", raw=True)]
    assert sluice.parse_calls("", "arguments", [tool]).calls == [sluice.ParsedCall("sh", "", raw=True)]


def test_every_event_of_a_document(compiler):
    matcher = compiler.compile_json_object().matcher()
    matcher.accept_bytes('{"a/b": [1, true], "s": "\\ud83d')
    first = [e[:2] + e[2:3] + e[4:7] for e in matcher.events()]
    assert first == [
        ("object", True, False, "", "", "{"),
        ("array", True, False, "/a~1b", "", '"a/b":['),
        ("number", True, True, "/a~1b/0", "1", "1"),
        ("boolean", True, True, "/a~1b/1", "true", ",true"),
        ("array", False, True, "/a~1b", "", "]"),
        ("string", True, False, "/s", "", ',"s":"'),
    ]
    matcher.accept_bytes('\\ude00"}')
    assert joined(matcher.events()) == '😀"}'
    assert matcher.events() == []


def test_steps_are_taken_back(array):
    rng = random.Random(5)
    for _ in range(100):
        matcher, events, text = array.matcher(), [], b'[12,{"a":"b\\u00e9"},[],[null,-1.5]]'
        at = 0
        while at < len(text):
            if rng.random() < 0.15:
                n = rng.randint(0, min(at, rng.choice([2, 2, 30])))
                matcher.rollback(n)
                at -= n
            else:
                assert matcher.accept(text[at])
                at += 1
            if rng.random() < 0.1:
                matcher = matcher.fork()
            if rng.random() < 0.7:
                new = matcher.events(final=rng.random() < 0.1)
                if new and new[0].kind == "rewind":
                    events = events[: new.pop(0).kept]
                events += new
        matcher.accept(256)
        new = matcher.events()
        if new and new[0].kind == "rewind":
            events = events[: new.pop(0).kept]
        events += new
        assert json.loads(joined(events)) == json.loads(text)
        matcher.reset()
        [rewind] = matcher.events()
        assert (rewind.kind, rewind.kept) == ("rewind", 0)


def test_many_events_at_once(array):
    matcher, value = array.matcher(), [{"k": "v" * 300}] * 100
    for piece in [json.dumps(value)[i : i + 1000] for i in range(0, len(json.dumps(value)), 1000)]:
        assert matcher.accept_bytes(piece)
    assert json.loads(joined(matcher.events())) == value


def test_depth(compiler):
    matcher = compiler.compile_json_schema({"items": {"$ref": "#"}}).matcher()
    assert matcher.accept_bytes("[" * 512)
    assert len(matcher.events()) == 512
    assert matcher.accept_bytes("[")
    with pytest.raises(sluice.LimitError, match="512"):
        matcher.events()
    matcher.rollback(1)
    assert matcher.events()[0].kind == "rewind"


def test_other_outputs_are_text(compiler):
    matcher = compiler.compile_regex("é+").matcher()
    matcher.accept_bytes(b"\xc3\xa9\xc3")
    [event] = matcher.events()
    assert event == ("text", True, False, None, "", "é", "", 0)
