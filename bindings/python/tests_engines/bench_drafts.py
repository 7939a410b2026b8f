"""Tokens a second of vLLM's build for CPUs at batch 1, with and without `sluice.vllm.Drafts`. `make lab NAME=proposer`
runs it; docs/drafts.md has results.

The model is a small Llama that has learned the reference outputs of some BFCL cases by heart, so that it writes tool
calls as a real model does. Its layers are then widened with weights that change no result, until the weights of a step
take long to read, as in a real model. A step with eight drafts then takes hardly longer than a step with none.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from conftest import ROOT, made_tokenizer
from test_cpu import environment

HIDDEN, LEARNED = 256, 1024  # the model's width, and the width of the parts of its layers that learn
LONGEST = 300  # characters of an output, so that learning takes a minute


def cases(every: int) -> tuple[list[str], list[str]]:
    """Returns structural tags and reference outputs of BFCL's development set."""
    path = ROOT.parent / "shared" / "data" / "bfcl" / "dev.jsonl.gz"
    if not path.exists():
        raise SystemExit(f"BFCL's development set is not at {path}: the model would have no outputs to learn")
    with gzip.open(path, "rt") as lines:
        read = [json.loads(line) for i, line in enumerate(lines) if i % every == 0]
    pairs = [(c["spec"], next(t["text"] for t in c["tests"] if t["valid"])) for c in read]
    short = [(spec, text) for spec, text in pairs if len(text) < LONGEST]
    return [spec for spec, _ in short], [text for _, text in short]


def learned(folder: Path, texts: list[str], layers: int, wide: int) -> None:
    """Writes a model that answers "Request i:" with text i, of `layers` layers that are `wide` wide."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = made_tokenizer()
    rows = []
    for i, text in enumerate(texts):
        prompt = tokenizer.encode(f"Request {i}:")
        rows.append((len(prompt), [*prompt, *tokenizer.encode(text, add_special_tokens=False), tokenizer.eos_token_id]))
    used = sorted({t for _, row in rows for t in row})
    place = {t: i for i, t in enumerate(used)}

    def padded(some: list[tuple[int, list[int]]]) -> tuple[torch.Tensor, torch.Tensor]:
        longest = max(len(row) for _, row in some)
        ids = torch.zeros(len(some), longest, dtype=torch.long)
        wanted = torch.full((len(some), longest), -100)
        for k, (prompt, row) in enumerate(some):
            ids[k, : len(row)] = torch.tensor([place[t] for t in row])
            wanted[k, prompt : len(row)] = ids[k, prompt : len(row)]
        return ids, wanted

    def config(vocabulary: int, count: int, inner: int) -> LlamaConfig:
        return LlamaConfig(
            vocab_size=vocabulary, hidden_size=HIDDEN, intermediate_size=inner, num_hidden_layers=count,
            num_attention_heads=HIDDEN // 64, num_key_value_heads=HIDDEN // 64, max_position_embeddings=2048,
            tie_word_embeddings=False, bos_token_id=None, eos_token_id=tokenizer.eos_token_id,
        )  # fmt: skip

    torch.manual_seed(7)
    small = LlamaForCausalLM(config(len(used), 2, LEARNED))
    steps = torch.optim.AdamW(small.parameters(), lr=1e-3, weight_decay=0.0)
    batches = [padded(rows[i : i + 8]) for i in range(0, len(rows), 8)]
    for epoch in range(200):
        worst = 0.0
        for ids, wanted in batches:
            loss = small(input_ids=ids, labels=wanted).loss
            steps.zero_grad()
            loss.backward()
            steps.step()
            worst = max(worst, loss.item())
        if epoch % 10 == 0:
            print(f"round {epoch}: loss {worst:.4f}", flush=True)
        if worst < 0.01:
            break
    big = LlamaForCausalLM(config(32832, layers, wide))
    with torch.no_grad():
        # Beyond the learned parts, nothing reaches a layer's result; tokens that were not seen have the logit 0.
        for layer in big.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        for of, to in zip(small.model.layers, big.model.layers):
            to.self_attn.load_state_dict(of.self_attn.state_dict())
            to.input_layernorm.load_state_dict(of.input_layernorm.state_dict())
            to.post_attention_layernorm.load_state_dict(of.post_attention_layernorm.state_dict())
            to.mlp.gate_proj.weight[:LEARNED] = of.mlp.gate_proj.weight
            to.mlp.up_proj.weight[:LEARNED] = of.mlp.up_proj.weight
            to.mlp.down_proj.weight[:, :LEARNED] = of.mlp.down_proj.weight
        big.model.norm.load_state_dict(small.model.norm.state_dict())
        big.model.embed_tokens.weight[used] = small.model.embed_tokens.weight
        big.lm_head.weight.zero_()
        big.lm_head.weight[used] = small.lm_head.weight
    big.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--every", type=int, default=29, help="take every n-th case (default 29)")
    parser.add_argument("--rounds", type=int, default=3, help="runs with and without drafts, in turns (default 3)")
    parser.add_argument("--drafts", type=int, default=8, help="drafts of a step (default 8)")
    parser.add_argument("--layers", type=int, default=16, help="layers of the model (default 16)")
    parser.add_argument("--wide", type=int, default=8192, help="their width (default 8192)")
    args = parser.parse_args()
    asked, texts = cases(args.every)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        learned(folder / "model", texts, args.layers, args.wide)
        (folder / "asked.json").write_text(json.dumps(asked))
        rates: dict[int, list[float]] = {0: [], args.drafts: []}
        found: dict[int, list] = {}
        for _ in range(args.rounds):
            for most, rate in rates.items():
                command = [sys.executable, "drafts_script.py", str(folder / "model"), str(folder / "asked.json")]
                done = subprocess.run(
                    [*command, str(most), "weights"], env=environment(folder), capture_output=True, text=True
                )
                lines = [json.loads(line[6:]) for line in done.stdout.splitlines() if line.startswith("FOUND ")]
                if not lines:
                    raise SystemExit(done.stdout + done.stderr)
                found[most] = lines[0]
                rate.append(found[most][1] / found[most][2])
                print(f"{most} drafts: {rate[-1]:.1f} tokens a second", flush=True)
    (plain, tokens, *_), (drafted_texts, _, _, drafted, accepted) = found[0], found[args.drafts]
    if plain != drafted_texts:
        raise SystemExit("the outputs differ")
    right = sum(a == b for a, b in zip(plain, texts))
    ratio = statistics.median(rates[args.drafts]) / statistics.median(rates[0])
    print(f"{len(texts)} outputs, the same with and without drafts; {right} are the reference output; {tokens} tokens")
    print(f"{drafted} tokens drafted, {accepted} right; {tokens / (tokens - accepted):.2f} tokens a step")
    print(f"tokens a second: {ratio:.2f} times as many with drafts (median of {args.rounds} rounds)")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
