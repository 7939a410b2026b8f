"""Compilations in the background, as futures.

One thread waits for all of them: the library writes the number of each job that is over to a pipe, and that thread
reads it. It is started by the first job that takes longer than its call, and ends with the process.

Invariant: a future has one end. A thread that wants to end it takes it out of `_State.going`; only one thread succeeds.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from . import _abi, _library, _log, _specs
from ._errors import ForkedError
from ._grammar import Grammar, Maker

if TYPE_CHECKING:
    from ._abi import Kind

    _Base = Future[Grammar]
else:
    _Base = Future


class GrammarFuture(_Base):
    """Represents a grammar that is being compiled, see `Compiler.submit`. Thread-safe.

    Callbacks run on a thread of this package, or on the caller's thread if the grammar was in the cache. On the
    package's thread, a callback that waits for another such future deadlocks.
    """

    def __init__(self, compiler: Maker, *constraint: Any) -> None:
        """Not for users."""
        super().__init__()
        self._compiler, self._constraint = compiler, constraint
        self._job, self._library, self._begun = 0, compiler._library, _log.begin()

    def cancel(self) -> bool:
        """Cancels the compilation, which stops within about 1 ms of work. Returns False if it is already over."""
        with _state.ended(self._job, self) as mine:
            if not mine:
                return self.cancelled()
            self._library.job_free(self._job)
            super().cancel()
            self.set_running_or_notify_cancel()
            return True

    def running(self) -> bool:
        """Returns whether the compilation is neither over nor cancelled."""
        return not self.done()

    def _end(self, status: int, grammar: ctypes.c_uint64, error: _abi.Error) -> None:
        """Ends it with the outcome of a call."""
        if status:
            self.set_exception(_library.failure(status, error))
            return
        made = Grammar._made(grammar.value, self._compiler, *self._constraint)
        _log.compiled(made, self._constraint[2], self._begun)
        self.set_result(made)

    def _over(self) -> None:
        """Ends it when its job is over."""
        grammar, error = ctypes.c_uint64(), _library.scratch()
        status = self._library.job_result(self._job, _abi.AT_ONCE, ctypes.byref(grammar), ctypes.byref(error))
        self._end(status, grammar, error)


def submit(compiler: Maker, kind: Kind, number: int, spec: bytes, options: bytes | None) -> GrammarFuture:
    """Begins a compilation."""
    handle, job, error = ctypes.c_uint64(), ctypes.c_uint64(), _library.scratch()
    live = compiler._live()
    future = GrammarFuture(compiler, kind, number, spec, options)
    lib = future._library
    begin = lib.grammar_begin if _specs.short(spec, options) else lib.grammar_start
    what = (live, number, spec, len(spec), options, len(options) if options else 0, _abi.AT_ONCE)
    try:
        status = begin(*what, ctypes.byref(handle), ctypes.byref(job), ctypes.byref(error))
        if status != _abi.UNFINISHED:
            future._end(status, handle, error)
            return future
        future._job = job.value
        pipe = _state.pipe()
        _state.going[future._job] = future
        _library.check(lib.job_notify(future._job, pipe, ctypes.byref(error)), error)
    except BaseException:  # a signal's handler may raise at any line
        if not future.done():
            _state.going.pop(future._job, None)
            lib.job_free(job)
            lib.grammar_free(handle)
        raise
    return future


class _State:
    """The jobs of this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.going: dict[int, GrammarFuture] = {}  # by the numbers of their jobs
        self.ending: list[GrammarFuture] = []  # perhaps taken out of it and not ended yet, by threads of this process
        self.ends: tuple[int, int] | None = None

    def pipe(self) -> int:
        """Returns the end of the pipe that the library writes to; somebody reads the other one."""
        with self.lock:
            if self.ends is None:
                self.ends = os.pipe()
                threading.Thread(target=_watch, args=(self.ends[0],), name="sluice-jobs", daemon=True).start()
            return self.ends[1]

    @contextlib.contextmanager
    def ended(self, job: int, future: GrammarFuture | None) -> Iterator[bool]:
        """Takes a future out of `going`, to end it. Yields False if another thread has taken it. A child that is forked
        meanwhile finds it in `ending`."""
        if future is None:
            yield False
            return
        self.ending.append(future)
        try:
            yield self.going.pop(job, None) is future
        finally:
            with contextlib.suppress(ValueError):  # in a child
                self.ending.remove(future)

    def forked(self) -> None:
        """In the child of a fork: the jobs and the thread exist in the parent alone. Callbacks and waiting threads
        belong to the parent too: they run there, and in the child they might wait forever for a lock."""
        if self.ends is not None:
            for end in self.ends:
                with contextlib.suppress(OSError):
                    os.close(end)
        left = [*self.going.values(), *self.ending]
        self.__init__()  # type: ignore[misc]
        for future in left:
            future._condition = threading.Condition()  # another thread of the parent may have held it
            if future.done():
                continue
            future._done_callbacks = []  # type: ignore[attr-defined]
            future._waiters = []
            future.set_exception(
                ForkedError("the compilation was begun before fork(): begin it again in the child", code=12)
            )


_state = _State()
os.register_at_fork(after_in_child=lambda: _state.forked())


def _watch(pipe: int) -> None:
    number = struct.Struct("=Q")
    while True:
        for (job,) in number.iter_unpack(os.read(pipe, 512 * number.size)):
            future = _state.going.get(job)
            try:
                with _state.ended(job, future) as mine:
                    if mine and future is not None:
                        future._over()
            except BaseException:  # of a callback; without this thread no other future would end
                _log.logger.exception("a callback of a compilation has failed")
            del future  # and its grammar, which would live on until the next job is over
