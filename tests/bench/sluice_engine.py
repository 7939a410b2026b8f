"""Sluice for the harness in ../shared/peers: `maskbench.py --engine tests/bench/sluice_engine.py:Sluice`.

It uses the Python binding of this checkout and nothing of it that an engine would not use. There is no cache of
grammars: compiling the same text twice is done twice.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from engine import Engine, Unsupported

from harness_options import options_of

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))

import sluice


class Sluice(Engine):
    """Sluice through its Python binding."""

    name = "sluice"

    def __init__(self, tokenizer_json: str, tokenizer_path: str, n_vocab: int, eos_ids: list[int]):
        self.eos_ids = eos_ids
        vocabulary = sluice.Vocabulary.from_tokenizer_json(tokenizer_json, end_tokens=eos_ids)
        if vocabulary.padded_size < n_vocab:
            vocabulary = sluice.Vocabulary.from_tokenizer_json(tokenizer_json, end_tokens=eos_ids, padded_size=n_vocab)
        self.compiler = sluice.Compiler(vocabulary, cache_bytes=0)  # times of compilations
        # The harness times eng.fill(matcher, row); the binding's own methods take exactly that.
        self.matcher = sluice.Matcher
        self.fill = sluice.Matcher.fill
        self.accept = sluice.Matcher.accept

    def compile(self, kind: str, spec: str, options: dict[str, Any]) -> sluice.Grammar:
        try:
            grammar = self.compiler.compile(kind, spec, **(options_of(options) if options else {}))
        except (sluice.SluiceError, ValueError) as e:
            raise Unsupported(f"{getattr(e, 'name', 'option')}: {e}") from e
        # A note announces texts that may begin but have no completion; there fill raises, and an engine of the harness
        # has an empty row.
        announced = any(note.effect == "dead end" for note in grammar.notes)
        self.fill = fill_or_clear if announced else sluice.Matcher.fill
        return grammar

    def noop(self, matcher: sluice.Matcher) -> None:
        matcher._library.accept_token(matcher._argument, -1)

    def version(self) -> str:
        return sluice.version()


def fill_or_clear(matcher: sluice.Matcher, row: Any) -> None:
    """Fills the row; clears it if nothing is allowed."""
    try:
        matcher.fill(row)
    except sluice.UnsatisfiableError:
        row[:] = 0


class SluiceNotes(Sluice):
    """The same, writing every note of a compilation to stderr as a JSON line: for reading what widened a schema."""

    name = "sluice-notes"

    def compile(self, kind: str, spec: str, options: dict[str, Any]) -> sluice.Grammar:
        grammar = super().compile(kind, spec, options)
        for note in grammar.notes:
            print(json.dumps(note._asdict()), file=sys.stderr)
        return grammar
