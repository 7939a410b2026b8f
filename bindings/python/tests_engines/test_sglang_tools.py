"""What SGLang's parsers of tool calls ask of a grammar backend, and how its answers are framed: every constraint of
every parser that the installed release has.
"""

from __future__ import annotations

import json
import random
import re

import family_calls
import pytest
from sglang.srt.constrained import base_grammar_backend as base
from sglang.srt.entrypoints.openai.protocol import Function, Tool, ToolChoice
from sglang.srt.function_call.function_call_parser import FunctionCallParser
from sglang.srt.parser.inkling_tokenizer import INKLING_SPECIAL_TOKEN_IDS
from test_sglang import allowed, compiled, created
from tool_calls import TOOLS, judge, made_tokenizer, written

SIZE = 200064  # of the logits of the model with the largest ids


def read_by(parser, text):
    """The calls that SGLang's parser finds."""
    return [(c.name, c.parameters) for c in parser.parse_non_stream(text)[1]]


def closed(parser, text):
    """The calls of a turn whose last mark the tag leaves to the token that ends it."""
    return read_by(parser, text.removesuffix("<|done|>") + "<|done|>")


READ = {
    "beam": closed,
    "response_template": closed,
    # It looks for a mark that its tag leaves to the model.
    "deepseekv31": lambda parser, text: read_by(parser, "<｜tool▁calls▁begin｜>" + text),
    # It takes white space behind the name of a function for a part of it.
    "glm47": lambda parser, text: read_by(parser, re.sub(r"\s+<arg_key>", "<arg_key>", text)),
    # It reads one of the three spellings that its tag allows.
    "gpt-oss": lambda _, text: re.findall(r"functions\.(\w+).*?<\|message\|>(.*?)<\|call\|>", text, re.DOTALL),
}

# They constrain nothing, for any request.
NEVER = {"hunyuan", "muse", "spark25"}


@pytest.fixture(scope="module")
def tokenizer():
    return made_tokenizer(ids=INKLING_SPECIAL_TOKEN_IDS)


def tools(strict):
    return [Tool(type="function", function=Function(name=n, parameters=p, strict=strict)) for n, p in TOOLS.items()]


def asked_by_parsers(tokenizer):
    """All constraints that SGLang's parsers of tool calls make, each once, with who makes it."""
    found = {}
    named = ToolChoice(type="function", function={"name": "weather"})
    for name in FunctionCallParser.ToolCallParserEnum:
        for strict in (False, True):
            for choice in ("auto", "required", named):
                try:
                    parser = FunctionCallParser(tools(strict), name, tokenizer=tokenizer, tool_choice=choice)
                    asked = parser.get_structure_constraint(choice)
                except ValueError as e:  # it refuses strict tools
                    assert strict, (name, e)
                    continue
                if asked is None:
                    continue
                kind, spec = asked
                if not isinstance(spec, str):
                    spec = spec.model_dump_json(by_alias=True) if hasattr(spec, "model_dump_json") else json.dumps(spec)
                key = ("json" if kind == "json_schema" else kind, spec)
                found.setdefault(key, []).append((name, strict, choice, parser))
    return found


def walked(g, tokenizer, spec, rng):
    mask = g.allocate_vocab_mask(SIZE, 1, "cpu")

    def may():
        if g.is_terminated():
            return []
        g.fill_vocab_mask(mask, 0)
        return allowed(mask[0])

    return written(tokenizer, spec, may, g.accept_token, rng)


def test_every_parser(tokenizer):
    """Each constraint compiles. If it demands calls with right arguments, its parser reads random outputs as such
    calls."""
    backend, rng = created(tokenizer, SIZE, constrained_json_disable_any_whitespace=True), random.Random(5)
    found = asked_by_parsers(tokenizer)
    assert {kind for kind, _ in found} == {"json", "structural_tag", "full_assistant_ebnf"}
    asking = {name for who in found.values() for name, *_ in who}
    assert asking == set(FunctionCallParser.ToolCallParserEnum) - NEVER
    refused, read = [], set()
    for (kind, spec), who in found.items():
        g = backend._init_value_dispatch((kind, spec), False)
        if isinstance(g, base.InvalidGrammarObject):
            refused.append((who[0][0], g.error_message))
            continue
        for name, strict, choice, parser in who:
            if not strict or choice == "auto":
                continue
            text = walked(g.copy(), tokenizer, spec, rng)
            if kind == "json":
                calls = json.loads(text)
                calls = calls if isinstance(calls, list) else [{"name": "weather", "parameters": calls}]
                calls = [(c["name"], c["parameters"]) for c in calls]
            else:
                calls = READ.get(name, read_by)(parser, text)
            judge(calls, (name, text))
            read.add(name)
    assert refused == []
    assert asking - read == set()


def read_family(parser, tokenizer, text):
    """The calls that a parser finds, of the tools that requests of families have."""
    some = [Tool(type="function", function=Function(name=n, parameters=p)) for n, p in family_calls.TOOLS.items()]
    if parser == "gpt-oss":
        text = "<|start|>assistant" + text  # with which the prompt ends
    return read_by(FunctionCallParser(some, parser, tokenizer=tokenizer), text)


@pytest.mark.parametrize("family", [f for f, (_, parsers) in family_calls.READERS.items() if parsers])
def test_families(family):
    """Outputs that a family allows are read as the same calls."""
    family_calls.judge("sglang", family_calls.READERS[family][1], family, read_family)


def test_every_family_is_read():
    assert family_calls.families().keys() == family_calls.READERS.keys() | family_calls.UNREAD


def test_frames(tokenizer):
    """A turn of Inkling: a message of thoughts and then the answer, whose text has no special tokens."""
    frames = pytest.importorskip("sglang.srt.parser.answer_frame", reason="a release without frames")
    frame, backend = frames.InklingAnswerFrame(), created(tokenizer, SIZE)
    backend.reserve_framing_tokens(frame.framing_token_ids())
    token = INKLING_SPECIAL_TOKEN_IDS
    model, text, think, done = (
        token[n] for n in ("<|message_model|>", "<|content_text|>", "<|content_thinking|>", "<|end_message|>")
    )
    letters = {c: tokenizer.convert_tokens_to_ids(c) for c in "0123456789abc[]"}
    for kind, spec, answer in (
        ("json", '{"type": "array", "maxItems": 0}', "[]"),
        ("regex", "[a-c]+", "abba"),
        ("ebnf", 'root ::= "1" [0-9]*', "123"),
    ):
        inner = compiled(backend, kind, spec)
        made = backend.compile_framed_grammar(
            inner, lambda content: frame.structural_tag(content, in_answer_block=False, max_think_tokens=-1)
        )
        walk = [model, think, letters["a"], letters["b"], done, model, text, *(letters[c] for c in answer), done]
        for t in [*walk, tokenizer.eos_token_id]:
            made.accept_token(t)
        assert made.is_terminated()
        made.rollback(3)
        with pytest.raises(ValueError):
            made.accept_token(token["<|message_user|>"])
        # With a budget of thoughts.
        made = backend.compile_framed_grammar(
            inner, lambda content: frame.structural_tag(content, in_answer_block=False, max_think_tokens=2)
        )
        for t in walk[:4]:
            made.accept_token(t)
        with pytest.raises(ValueError):
            made.accept_token(letters["c"])
        for t in [*walk[4:], tokenizer.eos_token_id]:
            made.accept_token(t)
        assert made.is_terminated()
