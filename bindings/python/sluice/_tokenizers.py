"""Reads tokenizer objects by their attributes, without importing any tokenizer's package.

Each reader returns a `Tokens`: either a text that the library parses like a file, so that one place decides about
bytes, or the bytes themselves if the object has them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ._abi import Format

# How a vocabulary spells bytes as text, as decoders of tokenizer.json.
SPELLINGS: dict[str, Any] = {
    "byte_level": {"type": "ByteLevel"},
    "byte_fallback": {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
        ],
    },
    "raw": {"type": "Fuse"},
}

# llama.cpp's types of tokens, and its names of tokenizers.
_CONTROL, _USER_DEFINED, _UNUSED = 3, 4, 5
_UNKNOWN = 2
LLAMA_CPP = {"gpt2": "byte_level", "llama": "byte_fallback"}


class Tokens(NamedTuple):
    """The tokens of an object."""

    data: bytes | None  # a file's content, of this format; or None, and the members below apply
    format: Format
    tokens: list[bytes | None]
    special: list[int]
    added: list[int]
    end: list[int]  # ids that the object itself says end an output


def _file(data: bytes, format: Format, end: Iterable[int | None] = ()) -> Tokens:
    return Tokens(data, format, [], [], [], [t for t in end if t is not None and t >= 0])


def _written(
    model: dict[str, Any], spelling: str, added: Iterable[tuple[int, str, bool]], end: Iterable[Any]
) -> Tokens:
    """Returns a vocabulary as the text of a tokenizer.json."""
    if spelling not in SPELLINGS:
        raise ValueError(f"spelling {spelling!r} is none of {', '.join(SPELLINGS)}")
    extra = [{"id": i, "content": text, "special": special} for i, text, special in added]
    made = {"model": model, "decoder": SPELLINGS[spelling], "added_tokens": extra}
    return _file(json.dumps(made).encode(), "tokenizer_json", end)


def vocab(
    vocab: Mapping[str, int] | Sequence[str],
    spelling: str,
    special: Iterable[int] = (),
    added: Iterable[int] = (),
    end: Iterable[int | None] = (),
) -> Tokens:
    """Reads the result of `get_vocab()`, or a list of spelled tokens."""
    special, ordinary = set(special), set(added)
    if isinstance(vocab, Mapping):
        items = [(text, i) for text, i in vocab.items()]
        model: dict[str, Any] = {"type": "BPE", "vocab": dict(items), "merges": []}
    else:
        items = [(text, i) for i, text in enumerate(vocab)]
        model = {"type": "Unigram", "unk_id": None, "vocab": [[text, 0.0] for text, _ in items]}
    for text, _ in items:
        if not isinstance(text, str):
            raise TypeError(f"a vocabulary's tokens are strings here, not {type(text).__name__}: see from_tokens")
    marked = [(i, text, i in special) for text, i in items if i in special or i in ordinary]
    return _written(model, spelling, marked, end)


def llama_cpp(texts: Sequence[str | bytes], types: Sequence[int], model: str, end: Iterable[int | None]) -> Tokens:
    """Reads the arrays of a GGUF file or of llama.cpp."""
    if model not in LLAMA_CPP:
        raise ValueError(f"llama.cpp's tokenizer {model!r} is none of {', '.join(LLAMA_CPP)}")
    if len(types) != len(texts):
        raise ValueError(f"{len(texts)} tokens and {len(types)} types")
    names = [t.decode("utf-8", "replace") if isinstance(t, (bytes, bytearray)) else t for t in texts]
    special = [i for i, kind in enumerate(types) if kind in (_CONTROL, _UNKNOWN, _UNUSED)]
    added = [i for i, kind in enumerate(types) if kind == _USER_DEFINED]
    return vocab(names, LLAMA_CPP[model], special, added, end)


def tiktoken(encoding: Any) -> Tokens:
    """Reads a tiktoken.Encoding."""
    tokens: list[bytes | None] = []
    for i in range(encoding.n_vocab):
        try:
            tokens.append(encoding.decode_single_token_bytes(i))
        except KeyError:
            tokens.append(None)
    special = [encoding.encode_single_token(text) for text in encoding.special_tokens_set]
    try:
        end = [encoding.eot_token]
    except KeyError:
        end = []
    return Tokens(None, "auto", tokens, sorted(special), [], end)


def sentencepiece(processor: Any) -> Tokens:
    """Reads a SentencePieceProcessor."""
    return _file(processor.serialized_model_proto(), "sentencepiece", [processor.eos_id()])


def tekken(tokenizer: Any) -> Tokens:
    """Reads a Tekkenizer of mistral-common."""
    special = [i for i in range(tokenizer.n_words) if tokenizer.is_special(i)]
    tokens: list[bytes | None] = [tokenizer.id_to_byte_piece(i) for i in range(tokenizer.n_words)]
    for i in special:
        tokens[i] = tokenizer.id_to_piece(i).encode()
    return Tokens(None, "auto", tokens, special, [], [tokenizer.eos_id])


def _of(thing: Any) -> Tokens | None:
    """Reads an object whose kind is known by its methods."""
    if callable(getattr(thing, "to_str", None)):
        return _file(thing.to_str().encode(), "tokenizer_json")
    if callable(getattr(thing, "serialized_model_proto", None)):
        return sentencepiece(thing)
    if callable(getattr(thing, "decode_single_token_bytes", None)) and hasattr(thing, "n_vocab"):
        return tiktoken(thing)
    if callable(getattr(thing, "id_to_byte_piece", None)) and hasattr(thing, "n_words"):
        return tekken(thing)
    return None


# The attributes in which tokenizers keep the tokenizer inside.
_INSIDE = (
    "backend_tokenizer",
    "sp_model",
    "instruct_tokenizer",
    "tokenizer",
    "_model",
    "model",
    "encoder",
    "tok",
    "_tokenizer",
)


def find(tokenizer: Any, depth: int = 3) -> Tokens | None:
    """Reads an object, or the tokenizer inside it; None if neither is known."""
    if tokenizer is None or isinstance(tokenizer, (str, bytes, int, float, dict, list, tuple)):
        return None
    found = _of(tokenizer)
    for name in _INSIDE if depth and found is None else ():
        inner = getattr(tokenizer, name, None)
        found = found or (_renumbered(tokenizer, inner) if name == "sp_model" else None) or find(inner, depth - 1)
    return found


def _renumbered(tokenizer: Any, processor: Any) -> Tokens | None:
    """Reads a tokenizer that numbers the pieces of its SentencePiece model itself, as fairseq's do; None for others."""
    if not callable(getattr(processor, "id_to_piece", None)) or not callable(getattr(tokenizer, "get_vocab", None)):
        return None
    known = tokenizer.get_vocab()
    for i in range(processor.get_piece_size()):
        if known.get(processor.id_to_piece(i), i) != i and not processor.is_control(i) and not processor.is_unknown(i):
            return slow(tokenizer, "byte_fallback")
    return None


def constructor(thing: Any) -> str | None:
    """Returns the method of Vocabulary that reads an object of a tokenizer's package, None for other objects."""
    if callable(getattr(thing, "serialized_model_proto", None)):
        return "from_sentencepiece"
    if callable(getattr(thing, "decode_single_token_bytes", None)):
        return "from_tiktoken"
    known = find(thing) is not None or callable(getattr(thing, "get_vocab", None))
    return "from_huggingface" if known else None


def expect(thing: Any, method: str, wanted: str) -> None:
    """Raises TypeError, which names the right method, if an object is not a parameter of `method` of Vocabulary."""
    if constructor(thing) != method:
        raise TypeError(f"{method} takes {wanted}, not {type(thing).__name__}: {how(thing)}")


def how(*given: Any) -> str:
    """Returns the right way to make a Vocabulary from an object."""
    if not given:
        return (
            "from_huggingface(tokenizer) of a tokenizer object, from_file(path) of a tokenizer's file, "
            "from_tiktoken, from_sentencepiece, from_mistral, from_llama_cpp, from_vocab, from_data or from_tokens"
        )
    thing = given[0]
    if isinstance(thing, (str, os.PathLike)):
        path = os.fspath(thing)
        if os.path.isfile(path):
            return f"Vocabulary.from_file({path!r})"
        return no_file(os.fsdecode(path)) or "Vocabulary.from_file(path) reads a file, from_data(text) its content"
    if isinstance(thing, (bytes, bytearray, memoryview)):
        return "Vocabulary.from_data(data)"
    if isinstance(thing, Mapping):
        return 'Vocabulary.from_vocab(vocab, spelling), where spelling is "byte_level", "byte_fallback" or "raw"'
    if isinstance(thing, (list, tuple)):
        return "Vocabulary.from_tokens(tokens) of bytes, or Vocabulary.from_vocab(vocab, spelling) of strings"
    if (method := constructor(thing)) is not None:
        return f"pass the {type(thing).__name__} to Vocabulary.{method}"
    return f"{type(thing).__name__} is no tokenizer that Sluice knows; {how()}"


_MODEL_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")  # with its owner, as hubs write it


def no_file(path: str) -> str:
    """Returns a hint for a path that is no file: a folder with a tokenizer in it, or a model's name; else ""."""
    if os.path.isdir(path):
        inside = [n for n in ("tokenizer.json", "tokenizer.model", "tekken.json") if os.path.isfile(f"{path}/{n}")]
        return f"this is a folder; its tokenizer is {os.path.join(path, inside[0])!r}" if inside else ""
    if (
        os.path.exists(path)
        or not _MODEL_NAME.fullmatch(path)
        or path.endswith((".json", ".model", ".gz", ".tiktoken", ".txt"))
    ):
        return ""
    return (
        f"{path!r} may be a model's name, and Sluice downloads nothing: load the tokenizer with transformers, "
        f"Vocabulary.from_huggingface(AutoTokenizer.from_pretrained({path!r})), or pass the path of its tokenizer.json "
        "to Vocabulary.from_file"
    )


def given(tokenizer: Any) -> Mapping[int, Any]:
    """Returns the tokens that a wrapper adds to the tokenizer inside, by id; {} if it does not tell."""
    more = getattr(tokenizer, "added_tokens_decoder", None)  # a method that raises in transformers' Mistral tokenizers
    return more if isinstance(more, Mapping) else {}


def slow(tokenizer: Any, spelling: str = "") -> Tokens | None:
    """Reads a tokenizer in Python by its `get_vocab()`; None if nothing says how that spells bytes."""
    if not callable(getattr(tokenizer, "get_vocab", None)):
        return None
    known = tokenizer.get_vocab()
    if isinstance(getattr(tokenizer, "byte_decoder", None), Mapping):
        spelling = "byte_level"
    elif "<0x0A>" in known:
        spelling = "byte_fallback"
    elif not spelling:
        return None
    marked = given(tokenizer)
    special = {*getattr(tokenizer, "all_special_ids", ()), *(i for i, t in marked.items() if t.special)}
    known = {t: i for t, i in known.items() if i not in marked}
    known.update((str(t), i) for i, t in marked.items())
    return vocab(known, spelling, special, set(marked) - special, [getattr(tokenizer, "eos_token_id", None)])
