"""From what vLLM calls a constraint to a grammar; for engine and front end alike, so that they decide alike.

It knows vLLM's kinds by name and imports nothing of it.
"""

from __future__ import annotations

from typing import Any

from .._calls import with_arguments
from .._compiler import Grammar
from .._compiler import check as _check
from .._errors import ArgumentError
from .._serving import compiling
from .._settings import settings

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


def check(kind: str, spec: str, config: Any) -> None:
    """Says of a constraint what `grammar` would say, as far as no vocabulary is needed: a front end reads no tokenizer
    and keeps no grammars. The engine says the rest, of the one request: that a token which it names is missing.

    Raises:
        SluiceError: as `grammar`.
    """
    name, spec, options = _asked(kind, spec, config)
    _check(name, spec, **settings().of(name, options))


def _asked(kind: str, spec: str, config: Any) -> tuple[str, str, dict[str, Any]]:
    """Returns our kind, constraint and options of what vLLM asks for."""
    if kind not in _KINDS:
        raise ArgumentError(f"vLLM asks for a constraint of the kind {kind}, which Sluice does not know", code=2)
    flags = (f for flag, f in _FLAGS.items() if getattr(config, flag, False))
    if kind == "STRUCTURAL_TAG":
        spec = with_arguments(spec)
    return _KINDS[kind], spec, {option: True for option, kinds in flags if kind in kinds}
