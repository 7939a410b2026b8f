"""Masks on logits through the plugin for vLLM, without vLLM: see test_vllm.py."""

from __future__ import annotations

import functools
import types

import numpy as np
import pytest
from vllm_shape import Config, put_in_place

from sluice.vllm import _worker, register


@pytest.fixture
def vllm(monkeypatch, vocabulary):
    return put_in_place(monkeypatch, vocabulary)


class Logits(np.ndarray):
    """The parts of a torch tensor that the hooks use."""

    device = types.SimpleNamespace(type="cpu")


def logits(rows, width=70):
    return np.zeros((rows, width), np.float32).view(Logits)


def output(names, masks):
    return types.SimpleNamespace(structured_output_request_ids=names, grammar_bitmask=masks)


def test_masks_on_logits(vllm):
    """In a worker of an engine with Sluice, runner V1 finds our kernels; other workers find vLLM's own."""
    package = vllm.utils.xgr
    register()
    vllm.WorkerBase(Config(backend="xgrammar"), 0)
    assert vllm.utils.xgr is package
    step = types.SimpleNamespace(scheduled_spec_decode_tokens={})
    batch = types.SimpleNamespace(req_ids=["a", "b", "c"])

    def applied(names, masks, step=step):
        made = logits(3)
        vllm.utils.apply_grammar_bitmask(step, output(names, masks), batch, made)
        return np.isfinite(made).sum(1).tolist()

    masks = np.array([[1, 0], [3, 0], [7, 0]], np.int32)
    applied(["a", "b", "c"], masks)
    assert package.applied == 1
    for rank in range(2):
        assert vllm.WorkerBase(Config(), rank=rank).rank == rank
    assert type(vllm.utils.xgr).__name__ == "Applying" and vllm.utils.xgr._package is package
    drafts = types.SimpleNamespace(scheduled_spec_decode_tokens={"b": [1]})
    copied = []  # drafts are vLLM's to put in order, and our kernel's to apply
    vllm.utils.xgr.apply_token_bitmask_inplace = lambda *given, **_: copied.append(given)
    applied(["a", "b", "c"], masks, drafts)
    del vllm.utils.xgr.apply_token_bitmask_inplace
    assert len(copied) == 1
    for order, expected in (
        (["a", "b", "c"], [7, 8, 9]),  # six that the masks have no bits for
        (["c", "a", "b"], [8, 9, 7]),
        (["c", "a"], [8, 70, 7]),
        (["b", "gone"], [70, 7, 70]),
        (["gone"], [70, 70, 70]),
    ):
        assert applied(order, masks[: len(order)]) == expected, order
    wide = np.full((3, 3), 3, np.int32)
    assert applied(["a", "b", "c"], wide) == applied(["c", "b", "a"], wide) == [6, 6, 6]
    assert vllm.utils.xgr.kernels == "xgrammar's own" and package.applied == 1


def test_masks_that_are_vllms_own(vllm, monkeypatch, caplog):
    """vLLM's code handles the cases that our kernels cannot; ours are tried once, and the log says so once."""
    package = vllm.utils.xgr
    register()
    vllm.WorkerBase(Config(), 0)
    with monkeypatch.context() as there:
        there.setattr(Logits, "device", types.SimpleNamespace(type="xpu"))
        vllm.utils.xgr.apply_token_bitmask_inplace(logits(1), np.full((1, 2), 6, np.int32))
    assert package.applied == 1 and not caplog.text.count("own kernel")
    package.applied = 0
    step = types.SimpleNamespace(scheduled_spec_decode_tokens={})
    batch = types.SimpleNamespace(req_ids=["a"])
    for _ in range(2):
        vllm.utils.apply_grammar_bitmask(step, output(["a"], np.full((1, 2), 6, np.int64)), batch, logits(1))
    assert package.applied == 2 and caplog.text.count("own kernel from here on") == 1
    monkeypatch.setattr(_worker, "_state", _worker._State())
    monkeypatch.setattr("sluice._apply.apply_bitmask", lambda *_: 1 / 0)  # a library that is broken
    vllm.utils.apply_grammar_bitmask(step, output(["a"], np.full((1, 2), 6, np.int32)), batch, logits(1))
    assert package.applied == 3 and "division by zero" in caplog.text


def test_masks_on_logits_of_runner_v2(vllm, monkeypatch):
    """Runner V2 has a block of masks for each request; it keeps its own kernel on a GPU, and in cases that ours cannot
    handle."""
    register()
    kind = vllm.StructuredOutputsWorker

    own = kind.apply_grammar_bitmask
    kind.apply_grammar_bitmask = functools.wraps(own)(lambda *given: own(*given))  # another plugin has wrapped it too
    vllm.WorkerBase(Config(backend="xgrammar", use_v2_model_runner=True), 0)
    vllm.WorkerBase(Config(), 0)
    assert not hasattr(kind.apply_grammar_bitmask, "_sluice")
    for _ in range(2):
        vllm.WorkerBase(Config(use_v2_model_runner=True), 0)
        assert not hasattr(kind.apply_grammar_bitmask.__wrapped__, "_sluice")  # once
    worker = kind(mask_stride=3)
    # Requests with two, one and three rows of logits, of which the second has no constraint.
    batch = types.SimpleNamespace(req_ids=["a", "b", "c"], cu_num_logits=np.array([0, 2, 3, 6]))
    masks = np.array([[1], [3], [7], [15], [31], [63]], np.int32)
    made = logits(6, 32)
    worker.apply_grammar_bitmask(made, batch, ["c", "a"], masks)
    assert np.isfinite(made).sum(1).tolist() == [4, 5, 32, 1, 2, 3] and worker.kernel == 0
    made = logits(6, 32)
    worker.apply_grammar_bitmask(made, batch, [], masks[:0])
    worker.apply_grammar_bitmask(made, batch, ["c", "a"], masks[:5])  # of a release that has them elsewhere
    monkeypatch.setattr(Logits, "device", types.SimpleNamespace(type="cuda"))
    worker.apply_grammar_bitmask(made, batch, ["c", "a"], masks)
    assert np.isfinite(made).all() and worker.kernel == 3


def test_a_worker_of_another_shape(vllm, caplog):
    """Nothing is raised into a worker: masks that ours cannot read go to vLLM's own code, permanently, and the log says
    so once."""
    register()
    kind = vllm.StructuredOutputsWorker
    _worker.hook_v2(kind)
    worker = object.__new__(kind)  # it has no mask_stride
    worker.kernel = 0
    batch = types.SimpleNamespace(req_ids=["a"], cu_num_logits=np.array([0, 1]))
    for _ in range(3):
        worker.apply_grammar_bitmask(logits(1), batch, ["a"], np.array([[1]], np.int32))
    assert worker.kernel == 3 and caplog.text.count("mask_stride") == 1
    vllm.WorkerBase(Config(), 0)
    broken = types.SimpleNamespace()  # nor has runner V1 anything that we know
    for _ in range(2):
        with pytest.raises(AttributeError, match="structured_output_request_ids"):  # from vLLM's own
            vllm.utils.apply_grammar_bitmask(broken, broken, batch, logits(1))
    assert caplog.text.count("The engine's own apply_grammar_bitmask runs") == 1
    caplog.clear()

    class Older:
        """A release that has the stride elsewhere."""

        def __init__(self, max_num_logits):
            pass

        apply_grammar_bitmask = vllm.StructuredOutputsWorker.apply_grammar_bitmask.__wrapped__

    with pytest.raises(TypeError, match="mask_stride"):
        _worker.hook_v2(Older)
