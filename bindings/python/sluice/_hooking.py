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
    """Returns what the environment says about a plugin; "off" leaves the engine alone."""
    return os.environ.get(variable, "").lower()


def install(engine: str, hooks: Mapping[str, Callable[[], None]], logger: logging.Logger) -> list[str]:
    """Calls each hook's function and says in one line of the log what was hooked and what this release lacks.

    Returns:
        The names of the hooks that are in.
    """
    done, lacking = [], []
    for name, hook in hooks.items():
        try:
            hook()
            done.append(name)
        except Exception as e:
            lacking.append(f"{name} ({type(e).__name__}: {e})")
    said = f"Sluice is hooked in: {', '.join(done) or 'nowhere'}"
    if lacking:
        logger.warning("%s; this release of %s has no place for: %s", said, engine, "; ".join(lacking))
    else:
        logger.info("%s", said)
    return done


def replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Puts make(original) in the place of a function of a class or module."""
    original = getattr(owner, name)
    setattr(owner, name, functools.wraps(original)(make(original)))


def needs(function: Any, *parameters: str) -> None:
    """Raises if a function that is called, or called from, here takes something else than we know."""
    found = tuple(inspect.signature(function).parameters)
    if found[: len(parameters)] != parameters:
        raise TypeError(f"{function.__qualname__} takes {', '.join(found)}")
