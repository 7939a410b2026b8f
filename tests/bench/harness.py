"""Runs engines in processes of their own, stops expensive ones, and gathers their results.

INVARIANT: a constraint that is stopped has a record that says why, and the process that replaces the stopped one goes
on with the next constraint. So every engine has a record of every constraint.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
TICK = 0.1  # seconds between two looks at a process
WALL = 20  # times the limit of CPU time, for a process that sleeps
STARTING = 600  # seconds of wall time until an engine is there
ONE_THREAD = {"RAYON_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}


class Limits(NamedTuple):
    """The limits of a process for one constraint and its instances."""

    seconds: float  # of CPU time
    megabytes: int  # of resident memory


class EngineError(Exception):
    """An engine that cannot be started; the text says what to do."""


def spent(process: int) -> tuple[float, int]:
    """Returns the CPU seconds and the resident megabytes of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    return (int(fields[11]) + int(fields[12])) / ticks, int(fields[21]) * page >> 20


class Worker:
    """A process of worker.py that begins with some constraint."""

    def __init__(self, engine: str, arguments: list[str], start: int, log: Path) -> None:
        read, write = os.pipe()
        command = [sys.executable, str(HERE / "worker.py"), engine, *arguments]
        command += ["--start", str(start), "--descriptor", str(write)]
        with open(log, "a") as file:
            self.process = subprocess.Popen(
                command, pass_fds=[write], env=os.environ | ONE_THREAD, stdout=file, stderr=file
            )
        os.close(write)
        self.read, self.pending = read, b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(read, selectors.EVENT_READ)

    def line(self, limits: Limits | None) -> dict[str, Any] | str:
        """Returns the next record, or why there is none: "time", "memory" or "crash"."""
        begun, ticks = None, 0
        most = WALL * limits.seconds if limits else STARTING
        while b"\n" not in self.pending:
            if self.selector.select(TICK):
                more = os.read(self.read, 1 << 20)
                if not more:
                    return "crash"
                self.pending += more
                continue
            ticks += 1
            if ticks * TICK > most:
                return "time"
            if limits:
                try:
                    seconds, megabytes = spent(self.process.pid)
                except (FileNotFoundError, ProcessLookupError):
                    continue  # it is gone, and the pipe will say so
                begun = seconds if begun is None else begun
                if seconds - begun > limits.seconds:
                    return "time"
                if megabytes > limits.megabytes:
                    return "memory"
        line, _, self.pending = self.pending.partition(b"\n")
        return json.loads(line)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.selector.close()
        os.close(self.read)


def records(engine: str, arguments: list[str], ids: list[str], limits: Limits, log: Path) -> Iterator[dict[str, Any]]:
    """Yields the record about an engine and one for each constraint."""
    place, told = 0, False
    while place < len(ids) or not told:
        worker = Worker(engine, arguments, place, log)
        try:
            about = worker.line(None)
            if isinstance(about, str):
                raise EngineError(f"{engine} did not start ({about}); {log} has its messages")
            if not told:
                yield about
                told = True
            while place < len(ids):
                record = worker.line(limits)
                stopped = isinstance(record, str)
                yield {"id": ids[place], "outcome": record, "fills": []} if stopped else record
                place += 1
                if stopped:
                    break
        finally:
            worker.close()
