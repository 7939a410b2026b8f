"""Limits of tokens: the calls of a matcher for outputs that are complete in time."""

from __future__ import annotations

import ctypes
import operator

from . import _library


def token_limit(max_tokens: int) -> int:
    """Returns a limit as C takes it."""
    n = operator.index(max_tokens)
    if n < 1:
        raise ValueError(f"max_tokens is {n}: it is at least 1, or None for no limit")
    return min(n, 0xFFFFFFFF)


class Limited:
    """The part of `Matcher` that limits its tokens."""

    __slots__ = ()

    _handle: int
    _library: _library.Library

    def set_max_tokens(self, max_tokens: int | None) -> None:
        """Limits the sequence to `max_tokens` more tokens, the end token counted; None removes the limit.

        From then on masks allow a token only if the output can still be completed with the tokens that are left behind
        it, and `accept` takes no other. So the output is complete when the tokens run out. No token is forced before
        that needs it.

        `rollback` and `reset` return the tokens of the steps that they take back; `fork` copies the limit. Tokens of
        reasoning count. A text of `accept_bytes` counts as one token: set the limit again if it stands for more.

        Raises:
            ValueError: `max_tokens` is not positive.
            UnsatisfiableError: not even the shortest output fits. The message says how many tokens it takes; the
                earlier limit remains.
            LimitError: no completion was found within the budget, or the vocabulary cannot spell one.
        """
        n, error = 0 if max_tokens is None else token_limit(max_tokens), _library.scratch()
        _library.check(self._library.matcher_set_max_tokens(self._handle, n, ctypes.byref(error)), error)

    @property
    def min_tokens(self) -> int:
        """The number of tokens that complete the output from here, the end token counted; 0 after the end.

        It is the least number, or the number for a short completion if finding the least takes too much.

        Raises:
            LimitError: no completion was found within the budget, or the vocabulary cannot spell one.
        """
        n, error = ctypes.c_uint32(), _library.scratch()
        _library.check(self._library.matcher_min_tokens(self._handle, ctypes.byref(n), ctypes.byref(error)), error)
        return n.value
