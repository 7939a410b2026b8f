"""The backend of an sglang-jax scheduler, and one object for each request. They use numpy arrays only.

A scheduler that uses Sluice imports this module. It allows for these habits of sglang-jax:

- It passes on rows that no request fills as they were allocated.
- It hands one object, cached or still compiling, to every request with an equal constraint.
- An exception of a compilation ends the scheduler.
- An aborted request cancels its grammar, in any state of it.
- It may still read an array when the array of the next step is made.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np
from sgl_jax.srt.constrained import base_grammar_backend as base

from ._abi import Kind
from ._calls import with_arguments
from ._errors import SluiceError
from ._grammar import Matcher
from ._serving import Latest, Steps, compiling, known_ends
from ._settings import settings
from .sglang._asked import json_constraint, try_whitespace, whitespace

logger = logging.getLogger("sgl_jax.sluice")


class SluiceGrammar(Steps, base.BaseGrammarObject):
    """One request. For one thread at a time."""

    logger = logger

    def __init__(self, matcher: Matcher, kind: str):
        """Takes a matcher that has accepted nothing. The matcher must ignore tokens after its end."""
        super().__init__()
        self.begin(matcher, kind)

    def accept_token(self, token: int) -> None:
        """Accepts a token. Raises ValueError, and moves nothing, if it is not allowed."""
        self.step(int(token))

    def allocate_vocab_mask(self, vocab_size: int, batch_size: int) -> np.ndarray[Any, Any]:
        """Returns new rows that allow everything."""
        return np.full((batch_size, (vocab_size + 31) // 32), -1, dtype=np.int32)

    def fill_vocab_mask(self, vocab_mask: np.ndarray[Any, Any], idx: int) -> None:
        """Writes the set of tokens allowed next."""
        self.fill(vocab_mask, idx)

    def copy(self) -> SluiceGrammar:
        """Returns another request at the same place."""
        twin = SluiceGrammar.__new__(SluiceGrammar)
        base.BaseGrammarObject.__init__(twin)
        twin.go_on(self)
        return twin

    def cancel(self) -> bool:
        """Returns False: a compiled grammar cannot be cancelled."""
        return False


class SluiceBackend(base.BaseGrammarBackend):
    """Compiles constraints for one scheduler. Safe for concurrent use."""

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
        # The scheduler copies a cached object before it checks whether it is valid.
        base.INVALID_GRAMMAR_OBJ.copy = lambda: base.INVALID_GRAMMAR_OBJ

    def get_cached_or_future_value(self, key: tuple[str, str]) -> tuple[Any, bool]:
        """Returns a new object for the request, or its Future."""
        kept = self.cache.get(key)
        if kept is not None:
            return kept.copy(), True
        return self.executor.submit(self._dispatch, *key), False

    def _dispatch(self, key_type: str, key_string: str) -> Any:
        try:
            kind, spec, options = self._asked(key_type, key_string)
            return SluiceGrammar(self._compiling.grammar(kind, spec, options).matcher(), kind)
        except (SluiceError, TypeError, ValueError) as e:
            logger.error("A constraint is refused: %s", e)
            return base.INVALID_GRAMMAR_OBJ

    def _asked(self, kind: str, text: str) -> tuple[Kind, str, dict[str, Any]]:
        if kind == "json":
            return (*json_constraint(text), self._whitespace)
        if kind == "structural_tag":
            return "structural_tag", with_arguments(text), {}
        if kind == "regex":
            return "regex", text, {}
        if kind == "ebnf":
            return "ebnf", text, {}
        raise ValueError(f"{kind}: Sluice does not know this kind of constraint")

    def reset(self) -> None:
        """Drops all grammars."""
        super().reset()
        self._compiling.clear()


def make_backend(server_args: Any, tokenizer: Any, vocab_size: int, eos_token_ids: Any) -> SluiceBackend:
    """Returns a scheduler's backend."""
    end = known_ends(tokenizer, vocab_size, eos_token_ids, logger)
    return SluiceBackend(tokenizer, vocab_size, end, whitespace(server_args))
