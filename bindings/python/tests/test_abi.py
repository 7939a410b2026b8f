"""The ctypes mirror of include/sluice.h against the header itself, as the C compiler reads it."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

from sluice import _abi, _abi_cuda, _library

HEADER = ROOT / "include" / "sluice.h"
HEADERS = (HEADER, *sorted((ROOT / "include" / "sluice").glob("*.h")))  # its parts
STRUCTS = {
    "sluice_error": _abi.Error,
    "sluice_vocabulary_config": _abi.VocabularyConfig,
    "sluice_vocabulary_options": _abi.VocabularyOptions,
    "sluice_vocabulary_facts": _abi.VocabularyFacts,
    "sluice_grammar_facts": _abi.GrammarFacts,
    "sluice_note": _abi.Note,
    "sluice_cache_facts": _abi.CacheFacts,
    "sluice_compiler_stats": _abi.CompilerStats,
    "sluice_histogram": _abi.Histogram,
    "sluice_matcher_options": _abi.MatcherOptions,
    "sluice_reasoning": _abi.Reasoning,
    "sluice_batch": _abi.Batch,
    "sluice_trees": _abi.Trees,
    "sluice_stop": _abi.Stop,
    "sluice_apply_args": _abi.ApplyArgs,
    "sluice_sparse_args": _abi.SparseArgs,
    "sluice_mask_key": _abi_cuda.MaskKey,
    "sluice_cuda_pool_options": _abi_cuda.PoolOptions,
    "sluice_cuda_put": _abi_cuda.Put,
    "sluice_cuda_pool_use": _abi_cuda.PoolUse,
    "sluice_cuda_pool_facts": _abi_cuda.PoolFacts,
    "sluice_device_facts": _abi_cuda.DeviceFacts,
    "sluice_devices_facts": _abi_cuda.DevicesFacts,
}
CONSTANTS = {f"SLUICE_KIND_{k.upper()}": v for k, v in _abi.KINDS.items() if k != "json"}
CONSTANTS |= {
    "SLUICE_KIND_ANY_JSON": _abi.KINDS["json"],
    "SLUICE_ABI_VERSION": _abi.ABI_VERSION,
    "SLUICE_E_REJECTED": _abi.REJECTED,
    "SLUICE_CONCAT": _abi.CONCAT,
    "SLUICE_UNION": _abi.UNION,
    "SLUICE_TOKEN_SPECIAL": _abi.TOKEN_SPECIAL,
    "SLUICE_TOKEN_ADDED": _abi.TOKEN_ADDED,
    "SLUICE_TOKEN_END": _abi.TOKEN_END,
    "SLUICE_STATE_COMPLETED": _abi.STATE_COMPLETED,
    "SLUICE_STATE_TERMINATED": _abi.STATE_TERMINATED,
    "SLUICE_STATE_STOPPED": _abi.STATE_STOPPED,
    "SLUICE_NO_STOP": _abi.NO_STOP,
    "SLUICE_REJECT_AFTER_END": _abi.REJECT_AFTER_END,
    "SLUICE_ALL_ALLOWED_AFTER_END": _abi.ALL_ALLOWED_AFTER_END,
    "SLUICE_REASONING_LIMITED": _abi.REASONING_LIMITED,
    "SLUICE_BATCH_SKIP_ZERO": _abi.BATCH_SKIP_ZERO,
    "SLUICE_FILTER_ALLOW": _abi.FILTER_ALLOW,
    "SLUICE_FILTER_RESET": _abi.FILTER_RESET,
    "SLUICE_BATCH_GO_ON": _abi.BATCH_GO_ON,
    "SLUICE_FORMAT_SENTENCEPIECE": _abi.FORMATS["sentencepiece"],
    "SLUICE_FORMAT_TEKKEN": _abi.FORMATS["tekken"],
    "SLUICE_APPLY_KEEP_BEYOND": _abi.APPLY_KEEP_BEYOND,
    "SLUICE_APPLY_MAP_OFFSETS": _abi.APPLY_MAP_OFFSETS,
    "SLUICE_E_UNAVAILABLE": _abi.UNAVAILABLE,
    "SLUICE_UNKNOWN": _abi_cuda.UNKNOWN,
}
CONSTANTS |= {f"SLUICE_CPU_{level.upper()}": number for level, number in _abi.CPU_LEVELS.items()}
CONSTANTS |= {
    f"SLUICE_DTYPE_{short}": _abi.DTYPES[name]
    for short, name in (("F32", "float32"), ("F16", "float16"), ("BF16", "bfloat16"))
}


def declarations() -> str:
    """Returns the text of all headers without comments."""
    return re.sub(r"/\*.*?\*/", "", "".join(h.read_text() for h in HEADERS), flags=re.S)


def test_layout_and_constants(tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler on this machine: the header's layout cannot be read")
    lines = [f'printf("{s} %zu\\n", sizeof({s}));' for s in STRUCTS]
    lines += [f'printf("{s}.{f} %zu\\n", offsetof({s}, {f}));' for s, cls in STRUCTS.items() for f, _ in cls._fields_]
    lines += [f'printf("{c} %zu\\n", (size_t){c});' for c in CONSTANTS]
    body = "\n".join(lines)
    source = tmp_path / "layout.c"
    source.write_text(f'#include <stddef.h>\n#include <stdio.h>\n#include "sluice.h"\nint main(void) {{\n{body}\n}}\n')
    program = tmp_path / "layout"
    subprocess.run([compiler, "-I", str(HEADER.parent), str(source), "-o", str(program)], check=True)
    printed = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    seen = dict(line.rsplit(" ", 1) for line in printed.splitlines())
    ours = {s: ctypes.sizeof(cls) for s, cls in STRUCTS.items()}
    ours |= {f"{s}.{f}": getattr(cls, f).offset for s, cls in STRUCTS.items() for f, _ in cls._fields_}
    ours |= CONSTANTS
    assert ours == {k: int(v) for k, v in seen.items()}


def test_members_are_all_of_the_header():
    """offsetof above would not notice a member that the mirror lacks at the end of a struct with padding."""
    text = declarations()
    for name, cls in STRUCTS.items():
        body = re.search(rf"typedef struct {name} \{{(.*?)\}} {name};", text, re.S).group(1)
        members = re.findall(r"(\w+)(?:\[\w+\])?;", body)
        assert members == [f for f, _ in cls._fields_], name


def test_packed_arguments_are_the_struct():
    """pack_apply writes the members of an ApplyArgs."""
    numbers = [n + 1 for n in range(len(_abi.ApplyArgs._fields_))]
    struct = _abi.ApplyArgs.from_buffer_copy(_abi.pack_apply(*numbers))
    assert [getattr(struct, name) for name, _ in _abi.ApplyArgs._fields_] == numbers
    assert len(_abi.pack_apply(*numbers)) == ctypes.sizeof(_abi.ApplyArgs)


def test_status_codes():
    from sluice._errors import CLASSES

    found = {name.lower(): int(n) for name, n in re.findall(r"SLUICE_E_(\w+) = (\d+)", HEADER.read_text())}
    assert found == {cls.name: code for code, cls in CLASSES.items()}


def test_every_function_is_bound():
    bound = {s for s, _ in (*_library.LONG.values(), *_library.SHORT.values())}
    bound |= {*_abi.BARE.values(), *_abi.BARE_LONG.values(), *_library.FREE.values()}
    bound |= {"sluice_version", "sluice_abi_version"}
    text = declarations()
    declared = set(re.findall(r"\b(sluice_\w+)\(", text))
    bound |= {f.replace("_try_", "_") for f in bound}  # the same call with all patience
    bound.add("sluice_matcher_explain")  # the sentence of sluice_matcher_explanation
    bound.add("sluice_grammar_compile")  # sluice_grammar_start with all patience
    assert declared - bound == {"sluice_status_name"}, "functions of the header that Python cannot reach"
    assert bound <= declared
