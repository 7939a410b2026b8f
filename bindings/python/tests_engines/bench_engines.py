"""The cost of structured output in a step of an engine: without any, with a backend that does nothing, with the
engine's own backends, and with Sluice, in turns in one process. `make lab NAME=engines` runs it; docs/benchmarks.md has
results.

    bench_engines.py                      both engines, a process each, and the tables
    bench_engines.py vllm --rounds 3      one of them, in this process

vLLM is its front end, scheduler, manager of structured output and runner V1's way to apply masks; SGLang is its
constrained package, the masks of its batches and its way to accept tokens. In the place of a model is one layer of
random weights, on one thread. Times are CPU time of the whole process, threads that fill or compile included, so that
other programs on the machine do not count; "wall" is the time on the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

os.environ.update(VLLM_ENABLE_V1_MULTIPROCESSING="0", VLLM_LOGGING_LEVEL="ERROR", VLLM_CPU_KVCACHE_SPACE="1")

SIZE = 32832  # of the model's logits; the tokenizer has fewer tokens
WIDTH = 64  # of the layer
SCHEMAS = 16  # that are asked for again and again
TOKENS = 48  # at most, of a request
STEPS = {1: 200, 32: 80, 256: 30}
PLACES = ("rows", "apply", "accept")  # the calls in which structured output takes time
NOTHING = "nothing"  # a backend whose masks allow all and are not applied: the engine's own work remains
BACKENDS = {
    "vllm": ("off", NOTHING, "xgrammar", "guidance", "sluice"),
    "sglang": ("off", NOTHING, "xgrammar", "llguidance", "sluice"),
}


def schema(i: int) -> str:
    """A call to the i-th of many functions, as a JSON Schema that all backends serve."""
    text = {"type": "string", "maxLength": 12}
    arguments = {
        f"place_{i}": text,
        "unit": {"enum": ["celsius", "fahrenheit", f"unit {i}"]},
        "days": {"type": "array", "items": {"type": "integer"}, "maxItems": 3},
        "who": {"type": "object", "properties": {"name": text}, "required": ["name"], "additionalProperties": False},
    }
    return json.dumps(
        {
            "type": "object",
            "properties": {
                "name": {"const": f"function_{i}"},
                "arguments": {
                    "type": "object",
                    "properties": arguments,
                    "required": list(arguments),
                    "additionalProperties": False,
                },
            },
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
    )


class Clock:
    """Adds up the CPU time that this process spends in some places, by name."""

    def __init__(self):
        self.spent = dict.fromkeys(PLACES, 0)

    def timed(self, place, function):
        def call(*args, **kwargs):
            begun = time.process_time_ns()
            try:
                return function(*args, **kwargs)
            finally:
                self.spent[place] += time.process_time_ns() - begun

        return call


def layer():
    """Stands in for a model: logits of random weights for a number of rows."""
    import torch

    torch.set_num_threads(1)
    random = torch.Generator().manual_seed(7)
    weights = torch.randn(WIDTH, SIZE, generator=random)
    return lambda rows: torch.randn(rows, WIDTH, generator=random) @ weights


def measured(made, batch, steps, begin):
    """Keeps `batch` requests going for some steps in which tokens are made; returns times of each in µs: CPU, wall,
    and what structured output takes, place by place.

    begin() starts one more request; made.step() makes a step and returns how many tokens there were and how many
    requests ended with it.
    """
    for _ in range(batch):
        begin()
    times = []
    while len(times) < steps + 5:
        made.clock.spent = dict.fromkeys(PLACES, 0)
        cpu, wall = time.process_time_ns(), time.perf_counter_ns()
        tokens, ended = made.step()
        cpu, wall = time.process_time_ns() - cpu, time.perf_counter_ns() - wall
        if tokens:
            times.append([cpu / 1e3, wall / 1e3, *(spent / 1e3 for spent in made.clock.spent.values())])
        for _ in range(ended):
            begin()
    return times[5:]


class Nothing:
    """Does nothing, for any call."""

    def __getattr__(self, name):
        return lambda *args, **kwargs: None


# ------------------------------------------------------------------------------------------------------------- vLLM


def nothing_of_vllm(manager):
    """Returns a backend for a manager that constrains nothing."""
    from vllm.v1.structured_output.backend_types import StructuredOutputBackend, StructuredOutputGrammar
    from vllm.v1.structured_output.backend_xgrammar import XgrammarBackend

    class Grammar(StructuredOutputGrammar):
        def accept_tokens(self, request_id, tokens):
            return True

        def validate_tokens(self, tokens):
            return tokens

        def rollback(self, num_tokens):
            pass

        def fill_bitmask(self, bitmask, batch_index):
            pass

        def is_terminated(self):
            return False

        def reset(self):
            pass

    class Backend(StructuredOutputBackend):
        def compile_grammar(self, request_type, grammar_spec, stop_token_ids=None):
            return Grammar()

        def allocate_token_bitmask(self, max_num_seqs):
            return XgrammarBackend.allocate_token_bitmask(self, max_num_seqs)

        def destroy(self):
            pass

    config = manager.vllm_config
    return Backend(config, manager.tokenizer, config.model_config.get_vocab_size())


class OfVllm:
    """An engine with one backend; all of a process have the same worker."""

    def __init__(self, backend, folder):
        from vllm.engine.arg_utils import EngineArgs
        from vllm.v1.engine.llm_engine import LLMEngine
        from vllm.v1.structured_output import utils

        self.backend, self.clock, self.count, self.fresh = backend, Clock(), 0, SCHEMAS
        none = backend in ("off", NOTHING)
        asked = {"disable_any_whitespace": True, "backend": "xgrammar" if none else backend}
        args = EngineArgs(
            model=folder,
            load_format="dummy",
            worker_cls="bench_engines.worker",
            max_num_seqs=256,
            enforce_eager=True,
            async_scheduling=False,
            structured_outputs_config=asked,
        )
        self._package = package = utils.xgr
        self.engine = LLMEngine.from_engine_args(args)
        self._applies, utils.xgr = utils.xgr, package
        core = self.engine.engine_core.engine_core
        manager = self.manager = core.structured_output_manager
        if backend == NOTHING:
            manager.backend, self._applies = nothing_of_vllm(manager), Nothing()
        manager.grammar_bitmask = self.clock.timed("rows", manager.grammar_bitmask)
        manager.accept_tokens = self.clock.timed("accept", manager.accept_tokens)
        core.model_executor.driver_worker.worker.clock = self.clock

    def begin(self, new=False):
        """Starts a request; a new one has a schema of its own."""
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        self.count += 1
        self.fresh += new
        asked = None
        if self.backend != "off":
            text = schema(self.fresh if new else self.count % SCHEMAS)
            asked = StructuredOutputsParams(json=text)
        params = SamplingParams(max_tokens=TOKENS, structured_outputs=asked, detokenize=False)
        self.engine.add_request(str(self.count), {"prompt_token_ids": [5, 6]}, params)

    def waiting(self):
        """Returns the engine's data about the constraint of its latest request."""
        latest = next(reversed(self.engine.engine_core.engine_core.scheduler.requests.values()))
        return [r for r in [latest.structured_output_request] if r is not None]

    def step(self):
        """Makes a step; returns how many tokens there were, and how many requests ended."""
        outputs = self.engine.step()
        return len(outputs), sum(o.finished for o in outputs)

    def run(self, batch, steps, every=0):
        """Measures; with `every`, one request with a new schema begins that often, in the place of another."""
        from vllm.v1.structured_output import utils

        utils.xgr = self._applies
        begun = [0]

        def begin():
            begun[0] += 1
            new = bool(every) and begun[0] > batch and begun[0] % every == 0
            self.begin(new)
            while not new and not all(r.is_grammar_ready for r in self.waiting()):
                time.sleep(0.0002)

        try:
            return measured(self, batch, steps, begin)
        finally:
            utils.xgr = self._package
            self.engine.abort_request(list(self.engine.output_processor.request_states), internal=True)
            while self.engine.has_unfinished_requests():
                self.engine.step()


def worker(*args, **kwargs):
    """Makes vLLM's worker: its logits come from the layer."""
    import torch
    from random_worker import RandomWorker
    from vllm.v1.outputs import ModelRunnerOutput
    from vllm.v1.structured_output import utils

    class Tiny(RandomWorker):
        clock = Clock()

        def load_model(self, **_):
            self.layer = layer()

        def sample_tokens(self, grammar_output):
            logits = self.layer(len(self.step))
            if grammar_output is not None:
                batch = types.SimpleNamespace(req_ids=self.step)
                self.clock.timed("apply", utils.apply_grammar_bitmask)(self.scheduled, grammar_output, batch, logits)
            return ModelRunnerOutput(
                req_ids=self.step,
                req_id_to_index={name: i for i, name in enumerate(self.step)},
                sampled_token_ids=[[t] for t in torch.argmax(logits, dim=1).tolist()],
            )

    return Tiny(*args, **kwargs)


def engines_of_vllm():
    """Returns an engine for each backend."""
    import conftest
    from test_vllm import SIZE as size

    import sluice.vllm

    assert size == SIZE
    sluice.vllm.register()
    folder = Path(tempfile.mkdtemp())
    conftest.made_tokenizer().save_pretrained(folder)
    config = {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    config |= {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": SIZE, "eos_token_id": 2}
    (folder / "config.json").write_text(json.dumps(config | {"max_position_embeddings": 2048, "dtype": "float32"}))
    return {name: OfVllm(name, str(folder)) for name in BACKENDS["vllm"]}


# ----------------------------------------------------------------------------------------------------------- SGLang


def nothing_of_sglang():
    """Returns a backend that constrains nothing."""
    from sglang.srt.constrained.base_grammar_backend import BaseGrammarBackend, BaseGrammarObject

    class Grammar(BaseGrammarObject):
        def copy(self):
            return Grammar()

        def accept_token(self, token):
            self.current_token = token

        def fill_vocab_mask(self, vocab_mask, idx):
            pass

        def is_terminated(self):
            return False

        def allocate_vocab_mask(self, vocab_size, batch_size, device):
            return torch.full((batch_size, (vocab_size + 31) // 32), -1, dtype=torch.int32)

        @staticmethod
        def move_vocab_mask(vocab_mask, device):
            return vocab_mask

        @staticmethod
        def apply_vocab_mask(logits, vocab_mask):
            pass

    class Backend(BaseGrammarBackend):
        def dispatch_json(self, key_string):
            return Grammar()

    import torch

    return Backend()


class OfSglang:
    """A backend of SGLang's, and the calls of a scheduler at a step."""

    def __init__(self, backend, tokenizer, logits):
        from sglang.srt.constrained.base_grammar_backend import create_grammar_backend
        from sglang.srt.managers.scheduler_components import batch_result_processor
        from sglang.srt.runtime_context import SpawnRanks, publish
        from sglang.srt.sampling.sampling_batch_info import SamplingBatchInfo
        from sglang.srt.server_args import ServerArgs

        self.clock, self.logits, self.requests, self.count = Clock(), logits, [], 0
        self._accept = batch_result_processor.SchedulerBatchResultProcessor._accept_grammar_tokens
        self._update = SamplingBatchInfo.update_regex_vocab_mask
        self.backend = None
        if backend == NOTHING:
            self.backend = nothing_of_sglang()
        elif backend != "off":
            args = ServerArgs(
                model_path="dummy", device="cpu", grammar_backend=backend, constrained_json_disable_any_whitespace=True
            )
            publish(args, role="scheduler", ranks=SpawnRanks(world_rank=0, dp_rank=None, gpu_id=0))
            self.backend = create_grammar_backend(args, tokenizer, SIZE, {tokenizer.eos_token_id})
        self.made = [self._compiled(schema(i)) for i in range(SCHEMAS)] if self.backend else []

    def _compiled(self, text):
        made, hit = self.backend.get_cached_or_future_value(("json", text), False)
        return made if hit else made.result()

    def begin(self):
        """Starts a request."""
        self.count += 1
        grammar = self.made[self.count % SCHEMAS].copy() if self.made else None
        self.requests.append(types.SimpleNamespace(grammar=grammar, tokens=0, finished=lambda: False))

    def _masks(self):
        batch = types.SimpleNamespace(
            grammars=[r.grammar for r in self.requests],
            temperatures=[1.0] * len(self.requests),
            vocab_size=SIZE,
            device="cpu",
            grammar_mask=None,
        )
        self._update(batch)
        return batch.grammar_mask

    def step(self):
        """Makes a step; returns how many tokens there were, and how many requests ended."""
        logits = self.logits(len(self.requests))
        if self.backend:
            masks = self.clock.timed("rows", self._masks)()
            self.clock.timed("apply", masks.apply)(logits)
        tokens = logits.argmax(dim=1).tolist()
        for request, token in zip(self.requests, tokens):
            request.tokens += 1
            if self.backend:
                self.clock.timed("accept", self._accept)(None, request, token)
        before = len(self.requests)
        self.requests = [
            r for r in self.requests if r.tokens < TOKENS and not (r.grammar is not None and r.grammar.is_terminated())
        ]
        return before, before - len(self.requests)

    def run(self, batch, steps):
        """Measures."""
        self.requests = []
        return measured(self, batch, steps, self.begin)


def engines_of_sglang():
    """Returns an engine for each backend."""
    import conftest

    import sluice.sglang

    sluice.sglang.register()
    tokenizer, logits = conftest.made_tokenizer(), layer()
    return {name: OfSglang(name, tokenizer, logits) for name in BACKENDS["sglang"]}


# ----------------------------------------------------------------------------------------------------------- results


def quantile(values, q):
    return sorted(values)[min(int(q * len(values)), len(values) - 1)]


def run(engine, rounds):
    """Measures all backends of an engine by turns; prints the figures as JSON."""
    engines = engines_of_vllm() if engine == "vllm" else engines_of_sglang()
    for made in engines.values():
        made.run(256, 20)  # most of what will be met is met here
    found = {}
    for _ in range(rounds):
        for batch, steps in STEPS.items():
            for name, made in engines.items():
                found.setdefault(f"{batch}", {}).setdefault(name, []).extend(made.run(batch, steps))
        if engine == "vllm":
            for every in (0, 4):
                for name, made in engines.items():
                    key = "new schemas" if every else "known schemas"
                    found.setdefault(key, {}).setdefault(name, []).extend(made.run(32, 150, every))
    print("FOUND " + json.dumps(found))


def table(engine, found):
    """Returns the figures in words and tables."""
    names = BACKENDS[engine]
    lines = ["", "| batch | | " + " | ".join(names) + " |", "|--:|---|" + "--:|" * len(names)]
    for batch in map(str, STEPS):
        of = {n: found[batch][n] for n in names}
        step = {n: statistics.median(t[0] for t in of[n]) for n in names}
        cost = {n: statistics.median(sum(t[2:]) for t in of[n]) for n in names}
        places = {n: [statistics.median(t[2 + i] for t in of[n]) for i in range(len(PLACES))] for n in names}
        wall = {n: sum(t[1] for t in of[n]) for n in names}
        rows = {
            "a step, ms": [f"{step[n] / 1e3:.2f}" for n in names],
            "structured output of it, µs": [f"{cost[n]:.0f}" for n in names],
            f"its {', '.join(PLACES)}, µs": [" / ".join(f"{p:.0f}" for p in places[n]) for n in names],
            "share of the step, %": [f"{100 * cost[n] / step[n]:.1f}" for n in names],
            "tokens a second (wall)": [f"{int(batch) * len(of[n]) / wall[n] * 1e6:.0f}" for n in names],
        }
        lines += [f"| {batch} | {what} | {' | '.join(values)} |" for what, values in rows.items()]
    for what in ("known schemas", "new schemas"):
        if what in found:
            p99 = [
                f"{quantile([t[0] for t in found[what][n]], 0.99) / 1e3:.2f} "
                f"({quantile([t[1] for t in found[what][n]], 0.99) / 1e3:.1f})"
                for n in names
            ]
            lines.append(f"| 32 | {what}: p99 of a step, ms CPU (wall) | {' | '.join(p99)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("engine", nargs="?", choices=list(BACKENDS))
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    if given.engine:
        run(given.engine, given.rounds)
        return
    for engine in BACKENDS:
        command = [sys.executable, __file__, engine, "--rounds", str(given.rounds)]
        done = subprocess.run(command, capture_output=True, text=True)
        found = [line[6:] for line in done.stdout.splitlines() if line.startswith("FOUND ")]
        if not found:
            sys.exit(f"{engine}:\n{(done.stdout + done.stderr)[-5000:]}")
        print(f"\n{engine}\n{table(engine, json.loads(found[0]))}", flush=True)


if __name__ == "__main__":
    sys.modules["bench_engines"] = sys.modules["__main__"]
    sys.path.insert(0, str(Path(__file__).parent))
    import conftest  # noqa: F401  # the environment of an engine on the CPU

    main()
