"""The lines of the logger `sluice`."""

import logging
import re
import subprocess
import sys

import pytest
from conftest import environment

import sluice

VOCABULARY = sluice.Vocabulary.from_tokens([*map(bytes, zip(range(256))), b"</s>"], special=[256], end_tokens=[256])
SCRIPT = """
import logging, os, sys, sluice
logging.basicConfig(level=sys.argv[1], stream=sys.stdout, format="%(levelname)s %(name)s %(message)s")
vocabulary = sluice.Vocabulary.from_tokens([b"a", b"b", b"</s>"], special=[2], end_tokens=[2])
for _ in range(2):
    compiler = sluice.Compiler(vocabulary, warm_bytes=0)
grammar = compiler.compile_regex("a+b")
matcher, masks = grammar.matcher(), sluice.allocate_bitmask(1, vocabulary)
assert matcher.accept(0)
print("cold")
matcher.fill(masks)
print("warm")
matcher.fill(masks)
matcher.accept(1)
sys.stdout.flush()
if os.fork() == 0:
    print("child")
    sluice.Compiler(vocabulary)
    sys.stdout.flush()
    os._exit(0)
os.wait()
"""


def lines(level, **more):
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, level], env=environment(**more), capture_output=True, text=True, check=True
    )
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_one_line_a_process():
    first, cold, warm, child, again = lines("INFO")
    assert (cold, warm, child) == ("cold", "warm", "child")
    line = rf"INFO sluice version {re.escape(sluice.version())} of \S+; vocabulary of 3 tokens, hash [0-9a-f]{{16}}…"
    assert re.fullmatch(line, first) and re.fullmatch(line, again)
    assert lines("WARNING") == ["cold", "warm", "child"]


def test_slow_calls():
    """Above 0 ms every call that leaves the caches is slow. The others have no line."""
    found = lines("DEBUG", SLUICE_SLOW_CALL_MS="0")
    warm = found[found.index("warm") + 1 : found.index("child")]
    assert all("fill" not in line for line in warm)
    cold = found[found.index("cold") + 1 : found.index("warm")]
    assert len(cold) == 1 and re.fullmatch(r"DEBUG sluice slow call: sluice_matcher_fill took \d+\.\d{3} ms", cold[0])
    assert not any("slow call" in line for line in lines("DEBUG", SLUICE_SLOW_CALL_MS="60000"))


@pytest.mark.parametrize("value", ["-1", "nan", "soon", "inf"])
def test_wrong_threshold(value):
    code = "import sluice; sluice.Compiler(sluice.Vocabulary.from_tokens([b'a', b'.'], special=[1], end_tokens=[1]))"
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment(SLUICE_SLOW_CALL_MS=value), capture_output=True, text=True
    )
    assert f"ValueError: SLUICE_SLOW_CALL_MS={value}: must be a number of milliseconds" in run.stderr


def test_compilations_and_errors(caplog):
    caplog.set_level(logging.DEBUG, "sluice")
    compiler = sluice.Compiler(VOCABULARY, compile_budget=200_000)
    compiler.compile_regex("a+b")
    compiler.submit("grammar", 'root ::= "a"').result()
    with pytest.raises(sluice.SyntaxError_):
        compiler.compile_regex("(a")
    with pytest.raises(sluice.LimitError):
        compiler.compile_json_schema({"enum": [f"{i}text" for i in range(100_000)]})
    said = [r.getMessage() for r in caplog.records if r.levelno == logging.DEBUG and "slow call" not in r.getMessage()]
    assert re.fullmatch(r"compiled regex of 3 bytes in \d+\.\d{3} ms", said[0])
    assert re.fullmatch(r"compiled ebnf of 12 bytes in \d+\.\d{3} ms", said[1])
    assert said[2].startswith("syntax: regex:1:")
    assert said[3].startswith("limit: json_schema")
    assert len(said) == 4


def test_known_masks_do_not_look_at_the_logger(monkeypatch):
    compiler = sluice.Compiler(VOCABULARY)
    matcher, masks = compiler.compile_regex("a+b").matcher(), sluice.allocate_bitmask(1, VOCABULARY)
    batch = sluice.Batch([matcher])
    for _ in range(2):
        matcher.fill(masks)
        matcher.accept(ord("a"))
        batch.fill(masks)

    def look(level):
        raise AssertionError("the logger was asked")

    monkeypatch.setattr(logging.getLogger("sluice"), "isEnabledFor", look)
    matcher.fill(masks)
    assert matcher.accept(ord("a")) and matcher.accept_tokens([ord("a")]) == 1
    batch.fill(masks)
