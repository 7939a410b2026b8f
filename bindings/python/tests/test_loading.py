"""When and how the library is loaded: never by import, without numpy and torch, with a clear error if it is gone."""

from __future__ import annotations

import subprocess
import sys

from conftest import environment

TIMEOUT = 60


def python(code: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(**env), capture_output=True, text=True, timeout=TIMEOUT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_import_loads_nothing():
    code = """
import sys, sluice
maps = open("/proc/self/maps").read()
print(sluice.loaded(), "libsluice" in maps, "numpy" in sys.modules, "torch" in sys.modules)
sluice.version()
print(sluice.loaded(), "libsluice" in open("/proc/self/maps").read())
"""
    assert python(code) == "False False False False\nTrue True"


def test_without_numpy_and_torch():
    code = """
import sys
sys.modules["numpy"] = sys.modules["torch"] = None  # importing them raises
import sluice
v = sluice.Vocabulary.from_tokens([b"a", b"b", b"<end>"], special=[2], end_tokens=[2])
g = sluice.Compiler(v).compile_regex("ab")
m = g.matcher()
masks = sluice.allocate_bitmask(2, v)
m.fill(masks, 1)
print(type(masks).__name__, masks.tolist(), sluice.fill_batch([m], masks, [0]), masks.tolist())
"""
    assert python(code) == "memoryview [[-1], [1]] [True] [[1], [1]]"


def test_no_library():
    code = """
import sluice
try:
    sluice.version()
except ImportError as e:
    print(type(e).__name__, "SLUICE_LIBRARY" in str(e), "/nowhere/libsluice.so" in str(e))
"""
    assert python(code, SLUICE_LIBRARY="/nowhere/libsluice.so") == "LibraryError True True"


def test_not_a_library(tmp_path):
    wrong = tmp_path / "libsluice.so"
    wrong.write_text("this is no library")
    code = """
import sluice
try:
    sluice.version()
except sluice.LibraryError as e:
    print("cannot be loaded" in str(e))
"""
    assert python(code, SLUICE_LIBRARY=str(wrong)) == "True"


def test_many_threads_load_one_copy():
    code = """
import threading, sluice
from sluice import _library
seen = []
gate = threading.Barrier(8)
def use():
    gate.wait()
    seen.append(id(_library.library()))
threads = [threading.Thread(target=use) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
print(len(seen), len(set(seen)))
"""
    assert python(code) == "8 1"
