"""tests/cases: the cases that the Go core and a C program run, through Python. Its README describes the format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, case_tokens

import sluice
from sluice import _errors

CODES = {cls.name: cls for cls in _errors.CLASSES.values()}


def marks(case: dict[str, Any]) -> list[Any]:
    """A case that cannot pass yet is run all the same: one that passes although it is skipped fails the run."""
    return [pytest.mark.xfail(reason=case["skip"], strict=True)] if case.get("skip") else []


def load() -> list[Any]:
    out = []
    for path in sorted(Path(ROOT, "tests", "cases").glob("*.json")):
        if path.name != "vocabulary.json":
            out += [
                pytest.param(c, id=f"{path.stem}/{c['name']}", marks=marks(c)) for c in json.loads(path.read_text())
            ]
    return out


TOKENS = case_tokens()[0]
IDS = {t: i for i, t in reversed(list(enumerate(TOKENS)))}
# Named by text, a token of several bytes is one of the lists; a single byte is its own id.


def ids(output: str | list[str | int]) -> list[int]:
    return list(output.encode()) if isinstance(output, str) else [token(t) for t in output]


def token(text: str | int) -> int:
    return text if isinstance(text, int) else IDS[text.encode()]


def whole(grammar: sluice.Grammar, output: str | list[str | int]) -> bool:
    m, tokens = grammar.matcher(), ids(output)
    return m.accept_tokens(tokens) == len(tokens) and m.completed


@pytest.mark.parametrize("case", load())
def test_case(case: dict[str, Any], compiler: sluice.Compiler, vocabulary: sluice.Vocabulary):
    spec = case.get("spec", "")
    spec = spec if isinstance(spec, str) else json.dumps(spec)
    options = case.get("options", {})
    if "error" in case:
        with pytest.raises(sluice.SluiceError) as caught:
            compiler.compile(case["kind"], spec, **options)
        want, got = case["error"], caught.value
        assert type(got) is CODES[want["code"]], str(got)
        for part in ("pointer", "line", "column"):
            if part in want:
                assert getattr(got, part) == want[part], f"{part} of {got}"
        return
    grammar = compiler.compile(case["kind"], spec, **options)
    if "notes" in case:
        found = sorted((n.pointer, n.keyword, n.effect) for n in grammar.notes)
        assert found == sorted((n["pointer"], n["keyword"], n["effect"]) for n in case["notes"])
    for output in case.get("accept", []):
        assert whole(grammar, output), f"not accepted: {output!r}"
    for output in case.get("reject", []):
        assert not whole(grammar, output), f"accepted: {output!r}"
    for mask in case.get("masks", []):
        m, tokens, row = grammar.matcher(), ids(mask["after"]), bytearray(4 * vocabulary.words)
        assert m.accept_tokens(tokens) == len(tokens), mask["after"]
        constrained = m.fill(row)
        bits = int.from_bytes(row, "little")
        assert constrained == (bits != (1 << len(TOKENS)) - 1), mask["after"]
        for want, names in ((1, mask.get("allowed", [])), (0, mask.get("denied", []))):
            wrong = [t for t in names if (bits >> token(t) & 1) != want]
            assert not wrong, f"after {mask['after']!r}: {'denied' if want else 'allowed'} {wrong}"
        if "captures" in mask:
            assert m.captures() == [(name, text.encode()) for name, text in mask["captures"]]
        if "temperature" in mask:
            assert m.temperature == mask["temperature"]
        if "end" in mask:
            assert [bits >> e & 1 for e in vocabulary.end_tokens] == [mask["end"]] * len(vocabulary.end_tokens)
            assert m.completed == mask["end"]
