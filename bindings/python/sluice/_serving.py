"""Shared serving code of the plugins: a compiler for each tokenizer, and the rows of requests, which it always writes.

The module imports nothing from any engine.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ._abi import Kind
from ._batch import Batch
from ._compiler import Compiler
from ._errors import SluiceError, UnsupportedError
from ._grammar import Grammar, Matcher
from ._settings import settings
from ._vocabulary import Vocabulary

logger = logging.getLogger("sluice")

# The most constraints that the dictionaries of engines keep.
KEPT = 256


class Compiling:
    """Compiles for one tokenizer and width of logits; its compiler caches grammars. Safe for concurrent use.

    The first constraint reads the tokenizer and makes the compiler.
    """

    def __init__(
        self,
        tokenizer: Any,
        vocab_size: int,
        end_tokens: Sequence[int] | None = None,
        requests_end: bool = False,
        keep_tokenizer: bool = False,
    ):
        """Takes a tokenizer object, the width of the logits, and the ids that end an output (None: the tokenizer's).

        requests_end: requests bring their own end tokens, so the tokenizer may have none.
        keep_tokenizer: matchers propose drafts if Sluice can cut text as the tokenizer does; if not, the log says why.
        """
        self._tokenizer, self._size, self._end_tokens = tokenizer, vocab_size, end_tokens
        self._requests_end, self._keep_tokenizer = requests_end, keep_tokenizer
        self._compiler: Compiler | None = None
        self._failed: Exception | None = None  # why the tokenizer cannot be read
        self.renew()
        _made.add(self)

    def renew(self) -> None:
        """Replaces the lock. In the child of a fork, a thread of the parent may have held it."""
        self._making = threading.Lock()

    def serves(
        self,
        tokenizer: Any,
        vocab_size: int,
        end_tokens: Sequence[int] | None,
        requests_end: bool,
        keep_tokenizer: bool,
    ) -> bool:
        """Returns whether it was made from these arguments."""
        own = self._size, self._end_tokens, self._requests_end, self._keep_tokenizer
        return tokenizer is self._tokenizer and (vocab_size, end_tokens, requests_end, keep_tokenizer) == own

    def compiler(self) -> Compiler:
        """Returns the compiler. The first call reads the tokenizer, which takes some tenths of a second.

        A tokenizer that cannot be read is tried and logged once; every call raises the same error.
        """
        with self._making:
            if self._failed is not None:
                raise self._failed.with_traceback(None)
            if self._compiler is None:
                try:
                    vocabulary = self._read()
                except Exception as e:
                    self._failed = e
                    logger.error("Every constraint will fail, because the tokenizer cannot be read: %s", e)
                    raise
                self._compiler = Compiler(vocabulary, **settings().compiler)
            return self._compiler

    def _read(self) -> Vocabulary:
        try:
            return self._vocabulary(self._end_tokens)
        except ValueError:
            if self._end_tokens is not None or not self._requests_end:
                raise
            return self._vocabulary(())

    def _vocabulary(self, end_tokens: Sequence[int] | None) -> Vocabulary:
        if self._keep_tokenizer:
            try:
                return _vocabulary(self._tokenizer, self._size, end_tokens, True)
            except UnsupportedError as e:
                logger.warning("Grammars propose no drafts, because of this tokenizer: %s", e)
        return _vocabulary(self._tokenizer, self._size, end_tokens)

    def grammar(self, kind: Kind, spec: str, options: dict[str, Any]) -> Grammar:
        """Compiles a constraint with its own options and the operator's.

        Raises:
            SluiceError: the constraint cannot be enforced; the message is for its author.
        """
        with for_clients():
            return self.compiler().compile(kind, spec, **settings().of(kind, options))

    def clear(self) -> None:
        """Drops the cached grammars. Grammars in use stay usable."""
        if self._compiler is not None:
            self._compiler.clear_cache()


@contextlib.contextmanager
def for_clients() -> Iterator[None]:
    """Removes advice about options from errors raised within, because clients of an engine cannot set options."""
    try:
        yield
    except SluiceError as e:
        e.message, e.advice = e.message.removesuffix(e.advice), ""
        e.args = (e.message,)
        raise


def _vocabulary(
    tokenizer: Any, size: int, end_tokens: Sequence[int] | None, keep_tokenizer: bool = False
) -> Vocabulary:
    return Vocabulary.from_huggingface(
        tokenizer, end_tokens=end_tokens, padded_size=size, keep_tokenizer=keep_tokenizer
    )


_made: weakref.WeakSet[Compiling] = weakref.WeakSet()
_all: list[Compiling] = []
_all_lock = threading.Lock()


def _renew() -> None:
    global _all_lock
    _all_lock = threading.Lock()
    for made in list(_made):
        made.renew()


os.register_at_fork(after_in_child=_renew)


def compiling(
    tokenizer: Any,
    vocab_size: int,
    end_tokens: Sequence[int] | None = None,
    requests_end: bool = False,
    keep_tokenizer: bool = False,
) -> Compiling:
    """Returns the process's Compiling for a tokenizer object. Engines have few tokenizers and keep them."""
    asked = tokenizer, vocab_size, end_tokens, requests_end, keep_tokenizer
    with _all_lock:
        for made in _all:
            if made.serves(*asked):
                return made
        made = Compiling(*asked)
        _all.append(made)
        del _all[:-8]
        return made


def known_ends(
    tokenizer: Any, vocab_size: int, ids: Iterable[int] | None, logger: logging.Logger
) -> tuple[int, ...] | None:
    """Returns the end tokens of an engine and of its tokenizer, or None if there are none.

    It leaves out ids that are not tokens. A model's configuration may name an id in the padding of its logits.
    """
    own: int | None = getattr(tokenizer, "eos_token_id", None)
    ends = {*(ids or ()), *(() if own is None else (own,))}
    name = getattr(tokenizer, "convert_ids_to_tokens", None)

    def known(token: int) -> bool:
        if not 0 <= token < vocab_size:
            return False
        try:
            return name is None or name(token) is not None
        except Exception:  # tokenizers written in Python raise various types
            return False

    found = tuple(sorted(t for t in ends if known(t)))
    if len(found) < len(ends):
        logger.warning("Ignoring end ids that are not tokens of the model: %s", sorted(ends - set(found)))
    return found or None


# Grammars whose compilation took more steps (20 ms) are not explained in a step of an engine: the first explanation
# takes as long, and the batch waits.
EXPLAINED_WORK = 640_000


class Rows:
    """The rows of one request, for the grammar objects of engines.

    Invariant: nothing here raises at a step. If a row cannot be computed, the row allows only stop tokens, which the
    matcher then refuses. So that request ends with an error, and other requests are not affected.
    """

    matcher: Matcher
    stop: frozenset[int]  # the tokens that end the request
    drafting: Batch | None = None  # a batch of this matcher only, made at its first drafts
    gave_up: SluiceError | None = None  # the error of the last row that could not be computed
    limited = False  # `limit` was called
    logger: logging.Logger

    def fill(self, masks: Any, row: int) -> None:
        """Writes the set of tokens allowed next."""
        try:
            self.matcher.fill(masks, row)
        except SluiceError as e:
            self.give_up(masks, row, e)

    def fill_drafts(self, drafts: Sequence[int], masks: Any, row: int) -> int:
        """Writes the mask for the next token and after each draft, from `row` on. Returns the number of valid rows.

        Returns 0 if a row cannot be computed. The engine gets the error when it requests that row.
        """
        if self.drafting is None:
            self.drafting = Batch([self.matcher])
        try:
            return self.drafting.fill_chains([drafts], masks, [row])[0] + 1
        except SluiceError:
            return 0

    def limit(self, left: int) -> None:
        """Limits the output to `left` more tokens. Only the first call counts.

        If no output is that short, or none is found, the log says so and the request goes on without a limit.
        """
        if self.limited:
            return
        self.limited = True
        try:
            self.matcher.set_max_tokens(max(left, 1))
        except SluiceError as e:
            self.logger.warning("An output may be cut at its limit of tokens: %s", e)

    def is_terminated(self) -> bool:
        """Has it ended?"""
        return self.matcher.terminated

    def foresee(self, drafts: Sequence[int]) -> None:
        """Takes the drafts of this step that are allowed, one after the other, until `catch_up`."""

    def catch_up(self) -> None:
        """Ends the step."""

    def give_up(self, masks: Any, row: int, why: SluiceError) -> None:
        """Writes a row that allows only the stop tokens, because the right row cannot be computed."""
        self.logger.error("A request is ended, because its next mask cannot be computed: %s", why)
        self.gave_up = why
        words = masks[row]
        words[:] = 0
        for token in self.stop:
            bit = 1 << token % 32
            words[token // 32] |= bit - (bit >> 31 << 32)

    def refused(self, token: int) -> str:
        """Returns the sentence that says why the matcher does not allow the token.

        If this request was ended by `give_up`, that is the reason: only this message tells the engine's user so.
        """
        if self.gave_up is not None and token in self.stop:
            return (
                f"token {token} is not allowed: the request was ended, because its next mask cannot be computed: "
                f"{self.gave_up}"
            )
        try:
            if self.matcher.grammar.stats.compile_work <= EXPLAINED_WORK:
                return self.matcher.explain(token).sentence
        except SluiceError:  # a token of no vocabulary, or too much work
            pass
        return f"token {token} is not allowed"


class Steps(Rows):
    """One request that moves token by token, for engines to which a refusal is a ValueError."""

    kind: str  # of its constraint

    def begin(self, matcher: Matcher, kind: str) -> None:
        """Takes a matcher that has accepted nothing. The matcher must ignore tokens after its end."""
        self.matcher, self.kind = matcher, kind
        self.stop = frozenset(matcher.grammar.vocabulary.end_tokens)
        self._steps = 0
        self._ended: int | None = None  # the number of steps at its end

    def go_on(self, other: Steps) -> None:
        """Becomes a copy of another request."""
        self.begin(other.matcher.fork(), other.kind)
        self._steps, self._ended = other._steps, other._ended

    def step(self, token: int) -> None:
        """Accepts a token. Raises ValueError, and moves nothing, if it is not allowed."""
        try:
            allowed = self.matcher.accept(token)
        except SluiceError as e:
            raise ValueError(f"{self.kind}: after {self._steps} tokens: {e}") from e
        if not allowed:
            raise ValueError(f"{self.kind}: after {self._steps} tokens: {self.refused(token)}")
        self._steps += 1
        if token in self.stop and self._ended is None and self.matcher.terminated:
            self._ended = self._steps

    def back(self, k: int) -> None:
        """Takes back the last tokens, tokens after the end included."""
        self.matcher.rollback(k)
        self._steps -= k
        if self._ended is not None and self._steps < self._ended:
            self._ended = None

    def is_terminated(self) -> bool:
        """Returns whether the output has ended."""
        return self._ended is not None


class Latest(OrderedDict[Any, Any]):
    """A dictionary for an engine's compiled constraints, by their text. It keeps only the most recently used."""

    def get(self, key: Any, default: Any = None) -> Any:
        """Returns an entry and makes it the most recently used."""
        if key in self:
            self.move_to_end(key)
        return super().get(key, default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        while len(self) > KEPT:
            self.popitem(last=False)


class _Kept(threading.local):
    """The batch of this thread's last step. Most requests of a step were in the step before.

    It keeps their matchers until the next step with constrained requests; engines do not say whether there will be one.
    """

    batch: Batch | None = None

    def of(self, matchers: Sequence[Matcher]) -> Batch:
        """Returns a batch with these matchers in this order."""
        batch, first = self.batch, matchers[0]
        # Another engine of this process may have rows of another width, and a forked child has a library of its own.
        same = batch is not None and (batch._library, batch._words) == (first._library, first.grammar.vocabulary.words)
        if batch is None or not same or len(batch) != len(matchers):
            self.batch = batch = Batch(matchers)
            return batch
        for place, (old, new) in enumerate(zip(batch._matchers, matchers)):
            if old is not new:
                batch[place] = new
        return batch


_kept = _Kept()


def forget() -> None:
    """Frees the requests of this thread's last step, which may have ended."""
    _kept.batch = None


class Late:
    """The rows of a step without drafts. It collects the rows that the engine requests and fills them in one call."""

    def __init__(self) -> None:
        self._entries: list[tuple[Rows, int]] = []

    def takes(self, masks: Any, grammar: Any, row: int, constrained: bool) -> bool:
        """Returns whether `finish` will write a row, so that the engine, on any thread, leaves it alone."""
        if not constrained or grammar.is_terminated():
            return False
        self._entries.append((grammar, row))
        return True

    def finish(self, masks: Any) -> None:
        """Writes the collected rows."""
        if self._entries:
            fill_rows(self._entries, masks)

    def end(self) -> None:
        """Does nothing: no state is left, even if the engine has failed."""


class Chains:
    """The rows of a step with drafts, for engines that request one row after the other and move in between.

    One call fills all rows when the engine requests the first.
    """

    def __init__(self, requests: Iterable[tuple[Rows, Sequence[int], bool]], stride: int):
        """Takes each request's grammar and drafts, and whether it is probably constrained from its first row on.

        Args:
            requests: in the order of their rows.
            stride: how many rows the engine is believed to have for each. One that has its rows elsewhere gets them
                request by request.
        """
        self._drafts: dict[int, Sequence[int]] = {}
        self._ahead: list[tuple[Rows, Sequence[int], int]] = []  # not yet found
        self._told: list[Rows] = []  # the allowed drafts of each
        self._found: dict[int, range] = {}
        self._rows: dict[int, range] = {}  # of requests that have been asked for: those that are written
        for place, (grammar, drafts, constrained) in enumerate(requests):
            self._drafts[id(grammar)] = drafts
            if constrained and len(drafts) < stride and not grammar.is_terminated():
                self._ahead.append((grammar, drafts, place * stride))

    def takes(self, masks: Any, grammar: Any, row: int, constrained: bool) -> bool:
        """Returns whether a row is written.

        For a request that is constrained from its first row on, these are the rows up to the first refused draft. The
        engine handles all others.
        """
        rows = self._rows.get(id(grammar))
        if rows is None:
            rows = self._rows[id(grammar)] = self._first(masks, grammar, row, constrained)
        return constrained and row in rows and not grammar.is_terminated()

    def finish(self, masks: Any) -> None:
        """Does nothing: all rows are written."""

    def end(self) -> None:
        """Ends the step: from now on the engine's calls move the matchers."""
        for grammar in self._told:
            grammar.catch_up()

    def _first(self, masks: Any, grammar: Any, row: int, constrained: bool) -> range:
        if self._ahead:  # before the engine has written any
            ahead, self._ahead = self._ahead, []
            self._found = _fill_ahead(ahead, masks)
            for other, drafts, _ in ahead:
                if rows := self._found.get(id(other)):
                    self._told.append(other)
                    other.foresee(list(drafts)[: len(rows) - 1])
        own = self._drafts.get(id(grammar))
        if own is None or not constrained or grammar.is_terminated():
            return range(row, row)
        found = self._found.get(id(grammar))
        if found is not None and found.start == row:
            return found
        if found is not None:
            self._found = {}  # the rows of this engine are elsewhere
        return range(row, row + grammar.fill_drafts(own, masks, row))


def _fill_ahead(ahead: Sequence[tuple[Rows, Sequence[int], int]], masks: Any) -> dict[int, range]:
    """Returns the rows that were written for each request, or nothing if a call failed.

    The engine gets the error when it requests the rows one by one.
    """
    try:
        batch = _kept.of([grammar.matcher for grammar, _, _ in ahead])
        allowed = batch.fill_chains([drafts for _, drafts, _ in ahead], masks, [row for _, _, row in ahead])
    except (SluiceError, TypeError, ValueError):
        return {}
    return {id(grammar): range(row, row + n + 1) for (grammar, _, row), n in zip(ahead, allowed)}


def fill_rows(entries: Sequence[tuple[Rows, int]], masks: Any) -> None:
    """Fills rows of several requests, each at most once, in one call on several threads."""
    rows: list[int] | None = [row for _, row in entries]
    if rows == list(range(len(entries))):
        rows = None
    try:
        _kept.of([grammar.matcher for grammar, _ in entries]).fill(masks, rows)
    except SluiceError as e:
        if e.statuses is None:  # the call as a whole: row by row it is said which
            for grammar, row in entries:
                grammar.fill(masks, row)
            return
        for (grammar, row), status in zip(entries, e.statuses):
            if status:  # the exception belongs to the first; each has a status of its own
                grammar.fill(masks, row)
