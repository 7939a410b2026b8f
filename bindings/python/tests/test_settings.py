"""The settings of operators of engines in the environment."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from conftest import ROOT, environment
from vllm_shape import Asked, Config, Invalid, put_in_place, register, started

import sluice
from sluice import _serving, _settings
from sluice._settings import CACHE, MAX_TOKENS, OPTIONS, settings


@pytest.fixture
def vllm(monkeypatch, vocabulary):
    return put_in_place(monkeypatch, vocabulary)


@pytest.mark.parametrize(
    "value, said",
    [
        ("{", "no JSON"),
        ("[" * 100000, "no JSON"),
        ("[true]", "JSON object"),
        ('{"closd": true}', "no option 'closd'"),
        ('{"closed": 1}', "closed: must be true or false"),
        ('{"max_whitespace": 0}', "max_whitespace"),
        ('{"whitespace_pattern": "("}', "whitespace_pattern"),
        ('{"compact": true, "indent": 2}', "compact.*indent"),
        ('{"family": "hermes"}', "'family' means nothing"),
        ('{"start_rule": "no name"}', "no name"),
    ],
)
def test_options_that_are_wrong(monkeypatch, value, said):
    monkeypatch.setenv(OPTIONS, value)
    with pytest.raises(ValueError, match=f"^{OPTIONS}.*{said}"):
        settings()


@pytest.mark.parametrize("value", ["-1", "1.5", "much", "²", "1048577", "9" * 5000])
def test_caches_that_are_wrong(monkeypatch, value):
    monkeypatch.setenv(CACHE, value)
    with pytest.raises(ValueError, match=f"^{CACHE}=.*whole number"):
        settings()


def test_options_of_kinds(monkeypatch):
    """Each kind gets the options that it has; given options win, and options of whitespace win together."""
    grammars = {"a": {"lark_grammar": 'start: "a"'}}
    options = {"closed": True, "separators": [",", ":"], "start_rule": "main", "lenient": None, "grammars": grammars}
    monkeypatch.setenv(OPTIONS, json.dumps(options))
    made = settings()
    assert made.of("json_schema", {}) == {"closed": True, "separators": [",", ":"]}
    assert made.of("json_schema", {"closed": False, "compact": True}) == {"closed": False, "compact": True}
    assert made.of("json_object", {}) == {"separators": [",", ":"]}
    assert made.of("regex", {"special_tokens": "text"}) == {"special_tokens": "text"}
    assert made.of("ebnf", {}) == {"start_rule": "main"}
    assert made.of("grammar", {}) == {"start_rule": "main", "grammars": grammars}
    assert made.of("structural_tag", {}).keys() == {"closed", "separators", "grammars"}
    monkeypatch.delenv(OPTIONS)
    assert settings().of("json_schema", {"compact": True}) == {"compact": True}


def test_all_kinds_are_tried():
    """The constraints with which options are tried are right."""
    assert _settings._options('{"special_tokens": "tokens"}').keys() <= sluice._abi.KINDS.keys()


def test_nothing_is_loaded_where_nothing_is_set():
    code = "import sluice; from sluice._settings import settings; settings(); print(sluice.loaded())"
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False"], done.stderr


SCHEMA = json.dumps({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})


def test_what_max_tokens_may_be(monkeypatch):
    for said, means in ("", False), ("off", False), ("on", True):
        monkeypatch.setenv(MAX_TOKENS, said)
        assert settings().max_tokens is means
    monkeypatch.setenv(MAX_TOKENS, "64")
    with pytest.raises(ValueError, match=f"^{MAX_TOKENS}=64: must be on or off"):
        settings()


def test_an_engine(vllm, monkeypatch):
    """Front end and engine decide alike, and the compiler's cache is as large as it is told."""
    monkeypatch.setenv(CACHE, "3")
    _, requests = started(vllm, Asked("JSON", SCHEMA))
    assert requests["0"].grammar.accept_tokens("0", [*b'{"a": 1, "b": 2}'])
    cache = _serving.compiling(vllm.tokenizer, vllm.size, requests_end=True).compiler().cache
    assert cache.limit == 3 << 20
    monkeypatch.setenv(OPTIONS, '{"closed": true, "compact": true}')
    _, requests = started(vllm, Asked("JSON", SCHEMA), Asked("REGEX", "a"))
    assert not requests["0"].grammar.accept_tokens("0", [*b'{"a":1,"b":2}'])
    assert not requests["0"].grammar.accept_tokens("0", [*b'{"a": 1}'])
    assert requests["0"].grammar.accept_tokens("0", [*b'{"a":1}'])
    assert requests["1"].grammar.accept_tokens("0", [*b"a"])
    # Constraints that only `lenient` accepts.
    config, asked = Config(size=vllm.size), Asked("JSON", json.dumps({"pattern": r"(a)\1"}))
    params = vllm.SamplingParams(asked)
    with pytest.raises(Invalid, match="back-reference"):
        params._validate_structured_outputs(config, config, vllm.tokenizer)
    monkeypatch.setenv(OPTIONS, '{"lenient": true}')
    params._validate_structured_outputs(config, config, vllm.tokenizer)
    started(vllm, asked)


def test_an_engine_that_is_set_wrongly(vllm, monkeypatch):
    """It does not start; one that has not chosen Sluice does."""
    register()
    monkeypatch.setenv(OPTIONS, "[]")
    with pytest.raises(ValueError, match=OPTIONS):
        vllm.StructuredOutputManager(Config(size=vllm.size), vllm.tokenizer)
    vllm.StructuredOutputManager(Config(size=vllm.size, backend="xgrammar"), vllm.tokenizer)


PAGE = ROOT / "docs" / "operations.md"


def _column(heading, column=0):
    """The names in code type of one column of the table under a heading of the page."""
    section = PAGE.read_text().partition(f"{heading}\n")[2].split("\n#")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return [name for row in rows[1:] if len(row) > column for name in re.findall(r"`([^`]+)`", row[column])]


def test_the_page_lists_the_environment():
    """Every variable that the package reads, and no other of ours."""
    listed = _column("### Environment variables")
    read = {
        name
        for file in (ROOT / "bindings" / "python" / "sluice").rglob("*.py")
        for name in re.findall(r'"(SLUICE_[A-Z_]+)"', file.read_text())
    }
    assert {name for name in listed if name.startswith("SLUICE_")} == read


def test_the_page_lists_the_options_of_compilers(vocabulary):
    """Every option in the list can be set, and there is no other."""
    listed = _column("### Compiler options")
    sluice.Compiler(vocabulary, **dict.fromkeys(listed, 1 << 20))
    known = re.findall(r'"([a-z_]+)": +&c\.', (ROOT / "core" / "options.go").read_text())
    assert sorted(listed) == sorted(known)


def test_the_page_lists_the_errors():
    """Each status with its number, its name in C and its exception."""
    expected = [("ok", "0", "SLUICE_OK")]
    for code, error in sorted(sluice._errors.CLASSES.items()):
        expected.append((error.name, str(code), f"SLUICE_E_{error.name.upper()}", error.__name__))
    rows = re.findall(r"^\| `(\w+)` \((\d+)\) \| `(\w+)` \| (?:`(\w+)`)?", PAGE.read_text(), re.MULTILINE)
    assert [tuple(filter(None, row)) for row in rows] == expected
