"""Sluice in sglang-jax, which has neither a table of backends nor plugins.

    python -m sluice.sglang_jax --model-path MODEL --grammar-backend sluice

runs sgl_jax.launch_server with Sluice among its grammar backends, also in the processes that it spawns. A program that
makes an engine calls `register()` first. docs/sglang.md is the page for users.

Until a scheduler uses Sluice, this module loads no library and imports neither torch nor JAX. The environment variable
SLUICE_SGLANG=off turns it off.
"""

from __future__ import annotations

import importlib
import logging
import sys
from typing import Any

from sluice._hooking import Hooks, needs, off

NAME = "sluice"
SWITCH = "SLUICE_SGLANG"
BASE = "sgl_jax.srt.constrained.base_grammar_backend"
SCHEDULER = "sgl_jax.srt.managers.scheduler"

logger: logging.Logger = logging.getLogger("sgl_jax.sluice")
_registered = False


def register() -> None:
    """Makes `sluice` a name of a grammar backend in this process. Later calls do nothing. It never raises."""
    global _registered
    if _registered or off(SWITCH, logger, "on"):
        return
    _registered = True
    hooks = Hooks("sglang-jax", logger)
    hooks.install({"name": _hook_name, "backend": _hook_backend})
    hooks.say()


def _hook_name() -> None:
    """Makes `--grammar-backend` accept the name."""
    importlib.import_module("sgl_jax.srt.server_args").GRAMMAR_BACKEND_CHOICES.append(NAME)


def _hook_backend() -> None:
    """Makes a scheduler with this name get our backend, whether or not its module has imported the function."""
    base = importlib.import_module(BASE)
    original = base.create_grammar_backend
    needs(original, "server_args", "tokenizer", "vocab_size")

    def create_grammar_backend(server_args: Any, tokenizer: Any, vocab_size: int, *more: Any, **named: Any) -> Any:
        if getattr(server_args, "grammar_backend", None) != NAME:
            return original(server_args, tokenizer, vocab_size, *more, **named)
        from sluice._sglang_jax import make_backend

        end_tokens = more[0] if more else named.get("eos_token_ids")
        return make_backend(server_args, tokenizer, vocab_size, end_tokens)

    modules: list[Any] = [base, sys.modules.get(SCHEDULER)]
    for module in modules:
        if module is not None and getattr(module, "create_grammar_backend", None) is original:
            module.create_grammar_backend = create_grammar_backend


if __name__ in ("__main__", "__mp_main__"):  # a spawned process imports the main module of the first
    from sluice import sglang_jax

    sglang_jax.register()

if __name__ == "__main__":
    import runpy

    runpy.run_module("sgl_jax.launch_server", run_name="__main__")
