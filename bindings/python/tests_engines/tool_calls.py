"""What tests of tool calls share: two tools, a tokenizer that has the marks of many families of models, and texts that
are written at random under a constraint.
"""

from __future__ import annotations

import json

import jsonschema
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 9}, "unit": {"enum": ["c", "f"]}},
    "required": ["city"],
    "additionalProperties": False,
}
SEARCH = {
    "type": "object",
    "properties": {"q": {"type": "string", "maxLength": 9}, "n": {"type": "integer", "minimum": 1}},
    "required": ["q"],
    "additionalProperties": False,
}
TOOLS = {"weather": WEATHER, "search": SEARCH}

# What parsers look up in a tokenizer, and special tokens in their tags.
MARKS = (
    "<|open|> <|close|> <|sep|> <|python_tag|> [TOOL_CALLS] [ARGS] <|tool_call_start|> <|tool_call_end|> "
    "<｜tool▁calls▁begin｜> <｜tool▁calls▁end｜> "
    "<｜tool▁call▁begin｜> <｜tool▁call▁end｜> <｜tool▁sep｜>"
).split()

# How a model of nobody's writes an answer and calls, for the parsers that read it off a tokenizer.
TEMPLATE = {
    "start_anchor": "<|assistant|>",
    "fields": {
        "content": {"open": "<|text|>", "close": "<|done|>"},
        "tool_calls": {
            "open_pattern": r"<\|call\|>(?P<name>[a-z_]+)<\|with\|>",
            "close": "<|done|>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
    },
}


def made_tokenizer(marks=(), ids=None, without=()):
    """A tokenizer with a token for each byte and some special tokens; tokens in `ids` have these numbers."""
    vocab = {c: i for i, c in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    marks = [m for m in [*MARKS, *marks, "</s>"] if m not in without]
    vocab |= {text: 256 + i for i, text in enumerate(dict.fromkeys(marks))} | (ids or {})
    made = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    made.add_special_tokens([AddedToken(t, special=True) for t in vocab if len(t) > 1])
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token="</s>", response_template=TEMPLATE)


def marks(spec):
    """The texts of a structural tag, in their order: those by which something begins or ends, and constants. Other
    constraints have none."""
    try:
        worklist, found = [json.loads(spec)], []
    except ValueError:
        return []
    while worklist:
        at = worklist.pop()
        if isinstance(at, dict):
            found += [at[k] for k in ("begin", "value", "end") if isinstance(at.get(k), str)]
            at = [v for k, v in at.items() if k != "json_schema"]
        worklist += reversed(at) if isinstance(at, list) else []
    return list(dict.fromkeys(filter(None, found)))


def written(tokenizer, spec, may, accept, rng):
    """A text that a constraint allows. Free text in it is often a mark of the constraint, the first of all at the
    beginning. It closes open marks half the time, and ends when it may.

    may() returns the tokens that are allowed, [] after the end; accept(token) moves.
    """
    closing = {tokenizer.convert_tokens_to_ids(c) for c in '"}]'}
    texts, end = [tokenizer.encode(m, add_special_tokens=False) for m in marks(spec)], tokenizer.eos_token_id
    tokens, ahead = [], list(texts[0]) if texts else []
    while allowed := may():
        assert len(tokens) < 3000, tokenizer.decode(tokens)
        some = [t for t in allowed if t != end] or allowed if not tokens else allowed
        if texts and not ahead and len(some) > 200 and rng.random() < 0.1:
            ahead = list(rng.choice(texts))
        if ahead and ahead[0] in some:
            some = [ahead.pop(0)]
        elif end in some:
            some, ahead = [end], []
        else:
            ahead = []
            if closing.intersection(some) and rng.random() < 0.5:
                some = sorted(closing.intersection(some))
        tokens.append(rng.choice(some))
        accept(tokens[-1])
    return tokenizer.decode(tokens[:-1])


def judge(calls, text):
    """Calls, by name and arguments as JSON, are calls of the tools with right arguments."""
    assert calls, text
    for name, arguments in calls:
        jsonschema.validate(json.loads(arguments) if isinstance(arguments, str) else arguments, TOOLS[name])
