"""Grammar and Matcher: a compiled constraint, and one sequence that follows it.

The two calls of every decoding step, `Matcher.fill` and `Matcher.accept`, keep their C parameters converted between
calls (`_abi`, PERF). Invariant: a kept address is used only for the very object and index it was taken from, and that
object is kept alive beside it.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from . import _abi, _explain, _library, _rows, _specs
from ._abi import Effect, Kind
from ._drafts import Drafting
from ._ending import Limited, token_limit
from ._events import Watched
from ._ids import ids_array, token_ids
from ._reasoning import Reasoning
from ._stops import Stopping
from ._vocabulary import Vocabulary

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._typing import Memory, Tensor

_NOWHERE = object()  # no caller's row is this object

# PERF: the last array, its index, the words asked for, the parameters of the call and the array's shape. An engine has
# one array for all its sequences, and inspecting it costs a new matcher's first mask 2 µs, or 20 with cold caches. Only
# arrays of numpy are kept: they do not move while they are referenced here and keep their shape.
_recent: tuple[Any, Any, int, Any, Any, Any] = (_NOWHERE, None, 0, None, None, None)
_REJECTED, _UNFINISHED = _abi.REJECTED, _abi.UNFINISHED


class Note(NamedTuple):
    """Describes one difference between a constraint as written and as enforced.

    `effect` is "narrower" (less is accepted), "wider" (more is accepted), "ignored" (an annotation, an unknown keyword)
    or "dead end" (exact, but a prefix may be accepted that nothing completes); `pointer` is a JSON pointer into the
    constraint.
    """

    pointer: str
    keyword: str
    effect: Effect
    text: str


class GrammarStats(NamedTuple):
    """Counts the states of a grammar, its memory in bytes, and the nanoseconds of its compilation.

    compile_work counts the steps of the compilation, in the unit of compile_budget.
    """

    states: int
    bytes: int
    compile_ns: int
    compile_work: int


class Maker(Protocol):
    """Describes a grammar's view of its compiler."""

    vocabulary: Vocabulary
    _library: _library.Library

    def _live(self) -> int: ...


class Grammar:
    """Holds one compiled constraint for any number of matchers. Immutable; thread-safe. `Compiler.compile` makes it."""

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_compiler",
        "_handle",
        "_library",
        "_number",
        "_options",
        "_spec",
        "kind",
    )

    def __init__(self, compiler: Maker, kind: Kind, number: int, spec: bytes, options: bytes | None):
        """Not for users: see `Compiler.compile`."""
        self._compiler = compiler
        self.kind: Kind = kind
        self._number, self._spec, self._options = number, spec, options
        self._handle = 0
        self._open()
        self._settle()

    def _open(self) -> None:
        handle, job, error = ctypes.c_uint64(), ctypes.c_uint64(), _library.scratch()
        compiler, spec, options = self._compiler._live(), self._spec, self._options
        lib, to, why = self._compiler._library, ctypes.byref(handle), ctypes.byref(error)
        what = (compiler, self._number, spec, len(spec), options, len(options) if options else 0)
        try:
            status = _abi.UNFINISHED
            if _specs.short(spec, options):  # PERF: finding a cached grammar keeps the interpreter lock
                status = lib.grammar_find(*what, to, why)
            if status == _abi.UNFINISHED:
                status = lib.grammar_start(*what, _library.patience(), to, ctypes.byref(job), why)
            while status == _abi.UNFINISHED:  # handlers of signals run here
                status = lib.job_wait(job, _abi.SLICE, to, why)
            if status:
                raise _library.failure(status, error)
            self._handle = handle.value  # before the library, see Vocabulary._open
            self._library = lib
        except BaseException:
            # A signal's handler may raise at any line. The library ignores a handle that is 0 or freed already.
            self._handle = 0
            lib.job_free(job)
            lib.grammar_free(handle)
            raise

    @classmethod
    def _made(cls, handle: int, compiler: Maker, *rest: Any) -> Grammar:
        """Returns a grammar that owns the handle. The other parameters are as for __init__."""
        self = cls.__new__(cls)
        self._handle, self._library = handle, compiler._library
        self._compiler, (self.kind, self._number, self._spec, self._options) = compiler, rest
        self._settle()
        return self

    def _settle(self) -> None:
        """Replaces the kind "grammar" by the language that the library recognised."""
        if self.kind == "grammar":
            self._number = self._facts().kind
            self.kind = next(name for name, value in _abi.KINDS.items() if value == self._number)

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self._library.grammar_free(self._handle)

    def _live(self) -> int:
        """Returns the handle in this process's library; in a forked child the constraint is compiled again first."""
        if self._library.inherited:
            with _library.remaking():
                if self._library.inherited:
                    self._open()
        return self._handle

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary that the constraint was compiled for."""
        return self._compiler.vocabulary

    @property
    def spec(self) -> str:
        """The text of the constraint."""
        return self._spec.decode("utf-8", "surrogatepass")

    def _facts(self) -> _abi.GrammarFacts:
        handle, facts, error = self._live(), _abi.GrammarFacts(), _library.scratch()
        _library.check(self._library.grammar_info(handle, ctypes.byref(facts), ctypes.byref(error)), error)
        return facts

    @property
    def notes(self) -> tuple[Note, ...]:
        """The differences between the constraint as written and as enforced; empty if it is enforced exactly."""
        out, note, error = [], _abi.Note(), _library.scratch()
        for i in range(self._facts().n_notes):
            status = self._library.grammar_note(self._handle, i, ctypes.byref(note), ctypes.byref(error))
            _library.check(status, error)
            effect = _abi.EFFECTS[note.effect]
            pointer, keyword, text = (_library.member(note, m) for m in ("pointer", "keyword", "text"))
            out.append(Note(pointer, keyword, effect, text))
        return tuple(out)

    @property
    def constrained(self) -> bool:
        """Whether there is a constraint to enforce. A request may have none; then no matcher is needed."""
        return bool(self._facts().kind != 0)

    @property
    def stats(self) -> GrammarStats:
        """The states so far, the memory in bytes and the time of compilation in nanoseconds."""
        facts = self._facts()
        return GrammarStats(facts.states, facts.bytes, facts.compile_ns, facts.compile_work)

    def matcher(
        self,
        *,
        stop_tokens: Iterable[int] | None = None,
        reject_after_end: bool = False,
        all_allowed_after_end: bool = False,
        reasoning: Reasoning | None = None,
        max_tokens: int | None = None,
        stop_strings: Iterable[str | Buffer] | None = None,
    ) -> Matcher:
        """Makes a matcher at the start of this grammar; see `Matcher`."""
        return Matcher(
            self,
            stop_tokens=stop_tokens,
            reject_after_end=reject_after_end,
            all_allowed_after_end=all_allowed_after_end,
            reasoning=reasoning,
            max_tokens=max_tokens,
            stop_strings=stop_strings,
        )

    def __reduce__(self) -> Any:
        return _grammar_again, (self._compiler, self.kind, self._number, self._spec, self._options)

    def __copy__(self) -> Grammar:
        return self  # immutable

    def __deepcopy__(self, memo: Any) -> Grammar:
        return self

    def __repr__(self) -> str:
        return f"<sluice.Grammar {self.kind}, {len(self._spec)} bytes>"


def _grammar_again(compiler: Maker, kind: Kind, number: int, spec: bytes, options: bytes | None) -> Grammar:
    """Unpickles a grammar: it is compiled again."""
    return Grammar(compiler, kind, number, spec, options)


# PERF: the options of most matchers, made once; making them takes a microsecond.
_KEEPING = ctypes.byref(_abi.MatcherOptions(flags=_abi.KEEP_OUTPUT))


class Matcher(Limited, Stopping, Drafting, Watched):
    """Follows one sequence through a grammar and computes its masks. One thread at a time: another gets BusyError.

    A loop of generation:

        matcher = grammar.matcher()
        row = sluice.allocate_bitmask(1, vocabulary)
        while not matcher.terminated:
            matcher.fill(row)                  # bit i of word i // 32 is token i
            token = sample(logits, row)
            matcher.accept(token)
        print(matcher.output.decode())
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_argument",
        "_cells",
        "_constrained",
        "_handle",
        "_library",
        "_target",
        "_tensor",
        "grammar",
    )

    def __init__(
        self,
        grammar: Grammar,
        *,
        stop_tokens: Iterable[int] | None = None,
        reject_after_end: bool = False,
        all_allowed_after_end: bool = False,
        reasoning: Reasoning | None = None,
        max_tokens: int | None = None,
        stop_strings: Iterable[str | Buffer] | None = None,
    ):
        """Makes a matcher at the start of `grammar`.

        Args:
            grammar: the compiled constraint.
            stop_tokens: the ids that end this sequence, instead of the vocabulary's end tokens.
            reject_after_end: refuse tokens after the end; otherwise they are accepted and ignored.
            all_allowed_after_end: rows after the end allow every token; otherwise the end tokens alone.
            reasoning: the model reasons first: any tokens but stop tokens, until the tokens that end it come.
            max_tokens: as `set_max_tokens`.
            stop_strings: as `set_stop_strings`.
        """
        handle, error = ctypes.c_uint64(), _library.scratch()
        options = _KEEPING
        if stop_tokens is not None or reject_after_end or all_allowed_after_end or reasoning is not None:
            record = _abi.MatcherOptions(
                flags=_abi.KEEP_OUTPUT
                + (_abi.REJECT_AFTER_END if reject_after_end else 0)
                + (_abi.ALL_ALLOWED_AFTER_END if all_allowed_after_end else 0)
            )
            if stop_tokens is not None:
                ids = ids_array(stop_tokens, "stop_tokens")
                record.stop_tokens, record.n_stop_tokens = ids, len(ids)
            if reasoning is not None:
                if not isinstance(reasoning, Reasoning):
                    raise TypeError(f"reasoning is a sluice.Reasoning, not {type(reasoning).__name__}")
                record.reasoning = ctypes.pointer(reasoning._record(grammar.vocabulary))
            options = ctypes.byref(record)
        self._handle = 0
        self.grammar: Grammar = grammar
        parent = grammar._live()
        lib = grammar._library
        try:
            status = lib.matcher_new(parent, options, ctypes.byref(handle), ctypes.byref(error))
            if status:
                raise _library.failure(status, error)
            if max_tokens is not None:
                _library.check(lib.matcher_set_max_tokens(handle, token_limit(max_tokens), ctypes.byref(error)), error)
            self._adopt(lib, handle.value)
            if stop_strings is not None:
                self.set_stop_strings(stop_strings)
        except BaseException:  # a signal's handler may raise at any line
            self._handle = 0
            lib.matcher_free(handle)
            raise

    def _adopt(self, lib: _library.Library, handle: int) -> None:
        self._library = lib
        self._handle = handle
        self._argument = _abi.handle_argument(handle)
        self._constrained = ctypes.c_uint32()
        self._cells = ctypes.byref(self._constrained)
        # The last row: object, index, parameters of the call, owner of the memory, an array's shape. It is replaced as
        # a whole, so no thread sees one object beside another's address.
        self._target: tuple[Any, Any, tuple[Any, ...], Any, Any] = (_NOWHERE, None, (), None, None)
        self._tensor: tuple[Any, Any, int, tuple[Any, ...]] = (_NOWHERE, None, 0, ())

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self._library.matcher_free(self._handle)

    # ------------------------------------------------------------------------------------------------------- fill

    def fill(self, masks: Memory, index: int | None = None) -> bool:
        """Writes the set of tokens allowed next into a row. Returns False if every token that has a text is allowed.

        The matcher overwrites the whole row; bits beyond the vocabulary become 0. It keeps a reference to the row until
        another one is filled, and the module keeps one to a numpy array. Passing the same object again is fastest.

        Args:
            masks: [words], or [rows, words] with `index`, in CPU memory: a numpy array or torch tensor of int32 or
                uint32, or any writable buffer (array.array, bytearray, memoryview, ctypes array).
            index: the row of `masks` to write.

        Raises:
            LimitError: the mask takes more steps than the budget; the row stays as it was.
            UnsatisfiableError: no token of the vocabulary can continue the output, and it may not end.
            BusyError: another thread is using the matcher.
        """
        cached, at, arguments, _, shape = self._target
        if (
            masks is not cached or index != at or (shape is not None and masks.shape != shape)  # pyright: ignore
        ):
            arguments = self._aim(masks, index)
        if self._library.fill(*arguments):
            self._fill_again(arguments)
        return self._constrained.value != 0

    def _fill_known(self, masks: Any, index: int) -> bool:
        """Fills a row if its mask is cached. Returns False if it is not, or if the call fails."""
        cached, at, arguments, _, shape = self._target
        if masks is not cached or index != at or (shape is not None and masks.shape != shape):
            arguments = self._aim(masks, index)
        return not self._library.fill(*arguments)

    def _aim(self, masks: Any, index: int | None) -> tuple[Any, ...]:
        """Returns the parameters of the call for a row, and keeps them for the next call."""
        tensor = hasattr(masks, "data_ptr")  # torch's, or a tensor with the same interface
        if tensor:
            # resize_ and set_ give the same object other memory.
            cached, at, begin, arguments = self._tensor
            if cached is masks and at == index and masks.data_ptr() == begin:
                return arguments
        global _recent
        # Not _live(): in a forked child the call fails anyway, and reading the vocabulary again would be in vain.
        needed = self.grammar.vocabulary.words
        cached, at, for_words, address, size, shape = _recent
        if cached is masks and at == index and for_words == needed and masks.shape == shape:
            arguments = (self._argument, address, size, self._cells)
            self._target = (masks, index, arguments, masks, shape)
            return arguments
        start, words, pin = _rows.row(masks, index, needed)
        address, size = _abi.address_argument(start), _abi.size_argument(words)
        arguments = (self._argument, address, size, self._cells)
        if tensor:
            self._tensor = (masks, index, masks.data_ptr(), arguments)
            return arguments
        shape = None
        if pin is masks:
            shape = masks.shape
            _recent = (masks, index, needed, address, size, shape)
        self._target = (masks, index, arguments, pin, shape)
        return arguments

    def _fill_again(self, arguments: tuple[Any, ...]) -> None:
        """Repeats a call without the GIL: the mask is new, or the call failed and needs an error struct."""
        error = _library.scratch()
        _library.check(self._library.fill_long(*arguments, ctypes.byref(error)), error)

    # ----------------------------------------------------------------------------------------------------- accept

    def accept(self, token: int) -> bool:
        """Moves over one token. Returns False if the token is not allowed; the matcher then does not move.

        Raises:
            LimitError: the token takes more steps than the budget; the matcher does not move.
            BusyError: another thread is using the matcher.
        """
        try:
            # ctypes cuts a parameter without a declared type to 32 bits.
            if token >> 31:
                return False
            status = self._library.accept_token(self._argument, token)
        except ctypes.ArgumentError:
            return self.accept(operator.index(token))  # numpy's and other integers
        except TypeError:
            raise TypeError(f"a token is an integer, not {type(token).__name__}") from None
        if not status:
            return True
        if status == _UNFINISHED:  # a new transition, without the GIL
            status = self._library.accept_token_long(self._argument, token)
            if not status:
                return True
        if status == _REJECTED:
            return False
        return self.accept_tokens((token,)) == 1  # raises the error

    def accept_tokens(self, tokens: Iterable[int] | Tensor) -> int:
        """Moves over tokens in order, up to the first that is not allowed. Returns the number of accepted tokens."""
        lib = self._library
        return self._many(lib.matcher_accept, lib.matcher_accept_long, tokens)

    def validate(self, tokens: Iterable[int] | Tensor) -> int:
        """Returns the number of tokens that `accept_tokens` would accept, without moving the matcher."""
        lib = self._library
        return self._many(lib.matcher_validate, lib.matcher_validate_long, tokens)

    def _many(self, short: Any, long: Any, tokens: Iterable[int] | Tensor) -> int:
        ids, count = token_ids(tokens), ctypes.c_size_t()
        address, n = ids.buffer_info()
        cell = ctypes.byref(count)
        status = short(self._handle, address, n, cell, _abi.AT_ONCE, None)
        if status and status != _REJECTED:
            _library.at_length(long, self._handle, address, n, cell)
        return count.value

    def accept_bytes(self, text: str | Buffer) -> bool:
        """Moves over text, independently of its tokens. Returns False if the text is not allowed whole; the matcher
        then does not move.

        The text counts as one step of `rollback`.
        """
        raw, lib = text.encode() if isinstance(text, str) else bytes(memoryview(text)), self._library
        status = lib.matcher_accept_bytes(self._handle, raw, len(raw), _abi.AT_ONCE, None)
        if status and status != _REJECTED:
            status = _library.at_length(lib.matcher_accept_bytes_long, self._handle, raw, len(raw))
        return status == 0

    # ---------------------------------------------------------------------------------------------- time and ends

    def rollback(self, steps: int) -> None:
        """Takes back the last `steps` steps.

        A step is a token or a text of `accept_bytes`. End tokens count, and so do tokens ignored after the end.

        Raises:
            ValueError: `steps` is negative.
            ArgumentError: `steps` exceeds `length`.
        """
        if not 0 <= operator.index(steps) < 1 << 63:
            raise ValueError(f"rollback by {steps} steps")
        error = _library.scratch()
        _library.check(self._library.matcher_rollback(self._handle, steps, ctypes.byref(error)), error)

    def reset(self) -> None:
        """Moves to the start of the grammar and drops the output and the steps."""
        error = _library.scratch()
        _library.check(self._library.matcher_reset(self._handle, ctypes.byref(error)), error)

    def fork(self) -> Matcher:
        """Returns an independent copy, steps included, in constant time."""
        handle, error, lib = ctypes.c_uint64(), _library.scratch(), self._library
        copy = Matcher.__new__(Matcher)
        copy._handle, copy.grammar = 0, self.grammar
        try:
            _library.check(lib.matcher_fork(self._handle, ctypes.byref(handle), ctypes.byref(error)), error)
            copy._adopt(lib, handle.value)
        except BaseException:  # a signal's handler may raise at any line
            copy._handle = 0
            lib.matcher_free(handle)
            raise
        return copy

    __copy__ = fork

    def __deepcopy__(self, memo: Any) -> Matcher:
        return self.fork()

    def _state(self) -> int:
        state, error = ctypes.c_uint32(), _library.scratch()
        status = self._library.matcher_state(self._handle, ctypes.byref(state), ctypes.byref(error))
        if status:
            raise _library.failure(status, error)
        return state.value

    @property
    def completed(self) -> bool:
        """Whether the output may end here."""
        return bool(self._state() & _abi.STATE_COMPLETED)

    @property
    def terminated(self) -> bool:
        """Whether the output has ended: the matcher accepted an end token, or the output stopped at a stop string."""
        return bool(self._state() & _abi.STATE_TERMINATED)

    @property
    def finished(self) -> bool:
        """Whether the output has ended or only its end may follow. The sequence may then stop without another token."""
        yes, lib = ctypes.c_uint32(), self._library
        if lib.matcher_finished(self._handle, ctypes.byref(yes), _abi.AT_ONCE, None):
            _library.at_length(lib.matcher_finished_long, self._handle, ctypes.byref(yes))
        return yes.value != 0

    @property
    def output(self) -> bytes:
        """The output so far: the bytes of all accepted tokens and texts, without reasoning and without the end token.

        A special token counts with the text that it spells. `rollback`, `reset` and `fork` treat the output as they
        treat the state. The last character may be incomplete, since a token may end within one; to print an output
        while it grows, use `codecs.getincrementaldecoder("utf-8")`.
        """
        return _library.written("matcher_output", self._handle, lib=self._library)

    @property
    def length(self) -> int:
        """The number of steps that `rollback` can take back."""
        length, error = ctypes.c_size_t(), _library.scratch()
        status = self._library.matcher_length(self._handle, ctypes.byref(length), ctypes.byref(error))
        _library.check(status, error)
        return length.value

    @property
    def temperature(self) -> float | None:
        """The temperature that the grammar sets for the next token, None if it sets none.

        The innermost rule with a temperature counts. If the grammar can read the output in several ways, the highest of
        their temperatures counts.
        """
        t, some, error = ctypes.c_double(), ctypes.c_uint32(), _library.scratch()
        status = self._library.matcher_temperature(
            self._handle, ctypes.byref(t), ctypes.byref(some), ctypes.byref(error)
        )
        _library.check(status, error)
        return t.value if some.value else None

    def captures(self) -> list[tuple[str, bytes]]:
        """Returns the names and texts of captured rules so far, in the order in which the rules ended.

        If the output may not end here, a rule that might end counts with its text so far. Each call reads the whole
        output.
        """
        n, length, error, size = ctypes.c_size_t(), ctypes.c_size_t(), _library.scratch(), 4
        cells, buffer = (size * 4 * ctypes.c_size_t)(), ctypes.create_string_buffer(512)
        found, written, why = ctypes.byref(n), ctypes.byref(length), ctypes.byref(error)
        call = self._library.matcher_captures
        while True:
            status = call(self._handle, cells, size, found, buffer, len(buffer), written, why)
            _library.check(status, error)
            if n.value <= size and length.value <= len(buffer):
                break
            size = max(size, n.value)
            cells = (size * 4 * ctypes.c_size_t)()
            buffer = ctypes.create_string_buffer(max(len(buffer), length.value))
        text = buffer.raw
        places = [tuple(cells[4 * i : 4 * i + 4]) for i in range(n.value)]
        return [(text[a : a + b].decode(), text[c : c + d]) for a, b, c, d in places]

    def explain(self, token: int | None = None, *, text: str | Buffer | None = None) -> _explain.Explanation:
        """Returns why a token, or a text of `accept_bytes`, may come next or not: the byte that is refused, and the
        parts of the constraint that are expected there. `print` shows one sentence.

        For refusals and debugging: slow, and the first call for a grammar takes as long as a compilation. Raises
        ArgumentError if no vocabulary has this id, or if there are both a token and a text, or neither.
        """
        return _explain.ask(self._library, self._handle, token, text)

    def __reduce_ex__(self, protocol: Any) -> Any:
        _library.no_pickle(
            self,
            "Send what its grammar was compiled from and the tokens that were accepted so far; there, compile it, make "
            "a matcher and accept them.",
        )

    def __repr__(self) -> str:
        return f"<sluice.Matcher of {self.grammar!r}>"
