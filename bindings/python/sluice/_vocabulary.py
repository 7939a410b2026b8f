"""Vocabulary: token ids and their bytes, as the library holds them."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Sequence
from typing import Any, Callable

from . import _abi, _library
from ._errors import ArgumentError, ForkedError


def ids_array(ids: Iterable[int], what: str) -> ctypes.Array[Any]:
    """Returns token ids as a C array of uint32; refuses what is no id."""
    values = [int(i) for i in ids]
    for i in values:
        if not 0 <= i < 1 << 32:
            raise ValueError(f"{what}: {i} is no token id")
    return (ctypes.c_uint32 * len(values))(*values)


class Vocabulary:
    """Token id → bytes, special and added tokens, end tokens, padded size. Immutable; safe for all threads.

    Make one per model with `from_file`, `from_tokenizer_json`, `from_data` or `from_tokens`.
    """

    __slots__ = ("_end", "_facts", "_handle", "_library", "_make")

    def __init__(self, make: Callable[[_library.Library, Any, Any], int]):
        """Not for users: `make` calls one of the constructors of the C interface."""
        self._make = make  # kept, with the data in it, for a forked child
        self._handle = 0
        self._open()

    def _open(self) -> None:
        lib = _library.library()
        handle, error = ctypes.c_uint64(), _library.scratch()
        _library.check(self._make(lib, ctypes.byref(handle), ctypes.byref(error)), error)
        facts = _abi.VocabularyFacts()
        _library.check(lib.vocabulary_info(handle, ctypes.byref(facts), ctypes.byref(error)), error)
        end = (ctypes.c_uint32 * facts.n_end_tokens)()
        _library.check(lib.vocabulary_end_tokens(handle, end, len(end), None, ctypes.byref(error)), error)
        self._facts, self._end = facts, tuple(end)
        # The handle first: whoever sees the new library without holding the lock must see its handle too.
        self._handle = handle.value
        self._library = lib

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self._library.vocabulary_free(self._handle)

    def _live(self) -> int:
        """Returns the handle in this process's library; in a forked child the vocabulary is read again first."""
        if self._library.inherited:
            with _library.remaking():
                if self._library.inherited:
                    before = bytes(self._facts.hash)
                    self._open()
                    if bytes(self._facts.hash) != before:
                        raise ForkedError("the vocabulary's file has changed since the parent process read it", code=12)
        return self._handle

    def __reduce_ex__(self, protocol: Any) -> Any:
        _library.no_pickle(self, "Send the tokenizer's file, or its name, and read it there with Vocabulary.from_file.")

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        end_tokens: Iterable[int] | None = None,
        padded_size: int | None = None,
    ) -> Vocabulary:
        """Reads a tokenizer's file: tokenizer.json, tiktoken ranks or SentencePiece .model, gzipped or not.

        Args:
            path: the file.
            end_tokens: all ids that end an output; found by their well-known names if None.
            padded_size: how wide the engine's logits are; ids beyond are dropped. None: as many as there are ids.
        """
        name = os.fsencode(path)
        options = _options(end_tokens, padded_size)
        return cls(lambda lib, out, error: lib.vocabulary_from_file(name, len(name), ctypes.byref(options), out, error))

    @classmethod
    def from_data(
        cls,
        data: str | bytes,
        format: str = "auto",
        *,
        end_tokens: Iterable[int] | None = None,
        padded_size: int | None = None,
    ) -> Vocabulary:
        """Reads a tokenizer file's content; `format` is "auto", "tokenizer_json", "tiktoken" or "sentencepiece"."""
        if format not in _abi.FORMATS:
            raise ValueError(f"format {format!r} is none of {', '.join(_abi.FORMATS)}")
        raw = data.encode() if isinstance(data, str) else bytes(data)
        options, number = _options(end_tokens, padded_size), _abi.FORMATS[format]
        return cls(lambda lib, out, e: lib.vocabulary_from_data(number, raw, len(raw), ctypes.byref(options), out, e))

    @classmethod
    def from_tokenizer_json(
        cls, text: str | bytes, *, end_tokens: Iterable[int] | None = None, padded_size: int | None = None
    ) -> Vocabulary:
        """Reads the text of a tokenizer.json, as `tokenizers.Tokenizer.to_str()` returns it."""
        return cls.from_data(text, "tokenizer_json", end_tokens=end_tokens, padded_size=padded_size)

    @classmethod
    def from_huggingface(
        cls,
        tokenizer: Any,
        *,
        end_tokens: int | Iterable[int] | None = None,
        padded_size: int | None = None,
    ) -> Vocabulary:
        """Reads a tokenizer object of Hugging Face transformers or tokenizers; neither is imported.

        Args:
            tokenizer: a fast tokenizer, or a `tokenizers.Tokenizer`.
            end_tokens: all ids that end an output, best `model.generation_config.eos_token_id`, one number or several.
                None: the tokenizer's own, and those that have well-known names.
            padded_size: how wide the model's logits are, `model.config.vocab_size`; ids beyond are dropped. None: as
                many as there are ids.

        Raises:
            TypeError: the object does not show what its tokens are.
            ValueError: it has no end token.
        """
        inner = getattr(tokenizer, "backend_tokenizer", tokenizer)
        if not callable(getattr(inner, "to_str", None)):
            raise TypeError(
                f"{type(tokenizer).__name__} is no fast tokenizer: it has no backend_tokenizer. Load it with "
                "use_fast=True, or read its file with Vocabulary.from_file (tokenizer.json, tiktoken ranks, "
                "SentencePiece .model)"
            )
        text = inner.to_str()
        if end_tokens is not None:
            ends = (end_tokens,) if isinstance(end_tokens, int) else end_tokens
            return cls.from_tokenizer_json(text, end_tokens=ends, padded_size=padded_size)
        found = cls.from_tokenizer_json(text, padded_size=padded_size)
        own = getattr(tokenizer, "eos_token_id", None)
        if own is not None and own not in found.end_tokens:
            return cls.from_tokenizer_json(text, end_tokens=(*found.end_tokens, own), padded_size=padded_size)
        if not found.end_tokens:
            raise ValueError(f"{type(tokenizer).__name__} names no end token: pass end_tokens, or no output can end")
        return found

    @classmethod
    def from_tokens(
        cls,
        tokens: Sequence[bytes | None],
        *,
        end_tokens: Iterable[int] = (),
        special: Iterable[int] = (),
        added: Iterable[int] = (),
        padded_size: int | None = None,
    ) -> Vocabulary:
        """Takes exact bytes, token i at index i; None or b"" is an id without bytes, which is never allowed.

        Args:
            tokens: the bytes of every id; of a special token, the text that it spells.
            end_tokens: all ids that end an output.
            special: ids that are control signals, which ordinary text may not use.
            added: ids that are ordinary text outside the merges ("<tool_call>").
            padded_size: how wide the engine's logits are; ids beyond are dropped. None: as many as there are ids.
        """
        if any(isinstance(t, str) for t in tokens):
            raise TypeError("tokens are bytes; decode the tokenizer's spelling first, or use from_tokenizer_json")
        parts = [t or b"" for t in tokens]
        n, blob = len(parts), b"".join(parts)
        offsets, flags, at = (ctypes.c_uint64 * (n + 1))(), bytearray(n), 0
        for i, part in enumerate(parts):
            at += len(part)
            offsets[i + 1] = at
        for bit, ids in ((_abi.TOKEN_SPECIAL, special), (_abi.TOKEN_ADDED, added)):
            for i in ids:
                if not 0 <= i < n:
                    raise ValueError(f"id {i} of special or added tokens is not below {n}")
                flags[i] |= bit
        end = ids_array(end_tokens, "end_tokens")
        config = _abi.VocabularyConfig(
            n_tokens=n,
            bytes=blob,
            offsets=offsets,
            flags=bytes(flags),
            end_tokens=end,
            n_end_tokens=len(end),
            padded_size=padded_size or 0,
        )
        return cls(lambda lib, out, error: lib.vocabulary_new(ctypes.byref(config), out, error))

    @property
    def size(self) -> int:
        """The largest id + 1."""
        return int(self._facts.size)

    @property
    def padded_size(self) -> int:
        """How wide the logits are, at least `size`; bits of the padding are always 0."""
        return int(self._facts.padded_size)

    @property
    def words(self) -> int:
        """32-bit words of a mask's row: ceil(padded_size / 32)."""
        return int(self._facts.mask_words)

    @property
    def end_tokens(self) -> tuple[int, ...]:
        """The ids that end an output, ascending."""
        return self._end

    @property
    def max_token_length(self) -> int:
        """Bytes of the longest token."""
        return int(self._facts.max_token_length)

    @property
    def hash(self) -> str:
        """Hexadecimal digest, equal for equal vocabularies across processes."""
        return bytes(self._facts.hash).hex()

    def __len__(self) -> int:
        return int(self._facts.size)

    def __repr__(self) -> str:
        return f"<sluice.Vocabulary of {self.size} tokens, {self.words} words a row, end tokens {list(self._end)}>"

    def _token(self, token: int) -> tuple[bytes, int]:
        if not 0 <= token < self.size:
            raise IndexError(f"token {token} of {self.size}")
        handle, error = self._live(), _library.scratch()
        buffer = ctypes.create_string_buffer(max(self.max_token_length, 256))
        length, flags = ctypes.c_size_t(), ctypes.c_uint32()
        for _ in range(2):
            status = self._library.vocabulary_token(
                handle, token, buffer, len(buffer), ctypes.byref(length), ctypes.byref(flags), ctypes.byref(error)
            )
            _library.check(status, error)
            if length.value <= len(buffer):
                break
            buffer = ctypes.create_string_buffer(length.value)
        return buffer.raw[: length.value], flags.value

    def token_bytes(self, token: int) -> bytes:
        """Returns the token's bytes (of a special token, the text that it spells), b"" for an id without bytes."""
        return self._token(token)[0]

    def is_special(self, token: int) -> bool:
        """Says whether the token is a control signal."""
        return bool(self._token(token)[1] & _abi.TOKEN_SPECIAL)

    def is_added(self, token: int) -> bool:
        """Says whether the token is ordinary text outside the merges."""
        return bool(self._token(token)[1] & _abi.TOKEN_ADDED)

    def token_id(self, text: str) -> int | None:
        """Returns the special or added token that is spelled so, None if there is none."""
        raw, found, error = text.encode(), ctypes.c_uint32(), _library.scratch()
        status = self._live() and self._library.vocabulary_token_id(
            self._handle, raw, len(raw), ctypes.byref(found), ctypes.byref(error)
        )
        if status == ArgumentError.code:
            return None
        _library.check(status, error)
        return found.value


def _options(end_tokens: Iterable[int] | None, padded_size: int | None) -> _abi.VocabularyOptions:
    options = _abi.VocabularyOptions(padded_size=padded_size or 0)
    if end_tokens is not None:
        end = ids_array(end_tokens, "end_tokens")
        options.end_tokens, options.n_end_tokens = end, len(end)
    return options
