"""The plugin for vLLM: `--structured-outputs-config.backend sluice`. docs/vllm.md is the page for users.

vLLM finds `register` through the entry point `vllm.general_plugins` and calls it in every process, before it forks. So
importing this package and calling `register` load no library. Engines with another backend run vLLM's code unchanged.
Failures are logged and never raised.

Start reading at `_hooks.register`, then `_backend` (the backend object of an engine) and `_worker` (applies masks).
Engine and front end share `_compiling`.

The environment variable SLUICE_VLLM selects engines: `off` serves none, `auto` also those with the backend `auto`, and
`always` all, for front ends that accept only vLLM's own names.
"""

from __future__ import annotations

import logging
from typing import Any


class Drafts:
    """A proposer of drafts for vLLM's speculative decoding: the tokens that a request's grammar expects.

    `speculative_config={"method": "custom_class", "model": "sluice.vllm.Drafts", "num_speculative_tokens": 8}` chooses
    it. vLLM makes one in each worker. Grammars are in the engine's process, so workers propose nothing, and the hook
    "drafts" lets the scheduler ask the grammars.
    """

    def __init__(self, vllm_config: Any):
        """Takes vLLM's configuration, and needs nothing of it."""

    def load_model(self, *args: Any) -> None:
        """Does nothing, because there is no model."""

    def propose(self, sampled_token_ids: list[list[int]], *args: Any, **kwargs: Any) -> list[list[int]]:
        """Returns no draft for any request."""
        return [[] for _ in sampled_token_ids]


def register() -> None:
    """Hooks Sluice into the vLLM of this process. Later calls do nothing.

    It never raises, because an exception here would end the process.
    """
    try:
        from . import _hooks

        _hooks.register()
    except Exception:
        logging.getLogger("vllm.sluice").exception("Sluice could not be hooked into vLLM")
