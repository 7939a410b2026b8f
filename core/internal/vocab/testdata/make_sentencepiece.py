#!/usr/bin/env python3
"""Trains the small SentencePiece models of this directory and records how SentencePiece itself decodes their pieces.

Needs the PyPI package sentencepiece. The text is made up by tests/data/corpus.py. For each piece the JSON holds what it
adds between two letters, which is what Sluice calls its bytes; pieces that stand for a byte are left out, because alone
they are not always text.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import sentencepiece

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / "tests" / "data"))

import corpus  # noqa: E402


def train(name: str, **options: object) -> None:
    lines = [line for text in corpus.corpus(2026, 3000) for line in text.splitlines() if line]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        minloglevel=2,
        num_threads=1,
        **options,
    )
    data = model.getvalue()
    (HERE / f"{name}.model").write_bytes(data)
    sp = sentencepiece.SentencePieceProcessor(model_proto=data)
    letter = sp.piece_to_id("a")
    around = sp.decode([letter, letter])
    expected = {}
    for i in range(sp.get_piece_size()):
        if sp.is_byte(i):
            continue
        text = sp.decode([letter, i, letter])
        assert text[0] == around[0] and text[-1] == around[-1], text
        expected[i] = {
            "text": text[1:-1],
            "special": sp.is_control(i) or sp.is_unknown(i),
            "piece": sp.id_to_piece(i),
        }
    out = ",\n".join(f'"{i}":{json.dumps(entry, ensure_ascii=False)}' for i, entry in expected.items())
    (HERE / f"{name}.expected.json").write_text("{" + out + "}\n", encoding="utf-8")


if __name__ == "__main__":
    train(
        "unigram",
        model_type="unigram",
        vocab_size=700,
        byte_fallback=True,
        character_coverage=0.98,
        user_defined_symbols=["<tool_call>", "▁▁▁▁", "\n"],
        control_symbols=["<|im_end|>"],
    )
    train("bpe", model_type="bpe", vocab_size=600, character_coverage=0.98, treat_whitespace_as_suffix=True)
