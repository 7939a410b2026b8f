"""The plugin for vLLM with releases other than its own, without vLLM: results of its hooks, their failures, and the
messages to clients. See test_vllm.py.
"""

from __future__ import annotations

import asyncio
import collections
import json
import sys
import types

import pytest
from vllm_shape import PATTERN, Asked, Config, Invalid, Request, allowed, put_in_place, started

import sluice
from sluice import _serving
from sluice.vllm import _compiling, _hooks, register


@pytest.fixture
def vllm(monkeypatch, vocabulary):
    return put_in_place(monkeypatch, vocabulary)


def test_beams(vllm):
    register()
    config = Config(size=vllm.size)
    beams = vllm.BeamSearchOfflineMixin()
    beams.llm_engine, beams.model_config = types.SimpleNamespace(vllm_config=config), config
    grammars = []
    for _ in range(3):  # a backend for each call, and a grammar for each beam and step
        asked = Asked("REGEX", PATTERN)
        backend, (kind, spec), masks = beams._init_beam_search_structured_output(asked, vllm.tokenizer)
        grammars.append(backend.compile_grammar(kind, spec))
        grammars[-1].fill_bitmask(masks, 0)
        assert allowed(masks[0]) == set(b"abc")
        backend.destroy()
    cache = _serving.compiling(vllm.tokenizer, vllm.size, requests_end=True).compiler().cache
    assert (vllm.tokenizer.reads, cache.misses, cache.hits) == (1, 1, 2)


State = collections.namedtuple("State", "backend key bitmask trie")


def test_beams_of_a_later_release(vllm):
    """It returns four values, checks the request on its way, and has choices in a trie of its own."""
    own = vllm.BeamSearchOfflineMixin._init_beam_search_structured_output

    def _init_beam_search_structured_output(self, structured_outputs, tokenizer):
        config = self.llm_engine.vllm_config
        vllm.SamplingParams(structured_outputs)._validate_structured_outputs(config, config, tokenizer)
        if structured_outputs.kind == "CHOICE":
            return State(None, None, None, "trie")
        return State(*own(self, structured_outputs, tokenizer), None)

    vllm.BeamSearchOfflineMixin._init_beam_search_structured_output = _init_beam_search_structured_output
    register()
    config = Config(size=vllm.size)
    beams = vllm.BeamSearchOfflineMixin()
    beams.llm_engine = types.SimpleNamespace(vllm_config=config)
    asked = Asked("REGEX", PATTERN)
    backend, (kind, spec), masks, trie = beams._init_beam_search_structured_output(asked, vllm.tokenizer)
    backend.compile_grammar(kind, spec).fill_bitmask(masks, 0)
    assert (allowed(masks[0]), trie, asked._backend) == (set(b"abc"), None, None)
    asked = Asked("CHOICE", '["a"]')
    assert beams._init_beam_search_structured_output(asked, vllm.tokenizer) == State(None, None, None, "trie")
    assert vllm.xgrammar.XgrammarBackend.__name__ == "XgrammarBackend"
    config.backend = "xgrammar"
    assert beams._init_beam_search_structured_output(Asked("REGEX", "a"), vllm.tokenizer)[2] == "vLLM's own"


def test_backends_that_fail(vllm, monkeypatch, caplog):
    """vLLM's own code answers, which knows no such name; ours is tried again with the next request."""
    register()
    manager = vllm.StructuredOutputManager(Config(size=vllm.size), vllm.tokenizer)
    asked = [Request(Asked("REGEX", "a", "sluice")) for _ in range(2)]
    with monkeypatch.context() as broken:
        broken.setitem(sys.modules, "vllm.v1.structured_output.backend_types", None)
        manager.grammar_init(asked[0])
    assert (manager.backend, manager.backend_name) == ("vLLM's own", "sluice")
    assert caplog.text.count("The engine's own") == 1
    caplog.clear()
    manager.backend = None
    manager.grammar_init(asked[1])
    assert asked[1].grammar.accept_tokens("1", [ord("a")])


@pytest.mark.parametrize(("place", "name"), [(_hooks, "_choose"), (_compiling, "check")])
def test_checks_that_fail(vllm, monkeypatch, caplog, place, name):
    """vLLM's own check decides about this request, and ours about the next."""
    register()
    with monkeypatch.context() as broken:
        broken.setattr(place, name, lambda *_: 1 / 0)
        verified(vllm, "REGEX", "(")
    assert vllm.own == ["("] and caplog.text.count("The engine's own") == 1
    caplog.clear()
    with pytest.raises(Invalid, match="never closed"):
        verified(vllm, "REGEX", "(")


def test_rows_that_fail(vllm, monkeypatch, caplog):
    """vLLM requests each row, in this step and all later ones."""
    manager, requests = started(vllm, *(Asked("REGEX", c) for c in "abcdef"))
    names = list(requests)
    rows = [row.tolist() for row in manager.grammar_bitmask(requests, names, {})]
    manager.calls, manager._grammar_bitmask[:] = 0, 7
    monkeypatch.setattr(_serving.Late, "finish", lambda *_: 1 / 0)
    for step in (1, 2):
        assert [row.tolist() for row in manager.grammar_bitmask(requests, names, {})] == rows
        assert manager.calls == step * len(names)
    assert caplog.text.count("grammar_bitmask runs, because Sluice's failed: ZeroDivisionError") == 1
    caplog.clear()


def test_a_release_that_returns_something_else(vllm, caplog):
    """The plugin skips its hook, as in a release with another shape."""

    def validate_xgrammar_grammar(sampling_params) -> bool:
        return True

    vllm.xgrammar.validate_xgrammar_grammar = validate_xgrammar_grammar
    register()
    assert "validation (TypeError" in caplog.text and "returns <class 'bool'>" in caplog.text
    assert vllm.xgrammar.validate_xgrammar_grammar is validate_xgrammar_grammar


def test_why_a_structural_tag_is_refused(vllm):
    """vLLM reads tags before the request is whole, and says only that one is invalid."""
    register()
    check = sys.modules[_hooks.PROTOCOL].validate_structural_tag_payload
    bad = json.dumps({"type": "structural_tag", "format": {"type": "json_schema", "json_schema": {"type": "x"}}})
    check(bad, parameter="response_format")  # of an engine with another backend: the shape's check says nothing
    _hooks._state.chosen = True
    check(json.dumps({"type": "structural_tag", "format": {"type": "any_text"}}), parameter="response_format")
    with pytest.raises(Invalid, match=r'^structural_tag:/format/json_schema/type: there is no type "x"') as caught:
        check(bad, parameter="response_format")
    assert caught.value.parameter == "response_format"


def test_a_reason_of_vllms_own_stays(vllm):
    def validate_structural_tag_payload(payload, *, parameter):
        raise Invalid("vLLM's own")

    home = sys.modules[_hooks.PROTOCOL]
    home.validate_structural_tag_payload = validate_structural_tag_payload
    register()
    with pytest.raises(Invalid, match=r"^vLLM's own$"):
        home.validate_structural_tag_payload("", parameter="response_format")


def test_places_that_a_release_lacks_later(vllm, caplog):
    """Some modules are hooked when vLLM imports them. The log names the function whose place is not there."""
    del sys.modules[_hooks.PROTOCOL].validate_structural_tag_payload, vllm.AsyncLLM.generate
    register()
    for name in ("_tell_reasons", "_check_ahead"):
        assert f"lacks the place for {name}: AttributeError" in caplog.text


@pytest.mark.parametrize("switch", ["", "always"])
def test_lark_in_tags(vllm, monkeypatch, switch):
    """It stays as it is written if an engine of this process uses Sluice, in every module that has vLLM's function."""
    home, parser, formats = (types.ModuleType(name) for name in (_hooks.FORMATS, "vllm.parser.other", "formats"))
    home.structured_outputs_to_format = parser.structured_outputs_to_format = lambda params: "vLLM's own"
    formats.GrammarFormat = lambda grammar: grammar
    vllm.utils.grammar_is_likely_lark = lambda text: "::=" not in text
    for name, module in (home.__name__, home), (parser.__name__, parser), ("xgrammar.structural_tag", formats):
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setenv(_hooks.SWITCH, switch)
    register()
    lark, *others = (types.SimpleNamespace(grammar=text) for text in ("start: A", 'root ::= "a"', None))
    for chosen in (False, True):
        for module in (home, parser):
            made = module.structured_outputs_to_format(lark)
            assert made == ("start: A" if chosen or switch else "vLLM's own")
            assert {module.structured_outputs_to_format(p) for p in others} == {"vLLM's own"}
        _hooks._choose()
    # A module that was loaded before the engine was chosen.
    _hooks._state.chosen, parser.structured_outputs_to_format = False, home.structured_outputs_to_format.__wrapped__
    _hooks._choose()
    assert parser.structured_outputs_to_format(lark) == "start: A"


def verified(vllm, kind, spec, **config):
    made = Config(size=vllm.size, **config)
    asked = Asked(kind, spec)
    vllm.SamplingParams(asked)._validate_structured_outputs(made, made, vllm.tokenizer)
    return asked


def test_tokens_that_are_named(vllm):
    """A front end whose tokenizer has names refuses constraints with other names, before anything is streamed."""
    register()
    tag = json.dumps({"type": "structural_tag", "format": {"type": "token", "token": "<|none|>"}})
    missing = [("GRAMMAR", "root ::= <|none|>"), ("GRAMMAR", "start: <|none|>"), ("STRUCTURAL_TAG", tag)]
    for kind, spec in missing:
        assert verified(vllm, kind, spec)._backend == "sluice"  # nothing is known of the names
    vllm.tokenizer = type(vllm.tokenizer)()
    vllm.tokenizer.added_tokens_encoder = {"<|some|>": 3, "<|end|>": 2}
    for kind, spec in missing:
        assert verified(vllm, kind, spec.replace("none", "some"))._backend == "sluice"
        with pytest.raises(Invalid, match=r"the vocabulary has no special or added token \"<\|none\|>"):
            verified(vllm, kind, spec)
    assert [v is not None for t, v in _compiling._names if t is vllm.tokenizer] == [True]
    assert vllm.tokenizer.reads == 0


def test_arguments_of_calls_are_objects(vllm):
    """vLLM's parsers write no schema for a tool without one."""
    call = {"begin": '<f>{"arguments": ', "schema": {}, "end": "</f>"}
    _, requests = started(vllm, Asked("STRUCTURAL_TAG", json.dumps({"structures": [call], "triggers": ["<f>"]})))
    assert requests["0"].grammar.accept_tokens("0", [*b'<f>{"arguments": '])
    assert not requests["0"].grammar.accept_tokens("0", [*b"["]) and requests["0"].grammar.accept_tokens("0", [*b"{"])


def test_large_constraints_are_left_to_the_engine(vllm, monkeypatch):
    """The front end admits a constraint beyond its budget; the engine then fails that request alone."""
    register()
    wrong = "root ::= " + "".join(f'"{i:x}" [a-f] | ' for i in range(5_000)) + "missing"
    with pytest.raises(Invalid, match="missing"):
        verified(vllm, "GRAMMAR", wrong)
    monkeypatch.setattr(_compiling, "BUDGET", 20_000)
    assert verified(vllm, "GRAMMAR", wrong)._backend == "sluice"
    with pytest.raises(sluice.ConstraintError, match="missing"):
        started(vllm, Asked("GRAMMAR", wrong))


@pytest.mark.parametrize(
    ("kind", "spec", "said", "advised"),
    [
        ("JSON", '{"$ref": "http://other/schema"}', "copy the schema into $defs", "documents"),
        ("JSON", '{"type": "string", "pattern": "(a)\\\\1"}', "leave it out", "lenient"),
        ("GRAMMAR", 'rot ::= "a"', 'no rule "root"', "start_rule"),
        ("GRAMMAR", 'begin: "a"', 'no rule "start"', "start_rule"),
    ],
)
def test_advice_that_a_client_can_take(vllm, kind, spec, said, advised):
    """Options are for programs that compile; the client of an engine sets none."""
    ours = {"JSON": "json_schema", "GRAMMAR": "grammar"}[kind]
    with pytest.raises(sluice.ConstraintError) as caught:
        sluice.check(ours, spec)
    whole, advice = str(caught.value), caught.value.advice
    assert whole.endswith(advice) and said in whole and advised in advice and "option" in advice
    register()
    with pytest.raises(Invalid) as caught:
        verified(vllm, kind, spec)
    assert str(caught.value) == whole.removesuffix(advice)
    with pytest.raises(sluice.ConstraintError) as caught:  # from the engine, if its front end has not looked
        started(vllm, Asked(kind, spec))
    assert str(caught.value) == whole.removesuffix(advice) and caught.value.advice == ""


@pytest.mark.parametrize(
    ("switch", "backend", "served"),
    [
        ("", "auto", False),
        ("auto", "auto", True),
        ("AUTO ", "auto", True),
        ("auto", "sluice", True),
        ("auto", "xgrammar", False),
        ("always", "guidance", True),
    ],
)
def test_engines_that_are_served(vllm, monkeypatch, switch, backend, served):
    monkeypatch.setenv(_hooks.SWITCH, switch)
    manager, _ = started(vllm, Asked("REGEX", "a"), backend=backend)
    assert (type(manager.backend).__name__ == "SluiceBackend") is served
    asked = verified(vllm, "REGEX", "a(?=b)b", backend=backend)
    assert asked._backend == backend and bool(vllm.own) is not served
    assert _hooks._checking.get("nothing") == "nothing"  # a check has ended
    assert not _hooks._chosen(None)  # vLLM checks some requests without an engine


def outputs(generator):
    async def read():
        return [output async for output in generator]

    return asyncio.run(read())


def test_requests_of_a_server(vllm, monkeypatch, caplog):
    """Requests are checked once, when they are handed over; requests to other engines, when their first output is
    read."""
    register()
    checks = []
    check = _compiling.check
    monkeypatch.setattr(_compiling, "check", lambda kind, *given: checks.append(kind) or check(kind, *given))
    config = Config(size=vllm.size)
    engine = vllm.AsyncLLM(config, vllm.tokenizer)
    params = vllm.SamplingParams(Asked("REGEX", "a"))
    for done in (1, 2):  # parameters that are used again
        assert outputs(engine.generate("prompt", params, request_id="0")) == ["prompt"] and len(checks) == done
    params.structured_outputs.spec = "("
    with pytest.raises(Invalid, match="never closed"):
        engine.generate("prompt", params, "0")
    assert outputs(engine.generate("prompt", vllm.SamplingParams(None), "0")) == ["prompt"]
    config.backend = "xgrammar"
    asked = engine.generate("prompt", vllm.SamplingParams(Asked("REGEX", "")), "0")
    with pytest.raises(Invalid, match="vLLM's own check"):
        outputs(asked)
    config.backend = "sluice"
    del engine.input_processor
    generator = engine.generate("prompt", vllm.SamplingParams(Asked("REGEX", "a")), "0")
    assert "own AsyncLLM.generate runs" in caplog.text and caplog.text.count("The engine's own") == 1
    caplog.clear()
    with pytest.raises(AttributeError):  # from vLLM's own
        outputs(generator)
