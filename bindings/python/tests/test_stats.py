"""The work of a compiler: stats, the text for Prometheus and the collector."""

import dataclasses
import json
import threading

import pytest
from conftest import ROOT
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_tools import protoc
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

import sluice
import sluice.prometheus

VOCABULARY = sluice.Vocabulary.from_tokens([*map(bytes, zip(range(256))), b"</s>"], special=[256], end_tokens=[256])


@pytest.fixture
def compiler():
    return sluice.Compiler(VOCABULARY, warm_bytes=0)


@pytest.fixture
def masks():
    return sluice.allocate_bitmask(1, VOCABULARY)


def samples(text):
    """The samples of a text by name and labels, as the parser of prometheus_client reads them."""
    found = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation and family.type in ("counter", "gauge", "histogram"), family
        for s in family.samples:
            assert (s.name, *s.labels.values()) not in found
            found[(s.name, *s.labels.values())] = s.value
    return found


def test_a_sequence(compiler, masks):
    for _ in range(2):
        grammar = compiler.compile_regex("(abc|[0-9]{3})x")
    with pytest.raises(sluice.SyntaxError_):
        compiler.compile_regex("(a")
    matcher, made = grammar.matcher(), compiler.stats().masks_made.count
    for token in b"a":
        for _ in range(2):
            matcher.fill(masks)
        assert matcher.accept(token)
    matcher.fill(masks)
    assert not matcher.accept(ord("z"))
    assert not matcher.accept_bytes("z")
    assert matcher.forced_bytes() == b"bcx"
    with pytest.raises(sluice.ArgumentError):
        matcher.rollback(9)
    before = compiler.stats()  # a compilation of more than 20 ms begins again, and makes the first mask again
    assert (before.masks, before.masks_made.count) == (0, made + 1)  # the matcher has the masks
    del matcher
    s = compiler.stats()
    assert (s.masks, s.masks_made.count, s.forced_bytes) == (3, before.masks_made.count, 3)
    assert (s.compilations.count, s.cache.hits) == (2, 1) and s.cache.misses >= 2
    assert {name: n for name, n in s.refusals.items() if n} == {"syntax": 1, "rejected": 2, "argument": 1}
    assert s.cache == compiler.cache
    assert sum(dataclasses.astuple(s.memory)) == s.cache.bytes + s.cache.token_set_bytes + s.memory.trie
    assert s.warmed.count == s.warmed_masks == s.warm_dropped == 0


def test_types(compiler):
    s = compiler.stats()
    with pytest.raises(dataclasses.FrozenInstanceError):
        s.masks = 1
    h = s.compilations
    assert len(h.counts) == len(h.bounds) + 1 and sum(h.counts) == h.count == 0 and h.sum == 0.0
    assert list(h.bounds) == sorted(h.bounds) and (h.bounds[0], h.bounds[1], h.bounds[-1]) == (1e-06, 2.5e-06, 10.0)
    assert json.loads(json.dumps(dataclasses.asdict(s)))["memory"]["trie"] == s.memory.trie
    assert compiler.compile_regex("a").vocabulary is VOCABULARY
    h = compiler.stats().compilations
    assert sum(h.counts) == h.count == 1 and 0 < h.sum < 10


def test_prometheus_has_the_stats(compiler, masks):
    matcher = compiler.compile_regex("a+").matcher()
    matcher.fill(masks)
    matcher.reset()
    s, found = compiler.stats(), samples(compiler.prometheus())
    assert found["sluice_masks_total",] == s.masks == 1
    assert found["sluice_cache_requests_total", "miss"] == s.cache.misses >= 1
    assert found["sluice_cache_limit_bytes",] == s.cache.limit
    for name, h in (("compilation", s.compilations), ("mask_computation", s.masks_made), ("warming", s.warmed)):
        name = f"sluice_{name}_duration_seconds"
        bounds = [float(key[1]) for key in found if key[0] == f"{name}_bucket"]
        assert bounds == [*h.bounds, float("inf")]
        below = [value for key, value in found.items() if key[0] == f"{name}_bucket"]
        assert below == [sum(h.counts[: i + 1]) for i in range(len(h.counts))]
        assert found[f"{name}_count",] == h.count
        assert found[f"{name}_sum",] == pytest.approx(h.sum)
    for kind, n in s.refusals.items():
        assert found["sluice_refusals_total", kind] == n
    for kind, n in dataclasses.asdict(s.memory).items():
        assert found["sluice_memory_bytes", kind] == n


def test_message(compiler, masks, tmp_path):
    """protobuf's own Python library reads the message by the .proto file."""
    include, out = ROOT / "include", tmp_path / "set"
    assert protoc.main(["", f"-I{include}", f"--descriptor_set_out={out}", "sluice/v1/stats.proto"]) == 0
    (file,) = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName("sluice.v1.CompilerStats"))
    matcher = compiler.compile_regex("a+").matcher()
    matcher.fill(masks)
    matcher.reset()
    s, read = compiler.stats(), message.FromString(compiler.stats_message())
    for name, value in dataclasses.asdict(s.memory).items():
        assert getattr(read.memory, name) == value
    for name in (f for f in s.cache._fields if f != "token_set_bytes"):
        assert getattr(read.cache, name) == getattr(s.cache, name)
    assert dict(read.refusals) == s.refusals
    for h, ours in ((read.compilations, s.compilations), (read.masks_made, s.masks_made), (read.warmed, s.warmed)):
        assert (tuple(h.counts), h.count, h.sum_ns / 1e9) == (ours.counts, ours.count, ours.sum)
        assert tuple(b / 1e9 for b in h.bounds_ns) == ours.bounds
    for name in ("masks", "warmed_masks", "warm_dropped", "forced_bytes", "forced_tokens", "drafted_tokens"):
        assert getattr(read, name) == getattr(s, name)
    assert read.masks == 1


def test_collector(compiler):
    compiler.compile_regex("a+")
    registry = CollectorRegistry()
    registry.register(sluice.prometheus.Collector(compiler))
    assert registry.get_sample_value("sluice_compilation_duration_seconds_count") == 1
    assert samples(generate_latest(registry).decode()) == samples(compiler.prometheus())
    compiler.compile_regex("b+")
    assert registry.get_sample_value("sluice_compilation_duration_seconds_count") == 2


def test_collector_of_several(compiler):
    other = sluice.Compiler(VOCABULARY, cache_bytes=0)
    other.compile_regex("a+")
    registry = CollectorRegistry()
    registry.register(sluice.prometheus.Collector({"large": compiler, "small": other}))
    name = "sluice_compilation_duration_seconds_count"
    assert registry.get_sample_value(name, {"compiler": "large"}) == 0
    assert registry.get_sample_value(name, {"compiler": "small"}) == 1
    text = generate_latest(registry).decode()
    assert text.count("# TYPE sluice_masks_total counter") == 1
    assert len(samples(text)) == 2 * len(samples(compiler.prometheus()))


def test_threads(compiler):
    """Counts are exact after calls on several threads, and grow meanwhile."""

    def work():
        row = sluice.allocate_bitmask(1, VOCABULARY)
        for _ in range(50):
            matcher = compiler.compile_regex("[ab]{3}").matcher()
            for token in b"abz":
                matcher.fill(row)
                matcher.accept(token)
            matcher.reset()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    seen = 0
    while any(t.is_alive() for t in threads):
        now = compiler.stats().masks
        assert now >= seen
        seen = now
    for t in threads:
        t.join()
    s = compiler.stats()
    assert (s.masks, s.refusals["rejected"], s.compilations.count) == (600, 200, 1)
