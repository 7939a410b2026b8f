"""What test_pool.py runs in a process of its own, in which libcuda.so.1 is the driver of tests/cuda/fake_cuda.cpp: its
device's memory is this machine's, so that an address is a tensor."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import types

import numpy as np
from conftest import case_tokens

import sluice

cuda = ctypes.CDLL("libcuda.so.1")


class Tensor:
    """As much of a torch tensor on a CUDA device as the binding looks at."""

    device = types.SimpleNamespace(type="cuda", index=0)
    is_cpu = False

    def __init__(self, content: np.ndarray):
        self.at = ctypes.c_uint64()
        assert cuda.cuMemAlloc_v2(ctypes.byref(self.at), ctypes.c_size_t(content.nbytes)) == 0
        self.dtype, self.shape = content.dtype, content.shape
        self.host = np.ctypeslib.as_array((ctypes.c_uint8 * content.nbytes).from_address(self.at.value))
        self.host = self.host.view(content.dtype).reshape(content.shape)
        self.host[:] = content

    def data_ptr(self) -> int:
        return self.at.value

    def stride(self) -> tuple[int, ...]:
        return tuple(s // self.host.itemsize for s in self.host.strides)

    def read(self) -> np.ndarray:
        assert cuda.cuCtxSynchronize() == 0
        return self.host.copy()


def main() -> None:
    context, device = ctypes.c_void_p(), ctypes.c_int(0)
    assert cuda.cuInit(0) == 0
    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device) == 0
    assert cuda.cuCtxSetCurrent(context) == 0

    tokens, added, special, end = case_tokens()
    vocabulary = sluice.Vocabulary.from_tokens(tokens, added=added, special=special, end_tokens=end)
    compiler = sluice.Compiler(vocabulary)
    grammars = [compiler.compile_regex("[a-z]{3,9}(,[0-9]+)*"), compiler.compile_regex("(yes|no) [a-f]*")]
    pool = sluice.MaskPool(vocabulary, 0, slots=64)
    matchers = [grammars[i % 2].matcher() for i in range(12)]
    rng = np.random.default_rng(5)
    for _ in range(8):
        want = np.zeros((len(matchers), vocabulary.words), np.int32)
        sluice.fill_batch(matchers, want)
        bits = np.unpackbits(want.view(np.uint8), axis=1, bitorder="little")[:, : vocabulary.padded_size]
        logits = Tensor(rng.standard_normal(bits.shape).astype(np.float16))
        expected = np.where(bits == 1, logits.read(), np.float16(-np.inf))
        with pool.fill(matchers) as step:
            assert step.apply(logits) is logits
        assert np.array_equal(logits.read(), expected)
        for m, row in zip(matchers, bits):
            allowed = [int(t) for t in np.flatnonzero(row) if int(t) not in end]
            assert m.accept(allowed[int(rng.integers(len(allowed)))])
    stats = pool.stats
    assert stats.hits > stats.uploads > 0, stats
    assert stats.open_steps == 0 and stats.refused == 0 and stats.slots == 64, stats

    for step in pool.fill(matchers), pool.fill(matchers):
        step.close()
    assert step._rows is None  # no row is written for masks that are there

    # Masks that come from elsewhere; a step that is dropped, or fails, closes itself.
    logits = Tensor(np.zeros(bits.shape, np.float32))
    step = pool.put(want)
    assert pool.stats.open_steps == 1
    step.apply(logits)
    assert np.array_equal(logits.read() == 0, bits == 1)
    for wrong, error in (
        (lambda: pool.put(want).apply(logits.host), TypeError),
        (lambda: pool.put(want).apply(Tensor(np.zeros((1, 5), np.float32))), ValueError),
        (lambda: pool.put(want).apply(logits, [0]), ValueError),
        (lambda: pool.put(want).apply(logits, range(len(want))), TypeError),  # which only torch can copy
        (lambda: pool.put(want[:, :-1]), ValueError),
        (lambda: pool.fill([matchers[0], matchers[0]]), sluice.BusyError),
        (lambda: step.apply(logits), sluice.ArgumentError),
        (lambda: sluice.MaskPool(vocabulary, 99), sluice.UnavailableError),
        (lambda: sluice.MaskPool(vocabulary, "cuda:0"), TypeError),  # no torch here that would know it
    ):
        try:
            wrong()
        except error:
            pass
        else:
            raise AssertionError(f"{error.__name__} was not raised")
    gc.collect()
    assert pool.stats.open_steps == 0, pool.stats
    assert pool.fill([]).apply(logits, []) is logits

    pid = os.fork()
    if pid == 0:
        try:
            pool.fill([])
            pool.stats  # noqa: B018 (a property that asks the library)
        except sluice.ForkedError:
            os._exit(0)
        os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0
    print("ok")


if __name__ == "__main__":
    sys.exit(main())
