"""What the plugins for engines share: hooks that stand alone, and one line in the log that says which of them are in.

What a release of an engine lacks is named in the log, and everything else still works. Nothing here raises into an
engine or loads the library.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.abc
import importlib.machinery
import inspect
import logging
import os
import sys
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


class _Later(importlib.abc.MetaPathFinder):
    """Finds one module as the other finders do, and calls a function once it has been imported."""

    def __init__(self, name: str, then: Callable[[], None]):
        self.name, self.then = name, then

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        others = (f for f in list(sys.meta_path) if f is not self and hasattr(f, "find_spec"))
        spec = next((s for f in others if (s := f.find_spec(fullname, path, target)) is not None), None)
        loader = getattr(spec, "loader", None)
        if loader is None:
            return spec
        own = loader.exec_module

        def exec_module(module: Any) -> None:
            own(module)
            # An import that fails may be tried again, so that the finder goes only now.
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            self.then()

        with contextlib.suppress(AttributeError):  # of a loader whose methods cannot be replaced
            loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def after_import(name: str, then: Callable[[], None]) -> None:
    """Calls `then`, which must not raise: now, if the module is there, else as soon as somebody imports it."""
    if name in sys.modules:
        then()
    else:
        sys.meta_path.insert(0, _Later(name, then))
