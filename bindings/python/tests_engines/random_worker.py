"""A worker of vLLM without a model: random logits, to which the rows of the engine are applied as runner V1 does it.
For tests of everything around it: front end, engine, scheduler, processes.
"""

from __future__ import annotations

import types

import numpy as np
import torch
from vllm.v1.kv_cache_interface import FullAttentionSpec
from vllm.v1.outputs import EMPTY_MODEL_RUNNER_OUTPUT, ModelRunnerOutput
from vllm.v1.structured_output import utils
from vllm.v1.worker.worker_base import CompilationTimes, WorkerBase

END = 2


class RandomWorker(WorkerBase):
    """The methods of a worker that the engine calls, and nothing else."""

    def init_device(self):
        self.device, self.model_runner = torch.device("cpu"), None
        self.random, self.step = np.random.default_rng(11), []

    def load_model(self, **_):
        pass

    def get_kv_cache_spec(self):
        return {
            "model.layers.0.self_attn": FullAttentionSpec(
                block_size=16, num_kv_heads=2, head_size=16, dtype=torch.float32
            )
        }

    def get_supported_kv_cache_layouts(self):
        return ["NHD"]

    def set_kv_cache_layout(self, *_):
        pass

    def determine_available_memory(self):
        return 1 << 26

    def initialize_from_config(self, *_):
        pass

    def compile_or_warm_up_model(self):
        return CompilationTimes(0.0, 0.0)

    def get_supported_tasks(self):
        return ("generate",)

    def supports_draft_weight_updates(self):
        return False

    def check_health(self):
        pass

    def shutdown(self):
        pass

    def execute_model(self, scheduler_output):
        self.scheduled, self.step = scheduler_output, list(scheduler_output.num_scheduled_tokens)
        return None if self.step else EMPTY_MODEL_RUNNER_OUTPUT

    def sample_tokens(self, grammar_output):
        logits = self.random.standard_normal((len(self.step), self.model_config.get_vocab_size()), dtype=np.float32)
        logits[:, END] += 3.0  # outputs that may end soon do
        if grammar_output is not None:
            batch = types.SimpleNamespace(req_ids=self.step)
            utils.apply_grammar_bitmask(self.scheduled, grammar_output, batch, torch.from_numpy(logits))
        return ModelRunnerOutput(
            req_ids=self.step,
            req_id_to_index={name: i for i, name in enumerate(self.step)},
            sampled_token_ids=[[int(t)] for t in logits.argmax(axis=1)],
        )
