"""Checks README.md and the other pages of the root and of docs: their blocks of code run or compile, and their links
lead to files. (tests_engines runs the blocks that need an engine; `make docs` checks anchors.)

A comment in the line before a block describes it:

    <!-- continues -->         Python that runs after the block before it, in one process
    <!-- setup ... -->         code that runs before it and that readers do not need (may have many lines)
    <!-- prints -->            text: the exact output of the Python block before it
    <!-- fails -->             a constraint that must not compile; a block of text right after it is the error
    <!-- examples -->          text: lines "accepts X" and "rejects X" for the constraint before it; \\n is a line's end
    <!-- excerpt: reason -->   is not run, since it is a part of something or needs absent packages

SLUICE_UPDATE=1 writes outputs and errors into the pages instead of comparing them.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from typing import NamedTuple

import pytest
import tomllib
from conftest import ROOT, environment

import sluice

ROOT_PAGES = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "RATIONALE.md", "PROOFS.md"]
PAGES = [
    *(ROOT / name for name in ROOT_PAGES if (ROOT / name).exists()),
    ROOT / "bindings/python/README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
# The code that a fragment continues. New pages have it in a comment (setup) beside the block.
BEFORE = {
    "requests.md": """
import sluice
compiler = sluice.Compiler(sluice.Vocabulary.from_file("tests/data/tokenizer.json.gz"))
""",
}
ENGINES = {"vllm.md", "huggingface.md"}  # their blocks need an engine
GUIDES = {"README.md", "docs/python.md", "bindings/python/README.md"}  # the blocks of each of these are one program
KINDS = {"ebnf", "lark", "regex"}
LANGUAGES = KINDS | {"python", "c", "cpp", "go", "sh", "console", "json", "toml", "yaml", "text", "cmake", "diff"}
MARK = r"<!-- (?P<mark>\w+)(?P<more>(?:(?!-->).)*)-->\n+"
FENCE = re.compile(
    rf"(?:{MARK})?^(?P<indent> *)```(?P<language>\S*)[^\n]*\n(?P<code>.*?)^ *```$", re.DOTALL | re.MULTILINE
)


class Block(NamedTuple):
    """A block of code in a page."""

    name: str  # of the page
    line: int
    language: str
    code: str
    mark: str
    more: str  # the rest of the mark
    before: Block | None
    after: str  # the text up to the next block

    @property
    def place(self) -> str:
        return f"{self.name}:{self.line}"


def name_of(page) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks_of(page) -> list[Block]:
    """The blocks of a page, in order."""
    text, blocks = page.read_text(), []
    found = list(FENCE.finditer(text))
    for i, match in enumerate(found):
        code = re.sub("^" + match["indent"], "", match["code"], flags=re.MULTILINE)
        blocks.append(
            Block(
                name_of(page),
                text.count("\n", 0, match.start("language")) + 1,
                match["language"],
                code,
                match["mark"] or "",
                (match["more"] or "").strip(" :\n"),
                blocks[-1] if blocks else None,
                text[match.end() : found[i + 1].start() if i + 1 < len(found) else len(text)],
            )
        )
    return blocks


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def of(*languages: str):
    """Runs a test for the blocks of these languages that can run here."""
    chosen = [block for block in BLOCKS if block.language in languages and block.mark != "excerpt"]
    return pytest.mark.parametrize("block", chosen, ids=lambda block: block.place)


def earlier(block: Block) -> Block | None:
    """The Python block before one, in its page."""
    while (block := block.before) and block.language != "python":
        pass
    return block


def continues(block: Block) -> bool:
    """Says whether a Python block runs after the one before it, in one process."""
    return block.mark == "continues" or (block.name in GUIDES and earlier(block) is not None)


def program(block: Block) -> str:
    """Returns the code of a Python block after the code that it continues."""
    if continues(block):
        return program(earlier(block)) + "\n" + block.code
    return (block.more if block.mark == "setup" else BEFORE.get(block.name.rpartition("/")[2], "")) + "\n" + block.code


def run(*command, **keywords) -> str:
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=300, **keywords)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@functools.cache
def printed_by(code: str) -> str:
    return run(sys.executable, "-c", code)


def output_of(block: Block) -> str:
    """Returns the output of a Python block, without the output of the blocks that it continues."""
    before = printed_by(program(earlier(block))) if continues(block) else ""
    printed = printed_by(program(block))
    assert printed.startswith(before), f"{block.place}: prints something else each time"
    return printed[len(before) :]


def compare(block: Block, text: str) -> None:
    """Compares a block with the text that belongs there. With SLUICE_UPDATE=1 the page gets that text instead."""
    if text == block.code or not os.environ.get("SLUICE_UPDATE"):
        assert text == block.code
        return
    page = ROOT / block.name
    place = [other for other in BLOCKS if other.name == block.name].index(block)
    line, lines = blocks_of(page)[place].line, page.read_text().splitlines(keepends=True)
    lines[line : line + block.code.count("\n")] = [text]
    page.write_text("".join(lines))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.place)
def test_language_and_mark(block):
    assert block.language in LANGUAGES, f"{block.place}: name the language"
    assert block.mark in ("", "continues", "setup", "prints", "fails", "examples", "excerpt")
    if block.mark == "excerpt":
        assert block.more, f"{block.place}: say why the excerpt cannot run"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_indented_code(page):
    text = re.sub(r"^ *```.*?^ *```$|<!--.*?-->", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    inside = False  # of a list, whose paragraphs are indented
    for before, line in zip(["", *text.splitlines()], text.splitlines(), strict=False):
        inside = bool(re.match(r" *(?:[*+-]|\d+\.) ", line)) or (inside and (not line or line.startswith(" ")))
        assert inside or before or not line.startswith("    "), f"{name_of(page)}: {line}"


@of("python")
def test_python(block):
    if block.name.removeprefix("docs/") in ENGINES:
        compile(block.code, block.place, "exec")
        return
    printed_by(program(block))
    if sentence := re.match(r"\s*It prints `([^`]*)`", block.after):
        assert output_of(block).strip() == sentence[1]


@of("text")
def test_printed(block):
    if block.mark != "prints":
        return
    assert block.before.language == "python", f"{block.place}: this belongs right below Python"
    compare(block, output_of(block.before))


@of(*KINDS)
def test_constraint(block, compiler):
    if block.mark != "fails":
        compiler.compile(block.language, block.code.rstrip("\n"))
        return
    with pytest.raises(sluice.ConstraintError) as raised:
        compiler.compile(block.language, block.code.rstrip("\n"))
    follower = next((b for b in BLOCKS if b.before is block), None)
    if follower and follower.language == "text" and not block.after.strip(" \n"):
        compare(follower, f"{raised.value}\n")


@of("text")
def test_examples(block, compiler):
    if block.mark != "examples":
        return
    constraint = block.before
    while constraint.language not in KINDS:
        constraint = constraint.before
    grammar = compiler.compile(constraint.language, constraint.code.rstrip("\n"))
    for line in block.code.splitlines():
        verb, _, text = line.partition(" ")
        assert verb in ("accepts", "rejects"), line
        matcher = grammar.matcher()
        right = matcher.accept_bytes(text.replace("\\n", "\n")) and matcher.completed
        assert right == (verb == "accepts"), line


@of("json")
def test_json(block):
    json.loads(block.code)


@of("toml")
def test_toml(block):
    tomllib.loads(block.code)


@of("yaml")
def test_yaml(block):
    yaml = pytest.importorskip("yaml")
    list(yaml.safe_load_all(block.code))


@of("c", "cpp")
def test_c(block, tmp_path):
    compiler = {"c": ["cc", "-std=c99", "-pedantic"], "cpp": ["c++", "-std=c++17"]}[block.language]
    source = tmp_path / f"block.{block.language}"
    source.write_text(block.code)
    flags = ["-Wall", "-Wextra", "-Werror", "-pthread", f"-I{ROOT}/include"]
    if "int main(" not in block.code:
        run(*compiler, *flags, "-fsyntax-only", source)
        return
    build = ROOT / "build"
    run(*compiler, *flags, "-o", tmp_path / "block", source, build / "libsluice.so", f"-Wl,-rpath,{build}")
    run(tmp_path / "block", ROOT / "tests/data/tokenizer.json.gz")


@of("go")
def test_go(block, tmp_path):
    source = tmp_path / "block.go"
    source.write_text(block.code)
    run("go", "run" if "func main(" in block.code else "vet", source)


@of("sh", "console")
def test_shell(block):
    code = block.code
    if block.language == "console":
        code = "\n".join(line[2:] for line in code.splitlines() if line.startswith("$ "))
    run(shutil.which("bash"), "-n", input=code)
    makefiles = [ROOT / "Makefile", *(ROOT / "mk").glob("*.mk")]
    verbs = set(re.findall(r"^([\w-]+)(?: [\w-]+)*:", "\n".join(file.read_text() for file in makefiles), re.MULTILINE))
    for line in code.replace("\\\n", " ").splitlines():
        words = list(itertools.takewhile(lambda word: word not in {"|", "&&", ">"}, shlex.split(line, comments=True)))
        if words[:1] == ["make"]:
            assert {word for word in words[1:] if re.fullmatch(r"[a-z][a-z-]*", word)} <= verbs, line
        for path in words:
            if path.startswith("./"):
                assert (ROOT / path.removesuffix("...")).exists(), line


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


def test_the_package_page_needs_no_repository():
    """An index shows it alone: links to files of the repository would lead nowhere."""
    assert not re.search(r"\]\((?!https?:)", (ROOT / "bindings/python/README.md").read_text())


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_of(page):
    for link in re.findall(r"\]\(([^)#\s]+)", re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)):
        assert link.startswith("http") or (page.parent / link).exists(), link


def test_pages_name_what_is_public():
    """Every function of the package, and every method of the classes that callers hold, stands on a page."""
    words = set(re.findall(r"\w+", "".join(page.read_text() for page in (ROOT / "docs").glob("*.md"))))
    public = [name for name in sluice.__all__ if callable(o := getattr(sluice, name)) and not isinstance(o, type)]
    for held in (sluice.Vocabulary, sluice.Compiler, sluice.Grammar, sluice.Matcher, sluice.Batch, sluice.MaskPool):
        public += [name for name in dir(held) if not name.startswith("_")]
    assert set(public) - words == set()
