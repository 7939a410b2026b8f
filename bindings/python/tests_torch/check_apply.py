"""apply_bitmask on torch tensors, and its twin in Triton under Triton's interpreter: `make lab NAME=torch`.

If CUDA runs on a GPU here, the same cases run on it, through libsluice's own kernel and through Triton.
"""

import os
import sys
import types
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

if not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"  # before Triton is imported, which reads it then

import sluice
from sluice import _apply, _cpu, _gpu, _meeting

DTYPES = (torch.float32, torch.float16, torch.bfloat16)
DEVICES = ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",)


def random_masks(g, rows, words):
    """Words that are all zeros, all ones, or any bits."""
    any_bits = torch.randint(-(2**31), 2**31, (rows, words), generator=g, dtype=torch.int64)
    kind = torch.randint(0, 3, (rows, words), generator=g)
    return torch.where(kind == 0, 0, torch.where(kind == 1, -1, any_bits)).to(torch.int32)


def bits(masks):
    """Masks as truth values, [rows, 32 * words]."""
    return ((masks.cpu().unsqueeze(-1) >> torch.arange(32, dtype=torch.int32)) & 1).bool().flatten(1)


def expected(logits, masks, indices=None, **o):
    """What apply_bitmask must do, row by row."""
    out, allowed = logits.clone().cpu(), bits(masks)
    rows = range(len(out)) if indices is None else [int(i) for i in indices]
    of = [int(i) for i in o["mask_indices"]] if "mask_indices" in o else rows if len(masks) > 1 else [0] * len(rows)
    token = torch.arange(out.shape[1])
    if "token_map" in o:
        token = torch.as_tensor(o["token_map"]).cpu().long() + (token if o.get("map_offsets") else 0)
    inside = (token >= 0) & (token < o.get("vocab_size", allowed.shape[1]))
    for k, (row, m) in enumerate(zip(rows, of)):
        if m >= 0 and int(o.get("enabled", [1] * len(rows))[k]):
            stays = torch.where(inside, allowed[m][torch.where(inside, token, 0)], o.get("keep_beyond", False))
            out[row, ~stays] = -torch.inf
    return out


def cases(g, vocab, words):
    """Options of calls on 5 rows, and whether their mask is a single row."""
    offsets = torch.randint(-40, 40, (vocab,), generator=g, dtype=torch.int32)
    part = min(vocab, 32 * words) // 2
    return [
        ({}, False),
        ({}, True),
        ({"indices": [4, 1]}, False),
        ({"indices": torch.tensor([3, 0])}, False),
        ({"indices": [4, 1, 2], "mask_indices": [0, -1, 3]}, False),
        ({"indices": [2, 2], "mask_indices": torch.tensor([0, 1], dtype=torch.int32)}, False),
        ({"enabled": [1, 0, 2, 0, 1]}, False),
        ({"vocab_size": part}, False),
        ({"vocab_size": part, "keep_beyond": True}, True),
        ({"keep_beyond": True}, False),
        ({"token_map": torch.randperm(vocab, generator=g)}, False),
        ({"token_map": offsets, "map_offsets": True}, False),
        ({"token_map": offsets, "map_offsets": True, "keep_beyond": True, "vocab_size": part}, True),
        ({"indices": []}, False),
    ]


# A backend of torch that is named as Ascend's.
torch.utils.rename_privateuse1_backend("npu")
torch._register_device_module("npu", types.SimpleNamespace(_lazy_init=lambda: None, is_available=lambda: True))


class Elsewhere(torch.Tensor):
    """A tensor of another backend: it has a device of its own and no address, and operations alone reach its value."""

    @staticmethod
    def __new__(cls, value):
        return torch.Tensor._make_wrapper_subclass(
            cls, value.shape, strides=value.stride(), dtype=value.dtype, device="npu:0"
        )

    def __init__(self, value):
        self.value = value

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        options = {k: v for k, v in (kwargs or {}).items() if k != "device"}
        args, options = tree_map(lambda x: x.value if isinstance(x, Elsewhere) else x, (args, options))
        out = function(*args, **options)
        return tree_map(lambda x: Elsewhere(x) if torch.is_tensor(x) else x, out)


class Factories(TorchDispatchMode):
    """Makes and copies tensors for the backend."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        return Elsewhere.__torch_dispatch__(function, types, args, kwargs)


class Apply(unittest.TestCase):
    def same(self, got, want, message):
        size = {torch.float32: torch.int32}.get(got.dtype, torch.int16)
        self.assertTrue(torch.equal(got.cpu().view(size), want.view(size)), message)

    def check(self, device, call):
        g = torch.Generator().manual_seed(1)
        for dtype in DTYPES:
            for vocab, words, stride in ((1, 1, 1), (33, 2, 40), (777, 25, 777), (5000, 157, 5003), (5000, 100, 5000)):
                for options, single in cases(g, vocab, words):
                    logits = torch.randn(5, stride, generator=g).to(dtype)
                    logits[0, 0] = torch.nan
                    logits = logits.to(device)[:, :vocab]
                    masks = random_masks(g, 1 if single else 5, words).to(device)
                    want = expected(logits, masks, **options)
                    options = {k: v.to(device) if torch.is_tensor(v) else v for k, v in options.items()}
                    self.same(call(logits, masks, **options), want, f"{device} {dtype} {vocab}/{words} {options}")

    def test_sluice(self):
        for device in DEVICES:
            self.check(device, sluice.apply_bitmask)

    def test_attributes_instead_of_exchange(self):
        """Versions of torch that offer C no functions are read attribute by attribute."""
        with mock.patch.dict(_apply._shown, {torch.Tensor: None}):
            self.check("cpu", sluice.apply_bitmask)

    def test_exchange_is_used(self):
        if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
            self.skipTest(f"torch {torch.__version__} has no exchange functions")
        logits, masks = torch.zeros(2, 70), torch.full((2, 3), 5, dtype=torch.int32)
        sluice.apply_bitmask(logits, masks)
        with mock.patch.object(_apply, "_apply", side_effect=AssertionError("the long way")):
            for dtype in DTYPES:
                given = torch.zeros(2, 70, dtype=dtype)
                self.assertIs(sluice.apply_bitmask(given, masks), given)
                self.same(given, expected(torch.zeros(2, 70, dtype=dtype), masks), str(dtype))

    def test_triton(self):
        try:
            from sluice import _triton  # noqa: F401
        except ImportError:
            self.skipTest("Triton is not installed here")

        def call(logits, masks, indices=None, **o):
            # What _gpu does on a machine whose driver cannot load libsluice's kernel.
            from sluice import _tensors

            with (
                mock.patch.object(_gpu, "_launch", return_value=(13, sluice._library.scratch())),
                mock.patch.object(_cpu, "apply", side_effect=AssertionError("not in Triton")),
            ):
                view = _tensors.matrix(logits, "logits")._replace(device="cuda")
                options = _meeting.Options(**o)
                with mock.patch.object(_apply._tensors, "matrix", side_effect=as_gpu(_tensors.matrix)):
                    _gpu.apply(logits, view, masks, indices, options)
            return logits

        def as_gpu(read):
            return lambda *a, **k: read(*a, **k)._replace(device="cuda")

        with mock.patch.object(torch.cuda, "current_stream") as stream:
            stream.return_value.cuda_stream = 0
            self.check(DEVICES[-1], call)

    def test_operations(self):
        """Devices without a kernel: tensors of another backend, whose operations reach their values alone."""

        def call(logits, masks, indices=None, **o):
            given = Elsewhere(logits)
            with Factories():
                self.assertIs(sluice.apply_bitmask(given, Elsewhere(masks), indices, **o), given)
            return given.value

        self.check("cpu", call)

    def test_meta(self):
        """Tensors without values: nothing is read from the device."""

        def call(logits, masks, indices=None, **o):
            given = logits.to("meta")
            o = {k: v.to("meta") if torch.is_tensor(v) else v for k, v in o.items()}
            self.assertIs(sluice.apply_bitmask(given, masks.to("meta"), indices, **o), given)

        g = torch.Generator().manual_seed(2)
        for options, single in cases(g, 70, 3):
            call(torch.zeros(5, 70), random_masks(g, 1 if single else 5, 3), **options)

    def test_rows_out_of_range_by_operations(self):
        logits = torch.zeros(3, 100)
        masks = torch.zeros(3, 4, dtype=torch.int32)
        with Factories():
            sluice.apply_bitmask(Elsewhere(logits), Elsewhere(masks), torch.tensor([1, 3, -1]))
            sluice.apply_bitmask(Elsewhere(torch.zeros(0, 100)), Elsewhere(masks[:0]))
        self.assertEqual(torch.isinf(logits).any(1).tolist(), [False, True, False])

    def test_rows_out_of_range_on_a_device(self):
        """The host cannot look at numbers on a device, so that the kernels leave such rows alone."""
        if "cuda" not in DEVICES:
            self.skipTest("there is no GPU here")
        logits, masks = torch.zeros(3, 100, device="cuda"), torch.zeros(3, 4, dtype=torch.int32, device="cuda")
        sluice.apply_bitmask(logits, masks, torch.tensor([1, 3, -1], device="cuda"))
        self.assertEqual(int(torch.isinf(logits).sum()), 100)

    def test_refusals(self):
        logits, masks = torch.zeros(2, 64), torch.zeros(2, 2, dtype=torch.int32)
        for wrong_logits, wrong_masks, error in (
            (logits.double(), masks, TypeError),
            (logits, masks.long(), TypeError),
            (logits.t(), masks, ValueError),
            (logits.expand(2, 64)[:, ::2], masks, ValueError),
            (torch.zeros(1, 64).expand(2, 64), masks, ValueError),
            (torch.zeros(3, 64), masks, ValueError),
            (logits, masks.to("meta"), ValueError),
        ):
            with self.assertRaises(error):
                sluice.apply_bitmask(wrong_logits, wrong_masks)
        self.assertFalse(bool(logits.any()))


if __name__ == "__main__":
    unittest.main()
