"""Stop strings: the calls of a matcher for strings at which its output stops."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _abi, _library

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Stop(NamedTuple):
    """The stop string at which an output has stopped.

    Attributes:
        string: the index of the string in the list that was set.
        behind: the bytes from the beginning of that string to the end of the output. `output[:-behind]` is the text in
            front of it.
    """

    string: int
    behind: int


def octets(strings: Iterable[str | Buffer]) -> list[bytes]:
    """Returns stop strings as C takes them."""
    if isinstance(strings, (str, bytes)):
        raise TypeError("stop strings are a list of strings, not one string")
    return [s.encode() if isinstance(s, str) else bytes(memoryview(s)) for s in strings]


def arrays(raw: list[bytes]) -> tuple[Any, Any]:
    """Returns pointers to texts and their lengths."""
    return (ctypes.c_char_p * len(raw))(*raw), (ctypes.c_size_t * len(raw))(*map(len, raw))


class Stopping:
    """The part of `Matcher` that knows stop strings."""

    __slots__ = ()

    _handle: int
    _library: _library.Library

    def set_stop_strings(self, strings: Iterable[str | Buffer] | None) -> None:
        """Makes the output stop at the first of these strings in text that is accepted from now on.

        None and an empty list remove earlier strings. The string that ends first wins; of several with the same end the
        longest. The token in which it ends is accepted whole. Behind it the output has ended, as behind an end token,
        whether the constraint is complete there or not: `terminated` is True, `stopped` says why, masks allow the end
        tokens, and no other token is accepted.

        `rollback` goes back in front of the string, `fork` copies the strings, and `reset` keeps them. Only the text of
        `output` counts, so reasoning does not. Names of special tokens are no text, and no stop string reaches across
        such a token. `events` reports the text in front of the string, and holds back text that may become one.

        Raises:
            ArgumentError: a string is empty.
            LimitError: the strings have more than 4,096 bytes together.
        """
        raw, error = octets(() if strings is None else strings), _library.scratch()
        status = self._library.matcher_set_stop_strings(self._handle, *arrays(raw), len(raw), ctypes.byref(error))
        _library.check(status, error)

    def _stop(self) -> _abi.Stop:
        stop, error = _abi.Stop(), _library.scratch()
        _library.check(self._library.matcher_stopped(self._handle, ctypes.byref(stop), ctypes.byref(error)), error)
        return stop

    @property
    def stopped(self) -> Stop | None:
        """The stop string that the output has stopped at; None if it has not."""
        stop = self._stop()
        return None if stop.string == _abi.NO_STOP else Stop(stop.string, stop.behind)

    @property
    def held_back(self) -> int:
        """How many bytes at the end of the output may still become a stop string. Do not send them yet.

        It is 0 once the output has ended. Then send all of it, or the text in front of the stop string.
        """
        return int(self._stop().held_back)
