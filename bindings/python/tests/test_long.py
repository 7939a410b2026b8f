"""Long calls: handlers of signals run meanwhile, other threads run, and abandoned work leaks nothing.

Every test that sends signals runs in a process of its own. Times are compared with the time of an uninterrupted call. A
call that has become fast is made larger, and a test that cannot make one long enough says so.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import ROOT, environment

import sluice
from sluice import _abi

PRELUDE = """
import json, os, signal, sys, threading, time
import sluice
from sluice import _abi, _library

vocabulary = sluice.Vocabulary.from_tokens([bytes([b]) for b in range(256)] + [b"<end>"], end_tokens=[256])
# Without a cache each call takes time, and no budget ends a call before it is interrupted.
compiler = sluice.Compiler(vocabulary, cache_bytes=0, compile_budget=1_000_000_000)

def spec(n):
    return json.dumps([f"{i * 7919 % 10000019} and more of it" for i in range(n)])

def timed(call):
    begin = time.monotonic()
    try:
        call()
    except sluice.LimitError:
        pass
    return time.monotonic() - begin

def long_spec(seconds=0.3):
    # A constraint that takes that long to compile when nobody interrupts it.
    n = 50_000
    while True:
        text = spec(n)
        if timed(lambda: compiler.compile("choice", text)) > seconds:
            return text
        if len(text) > 40 << 20:
            print("SKIP nothing takes long enough to compile")
            sys.exit()
        n *= 2

# With its default budget no call takes long enough to be interrupted.
patient = sluice.Compiler(vocabulary, mask_budget=1_000_000_000)
nested = patient.compile_ebnf('root ::= "(" root ")" | "[" root "]" | "x"')

def long_text(seconds=0.3):
    # A text that takes that long to accept, by a grammar whose states all differ.
    n = 20_000
    while True:
        text = b"([" * n
        if timed(lambda: nested.matcher().accept_bytes(text)) > seconds:
            return text
        if n > 1_000_000:
            print("SKIP nothing takes long enough to accept")
            sys.exit()
        n *= 3

def slot(handle):
    # Handles of freed objects give their place to the next one, so a leak shows in the numbers (capi/internal/handle).
    return handle & 0xFFFFFF

sent = 0.0

def send(number, delay):
    def work():
        global sent
        time.sleep(delay)
        sent = time.monotonic()
        os.kill(os.getpid(), number)
    t = threading.Thread(target=work)
    t.start()
    return t

def latency(call, kind, number=signal.SIGINT, tries=5):
    # The shortest of a few times from sending a signal to having its exception: other programs run on this machine.
    best = 9.0
    for _ in range(tries):
        t = send(number, 0.1)
        try:
            call()
            print("SKIP finished before the signal")
            sys.exit()
        except kind:
            best = min(best, time.monotonic() - sent)
        t.join()
    return best
"""


def run(code: str, timeout: float = 120) -> str:
    tokenizer = str(ROOT / "tests" / "data" / "tokenizer.json.gz")
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code, tokenizer],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stderr
    if done.stdout.startswith("SKIP "):
        pytest.skip(done.stdout[5:].strip())
    assert not done.stderr, done.stderr
    return done.stdout


def test_interrupt_while_compiling():
    """Ctrl-C acts at once, and no handle of a grammar or a job is left."""
    out = run("""
text = long_spec()
before = compiler.compile_regex("a")
place = slot(before._handle)
del before
best = latency(lambda: compiler.compile("choice", text), KeyboardInterrupt)
after = compiler.compile_regex("a")
assert slot(after._handle) == place, (slot(after._handle), place)

import ctypes
lib, job, grammar = after._library, ctypes.c_uint64(), ctypes.c_uint64()
start = (compiler._handle, 6, text.encode(), len(text), None, 0, 0)
assert lib.grammar_start(*start, ctypes.byref(grammar), ctypes.byref(job), None) == _abi.UNFINISHED
assert slot(job.value) == 0, "the jobs that were given up are freed"
assert lib.job_free(job) == 0 and lib.job_free(job) == 2
print(after.matcher().accept_bytes("a"), best)
""")
    worked, best = out.split()
    assert worked == "True"
    assert float(best) < 0.1


def test_alarm_while_compiling():
    """The call raises the handler's exception: the usual way to limit a call's time."""
    out = run("""
class Timeout(Exception):
    pass

def handler(*_):
    raise Timeout

signal.signal(signal.SIGALRM, handler)
text = long_spec()
print(latency(lambda: compiler.compile("choice", text), Timeout, signal.SIGALRM))
""")
    assert float(out) < 0.1


def test_handlers_that_do_not_raise():
    """They run while the call is at work, again and again, and it goes on as if nothing were."""
    out = run("""
runs = 0
def handler(*_):
    global runs
    runs += 1
signal.signal(signal.SIGALRM, handler)
text, nesting = long_spec(), long_text()
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
for call in (lambda: compiler.compile("choice", text), lambda: nested.matcher().accept_bytes(nesting)):
    runs = 0
    timed(call)
    print(runs >= 3)
signal.setitimer(signal.ITIMER_REAL, 0)
m = compiler.compile("choice", spec(5)).matcher()
print(m.accept_bytes("7919 and more of it"), m.completed)
""")
    assert out == "True\nTrue\nTrue True\n"


@pytest.mark.parametrize("call", ["m.accept_bytes(text)", "m.accept_tokens(list(text))", "m.validate(list(text))"])
def test_interrupt_matchers(call):
    """Interrupted matchers do not move, and are free."""
    out = run(f"""
text = long_text()
m = nested.matcher()
m.accept_bytes("([")
def go():
    global nested, m
    nested = patient.compile_ebnf('root ::= "(" root ")" | "[" root "]" | "x"')  # whose states nobody has reached
    m = nested.matcher()
    m.accept_bytes("([")
    {call}
print(latency(go, KeyboardInterrupt))
print(m.length, m.validate(list(b"x])")))
""")
    best, rest = out.split("\n", 1)
    assert float(best) < 0.1
    assert rest == "1 3\n"


BATCH = """
vocabulary = sluice.Vocabulary.from_file(sys.argv[1])

def matchers(n):
    # Each in the middle of a pattern of its own, by a compiler that has found nothing yet.
    compiler, out = sluice.Compiler(vocabulary), []
    for i in range(n):
        m = compiler.compile_regex(f"([a-z{chr(0xE0 + i % 20)}]{{1,{i + 2}}}[0-9]{{{i % 7}}}(foo{i}|bar ))*").matcher()
        m.accept_bytes("a")
        out.append(m)
    return out

n = 100
while True:
    ms, rows = matchers(n), sluice.allocate_bitmask(n, vocabulary)
    if timed(lambda: sluice.fill_batch(ms, rows, threads=1)) > 0.2:
        break
    n *= 2
    if n > 10_000:
        print("SKIP nothing takes long enough to fill")
        sys.exit()
whole, rows = bytes(rows), sluice.allocate_bitmask(n, vocabulary)
"""


def test_interrupt_batch():
    """Rows that were found stay found; the matchers are free."""
    out = run(
        BATCH
        + """
ms = matchers(n)
best = latency(lambda: sluice.fill_batch(ms, rows, threads=1), KeyboardInterrupt, tries=1)
assert all(sluice.fill_batch(ms, rows)) and bytes(rows) == whole
print(best)
"""
    )
    assert float(out) < 0.5


def test_batch_in_slices():
    """Slices return the result of one call, errors and keys included."""
    run(
        BATCH
        + """
from sluice import _abi_cuda

def keys_of(ms, threads):
    return [(k.low, k.high) for k in sluice.Batch(ms, threads=threads)._keys(_abi_cuda.MaskKey)]

_library._abi.SLICE = 1000
_library.patience.__defaults__ = (1000,)
ms = matchers(n)
assert all(sluice.fill_batch(ms, rows, threads=2)) and bytes(rows) == whole
ms = matchers(n)
keys = keys_of(ms, 2)
assert len(set(keys)) > n // 2 and (0, 0) not in keys
assert keys == keys_of(ms, 0)
ms = matchers(n)
try:
    sluice.fill_batch([*ms, ms[3]], sluice.allocate_bitmask(n + 1, vocabulary))
    print("no error")
except sluice.BusyError as e:
    assert e.statuses == (0,) * n + (3,), e.statuses
"""
    )


def test_fork_while_a_job_runs():
    """The child's compilation raises ForkedError at once, the parent's goes on; the child compiles anew."""
    out = run("""
child = None
def handler(*_):
    global child
    child = os.fork()
signal.signal(signal.SIGALRM, handler)
text = long_spec()
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    compiler.compile("choice", text)
except sluice.LimitError:
    pass
except sluice.ForkedError:
    assert child == 0
    ok = compiler.compile_regex("ab").matcher().accept_bytes("ab")
    os._exit(0 if ok else 1)
assert child, "the signal came too late"
_, status = os.waitpid(child, 0)
print(status, compiler.compile_regex("ab").matcher().accept_bytes("ab"))
""")
    assert out == "0 True\n"


def test_other_threads_run_meanwhile():
    """A thread beside a long call always continues soon. While a call holds the GIL, it waits as long as the call."""
    out = run("""
text, done, longest = long_text(), False, 0.0
def count():
    global longest
    last = time.monotonic()
    while not done:
        now = time.monotonic()
        longest = max(longest, now - last)
        last = now
        time.sleep(0)
best = 9.0
for _ in range(3):
    fresh = compiler.compile_ebnf('root ::= "(" root ")" | "[" root "]" | "x"').matcher()
    done, longest = False, 0.0
    t = threading.Thread(target=count)
    t.start()
    took = timed(lambda: fresh.accept_bytes(text))
    done = True
    t.join()
    best = min(best, longest)
print(best, took)
""")
    longest, took = map(float, out.split())
    assert longest < took / 4


def test_new_work_is_not_done_with_the_gil(vocabulary):
    """The hot calls return cached results; calls that release the GIL compute new masks and transitions."""
    g = sluice.Compiler(vocabulary, warm_bytes=0).compile_regex("[ab]{3}(cd|ce)f")
    m, row = g.matcher(), bytearray(4 * vocabulary.words)
    m.fill(row)
    arguments = m._aim(row, None)
    assert m._library.fill(*arguments) == 0
    assert m._library.accept_token(m._argument, ord("a")) == _abi.UNFINISHED
    assert m.length == 0
    assert m.accept(ord("a"))
    assert m._library.fill(*arguments) == _abi.UNFINISHED
    m.fill(row)
    assert m._library.fill(*arguments) == 0
    twin = g.matcher()
    assert twin._library.accept_token(twin._argument, ord("a")) == 0, "what one matcher found another one finds"


def test_errors_of_repeated_calls(vocabulary):
    """A call that fails at once is made again, so that it can say why."""
    tokens = [b"a", b"b", b"<end>"]
    v = sluice.Vocabulary.from_tokens(tokens, end_tokens=[2], special=[2])
    m = sluice.Compiler(v).compile_regex("ac|b").matcher()
    assert m.accept(0)
    row = bytearray(b"\xef\xbe\xad\xde")
    for _ in range(2):
        with pytest.raises(sluice.UnsatisfiableError, match="no token of the vocabulary"):
            m.fill(row)
        with pytest.raises(sluice.UnsatisfiableError):
            sluice.fill_batch([m], row)
        assert row == b"\xef\xbe\xad\xde", "a failed row is untouched"
    assert not m.accept(1)
    assert m.accept_tokens([1]) == 0
