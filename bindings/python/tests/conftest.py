"""Fixtures: the vocabulary of tests/cases, a compiler for it, and the checkout's library."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bindings" / "python"))

import sluice


def case_tokens() -> tuple[list[bytes], list[int], list[int], list[int]]:
    """Returns tokens, added ids, special ids and end ids of tests/cases/vocabulary.json: 256 bytes, then its lists."""
    lists = json.loads((ROOT / "tests" / "cases" / "vocabulary.json").read_text())
    tokens = [bytes([b]) for b in range(256)]
    ids: dict[str, list[int]] = {}
    for key in ("tokens", "added", "special", "end"):
        ids[key] = list(range(len(tokens), len(tokens) + len(lists.get(key, []))))
        tokens += [t.encode() for t in lists.get(key, [])]
    return tokens, ids["added"], ids["special"] + ids["end"], ids["end"]


@pytest.fixture(scope="session")
def vocabulary() -> sluice.Vocabulary:
    tokens, added, special, end = case_tokens()
    return sluice.Vocabulary.from_tokens(tokens, added=added, special=special, end_tokens=end)


@pytest.fixture(scope="session")
def compiler(vocabulary: sluice.Vocabulary) -> sluice.Compiler:
    return sluice.Compiler(vocabulary)


@pytest.fixture
def matcher(compiler: sluice.Compiler) -> sluice.Matcher:
    """A matcher of a(b|c)*d."""
    return compiler.compile_regex("a(b|c)*d").matcher()


@pytest.fixture(autouse=True)
def hooks_that_work(caplog):
    """Fails a test in which a hook failed and the engine's own code ran: results alone do not show that.

    A test of such a failure clears the log.
    """
    yield
    said = [r.getMessage() for r in caplog.get_records("call") if r.name.endswith(".sluice")]
    assert [line for line in said if "because Sluice's failed" in line] == []


def environment(**more: str) -> dict[str, str]:
    """Returns the environment of a child process that is to import this checkout's package."""
    return os.environ | {"PYTHONPATH": str(ROOT / "bindings" / "python")} | more


def counted(monkeypatch, name):
    """For each call of a batch's method how many matchers it served."""
    calls, call = [], getattr(sluice.Batch, name)
    monkeypatch.setattr(sluice.Batch, name, lambda batch, *a: calls.append(len(batch)) or call(batch, *a))
    return calls


def listed_hooks(page):
    """The hooks in the table of an engine's page."""
    rows = (ROOT / "docs" / page).read_text().partition("\n## Hooks\n\n")[2].partition("\n\n")[0].splitlines()
    return {name for row in rows[2:] for name in row.split(" | ")[0].strip("| ").split(", ")}
