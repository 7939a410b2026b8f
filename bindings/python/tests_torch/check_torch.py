"""Rows that are torch tensors: `make lab NAME=torch`. No part of `make test`: torch is 6 GB with CUDA's libraries.

It uses unittest, so that any environment that has torch will do.
"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch

import sluice


class Rows(unittest.TestCase):
    """Every test has a matcher of [a-c]x over the 256 bytes and an end token."""

    def setUp(self):
        tokens = [bytes([b]) for b in range(256)] + [b"<end>"]
        self.vocabulary = sluice.Vocabulary.from_tokens(tokens, special=[256], end_tokens=[256])
        self.matcher = sluice.Compiler(self.vocabulary).compile_regex("[a-c]x").matcher()
        row = bytearray(4 * self.vocabulary.words)
        self.matcher.fill(row)
        self.expected = torch.frombuffer(row, dtype=torch.int32).clone()

    def test_a_row_of_a_batch(self):
        for dtype in (torch.int32, torch.uint32):
            masks = torch.full((4, self.vocabulary.words), 7, dtype=torch.int32).view(dtype)
            for _ in range(2):
                self.assertTrue(self.matcher.fill(masks, 2))
            signed = masks.view(torch.int32)
            self.assertTrue(torch.equal(signed[2], self.expected))
            self.assertTrue(bool((signed[[0, 1, 3]] == 7).all()))

    def test_one_row(self):
        for masks in (
            torch.zeros(self.vocabulary.words, dtype=torch.int32),
            torch.zeros(1, self.vocabulary.words).int(),
        ):
            self.matcher.fill(masks)
            self.assertTrue(torch.equal(masks.flatten(), self.expected))

    def test_views(self):
        base = torch.zeros((6, self.vocabulary.words + 3), dtype=torch.int32)
        view = base[::2, 1 : 1 + self.vocabulary.words]
        self.matcher.fill(view, 1)
        self.assertTrue(torch.equal(base[2, 1 : 1 + self.vocabulary.words], self.expected))
        self.assertEqual(int((base != 0).sum()), int((self.expected != 0).sum()))

    def test_other_memory_in_the_same_tensor(self):
        masks = torch.zeros((2, self.vocabulary.words), dtype=torch.int32)
        self.matcher.fill(masks, 1)
        fresh = torch.zeros((2, self.vocabulary.words), dtype=torch.int32)
        masks.set_(fresh)
        self.matcher.fill(masks, 1)
        self.assertTrue(torch.equal(fresh[1], self.expected))

    def test_batch(self):
        masks = torch.zeros((4, self.vocabulary.words), dtype=torch.int32)
        sluice.fill_batch([self.matcher, self.matcher.fork()], masks, [3, 0])
        self.assertTrue(torch.equal(masks[3], self.expected) and torch.equal(masks[0], self.expected))
        self.assertFalse(bool(masks[1:3].any()))

    def test_refusals(self):
        n = self.vocabulary.words
        for wrong, error in (
            (torch.zeros(n, dtype=torch.int64), TypeError),
            (torch.zeros(n), TypeError),
            (torch.zeros(n, dtype=torch.int32, device="meta"), TypeError),
            (torch.zeros((n, 2), dtype=torch.int32)[:, 0], ValueError),
            (torch.zeros(n - 1, dtype=torch.int32), ValueError),
            (torch.zeros((2, n), dtype=torch.int32), ValueError),
        ):
            with self.assertRaises(error):
                self.matcher.fill(wrong)


if __name__ == "__main__":
    unittest.main()
