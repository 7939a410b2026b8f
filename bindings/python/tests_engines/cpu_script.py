"""vLLM's build for CPUs with its own model code: a small Llama of random weights, and so few blocks of memory that
requests are preempted. Arguments are a model's folder and the number of blocks. It prints texts by kind of constraint,
texts of beams, and the number of preemptions.
"""

import json
import sys


def main() -> None:
    from conftest import CONSTRAINTS
    from vllm import LLM, SamplingParams
    from vllm.sampling_params import BeamSearchParams, StructuredOutputsParams

    import sluice.vllm

    sluice.vllm.register()
    llm = LLM(
        sys.argv[1],
        load_format="dummy",
        enforce_eager=True,
        max_num_seqs=16,
        max_model_len=512,
        block_size=32,
        num_gpu_blocks_override=int(sys.argv[2]),
        structured_outputs_config={"backend": "sluice", "disable_any_whitespace": True},
        disable_log_stats=False,
    )
    names = {"json_schema": "json", "ebnf": "grammar"}

    def asked(kind):
        if kind == "long":
            return StructuredOutputsParams(regex="([a-f]{2}[0-9]){40}")
        spec = CONSTRAINTS[kind].spec
        return StructuredOutputsParams(
            **{names.get(kind, kind): json.dumps(spec) if kind == "structural_tag" else spec}
        )

    kinds = [*CONSTRAINTS, "long", "long"] * 4
    params = [SamplingParams(max_tokens=300, n=2, logprobs=2, structured_outputs=asked(k)) for k in kinds]
    prompt = "The same words begin all prompts, so that blocks of them are kept and found again. "
    done = llm.generate([prompt + str(i) for i in range(len(kinds))], params, use_tqdm=False)
    texts = [(k, [o.text for o in d.outputs]) for k, d in zip(kinds, done)]
    assert all(len(o.logprobs) == len(o.token_ids) for d in done for o in d.outputs)
    beams = []
    for kind in ("regex", "choice"):
        search = BeamSearchParams(beam_width=3, max_tokens=30, structured_outputs=asked(kind))
        (found,) = llm.beam_search([{"prompt": prompt}], search)
        beams += [(kind, [s.text.removeprefix(prompt) for s in found.sequences])]
    preempted = sum(m.value for m in llm.get_metrics() if m.name == "vllm:num_preemptions")
    print("FOUND " + json.dumps([texts, beams, preempted]))


if __name__ == "__main__":
    main()
