"""Fixtures of the tests with real engines: tokenizer and vocabulary, constraints of every kind, and their judges.

`make test-engines` runs them, in an environment that has torch, transformers and vLLM: 7 GB, so by hand.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
from pathlib import Path
from typing import Any, Callable, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "bindings" / "python"), str(ROOT / "tests" / "demo")]
os.environ.setdefault("HF_HUB_OFFLINE", "1")
# SGLang imports vLLM, which looks for its device then.
os.environ.update(VLLM_TARGET_DEVICE="cpu", VLLM_NO_USAGE_STATS="1", TRANSFORMERS_OFFLINE="1")

import jsonschema
import torch
from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerFast

import sluice
import verify

torch.set_num_threads(1)

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 8},
        "ages": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 150}, "maxItems": 3},
        "unit": {"enum": ["celsius", "fahrenheit"]},
    },
    "required": ["name", "unit"],
    "additionalProperties": False,
}
TAG = {"begin": "<tool_call>", "schema": SCHEMA, "end": "</tool_call>"}
PATTERN = r"(yes|no), [0-9]{1,4}(\.[a-f]{2})?"
EBNF = """
root ::= sum
sum ::= product (("+" | "-") product){0,2}
product ::= value ("*" value)?
value ::= [0-9]{1,3} | "(" [0-9] "+" [0-9] ")"
"""
CHOICES = ["red", "green", "blue-green"]
OBJECT = re.compile(r"\{.*\}", re.DOTALL)


def _schema(text: str) -> bool:
    jsonschema.validate(json.loads(text), SCHEMA)
    return True


def _tag(text: str) -> bool:
    begin, end = TAG["begin"], TAG["end"]
    return text.startswith(begin) and text.endswith(end) and _schema(text[len(begin) : -len(end)])


class Constraint(NamedTuple):
    """A constraint with short outputs, and a judge of them."""

    kind: str
    spec: Any
    right: Callable[[str], bool]
    options: dict[str, Any] = {}


CONSTRAINTS = {
    "json_schema": Constraint("json_schema", SCHEMA, _schema, {"compact": True}),
    "regex": Constraint("regex", PATTERN, lambda text: bool(re.fullmatch(PATTERN, text))),
    "ebnf": Constraint("ebnf", EBNF, lambda text: verify.arithmetic("", text).ok is True),
    "choice": Constraint("choice", CHOICES, CHOICES.__contains__),
    "structural_tag": Constraint(
        "structural_tag",
        {
            "type": "structural_tag",
            "format": {
                "type": "tag",
                "begin": TAG["begin"],
                "content": {"type": "json_schema", "json_schema": SCHEMA},
                "end": TAG["end"],
            },
        },
        _tag,
        {"compact": True},
    ),
}


def made_tokenizer() -> PreTrainedTokenizerFast:
    """Returns the committed tokenizer, as transformers has it."""
    text = gzip.decompress((ROOT / "tests" / "data" / "tokenizer.json.gz").read_bytes()).decode()
    made = PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(text), eos_token="<|end|>", pad_token="<|end|>")
    assert made.eos_token_id is not None
    return made


@pytest.fixture(scope="session")
def tokenizer() -> PreTrainedTokenizerFast:
    return made_tokenizer()


@pytest.fixture(scope="session")
def vocabulary(tokenizer: PreTrainedTokenizerFast) -> sluice.Vocabulary:
    return sluice.Vocabulary.from_huggingface(tokenizer, end_tokens=tokenizer.eos_token_id)


@pytest.fixture(scope="session")
def compiler(vocabulary: sluice.Vocabulary) -> sluice.Compiler:
    return sluice.Compiler(vocabulary)


@pytest.fixture(params=CONSTRAINTS)
def constraint(request: pytest.FixtureRequest) -> Constraint:
    return CONSTRAINTS[request.param]
