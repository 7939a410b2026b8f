"""Turns vLLM's constraints into grammars. Engine and front end share this code, so they decide alike.

The module knows vLLM's kinds by name and imports nothing from vLLM.
"""

from __future__ import annotations

import contextlib
from typing import Any

from .._abi import Kind
from .._calls import with_arguments
from .._compiler import check as _check
from .._errors import ArgumentError, UnfinishedError
from .._grammar import Grammar
from .._serving import compiling, for_clients
from .._settings import settings
from .._vocabulary import Vocabulary

# The most steps of a check, about 40 ms. vLLM checks on the event loop that streams to all clients.
BUDGET = 1_000_000

# Kinds of vLLM's StructuredOutputOptions.
_KINDS: dict[str, Kind] = {
    "JSON": "json_schema",
    "JSON_OBJECT": "json_object",
    "REGEX": "regex",
    "CHOICE": "choice",
    "GRAMMAR": "grammar",
    "STRUCTURAL_TAG": "structural_tag",
}

# Flags of vLLM's StructuredOutputsConfig: our option, and the kinds that take it.
_FLAGS = {
    "disable_any_whitespace": ("compact", ("JSON", "JSON_OBJECT", "STRUCTURAL_TAG")),
    "disable_additional_properties": ("closed", ("JSON", "STRUCTURAL_TAG")),
}


def grammar(
    tokenizer: Any, vocab_size: int, kind: str, spec: str, config: Any, keep_tokenizer: bool = False
) -> Grammar:
    """Compiles a constraint, or returns the cached grammar of an equal one.

    Args:
        tokenizer: the engine's tokenizer.
        vocab_size: the width of the engine's logits.
        kind: a name of vLLM's StructuredOutputOptions.
        spec: the constraint's text, as vLLM sends it.
        config: vLLM's StructuredOutputsConfig; its disable_any_whitespace and disable_additional_properties are read.
        keep_tokenizer: the grammar's matchers propose drafts, if Sluice can cut text as the tokenizer does.

    Raises:
        SluiceError: the constraint cannot be enforced; the message is for its author.
    """
    # Each request brings its own end tokens. The vocabulary's end tokens serve releases that pass none.
    name, spec, options = _asked(kind, spec, config)
    made = compiling(tokenizer, vocab_size, requests_end=True, keep_tokenizer=keep_tokenizer)
    return made.grammar(name, spec, options)


def check(kind: str, spec: str, config: Any, tokenizer: Any = None) -> None:
    """Checks a constraint as `grammar` does, without compiling it for a vocabulary.

    The front end reads only the names of added tokens from the tokenizer and keeps no grammars. The engine reports the
    errors that this misses: constraints beyond BUDGET, and names of other tokens.

    Raises:
        SluiceError: as `grammar`.
    """
    name, spec, options = _asked(kind, spec, config)
    with contextlib.suppress(UnfinishedError), for_clients():
        _check(name, spec, vocabulary=_named(tokenizer), budget=BUDGET, **settings().of(name, options))


def _asked(kind: str, spec: str, config: Any) -> tuple[Kind, str, dict[str, Any]]:
    """Returns kind, text and options of a constraint in Sluice's terms."""
    if kind not in _KINDS:
        raise ArgumentError(f"vLLM asks for a constraint of the kind {kind}, which Sluice does not know", code=2)
    flags = (f for flag, f in _FLAGS.items() if getattr(config, flag, False))
    if kind == "STRUCTURAL_TAG":
        spec = with_arguments(spec)
    return _KINDS[kind], spec, {option: True for option, kinds in flags if kind in kinds}


_names: list[tuple[Any, Vocabulary | None]] = []  # the most recent tokenizers and their added tokens


def _named(tokenizer: Any) -> Vocabulary | None:
    """Returns a vocabulary of the tokenizer's added tokens only: a constraint may name these.

    Returns None if the tokenizer does not list them. Tokenizers of Hugging Face do.
    """
    for known, names in _names:
        if known is tokenizer:
            return names
    added = getattr(tokenizer, "added_tokens_encoder", None) if hasattr(tokenizer, "backend_tokenizer") else None
    made = None
    if isinstance(added, dict):
        # The last token is the end token that every vocabulary must have.
        texts = [*(str(name).encode(errors="replace") for name in added), b"\0"]
        made = Vocabulary.from_tokens(texts, special=range(len(added)), end_tokens=[len(added)])
    _names.insert(0, (tokenizer, made))
    del _names[8:]
    return made
