"""What the plugins for engines share: hooks that stand alone, and one line in the log that says which of them are in.

The log names what a release of an engine lacks, and everything else still works. A hook that fails later, when it is
called, becomes the engine's own code. Nothing here raises into an engine or loads the library.
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
from typing import Any, get_args


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


def replace(
    owner: Any,
    name: str,
    make: Callable[[Any], Any],
    logger: logging.Logger,
    answers: tuple[type[Exception], ...] = (),
    needed: bool = False,
) -> None:
    """Puts make(original) in the place of a function of a class or module, see `guarded`."""
    own = inspect.getattr_static(owner, name)
    hooked: Any = guarded(getattr(owner, name), make, logger, answers, needed)
    setattr(owner, name, staticmethod(hooked) if isinstance(own, staticmethod) else hooked)


def guarded(
    original: Any,
    make: Callable[[Any], Any],
    logger: logging.Logger,
    answers: tuple[type[Exception], ...] = (),
    needed: bool = False,
) -> Any:
    """Returns a function that does what make(original) does. Where ours fails the engine's own runs, even if ours has
    called it before: the function must bear that.

    Args:
        original: the engine's function.
        make: returns ours, which may call the original. What the original raises within ours is raised.
        logger: hears of the first failure.
        answers: exceptions of ours that are meant for the engine.
        needed: ours is tried again at the next call, since without it the engine serves nothing or refuses too much.
            Otherwise the engine's own runs from the first failure on.
    """
    ours, code = make(original), getattr(original, "__code__", None)
    failed = False

    @functools.wraps(original)
    def hooked(*args: Any, **kwargs: Any) -> Any:
        nonlocal failed
        if failed and not needed:
            return original(*args, **kwargs)
        try:
            return ours(*args, **kwargs)
        except answers:
            raise
        except Exception as e:
            if _came_through(e, code):
                raise
            if not failed:
                own = getattr(original, "__qualname__", original)
                logger.warning("The engine's own %s runs, for Sluice's fails: %s: %s", own, type(e).__name__, e)
            failed = True
        return original(*args, **kwargs)

    hooked._sluice = True  # type: ignore[attr-defined]
    return hooked


def _came_through(e: Exception, code: Any) -> bool:
    """Says whether a function with this code raised e, or let it pass."""
    frames = e.__traceback__
    while frames is not None and code is not None:
        if frames.tb_frame.f_code is code:
            return True
        frames = frames.tb_next
    return False


_UNTOLD = inspect.Signature.empty


def needs(function: Any, *parameters: str, returns: Any = _UNTOLD, values: int = 0) -> None:
    """Raises if a function that is called, or called from, here takes something else than we know, or says that it
    returns something else, or another number of values."""
    try:
        signature = inspect.signature(function, eval_str=True)
    except Exception:  # of annotations with names that are known to a type checker alone
        signature = inspect.signature(function)
    found, told = tuple(signature.parameters), signature.return_annotation
    if found[: len(parameters)] != parameters:
        raise TypeError(f"{function.__qualname__} takes {', '.join(found)}")
    other = returns is not _UNTOLD and told not in (returns, str(returns), _UNTOLD)
    if other or (values and len(get_args(told)) not in (0, values)):
        raise TypeError(f"{function.__qualname__} returns {told}")


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
