#!/usr/bin/env python3
"""Measures the cost of a call from Python in each way of passing parameters: the numbers behind `_abi` of the binding.

    python tests/bench/ctypes_overhead.py          # needs a C compiler; prints ns per call

The C functions do nothing, so only ctypes is measured.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import timeit
from pathlib import Path

SOURCE = """
#include <stdint.h>
int32_t none(void) { return 0; }
int32_t two(uint64_t m, int32_t id) { return 0; }
int32_t three(uint64_t m, void *p, uint64_t n) { return 0; }
int32_t four(uint64_t m, void *p, uint64_t n, uint32_t *c) { return 0; }
"""
N = 500_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "nothing.c"), Path(folder, "nothing.so")
        source.write_text(SOURCE)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
        short, long = ctypes.PyDLL(str(library)), ctypes.CDLL(str(library))
    declared = short["three"]
    declared.argtypes = [ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64]
    flag = ctypes.c_uint32()
    scope = {
        "none": short["none"],
        "two": short["two"],
        "bare": short["three"],
        "four": short["four"],
        "freeing": long["three"],
        "declared": declared,
        "h": ctypes.c_uint64(5),
        "p": ctypes.c_void_p(1 << 40),
        "n": ctypes.c_uint64(4008),
        "H": ctypes.c_uint64.from_param(5),
        "P": ctypes.c_void_p.from_param(1 << 40),
        "N": ctypes.c_uint64.from_param(4008),
        "C": ctypes.byref(flag),
        "flag": flag,
    }
    for label, statement in (
        ("no parameters", "none()"),
        ("argtypes, plain ints", "declared(5, 1 << 40, 4008)"),
        ("argtypes, c_uint64(...) kept", "declared(h, p, n)"),
        ("no argtypes, c_uint64(...) kept", "bare(h, p, n)"),
        ("no argtypes, from_param(...) kept", "bare(H, P, N)"),
        ("the same through CDLL (GIL released)", "freeing(H, P, N)"),
        ("fill: four parameters kept, and the flag read", "four(H, P, N, C); flag.value"),
        ("accept: handle kept, token an int", "two(H, 77)"),
    ):
        best = min(timeit.repeat(statement, globals=scope, number=N, repeat=5)) / N
        print(f"{label:48s}{best * 1e9:6.0f} ns")


if __name__ == "__main__":
    main()
