"""What vLLM's parsers of tool calls ask of a backend, through its own front end: every constraint of every parser that
the installed release has, with each choice of a tool, strict and not, alone and beside a schema for the answer.
"""

from __future__ import annotations

import json
import random
import re

import family_calls
import pytest
from test_vllm import SIZE, SamplingParams, StructuredOutputsParams, allowed, config, folder  # noqa: F401  # fixtures
from tool_calls import SEARCH, TOOLS, judge, made_tokenizer, written
from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
from vllm.exceptions import VLLMValidationError
from vllm.parser import ParserManager
from vllm.parser.cohere_command import MODEL_TO_TAG_STYLE, convert_schema_to_structural_tags
from vllm.tool_parsers import ToolParserManager
from vllm.v1.structured_output.request import get_structured_output_key

import sluice
from sluice._calls import with_arguments
from sluice.vllm import _hooks
from sluice.vllm._backend import SluiceBackend

# They constrain no calls, for any request.
NEVER = {"dots", "gemma4", "inkling", "k2_horizon", "minimax_m3", "muse", "muse_glimmer", "musespark1x", "poolside_v1"}
# It refuses requests that it would have to constrain.
NEVER |= {"hf"}
# They do not read random outputs under their constraints as right calls: names or values of arguments are free text
# there (hy_v4, kimi_k3), their own marks may stand in free text before (openai), or the constraint is a list of calls
# in JSON, which they read in their models' own form (mistral; Cohere's without the name of a model).
UNREAD = {"cohere_command3", "cohere_command4", "hy_v4", "kimi_k3", "mistral", "openai"}
NAMED = {"type": "function", "function": {"name": "weather"}}
ANSWER = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SEARCH}}
MARKS = ("<tool_calls>", "</tool_calls>", "<tool_call>", "</tool_call>", "<tool_sep>")  # of some alone


def as_read(name, text):
    """A text as the parser of that name is given it."""
    if name == "mimo":  # it takes line ends beside a mark for parts of the value; the tag's style has one or none
        return re.sub(r"(<parameter=\w+>)\n", r"\1", text).replace("\n</parameter>", "</parameter>")
    return text


def tools(strict):
    made = [{"name": n, "parameters": p, "strict": strict} for n, p in TOOLS.items()]
    return [{"type": "function", "function": f} for f in made]


def requests():
    """Requests, and whether calls with right arguments must be the answer."""
    for strict in (False, True):
        for choice in ("auto", "required", NAMED):
            for more in ({}, {"parallel_tool_calls": False}, {"response_format": ANSWER}):
                asked = {"tools": tools(strict), "tool_choice": choice, **more}
                asked |= {"model": "m", "messages": [{"role": "user", "content": "?"}]}
                yield asked, strict and choice != "auto"


def constraint(request):
    """The constraint that the engine will get, or None."""
    return request.to_sampling_params(64, {}).structured_outputs


@pytest.fixture(scope="module")
def backend(config):  # noqa: F811
    return SluiceBackend(config, made_tokenizer(), SIZE)


def compiled(backend, asked):
    """A grammar, as a request gets it that the front end has let through."""
    params = SamplingParams(structured_outputs=asked)
    made = backend.vllm_config
    params.verify(made.model_config, None, made.structured_outputs_config, backend.tokenizer)
    return backend.compile_grammar(*get_structured_output_key(asked), stop_token_ids={backend.tokenizer.eos_token_id})


def walked(backend, asked, rng, row, most):
    grammar, steps = compiled(backend, asked), iter(range(most))

    def may():
        if grammar.is_terminated() or next(steps, None) is None:
            return []
        grammar.fill_bitmask(row, 0)
        return allowed(row[0].numpy()).tolist()

    spec = get_structured_output_key(asked)[1]
    return written(backend.tokenizer, spec, may, lambda token: grammar.accept_tokens("0", [token]), rng)


def test_every_parser(config, backend):  # noqa: F811
    """Each constraint is accepted and compiles. If it demands calls with right arguments, its parser reads random
    outputs as such calls."""
    rng, row = random.Random(5), backend.allocate_token_bitmask(1)
    plain, marked = backend.tokenizer, made_tokenizer(MARKS)
    asking = set()
    names = {*ToolParserManager.lazy_parsers, *ToolParserManager.tool_parsers}
    for name in sorted(names):
        parsers = ParserManager.get_parser(
            tool_parser_name=name, enable_auto_tools=True, is_harmony=name == "openai", tokenizer=None
        )
        some = ChatCompletionRequest.model_validate(next(requests())[0]).tools
        try:
            parsers(plain, some)
            tokenizer = plain
        except RuntimeError:  # it has not found its marks
            tokenizer = marked
        backend = SluiceBackend(config, tokenizer, SIZE)
        for asked, demands in requests():
            request = ChatCompletionRequest.model_validate(asked)
            parser = parsers(tokenizer, request.tools)
            try:
                request = parser.adjust_request(request)
            except VLLMValidationError:
                assert name in ("beam", "hf"), name
                continue
            found = constraint(request)
            if found is None:
                continue
            if not demands or name in NEVER:
                compiled(backend, found)
                continue
            asking.add(name)
            text = as_read(name, walked(backend, found, rng, row, 300 if name in UNREAD else 3000))
            if name not in UNREAD:
                _, _, calls = parser.parse(text, request, enable_auto_tools=True)
                judge([(c.name, c.arguments) for c in calls or []], (name, asked["tool_choice"], text))
    assert asking == names - NEVER


def unsaid(tag, found):
    """The JSON in a structural tag of which nothing is said, neither by a schema nor that it is arguments."""
    if isinstance(tag, list):
        return [x for t in tag for x in unsaid(t, found)]
    if not isinstance(tag, dict):
        return []
    if tag.get("type") == "json_schema" and tag["json_schema"] is True and tag.get("style", "json") == "json":
        found.append(tag)
        return [] if tag.get("arguments") else [tag]
    return [x for t in tag.values() for x in unsaid(t, found)]


def test_arguments_without_strict_are_objects(backend):
    """vLLM writes of such tools that anything will do, and answers 400 when something else has been generated."""
    open_to = {}
    for name in sorted({*ToolParserManager.lazy_parsers, *ToolParserManager.tool_parsers} - NEVER):
        parsers = ParserManager.get_parser(
            tool_parser_name=name, enable_auto_tools=True, is_harmony=name == "openai", tokenizer=None
        )
        asked = next(a for a, _ in requests() if a["tool_choice"] == "required")
        request = ChatCompletionRequest.model_validate(asked)
        try:
            made = constraint(parsers(backend.tokenizer, request.tools).adjust_request(request))
        except (RuntimeError, VLLMValidationError):  # marks of its own, see test_every_parser
            continue
        if made is not None and made.structural_tag:
            found = []
            assert not unsaid(json.loads(with_arguments(made.structural_tag)), found), name
            open_to |= {name: made} if found else {}
    assert open_to.keys() >= {"deepseek_v3", "deepseek_v31", "hermes", "kimi_k2", "llama3_json", "openai", "plamo3"}
    grammar = compiled(backend, open_to["hermes"])
    encoded = lambda text: backend.tokenizer.encode(text, add_special_tokens=False)
    assert grammar.accept_tokens("0", encoded('<tool_call>\n{"name": "weather", "arguments": '))
    for value, most in (("1", 0), ('"a"', 0), ("true", 0), ("[]", 0), ("{}", 2), ('{"a":1e9', 8), ('{"a":1e999', 9)):
        assert len(grammar.validate_tokens(encoded(value))) == most, value


def read_by(parser, tokenizer, text):
    """The calls that a parser finds, of the tools that requests of families have."""
    some = [{"type": "function", "function": {"name": n, "parameters": p}} for n, p in family_calls.TOOLS.items()]
    asked = {"model": "m", "messages": [{"role": "user", "content": "?"}], "tools": some, "tool_choice": "auto"}
    request = ChatCompletionRequest.model_validate(asked)
    made = ParserManager.get_parser(tool_parser_name=parser, enable_auto_tools=True, tokenizer=None)
    _, _, calls = made(tokenizer, request.tools).parse(text, request, enable_auto_tools=True)
    return [(c.name, c.arguments) for c in calls or []]


@pytest.mark.parametrize("family", [f for f, (parsers, _) in family_calls.READERS.items() if parsers])
def test_families(family):
    """Outputs that a family allows are read as the same calls."""
    family_calls.judge("vllm", family_calls.READERS[family][0], family, read_by)


@pytest.mark.parametrize("model", MODEL_TO_TAG_STYLE)
def test_cohere(backend, model):
    """Its calls are a grammar that the package xgrammar has printed."""
    asked = StructuredOutputsParams(structural_tag=convert_schema_to_structural_tags(None, tools(True), model))
    rng, row, begin = random.Random(5), backend.allocate_token_bitmask(1), MODEL_TO_TAG_STYLE[model].tools.trigger
    for _ in range(3):
        text = walked(backend, asked, rng, row, 3000)
        assert text.startswith(begin)
        calls = json.loads(text[len(begin) :].split(MODEL_TO_TAG_STYLE[model].tools.end)[0])
        assert isinstance(calls, list) and calls
        if whole := [c for c in calls if c.keys() >= {"tool_name", "parameters"}]:  # which its grammar does not demand
            judge([(c["tool_name"], c["parameters"]) for c in whole], text)


def test_lark_beside_tools(config, monkeypatch):  # noqa: F811
    """Into the tag goes the grammar as it is written, of which xgrammar reads less."""
    monkeypatch.setattr(_hooks._state, "chosen", True)
    tokenizer = made_tokenizer()
    asked = {
        "model": "m",
        "messages": [{"role": "user", "content": "?"}],
        "tools": tools(True),
        "tool_choice": "auto",
        "structured_outputs": {"grammar": "start: W\nW: /[a-z]{1,8}/ & ~/foo.*/"},
    }
    request = ChatCompletionRequest.model_validate(asked)
    parser = ParserManager.get_parser(tool_parser_name="hermes", enable_auto_tools=True, tokenizer=None)
    made = constraint(parser(tokenizer, request.tools).adjust_request(request))
    assert made.grammar is None and "/foo.*/" in made.structural_tag
    compiler = sluice.Compiler(sluice.Vocabulary.from_huggingface(tokenizer, end_tokens=tokenizer.eos_token_id))
    matcher = compiler.compile_structural_tag(made.structural_tag).matcher()
    assert matcher.fork().accept_bytes("fob") and not matcher.accept_bytes("foobar")


@pytest.mark.parametrize("lark", ["start: W\nW: /[a-z]{1,8}/ & ~/foo.*/", "start: A\nA: /a(?=b)b/"])
def test_lark_of_gpt_oss(config, monkeypatch, lark):  # noqa: F811
    """Its parser puts every constraint into a tag, whether there are tools or not, by a function that it has imported
    by name; and without Sluice it is as it was."""
    from vllm.parser import harmony

    asked = {"model": "m", "messages": [{"role": "user", "content": "?"}], "structured_outputs": {"grammar": lark}}
    monkeypatch.setattr(_hooks._state, "chosen", True)
    made = constraint(harmony._adjust_output_format(ChatCompletionRequest.model_validate(asked)))
    assert made.grammar is None and json.dumps(lark) in made.structural_tag
    sluice.check("structural_tag", made.structural_tag)
    monkeypatch.setattr(_hooks._state, "chosen", False)
    with pytest.raises(VLLMValidationError):
        harmony._adjust_output_format(ChatCompletionRequest.model_validate(asked))
    # A module that has the original, as one that was loaded before the hook.
    monkeypatch.setattr(harmony, "structured_outputs_to_format", harmony.structured_outputs_to_format.__wrapped__)
    _hooks._choose()
    assert hasattr(harmony.structured_outputs_to_format, "_sluice")
    harmony._adjust_output_format(ChatCompletionRequest.model_validate(asked))
