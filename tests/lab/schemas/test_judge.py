"""The judge against the official suite: the judge of Sluice has to be right."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import judge

SUITE = Path(__file__).resolve().parents[4] / "shared" / "data" / "json-schema-test-suite" / "tests"


@pytest.mark.skipif(not SUITE.is_dir(), reason="there is no shared/data beside the checkout")
@pytest.mark.parametrize("dialect", judge.DIALECTS)
def test_judge_agrees_with_the_suite(dialect):
    """All required tests and the tests of fuzzed formats, without constructs that schemas.py never makes: documents of
    others and Unicode properties."""
    wrong, tests = [], 0
    files = sorted((SUITE / dialect).glob("*.json"))
    files += [f for f in (SUITE / dialect / "optional" / "format").glob("*.json") if f.stem in judge.FORMATS]
    for file in files:
        for group in json.loads(file.read_text(), parse_float=Decimal):
            text = judge.dump(group["schema"])
            if "localhost:1234" in text or "\\p{" in text:
                continue
            opinion = judge.Judge(dialect, group["schema"], file.parent.name == "format")
            for test in group["tests"]:
                tests += 1
                if opinion.valid(judge.dump(test["data"])) != test["valid"]:
                    wrong.append((file.name, group["description"], test["description"]))
    assert tests > 500
    assert not wrong
