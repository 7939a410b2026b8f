"""Jobs as futures, and the cache of grammars."""

from __future__ import annotations

import asyncio
import concurrent.futures
import gc
import os
import signal
import threading

import pytest
from test_long import run

import sluice
from sluice import _jobs


@pytest.fixture
def fresh(vocabulary):
    """A compiler that has compiled nothing."""
    return sluice.Compiler(vocabulary)


def long_choice(n: int = 30_000) -> str:
    return "[" + ",".join(f'"{i * 7919 % 10000019} and more of it"' for i in range(n)) + "]"


def test_submit(fresh):
    futures = [fresh.submit("regex", f"a{{{i % 7 + 1}}}") for i in range(40)]
    assert len(concurrent.futures.wait(futures, timeout=60).done) == 40
    for i, future in enumerate(futures):
        assert future.done() and not future.running() and not future.cancelled() and not future.cancel()
        m = future.result().matcher()
        assert m.accept_bytes("a" * (i % 7 + 1)) and m.completed
    assert fresh.cache.misses == 7
    grammar = futures[0].result()
    assert (grammar.kind, grammar.spec, grammar.notes) == ("regex", "a{1}", ())
    assert isinstance(futures[0], concurrent.futures.Future)


def test_failures(fresh):
    for _ in range(2):  # compiled, and kept
        with pytest.raises(sluice.UnsatisfiableError):
            fresh.submit("json_schema", False).result(60)
    assert isinstance(fresh.submit("regex", "(").exception(60), sluice.SyntaxError_)
    with pytest.raises(sluice.ArgumentError):
        fresh.submit("regex", "a", compact=True).result(60)
    with pytest.raises(TypeError):
        fresh.submit("regex", None)
    with pytest.raises(ValueError):
        fresh.submit("no such kind", "a")


def test_callbacks_and_loops(fresh):
    called = threading.Event()
    fresh.submit("choice", long_choice(3000)).add_done_callback(lambda f: called.set() if f.result() else None)
    gc.collect()  # nobody but the package holds the future
    assert called.wait(60)

    async def both():
        return await asyncio.gather(
            *(asyncio.wrap_future(fresh.submit("regex", pattern)) for pattern in ("a+x", "b+x"))
        )

    assert [g.spec for g in asyncio.run(both())] == ["a+x", "b+x"]


def test_timeout_and_cancel(fresh):
    text = long_choice(1_000_000)
    seen = []
    future = fresh.submit("choice", text)
    future.add_done_callback(seen.append)
    with pytest.raises(concurrent.futures.TimeoutError):
        future.result(timeout=0.001)
    assert future.running() and not future.done()
    assert future.cancel() and future.cancel() and future.cancelled() and seen == [future]
    with pytest.raises(concurrent.futures.CancelledError):
        future.result()
    assert concurrent.futures.wait([future], timeout=0).done == {future}
    assert fresh.cache.entries == 0
    assert fresh.compile("regex", "a").matcher().accept_bytes("a")


def test_one_thread_serves_all(fresh):
    futures = [fresh.submit("choice", long_choice(2000 + i)) for i in range(30)]
    names = [t.name for t in threading.enumerate() if t.name.startswith("sluice")]
    assert names == ["sluice-jobs"]
    for future in futures[::2]:
        future.cancel()
    for future in futures[1::2]:
        assert future.result(60).matcher()


def test_cancelled_jobs_leave_nothing():
    out = run("""
from sluice import _jobs
text = long_spec()
fresh = sluice.Compiler(vocabulary)
def give_up(n):
    for i in range(n):
        future = fresh.submit("choice", text)
        assert slot(future._job) == 0, "the job before is freed"
        assert future.cancel()
        del future
give_up(2)  # makes the pipes of the package and of Go's runtime
fresh.submit("regex", "b").result()
time.sleep(0.3)
def pipes():  # Go's runtime opens other descriptors once
    count = 0
    for name in os.listdir("/proc/self/fd"):
        try:
            count += os.readlink("/proc/self/fd/" + name).startswith("pipe:")
        except OSError:
            pass  # the listing's own
    return count
time.sleep(0.1)  # the thread drops the last one
place = slot(fresh.submit("regex", "a").result()._handle)
time.sleep(0.1)
before = place, pipes()
give_up(20)
assert not _jobs._state.going
for _ in range(1000):  # the library closes its descriptors when the compilations have stopped
    after = slot(fresh.submit("regex", "ab").result()._handle), pipes()
    if after == before:
        break
    time.sleep(0.01)
assert after == before, (before, after)
print(fresh.cache.entries)
""")
    assert out == "3\n"


def test_failing_callbacks_end_no_thread(fresh, caplog):
    """A callback that ends its thread would leave all later futures waiting. The log has each exception."""
    for number, fault in enumerate((SystemExit, KeyboardInterrupt, ValueError)):

        def fail(_, fault=fault):
            raise fault

        future = fresh.submit("choice", long_choice(200_010 + number))
        future.add_done_callback(fail)
        future.result(60)
    assert fresh.submit("choice", long_choice(200_001)).result(60) is not None
    assert [r.name for r in caplog.records if r.levelname == "ERROR"] == ["sluice", "sluice", "concurrent.futures"]


def test_fork_with_jobs(fresh):
    going = fresh.submit("choice", long_choice(1_000_000))
    child = os.fork()
    if child == 0:
        try:
            ok = isinstance(going.exception(0), sluice.ForkedError)
            ok = ok and fresh.submit("regex", "ab").result(60).matcher().accept_bytes("ab")
        finally:
            os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert going.cancel() and going.cancelled()


def test_fork_runs_no_callbacks_of_the_parent(fresh):
    going, lock, told = fresh.submit("choice", long_choice(200_000)), threading.Lock(), []

    def callback(future):
        with lock:
            told.append(future)

    going.add_done_callback(callback)
    waits = threading.Thread(target=concurrent.futures.wait, args=([going],))
    waits.start()
    with lock:  # as another thread of the parent may hold it
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            ok = isinstance(going.exception(0), sluice.ForkedError) and not told
            ok = ok and concurrent.futures.wait([going], 0).done == {going}
            os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert going.cancel() and told == [going]
    waits.join(60)


def test_fork_while_a_future_is_ended(fresh, monkeypatch):
    """The parent alone ends the future: the child must not wait for that."""
    reached, go_on = threading.Event(), threading.Event()
    over = _jobs.GrammarFuture._over

    def slow(future):
        reached.set()
        go_on.wait(60)
        over(future)

    monkeypatch.setattr(_jobs.GrammarFuture, "_over", slow)
    going = fresh.submit("choice", long_choice(20_000))
    assert reached.wait(60)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(0 if isinstance(going.exception(10), sluice.ForkedError) else 1)
    go_on.set()
    assert os.waitpid(child, 0)[1] == 0
    assert going.result(60).kind == "choice"


def test_other_threads_run_while_jobs_do(fresh):
    """A thread that waits for a job holds no interpreter lock: here another thread ends the wait."""
    future = fresh.submit("choice", long_choice(1_000_000))
    threading.Timer(0.01, future.cancel).start()
    with pytest.raises(concurrent.futures.CancelledError):
        future.result(60)


@pytest.mark.parametrize(("text", "document", "held"), [(10, 10, 2), (70_000, 10, 0), (10, 3_000, 0)])
def test_long_texts_and_options_hold_no_interpreter_lock(fresh, monkeypatch, text, document, held):
    spec = {"const": "a" * text}
    options = {"documents": {"http://a": {"const": "b" * document}}}
    lib, calls = fresh._library, []
    for name in ("grammar_find", "grammar_begin"):
        call = getattr(lib, name)
        monkeypatch.setattr(lib, name, lambda *a, call=call: calls.append(call) or call(*a))
    fresh.compile("json_schema", spec, **options)
    fresh.submit("json_schema", spec, **options).result(60)
    assert len(calls) == held


def test_cache(vocabulary):
    compiler = sluice.Compiler(vocabulary, cache_bytes=1 << 20, warm_bytes=0)  # or grammars grow meanwhile
    one = compiler.compile("regex", "a+")
    two = compiler.compile("regex", "a+")
    assert one is not two and compiler.cache[:4] == (1, 1, 0, 0)
    assert compiler.cache.entries == 1 and 0 < compiler.cache.bytes <= compiler.cache.limit == 1 << 20
    compiler.compile("json_object", indent=2)
    compiler.compile("json_object")
    assert compiler.cache.misses == 3, "options are part of what is asked"
    once = [compiler.compile("regex", f"[a-z]{{{i}}}x{i}") for i in range(1, 200)]
    assert compiler.cache.evictions == 0 and compiler.cache.bytes <= 1 << 20
    assert compiler.cache.entries < len(once), "the cache is full of those that came first"
    held = [compiler.compile("regex", f"[a-z]{{{i}}}x{i}") for i in range(200, 400) for _ in range(2)]
    assert compiler.cache.evictions > 0 and compiler.cache.bytes <= 1 << 20
    assert all(g.matcher().accept_bytes("a") for g in once + held), "those that were dropped serve on"
    compiler.clear_cache()
    assert compiler.cache.entries == 0 and compiler.cache.bytes == 0
    assert one.matcher().accept_bytes("aa")
    off = sluice.Compiler(vocabulary, cache_bytes=0)
    off.compile("regex", "a+")
    assert off.cache[:-1] == (0, 0, 0, 0, 0, 0, 0) and 0 < off.cache.token_set_bytes <= 64 << 20
    with pytest.raises(sluice.ArgumentError, match="cache_bytes"):
        sluice.Compiler(vocabulary, cache_bytes=-1)


def test_equal_constraints_are_compiled_once(fresh):
    text = long_choice(20_000)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        grammars = list(pool.map(lambda _: fresh.compile("choice", text), range(8)))
    assert fresh.cache.misses == 1 and fresh.cache.hits + fresh.cache.joined == 7
    assert len({g.stats.compile_ns for g in grammars}) == 1
