"""Batch: all sequences of a step, served in one call.

A batch is kept from step to step: it has a place for each row of the masks, and a matcher or nobody in each place.

Invariant: a batch returns the results of single calls. Start reading at Batch._call. A call first does the cached work
and keeps the GIL, which takes less than a microsecond a sequence. It does new work without the GIL, on several threads,
in slices between which handlers of signals run.
"""

from __future__ import annotations

import array
import copy
import ctypes
import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import _abi, _library, _rows, _stops
from ._ending import token_limit
from ._errors import ForkedError, SluiceError
from ._grammar import Matcher
from ._ids import token_ids

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._typing import Memory, Nodes, Tensor

_NOWHERE = object()  # no caller's masks are this object
_UNWRITTEN = -1  # a status that no call writes
_UNFINISHED, _REJECTED = _abi.UNFINISHED, _abi.REJECTED
_ANSWERS = frozenset((_abi.OK, _REJECTED, _UNFINISHED))  # statuses that are no failure
_MOST = 1 << 20  # places; sluice/batch.h
_ENDED = _abi.STATE_COMPLETED | _abi.STATE_TERMINATED
_STOPPED = _ENDED | _abi.STATE_STOPPED


class Batch:
    """Holds the matchers of a step and serves all in one call. Place i is row i of the masks. One thread at a time.

    A scheduler's loop:

        batch = sluice.Batch(64)
        masks = sluice.allocate_bitmask(64, vocabulary)
        batch[3] = grammar.matcher()       # a request begins; its row is 3
        while running:
            batch.fill(masks)              # rows of places without a matcher stay as they are
            refused = batch.accept(tokens) # tokens[i] was sampled in row i
            for row in batch.ended():
                batch[row] = None

    If a place fails, its matcher and its row stay as they were, and the call serves the other places. Then it raises
    the error of the first failed place; its `statuses` has one for each place.
    """

    __slots__ = (
        "__weakref__",
        "_batch",
        "_constrained",
        "_counts",
        "_done",
        "_error",
        "_handles",
        "_keep",
        "_library",
        "_masks",
        "_matchers",
        "_n",
        "_pin",
        "_reference",
        "_row_keys",
        "_rows",
        "_shape",
        "_states",
        "_statuses",
        "_stops",
        "_temperatures",
        "_unchanged",
        "_why",
        "_words",
    )

    def __init__(self, matchers: int | Iterable[Matcher | None], *, threads: int = 0, keep_rows: bool = False) -> None:
        """Makes a batch with that many empty places, or with these matchers.

        Args:
            matchers: the number of places, at most 1,048,576, or the content of each.
            threads: the most threads to use; 0: as many as the process may use.
            keep_rows: `fill` leaves a row as it is if it holds the new mask of its place already, and `unchanged` tells
                so. Nobody else writes these rows between fills; who does calls `forget_rows`.
        """
        if isinstance(matchers, int) and not 0 <= matchers <= _MOST:
            raise ValueError(f"a batch of {matchers} places: it has at most {_MOST}")
        if not 0 <= threads < 1 << 32:
            raise ValueError(f"a batch for {threads} threads")
        given: list[Matcher | None] = [None] * matchers if isinstance(matchers, int) else list(matchers)
        n = self._n = len(given)
        if n > _MOST:
            raise ValueError(f"a batch of {n} places: it has at most {_MOST}")
        self._matchers: list[Matcher | None] = given
        live = [m for m in given if m is not None]
        self._check(live)
        self._library: _library.Library | None = live[0]._library if live else None
        self._words = self._needed()  # or more, once a matcher has left
        self._handles = (ctypes.c_uint64 * n)(*[0 if m is None else m._handle for m in given])
        self._statuses, self._counts, self._done = (
            (ctypes.c_int32 * n)(),
            (ctypes.c_uint32 * n)(),
            (ctypes.c_uint32 * n)(),
        )
        self._constrained, self._states = (ctypes.c_uint8 * n)(), (ctypes.c_uint8 * n)()
        self._keep, self._unchanged = keep_rows, (ctypes.c_uint8 * n)()
        self._temperatures: Any = None  # keeps the memory of a call's temperatures alive
        self._stops: Any = None  # four numbers a place (_abi.Stop), once somebody has asked
        self._row_keys: Any = None  # the keys of the rows at the address that the struct has
        self._rows: Any = None
        self._masks: Any = _NOWHERE  # the array whose address the struct has, and its shape then
        self._shape: Any = None
        self._pin: Any = None
        self._error = _abi.Error()
        self._why = ctypes.byref(self._error)
        self._batch = _abi.Batch(
            threads=threads,
            n=n,
            matchers=self._handles,
            statuses=self._statuses,
            constrained=self._constrained,
            done=self._done,
            states=self._states,
            flags=_abi.BATCH_SKIP_ZERO,
            unchanged=self._unchanged,
        )
        self._reference = ctypes.byref(self._batch)

    def _needed(self) -> int:
        """Returns how many words the rows of the matchers need."""
        return max((v.words for v in {m.grammar.vocabulary for m in self._matchers if m is not None}), default=0)

    @staticmethod
    def _check(matchers: Sequence[Any]) -> None:
        for kind in {type(m) for m in matchers}:
            if not issubclass(kind, Matcher):
                raise TypeError(f"a place of a batch has a sluice.Matcher or None, not {kind.__name__}")
        if len({m._library for m in matchers}) > 1:
            raise ForkedError("some of these matchers were made before fork()", code=12)

    # ------------------------------------------------------------------------------------------------------- places

    def __len__(self) -> int:
        return self._n

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, place: int) -> Matcher | None:
        return self._matchers[place]

    def __setitem__(self, place: int, matcher: Matcher | None) -> None:
        if self._stops is not None:
            start = 4 * (place % self._n)
            self._stops[start : start + 4] = (0, 0, 0, 0)
        if matcher is None:
            self._handles[place] = self._states[place] = 0
            self._matchers[place] = None
            return
        if not isinstance(matcher, Matcher) or matcher._library is not self._library:
            self._check([*(m for i, m in enumerate(self._matchers) if m is not None and i != place % self._n), matcher])
            self._library = matcher._library
        # The handle first: a signal's handler may raise at any line, and every reader of the matcher expects its
        # handle.
        self._handles[place], self._states[place] = matcher._handle, 0
        self._matchers[place] = matcher
        words = matcher.grammar.vocabulary.words
        if words > self._words:
            self._words, self._masks = words, _NOWHERE

    def __delitem__(self, place: int) -> None:
        self[place] = None

    # -------------------------------------------------------------------------------------------------------- steps

    def fill(self, masks: Memory, rows: Sequence[int] | None = None, temperatures: Memory | None = None) -> None:
        """Writes for each matcher the set of tokens that may come next. `constrained` then tells which rows forbid any.

        Args:
            masks: [rows, words] of int32 or uint32 in memory of the CPU, as for `Matcher.fill`: numpy, torch, any
                writable buffer. Rows of other places stay as they are. The same numpy array again is the fast way.
                With `keep_rows`, rows that hold their mask already stay as they are too.
            rows: the row of each place; None: place i has row i.
            temperatures: float32 [rows] in memory of the CPU, as numpy, torch or a writable buffer. It gets the
                temperature of each row (`Matcher.temperature`). An element stays, your default for example, if the
                grammar sets no temperature for its row.

        Raises:
            SluiceError: of the first place that failed; all others are filled.
        """
        again = masks is self._masks and rows is None and self._rows is None
        if not again or masks.shape != self._shape:  # type: ignore[union-attr]
            self._aim(masks, rows)
        if self._keep:
            ctypes.memset(self._unchanged, 0, self._n)
        if temperatures is not None or self._temperatures is not None:
            self._heat(temperatures)
        self._call("batch_fill", "batch_fill_long")

    def accept(self, tokens: Iterable[int] | Tensor) -> Sequence[int]:
        """Moves each matcher over the token of its place. Returns the places whose token was not allowed.

        The matchers of these places do not move.

        Args:
            tokens: a token for each place, any sequence or array of integers. Tokens of places without a matcher do
                not count.

        Raises:
            SluiceError: of the first place that failed; all others have moved.
        """
        ids = _one_each(tokens)
        if len(ids) != self._n:
            raise ValueError(f"{len(ids)} tokens for {self._n} places")
        self._batch.ids, self._batch.counts = ids.buffer_info()[0], None
        if not self._call("batch_accept", "batch_accept_long"):
            return ()
        return [i for i, status in enumerate(self._statuses) if status == _REJECTED]

    def accept_tokens(self, tokens: Sequence[Iterable[int] | Tensor | None]) -> list[int]:
        """Moves each matcher over the tokens of its place, in order. Returns the number of accepted tokens per place.

        With None or no tokens, a matcher stays.
        """
        return self._several("batch_accept", "batch_accept_long", tokens)

    def validate(self, tokens: Sequence[Iterable[int] | Tensor | None]) -> list[int]:
        """Returns the result that `accept_tokens` would have, without moving the matchers."""
        return self._several("batch_validate", "batch_validate_long", tokens)

    def accept_bytes(self, texts: Sequence[str | Buffer | None]) -> list[bool]:
        """Moves each matcher over a text, as `Matcher.accept_bytes`; returns for each place whether it was accepted.

        Matchers whose text is not allowed whole do not move. With None, a matcher stays, and its answer is False.
        """
        if len(texts) != self._n:
            raise ValueError(f"{len(texts)} texts for {self._n} places")
        raw = [t.encode() if isinstance(t, str) else None if t is None else bytes(memoryview(t)) for t in texts]
        self._call(
            "batch_accept_bytes",
            "batch_accept_bytes_long",
            (ctypes.c_char_p * self._n)(*raw),
            (ctypes.c_size_t * self._n)(*(len(t or b"") for t in raw)),
        )
        return [d > 0 and h > 0 and t is not None for d, h, t in zip(self._done, self._handles, raw)]

    def set_max_tokens(self, max_tokens: int | Sequence[int | None] | None) -> None:
        """Limits each matcher to as many more tokens, as `Matcher.set_max_tokens`: one number for all, or one each.

        None removes a limit.

        Raises:
            SluiceError: of the first place that failed; it keeps its limit. All others have the new one.
        """
        each = max_tokens if isinstance(max_tokens, Sequence) else [max_tokens] * self._n
        if len(each) != self._n:
            raise ValueError(f"{len(each)} limits for {self._n} places")
        limits = (ctypes.c_uint32 * self._n)(*(0 if n is None else token_limit(n) for n in each))
        if (lib := self._library) is not None:
            self._statuses[0] = _UNWRITTEN
            if status := lib.batch_set_max_tokens(self._reference, limits, self._why):
                self._finish(status, None)

    def set_stop_strings(self, strings: Sequence[Iterable[str | Buffer] | None]) -> None:
        """Makes the output of each place stop at the first of its strings, as `Matcher.set_stop_strings`.

        None and an empty list remove the earlier strings of a place. `stopped` and `held_back` then tell after each
        call.

        Raises:
            SluiceError: of the first place that failed; it keeps its strings. All others have the new ones.
        """
        if len(strings) != self._n:
            raise ValueError(f"{len(strings)} lists of stop strings for {self._n} places")
        each = [_stops.octets(() if s is None else s) for s in strings]
        self._counts[:] = [len(s) for s in each]
        self._batch.counts = self._counts
        if (lib := self._library) is not None:
            self._statuses[0] = _UNWRITTEN
            given = _stops.arrays([s for some in each for s in some])
            if status := lib.batch_set_stop_strings(self._reference, *given, self._why):
                self._finish(status, None)

    def rollback(self, steps: int | Sequence[int]) -> None:
        """Takes back the last steps of each matcher: one number for all, or one for each place."""
        given = [steps] * self._n if isinstance(steps, int) else list(steps)
        if len(given) != self._n or any(not 0 <= s < 1 << 32 for s in given):
            raise ValueError(f"{self._n} places need a number of steps each, 0 or more")
        self._counts[:] = given  # type: ignore[assignment]
        self._batch.counts = self._counts
        if (lib := self._library) is not None:
            self._statuses[0] = _UNWRITTEN
            if status := lib.batch_rollback(self._reference, self._why):
                self._finish(status, None)

    # ------------------------------------------------------------------------------------------------ draft tokens

    def fill_chains(
        self,
        drafts: Sequence[Iterable[int] | Tensor | None],
        masks: Memory,
        rows: Sequence[int] | None = None,
        temperatures: Memory | None = None,
    ) -> list[int]:
        """Writes masks for draft tokens and returns for each place how many drafts are allowed in a row.

        The matchers do not move.

        Each place has len(drafts[i]) + 1 rows: the tokens allowed next, and the tokens allowed after each of its
        drafts. Rows behind the first forbidden draft allow every token: the engine drops the tokens sampled there.

        Args:
            drafts: the draft tokens of each place.
            masks: as for `fill`.
            rows: the first row of each place; None: the rows of all places follow one another.
            temperatures: as for `fill`.
        """
        self._aim(masks, rows)
        self._heat(temperatures)
        return self._several("batch_chains", "batch_chains_long", drafts)

    def fill_trees(
        self,
        next_token: Nodes,
        next_sibling: Nodes,
        tokens: Nodes,
        masks: Memory,
        rows: Sequence[int] | None = None,
        temperatures: Memory | None = None,
    ) -> list[int]:
        """Writes masks for a tree of draft tokens and returns for each place the number of nodes that it can reach.

        The matchers do not move.

        Row k of a place is the tokens allowed after the path to node k; node 0 is the last accepted token. Rows of
        nodes behind a forbidden token allow every token.

        Args:
            next_token: the first child of each node, −1 for none: int64 [places, nodes], as engines pass it (SGLang's
                retrieve_next_token), of numpy or torch, in memory of the CPU.
            next_sibling: the next child of the same parent, alike.
            tokens: the draft at each node, alike; node 0 has none.
            masks: as for `fill`.
            rows: the first row of each place; None: place · nodes.
            temperatures: as for `fill`.
        """
        links = [_rows.links(a) for a in (next_token, next_sibling, tokens)]
        nodes = links[0].words
        if any((t.rows, t.words) != (self._n, nodes) for t in links):
            shapes = ", ".join(f"[{t.rows}, {t.words}]" for t in links)
            raise ValueError(f"a batch of {self._n} places takes three arrays [{self._n}, nodes], these are {shapes}")
        self._aim(masks, rows)
        self._heat(temperatures)
        trees = _abi.Trees(
            nodes=nodes, next_token=links[0].address, next_sibling=links[1].address, tokens=links[2].address
        )
        self._call("batch_trees", "batch_trees_long", ctypes.byref(trees))
        return self._counted()

    def _keys(self, kind: Any) -> Any:
        """Returns the key of each matcher's mask, in an array of `kind`."""
        keys = (kind * self._n)()
        self._call("batch_keys", "batch_keys_long", keys)
        return keys

    # ------------------------------------------------------------------------------------------------------ answers

    @property
    def constrained(self) -> Sequence[bool]:
        """Whether the row of each place forbids any token, as of the last `fill`."""
        return [c != 0 for c in self._constrained]

    @property
    def unchanged(self) -> Sequence[bool]:
        """Whether the row of each place held its mask before the last `fill`, which then did not write it.

        A copy of such a row, on a device for example, is still right. It is False for places that `fill` did not serve
        and without `keep_rows`.
        """
        return [u != 0 for u in self._unchanged]

    def forget_rows(self) -> None:
        """Makes the next `fill` write all rows. Call it after you have written to rows that the batch keeps."""
        if self._row_keys is not None:
            ctypes.memset(self._row_keys, 0, ctypes.sizeof(self._row_keys))

    def ended(self) -> list[int]:
        """Returns the places whose output has ended, as of the last call."""
        states = bytes(self._states)
        if _ENDED not in states and _STOPPED not in states:
            return []
        return [i for i, s in enumerate(states) if s & _abi.STATE_TERMINATED]

    def stopped(self) -> dict[int, _stops.Stop]:
        """Returns the places whose output has stopped at a stop string, as of the last call. `ended` has them too."""
        states = bytes(self._states)
        if _STOPPED not in states:
            return {}
        cells, bit = self._stop_cells(), _abi.STATE_STOPPED
        return {i: _stops.Stop(cells[4 * i], cells[4 * i + 1]) for i, s in enumerate(states) if s & bit}

    @property
    def held_back(self) -> list[int]:
        """How many bytes at the end of each output may still become a stop string, as of the last call."""
        return list(self._stop_cells()[2::4])

    def _stop_cells(self) -> Any:
        """Returns the numbers of an `_abi.Stop` for each place. Calls write them from the first question on."""
        if self._stops is None:
            given = [_abi.Stop() if m is None else m._stop() for m in self._matchers]
            self._stops = (ctypes.c_uint32 * (4 * self._n)).from_buffer_copy(b"".join(map(bytes, given)))
            self._batch.stops = ctypes.addressof(self._stops)
        return self._stops

    def completed(self) -> list[int]:
        """Returns the places whose output may end or has ended, as of the last call."""
        return [i for i, s in enumerate(bytes(self._states)) if s & _abi.STATE_COMPLETED]

    def __copy__(self) -> Batch:
        return Batch(self._matchers, threads=self._batch.threads, keep_rows=self._keep)

    def __deepcopy__(self, memo: Any) -> Batch:
        matchers = [copy.deepcopy(m, memo) for m in self._matchers]
        return Batch(matchers, threads=self._batch.threads, keep_rows=self._keep)

    def __reduce_ex__(self, protocol: Any) -> Any:
        _library.no_pickle(self, "Its matchers do not travel either; make a batch where they are.")

    def __repr__(self) -> str:
        return f"<sluice.Batch of {self._n} places, {sum(m is not None for m in self._matchers)} matchers>"

    # ------------------------------------------------------------------------------------------------------- calls

    def _aim(self, masks: Any, rows: Sequence[int] | None) -> None:
        """Puts the address of masks into the struct, and which rows."""
        block, batch = _rows.block(masks), self._batch
        if block.words < self._words:
            self._words = self._needed()  # by the present matchers
        if block.words < self._words:
            raise ValueError(f"rows of {block.words} words are too short: {self._words} are needed (Vocabulary.words)")
        if rows is not None and len(rows) != self._n:
            raise ValueError(f"{self._n} places and {len(rows)} rows")
        numbers = None if rows is None else (ctypes.c_int32 * self._n)(*_row_numbers(rows))
        before = (batch.masks, batch.n_rows, batch.row_words, batch.words)
        batch.masks, batch.n_rows = block.address, block.rows
        batch.row_words, batch.words = block.stride, block.words
        if self._keep and before != (block.address, block.rows, block.stride, block.words):
            keys = self._row_keys = (ctypes.c_uint64 * (2 * block.rows))()
            batch.row_keys = ctypes.addressof(keys)
        self._rows = batch.rows = numbers
        # A tensor may get other memory while it stays the same object, and another buffer's pin is of this call alone.
        kept = block.pin is masks and not hasattr(masks, "data_ptr")
        self._masks, self._shape = (masks, masks.shape) if kept else (_NOWHERE, None)
        self._pin = block.pin

    def _heat(self, temperatures: Any) -> None:
        """Puts the address of temperatures into the struct."""
        self._temperatures, self._batch.temperatures = None, None
        if temperatures is None:
            return
        column = _rows.floats(temperatures)
        if column.rows < self._batch.n_rows:
            raise ValueError(f"{column.rows} temperatures for {self._batch.n_rows} rows")
        self._batch.temperatures, self._temperatures = column.address, column.pin

    def _several(self, short: str, long: str, tokens: Sequence[Iterable[int] | Tensor | None]) -> list[int]:
        """Makes a call with the tokens of each place; returns how many of them were taken."""
        if len(tokens) != self._n:
            raise ValueError(f"tokens of {len(tokens)} places for {self._n}")
        ids = array.array("i")
        for place, some in enumerate(tokens):
            before = len(ids)
            if some is not None:
                ids += token_ids(some)
            self._counts[place] = len(ids) - before
        self._batch.ids, self._batch.counts = ids.buffer_info()[0], self._counts
        self._call(short, long)
        return self._counted()

    def _counted(self) -> list[int]:
        return [done if handle else 0 for done, handle in zip(self._done, self._handles)]

    def _call(self, short: str, long: str, *arguments: Any) -> int:
        """Makes a call: first keeping the GIL, for cached work. Returns OK or REJECTED."""
        lib = self._library
        if lib is None:
            return _abi.OK  # nobody has ever been here
        self._statuses[0] = _UNWRITTEN
        status = getattr(lib, short)(self._reference, *arguments, _abi.AT_ONCE, self._why)
        return self._finish(status, getattr(lib, long), *arguments) if status else status

    def _finish(self, status: int, long: Any, *arguments: Any) -> int:
        """Does the rest of a call without the GIL, and raises if a place has failed. It does not repeat finished
        places: beside other threads they might never all be cached at once."""
        statuses, batch = self._statuses, self._batch
        if statuses[0] == _UNWRITTEN:  # the call as a whole was refused
            raise _library.failure(status, self._error)
        first = self._failed(status, None)
        if _UNFINISHED in statuses:
            patience = _library.patience()
            batch.flags = _abi.BATCH_SKIP_ZERO | _abi.BATCH_GO_ON
            try:
                while _UNFINISHED in statuses:
                    first = self._failed(long(self._reference, *arguments, patience, self._why), first)
            finally:
                batch.flags = _abi.BATCH_SKIP_ZERO
        if first is not None:
            first[1].statuses = tuple(statuses)
            raise first[1]
        return _REJECTED if _REJECTED in statuses else _abi.OK

    def _failed(
        self, status: int, before: tuple[int, SluiceError, frozenset[int]] | None
    ) -> tuple[int, SluiceError, frozenset[int]] | None:
        """Returns the first place that has failed so far, why, and all that have. A call tells why of the first that it
        has served."""
        if status in _ANSWERS:
            return before
        known = before[2] if before else frozenset()
        failed = frozenset(i for i, s in enumerate(self._statuses) if s not in _ANSWERS)
        place = min(failed - known)
        if before is not None and before[0] < place:
            return (before[0], before[1], failed)
        return (place, _library.failure(status, self._error), failed)


def _row_numbers(rows: Iterable[int]) -> array.array[int]:
    try:
        return array.array("i", [operator.index(row) for row in rows])
    except OverflowError:
        raise IndexError(f"rows {list(rows)} are not all of them numbers of rows") from None


def _one_each(tokens: Any) -> array.array[int]:
    """Returns a token for each place."""
    if hasattr(tokens, "tolist"):  # arrays of numpy and torch
        tokens = tokens.tolist()
    return token_ids(tokens)


def fill_batch(
    matchers: Sequence[Matcher], masks: Memory, rows: Sequence[int] | None = None, threads: int = 0
) -> list[bool]:
    """Fills a row for each of many matchers in one call. If you fill at every step, keep a `Batch` instead.

    Args:
        matchers: each at most once.
        masks: [rows, words], as for `Matcher.fill`. Rows of no matcher stay as they are.
        rows: the row of each matcher; None: 0, 1, 2, …
        threads: the most threads to use; 0: as many as the process may use.

    Returns:
        For each matcher whether its row is constrained (False: every token is allowed).

    Raises:
        SluiceError: the error of the first row that failed; its `statuses` has one for each row. The other rows are
            filled.
    """
    if rows is not None and len(rows) != len(matchers):
        raise ValueError(f"{len(matchers)} matchers and {len(rows)} rows")
    if not len(matchers):
        return []
    batch = Batch(matchers, threads=threads)
    batch.fill(masks, rows)
    return [c != 0 for c in batch._constrained]
