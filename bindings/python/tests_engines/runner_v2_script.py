"""Structured output in vLLM's runner V2, on the CPU: its kernel runs in Triton's interpreter, which an environment
variable selects before the imports.

The argument is a model's folder. A step with drafts goes from the engine's manager through the code by which V2 applies
masks, once with its own kernel and once hooked. The logits are compared, row by row also with the tokens that each
request allows after its drafts, and so are the drafts that V2 drops. It prints the number of comparisons.
"""

import json
import sys
import types

import vllm.v1.worker.cpu.shm  # isort: skip  # noqa: F401  # streams and events of a machine without a GPU
import numpy as np
import torch
from test_vllm import SIZE, StructuredOutputManager, begun, engine_config, grammar_of, utils
from vllm.triton_utils import HAS_TRITON
from vllm.v1.worker.gpu import structured_outputs as v2
from vllm.v1.worker.worker_base import WorkerBase

STRIDE = 4  # three drafts at most, and the token after them
ROWS = {"free": 3, "wrong": 3, "right": 4, "choice": 1, "padded": 4}  # of logits, in the order of the batch


def step(manager):
    """A step's requests, drafts and masks."""
    patterns = {"right": "[a-c]x[0-9]", "wrong": "[a-c]y+", "choice": "red|green", "padded": "z[0-9]+"}
    made = begun(manager, *({"regex": p} for p in patterns.values()))
    requests = dict(zip(patterns, made.values()))
    a, x, z, five = (manager.tokenizer.convert_tokens_to_ids(c) for c in "axz5")
    drafts = {"right": [a, x, five], "wrong": [a, x], "padded": [z, -1, -1], "free": [z, z]}
    names = list(requests)
    asked = {n: d for n, d in drafts.items() if n in requests}
    return requests, names, drafts, manager.grammar_bitmask(requests, names, asked)


def main():
    assert HAS_TRITON
    config = engine_config(sys.argv[1], backend="sluice")
    type(config).num_speculative_tokens = STRIDE - 1
    type(config).use_v2_model_runner = True
    manager = StructuredOutputManager(config)
    requests, names, drafts, masks = step(manager)
    ends = np.cumsum([0, *ROWS.values()])
    batch = types.SimpleNamespace(
        req_ids=list(ROWS), cu_num_logits=torch.tensor(ends, dtype=torch.int32), num_reqs=len(ROWS)
    )
    torch.manual_seed(1)
    logits = torch.randn(int(ends[-1]), SIZE)
    own, found = logits.clone(), logits.clone()
    worker = v2.StructuredOutputsWorker(len(ROWS) * STRIDE, SIZE, torch.device("cpu"), STRIDE)
    worker.apply_grammar_bitmask(own, batch, names, masks)
    WorkerBase(config, 0, 0, "")
    assert hasattr(worker.apply_grammar_bitmask, "__wrapped__") and type(utils.xgr).__name__ == "Applying"
    v2._apply_grammar_bitmask_kernel = None  # it is not asked any more
    worker.apply_grammar_bitmask(found, batch, names, masks)
    assert torch.equal(own, found) and not torch.equal(found, logits)
    compared = 0
    row = manager.backend.allocate_token_bitmask(1)
    for name, first in zip(ROWS, ends):
        good = 0
        for k in range(ROWS[name]):
            expected = logits[first + k].clone()
            if name in requests and good == k:
                grammar_of(requests[name]).fill_bitmask(row, 0)
                bits = np.unpackbits(row.numpy().view(np.uint8), bitorder="little")[:SIZE]
                expected[torch.from_numpy(bits == 0)] = -torch.inf
            elif name == "wrong":  # vLLM repeats the last good row
                expected = found[first + good]
                assert torch.isinf(expected).any()
                compared += 1
                continue
            assert torch.equal(found[first + k], expected), (name, k)
            compared += 1
            ahead = drafts.get(name, [])[k : k + 1]
            if name in requests and ahead and ahead[0] >= 0:
                good += grammar_of(requests[name]).accept_tokens(name, ahead)
    # Drafts that were looked at without a mask: those behind padding.
    batch.num_draft_tokens = sum(n - 1 for n in ROWS.values())
    batch.num_draft_tokens_per_req = np.array([n - 1 for n in ROWS.values()])
    batch.expanded_local_pos = torch.tensor([k for n in ROWS.values() for k in range(n)], dtype=torch.int32)
    acceptable = [len([t for t in drafts.get(n, ()) if t >= 0]) for n in names]
    invalid = v2.grammar_invalid_drafts(batch, names, acceptable)
    print("FOUND " + json.dumps([compared, np.flatnonzero(invalid.numpy()).tolist()]))


if __name__ == "__main__":
    main()
