"""What only a GPU shows, for `make lab NAME=torch`: the pool, streams, graphs, threads, allocators and `generate`.
Without one that CUDA runs on, all of it is skipped.
"""

import os
import subprocess
import sys
import threading
import unittest
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[1] / "tests")]

import torch
from conftest import case_tokens

import sluice

DTYPES = (torch.float32, torch.float16, torch.bfloat16)
REGEXES = ("[a-z]{3,9}(,[0-9]+)*", "(yes|no) [a-f]*", '"[^"]*"')
ALLOCATOR = "PYTORCH_CUDA_ALLOC_CONF"


def made():
    """A vocabulary, its end tokens, and grammars."""
    tokens, added, special, end = case_tokens()
    vocabulary = sluice.Vocabulary.from_tokens(tokens, added=added, special=special, end_tokens=end)
    compiler = sluice.Compiler(vocabulary)
    return vocabulary, end, [compiler.compile_regex(r) for r in REGEXES]


def bits(masks, width):
    return ((masks.cpu().unsqueeze(-1) >> torch.arange(32, dtype=torch.int32)) & 1).bool().flatten(1)[:, :width]


def same(got, want):
    """Whether logits are equal bit by bit."""
    size = {4: torch.int32, 2: torch.int16}[got.element_size()]
    return torch.equal(got.cpu().view(size), want.cpu().view(size))


@unittest.skipUnless(torch.cuda.is_available() and not torch.version.hip, "there is no GPU here that CUDA runs on")
class OnGpu(unittest.TestCase):
    def steps(self, seed, dtype, slots, stream=None):
        """Sequences continue under masks of a pool that is too small for them, or not."""
        vocabulary, end, grammars = made()
        pool = sluice.MaskPool(vocabulary, torch.device("cuda"), slots=slots, staging=4)
        matchers = [grammars[i % 3].matcher() for i in range(13)]
        g = torch.Generator().manual_seed(seed)
        width = vocabulary.padded_size
        for k in range(12):
            masks = torch.zeros(len(matchers), vocabulary.words, dtype=torch.int32)
            sluice.fill_batch(matchers, masks)
            allowed = bits(masks, width)
            rows = torch.randperm(len(matchers) + 5, generator=g)[: len(matchers)].tolist() if k % 2 else None
            logits = torch.randn(len(matchers) + (5 if rows else 0), width, generator=g).to(dtype)
            want = logits.clone()
            for i, row in enumerate(rows or range(len(matchers))):
                want[row, ~allowed[i]] = -torch.inf
            on_device = logits.to("cuda")
            with pool.fill(matchers, stream=stream) as step:
                self.assertIs(step.apply(on_device, rows), on_device)
            self.assertTrue(same(on_device, want), f"step {k}, {dtype}, {slots} slots")
            for i, row in enumerate(allowed):
                choices = [t for t in row.nonzero().flatten().tolist() if t not in end]
                if choices:
                    token = choices[int(torch.randint(len(choices), (1,), generator=g))]
                    self.assertTrue(matchers[i].accept(token))
                else:  # only the end may follow
                    matchers[i] = grammars[i % 3].matcher()
        return pool.stats

    def test_pool(self):
        for dtype in DTYPES:
            stats = self.steps(1, dtype, 64)
            self.assertGreater(stats.hits, stats.uploads)
            self.assertEqual((stats.open_steps, stats.refused), (0, 0))
            self.assertGreater(self.steps(2, dtype, 3).refused, 0)

    def test_pool_whose_copies_run_beside(self):
        self.steps(3, torch.bfloat16, 64, torch.cuda.Stream())

    def test_threads_with_streams_of_their_own(self):
        failed = []

        def work(seed):
            try:
                with torch.cuda.stream(torch.cuda.Stream()):
                    self.steps(seed, DTYPES[seed % 3], (3, 64)[seed % 2])
            except BaseException as e:
                failed.append(e)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failed, [])

    def test_graph(self):
        """A captured call reads the mask, and which rows it is for, anew at each replay."""
        vocab = 5000
        logits, masks = (torch.zeros(6, n, dtype=t, device="cuda") for n, t in ((vocab, DTYPES[2]), (157, torch.int32)))
        rows = torch.zeros(3, dtype=torch.int32, device="cuda")
        sluice.apply_bitmask(logits, masks, rows, mask_indices=rows)  # the kernels are loaded before
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            sluice.apply_bitmask(logits, masks, rows, mask_indices=rows)
        for seed in range(5):
            torch.manual_seed(seed)
            logits.copy_(torch.randn(6, vocab))
            masks.copy_(torch.randint(-(2**31), 2**31, (6, 157)).to(torch.int32))
            rows.copy_(torch.randperm(6)[:3])
            want = logits.cpu().clone()
            for r in rows.tolist():
                want[r, ~bits(masks, vocab)[r]] = -torch.inf
            graph.replay()
            self.assertTrue(same(logits, want))

    def test_order_on_a_stream(self):
        """The masks come from work that is still going on, and the logits are used by work that follows."""
        with torch.cuda.stream(torch.cuda.Stream()):
            a = torch.randn(4096, 4096, device="cuda")
            for _ in range(20):
                a = a @ a
                a /= a.norm()
            logits = torch.ones(4, 4096, device="cuda") + 0 * a[:4].nan_to_num()
            masks = (a[:4, :128].nan_to_num() * 0).int() - 2
            sluice.apply_bitmask(logits, masks)
            found = torch.isinf(logits).sum(1)
        self.assertEqual(found.tolist(), [128] * 4)

    def test_cupy(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("CuPy is not installed here")
        logits, masks = cupy.ones((2, 70), cupy.float16), cupy.full((2, 3), 5, cupy.int32)
        with cupy.cuda.Stream():
            sluice.apply_bitmask(logits, masks)
        cupy.cuda.Device().synchronize()
        self.assertEqual([int(i) for i in cupy.nonzero(logits[1] == 1)[0]], [0, 2, 32, 34, 64, 66])

    def test_devices(self):
        found, real = sluice.devices(), torch.cuda.get_device_properties(0)
        self.assertEqual(found.reason, "")
        self.assertEqual(found[0].name, real.name)
        self.assertEqual(found[0].compute_capability, (real.major, real.minor))
        self.assertLess(abs(found[0].memory_total - real.total_memory), 4 << 30)

    def test_generate(self):
        """Each output of a tiny random model satisfies its grammar, greedy, sampled, and with beams."""
        try:
            from transformers import LlamaConfig, LlamaForCausalLM
        except ImportError:
            self.skipTest("transformers is not installed here")
        import sluice.hf

        vocabulary, end, grammars = made()
        torch.manual_seed(5)
        config = LlamaConfig(
            vocab_size=vocabulary.size + 64, hidden_size=32, intermediate_size=32, num_hidden_layers=2,
            num_attention_heads=4, num_key_value_heads=2, eos_token_id=end, pad_token_id=end[0], bos_token_id=None,
        )  # fmt: skip
        prompts = torch.tensor([[65, 66, 67]] * 3, device="cuda")
        for dtype in (torch.float32, torch.bfloat16):
            model = LlamaForCausalLM(config).eval().to("cuda", dtype)
            for more in ({}, {"do_sample": True, "num_return_sequences": 4}, {"num_beams": 3}):
                processor = sluice.hf.LogitsProcessor(grammars)
                found = model.generate(
                    prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=40, logits_processor=[processor],
                    **{"do_sample": False, **more},
                )  # fmt: skip
                share = len(found) // 3
                for i, row in enumerate(found[:, 3:].tolist()):
                    matcher = grammars[i // share].matcher()
                    until = next((k for k, t in enumerate(row) if t in end), len(row))
                    self.assertEqual(matcher.accept_tokens(row[: until + 1]), min(until + 1, len(row)), (more, row))

    def test_allocators(self):
        """Memory of torch's other allocators, for which engines ask, is known to the driver."""
        if ALLOCATOR in os.environ:
            self.skipTest(f"{ALLOCATOR} is set: this run has an allocator of its own")
        command = [sys.executable, str(HERE), "OnGpu.test_pool", "OnGpu.test_graph", "OnGpu.test_generate"]
        for value in ("expandable_segments:True", "backend:cudaMallocAsync"):
            done = subprocess.run(command, env={**os.environ, ALLOCATOR: value}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, value + done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # with the reasons of skips
