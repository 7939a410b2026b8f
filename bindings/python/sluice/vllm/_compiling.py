"""From what vLLM calls a constraint to a grammar; for engine and front end alike, so that they decide alike.

It knows vLLM's kinds by name and imports nothing of it.
"""

from __future__ import annotations

import re
from typing import Any

from .._compiler import Grammar
from .._errors import ArgumentError
from .._serving import compiling

# Kinds of vLLM's StructuredOutputOptions, all but GRAMMAR, and whose text is JSON that may be written compactly.
_KINDS = {
    "JSON": ("json_schema", True),
    "JSON_OBJECT": ("json_object", True),
    "REGEX": ("regex", False),
    "CHOICE": ("choice", False),
    "STRUCTURAL_TAG": ("structural_tag", True),
}


def grammar(tokenizer: Any, vocab_size: int, kind: str, spec: str, compact: bool = False) -> Grammar:
    """Compiles a constraint, or returns the grammar that an equal one has got.

    Args:
        tokenizer: the engine's.
        vocab_size: how wide its logits are.
        kind: the name of vLLM's StructuredOutputOptions.
        spec: the text that vLLM sends with it.
        compact: vLLM's disable_any_whitespace.

    Raises:
        SluiceError: the constraint cannot be enforced; the message is for whoever wrote it.
    """
    if kind == "GRAMMAR":
        # vLLM's own rule: beside comments, rules are written with ::= in EBNF, with a colon in Lark.
        ebnf = any("::=" in re.sub(r"(#|//).*", "", line) for line in spec.split("\n"))
        name, json = ("ebnf" if ebnf else "lark"), False
    elif kind in _KINDS:
        name, json = _KINDS[kind]
    else:
        raise ArgumentError(f"vLLM asks for a constraint of the kind {kind}, which Sluice does not know", code=2)
    # Each request brings its end tokens along; those of the vocabulary are for releases that do not tell them.
    return compiling(tokenizer, vocab_size).grammar(name, spec, {"compact": True} if compact and json else {})
