"""The objects that vLLM's engine holds: a backend for each engine and a grammar for each request.

They implement vLLM's abstract classes. The plugin imports this module when the first constraint reaches an engine that
uses Sluice.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import torch
from vllm.v1.structured_output.backend_types import StructuredOutputBackend, StructuredOutputGrammar

from .._errors import SluiceError
from .._grammar import Matcher
from .._serving import Rows
from .._settings import settings
from . import _compiling

logger = logging.getLogger("vllm.sluice")

DRAFTS = "sluice.vllm.Drafts"  # the speculative model of an engine whose grammars propose drafts


class SluiceBackend(StructuredOutputBackend):
    """Compiles constraints for one engine. Safe for concurrent use."""

    def __init__(self, vllm_config: Any, tokenizer: Any, vocab_size: int):
        """Makes a backend. The first compilation reads the tokenizer.

        Raises:
            ValueError: an environment variable has a wrong value.
        """
        self.limiting = settings().max_tokens
        self.vllm_config, self.tokenizer, self.vocab_size = vllm_config, tokenizer, vocab_size
        self._config = vllm_config.structured_outputs_config
        # Whether grammars propose the drafts of this engine.
        self.drafting = getattr(vllm_config.speculative_config, "model", None) == DRAFTS

    def compile_grammar(
        self, request_type: Any, grammar_spec: str, stop_token_ids: set[int] | None = None
    ) -> SluiceGrammar:
        """Compiles the constraint of a request.

        Raises:
            SluiceError: the constraint is wrong; the message is for its author.
            ValueError: no token ends the request.
        """
        grammar = _compiling.grammar(
            self.tokenizer, self.vocab_size, request_type.name, grammar_spec, self._config, self.drafting
        )
        # A request may name any number. Ids that are not tokens of the model are never generated.
        stop = sorted({t for t in stop_token_ids or () if 0 <= t < self.vocab_size})
        if not stop and not grammar.vocabulary.end_tokens:
            raise ValueError("no token ends this request: it names none, and neither does the tokenizer")
        return SluiceGrammar(
            grammar.matcher(stop_tokens=stop or None, reject_after_end=True), stop or grammar.vocabulary.end_tokens
        )

    def allocate_token_bitmask(self, max_num_seqs: int) -> torch.Tensor:
        """Returns rows that allow everything."""
        return torch.full((max_num_seqs, (self.vocab_size + 31) // 32), -1, dtype=torch.int32)

    def destroy(self) -> None:
        """Keeps the compiler and its grammars for other engines of this process with the same tokenizer."""


class SluiceGrammar(Rows, StructuredOutputGrammar):
    """One request with its constraint. For one thread at a time."""

    logger = logger

    def __init__(self, matcher: Matcher, stop_tokens: Sequence[int]):
        """Takes a matcher at the start of its grammar. The matcher must reject tokens after the end."""
        self.matcher = matcher
        self.stop = frozenset(stop_tokens)
        self._steps = 0  # tokens that the matcher has accepted
        self._ignored = 0  # tokens after the end; vLLM counts them when it rolls back
        self._ended = False
        self._foreseen: Sequence[int] = ()  # drafts of this step that are known to be allowed
        self._passed = 0  # how many of them vLLM has accepted while the matcher has not moved

    def foresee(self, drafts: Sequence[int]) -> None:
        """Remembers drafts that are allowed, one after the other.

        vLLM accepts them and rolls back while it requests their rows. Until `catch_up`, this object answers those calls
        and the matcher does not move.
        """
        self._foreseen = drafts

    def catch_up(self) -> None:
        """Moves the matcher over the drafts that vLLM has accepted."""
        passed, self._foreseen, self._passed = self._foreseen[: self._passed], (), 0
        for token in passed:
            self.matcher.accept(token)
        self._steps += len(passed)

    def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:
        """Accepts tokens and ignores tokens after the end. Returns False, and moves nothing, if one is not allowed."""
        if self._foreseen:
            rest = self._foreseen[self._passed : self._passed + 1]
            if rest and rest == tokens and tokens[0] not in self.stop:
                self._passed += 1
                return True
            self.catch_up()
        if self._ended:
            self._ignored += len(tokens)
            return True
        if not tokens:
            return True
        try:
            # PERF: nearly every step has one token, which accept takes in half the time.
            n = int(self.matcher.accept(tokens[0])) if len(tokens) == 1 else self.matcher.accept_tokens(tokens)
        except SluiceError as e:
            logger.error("Request %s: %s", request_id, e)
            self.matcher.rollback(self.matcher.length - self._steps)
            return False
        if n == len(tokens):
            self._steps += n
            # Only the last token can have ended the output, because the matcher rejects tokens after the end.
            self._ended = tokens[-1] in self.stop and self.matcher.terminated
            return True
        if n and tokens[n - 1] in self.stop and self.matcher.terminated:
            self._steps += n
            self._ignored, self._ended = len(tokens) - n, True
            return True
        why = self.refused(tokens[n])  # after the tokens before it
        self.matcher.rollback(n)
        logger.error("Request %s: %s", request_id, why)
        return False

    def validate_tokens(self, tokens: list[int]) -> list[int]:
        """Returns the tokens that would be accepted, up to the end, without moving."""
        if self._foreseen:
            self.catch_up()
        if self._ended:
            return []
        try:
            return tokens[: self.matcher.validate(tokens)]
        except SluiceError as e:
            logger.error("Draft tokens cannot be validated and are dropped: %s", e)
            return []

    def drafts(self, k: int) -> list[int]:
        """Returns up to k tokens that are likely to come next and allowed, without moving."""
        if self._foreseen:
            self.catch_up()
        if self._ended or not self.matcher.grammar.vocabulary.has_tokenizer:
            return []
        try:
            return self.matcher.drafts(k)
        except SluiceError as e:
            logger.error("There are no drafts: %s", e)
            return []

    def rollback(self, num_tokens: int) -> None:
        """Takes back the last tokens, ignored tokens included."""
        passed = min(num_tokens, self._passed)
        self._passed -= passed
        num_tokens -= passed
        ignored = min(num_tokens, self._ignored)
        self._ignored -= ignored
        if steps := num_tokens - ignored:
            self.matcher.rollback(steps)
            self._steps -= steps
            self._ended = False

    def fill_bitmask(self, bitmask: torch.Tensor, batch_index: int) -> None:
        """Writes the set of tokens allowed next."""
        if self._foreseen:
            self.catch_up()
        self.fill(bitmask, batch_index)

    def is_terminated(self) -> bool:
        """Returns whether the output has ended."""
        return self._ended

    def reset(self) -> None:
        """Goes back to the start."""
        self._foreseen, self._passed = (), 0
        self.matcher.reset()
        self._steps = self._ignored = 0
        self._ended = False
