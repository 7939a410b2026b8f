"""README.md and the pages in docs: their Python runs, and what they point to is there. (C and Go: tests/c/readme.sh;
the pages of engines: tests_engines.)
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from conftest import ROOT, environment

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
# What a fragment goes on from.
BEFORE = {
    "requests.md": """
import sluice
compiler = sluice.Compiler(sluice.Vocabulary.from_file("tests/data/tokenizer.json.gz"))
""",
}
ENGINES = {"vllm.md", "huggingface.md"}  # these need an engine


@pytest.mark.parametrize("page", [p for p in PAGES if p.name not in ENGINES], ids=lambda p: p.name)
def test_python_of(page):
    before = BEFORE.get(page.name, "")
    for code in re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE):
        done = subprocess.run(
            [sys.executable, "-c", before + code],
            cwd=ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        if page.name == "README.md":
            assert f"It prints `{done.stdout.strip()}`." in page.read_text()


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_of(page):
    for link in re.findall(r"\]\(([^)#\s]+)", re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)):
        assert link.startswith("http") or (page.parent / link).exists(), link
