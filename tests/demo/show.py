"""The demo's output: with colour and the terminal's width on a terminal, plain lines of text in a log."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import unicodedata
from typing import TextIO

_STYLES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "cyan": "36",
    "grey": "90",
}


def width_of(text: str) -> int:
    """Returns how many columns a terminal uses for a text."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) != 0 for c in text)


def compact(n: int) -> str:
    """Returns a number of tokens in at most four characters."""
    return str(n) if n < 1000 else f"{n / 1000:.1f}k" if n < 10_000 else f"{n // 1000}k"


def duration(ns: float) -> str:
    """Returns a time with a unit that fits."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.0f} ns"


class Screen:
    """One output stream."""

    def __init__(self, out: TextIO = sys.stdout):
        self.out = out
        self.colour = out.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        self.unicode = (out.encoding or "ascii").lower().replace("-", "") in ("utf8", "utf16")
        self.width = max(40, min(shutil.get_terminal_size((100, 24)).columns, 120))
        self.column = 0

    def paint(self, text: str, *styles: str) -> str:
        """Returns text with styles, if this stream shows them."""
        if not self.colour or not styles:
            return text
        return f"\x1b[{';'.join(_STYLES[s] for s in styles)}m{text}\x1b[0m"

    def glyph(self, nice: str, plain: str) -> str:
        """Returns a character that the stream can show."""
        return nice if self.unicode else plain

    def line(self, text: str = "") -> None:
        """Prints one line, after ending the present one."""
        if self.column:
            self.out.write("\n")
            self.column = 0
        if not self.unicode:
            text = text.replace("µ", "u").encode("ascii", "replace").decode()
        self.out.write(text + "\n")
        self.out.flush()

    def title(self, kind: str, name: str) -> None:
        """Prints the head of a constraint."""
        bar = self.glyph("━", "=")
        head = f"{bar * 2} {self.paint(kind, 'bold', 'cyan')} " + (f"{self.paint(name, 'dim')} " if name else "")
        rest = self.width - width_of(kind) - width_of(name) - (5 if name else 4)
        self.line()
        self.line(head + self.paint(bar * max(rest, 2), "dim"))

    def indented(self, text: str, lines: int = 4) -> None:
        """Prints the first lines of a longer text, cut to the width."""
        rows = text.strip("\n").split("\n")
        for row in rows[:lines]:
            cut = row if width_of(row) <= self.width - 4 else row[: self.width - 5] + self.glyph("…", "~")
            self.line("  " + self.paint(cut, "dim"))
        if len(rows) > lines:
            self.line("  " + self.paint(f"{self.glyph('…', '...')} {len(rows) - lines} more lines", "dim"))

    def field(self, label: str, text: str, *, style: str = "bold", mark: str = "", mark_style: str = "bold") -> None:
        """Prints a sentence behind a label, wrapped between words."""
        lead = f"{mark} " if mark else ""
        rows = textwrap.wrap(lead + text, max(self.width - 12, 20)) or [""]
        first = self.paint(mark, "bold", mark_style) + rows[0][len(mark) :] if mark else rows[0]
        self.line("  " + self.paint(label.ljust(10), style) + first)
        for row in rows[1:]:
            self.line(" " * 12 + row)

    def wrapped(self, label: str, text: str) -> None:
        """Prints a longer text, wrapped, behind a label."""
        label = label.ljust(10)
        room = self.width - 12
        for row in text.split("\n") or [""]:
            while True:
                cut, used = 0, 0
                while cut < len(row) and used + width_of(row[cut]) <= room:
                    used += width_of(row[cut])
                    cut += 1
                self.line("  " + self.paint(label, "bold") + row[:cut])
                label, row = " " * 10, row[cut:]
                if not row:
                    break

    def token(self, token: bytes, allowed: int, end: bool) -> None:
        """Prints one chosen token and how many were allowed, in the running line."""
        text = token.decode("utf-8", "backslashreplace").replace("\n", self.glyph("↵", "\\n")).replace("\t", "\\t")
        if not self.unicode:
            text = text.encode("ascii", "backslashreplace").decode()
        text = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
        shown = text.replace(" ", self.glyph("·", "_")) if text.strip() == "" or text[-1:] == " " else text
        count = compact(allowed)
        need = width_of(shown) + len(count) + 2
        if self.column and self.column + need > self.width:
            self.out.write("\n")
            self.column = 0
        if not self.column:
            self.out.write("  ")
            self.column = 2
        style = "grey" if end else "green" if allowed == 1 else "cyan" if allowed <= 64 else "yellow"
        self.out.write(self.paint(shown, "bold", style) + self.paint(self.glyph("‹", "<") + count, "grey"))
        self.out.write(" ")
        self.out.flush()
        self.column += need

    def table(self, rows: list[list[str]], marks: dict[int, str]) -> None:
        """Prints a table; the first row is its head, `marks` colours the last cell of some rows."""
        widths = [max(width_of(r[i]) for r in rows) for i in range(len(rows[0]))]
        for n, row in enumerate(rows):
            cells = [c + " " * (w - width_of(c)) if i in (0, len(row) - 1) else " " * (w - width_of(c)) + c
                     for i, (c, w) in enumerate(zip(row, widths))]  # fmt: skip
            if n in marks:
                cells[-1] = self.paint(cells[-1], "bold", marks[n])
            text = "  ".join(cells).rstrip()
            self.line("  " + (self.paint(text, "bold") if n == 0 else text))
            if n == 0:
                self.line("  " + self.paint(self.glyph("─", "-") * (sum(widths) + 2 * len(widths) - 2), "dim"))
