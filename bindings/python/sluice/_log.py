"""The lines of the logger `sluice`: one INFO line a process, and DEBUG lines about compilations, errors and slow calls.

Invariant: a call that answers from the caches never looks at the logger. The functions of the library that may take
long are `timed`; others never take long.
"""

from __future__ import annotations

import logging
import math
import os
import time
from functools import wraps
from typing import Any, Callable

logger = logging.getLogger("sluice")

SLOW_CALL = "SLUICE_SLOW_CALL_MS"

# These wait for compilations, which have lines of their own.
_WAITING = {"sluice_grammar_start", "sluice_job_wait"}


class _State:
    """The process's library that has introduced itself, and the seconds from which on a call is slow."""

    introduced: Any = None
    slow = 0.01


def introduce(lib: Any, vocabulary: Any) -> None:
    """Logs the line of this process, at its first compiler; also in a forked child, which has another library."""
    if _State.introduced is lib:
        return
    _State.introduced = lib
    what = lib.version, lib.path, vocabulary.size, vocabulary.hash[:16]
    logger.info("version %s of %s; vocabulary of %d tokens, hash %s…", *what)


def read_environment() -> None:
    """Reads the time from which on a call is slow.

    Raises:
        ValueError: SLUICE_SLOW_CALL_MS has a wrong value.
    """
    milliseconds = os.environ.get(SLOW_CALL, "").strip() or "10"
    try:
        value = float(milliseconds)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise ValueError(f"{SLOW_CALL}={milliseconds}: must be a number of milliseconds, 0 or more")
    _State.slow = value / 1e3


def begin() -> float:
    """Returns the time for `compiled`, or 0 if nobody reads its line."""
    return time.perf_counter() if logger.isEnabledFor(logging.DEBUG) else 0.0


def compiled(grammar: Any, spec: bytes, begun: float) -> None:
    """Logs a compilation that began at `begun`."""
    if begun:
        took = time.perf_counter() - begun
        logger.debug("compiled %s of %d bytes in %.3f ms", grammar.kind, len(spec), took * 1e3)


def failed(name: str, message: str) -> None:
    """Logs an error by its code. The message has parts of the constraint."""
    logger.debug("%s: %s", name, message)


def timed(symbol: str, function: Callable[..., int]) -> Callable[..., int]:
    """Returns a function of the library that logs its slow calls."""
    if symbol in _WAITING:
        return function

    @wraps(function, assigned=())
    def call(*arguments: Any) -> int:
        if not logger.isEnabledFor(logging.DEBUG):
            return function(*arguments)
        begun = time.perf_counter()
        status = function(*arguments)
        took = time.perf_counter() - begun
        if took >= _State.slow:
            logger.debug("slow call: %s took %.3f ms", symbol, took * 1e3)
        return status

    return call
