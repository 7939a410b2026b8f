"""How the workers of vLLM apply masks: with our kernels, where vLLM would ask the package xgrammar (runner V1) or run a
kernel of its own in Triton (runner V2, on the CPU; on a GPU that stays).

Invariant: logits become what vLLM's own code makes of them, bit by bit, and whatever cannot be done here is done by it.
It imports nothing of vLLM. Nothing is raised into a worker, which would end.
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
    """What this process knows."""

    def __init__(self) -> None:
        self.apply: Any = None  # sluice.apply_bitmask, once it has been needed
        self.refused = False  # our kernels have failed once


_state = _State()


def serve(vllm_config: Any, utils: Any) -> None:
    """Called where a worker is made whose engine has chosen Sluice. It raises nothing."""
    if not isinstance(utils.xgr, Applying):
        utils.xgr = Applying(utils.xgr)
    try:
        if getattr(vllm_config, "use_v2_model_runner", False):
            module = importlib.import_module("vllm.v1.worker.gpu.structured_outputs")
            hook_v2(module.StructuredOutputsWorker)
    except Exception as e:
        logger.warning("Runner V2 applies masks with its own kernel: %s: %s", type(e).__name__, e)


def _apply(logits: Any, masks: Any, rows: Any = None, of: Any = None) -> bool:
    """Sets the logits of tokens that may not come next to −inf, and says whether that could be done. Those that the
    masks have no bits for stay."""
    if _state.refused:
        return False
    try:
        apply = _state.apply
        if apply is None:
            from .._apply import apply_bitmask

            apply = _state.apply = apply_bitmask
        # PERF: two tensors, nothing beyond what the masks speak of and no rows take 3 µs, anything else 8. Masks are
        # as wide as the logits nearly always.
        if rows is None and hasattr(logits, "data_ptr") and not hasattr(masks, "data_ptr") and masks.flags.writeable:
            import torch

            masks = torch.from_numpy(masks)
        apply(logits, masks, rows, of, None, 32 * masks.shape[-1] < logits.shape[-1])
        return True
    except Exception as e:  # a library that cannot be loaded here, too
        _state.refused = True
        logger.warning("Masks are applied by vLLM's own kernel from here on: %s", e)
        return False


class Applying:
    """In the place of the package xgrammar where runner V1 looks for it; all but its kernel is the package's."""

    def __init__(self, package: Any):
        self._package = package

    def __getattr__(self, name: str) -> Any:
        return getattr(self._package, name)

    def apply_token_bitmask_inplace(self, logits: Any, bitmask: Any, **options: Any) -> None:
        """Sets the logits of tokens that may not come next to −inf; those that the mask has no bits for stay."""
        known = options.keys() <= {"indices"} and logits.device.type in ("cpu", "cuda")
        if not known or not _apply(logits, bitmask, options.get("indices")):
            self._package.apply_token_bitmask_inplace(logits, bitmask, **options)


def hook_v1(utils: Any) -> None:
    """Runner V1 copies the masks into the order of its batch, and asks `utils.xgr` to apply them. On the CPU they need
    not be copied, where each request has one."""
    asked = "scheduler_output", "grammar_output", "input_batch", "logits"
    needs(utils.apply_grammar_bitmask, *asked, returns=None)
    _ = utils.xgr  # it is looked up there at each call

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
    """Runner V2 has a block of masks for each request, of which the first belong to the rows that it has."""
    if hasattr(worker.apply_grammar_bitmask, "_sluice"):  # another worker of this process was first
        return
    asked = "self", "logits", "input_batch", "grammar_req_ids", "grammar_bitmask"
    needs(worker.apply_grammar_bitmask, *asked, returns=None)
    if "mask_stride" not in inspect.signature(worker.__init__).parameters:
        raise TypeError(f"{worker.__qualname__} is made without a mask_stride")

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
