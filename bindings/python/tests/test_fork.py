"""fork(): a child uses its own copy of the library, or hears clearly that it cannot. It never hangs.

Every test runs in a process of its own under a time limit, because it looks for hangs.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import environment

TIMEOUT = 60

PRELUDE = """
import os, sys, threading, gc
import sluice

def words():
    return sluice.Vocabulary.from_tokens([b"a", b"b", b"c", b"<end>"], special=[3], end_tokens=[3])

def allowed(matcher):
    row = bytearray(4)
    matcher.fill(row)
    return int.from_bytes(row, "little")

def child(work):
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            work()
            sys.stdout.flush()
            status = 0
        except BaseException:
            import traceback
            traceback.print_exc()
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    if status:
        sys.exit(f"child failed: {status}")
"""


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code], env=environment(), capture_output=True, text=True, timeout=TIMEOUT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_library_loaded_after_fork():
    out = run("""
def work():
    g = sluice.Compiler(words()).compile_regex("a[bc]")
    print(allowed(g.matcher()))
child(work)
work()
""")
    assert out == "1\n1\n"


def test_grammars_compile_again_in_the_child():
    out = run("""
vocabulary = words()
compiler = sluice.Compiler(vocabulary)
grammar = compiler.compile_regex("[ab]c")
print(allowed(grammar.matcher()))
def work():
    print(allowed(grammar.matcher()), vocabulary.token_bytes(2), len(grammar.notes))
    print(allowed(compiler.compile_regex("c").matcher()))
child(work)
print(allowed(grammar.matcher()))
""")
    assert out == "3\n3 b'c' 0\n4\n3\n"


def test_matchers_of_the_parent_refuse():
    out = run("""
grammar = sluice.Compiler(words()).compile_regex("[ab]c")
matcher = grammar.matcher()
row = bytearray(4)
matcher.fill(row)
def work():
    for call in (lambda: matcher.fill(row), lambda: matcher.fill(bytearray(4)), lambda: matcher.accept(0),
                 lambda: matcher.accept_tokens([0]), lambda: matcher.completed, lambda: matcher.fork(),
                 lambda: matcher.rollback(0), lambda: sluice.fill_batch([matcher], row)):
        try:
            call()
            print("not refused")
        except sluice.ForkedError as e:
            assert "fork()" in str(e) and e.code == 12
    print("refused")
child(work)
print(matcher.accept(0))
""")
    assert out == "refused\nTrue\n"


def test_finalizers_in_the_child():
    out = run("""
things = []
vocabulary = words()
compiler = sluice.Compiler(vocabulary)
for i in range(50):
    g = compiler.compile_regex("a" * (i + 1))
    things.append((g, g.matcher()))
def work():
    global things, compiler, vocabulary, g
    del things, compiler, vocabulary, g
    gc.collect()
    print("quiet")
child(work)
""")
    assert out == "quiet\n"


def test_grandchildren():
    out = run("""
grammar = sluice.Compiler(words()).compile_regex("[ab]c")
grammar.matcher()
def work():
    print(allowed(grammar.matcher()))
    child(lambda: (print(allowed(grammar.matcher())), child(lambda: print(allowed(grammar.matcher())))))
    print(allowed(grammar.matcher()))
child(work)
""")
    assert out == "3\n3\n3\n3\n"


def test_child_with_threads_and_garbage():
    """The limits of Go's runtime in a forked child: it cannot start goroutines, collect garbage or serve new
    threads."""
    out = run("""
grammar = sluice.Compiler(words()).compile_regex("[ab]*c")
grammar.matcher()
def work():
    def use():
        for i in range(200):
            g = compiler.compile_regex("[ab]{%d}c" % (i % 40))
            m = g.matcher()
            m.accept_tokens([0, 1])
            allowed(m)
    compiler = sluice.Compiler(words())
    threads = [threading.Thread(target=use) for _ in range(6)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    print("done")
for _ in range(3):
    child(work)
""")
    assert out == "done\n" * 3


def test_fork_while_another_thread_compiles():
    out = run("""
compiler = sluice.Compiler(words())
stop = False
def busy():
    i = 0
    while not stop:
        i += 1
        compiler.compile_regex("[ab]{%d}c" % (i % 100)).matcher()
t = threading.Thread(target=busy)
t.start()
for _ in range(5):
    child(lambda: print(allowed(sluice.Compiler(words()).compile_regex("a").matcher())))
stop = True
t.join()
""")
    assert out == "1\n" * 5


POOL = """
import multiprocessing as mp
import sys

import sluice

def work(n):
    v = sluice.Vocabulary.from_tokens([b"a", b"b", b"<end>"], special=[2], end_tokens=[2])
    m = sluice.Compiler(v).compile_regex("ab").matcher()
    return n, m.accept_tokens([0, 1])

if __name__ == "__main__":
    sluice.version()
    with mp.get_context(sys.argv[1]).Pool(2) as pool:
        print(pool.map(work, range(3)))
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method, tmp_path):
    script = tmp_path / "program.py"
    script.write_text(POOL)
    done = subprocess.run(
        [sys.executable, str(script), method], env=environment(), capture_output=True, text=True, timeout=TIMEOUT
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[(0, 2), (1, 2), (2, 2)]"


def test_another_file_is_refused_for_good(tmp_path):
    out = run(f"""
import base64
path = {str(tmp_path / "ranks.tiktoken")!r}

def write(tokens):
    with open(path, "w") as f:
        f.writelines(f"{{base64.b64encode(t.encode()).decode()}} {{i}}\\n" for i, t in enumerate(tokens))

write(["a", "b", "c", "d"])
vocabulary = sluice.Vocabulary.from_file(path, end_tokens=[3])
grammar = sluice.Compiler(vocabulary).compile_regex("ab")
write(["b", "a", "c", "d"])

def work():
    for _ in range(3):
        try:
            grammar.matcher()
            print("served")
        except sluice.ForkedError as e:
            assert "has changed" in str(e)
            print("refused")

child(work)
write(["a", "b", "c", "d"])
child(lambda: print(grammar.matcher().accept(0)))
""")
    assert out.split() == ["refused"] * 3 + ["True"]


def test_fork_while_the_library_is_loaded():
    """A child of a process in which another thread is loading the library loads a copy of its own."""
    out = run("""
from sluice import _library
slow, loading = _library.Library.__init__, threading.Event()

def load(self, path):
    slow(self, path)
    if not loading.is_set():
        loading.set()
        forked.wait()

_library.Library.__init__, forked = load, threading.Event()
thread = threading.Thread(target=words)
thread.start()
loading.wait()
child(lambda: print(allowed(sluice.Compiler(words()).compile_regex("a[bc]").matcher())))
forked.set()
thread.join()
""")
    assert out.split() == ["1"]
