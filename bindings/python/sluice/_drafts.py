"""Text and tokens that need no step of the model: the calls of a matcher for them."""

from __future__ import annotations

import ctypes
import operator
from typing import Any

from . import _abi, _library

_MOST = 4096  # elements that a call of the library returns


class Drafting:
    """The part of `Matcher` that knows how the output goes on."""

    __slots__ = ()

    _handle: int
    _library: _library.Library

    def forced_bytes(self) -> bytes:
        """Returns the only text that the grammar allows from here, at most 4,096 bytes, or b"" if it allows several.

        After you accept 4,096 bytes, call it again for the rest.
        """
        return bytes(self._written("forced_bytes", ctypes.c_uint8, _MOST))

    def forced_tokens(self) -> list[int]:
        """Returns the forced text as tokens, cut as the model's own tokenizer cuts them.

        For every continuation of the output, the tokenizer gives these tokens behind the text so far, and the matcher
        accepts them. Each saves a step of the model. Accept them and call again for more.

        The end of the forced text is held back if the tokenizer could join it with later text. There are no forced
        tokens if the tokenizer would join the text so far with the forced text, in reasoning, and after the end.

        Raises:
            ArgumentError: the vocabulary was made without `keep_tokenizer=True`.
        """
        return list(self._written("forced_tokens", ctypes.c_int32, _MOST))

    def drafts(self, k: int) -> list[int]:
        """Returns up to `k` tokens that are likely to come next: the forced ones, and beyond them gaps, quotes and
        brackets of JSON as this output has laid them out so far, cut as the model's tokenizer would.

        Verify them as any draft of speculative decoding, so the distribution of outputs stays. The matcher accepts them
        all, and does not move.

        Raises:
            ArgumentError: the vocabulary was made without `keep_tokenizer=True`.
            ValueError: `k` is negative.
        """
        n = operator.index(k)
        if n < 0:
            raise ValueError(f"k is {n}: it is the greatest number of tokens")
        return list(self._written("drafts", ctypes.c_int32, min(n, _MOST)))

    def _written(self, name: str, kind: Any, room: int) -> Any:
        """Returns the elements that a call writes."""
        length, lib, buffer = ctypes.c_size_t(), self._library, (kind * room)()
        short, long = getattr(lib, f"matcher_{name}"), getattr(lib, f"matcher_{name}_long")
        cell = ctypes.byref(length)
        if short(self._handle, buffer, room, cell, _abi.AT_ONCE, None):
            _library.at_length(long, self._handle, buffer, room, cell)
        return buffer[: length.value]
