"""apply_bitmask and apply_sparse on numpy arrays and plain buffers, against numpy's own arithmetic."""

from __future__ import annotations

import array
import ctypes
import subprocess
import sys

import numpy as np
import pytest
from conftest import environment

import sluice
from sluice import _abi, _cpu, _meeting, _tensors

LEVELS = [level for level in _abi.CPU_LEVELS if level != "best"]
DTYPES = {"float32": np.float32, "float16": np.float16}


def allowed_bits(masks: np.ndarray) -> np.ndarray:
    """Returns masks as truth values, [rows, 32 * words]."""
    return np.unpackbits(np.ascontiguousarray(masks).view(np.uint8), axis=-1, bitorder="little").astype(bool)


def expected(
    logits,
    masks,
    indices=None,
    mask_indices=None,
    vocab_size=None,
    keep_beyond=False,
    token_map=None,
    map_offsets=False,
    enabled=None,
):
    """The effect of apply_bitmask as its documentation describes it."""
    out, bits = logits.copy(), allowed_bits(masks)
    rows = range(len(logits)) if indices is None else indices
    of = mask_indices if mask_indices is not None else rows if len(masks) > 1 else [0] * len(rows)
    token = np.arange(logits.shape[1])
    if token_map is not None:
        token = np.asarray(token_map) + (token if map_offsets else 0)
    inside = (token >= 0) & (token < (bits.shape[1] if vocab_size is None else vocab_size))
    for k, (row, m) in enumerate(zip(rows, of)):
        if m >= 0 and (enabled is None or enabled[k]):
            stays = np.where(inside, bits[m][np.where(inside, token, 0)], keep_beyond)
            out[row, ~stays] = -np.inf
    return out


def draw(rng, rows, vocab, words, dtype):
    logits = rng.standard_normal((rows, vocab)).astype(dtype)
    plain, any_bits = rng.choice([0, -1], (rows, words)), rng.integers(-(2**31), 2**31, (rows, words))
    masks = np.where(rng.random((rows, words)) < 0.3, plain, any_bits)
    return logits, masks.astype(np.int32)


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
def test_forms(dtype):
    rng = np.random.default_rng(1)
    for vocab, words in ((1, 1), (31, 1), (100, 4), (1000, 32), (1000, 20), (1000, 40), (2077, 65)):
        logits, masks = draw(rng, 6, vocab, words, dtype)
        offsets = rng.integers(-50, 50, vocab)
        for options in (
            {},
            {"indices": [4, 1]},
            {"indices": np.array([4, 1]), "mask_indices": [0, 5]},
            {"indices": (1, 2, 3), "mask_indices": array.array("i", [5, -1, 0]), "enabled": [1, 1, 0]},
            {"enabled": np.array([0, 1, 1, 0, 2, 1], dtype=np.int32)},
            {"vocab_size": min(vocab, 32 * words) // 2},
            {"vocab_size": min(vocab, 32 * words) // 2, "keep_beyond": True},
            {"keep_beyond": True},
            {"token_map": rng.permutation(vocab)},
            {"token_map": offsets.astype(np.int32), "map_offsets": True, "keep_beyond": True},
            {"indices": []},
            {"indices": [3, 3], "mask_indices": [1, 2], "threads": 3},
        ):
            mine = logits.copy()
            assert sluice.apply_bitmask(mine, masks, **options) is mine
            plain = {k: v for k, v in options.items() if k != "threads"}
            np.testing.assert_array_equal(mine, expected(logits, masks, **plain), str(options))


@pytest.mark.parametrize("level", LEVELS)
def test_levels(level):
    """Every level that this machine has, on views that are aligned to nothing."""
    rng = np.random.default_rng(2)
    for kind, dtype in DTYPES.items():
        for offset in range(5):
            base = rng.standard_normal((7, 1500)).astype(dtype)
            masks = draw(rng, 7, 1, 48, dtype)[1]
            view = base[1:6:2, offset : offset + 1401]
            want = base.copy()
            want[1:6:2, offset : offset + 1401] = expected(view, masks[:3])
            m = _tensors.matrix(view, "logits")
            assert (m.kind, m.rows, m.width) == (kind, 3, 1401)
            try:
                _cpu.apply(m, _tensors.matrix(masks[:3], "masks"), None, _meeting.Options(level=level))
            except sluice.UnavailableError:
                pytest.skip(f"this machine cannot run {level}")
            np.testing.assert_array_equal(base, want)


def test_bfloat16():
    """numpy has it through ml_dtypes only, so that it is shown here by an object that says so."""

    class Array:
        def __init__(self, bits):
            self.bits, self.dtype = bits, "bfloat16"
            self.__array_interface__ = dict(bits.__array_interface__, typestr="<V2")

    bits = np.arange(3 * 70, dtype=np.uint16).reshape(3, 70)
    masks = draw(np.random.default_rng(3), 3, 70, 3, np.float32)[1]
    want = np.where(allowed_bits(masks)[:, :70], bits, 0xFF80)
    sluice.apply_bitmask(Array(bits), masks)
    np.testing.assert_array_equal(bits, want)


def test_one_row_and_one_mask():
    rng = np.random.default_rng(4)
    logits, masks = draw(rng, 3, 200, 7, np.float32)
    for given, mask in ((logits[0].copy(), masks[0]), (logits[:1].copy(), masks[:1].astype(np.uint32))):
        sluice.apply_bitmask(given, mask)
        np.testing.assert_array_equal(given.reshape(1, -1), expected(logits[:1], masks[:1]))
    every = logits.copy()
    sluice.apply_bitmask(every, masks[1])
    np.testing.assert_array_equal(every, expected(logits, masks[1:2]))


def test_many_threads():
    """More logits than the shared caches of most machines hold, several threads, rows in any order."""
    rng = np.random.default_rng(5)
    logits = np.ones((96, 65536), dtype=np.float32)
    masks = draw(rng, 96, 1, 2048, np.float32)[1]
    order = rng.permutation(96)
    want = np.where(allowed_bits(masks), np.float32(1), -np.inf)
    sluice.apply_bitmask(logits, masks, order, threads=4)
    np.testing.assert_array_equal(logits, want)


def test_what_a_matcher_fills(vocabulary, matcher):
    """The whole way: a row of a matcher, and logits wider than the vocabulary."""
    masks = sluice.allocate_bitmask(1, vocabulary)
    matcher.fill(masks)
    logits = np.zeros((1, 32 * vocabulary.words + 5), dtype=np.float16)
    sluice.apply_bitmask(logits, masks)
    stay = np.flatnonzero(np.isfinite(logits[0])).tolist()
    assert ord("a") in stay
    assert stay == [i for i in range(vocabulary.size) if matcher.fork().accept(i)]


def test_sparse():
    rng = np.random.default_rng(6)
    candidates = np.zeros(500, dtype=[("id", np.int32), ("logit", np.float32), ("p", np.float32)])
    candidates["id"] = rng.integers(-5, 300, 500)
    mask = draw(rng, 1, 1, 8, np.float32)[1][0]
    for keep in (False, True):
        mine, ids = candidates.copy(), candidates["id"]
        inside = (ids >= 0) & (ids < 250)
        stays = np.where(inside, allowed_bits(mask[None])[0][np.where(inside, ids, 0)], keep)
        assert sluice.apply_sparse(mine["id"], mine["logit"], mask, vocab_size=250, keep_beyond=keep) == stays.sum()
        np.testing.assert_array_equal(mine["logit"], np.where(stays, np.float32(0), -np.inf))
        assert (mine["id"] == ids).all() and not mine["p"].any()
    logits = array.array("f", [1, 2, 3])
    assert sluice.apply_sparse(array.array("i", [0, 33, 1]), logits, array.array("I", [1, 2])) == 2
    assert logits.tolist() == [1, 2, -np.inf]
    square = np.zeros((2, 2), np.int32), np.zeros((2, 2), np.float32)
    wrong = ([0], logits), (array.array("i", [1]), logits), (array.array("q", [1, 2, 3]), logits), square
    for ids, values in wrong:
        with pytest.raises((TypeError, ValueError)):
            sluice.apply_sparse(ids, values, mask)


def test_refusals():
    logits, masks = np.zeros((2, 64), dtype=np.float32), np.zeros((2, 2), dtype=np.int32)
    readonly = logits.copy()
    readonly.flags.writeable = False
    record = np.zeros((2, 64), dtype=[("a", np.float32), ("b", np.uint8)])
    for wrong_logits, wrong_masks, options, error in (
        (logits.astype(np.float64), masks, {}, TypeError),
        (logits.astype(np.int32), masks, {}, TypeError),
        (logits, masks.astype(np.int64), {}, TypeError),
        (logits, logits, {}, TypeError),
        ([[1.0]], masks, {}, TypeError),
        (readonly, masks, {}, ValueError),
        (record["a"], masks, {}, ValueError),
        (logits[:, ::2], masks, {}, ValueError),
        (logits[::-1], masks, {}, ValueError),
        (np.broadcast_to(logits[:1], (2, 64)), masks, {}, ValueError),
        (logits.reshape(2, 2, 32), masks, {}, ValueError),
        (np.zeros((3, 64), np.float32), masks, {}, ValueError),
        (logits, masks, {"vocab_size": 65}, ValueError),
        (logits, masks, {"vocab_size": -1}, ValueError),
        (logits, masks, {"indices": [2]}, sluice.ArgumentError),
        (logits, masks, {"indices": [-1]}, sluice.ArgumentError),
        (logits, masks, {"indices": [0.5]}, TypeError),
        (logits, masks, {"indices": [2**40]}, OverflowError),
        (logits, masks, {"indices": [0], "mask_indices": [2]}, sluice.ArgumentError),
        (logits, masks, {"indices": [0], "mask_indices": [0, 1]}, ValueError),
        (logits, masks, {"enabled": [1]}, ValueError),
        (logits, masks, {"token_map": [1] * 63}, ValueError),
    ):
        with pytest.raises(error) as raised:
            sluice.apply_bitmask(wrong_logits, wrong_masks, **options)
        assert str(raised.value)
    assert not logits.any()


def test_dlpack_and_other_devices():
    """Objects of absent frameworks: their attributes are the only source of facts."""
    data = np.zeros((2, 64), dtype=np.float32)

    class Shows:
        def __init__(self, a):
            self.a = a

        def __dlpack__(self):
            return self.a.__dlpack__()

    masks = np.full((2, 2), 7, dtype=np.int32)
    sluice.apply_bitmask(Shows(data), Shows(masks))
    assert np.isfinite(data).sum() == 12
    assert _tensors.matrix(Shows(data.astype(np.float16)[:, 3:]), "logits")[1:5] == (2, 61, 64, "float16")

    class Elsewhere:
        dtype, is_cpu, shape = "torch.float32", False, (2, 64)

        class device:
            type, index = "npu", 1

        def data_ptr(self):
            return 1

        def stride(self):
            return (64, 1)

    with pytest.raises(TypeError, match="npu"):
        sluice.apply_bitmask(Elsewhere(), masks)


def test_other_threads_run_meanwhile():
    """Long work gives the interpreter up, short work does not; both are the same function of the library."""
    library = sluice._library.library()
    address = lambda f: ctypes.cast(getattr(f, "__wrapped__", f), ctypes.c_void_p).value
    assert address(library.apply) == address(library.apply_short)


def test_without_numpy_and_torch():
    """A buffer is enough, and nothing that is not here is missed: also Triton, JAX and CUDA."""
    code = """
import sys
for name in ("numpy", "torch", "triton", "jax", "cupy"):
    sys.modules[name] = None  # importing them raises
import array, os, sluice
assert not sluice.loaded()
v = sluice.Vocabulary.from_tokens([b"a", b"b", b"<end>"], special=[2], end_tokens=[2])
m = sluice.Compiler(v).compile_regex("b").matcher()
masks = sluice.allocate_bitmask(1, v)
m.fill(masks, 0)
logits = array.array("f", [0.5] * 5)
print(sluice.apply_bitmask(logits, masks) is logits, logits.tolist(), sluice.cpu_level())
logits = array.array("f", [0.5] * 2)
pid = os.fork()
if pid == 0:
    sluice.apply_bitmask(logits, array.array("i", [1]))
    os._exit(0 if logits.tolist() == [0.5, float("-inf")] else 1)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.startswith("True [-inf, 0.5, -inf, -inf, -inf] ") and second == "0"
