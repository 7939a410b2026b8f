"""Hooks of MkDocs: the pages of the repository's root become pages of the site, the references are made from the
sources, and links to files that the site does not have become plain text, since the sources have no public address.
"""

from __future__ import annotations

import ast
import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(Path(__file__).parent))

import cdoc  # noqa: E402

# Files outside docs, and the pages that they are.
ROOT_PAGES = {
    "README.md": "index.md",
    "SECURITY.md": "security.md",
    "ARCHITECTURE.md": "architecture.md",
    "RATIONALE.md": "rationale.md",
    "PROOFS.md": "proofs.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "THIRD_PARTY.md": "third-party.md",
}
# Sources whose reference is a page.
REFERENCES = {
    "include/sluice.h": "reference/c.md",
    "include/sluice.hpp": "reference/cpp.md",
    "bindings/python/README.md": "reference/python.md",
}
# Modules of the Python package in the order of their reference; names of other modules come last.
MODULES = {
    "_vocabulary": "Vocabularies",
    "_compiler": "Compilers and grammars",
    "_specs": "Options",
    "_jobs": "Compiling in the background",
    "_matcher": "Matchers",
    "_masks": "Masks",
    "_batch": "Batches",
    "_apply": "Masks on logits",
    "_pool": "Masks on a GPU",
    "_devices": "Devices",
    "_requests": "Requests",
    "_library": "The library",
    "_errors": "Errors",
}


def python_reference() -> str:
    """A page with every name of the package's __all__, by module."""
    tree = ast.parse((ROOT / "bindings/python/sluice/__init__.py").read_text())
    home, exported = {}, []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            home |= {alias.asname or alias.name: node.module for alias in node.names}
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            exported = ast.literal_eval(node.value)
    sections = {title: [] for title in [*MODULES.values(), "More"]}
    for name in exported:
        sections[MODULES.get(home.get(name), "More")].append(name)
    page = ["# Python API", "The package is imported as `sluice`. Its guide is [Python](../python.md)."]
    for title, names in sections.items():
        page += [f"## {title}"] if names else []
        page += [f"::: sluice.{name}" for name in names]
    return "\n\n".join(page) + "\n"


def go_reference() -> str:
    """What site/godoc.go prints of package core."""
    done = subprocess.run(
        [os.environ.get("GO", "go"), "run", "./site", "core"], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode:
        raise PluginError(done.stderr)
    return done.stdout


def on_files(files, config):
    """Adds the pages that are not in docs."""
    pages = {site: (ROOT / page).read_text() for page, site in ROOT_PAGES.items() if (ROOT / page).exists()}
    pages["reference/python.md"] = python_reference()
    pages["reference/c.md"] = cdoc.c_reference(ROOT / "include")
    pages["reference/cpp.md"] = cdoc.cpp_reference(ROOT / "include")
    pages["reference/go.md"] = go_reference()
    for uri, content in pages.items():
        files.append(File.generated(config, uri, content=content))
    return files


# Fences and code in lines, in which nothing is a link; then links with their texts; then addresses in HTML.
LINK = re.compile(
    r"(?P<code>^(?P<fence>```+|~~~+).*?^(?P=fence)$|`[^`\n]*`(?!\]))"
    r"|(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)"
    r'|(?P<attribute>\b(?:src|srcset|href))="(?P<address>[^"]+)"',
    re.DOTALL | re.MULTILINE,
)


def on_page_markdown(markdown, page, config, files):
    """Points links to the places of their targets on the site."""
    uri = page.file.src_uri
    source = next((path for path, site in ROOT_PAGES.items() if site == uri), "docs/" + uri)
    if uri.startswith("reference/"):
        return markdown

    def moved(target: str) -> str | None:
        """A link's target on the site, None if it is not there."""
        path, hash_, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return target
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        site = ROOT_PAGES.get(path) or REFERENCES.get(path) or path.removeprefix("docs/")
        if files.get_file_from_path(site) is None:
            return None if (ROOT / path).exists() else target
        return posixpath.relpath(site, posixpath.dirname(uri) or ".") + hash_ + anchor

    def link(match: re.Match) -> str:
        if match["code"]:
            return match[0]
        target = moved(match["target"] or match["address"])
        if match["attribute"]:
            return f'{match["attribute"]}="{target}"'
        return match["text"] if target is None else f"{match['image']}[{match['text']}]({target})"

    return LINK.sub(link, markdown)
