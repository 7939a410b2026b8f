"""Hooks for the plugins of engines, and one log line that lists them.

Hooks are independent. The log names the hooks whose place a release lacks; the others work. If a hook fails later, when
it is called, the engine's own code runs instead. Nothing here raises into an engine or loads the library.
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
    """Returns the value of a plugin's environment variable. All spellings of "off" become "off"."""
    said = os.environ.get(variable, "").strip().lower()
    return "off" if said in ("0", "false", "no", "disabled") else said


def off(variable: str, logger: logging.Logger, *values: str) -> bool:
    """Returns whether a plugin's environment variable is off. Logs a warning if it has another value than values."""
    said = switch(variable)
    if said not in ("", "off", *values):
        logger.warning("%s=%s is ignored: it must be %s", variable, said, " or ".join(("off", *values)))
    return said == "off"


class Hooks:
    """The hooks that were installed in an engine, and those whose place its release lacks."""

    def __init__(self, engine: str, logger: logging.Logger):
        self._engine, self._logger = engine, logger
        self.done: list[str] = []
        self.lacking: list[str] = []

    def install(self, hooks: Mapping[str, Callable[[], None]]) -> None:
        """Calls each hook's function and records whether it succeeded."""
        for name, hook in hooks.items():
            try:
                hook()
                self.done.append(name)
            except Exception as e:
                self.lacking.append(f"{name} ({type(e).__name__}: {e})")

    def say(self) -> None:
        """Logs the hooks in one line."""
        said = f"Sluice is hooked in: {', '.join(self.done) or 'nowhere'}"
        if self.lacking:
            lacking = "; ".join(self.lacking)
            self._logger.warning("%s; this release of %s lacks the place for: %s", said, self._engine, lacking)
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
    """Replaces a function of a class or module with make(original); see `guarded`."""
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
    """Returns a function that calls make(original), and the original if ours fails.

    The original then runs even if ours has called it before, so it must tolerate a second call.

    Args:
        original: the engine's function.
        make: returns our function, which may call the original. Exceptions of the original pass through.
        logger: gets a warning at the first failure.
        answers: our exceptions that are meant for the engine; they pass through.
        needed: try ours again at the next call, because without it the engine serves nothing or refuses too much.
            Otherwise the original runs from the first failure on.
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
                logger.warning("The engine's own %s runs, because Sluice's failed: %s: %s", own, type(e).__name__, e)
            failed = True
        return original(*args, **kwargs)

    hooked._sluice = True  # type: ignore[attr-defined]
    return hooked


def _came_through(e: Exception, code: Any) -> bool:
    """Returns whether e came out of a function with this code."""
    frames = e.__traceback__
    while frames is not None and code is not None:
        if frames.tb_frame.f_code is code:
            return True
        frames = frames.tb_next
    return False


_UNTOLD = inspect.Signature.empty


def needs(function: Any, *parameters: str, returns: Any = _UNTOLD, values: int = 0) -> None:
    """Raises TypeError if an engine's function has other parameters, another return type or number of values than ours
    expects."""
    try:
        signature = inspect.signature(function, eval_str=True)
    except Exception:  # an annotation has a name that only type checkers know
        signature = inspect.signature(function)
    found, told = tuple(signature.parameters), signature.return_annotation
    if found[: len(parameters)] != parameters:
        raise TypeError(f"{function.__qualname__} takes {', '.join(found)}")
    other = returns is not _UNTOLD and told not in (returns, str(returns), _UNTOLD)
    if other or (values and len(get_args(told)) not in (0, values)):
        raise TypeError(f"{function.__qualname__} returns {told}")


class _Later(importlib.abc.MetaPathFinder):
    """Finds one module through the other finders, and calls a function after its import."""

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
            # A failed import may be tried again, so the finder is removed only now.
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            self.then()

        with contextlib.suppress(AttributeError):  # some loaders do not allow replacing their methods
            loader.exec_module = exec_module
        return spec


def after_import(name: str, then: Callable[[], None]) -> None:
    """Calls `then` now if the module is loaded, else after its import. `then` must not raise."""
    if name in sys.modules:
        then()
    else:
        sys.meta_path.insert(0, _Later(name, then))
