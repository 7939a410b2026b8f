"""The plugin for SGLang: `--grammar-backend sluice`. docs/sglang.md says what users must know.

SGLang finds `register` through the entry point `sglang.srt.plugins` and calls it in every process. It adds a name to
two tables and does nothing else: what it takes to serve is imported and hooked when a scheduler has been told that name
and makes its backend.

Start reading at `_hooks.register`, then `_backend`, which is what a scheduler holds, and `_grammar`, one request.

SLUICE_SGLANG=off in the environment leaves SGLang alone.
"""

from __future__ import annotations

import logging


def register() -> None:
    """Makes `sluice` a name of a grammar backend in this process; again: nothing. It never raises."""
    try:
        from . import _hooks

        _hooks.register()
    except Exception:
        logging.getLogger("sglang.sluice").exception("Sluice could not be hooked into SGLang")
