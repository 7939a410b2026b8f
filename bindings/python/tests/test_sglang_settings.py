"""Settings of a server, and frames of outputs, in the plugin for SGLang, without SGLang. See test_sglang.py."""

from __future__ import annotations

import re

import pytest
import test_sglang
from conftest import case_tokens
from test_sglang import END, KINDS, created, grammar

import sluice
from sluice import _serving

sglang = test_sglang.sglang  # the fixture


@pytest.mark.parametrize(
    "option, value, right, wrong",
    [
        ("constrained_json_disable_any_whitespace", True, "[1,2]", "[ 1]"),
        ("constrained_json_max_whitespace_cnt", 1, "[ 1, 2]", "[  1]"),
        ("constrained_json_whitespace_pattern", "[ ]{2}", "[  1  ]", "[ 1]"),
    ],
)
def test_whitespace(sglang, option, value, right, wrong):
    setattr(sglang.options, option, value)
    made = grammar(created(sglang), "json", '{"type": "array"}')
    assert made.matcher.accept_bytes(right) and not made.copy().matcher.accept_bytes(wrong)


@pytest.mark.parametrize(
    "option, value", [("constrained_json_whitespace_pattern", "("), ("constrained_json_max_whitespace_cnt", 0)]
)
def test_whitespace_that_is_wrong(sglang, option, value):
    """The server does not start, and says which option it is."""
    setattr(sglang.options, option, value)
    with pytest.raises(ValueError, match=rf"^--{option.replace('_', '-')} {re.escape(str(value))}: .*whitespace"):
        created(sglang)


@pytest.mark.parametrize("variable", ["SLUICE_OPTIONS", "SLUICE_CACHE_MB", "SLUICE_MAX_TOKENS"])
def test_a_server_that_is_set_wrongly(sglang, monkeypatch, variable):
    """It does not start, also if an earlier one of this process has a compiler."""
    created(sglang)
    monkeypatch.setenv(variable, "x")
    with pytest.raises(ValueError, match=f"^{variable}=x: "):
        created(sglang)


def test_a_tokenizer_that_cannot_be_read(sglang, monkeypatch):
    """The server fails when it starts, and not at its first request."""
    monkeypatch.setattr(_serving, "_vocabulary", lambda *_: sluice.Vocabulary.from_tokens([b"a"], special=[9]))
    with pytest.raises(ValueError, match="special or added"):
        created(sglang)


def test_a_frame(sglang):
    """A constraint within the tokens of a turn; special tokens cannot be its text."""
    backend = created(sglang)
    mark = case_tokens()[2][0]
    backend.reserve_framing_tokens([mark])

    def frame(content):
        token = {"type": "token", "token": mark}
        return {"type": "structural_tag", "format": {"type": "sequence", "elements": [token, content, token]}}

    for kind, spec, text in (
        ("json", '{"type": "integer"}', "7"),
        ("regex", "ab", "ab"),
        ("ebnf", 'root ::= "a"', "a"),
    ):
        made = backend.compile_framed_grammar(grammar(backend, kind, spec), frame)
        other = made.copy()
        other.accept_token(mark)
        with pytest.raises(ValueError):
            other.accept_token(ord("t"))  # true
        for token in (mark, *text.encode(), mark, END[0]):
            made.accept_token(token)
        assert made.is_terminated()
    made = backend.compile_framed_grammar(grammar(backend, "regex", ".*"), frame)
    made.accept_token(mark)
    with pytest.raises(ValueError):
        made.accept_token(case_tokens()[2][1])
    assert backend.compile_framed_grammar(grammar(backend, "structural_tag", KINDS[-1][1]), frame) is None
    backend.reserve_framing_tokens([ord("a")])
    assert backend.compile_framed_grammar(grammar(backend, "regex", "b"), frame) is None


def test_a_whole_turn(sglang):
    """In the grammar of SGLang's parser for one, the text of a special token means that token."""
    backend, (tokens, _, special, _) = created(sglang), case_tokens()
    spec = f'root ::= "{tokens[special[0]].decode()}"'
    grammar(backend, "full_assistant_ebnf", spec).accept_token(special[0])
    with pytest.raises(ValueError):
        grammar(backend, "ebnf", spec).accept_token(special[0])
