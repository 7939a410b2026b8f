#!/usr/bin/env python3
"""The cost of a scheduler's steps from Python: `make lab NAME=steps`.

Schemas and texts come from BFCL if ../shared exists, else from the small set here. All states are cached before they
are measured, except in the first round. Each table ends with the time of writing as much memory in the same run: no
step can take less.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from jobs import END_NAMES, read_jobs

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings" / "python"))

import sluice

SHARED = ROOT.parent / "shared" / "data"


class World:
    """Sequences of one vocabulary: a grammar and the tokens of a valid text each."""

    def __init__(self, tokenizer: str, count: int):
        shared = SHARED / "tokenizers" / f"{tokenizer}.json.gz"
        path = shared if shared.exists() else ROOT / "tests" / "data" / "tokenizer.json.gz"
        data = SHARED / "bfcl" / "dev.jsonl.gz"
        v = sluice.Vocabulary.from_file(path)
        ends = [i for name in END_NAMES if (i := v.token_id(name)) is not None]
        self.vocabulary = v = sluice.Vocabulary.from_file(path, end_tokens=ends[:1]) if ends else v
        self.name = path.name.removesuffix(".json.gz")
        self._tokens = {v.token_bytes(i): i for i in reversed(range(v.size))}
        self._longest = min(32, max(map(len, self._tokens)))
        compiler = sluice.Compiler(v, cache_bytes=0)
        self.sequences: list[tuple[sluice.Grammar, list[int]]] = []
        for job in read_jobs(data if data.exists() else ROOT / "tests" / "bench" / "small.jsonl.gz", None):
            text = next((t["text"] for t in job["tests"] if t["valid"] and t.get("text")), None)
            if text is not None and job.get("spec"):
                grammar = compiler.compile(job.get("kind", "json_schema"), job["spec"])
                self.sequences.append((grammar, self.cut(text.encode())))
            if len(self.sequences) == count:
                break
        self.sequences = [self.sequences[i % len(self.sequences)] for i in range(count)]

    def cut(self, text: bytes) -> list[int]:
        """Returns the longest token at each place."""
        ids: list[int] = []
        while text:
            n = next(n for n in range(self._longest, 0, -1) if text[:n] in self._tokens)
            ids.append(self._tokens[text[:n]])
            text = text[n:]
        return ids

    def rows(self, count: int) -> Any:
        return sluice.allocate_bitmask(count, self.vocabulary)


class Steps:
    """Sequences that go on for ever: one that is over begins again."""

    def __init__(self, world: World, threads: int, keep_rows: bool = False):
        self.world, self.n = world, len(world.sequences)
        self.matchers = [g.matcher() for g, _ in world.sequences]
        self.at = [0] * self.n
        self.batch = sluice.Batch(self.matchers, threads=threads, keep_rows=keep_rows)
        self.unchanged = 0
        self.masks = world.rows(self.n)

    def next(self) -> list[int]:
        """Returns the token of each sequence."""
        tokens = []
        for place, (_, ids) in enumerate(self.world.sequences):
            if self.at[place] == len(ids):
                self.matchers[place].reset()
                self.at[place] = 0
            tokens.append(ids[self.at[place]])
            self.at[place] += 1
        return tokens

    def run(self, steps: int, clock: Callable[[], int]) -> list[tuple[int, int]]:
        """Returns the times of each step: to fill, and to accept."""
        times = []
        for _ in range(steps):
            tokens = self.next()
            begin = clock()
            self.batch.fill(self.masks)
            middle = clock()
            refused = self.batch.accept(tokens)
            times.append((middle - begin, clock() - middle))
            assert not refused, refused
            self.unchanged += sum(self.batch.unchanged)
        return times


def least(rounds: int, measure: Callable[[], float]) -> float:
    return min(measure() for _ in range(rounds))


def writing(masks: Any) -> float:
    """Returns the time of writing the rows, in ns a row."""
    begin = time.thread_time_ns()
    masks.fill(-1)
    return (time.thread_time_ns() - begin) / len(masks)


def known(rounds: int) -> None:
    print("A step: one fill and one accept, on one thread; CPU time in ns a sequence, the least of the rounds")
    print(f"{'':34}{'fill':>8}{'accept':>8}{'both':>8}{'writing':>9}")
    for count in (64, 256):
        world = World("llama3_1", count)
        steps, keeping = Steps(world, 1), Steps(world, 1, keep_rows=True)
        cold = [sum(x) for x in zip(*steps.run(40, time.thread_time_ns))]
        found: dict[Steps, list[list[float]]] = {steps: [], keeping: []}
        for s in found:
            s.run(120, time.thread_time_ns)
            s.unchanged = 0
        for _ in range(rounds):
            for s, times in found.items():  # by turns
                times.append([sum(x) / 40 / count for x in zip(*s.run(40, time.thread_time_ns))])
        floor, same = min(writing(steps.masks) for _ in range(rounds)), keeping.unchanged / (rounds * 40 * count)
        for s, label in (
            (steps, f"{count} sequences, {world.name}"),
            (keeping, f"  rows kept, {same:.0%} unchanged"),
        ):
            fill, accept = (min(x) for x in zip(*found[s]))
            both = min(sum(f) for f in found[s])
            print(f"{label:34}{fill:8.0f}{accept:8.0f}{both:8.0f}{floor:9.0f}")
        fill, accept = (c / 40 / count for c in cold)
        print(f"{'  its first 40 steps':34}{fill:8.0f}{accept:8.0f}{fill + accept:8.0f}")


def drafts(rounds: int) -> None:
    """Chains of 8 drafts, and trees of 61 nodes with three children each."""
    count, nodes = 64, 61
    world = World("llama3_1", count)
    matchers, chains, r = [], [], random.Random(1)
    child, sibling, tokens = (np.full((count, nodes), -1, np.int64) for _ in range(3))
    for k in range(nodes):
        child[:, k] = 3 * k + 1 if 3 * k + 1 < nodes else -1
        sibling[:, k] = k + 1 if k % 3 and k + 1 < nodes else -1
    row = world.rows(1)

    def put(place: int, node: int, matcher: sluice.Matcher) -> None:
        matcher.fill(row)
        allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))
        at = child[place, node]
        while at >= 0:
            tokens[place, at] = r.choice(allowed)
            after = matcher.fork()
            if after.accept(int(tokens[place, at])) and not after.terminated:
                put(place, at, after)
            at = sibling[place, at]

    for place, (grammar, ids) in enumerate(world.sequences):
        matcher, begin = grammar.matcher(), max(0, len(ids) // 2 - 4)
        matcher.accept_tokens(ids[:begin])
        matchers.append(matcher)
        chains.append(ids[begin : begin + 8])
        put(place, 0, matcher)
    batch = sluice.Batch(matchers, threads=1)
    print("\nDrafts of 64 requests, on one thread; CPU time in ns a row, the least of the rounds")
    for label, rows, fill in (
        ("chains of 8", sum(len(c) + 1 for c in chains), lambda m: batch.fill_chains(chains, m)),
        ("trees of 61 nodes", count * nodes, lambda m: batch.fill_trees(child, sibling, tokens, m)),
    ):
        masks = world.rows(rows)

        def measure(fill: Callable[[Any], Any] = fill, masks: Any = masks) -> float:
            begin = time.thread_time_ns()
            fill(masks)
            return (time.thread_time_ns() - begin) / len(masks)

        measure()
        print(f"{label:34}{least(rounds, measure):8.0f}   writing {least(rounds, lambda m=masks: writing(m)):.0f}")


def threads(rounds: int, matchers: int) -> None:
    """Many matchers on one thread and on two; the clock on the wall, since two threads are there to save it."""
    world = World("gemma3", matchers)
    steps = {n: Steps(world, n) for n in (1, 2)}
    found: dict[int, list[float]] = {1: [], 2: []}
    for s in steps.values():
        s.run(120, time.perf_counter_ns)
    for _ in range(rounds):
        for n, s in steps.items():  # by turns
            found[n] += [sum(t) / matchers for t in s.run(5, time.perf_counter_ns)]
    one, two = (sorted(found[n])[len(found[n]) // 4] for n in (1, 2))
    print(f"\n{matchers} matchers, {world.name}, a step on the wall's clock, lower quartile")
    print(f"{'':34}{one:8.0f} ns a sequence on 1 thread, {two:.0f} on 2: {one / two:.2f} times as fast")


def pick(times: list[float], percent: int) -> float:
    return sorted(times)[len(times) * percent // 100]


def hog(seconds: float, rounds: int, matchers: int) -> None:
    """Steps beside a thread that never gives up the interpreter lock voluntarily, and steps without it, in turns.

    A thread that waits for the lock beside such a thread gets it after the switch interval, before the step begins. So
    the quiet steps have the same distance: after a pause of some milliseconds caches are cold, with and without the
    thread.
    """
    over = threading.Event()

    def busy() -> None:
        while not over.is_set():
            sum(range(200))

    def latencies(steps: Steps, pause: float) -> list[float]:
        found, end = [], time.monotonic() + seconds / rounds
        while time.monotonic() < end:
            time.sleep(pause)  # as a scheduler waits for its device
            found += [sum(t) / 1e3 for t in steps.run(1, time.perf_counter_ns)]
        return found

    def beside(steps: Steps) -> list[float]:
        over.clear()
        thread = threading.Thread(target=busy)
        thread.start()
        try:
            return latencies(steps, 0.001)
        finally:
            over.set()
            thread.join()

    print("\nSteps beside a thread that hogs the interpreter lock, us of wall time: median of the rounds, and least")
    for tokenizer, count in (("llama3_1", 64), ("gemma3", matchers)):
        world = World(tokenizer, count)
        steps = Steps(world, 0)
        steps.run(120, time.perf_counter_ns)
        kinds: dict[str, Callable[[], list[float]]] = {
            "quiet, 1 ms apart": lambda s=steps: latencies(s, 0.001),
            "quiet, as far apart as beside it": lambda s=steps: latencies(s, 0.001 + sys.getswitchinterval()),
            "beside it": lambda s=steps: beside(s),
        }
        found: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
        for _ in range(rounds):
            for kind, measure in kinds.items():
                found[kind].append(measure())
        print(f"{count} sequences, {world.name}")
        for kind, all_rounds in found.items():
            cells = []
            for percent in (50, 90, 99):
                of_rounds = [pick(times, percent) for times in all_rounds]
                cells.append(f"p{percent} {pick(of_rounds, 50):6.0f} {min(of_rounds):6.0f}")
            print(f"  {kind:34}{'   '.join(cells)}   of {sum(map(len, all_rounds))} steps")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--matchers", type=int, default=1000, help="how many, on one thread and on two")
    parser.add_argument("--seconds", type=float, default=4, help="of each way, all rounds together")
    parser.add_argument("--only", choices=["known", "drafts", "threads", "hog"], help="one part")
    o = parser.parse_args()
    parts = {
        "known": lambda: known(o.rounds),
        "drafts": lambda: drafts(o.rounds),
        "threads": lambda: threads(o.rounds, o.matchers),
        "hog": lambda: hog(o.seconds, o.rounds, o.matchers),
    }
    print(f"{len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}\n")
    for name, part in parts.items():
        if o.only in (None, name):
            part()


if __name__ == "__main__":
    main()
