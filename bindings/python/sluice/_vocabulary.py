"""Vocabulary: token ids and their bytes, as the library holds them."""

from __future__ import annotations

import array
import ctypes
import operator
import os
import warnings
import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Literal, NamedTuple

from . import _abi, _library, _tokenizers
from ._abi import Format
from ._errors import ArgumentError, FileError, ForkedError, UnsupportedError
from ._ids import ids_array

if TYPE_CHECKING:
    from ._typing import SentencePieceProcessor, TiktokenEncoding


class Vocabulary:
    """Maps the ids of a model's tokens to bytes, and knows special, added and end tokens. Immutable; thread-safe.

    Make one per model: with `from_huggingface` of a tokenizer object, or with one of the other `from_` methods.
    """

    __slots__ = ("__dict__", "__weakref__", "_end", "_facts", "_handle", "_library", "_make")

    _make: Callable[[_library.Library, Any, Any], int]
    _file: _File | None = None  # the tokenizer's file, if the vocabulary has its tokenizer

    def __init__(self, *given: Any, **more: Any) -> None:
        """Raises TypeError, which names the `from_` method for the object."""
        raise TypeError(f"a Vocabulary is made by one of its from_ methods: {_tokenizers.how(*given[:1])}")

    @classmethod
    def _made(cls, make: Callable[[_library.Library, Any, Any], int], file: _File | None = None) -> Vocabulary:
        """Returns a vocabulary; `make` calls one of the constructors of the C interface."""
        self = cls.__new__(cls)
        self._make = make  # kept, with the data in it, for a forked child
        self._file = file
        self._handle = 0
        self._open()
        return self

    def _open(self, expected: bytes | None = None) -> None:
        """Makes it. With a hash it must have that one, and is as it was if it has not."""
        lib = _library.library()
        handle, error = ctypes.c_uint64(), _library.scratch()
        try:
            _library.check(self._make(lib, ctypes.byref(handle), ctypes.byref(error)), error)
            facts = _abi.VocabularyFacts()
            _library.check(lib.vocabulary_info(handle, ctypes.byref(facts), ctypes.byref(error)), error)
            if expected is not None and bytes(facts.hash) != expected:
                raise ForkedError("the vocabulary's file has changed since the parent process read it", code=12)
            end = (ctypes.c_uint32 * facts.n_end_tokens)()
            _library.check(lib.vocabulary_end_tokens(handle, end, len(end), None, ctypes.byref(error)), error)
            self._facts, self._end = facts, tuple(end)
            # The handle first: a thread that sees the new library without the lock must see its handle too.
            self._handle = handle.value
            self._library = lib
        except BaseException:  # a signal's handler may raise at any line
            self._handle = 0
            lib.vocabulary_free(handle)
            raise
        _alive[self._key()] = self

    def _key(self) -> Any:
        return self.hash, self.padded_size, self._end, self.has_tokenizer

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self._library.vocabulary_free(self._handle)

    def _live(self) -> int:
        """Returns the handle in this process's library; in a forked child the vocabulary is read again first."""
        if self._library.inherited:
            with _library.remaking():
                if self._library.inherited:
                    self._open(bytes(self._facts.hash))
        return self._handle

    def __reduce__(self) -> Any:
        if self._file is not None:
            return _read_again, (self._key(), self._file)
        texts, flags = self._all()
        lengths = array.array("I", map(len, texts)).tobytes()
        return _again, (self.hash, b"".join(texts), lengths, bytes(flags), self._end, self.padded_size)

    def __copy__(self) -> Vocabulary:
        return self  # immutable

    def __deepcopy__(self, memo: Any) -> Vocabulary:
        return self

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        end_tokens: Iterable[int] | None = None,
        padded_size: int | None = None,
        keep_tokenizer: bool = False,
    ) -> Vocabulary:
        """Reads a tokenizer's file: tokenizer.json, tiktoken ranks or SentencePiece .model, gzipped or not.

        Args:
            path: the file, a regular one of at most 128 MiB, also unpacked.
            end_tokens: all ids that end an output; found by their well-known names if None.
            padded_size: how wide the engine's logits are; ids beyond are dropped. None: as many as there are ids.
            keep_tokenizer: also read how the tokenizer cuts text, for `Matcher.forced_tokens` and `Matcher.drafts`. It
                takes some 20 MB for 128,000 tokens, and half a second.

        Raises:
            UnsupportedError: with `keep_tokenizer`, a file of which Sluice cannot reproduce the cut exactly.
            FileError: the file cannot be read; for a model's name, the message says how to load its tokenizer.
            ConstraintError: the file is not a tokenizer's, or is damaged.
        """
        name = os.fsencode(os.path.abspath(path))  # a forked child reads it again, wherever it is then
        try:
            made = cls._read(_File(None, name, end_tokens, padded_size), keep_tokenizer)
        except FileError as e:
            if hint := _tokenizers.no_file(os.fsdecode(path)):
                raise FileError(f"{e.message}: {hint}", code=e.code, source=e.source) from None
            raise
        return made._said(end_tokens)

    @classmethod
    def from_data(
        cls,
        data: str | bytes,
        format: Format = "auto",
        *,
        end_tokens: Iterable[int] | None = None,
        padded_size: int | None = None,
        keep_tokenizer: bool = False,
    ) -> Vocabulary:
        """Reads a tokenizer file's content.

        `format` is "auto", "tokenizer_json", "tiktoken", "sentencepiece", "tekken" or "sluice" (`Compiler.save`). The
        other arguments are as for `from_file`.
        """
        if format not in _abi.FORMATS:
            raise ValueError(f"format {format!r} is none of {', '.join(_abi.FORMATS)}")
        raw = data.encode() if isinstance(data, str) else bytes(memoryview(data))
        return cls._read(_File(_abi.FORMATS[format], raw, end_tokens, padded_size), keep_tokenizer)._said(end_tokens)

    @classmethod
    def _read(cls, file: _File, keep_tokenizer: bool) -> Vocabulary:
        ends = None if file.end_tokens is None else tuple(file.end_tokens)
        file = file._replace(end_tokens=ends)
        options, raw, number = _options(ends, file.padded_size, keep_tokenizer), file.raw, file.format

        def make(lib: _library.Library, out: Any, error: Any) -> int:
            if number is None:
                return lib.vocabulary_from_file(raw, len(raw), ctypes.byref(options), out, error)
            return lib.vocabulary_from_data(number, raw, len(raw), ctypes.byref(options), out, error)

        return cls._made(make, file if keep_tokenizer else None)

    def _said(self, end_tokens: Any) -> Vocabulary:
        """Warns if the caller has not named the tokens that end an output and none is found; () says that there are
        none."""
        if end_tokens is None and not self._end:
            warnings.warn(
                "this vocabulary names no end token: pass end_tokens, or stop_tokens to every matcher; "
                "otherwise no output can end",
                stacklevel=3,
            )
        return self

    @classmethod
    def from_tokenizer_json(
        cls,
        text: str | bytes,
        *,
        end_tokens: Iterable[int] | None = None,
        padded_size: int | None = None,
        keep_tokenizer: bool = False,
    ) -> Vocabulary:
        """Reads the text of a tokenizer.json, as `tokenizers.Tokenizer.to_str()` returns it."""
        return cls.from_data(
            text, "tokenizer_json", end_tokens=end_tokens, padded_size=padded_size, keep_tokenizer=keep_tokenizer
        )

    @classmethod
    def from_huggingface(
        cls,
        tokenizer: object,
        *,
        end_tokens: int | Iterable[int] | None = None,
        padded_size: int | None = None,
        keep_tokenizer: bool = False,
    ) -> Vocabulary:
        """Reads a tokenizer object, fast or slow, of Hugging Face transformers, or the tokenizer inside it. Neither
        package is imported.

        Args:
            tokenizer: any tokenizer that has one of tokenizers, SentencePiece, tiktoken or mistral-common inside, or is
                one; or one in Python that spells bytes as GPT-2 or Llama 2 do.
            end_tokens: all ids that end an output, best `model.generation_config.eos_token_id`, one number or several.
                None: the tokenizer's own, and those that have well-known names.
            padded_size: how wide the model's logits are, `model.config.vocab_size`; ids beyond are dropped. None: as
                many as there are ids.
            keep_tokenizer: as for `from_file`; for fast tokenizers and SentencePiece.

        Raises:
            TypeError: the object does not show its tokens.
            UnsupportedError: with `keep_tokenizer`, a tokenizer whose cut Sluice cannot reproduce exactly.
            ValueError: it has no end token.
        """
        read = _tokenizers.find(tokenizer) or _tokenizers.slow(tokenizer)
        if read is None:
            if isinstance(tokenizer, (str, bytes, os.PathLike, Mapping, list, tuple)) or tokenizer is None:
                raise TypeError(f"from_huggingface takes a tokenizer object: {_tokenizers.how(tokenizer)}")
            raise TypeError(
                f"{type(tokenizer).__name__} does not show what its tokens are: it is no tokenizer of tokenizers, "
                "SentencePiece, tiktoken or mistral-common, and has none inside. Load it with "
                "transformers.AutoTokenizer.from_pretrained(name, use_fast=True), or pass its get_vocab() to "
                "Vocabulary.from_vocab, or its file to Vocabulary.from_file"
            )
        own = [getattr(tokenizer, "eos_token_id", None)]
        more = {} if read.format == "tokenizer_json" else _tokenizers.given(tokenizer)
        if more:
            read = cls._with_added(read, more)
        return cls._of(read, end_tokens, padded_size, type(tokenizer).__name__, own, keep_tokenizer)

    @classmethod
    def from_tiktoken(
        cls,
        encoding: TiktokenEncoding,
        *,
        end_tokens: int | Iterable[int] | None = None,
        padded_size: int | None = None,
    ) -> Vocabulary:
        """Reads a `tiktoken.Encoding`; the arguments are as for `from_huggingface`."""
        _tokenizers.expect(encoding, "from_tiktoken", "a tiktoken.Encoding")
        return cls._of(_tokenizers.tiktoken(encoding), end_tokens, padded_size, "this encoding")

    @classmethod
    def from_sentencepiece(
        cls,
        processor: SentencePieceProcessor,
        *,
        end_tokens: int | Iterable[int] | None = None,
        padded_size: int | None = None,
        keep_tokenizer: bool = False,
    ) -> Vocabulary:
        """Reads a `sentencepiece.SentencePieceProcessor`; the arguments are as for `from_huggingface`."""
        _tokenizers.expect(processor, "from_sentencepiece", "a sentencepiece.SentencePieceProcessor")
        read = _tokenizers.sentencepiece(processor)
        return cls._of(read, end_tokens, padded_size, "this model", (), keep_tokenizer)

    @classmethod
    def from_mistral(
        cls,
        tokenizer: object,
        *,
        end_tokens: int | Iterable[int] | None = None,
        padded_size: int | None = None,
        keep_tokenizer: bool = False,
    ) -> Vocabulary:
        """Reads a tokenizer of mistral-common: a `MistralTokenizer`, or the Tekkenizer or SentencePiece model in it;
        the arguments are as for `from_huggingface`."""
        return cls.from_huggingface(
            tokenizer, end_tokens=end_tokens, padded_size=padded_size, keep_tokenizer=keep_tokenizer
        )

    @classmethod
    def from_llama_cpp(
        cls,
        tokens: Sequence[str | bytes],
        types: Sequence[int],
        *,
        model: Literal["gpt2", "llama"],
        end_tokens: int | Iterable[int] | None = None,
        padded_size: int | None = None,
    ) -> Vocabulary:
        """Builds a vocabulary from the arrays of llama.cpp or of a GGUF file.

        Args:
            tokens: `tokenizer.ggml.tokens`: the text of every token.
            types: `tokenizer.ggml.token_type`: llama.cpp's number for the kind of every token.
            model: `tokenizer.ggml.model`: "gpt2" or "llama".
            end_tokens: `tokenizer.ggml.eos_token_id`, and further ids that end an output. None: those that have
                well-known names.
            padded_size: how wide the logits are.
        """
        return cls._of(_tokenizers.llama_cpp(tokens, types, model, ()), end_tokens, padded_size, "this vocabulary")

    @classmethod
    def from_vocab(
        cls,
        vocab: Mapping[str, int] | Sequence[str],
        spelling: Literal["byte_level", "byte_fallback", "raw"],
        *,
        end_tokens: int | Iterable[int] | None = None,
        special: Iterable[int] = (),
        added: Iterable[int] = (),
        padded_size: int | None = None,
    ) -> Vocabulary:
        """Builds a vocabulary from a tokenizer's `get_vocab()`: tokens as text that spells bytes.

        Args:
            vocab: the id of every token, or a list of tokens.
            spelling: how text spells bytes: "byte_level" ("Ġ" is a space, as in GPT-2), "byte_fallback" ("▁" is a
                space and "<0x0A>" a byte, as in Llama 2) or "raw" (the text is the token).
            end_tokens: all ids that end an output. None: those that have well-known names.
            special: ids that are control signals; their text is taken as it is.
            added: ids that are ordinary text outside the merges; theirs too.
            padded_size: how wide the logits are.
        """
        read = _tokenizers.vocab(vocab, spelling, special, added)
        return cls._of(read, end_tokens, padded_size, "this vocabulary")

    @classmethod
    def _with_added(cls, read: _tokenizers.Tokens, more: Mapping[int, Any]) -> _tokenizers.Tokens:
        """Puts tokens that a tokenizer has been given by its wrapper over those that it has itself."""
        if read.data is not None:
            base = cls.from_data(read.data, read.format, end_tokens=())
            tokens: list[bytes | None] = list(base.tokens())
            special, added = set(base.special_tokens), set(base.added_tokens)
        else:
            tokens, special, added = list(read.tokens), set(read.special), set(read.added)
        tokens += [None] * (max(more) + 1 - len(tokens))
        for i, token in more.items():
            tokens[i] = str(token).encode()
            special.discard(i)
            added.discard(i)
            (special if token.special else added).add(i)
        return read._replace(data=None, tokens=tokens, special=sorted(special), added=sorted(added))

    @classmethod
    def _of(
        cls,
        read: _tokenizers.Tokens,
        end_tokens: int | Iterable[int] | None,
        padded_size: int | None,
        name: str,
        own: Iterable[int | None] = (),
        keep_tokenizer: bool = False,
    ) -> Vocabulary:
        """Makes a vocabulary from a tokenizer's tokens. Without given end tokens it takes the tokenizer's own and
        well-known names."""

        def make(ends: Iterable[int] | None) -> Vocabulary:
            if read.data is not None:
                return cls._read(_File(_abi.FORMATS[read.format], read.data, ends, padded_size), keep_tokenizer)
            if keep_tokenizer:
                raise UnsupportedError(
                    f"{name} does not show how it cuts text: read its tokenizer.json or tekken.json with "
                    "Vocabulary.from_file",
                    code=UnsupportedError.code,
                )
            return cls._from_tokens(read.tokens, ends, read.special, read.added, padded_size)

        if end_tokens is not None:
            return make((end_tokens,) if isinstance(end_tokens, int) else end_tokens)
        found = make(None)
        missing = {t for t in (*read.end, *own) if t is not None and 0 <= t < found.size} - set(found.end_tokens)
        if missing:
            return make((*found.end_tokens, *sorted(missing)))
        if not found.end_tokens:
            raise ValueError(f"{name} names no end token: pass end_tokens, or no output can end")
        return found

    @classmethod
    def from_tokens(
        cls,
        tokens: Sequence[bytes | None],
        *,
        end_tokens: Iterable[int] | None = None,
        special: Iterable[int] = (),
        added: Iterable[int] = (),
        padded_size: int | None = None,
    ) -> Vocabulary:
        """Builds a vocabulary from exact bytes, token i at index i. An id with None or b"" is never text.

        Args:
            tokens: the bytes of every id; of a special token, the text that it spells.
            end_tokens: all ids that end an output; found among the special ones by their well-known names if None.
            special: ids that are control signals, which ordinary text may not use.
            added: ids that are ordinary text outside the merges ("<tool_call>").
            padded_size: how wide the engine's logits are; ids beyond are dropped. None: as many as there are ids.
        """
        if any(isinstance(t, str) for t in tokens):
            raise TypeError("tokens are bytes; for a tokenizer's spelling of them there is from_vocab")
        return cls._from_tokens(tokens, end_tokens, special, added, padded_size)._said(end_tokens)

    @classmethod
    def _from_tokens(
        cls,
        tokens: Sequence[bytes | None],
        end_tokens: Iterable[int] | None,
        special: Iterable[int],
        added: Iterable[int],
        padded_size: int | None,
    ) -> Vocabulary:
        n, flags = len(tokens), bytearray(len(tokens))
        for bit, ids in ((_abi.TOKEN_SPECIAL, special), (_abi.TOKEN_ADDED, added)):
            for i in ids:
                if not 0 <= i < n:
                    raise ValueError(f"id {i} of special or added tokens is not below {n}")
                flags[i] |= bit
        return cls._flagged([t or b"" for t in tokens], bytes(flags), end_tokens, padded_size)

    @classmethod
    def _flagged(
        cls, parts: Sequence[bytes], flags: bytes, end_tokens: Iterable[int] | None, padded_size: int | None
    ) -> Vocabulary:
        n, blob = len(parts), b"".join(parts)
        offsets, at = (ctypes.c_uint64 * (n + 1))(), 0
        for i, part in enumerate(parts):
            at += len(part)
            offsets[i + 1] = at
        config = _abi.VocabularyConfig(
            n_tokens=n, bytes=blob, offsets=offsets, flags=flags, padded_size=_width(padded_size)
        )
        if end_tokens is not None:
            end = ids_array(end_tokens, "end_tokens")
            config.end_tokens, config.n_end_tokens = end, len(end)
        return cls._made(lambda lib, out, error: lib.vocabulary_new(ctypes.byref(config), out, error))

    @property
    def size(self) -> int:
        """The largest id + 1."""
        return int(self._facts.size)

    @property
    def padded_size(self) -> int:
        """The number of logits, at least `size`. Masks have 0 bits for the padding."""
        return int(self._facts.padded_size)

    @property
    def words(self) -> int:
        """The 32-bit words in a row of a mask: ceil(padded_size / 32)."""
        return int(self._facts.mask_words)

    @property
    def end_tokens(self) -> tuple[int, ...]:
        """The ids that end an output, ascending."""
        return self._end

    @property
    def max_token_length(self) -> int:
        """The number of bytes of the longest token."""
        return int(self._facts.max_token_length)

    @property
    def has_tokenizer(self) -> bool:
        """Whether it was made with `keep_tokenizer=True`, for `Matcher.forced_tokens` and `Matcher.drafts`."""
        return self._file is not None

    @property
    def hash(self) -> str:
        """The hexadecimal digest of the vocabulary; equal vocabularies have equal ones in all processes."""
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

    def tokens(self) -> list[bytes]:
        """Returns the bytes of all tokens as a new list, b"" for ids without bytes."""
        return self._all()[0]

    @property
    def special_tokens(self) -> list[int]:
        """All ids that are control signals, ascending; read from the library."""
        return [i for i, flags in enumerate(self._all()[1]) if flags & _abi.TOKEN_SPECIAL]

    @property
    def added_tokens(self) -> list[int]:
        """All ids that are ordinary text outside the merges, ascending; read from the library."""
        both = _abi.TOKEN_ADDED | _abi.TOKEN_SPECIAL
        return [i for i, flags in enumerate(self._all()[1]) if flags & both == _abi.TOKEN_ADDED]

    def _all(self) -> tuple[list[bytes], list[int]]:
        # PERF: _token makes a buffer and cells for each call: 6 µs a token instead of 1.
        handle, error = self._live(), _library.scratch()
        read, size = self._library.vocabulary_token, max(self.max_token_length, 256)
        buffer, length, flags = ctypes.create_string_buffer(size), ctypes.c_size_t(), ctypes.c_uint32()
        cells = ctypes.byref(length), ctypes.byref(flags), ctypes.byref(error)
        texts, marks = [], []
        for token in range(self.size):
            _library.check(read(handle, token, buffer, size, *cells), error)
            n = length.value
            texts.append(ctypes.string_at(buffer, n) if n <= size else self.token_bytes(token))
            marks.append(flags.value)
        return texts, marks

    def decode(self, tokens: Iterable[int], *, skip_special_tokens: bool = True, errors: str = "replace") -> str:
        """Returns the text of tokens. End tokens have no text here.

        Args:
            tokens: the ids.
            skip_special_tokens: leave special tokens out; otherwise each is the text that it spells.
            errors: the treatment of bytes that are not UTF-8, as for `bytes.decode`.

        Raises:
            IndexError: an id is outside the vocabulary.
        """
        parts = []
        for token in tokens:
            text, flags = self._token(operator.index(token))
            if token not in self._end and not (skip_special_tokens and flags & _abi.TOKEN_SPECIAL):
                parts.append(text)
        return b"".join(parts).decode(errors=errors)

    def token_bytes(self, token: int) -> bytes:
        """Returns the token's bytes (of a special token, the text that it spells), b"" for an id without bytes."""
        return self._token(token)[0]

    def is_special(self, token: int) -> bool:
        """Returns whether the token is a control signal."""
        return bool(self._token(token)[1] & _abi.TOKEN_SPECIAL)

    def is_added(self, token: int) -> bool:
        """Returns whether the token is ordinary text outside the merges."""
        return bool(self._token(token)[1] & _abi.TOKEN_ADDED)

    def token_id(self, text: str) -> int | None:
        """Returns the id of the special or added token with this spelling, None without one."""
        raw, found, error = text.encode(), ctypes.c_uint32(), _library.scratch()
        status = self._live() and self._library.vocabulary_token_id(
            self._handle, raw, len(raw), ctypes.byref(found), ctypes.byref(error)
        )
        if status == ArgumentError.code:
            return None
        _library.check(status, error)
        return found.value


def _width(padded_size: int | None) -> int:
    if padded_size is not None and not 0 <= padded_size < 1 << 32:
        raise ValueError(f"logits of width {padded_size}")
    return padded_size or 0


class _File(NamedTuple):
    """A tokenizer's file, with the arguments of `Vocabulary.from_file`."""

    format: int | None  # None: raw is its path
    raw: bytes
    end_tokens: Iterable[int] | None
    padded_size: int | None


def _options(
    end_tokens: Iterable[int] | None, padded_size: int | None, keep_tokenizer: bool = False
) -> _abi.VocabularyOptions:
    options = _abi.VocabularyOptions(padded_size=_width(padded_size), keep_tokenizer=keep_tokenizer)
    if end_tokens is not None:
        end = ids_array(end_tokens, "end_tokens")
        options.end_tokens, options.n_end_tokens = end, len(end)
    return options


# Vocabularies of this process by equality, so that objects pickled separately share one again.
_alive: weakref.WeakValueDictionary[Any, Vocabulary] = weakref.WeakValueDictionary()


def _again(digest: str, text: bytes, lengths: bytes, flags: bytes, end: tuple[int, ...], padded: int) -> Vocabulary:
    """Unpickles a vocabulary."""
    known = _alive.get((digest, padded, end, False)) or _alive.get((digest, padded, end, True))
    if known is not None:
        return known
    parts, at = [], 0
    for n in array.array("I", lengths):
        parts.append(text[at : at + n])
        at += n
    return Vocabulary._flagged(parts, flags, end, padded)


def _read_again(key: Any, file: _File) -> Vocabulary:
    """Unpickles a vocabulary that has its tokenizer."""
    made = _alive.get(key) or Vocabulary._read(file, True)
    if made._key() != key:
        raise FileError("the vocabulary's file has changed since it was pickled", code=FileError.code)
    return made
