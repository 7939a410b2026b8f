"""The plugin for SGLang: `--grammar-backend sluice`. docs/sglang.md is the page for users.

SGLang finds `register` through the entry point `sglang.srt.plugins` and calls it in every process. `register` adds a
name to two tables and does nothing else. The plugin imports and hooks the rest when a scheduler with this name makes
its backend.

Start reading at `_hooks.register`, then `_backend` (the object of a scheduler) and `_grammar` (one request).

The environment variable SLUICE_SGLANG=off turns the plugin off.
"""

from __future__ import annotations

import logging


def register() -> None:
    """Makes `sluice` a name of a grammar backend in this process. Later calls do nothing. It never raises."""
    try:
        from . import _hooks

        _hooks.register()
    except Exception:
        logging.getLogger("sglang.sluice").exception("Sluice could not be hooked into SGLang")
