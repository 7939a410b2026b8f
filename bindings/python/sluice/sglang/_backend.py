"""The backend of an SGLang scheduler: it compiles, and it makes and applies masks for requests without a grammar."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import torch
from sglang.srt.constrained.base_grammar_backend import (
    BaseGrammarBackend,
    BaseGrammarObject,
    GrammarStats,
    InvalidGrammarObject,
)

from .._abi import Kind
from .._calls import with_arguments
from .._errors import SluiceError
from .._serving import Latest, compiling, forget, known_ends
from .._settings import settings
from ._asked import json_constraint, try_whitespace, whitespace
from ._grammar import SluiceGrammar, allocate_mask, apply_mask, move_mask

logger = logging.getLogger("sglang.sluice")


class SluiceBackend(BaseGrammarBackend):
    """Compiles constraints for one scheduler. Safe for concurrent use."""

    is_support_token_filter = True

    allocate_vocab_mask = staticmethod(allocate_mask)
    move_vocab_mask = staticmethod(move_mask)
    apply_vocab_mask = staticmethod(apply_mask)

    def __init__(self, tokenizer: Any, vocab_size: int, end_tokens: Sequence[int] | None, whitespace: dict[str, Any]):
        """Reads the tokenizer.

        Args:
            tokenizer: the model's tokenizer.
            vocab_size: the width of the model's logits.
            end_tokens: the ids that end an output; None: the tokenizer's end tokens.
            whitespace: options of the kind json_schema.
        """
        super().__init__()
        self.cache = Latest()
        self._compiling = compiling(tokenizer, vocab_size, end_tokens)
        # An unreadable tokenizer or a wrong setting must fail now and not at the first request.
        settings()
        self._compiling.compiler()
        try_whitespace(self._compiling.grammar, whitespace)
        self._whitespace = whitespace
        self._reserved: frozenset[int] = frozenset()

    def _make(self, name: str, kind: Kind, spec: str, options: dict[str, Any]) -> BaseGrammarObject:
        try:
            grammar = self._compiling.grammar(kind, spec, options)
            return SluiceGrammar(
                grammar.matcher(all_allowed_after_end=True), kind, options, GrammarStats(dispatch_type=name)
            )
        except (SluiceError, TypeError, ValueError) as e:
            logger.error("A constraint is refused: %s", e)
            return InvalidGrammarObject(str(e))

    def dispatch_json(self, key_string: str) -> BaseGrammarObject:
        """Compiles a JSON Schema."""
        return self._make("json", *json_constraint(key_string), self._whitespace)

    def dispatch_regex(self, key_string: str) -> BaseGrammarObject:
        """Compiles a regular expression."""
        return self._make("regex", "regex", key_string, {})

    def dispatch_ebnf(self, key_string: str) -> BaseGrammarObject:
        """Compiles a grammar."""
        return self._make("ebnf", "ebnf", key_string, {})

    def dispatch_structural_tag(self, key_string: str) -> BaseGrammarObject:
        """Compiles a structural tag, of either document."""
        return self._make("structural_tag", "structural_tag", with_arguments(key_string), {})

    def dispatch_fallback(self, key_type: str, key_string: str) -> BaseGrammarObject:
        """Refuses an unknown kind."""
        return InvalidGrammarObject(f"{key_type}: Sluice does not know this kind of constraint")

    def _init_value_dispatch(self, key: tuple[str, str], require_reasoning: bool = False) -> BaseGrammarObject:
        if key[0] == "full_assistant_ebnf":
            # The grammar of a whole turn: the text of a special token means that token.
            return self._make(key[0], "ebnf", key[1], {"special_tokens": "text"})
        return super()._init_value_dispatch(key, require_reasoning)

    def reset(self) -> None:
        """Drops all grammars."""
        super().reset()
        self._compiling.clear()
        forget()

    # ------------------------------------------------------------------------------------------------------- frames

    def reserve_framing_tokens(self, token_ids: Sequence[int]) -> None:
        """Reserves tokens for frames; they never stand in the text within."""
        self._reserved |= set(token_ids)

    def compile_framed_grammar(
        self, grammar: SluiceGrammar, frame: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> BaseGrammarObject | None:
        """Compiles a constraint within a frame.

        Returns None if the frame's tokens could stand in the text within, or if the frame has parts that structural
        tags lack. SGLang's gate for reasoning then serves the request.
        """
        vocabulary = grammar.matcher.grammar.vocabulary
        if not all(vocabulary.is_special(t) for t in self._reserved if t < vocabulary.size):
            return None
        spec = grammar.matcher.grammar.spec
        content: dict[str, Any] | None = None
        if grammar.kind in ("json", "json_schema"):
            schema = json.loads(spec) if grammar.kind == "json_schema" else True
            content = {"type": "json_schema", "json_schema": schema}
        elif grammar.kind == "regex":
            content = {"type": "regex", "pattern": spec}
        elif grammar.kind == "ebnf":
            content = {"type": "grammar", "grammar": spec}
        if content is None:
            return None
        options = {**grammar.options, "special_tokens": "tokens"}
        made = self._make("structural_tag", "structural_tag", json.dumps(frame(content)), options)
        return None if isinstance(made, InvalidGrammarObject) else made

    # ------------------------------------------------------------------------------------------------------- filter

    @staticmethod
    def set_token_filter(
        vocab_mask: torch.Tensor,
        token_ids: Sequence[int],
        batch_idx: int,
        is_allowed: bool = True,
        reset_vocab_mask: bool = True,
    ) -> None:
        """Allows or forbids tokens in a row. With `reset_vocab_mask`, all other tokens get the opposite."""
        row = vocab_mask[batch_idx]
        bits = _bits(tuple(token_ids), row.shape[0]).to(row.device)
        if reset_vocab_mask:
            row.copy_(bits if is_allowed else ~bits)
        elif is_allowed:
            row |= bits
        else:
            row &= ~bits


@lru_cache(maxsize=256)
def _bits(tokens: tuple[int, ...], words: int) -> torch.Tensor:
    """Returns a row in which these tokens are set. It ignores ids for which the model has no logit."""
    row = bytearray(4 * words)
    for token in tokens:
        if 0 <= token < 32 * words:
            row[token // 8] |= 1 << token % 8
    return torch.frombuffer(row, dtype=torch.int32)


def make_backend(server_args: Any, tokenizer: Any, vocab_size: int, eos_token_ids: Any) -> BaseGrammarBackend:
    """Returns a backend, behind SGLang's gate for reasoning if the model has a parser and its tokenizer the tokens.

    SGLang makes this gate only for its own backends.
    """
    try:
        from sglang.srt.runtime_context import get_serving

        options = get_serving()
    except ImportError:
        options = server_args
    # SGLang ends a request at the tokenizer's end token too.
    end = known_ends(tokenizer, vocab_size, eos_token_ids, logger)
    backend = SluiceBackend(tokenizer, vocab_size, end, whitespace(options))
    parser = getattr(options, "reasoning_parser", None)
    return _behind_reasoning(backend, parser, tokenizer, options) if parser else backend


def _behind_reasoning(backend: SluiceBackend, name: str, tokenizer: Any, options: Any) -> BaseGrammarBackend:
    from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarBackend
    from sglang.srt.parser.reasoning_parser import ReasoningParser

    class Gate(ReasonerGrammarBackend):
        """SGLang's gate. It keeps only the latest grammars, and its `reset` also resets the backend behind it."""

        def __init__(self, *args: Any, **kwargs: Any):
            super().__init__(*args, **kwargs)
            self.cache = Latest()

        def reset(self) -> None:
            super().reset()
            self.grammar_backend.reset()

    parser = ReasoningParser(model_type=name, stream_reasoning=False, tokenizer=tokenizer)
    if not parser.detector.get_think_end_token_ids(tokenizer):
        return backend  # SGLang does the same, and logs it
    strict = bool(getattr(options, "enable_strict_thinking", False))
    return Gate(backend, parser, tokenizer, enable_strict_thinking=strict)
