"""Sluice for ../shared/peers/apply_bench.py, which compares ways to apply masks to logits on the CPU:

python ../shared/peers/apply_bench.py --ours tests/bench/sluice_apply.py:apply

The table is in cpu/README.md.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))

from sluice import apply_bitmask as apply

__all__ = ["apply"]
