"""apply_bitmask on JAX arrays: `make lab NAME=jax`, in an environment of its own because of its size.

The kernel through DLPack, the expression in jax.numpy that other devices and jit use, and numpy say the same.
"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import jax
import jax.numpy as jnp
import numpy as np

import sluice
from sluice import _jax, _meeting

DTYPES = (jnp.float32, jnp.float16, jnp.bfloat16)


def draw(rng, rows, vocab, words, dtype):
    logits = jnp.asarray(rng.standard_normal((rows, vocab))).astype(dtype)
    masks = rng.integers(-(2**31), 2**31, (rows, words)).astype(np.int32)
    masks[rng.random((rows, words)) < 0.3] = 0
    masks[rng.random((rows, words)) < 0.3] = -1
    return logits, masks


class Jax(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)

    def same(self, got, want, message):
        self.assertIsInstance(got, jax.Array)
        self.assertEqual(got.dtype, want.dtype, message)
        bits = {2: np.uint16, 4: np.uint32}[got.dtype.itemsize]
        np.testing.assert_array_equal(np.asarray(got).view(bits), np.asarray(want).view(bits), message)

    def test_forms(self):
        for dtype in DTYPES:
            for vocab, words in ((1, 1), (100, 4), (1003, 32), (1003, 20)):
                offsets = self.rng.integers(-50, 50, vocab).astype(np.int32)
                for options in (
                    {},
                    {"indices": [3, 1]},
                    {"indices": [3, 3, 0], "mask_indices": [1, 2, -1]},
                    {"enabled": [0, 1, 1, 0]},
                    {"vocab_size": vocab // 2, "keep_beyond": True},
                    {"vocab_size": 0},
                    {"token_map": offsets, "map_offsets": True},
                    {"token_map": self.rng.permutation(vocab), "keep_beyond": True},
                ):
                    logits, masks = draw(self.rng, 4, vocab, words, dtype)
                    before = np.asarray(logits).copy()
                    # bfloat16 is what ml_dtypes makes of it, numpy in place is what test_apply.py has tested.
                    want = np.asarray(logits).copy()
                    sluice.apply_bitmask(want, masks, **options)
                    name = f"{dtype} {vocab}/{words} {options}"
                    self.same(sluice.apply_bitmask(logits, jnp.asarray(masks), **options), want, name)
                    self.same(sluice.apply_bitmask(logits, masks, **options), want, name)
                    indices = options.pop("indices", None)
                    o = _meeting.Options(**options)
                    self.same(_jax._expression(jnp, logits, jnp.asarray(masks), indices, o), want, name)
                    self.same(logits, before, "the array that was given is as it was")

    def test_in_jit(self):
        logits, masks = draw(self.rng, 4, 500, 16, jnp.float32)
        want = sluice.apply_bitmask(logits, masks)
        self.same(jax.jit(sluice.apply_bitmask)(logits, jnp.asarray(masks)), want, "jit")
        rows = jnp.asarray([2, 9, -1])  # out of range, which only shows when it runs: such rows are left alone
        one = sluice.apply_bitmask(logits, masks, [2])
        self.same(jax.jit(sluice.apply_bitmask)(logits, jnp.asarray(masks), rows), one, "jit with rows")

    def test_one_row(self):
        logits, masks = draw(self.rng, 3, 64, 2, jnp.float16)
        want = sluice.apply_bitmask(logits, np.repeat(masks[:1], 3, axis=0))
        self.same(sluice.apply_bitmask(logits, masks[0]), want, "one mask for all")
        self.same(sluice.apply_bitmask(logits[0], jnp.asarray(masks[0])), want[0], "one row")

    def test_refusals(self):
        logits, masks = draw(self.rng, 3, 64, 2, jnp.float32)
        for wrong_logits, wrong_masks, error in (
            (logits.astype(jnp.int32), masks, TypeError),
            (logits, masks.astype(np.int16), TypeError),
            (logits, masks[:2], ValueError),
            (logits[None], masks, ValueError),
        ):
            with self.assertRaises(error):
                sluice.apply_bitmask(wrong_logits, wrong_masks)


if __name__ == "__main__":
    unittest.main()
