"""Threads: shared objects from many of them at once, and a matcher that two want to use."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import sluice

PATTERNS = [f"[a-z]{{{i % 7 + 1}}}[0-9]+(x|yz)*" for i in range(20)]


def walk(grammar: sluice.Grammar, text: str) -> list[bytes]:
    m, out = grammar.matcher(), []
    for byte in text.encode():
        row = bytearray(4 * grammar.vocabulary.words)
        m.fill(row)
        out.append(bytes(row))
        assert m.accept(byte)
    return out


def test_grammars_are_shared(vocabulary):
    texts = ["a" * (i % 7 + 1) + "123x" for i in range(20)]
    alone = sluice.Compiler(vocabulary)
    serial = [walk(alone.compile_regex(p), t) for p, t in zip(PATTERNS, texts)]
    shared = sluice.Compiler(vocabulary)
    with ThreadPoolExecutor(8) as pool:
        grammars = list(pool.map(shared.compile_regex, PATTERNS))
        for _ in range(5):
            assert list(pool.map(walk, grammars, texts)) == serial


def test_two_threads_on_one_matcher(compiler, vocabulary):
    """At any timing: an answer or BusyError, and the matcher stays usable."""
    m = compiler.compile_regex("[ab]*").matcher()
    masks = sluice.allocate_bitmask(64, vocabulary)
    matchers = [m.fork() for _ in range(64)]
    until, seen = time.monotonic() + 1, []

    def batches():
        while time.monotonic() < until:
            try:
                sluice.fill_batch(matchers, masks, threads=2)
            except sluice.BusyError:
                seen.append("busy")

    def singles():
        row = bytearray(4 * vocabulary.words)
        while time.monotonic() < until:
            for k in matchers:
                try:
                    k.fill(row)
                    k.accept(ord("a"))
                except sluice.BusyError:
                    seen.append("busy")

    threads = [threading.Thread(target=f) for f in (batches, singles)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(30)
        assert not t.is_alive()
    assert all(k.accept(ord("b")) for k in matchers)
