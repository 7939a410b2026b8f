"""vLLM's build for CPUs, with and without the drafts of grammars. Arguments are a model's folder, a file with a JSON
list of structural tags or schemas, and the number of drafts of a step, 0 for none. Request i has the prompt "Request
i:"; each runs alone, by greedy sampling, after one that does not count. It prints the texts, tokens, seconds and steps.
"""

import json
import sys
import time


def main() -> None:
    from vllm import LLM, SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    import sluice.vllm

    sluice.vllm.register()
    with open(sys.argv[2]) as file:
        asked = json.load(file)
    most = int(sys.argv[3])
    drafting = {"method": "custom_class", "model": "sluice.vllm.Drafts", "num_speculative_tokens": most}
    llm = LLM(
        sys.argv[1],
        load_format="auto" if len(sys.argv) > 4 else "dummy",
        enforce_eager=True,
        max_num_seqs=4,
        max_model_len=1024,
        block_size=32,
        structured_outputs_config={"backend": "sluice"},
        disable_log_stats=False,
        **({"speculative_config": drafting} if most else {}),
    )

    def run(i: int):
        kind = "structural_tag" if "structural_tag" in asked[i] else "json"
        params = SamplingParams(
            max_tokens=300, temperature=0, structured_outputs=StructuredOutputsParams(**{kind: asked[i]})
        )
        (done,) = llm.generate([f"Request {i}:"], [params], use_tqdm=False)
        return done.outputs[0]

    def counted(name: str) -> int:
        return sum(m.value for m in llm.get_metrics() if m.name == f"vllm:spec_decode_num_{name}")

    run(0)
    before = counted("draft_tokens"), counted("accepted_tokens")
    begun = time.perf_counter()
    outputs = [run(i) for i in range(len(asked))]
    seconds = time.perf_counter() - begun
    drafted, accepted = counted("draft_tokens") - before[0], counted("accepted_tokens") - before[1]
    tokens = sum(len(o.token_ids) for o in outputs)
    print("FOUND " + json.dumps([[o.text for o in outputs], tokens, seconds, drafted, accepted]))


if __name__ == "__main__":
    main()
