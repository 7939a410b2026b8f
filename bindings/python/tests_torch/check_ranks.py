"""The example of docs/operations.md: one rank makes a compiler, the others load it. `make lab NAME=torch`."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bindings" / "python"))

import torch
import torch.distributed
import torch.multiprocessing

import sluice

TOKENIZER = str(ROOT / "tests" / "data" / "tokenizer.json.gz")
PAGE = (ROOT / "docs" / "operations.md").read_text()


def example():
    """The function in the page's block of code."""
    code = re.search(r"```python\n(import torch\.distributed.*?)```", PAGE, re.DOTALL)[1]
    names = {}
    exec(code, names)
    return names["compiler_of_all_ranks"]


def rank(number, folder):
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=number, world_size=2)
    compiler = example()(TOKENIZER)
    matcher = compiler.compile_json_schema({"properties": {"a": {"format": "date"}}}).matcher()
    rows = sluice.allocate_bitmask(8, compiler.vocabulary)
    for row, text in enumerate(['{"', 'a": "', "2026-", "1", "2", "-0", "1", '"}']):
        matcher.fill(rows, row)
        assert matcher.accept_bytes(text)
    found = [None, None]
    torch.distributed.all_gather_object(found, (compiler.vocabulary.hash, bytes(rows)))
    assert found[0] == found[1]
    Path(folder, f"rank {number}").write_text("equal")
    torch.distributed.destroy_process_group()


class Ranks(unittest.TestCase):
    def test_two_ranks_have_the_same_masks(self):
        with tempfile.TemporaryDirectory() as folder:
            torch.multiprocessing.spawn(rank, args=(folder,), nprocs=2)
            self.assertEqual(["equal", "equal"], [p.read_text() for p in sorted(Path(folder).glob("rank *"))])


if __name__ == "__main__":
    unittest.main()
