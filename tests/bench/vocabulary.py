"""The vocabulary of a benchmark: the source of every engine's own, and the tokenizer of instances.

`Vocabulary.read` takes a tekken.json (Mistral's format, read by tiktoken) or a tokenizer.json with byte-level BPE (read
by tokenizers), plain or compressed.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

# The end token of a tokenizer.json is the first of these that it has.
END_NAMES = ["<|eot_id|>", "<|end_of_text|>", "<|im_end|>", "<|endoftext|>", "<|end|>", "<eos>", "</s>"]
TEKKEN = "data/tekken_240911.json"  # in the package mistral_common


class Vocabulary(NamedTuple):
    """Tokens by id, with what engines want besides."""

    path: Path
    tokens: list[bytes]  # empty for special tokens
    end: int
    encode: Callable[[str], list[int]]
    text: str | None = None  # of a tokenizer.json
    tiktoken: Any = None  # the encoding of a tekken.json

    @property
    def words(self) -> int:
        return (len(self.tokens) + 31) // 32

    @classmethod
    def read(cls, path: Path) -> Vocabulary:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
        content = json.loads(text)
        return _tekken(path, content) if "config" in content else _byte_level(path, text, content)


def standard() -> Path:
    """Returns the vocabulary that the benchmark uses unless another is named: 131,072 tokens, Apache-2.0."""
    import importlib.util

    spec = importlib.util.find_spec("mistral_common")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the package mistral_common, which has the vocabulary, is not installed")
    return Path(spec.origin).parent / TEKKEN


def _tekken(path: Path, content: dict[str, Any]) -> Vocabulary:
    import tiktoken

    config = content["config"]
    special, size = config["default_num_special_tokens"], config["default_vocab_size"]
    plain = [base64.b64decode(entry["token_bytes"]) for entry in content["vocab"][: size - special]]
    encoding = tiktoken.Encoding(
        path.stem,
        pat_str=config["pattern"],
        mergeable_ranks={token: special + rank for rank, token in enumerate(plain)},
        special_tokens={f"<SPECIAL_{i}>": i for i in range(special)},
    )
    return Vocabulary(path, [b""] * special + plain, 2, encoding.encode_ordinary, tiktoken=encoding)


def _bytes_of_characters() -> dict[str, int]:
    """Returns the bytes that the characters of byte-level BPE stand for."""
    printable = [b for b in range(256) if 33 <= b <= 126 or 161 <= b <= 172 or b >= 174]
    others = (b for b in range(256) if b not in printable)
    return {chr(b): b for b in printable} | {chr(256 + i): b for i, b in enumerate(others)}


def _byte_level(path: Path, text: str, content: dict[str, Any]) -> Vocabulary:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(text)
    size = tokenizer.get_vocab_size(with_added_tokens=True)
    end = next(i for name in END_NAMES if (i := tokenizer.token_to_id(name)) is not None)
    table, tokens = _bytes_of_characters(), [b""] * size
    for characters, i in content["model"]["vocab"].items():
        tokens[i] = bytes(table[c] for c in characters)
    for token in content["added_tokens"]:
        tokens[token["id"]] = b"" if token["special"] else token["content"].encode()
    return Vocabulary(path, tokens, end, lambda s: tokenizer.encode(s, add_special_tokens=False).ids, text=text)
