"""Types that public signatures name. Type checkers alone read this module; nothing imports it at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Union

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, TypeAlias


class Tensor(Protocol):
    """A torch tensor, or an object that answers like one."""

    def data_ptr(self) -> int:
        """Returns the address of its memory."""
        ...


class SupportsDLPack(Protocol):
    """An array of a framework that exchanges tensors by DLPack, such as JAX and CuPy."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any:
        """Returns a capsule of its tensor."""
        ...


class TiktokenEncoding(Protocol):
    """The part of `tiktoken.Encoding` that a vocabulary is read from."""

    @property
    def n_vocab(self) -> int:
        """The largest id + 1."""
        ...

    @property
    def special_tokens_set(self) -> set[str]:
        """The texts of special tokens."""
        ...

    def decode_single_token_bytes(self, token: int, /) -> bytes:
        """Returns the bytes of a token."""
        ...

    def encode_single_token(self, text_or_bytes: str, /) -> int:
        """Returns the id of a token."""
        ...


class SentencePieceProcessor(Protocol):
    """The part of `sentencepiece.SentencePieceProcessor` that a vocabulary is read from."""

    def serialized_model_proto(self) -> bytes:
        """Returns the model's file."""
        ...

    def eos_id(self) -> int:
        """Returns the id of the end token."""
        ...


class Stream(Protocol):
    """A CUDA stream of torch."""

    @property
    def cuda_stream(self) -> int:
        """The stream's number."""
        ...


Bitmask: TypeAlias = npt.NDArray[np.int32]
# Memory that a call reads or writes: arrays of numpy, tensors, and everything with the buffer protocol.
Memory: TypeAlias = Union[npt.NDArray[Any], Buffer, Tensor]
# The same, and arrays of other frameworks.
Array: TypeAlias = Union[Memory, SupportsDLPack]
Numbers: TypeAlias = Union[Sequence[int], Array]
# Tables of draft trees: int64 [places, nodes].
Nodes: TypeAlias = Union[Memory, Sequence[Sequence[int]]]
