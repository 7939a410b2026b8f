"""From what vLLM calls a constraint to a grammar; for engine and front end alike, so that they decide alike.

It knows vLLM's kinds by name and imports nothing of it.
"""

from __future__ import annotations

import contextlib
from typing import Any

from .._calls import with_arguments
from .._compiler import Grammar
from .._compiler import check as _check
from .._errors import ArgumentError, UnfinishedError
from .._serving import compiling, for_clients
from .._settings import settings
from .._vocabulary import Vocabulary

# The most steps of a check, some 40 ms: vLLM asks for it on the event loop on which it streams to everybody.
BUDGET = 1_000_000

# Kinds of vLLM's StructuredOutputOptions.
_KINDS = {
    "JSON": "json_schema",
    "JSON_OBJECT": "json_object",
    "REGEX": "regex",
    "CHOICE": "choice",
    "GRAMMAR": "grammar",
    "STRUCTURAL_TAG": "structural_tag",
}

# Flags of vLLM's StructuredOutputsConfig: our option, and the kinds for which it means something.
_FLAGS = {
    "disable_any_whitespace": ("compact", ("JSON", "JSON_OBJECT", "STRUCTURAL_TAG")),
    "disable_additional_properties": ("closed", ("JSON", "STRUCTURAL_TAG")),
}


def grammar(tokenizer: Any, vocab_size: int, kind: str, spec: str, config: Any) -> Grammar:
    """Compiles a constraint, or returns the grammar that an equal one has got.

    Args:
        tokenizer: the engine's.
        vocab_size: how wide its logits are.
        kind: the name of vLLM's StructuredOutputOptions.
        spec: the text that vLLM sends with it.
        config: vLLM's StructuredOutputsConfig, of which disable_any_whitespace and disable_additional_properties count.

    Raises:
        SluiceError: the constraint cannot be enforced; the message is for whoever wrote it.
    """
    # Each request brings its end tokens along; those of the vocabulary are for releases that do not tell them.
    name, spec, options = _asked(kind, spec, config)
    return compiling(tokenizer, vocab_size, requests_end=True).grammar(name, spec, options)


def check(kind: str, spec: str, config: Any, tokenizer: Any = None) -> None:
    """Says of a constraint what `grammar` would say, as far as its names of tokens tell: a front end reads no more of a
    tokenizer and keeps no grammars. The engine says the rest, of the one request: beyond BUDGET, or of other tokens.

    Raises:
        SluiceError: as `grammar`.
    """
    name, spec, options = _asked(kind, spec, config)
    with contextlib.suppress(UnfinishedError), for_clients():
        _check(name, spec, vocabulary=_named(tokenizer), budget=BUDGET, **settings().of(name, options))


def _asked(kind: str, spec: str, config: Any) -> tuple[str, str, dict[str, Any]]:
    """Returns our kind, constraint and options of what vLLM asks for."""
    if kind not in _KINDS:
        raise ArgumentError(f"vLLM asks for a constraint of the kind {kind}, which Sluice does not know", code=2)
    flags = (f for flag, f in _FLAGS.items() if getattr(config, flag, False))
    if kind == "STRUCTURAL_TAG":
        spec = with_arguments(spec)
    return _KINDS[kind], spec, {option: True for option, kinds in flags if kind in kinds}


_names: list[tuple[Any, Vocabulary | None]] = []  # of the latest tokenizers


def _named(tokenizer: Any) -> Vocabulary | None:
    """Returns a vocabulary of the tokenizer's added tokens alone, the ones that a constraint may name; None if the
    tokenizer does not list them. Tokenizers of Hugging Face do."""
    for known, names in _names:
        if known is tokenizer:
            return names
    added = getattr(tokenizer, "added_tokens_encoder", None) if hasattr(tokenizer, "backend_tokenizer") else None
    made = None
    if isinstance(added, dict):
        # The last is for the end, which a vocabulary must have.
        texts = [*(str(name).encode(errors="replace") for name in added), b"\0"]
        made = Vocabulary.from_tokens(texts, special=range(len(added)), end_tokens=[len(added)])
    _names.insert(0, (tokenizer, made))
    del _names[8:]
    return made
