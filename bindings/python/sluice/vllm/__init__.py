"""The plugin for vLLM: `--structured-outputs-config.backend sluice`. docs/vllm.md says what users must know.

vLLM finds `register` through the entry point `vllm.general_plugins` and calls it in every process, before it forks. So
importing this package and calling `register` load no library; nothing of vLLM's is changed for engines that have chosen
another backend; and whatever goes wrong is said in the log, never raised.

Start reading at `_hooks.register`, then `_backend`, which is what an engine holds, and `_worker`, which applies masks;
`_compiling` serves engine and front end alike.

SLUICE_VLLM=off in the environment leaves vLLM alone; SLUICE_VLLM=auto serves engines with the backend `auto` too, and
SLUICE_VLLM=always every engine, for front ends that take vLLM's own names alone.
"""

from __future__ import annotations

import logging


def register() -> None:
    """Hooks Sluice into the vLLM of this process; again: nothing. It never raises, which would end the process."""
    try:
        from . import _hooks

        _hooks.register()
    except Exception:
        logging.getLogger("vllm.sluice").exception("Sluice could not be hooked into vLLM")
