"""SLUICE_MAX_TOKENS in the plugin for SGLang, without SGLang. See test_sglang.py."""

from __future__ import annotations

import logging
import sys
import types

import numpy as np
import test_sglang
from conftest import listed_hooks
from test_sglang import Gated, Tensor, allowed, asked, created, grammar

import sluice

sglang = test_sglang.sglang  # the fixture


def limited(most, grammar=None):
    """Returns a request with a limit of tokens, and a manager that has its grammar or queues it."""
    req = asked(("regex", "[a-c]+z"))
    req.sampling_params, req.output_ids = types.SimpleNamespace(max_new_tokens=most), []
    req.refused = None
    req.set_finish_with_abort = lambda why: setattr(req, "refused", why)
    manager = sys.modules["sglang.srt.constrained.grammar_manager"].GrammarManager
    return req, manager(None, {req.grammar_key: grammar} if grammar else {})


def test_limits_of_tokens(sglang, monkeypatch, caplog):
    """Masks leave room for the end within max_new_tokens, and tokens of reasoning count. A request that is too short
    for any output is refused."""
    monkeypatch.setenv("SLUICE_MAX_TOKENS", "on")
    with caplog.at_level(logging.INFO, "sglang.sluice"):
        backend = created(sglang)
    hooked = caplog.messages[0].removeprefix("Sluice is hooked in: ")
    assert set(hooked.split(", ")) == listed_hooks("sglang.md")
    row = backend.allocate_vocab_mask(sglang.size, 1)

    def made():
        return grammar(backend, "regex", "[a-c]+z")

    def letters(g):
        row[:] = -1
        g.fill_vocab_mask(row, 0)
        return allowed(row[0]) & {*b"abc"}

    plain, manager = limited(3, made())
    assert not manager.process_req_with_grammar(plain) and letters(plain.grammar) == {*b"abc"}
    plain.grammar.accept_token(ord("a"))
    assert letters(plain.grammar) == set()

    late, manager = limited(6)
    assert manager.process_req_with_grammar(late)
    late.grammar.set_result(Gated(made(), None))
    assert manager.get_ready_grammar_requests() == [late]
    late.output_ids += [1, 2, 3]  # reasoning
    late.grammar.open = True
    assert letters(late.grammar) == {*b"abc"}
    late.grammar.grammar.accept_token(ord("a"))
    late.output_ids.append(ord("a"))
    assert letters(late.grammar) == set()

    free, manager = limited(None, made())
    assert not manager.process_req_with_grammar(free) and free.refused is None
    short, manager = limited(2, made())
    assert not manager.process_req_with_grammar(short)
    assert "max_new_tokens is 2" in short.refused and "takes 3" in short.refused
    assert len(caplog.messages) == 1


def test_limits_that_cannot_be_set(sglang, monkeypatch, caplog):
    """The log says so once, and the request goes on: after too much reasoning, without a shortest output, and in a
    release that keeps its limit elsewhere."""
    monkeypatch.setenv("SLUICE_MAX_TOKENS", "on")
    backend = created(sglang)
    row = backend.allocate_vocab_mask(sglang.size, 1)

    def said(req, manager, reasoning=0):
        caplog.clear()
        assert not manager.process_req_with_grammar(req) and not manager.get_ready_grammar_requests()
        req.output_ids += [1] * reasoning
        for _ in range(2):
            getattr(req.grammar, "grammar", req.grammar).fill_vocab_mask(row, 0)
        assert {*b"abc"} <= allowed(row[0]) and req.refused is None
        (line,) = caplog.messages
        return line

    gate = Gated(grammar(backend, "regex", "[a-c]+z"), None)
    assert "the limit of tokens is 1" in said(*limited(6, gate), reasoning=5)

    def fails(*_):
        raise sluice.LimitError("no completion")

    with monkeypatch.context() as patched:
        patched.setattr(sluice.Matcher, "set_max_tokens", fails)
        assert "cut at its limit of tokens: no completion" in said(*limited(9, grammar(backend, "regex", "[a-c]+z")))
    older, manager = limited(9, grammar(backend, "regex", "[a-c]+z"))
    del older.sampling_params
    assert "no limit of tokens: AttributeError" in said(older, manager)


def test_limits_of_draft_trees(sglang):
    """A limit that waits for the end of the reasoning is set before the rows of the first drafts."""
    gate = Gated(grammar(created(sglang), "regex", "[a-c]+z"), None)
    gate.allocate_vocab_mask, gate.open = gate.grammar.allocate_vocab_mask, True
    gate.grammar.accept_token(ord("a"))
    gate.grammar.limit_when_open(lambda: 2)
    trees = [np.full((1, 1), n, np.int64).view(Tensor) for n in (-1, -1, 0)]
    masks, _ = sglang.utils.generate_token_bitmask([types.SimpleNamespace(grammar=gate)], *trees, sglang.size)
    assert allowed(masks[0]) == {ord("z")}


def test_limits_are_off_by_default(sglang):
    short, manager = limited(2, grammar(created(sglang), "regex", "[a-c]+z"))
    assert not manager.process_req_with_grammar(short) and short.refused is None
