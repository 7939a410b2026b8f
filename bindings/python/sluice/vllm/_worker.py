"""Applies masks in vLLM's workers with our kernels.

They replace the package xgrammar in runner V1, and vLLM's Triton kernel in runner V2 on the CPU. On a GPU, runner V2
keeps its kernel.

Invariant: the logits equal the result of vLLM's own code bit by bit. That code also handles every case that fails here.
No function raises into a worker, because an exception would end it. The module imports nothing from vLLM.
"""

from __future__ import annotations

import importlib
import inspect
import logging
from collections.abc import Sequence
from typing import Any

from .._hooking import needs, replace

logger = logging.getLogger("vllm.sluice")


class _State:
    """The state of this process."""

    def __init__(self) -> None:
        self.apply: Any = None  # sluice.apply_bitmask, imported at its first use
        self.refused = False  # our kernels have failed once


_state = _State()


def serve(vllm_config: Any, utils: Any) -> None:
    """Prepares a worker of an engine that uses Sluice. It never raises."""
    if not isinstance(utils.xgr, Applying):
        utils.xgr = Applying(utils.xgr)
    try:
        if getattr(vllm_config, "use_v2_model_runner", False):
            module = importlib.import_module("vllm.v1.worker.gpu.structured_outputs")
            hook_v2(module.StructuredOutputsWorker)
    except Exception as e:
        logger.warning("Runner V2 applies masks with its own kernel: %s: %s", type(e).__name__, e)


def _apply(logits: Any, masks: Any, rows: Any = None, of: Any = None) -> bool:
    """Sets the logits of forbidden tokens to −inf and returns whether that worked. Logits beyond the masks stay."""
    if _state.refused:
        return False
    try:
        apply = _state.apply
        if apply is None:
            from .._apply import apply_bitmask

            apply = _state.apply = apply_bitmask
        # PERF: two tensors without row numbers, of which no logit is beyond the masks, take 3 µs; all else takes 8.
        # Masks are nearly always as wide as the logits.
        if rows is None and hasattr(logits, "data_ptr") and not hasattr(masks, "data_ptr") and masks.flags.writeable:
            import torch

            masks = torch.from_numpy(masks)
        apply(logits, masks, rows, of, None, 32 * masks.shape[-1] < logits.shape[-1])
        return True
    except Exception as e:  # also if the library cannot be loaded
        _state.refused = True
        logger.warning("Sluice's kernel failed; masks are applied by vLLM's own kernel from here on: %s", e)
        return False


class Applying:
    """Stands in for the package xgrammar in runner V1. It replaces the kernel and forwards everything else."""

    def __init__(self, package: Any):
        self._package = package

    def __getattr__(self, name: str) -> Any:
        return getattr(self._package, name)

    def apply_token_bitmask_inplace(self, logits: Any, bitmask: Any, **options: Any) -> None:
        """Sets the logits of forbidden tokens to −inf. Logits beyond the mask stay."""
        known = options.keys() <= {"indices"} and logits.device.type in ("cpu", "cuda")
        if not known or not _apply(logits, bitmask, options.get("indices")):
            self._package.apply_token_bitmask_inplace(logits, bitmask, **options)


def hook_v1(utils: Any) -> None:
    """Hooks runner V1, which copies the masks into the order of its batch and applies them with `utils.xgr`.

    On the CPU the copy is not needed if each request has one mask.
    """
    asked = "scheduler_output", "grammar_output", "input_batch", "logits"
    needs(utils.apply_grammar_bitmask, *asked, returns=None)
    _ = utils.xgr  # vLLM looks it up there at each call

    def make(original: Any) -> Any:
        def apply_grammar_bitmask(scheduler_output: Any, grammar_output: Any, input_batch: Any, logits: Any) -> None:
            names, masks = grammar_output.structured_output_request_ids, grammar_output.grammar_bitmask
            plain = len(masks) == len(names) and not scheduler_output.scheduled_spec_decode_tokens
            if not (plain and isinstance(utils.xgr, Applying) and logits.device.type == "cpu"):
                original(scheduler_output, grammar_output, input_batch, logits)
                return
            rows: Sequence[int] | None = None
            of: Sequence[int] | None = None
            if names != input_batch.req_ids:
                place = {name: i for i, name in enumerate(names)}
                rows = [i for i, name in enumerate(input_batch.req_ids) if name in place]
                of = [place[input_batch.req_ids[i]] for i in rows]
            if not _apply(logits, masks, rows, of):
                original(scheduler_output, grammar_output, input_batch, logits)

        return apply_grammar_bitmask

    replace(utils, "apply_grammar_bitmask", make, logger)


def hook_v2(worker: Any) -> None:
    """Hooks runner V2, which has a block of masks for each request; the first masks of a block belong to its rows."""
    if hasattr(worker.apply_grammar_bitmask, "_sluice"):  # another worker of this process has hooked it
        return
    asked = "self", "logits", "input_batch", "grammar_req_ids", "grammar_bitmask"
    needs(worker.apply_grammar_bitmask, *asked, returns=None)
    if "mask_stride" not in inspect.signature(worker.__init__).parameters:
        raise TypeError(f"{worker.__qualname__}.__init__ takes no mask_stride")

    def make(original: Any) -> Any:
        def apply_grammar_bitmask(
            self: Any, logits: Any, input_batch: Any, grammar_req_ids: Any, grammar_bitmask: Any
        ) -> None:
            if grammar_req_ids and logits.device.type == "cpu":
                stride, ends = self.mask_stride, input_batch.cu_num_logits.tolist()
                index = {name: i for i, name in enumerate(input_batch.req_ids)}
                rows: list[int] = []
                of: list[int] = []
                for place, name in enumerate(grammar_req_ids):
                    first, end = ends[index[name] : index[name] + 2]
                    rows += range(first, end)
                    of += range(place * stride, place * stride + end - first)
                if len(grammar_bitmask) == stride * len(grammar_req_ids) and _apply(logits, grammar_bitmask, rows, of):
                    return
            original(self, logits, input_batch, grammar_req_ids, grammar_bitmask)

        return apply_grammar_bitmask

    replace(worker, "apply_grammar_bitmask", make, logger)
