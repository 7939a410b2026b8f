#!/usr/bin/env python3
"""Compiles apply.cu to apply.ptx with NVRTC, and checks that the committed file is its output.

    ptx.py            writes apply.ptx
    ptx.py --check    compares instead; exit status 1 and a diff if they differ
    ptx.py --ptxas    assembles apply.ptx for every architecture below, and shows registers and spills

No GPU and no CUDA toolkit is needed: NVRTC and ptxas are packages (requirements.txt), which `make ptx` installs under
build/. NVRTC is called through ctypes. Its version decides the version of PTX, and with it the oldest driver that can
load the kernels.
"""

from __future__ import annotations

import argparse
import ctypes
import difflib
import importlib.util
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PTX = HERE / "apply.ptx"
HEADERS = ("apply.cuh", "params.h")

# The oldest architecture with independent threads of a warp, which the kernels use; newer ones are compiled from it.
TARGET = "compute_70"
PTX_VERSION = ".version 8.0"

# Architectures that today's ptxas knows and that are in use, oldest first.
ARCHITECTURES = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")

OPTIONS = (f"--gpu-architecture={TARGET}", "--std=c++17", "-default-device")

NOTE = "// Made of apply.cu by `make ptx`: change that, and not this.\n"


def packaged(*parts: str) -> Path:
    """Returns a file of one of NVIDIA's packages, wherever they are installed."""
    spec = importlib.util.find_spec("nvidia")
    for root in (spec.submodule_search_locations or []) if spec else []:
        for found in Path(root).glob("/".join(parts)):
            return found
    raise SystemExit(f"ptx.py: {'/'.join(parts)} is in no package: pip install -r cuda/requirements.txt")


def compiled() -> str:
    """Returns the PTX of apply.cu as NVRTC makes it."""
    nvrtc = ctypes.CDLL(str(packaged("cuda_nvrtc", "lib", "libnvrtc.so.12")))
    program = ctypes.c_void_p()
    names = (ctypes.c_char_p * len(HEADERS))(*(h.encode() for h in HEADERS))
    texts = (ctypes.c_char_p * len(HEADERS))(*((HERE / h).read_bytes() for h in HEADERS))
    source = (HERE / "apply.cu").read_bytes()
    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"apply.cu", len(HEADERS), texts, names):
        raise SystemExit("ptx.py: NVRTC makes no program")
    options = (ctypes.c_char_p * len(OPTIONS))(*(o.encode() for o in OPTIONS))
    status = nvrtc.nvrtcCompileProgram(program, len(OPTIONS), options)

    def text(of: str) -> str:
        size = ctypes.c_size_t()
        getattr(nvrtc, f"nvrtcGet{of}Size")(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, f"nvrtcGet{of}")(program, buffer)
        return buffer.value.decode()

    if status or text("ProgramLog").strip():
        raise SystemExit(f"ptx.py: NVRTC says ({status}):\n{text('ProgramLog')}")
    return text("PTX")


def cleaned(ptx: str) -> str:
    """Returns PTX without what NVRTC puts into every module: its own constants, which nothing here reads, and marks."""
    marks = ("// begin inline asm", "// end inline asm")
    lines = [
        line.rstrip()
        for line in ptx.splitlines()
        if not re.match(r"\.global .*nv6target", line) and line.strip() not in marks
    ]
    if PTX_VERSION not in lines:
        raise SystemExit(f"ptx.py: the PTX does not say {PTX_VERSION!r}: drivers that load it today would refuse")
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return NOTE + text + "\n"


def assemble() -> None:
    """Runs ptxas for every architecture; a spill is an error, since none of the kernels has reason to."""
    ptxas = packaged("cu13", "bin", "ptxas")
    for architecture in ARCHITECTURES:
        with tempfile.TemporaryDirectory() as scratch:
            command = [str(ptxas), "-v", f"-arch={architecture}", str(PTX), "-o", f"{scratch}/out.cubin"]
            done = subprocess.run(command, capture_output=True, text=True)
        said = done.stdout + done.stderr
        if done.returncode:
            raise SystemExit(f"ptx.py: ptxas for {architecture}:\n{said}")
        registers = re.findall(r"Used (\d+) registers", said)
        spills = [n for n in re.findall(r"(\d+) bytes spill", said) if n != "0"]
        if spills:
            raise SystemExit(f"ptx.py: kernels spill registers on {architecture}:\n{said}")
        print(f"{architecture}: {len(registers)} kernels, {' '.join(registers)} registers, no spills")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the committed file")
    parser.add_argument("--ptxas", action="store_true", help="assemble the committed file")
    arguments = parser.parse_args()
    if not arguments.ptxas or arguments.check:
        made = cleaned(compiled())
        if not arguments.check:
            PTX.write_text(made)
            print(f"wrote {PTX.name}: {len(made)} bytes")
        elif made != PTX.read_text():
            old, new = PTX.read_text().splitlines(True), made.splitlines(True)
            diff = difflib.unified_diff(old, new, "committed", "made", n=1)
            sys.stdout.writelines(list(diff)[:40])
            raise SystemExit("ptx.py: apply.ptx is not what apply.cu compiles to: run `make ptx` and commit it")
        else:
            print(f"{PTX.name} is what apply.cu compiles to")
    if arguments.ptxas:
        assemble()


if __name__ == "__main__":
    main()
