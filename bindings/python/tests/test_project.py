"""The project's own data and programs: the committed tokenizer, the demo's validators, the benchmark's reports."""

from __future__ import annotations

import ast
import gzip
import hashlib
import importlib.util
import io
import json
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

import pytest
from conftest import ROOT, environment

import sluice

DATA = ROOT / "tests" / "data"
DEMO = ROOT / "tests" / "demo"
sys.path.insert(0, str(DEMO))

# The output of tests/data/make_tokenizer.py with its version of tokenizers, uncompressed.
TOKENIZER_SHA256 = "5bda0af870f4b7bae1d44b05948a7492231f28add3d04fcca2944e3c6456c456"


def test_tokenizer_is_the_one_that_the_script_makes():
    text = gzip.decompress((DATA / "tokenizer.json.gz").read_bytes())
    assert hashlib.sha256(text).hexdigest() == TOKENIZER_SHA256
    try:
        found = version("tokenizers")
    except PackageNotFoundError:
        found = "none"
    if found != "0.23.3":
        pytest.skip(f"tokenizers 0.23.3 is needed to train it again, here is {found}; its hash was compared")
    subprocess.run([sys.executable, str(DATA / "make_tokenizer.py"), "--check"], check=True, timeout=600)


def test_validators_tell_right_from_wrong():
    import verify

    schema = json.dumps({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})
    if importlib.util.find_spec("jsonschema"):
        assert verify.json_schema(schema, '{"a": 1}').ok is True
        assert verify.json_schema(schema, '{"a": "1"}').ok is False
        assert verify.json_schema(schema, '{"a": 1').ok is False
        tag = (DEMO / "constraints" / "tools.tag.json").read_text()
        call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo", "unit": "celsius"}}</tool_call>'
        for text, ok in (
            ("just words", True),
            (f"so: {call} and {call}", True),
            (call.replace("celsius", "kelvin"), False),
            (call.replace("get_weather", "get_time"), False),
            (call[:-1], False),
        ):
            assert verify.structural_tag(tag, text).ok is ok, text
    assert verify.regex("[a-c]+", "abc").ok is True
    assert verify.regex("[a-c]+", "abcd").ok is False
    assert verify.regex(r"\p{L}+", "abc").ok is None
    assert verify.arithmetic("", "-(1 + 2) * 3 / 4").text.startswith("= -2.25")
    assert verify.arithmetic("", "2 / (3 - 3) + 1").ok is True
    for wrong in ("", "1 +", "(1", "1)", "1 2", "a"):
        assert verify.arithmetic("", wrong).ok is False, wrong


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_screen_writes_what_a_log_can_show(encoding):
    from show import Screen

    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding)
    screen = Screen(out)
    screen.title("Kind", "name")
    for token in (b" word", b"\n    ", b"\xff", "世".encode(), b"\x1b[31m"):
        screen.token(token, 12345, False)
    screen.wrapped("output", "x" * 500 + "\ny")
    screen.table([["a", "b"], ["c", "✔"]], {1: "green"})
    out.flush()
    text = raw.getvalue().decode(encoding)
    assert "\x1b" not in text and "12k" in text
    assert max(map(len, text.splitlines())) <= screen.width


def test_demo_runs_and_fails_loudly(tmp_path):
    """One short constraint of the user's own, then one that cannot be compiled."""
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("(yes|no), [0-9]{3}\n")
    bad.write_text("(yes")
    for path, status in ((good, 0), (bad, 1)):
        done = subprocess.run(
            [sys.executable, str(DEMO), "--regex", str(path), "--seed", "3"],
            env=environment(PYTHONIOENCODING="utf-8"),
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == status, done.stdout + done.stderr
        assert ("fullmatch" if status == 0 else "error") in done.stdout


def test_version_is_the_same_everywhere():
    """include/sluice.h has the version; CMake and capi/build.sh read it there, and the rest must agree."""
    header = (ROOT / "include" / "sluice.h").read_text()
    (wanted,) = re.findall(r'^#define SLUICE_VERSION "(.*)"$', header, re.MULTILINE)
    assert sluice.__version__ == wanted and sluice.capabilities()["build"]["version"] == wanted
    release = ".".join(wanted.split(".")[:2])
    assert (ROOT / "capi" / "abi" / f"sluice-{release}.xml").is_file(), "make abi writes it"
    consumer = (ROOT / "tests" / "c" / "consumer" / "CMakeLists.txt").read_text()
    assert f"find_package(sluice {release} REQUIRED)" in consumer
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    found = {(p.name, v) for p in pages for v in re.findall(r"find_package\(sluice ([\d.]+)", p.read_text())}
    assert found and {v for _, v in found} == {release}, found


def test_pages_install_what_is_there():
    """Every `pip install FOLDER` of the pages names a folder that has a pyproject.toml."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    folders = {f for p in pages for f in re.findall(r"pip install (\.(?:/[\w/]*)?)(?=[\s`])", p.read_text())}
    assert folders and all((ROOT / f / "pyproject.toml").is_file() for f in folders), folders


def test_modules_import_one_way():
    """No module of the package imports itself through others, not even for its annotations."""
    package = ROOT / "bindings" / "python" / "sluice"
    imports: dict[str, set[str]] = {}
    for file in package.rglob("*.py"):
        parts = file.relative_to(package.parent).with_suffix("").parts
        found = imports[".".join(parts).removesuffix(".__init__")] = set()
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = [*parts[: -node.level], *(node.module.split(".") if node.module else [])]
                found |= {".".join(base)} if node.module else {".".join([*base, a.name]) for a in node.names}
    assert sum(len(found) for found in imports.values()) > 100

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path, module])
        if module not in over:
            for other in imports.get(module, ()):
                visit(other, (*path, module))
        over.add(module)

    over: set[str] = set()
    for module in imports:
        visit(module, ())
