"""`parse_calls` finds in outputs of every family the calls that vLLM's and SGLang's readers are asked for."""

import family_calls
import pytest

import sluice

TOOLS = [{"type": "function", "function": f} for f in family_calls._functions()]


@pytest.mark.parametrize("name", [n for n in family_calls.families() if n in family_calls.READERS or n == "nemotron"])
def test_calls_are_read_back(name):
    def read(parser, tokenizer, text):
        return [(c.name, c.arguments) for c in sluice.parse_calls(text, name, TOOLS).calls]

    family_calls.judge("sluice", ["parse_calls"], name, read)
