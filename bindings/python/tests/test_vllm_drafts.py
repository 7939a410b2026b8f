"""Drafts of grammars in the plugin for vLLM, without vLLM. See test_vllm.py."""

from __future__ import annotations

import json
import types

import pytest
from conftest import ROOT
from vllm_shape import Asked, put_in_place, started

import sluice
from sluice import _serving
from sluice.vllm import Drafts

SCHEMA = {
    "type": "object",
    "properties": {"location": {"type": "string"}, "unit": {"enum": ["celsius", "fahrenheit"]}},
    "required": ["location", "unit"],
    "additionalProperties": False,
}
DRAFTING = types.SimpleNamespace(model="sluice.vllm.Drafts")


@pytest.fixture
def vllm(monkeypatch, vocabulary):
    made = put_in_place(monkeypatch, vocabulary)

    def read(tokenizer, size, end_tokens, keep_tokenizer=False):
        made.kept.append(keep_tokenizer)
        if keep_tokenizer and made.refuses:
            raise sluice.UnsupportedError("Unigram", code=3)
        file = ROOT / "tests" / "data" / "tokenizer.json.gz"
        return sluice.Vocabulary.from_file(file, padded_size=size, keep_tokenizer=keep_tokenizer)

    monkeypatch.setattr(_serving, "_vocabulary", read)
    made.size, made.kept, made.refuses = 32800, [], False
    return made


def drafted(vllm, config, text="", **members):
    """Returns the drafts that the scheduler has for a request after a text, and its matcher."""
    manager, requests = started(vllm, Asked("JSON", json.dumps(SCHEMA)), speculative_config=config)
    request = requests["0"]
    request.__dict__.update(members)
    matcher = request.grammar.matcher
    matcher.accept_bytes(text)
    before = matcher.length
    scheduler = vllm.Scheduler(manager, requests)
    names = ["0", "gone"]
    proposed = Drafts(config).propose([[5], [6]], None, None, slot_mappings=None)
    assert proposed == [[], []]
    scheduler.update_draft_token_ids(types.SimpleNamespace(req_ids=names, draft_token_ids=proposed))
    assert matcher.length == before
    return request.spec_token_ids, matcher


def test_the_scheduler_has_the_drafts_of_a_grammar(vllm):
    for text, expected in (('{"', 'location": "'), ('{"location": "Oslo", "', 'unit": "'), ('{"location": "Os', "")):
        found, matcher = drafted(vllm, DRAFTING, text)
        assert matcher.grammar.vocabulary.decode(found) == expected
        assert found == matcher.drafts(8)
        assert matcher.accept_tokens(found) == len(found)
    assert vllm.kept == [True]


def test_requests_that_take_no_drafts(vllm):
    for members in ({"is_prefill_chunk": True}, {"finished": True}, {"use_structured_output": False}):
        assert drafted(vllm, DRAFTING, '{"', **members)[0] == []
    manager, requests = started(vllm, Asked("JSON", json.dumps(SCHEMA)), speculative_config=DRAFTING)
    request, scheduler = requests["0"], vllm.Scheduler(manager, requests)
    request.grammar.matcher.accept_bytes('{"')
    for ended in (False, True):
        request.structured_output_request.reasoning_ended = ended
        scheduler.update_draft_token_ids(types.SimpleNamespace(req_ids=["0"], draft_token_ids=[[]]))
        assert bool(request.spec_token_ids) is ended


@pytest.mark.parametrize("config", [None, types.SimpleNamespace(model="ngram")])
def test_other_proposers_keep_their_drafts(vllm, config):
    manager, requests = started(vllm, Asked("JSON", json.dumps(SCHEMA)), speculative_config=config)
    scheduler = vllm.Scheduler(manager, requests)
    scheduler.update_draft_token_ids(types.SimpleNamespace(req_ids=["0"], draft_token_ids=[[7, 8]]))
    assert requests["0"].spec_token_ids == [7, 8] and vllm.kept == [False]


def test_drafts_that_fail(vllm, monkeypatch, caplog):
    def fails(*_):
        raise sluice.LimitError("too much work")

    monkeypatch.setattr(sluice.Matcher, "drafts", fails)
    assert drafted(vllm, DRAFTING, '{"')[0] == [] and "There are no drafts: too much work" in caplog.text


def test_a_tokenizer_whose_cut_is_not_known(vllm, caplog):
    """Its constraints are served without drafts, and the log says why once."""
    vllm.refuses = True
    for _ in range(2):
        assert drafted(vllm, DRAFTING, '{"')[0] == []
    assert vllm.kept == [True, False]
    assert caplog.text.count("Grammars propose no drafts, because of this tokenizer: Unigram") == 1
    assert [r.name for r in caplog.records] == ["vllm.sluice", "sluice"]  # its hooks, and this line
