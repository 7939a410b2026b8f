"""An engine of vLLM with its processes, started for tests: the lines of docs/vllm.md with a worker of random
logits instead of a model.

Arguments are the page, a model's folder and a JSON list of constraints, each tried twice. It prints the output of the
page, and a JSON list of texts, or of errors about a constraint.
"""

import json
import re
import sys


def main() -> None:
    import vllm
    from vllm.exceptions import VLLMValidationError
    from vllm.sampling_params import StructuredOutputsParams

    made = []

    class Random(vllm.LLM):
        def __init__(self, model, **options):
            worker = {"worker_cls": "random_worker.RandomWorker", "load_format": "dummy", "enforce_eager": True}
            super().__init__(sys.argv[2], **worker, max_num_seqs=32, **options)
            made.append(self)

    vllm.LLM = Random
    with open(sys.argv[1]) as page:
        exec(re.search(r"```python\n(.*?)```", page.read(), re.DOTALL)[1], {})
    llm = made[0]
    asked = [a for a in json.loads(sys.argv[3]) for _ in range(2)]
    good, out = [], [""] * len(asked)
    for i, a in enumerate(asked):
        params = vllm.SamplingParams(max_tokens=400, structured_outputs=StructuredOutputsParams(**a))
        if a.get("regex") == "(":
            try:
                llm.generate("no", params, use_tqdm=False)
            except VLLMValidationError as e:
                out[i] = f"refused: {e}"
        else:
            good.append((i, params))
    done = llm.generate(["Say something"] * len(good), [p for _, p in good], use_tqdm=False)
    for (i, _), d in zip(good, done):
        out[i] = d.outputs[0].text
    print("OUTPUTS " + json.dumps(out))


if __name__ == "__main__":
    main()
