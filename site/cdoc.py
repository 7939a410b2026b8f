"""The reference of C and C++ from the headers in include: each comment of the top level with the code below it."""

from __future__ import annotations

import re
from pathlib import Path

SECTION = re.compile(r"^/\* -{10,} ?(.*?) ?-+ ?\*/$", re.DOTALL)
COMMENT = re.compile(r"^/\*.*?\*/", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"\b(?:sluice_|SLUICE_)\w*")
LABEL = re.compile(r"^ {0,4}(\w+) {2,}(?=\S)")


def c_reference(include: Path) -> str:
    """A page of sluice.h and its parts."""
    page = ["# C API", "`#include <sluice.h>` includes every part below. The guide is [C and C++](../c.md)."]
    for header in [include / "sluice.h", *sorted((include / "sluice").glob("*.h"))]:
        page += [f"## {header.relative_to(include)}", *_header(header.read_text())]
    return "\n\n".join(page) + "\n"


def cpp_reference(include: Path) -> str:
    """A page with the texts of the C++ headers, which are short."""
    page = ["# C++ API", "The classes of `sluice.hpp` own the handles of the [C API](c.md) and throw `sluice::error`."]
    for header in [include / "sluice.hpp", *sorted((include / "sluice").glob("*.hpp"))]:
        page += [f"## {header.relative_to(include)}", f"```cpp\n{header.read_text().strip()}\n```"]
    return "\n\n".join(page) + "\n"


def _header(text: str) -> list[str]:
    """The blocks of one header."""
    blocks: list[str] = []
    comments = list(COMMENT.finditer(text))
    for comment, following in zip(comments, [*comments[1:], None], strict=True):
        section = SECTION.match(re.sub(r"\s*\n \*\s*", " ", comment[0]))
        declaration = _declaration(text[comment.end() : following.start() if following else len(text)])
        if section:
            blocks.append(f"### {section[1].strip()}")
        else:
            names = re.findall(r"^/\* (sluice_\w+):", comment[0]) or _declared(declaration)
            blocks += [f"#### {' '.join(f'`{name}`' for name in names[:1])} {{#{names[0]}}}"] if names else []
            blocks += [f"```c\n{declaration}\n```"] if declaration else []
            blocks += _prose(comment[0])
            declaration = ""
        blocks += [f"```c\n{declaration}\n```"] if declaration else []
    return blocks


def _declaration(text: str) -> str:
    """Code without the lines of the preprocessor that declare nothing."""
    text = re.sub(
        r"^#ifdef __cplusplus\n.*?^#endif$|^#include.*$|^#(?:ifn?def|endif|define SLUICE\w*_H$).*$",
        "",
        text,
        flags=re.DOTALL | re.MULTILINE,
    )
    return re.sub(r"\n{2,}", "\n", text).strip()


def _declared(declaration: str) -> list[str]:
    """The names that code declares."""
    macro = re.findall(r"^#define (\w+)", declaration, re.MULTILINE)
    function = re.findall(r"^[\w \*]*?\b(sluice_\w+)\(", declaration, re.MULTILINE)
    type_ = re.findall(r"\b(sluice_\w+);$", declaration, re.MULTILINE)
    value = re.findall(r"^  (SLUICE_\w+)", declaration, re.MULTILINE)
    return macro or function or type_ or value


def _prose(comment: str) -> list[str]:
    """A comment as Markdown: paragraphs, its labels ("returns", "threads") as a list, and aligned text as it is."""
    body = re.sub(r"\s*\*/$", "", comment[2:])
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in body.splitlines()]
    lines[0] = lines[0].lstrip()
    blocks: list[str] = []
    item, aligned = 0, []  # the column of the text of a label; lines that are indented further

    def close() -> None:
        if aligned:
            margin = min(len(line) - len(line.lstrip()) for line in aligned)
            code = "\n".join(["```text", *(line[margin:] for line in aligned), "```"])
            blocks.append(re.sub("^", "    ", code, flags=re.MULTILINE) if item else code)
            aligned.clear()

    fresh = True  # the next line begins a paragraph
    for line in lines:
        line = re.sub(r"\s{2,}(since \d\S*)$", r" *\1*", line)
        indent = len(line) - len(line.lstrip())
        label = LABEL.match(line)
        if not line:
            close()
            item, fresh = 0, True
        elif label and (indent < (item or 5)):
            close()
            item, fresh = label.end(), False
            blocks.append(f"- **{label[1]}** {_marked(line[label.end() :])}")
        elif indent > (item or 1) and not line.lstrip().startswith("*since"):
            aligned.append(line)
        elif item and indent < item and not line.lstrip().startswith(("*since", "since")):
            close()
            item, fresh = 0, False
            blocks.append(_marked(line.strip()))
        else:
            text = _marked(line.strip())
            if aligned or fresh:
                close()
                blocks.append(("    " if item else "") + text)
            else:
                blocks[-1] += " " + text
            fresh = False
    close()
    return blocks


def _marked(text: str) -> str:
    """Text with names as code, and without anything else that Markdown would read."""
    pieces = re.split(r"(\*since \d\S*\*|`[^`]*`|\"[^\"]*\"|\b(?:sluice|SLUICE)_\w+\*?(?:\(\))?)", text)
    for i, piece in enumerate(pieces):
        if i % 2 == 0:
            pieces[i] = re.sub(r"([*_<>\[\]\\])", r"\\\1", piece)
        elif piece.startswith(("sluice_", "SLUICE_")):
            pieces[i] = f"`{piece}`"
        elif piece.startswith('"'):
            pieces[i] = '"' + re.sub(r"([*_<>\[\]\\])", r"\\\1", piece[1:-1]) + '"'
    return "".join(pieces)
