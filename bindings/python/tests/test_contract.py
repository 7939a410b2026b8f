"""docs/engines.md: the page names tests that exist; and tests of requirements that no other file has."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys

import pytest
from conftest import ROOT, environment

import sluice

PAGE = ROOT / "docs" / "engines.md"


def test_the_page_names_tests_that_are_there():
    """Each row names some, the calls one of Python's and one of C's; and each is a function of its file."""
    calls, traps = (
        [line for line in part.splitlines() if re.match(r"\| (?!requirement|trap|---)", line)]
        for part in PAGE.read_text().partition("## Calls")[2].partition("## Traps")[::2]
    )
    assert len(calls) >= 28 and len(traps) >= 24
    for line in (*calls, *traps):
        cells = [re.findall(r"`([^`]+)::([^`]+)`", cell) for cell in line.strip("| ").split(" | ")[1:]]
        assert cells and all(cells), f"a row without a test: {line}"
        for file, name in itertools.chain(*cells):
            path = ROOT / file if file.startswith(("tests/c/", "tests/cuda/")) else ROOT / "bindings" / "python" / file
            call = rf"\b{re.escape(name)}\("
            defined = rf"^def {re.escape(name)}\(" if path.suffix == ".py" else call
            assert re.search(defined, path.read_text(), re.MULTILINE), f"{file} has no {name}"


RANK = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
from conftest import case_tokens
import sluice
tokens, added, special, end = case_tokens()
v = sluice.Vocabulary.from_tokens(tokens, added=added, special=special, end_tokens=end)
compiler, asked = sluice.Compiler(v), json.loads(sys.argv[2])
found = {}
for name in reversed(asked) if sys.argv[3] == "1" else asked:
    kind, spec, text = asked[name]
    m, rows = compiler.compile(kind, spec).matcher(), hashlib.sha256()
    row = sluice.allocate_bitmask(1, v)
    if sys.argv[3] == "1":  # another history: some are met before, and in another order
        for _ in range(2):
            m.fill(row); m.accept_bytes(text[:3]); m.fill(row); m.reset()
    for byte in text.encode():
        m.fill(row)
        rows.update(bytes(row))
        assert m.accept(byte), (name, byte)
    found[name] = rows.hexdigest()
print(json.dumps([v.hash, sorted(found.items())]))
"""


def test_ranks_agree():
    """Processes with other hash seeds, that meet constraints in another order, have the same rows, bit by bit."""
    asked = {
        "schema": ["json_schema", '{"properties": {"a": {"type": "string", "maxLength": 3}}}', '{"a": "xyz", "b": 1}'],
        "tag": [
            "structural_tag",
            '{"structures": [{"begin": "<f>", "schema": {"enum": [1, 12]}, "end": "</f>"}], "triggers": ["<f"]}',
            "so <f>12</f> and",
        ],
        "regex": ["regex", "(a|bc)+[^x]{2,5}", "abcaqqq"],
        "ebnf": ["ebnf", 'root ::= "(" root ")" | [0-9]+', "((12))"],
    }
    said = set()
    for rank in "01":
        command = [sys.executable, "-c", RANK, str(ROOT / "bindings" / "python" / "tests"), json.dumps(asked), rank]
        env = environment() | {"PYTHONHASHSEED": rank}
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        said.add(done.stdout)
    assert len(said) == 1


@pytest.mark.parametrize("file", ["regex.json", "ebnf.json", "schema_errors.json", "choice.json"])
def test_a_vocabulary_of_bytes_decides_alike(file, compiler):
    """A front end without the model's tokenizer, with a vocabulary of 256 bytes, refuses the constraints that an engine
    refuses, for the same reason and at the same place."""
    plain = sluice.Compiler(
        sluice.Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), b"<end>"], special=[256], end_tokens=[256])
    )
    tried = 0
    for case in json.loads((ROOT / "tests" / "cases" / file).read_text()):
        if "error" not in case or re.search(r"<\||\bToken\(", str(case["spec"])):  # tokens are a vocabulary's own
            continue
        spec = case["spec"] if isinstance(case["spec"], str) else json.dumps(case["spec"])
        said = []
        for c in (compiler, plain):
            with pytest.raises(sluice.SluiceError) as caught:
                c.compile(case["kind"], spec, **case.get("options", {}))
            said.append((type(caught.value), str(caught.value)))
        assert said[0] == said[1], case["name"]
        tried += 1
    assert tried >= 3


def test_nothing_may_come_next():
    """A vocabulary without the letter that must come: that row says so, is never empty without a word, and the others
    of the batch are filled."""
    vocabulary = sluice.Vocabulary.from_tokens([b"a", b"c", b"<end>"], special=[2], end_tokens=[2])
    compiler = sluice.Compiler(vocabulary)
    stuck, fine = compiler.compile_regex("ab").matcher(), compiler.compile_regex("ac").matcher()
    assert stuck.accept(0) and fine.accept(0)
    masks = sluice.allocate_bitmask(2, vocabulary)
    with pytest.raises(sluice.UnsatisfiableError, match="no token of the vocabulary"):
        stuck.fill(masks, 0)
    for order in ((stuck, fine), (fine, stuck)):
        with pytest.raises(sluice.UnsatisfiableError) as caught:
            sluice.Batch(order).fill(masks)
        failed = order.index(stuck)
        assert [status == 0 for status in caught.value.statuses] == [i != failed for i in range(2)]
        assert sluice.allowed_ids(masks, 1 - failed) == [1]
