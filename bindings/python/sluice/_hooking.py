"""What the plugins for engines share: hooks that stand alone, and one line in the log that says which of them are in.

What a release of an engine lacks is named in the log, and everything else still works. Nothing here raises into an
engine or loads the library.
"""

from __future__ import annotations

import functools
import inspect
import logging
import os
from collections.abc import Callable, Mapping
from typing import Any


def switch(variable: str) -> str:
    """Returns what the environment says about a plugin; "off", in any spelling, leaves the engine alone."""
    said = os.environ.get(variable, "").strip().lower()
    return "off" if said in ("0", "false", "no", "disabled") else said


class Hooks:
    """What has been hooked into an engine so far, and what its release has no place for."""

    def __init__(self, engine: str, logger: logging.Logger):
        self._engine, self._logger = engine, logger
        self.done: list[str] = []
        self.lacking: list[str] = []

    def install(self, hooks: Mapping[str, Callable[[], None]]) -> None:
        """Calls each hook's function and takes note of how it went."""
        for name, hook in hooks.items():
            try:
                hook()
                self.done.append(name)
            except Exception as e:
                self.lacking.append(f"{name} ({type(e).__name__}: {e})")

    def say(self) -> None:
        """Says it in one line of the log."""
        said = f"Sluice is hooked in: {', '.join(self.done) or 'nowhere'}"
        if self.lacking:
            lacking = "; ".join(self.lacking)
            self._logger.warning("%s; this release of %s has no place for: %s", said, self._engine, lacking)
        else:
            self._logger.info("%s", said)


def replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Puts make(original) in the place of a function of a class or module."""
    original = getattr(owner, name)
    setattr(owner, name, functools.wraps(original)(make(original)))


def needs(function: Any, *parameters: str) -> None:
    """Raises if a function that is called, or called from, here takes something else than we know."""
    found = tuple(inspect.signature(function).parameters)
    if found[: len(parameters)] != parameters:
        raise TypeError(f"{function.__qualname__} takes {', '.join(found)}")
