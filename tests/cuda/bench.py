#!/usr/bin/env python3
"""Applying masks to logits on a GPU, in one run: ours, XGrammar's Triton and CUDA kernels, torch, and a copy.

    make lab NAME=cuda ARGS="--rows 1 64"          SLUICE_PEERS names an environment with torch and xgrammar

Times are the device's own, of a CUDA graph of many launches, so that neither Python nor the host's launches count; what
cannot be captured is timed launch by launch and marked with *. Logits go round through more memory than fits into the
caches. All results are compared with torch's masked_fill, bit by bit.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))

MASKS = {"100 allowed": None, "half, in runs": -1.0, "half, at random": 0.5, "all but 1 %": 0.99, "all": 1.0}


def skip(reason: str) -> None:
    print(f"bench.py: SKIPPED: {reason}")
    raise SystemExit(0)


def masks_of(torch: Any, share: float | None, rows: int, vocab: int) -> Any:
    """Returns int32 masks on the device, [rows, words]."""
    words = (vocab + 31) // 32
    generator = torch.Generator(device="cuda").manual_seed(7)
    if share == -1.0:
        runs = torch.randint(0, 2, (rows, words // 64 + 1), generator=generator, device="cuda")
        return (-runs.repeat_interleave(64, 1)[:, :words]).to(torch.int32).contiguous()
    share = 100 / vocab if share is None else share
    bits = torch.rand((rows, words, 32), generator=generator, device="cuda") < share
    weights = 1 << torch.arange(32, device="cuda", dtype=torch.int64)
    return (bits * weights).sum(-1).to(torch.int32).contiguous()


def denied(torch: Any, mask: Any, vocab: int) -> Any:
    bits = torch.arange(32, dtype=torch.int32, device=mask.device)
    return (mask.unsqueeze(-1) >> bits & 1 == 0).view(mask.shape[0], -1)[:, :vocab]


def candidates(torch: Any) -> dict[str, Callable[[Any, Any], object]]:
    """Returns the implementations available here: name → function(logits, mask)."""
    import sluice

    found: dict[str, Callable[[Any, Any], object]] = {"ours": sluice.apply_bitmask}
    try:
        import xgrammar
    except ImportError:
        print("xgrammar is not installed: its kernels are left out")
    else:
        for backend in ("triton", "cuda"):
            try:
                xgrammar.apply_token_bitmask_inplace(
                    torch.zeros(1, 64, device="cuda"),
                    torch.zeros(1, 2, dtype=torch.int32, device="cuda"),
                    backend=backend,
                )
            except Exception as e:
                print(f"xgrammar's {backend} kernel does not run here: {type(e).__name__}: {str(e)[:200]}")
            else:
                found[f"xgrammar {backend}"] = lambda x, m, backend=backend: xgrammar.apply_token_bitmask_inplace(
                    x, m, backend=backend
                )
    return found


def timed(torch: Any, call: Callable[[int], object], launches: int) -> tuple[float, bool]:
    """Returns microseconds for one call by the device's clock, and whether the calls could be captured."""
    call(0)
    torch.cuda.synchronize()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    captured = True
    try:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for i in range(launches):
                call(i)
    except Exception:
        captured = False
        torch.cuda.synchronize()
    times = []
    for i in range(12):
        begin.record()
        if captured:
            graph.replay()
        else:
            for j in range(launches):
                call(j)
        end.record()
        torch.cuda.synchronize()
        if i >= 2:
            times.append(1000 * begin.elapsed_time(end) / launches)
    return statistics.median(times), captured


def cells_of(torch: Any, base: Any, mask: Any, found: dict[str, Callable[[Any, Any], object]]) -> list[str]:
    """Returns the times of one line of the table: a copy, torch's masked_fill_, and all that was found."""
    buffers = [base.clone() for _ in range(max(2, min(64, (512 << 20) // base.nbytes)))]
    launches = 10 if base.nbytes > 64 << 20 else 40
    not_allowed = denied(torch, mask, base.shape[1])
    want = base.masked_fill(not_allowed, float("-inf"))

    def turn(i: int) -> Any:
        return buffers[i % len(buffers)]

    def time_of(apply: Callable[[Any, Any], object]) -> str:
        us, captured = timed(torch, lambda i: apply(turn(i), mask), launches)
        return f"{us:.2f}{'' if captured else '*'}"

    copy, _ = timed(torch, lambda i: turn(i).copy_(turn(i + 1)), launches)
    cells = [f"{copy:.2f}", time_of(lambda x, _: x.masked_fill_(not_allowed, float("-inf")))]
    for name, apply in found.items():
        x = base.clone()
        apply(x, mask)
        torch.cuda.synchronize()
        same = torch.equal(x.view(torch.uint8), want.view(torch.uint8))
        if not same and name == "ours":
            raise SystemExit(f"ours differs from masked_fill: logits {tuple(base.shape)}, {base.dtype}")
        cells.append(time_of(apply) + ("" if same else " WRONG"))
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vocab", type=int, default=128256)
    parser.add_argument("--rows", type=int, nargs="*", default=[1, 8, 64, 256])
    a = parser.parse_args()
    try:
        import torch
    except ImportError:
        skip("torch is not installed: set SLUICE_PEERS to an environment that has it")
    if not torch.cuda.is_available() or torch.version.hip:
        skip("torch finds no CUDA device")
    found = candidates(torch)
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}; us a launch, by the device's clock\n")
    print(f"| rows | dtype | mask | copy | masked_fill_ | {' | '.join(found)} |")
    print("|--:|---|---|--:|--:|" + "--:|" * len(found))
    for rows in a.rows:
        for dtype in (torch.float32, torch.bfloat16, torch.float16):
            base = torch.randn(rows, a.vocab, device="cuda").to(dtype)
            for label, share in MASKS.items():
                cells = cells_of(torch, base, masks_of(torch, share, rows, a.vocab), found)
                print(f"| {rows} | {str(dtype)[6:]} | {label} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
