"""Token ids as C arrays."""

from __future__ import annotations

import array
import ctypes
import operator
from collections.abc import Iterable
from typing import Any


def ids_array(ids: Iterable[int], what: str) -> ctypes.Array[Any]:
    """Returns token ids as a C array of uint32; refuses other values."""
    values = [operator.index(i) for i in ids]
    for i in values:
        if not 0 <= i < 1 << 32:
            raise ValueError(f"{what}: {i} is no token id")
    return (ctypes.c_uint32 * len(values))(*values)


def token_ids(tokens: Any) -> array.array[int]:
    """Returns ids as C takes them. Invalid ids become −1, which the library rejects."""
    if isinstance(tokens, (bytes, bytearray)) or not hasattr(tokens, "__len__"):
        # array.array would take bytes for its memory, and the fallback below iterates a second time.
        tokens = list(tokens)
    try:
        return array.array("i", tokens)
    except OverflowError:
        return array.array("i", [t if -1 < t < 1 << 31 else -1 for t in map(operator.index, tokens)])
