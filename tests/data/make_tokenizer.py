#!/usr/bin/env python3
"""Trains tests/data/tokenizer.json.gz: a byte-level BPE of 32,768 ids on text that corpus.py makes up.

    pip install tokenizers==0.23.3
    python tests/data/make_tokenizer.py            # writes the file; 1-2 minutes
    python tests/data/make_tokenizer.py --check    # trains again and compares with the committed file

The result is an ordinary tokenizer.json (ByteLevel), so that the project's readers and any engine load it. Punctuation
may cross a space before more punctuation, and a line end takes its indentation along: `": "`, `"},` and `{\\n    ` are
single tokens, which are hard for masks.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from corpus import corpus

FILE = Path(__file__).with_name("tokenizer.json.gz")
SEED, PIECES, SIZE = 20261121, 60_000, 32_768
SPECIAL = ["<|begin|>", "<|end|>", "<|eot|>", "<|tool|>"]
ADDED = ["<tool_call>", "</tool_call>"]

# The alternatives for one token, in order: contractions; a word with one mark or space before it; up to three digits;
# punctuation runs, over a single space too, with the line end and indentation that follow; blank lines; spaces up to
# the last one before a word.
SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+(?: [^\s\p{L}\p{N}]+)*(?:[\r\n]+[ \t]*)?|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def train() -> str:
    """Returns the text of tokenizer.json."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(SPLIT), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=SIZE - len(ADDED),
        min_frequency=2,
        show_progress=False,
        special_tokens=SPECIAL,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        max_token_length=64,
    )
    tokenizer.train_from_iterator(corpus(SEED, PIECES), trainer)
    tokenizer.add_tokens([AddedToken(t, special=False, normalized=False) for t in ADDED])
    return json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=False, separators=(",", ":"))


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--check", action="store_true", help="compare with the committed file instead of writing it")
    args = ap.parse_args()
    text = train()
    if args.check:
        same = gzip.decompress(FILE.read_bytes()).decode() == text
        print("the committed tokenizer is what this script makes" if same else "DIFFERENT from the committed file")
        return 0 if same else 1
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
