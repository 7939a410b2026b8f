"""The plugin in SGLang itself, on the CPU: its command line and processes, its manager of grammars, its batches and
draft trees and its gate for reasoning. test_sglang_tools.py has the constraints of its parsers of tool calls.
"""

from __future__ import annotations

import json
import logging
import os
import random
import subprocess
import sys
import types

import prometheus_client
import pytest
import torch
from conftest import CONSTRAINTS, ROOT, SCHEMA, TAG
from sglang.srt.constrained import base_grammar_backend as base
from sglang.srt.constrained.grammar_manager import GrammarManager
from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarObject
from sglang.srt.managers.scheduler_components.batch_result_processor import SchedulerBatchResultProcessor
from sglang.srt.observability.metrics_collector import SchedulerMetricsCollector
from sglang.srt.runtime_context import SpawnRanks, publish
from sglang.srt.sampling.sampling_batch_info import SamplingBatchInfo
from sglang.srt.server_args import ServerArgs
from sglang.srt.speculative import spec_utils

import sluice
import sluice.sglang

sluice.sglang.register()

SIZE = 32832  # of the model's logits; its tokenizer has fewer tokens


def published(**options):
    args = ServerArgs(model_path="dummy", device="cpu", grammar_backend="sluice", **options)
    publish(args, role="scheduler", ranks=SpawnRanks(world_rank=0, dp_rank=None, gpu_id=0))
    return args


def created(tokenizer, size=SIZE, **options):
    return base.create_grammar_backend(published(**options), tokenizer, size, {tokenizer.eos_token_id})


@pytest.fixture
def backend(tokenizer):
    made = created(tokenizer)
    yield made
    made.reset()


def compiled(backend, kind, spec):
    made, hit = backend.get_cached_or_future_value((kind, spec), False)
    return made if hit else made.result()


def allowed(row):
    bits = (row.repeat_interleave(32) >> torch.arange(32).repeat(len(row))) & 1
    return torch.nonzero(bits).flatten().tolist()


def ids(tokenizer, text):
    return tokenizer.encode(text, add_special_tokens=False)


LEGACY = {"structures": [TAG], "triggers": ["<tool"]}
KINDS = {
    "json": ("json", json.dumps(SCHEMA), CONSTRAINTS["json_schema"].right),
    "regex": ("regex", CONSTRAINTS["regex"].spec, CONSTRAINTS["regex"].right),
    "ebnf": ("ebnf", CONSTRAINTS["ebnf"].spec, CONSTRAINTS["ebnf"].right),
    "whole turn": ("full_assistant_ebnf", CONSTRAINTS["ebnf"].spec, CONSTRAINTS["ebnf"].right),
    "tag": ("structural_tag", json.dumps(CONSTRAINTS["structural_tag"].spec), CONSTRAINTS["structural_tag"].right),
    "legacy": (
        "structural_tag",
        json.dumps({**LEGACY, "at_least_one": True}),
        lambda t: CONSTRAINTS["structural_tag"].right(t[: t.index(TAG["end"]) + len(TAG["end"])]),
    ),
}


class Request(types.SimpleNamespace):
    """A request, with the members that the manager and the scheduler read."""

    def __init__(self, kind, spec, reasons=False, **custom):
        field = {"json": "json_schema", "full_assistant_ebnf": "ebnf"}.get(kind, kind)
        asked = dict.fromkeys(("json_schema", "regex", "ebnf", "structural_tag")) | {field: spec}
        asked |= {"ebnf_full_assistant": kind == "full_assistant_ebnf", "custom_params": custom or None}
        super().__init__(
            sampling_params=types.SimpleNamespace(**asked),
            origin_input_ids=[1, 2],
            require_reasoning=reasons,
            grammar=None,
            grammar_key=None,
            grammar_wait_ct=0,
            rid="0",
            aborted=None,
            to_finish=None,
        )

    def set_finish_with_abort(self, message):
        self.aborted = message

    def finished(self):
        return self.aborted is not None


def manager(args, tokenizer, size=SIZE):
    group = types.SimpleNamespace(world_size=1, first_rank=0, is_first_rank=True)
    model = types.SimpleNamespace(vocab_size=size, hf_eos_token_id={tokenizer.eos_token_id}, think_end_ids=None)
    return GrammarManager(
        types.SimpleNamespace(
            server_args=args,
            tokenizer=tokenizer,
            model_config=model,
            dp_tp_cpu_group=None,
            dp_tp_group=group,
            pp_group=None,
        )
    )


def step(requests):
    """The masks of a batch, made by SGLang's code and moved to their device."""
    batch = types.SimpleNamespace(
        grammars=[r.grammar for r in requests],
        temperatures=[1.0] * len(requests),
        vocab_size=SIZE,
        device="cpu",
        grammar_mask=None,
    )
    SamplingBatchInfo.update_regex_vocab_mask(batch)
    return batch.grammar_mask


def entered(request, token):
    return SchedulerBatchResultProcessor._accept_grammar_tokens(None, request, token)


def test_every_kind(tokenizer):
    """Through the manager, in one batch, walked at random to their ends."""
    rng, args = random.Random(7), published(constrained_json_disable_any_whitespace=True)
    made = manager(args, tokenizer)
    requests = [Request(kind, spec) for kind, spec, _ in KINDS.values()]
    for r in requests:
        assert made.process_req_with_grammar(r)
    while made.has_waiting_grammars():
        made.get_ready_grammar_requests()
    assert [r.aborted for r in requests] == [None] * len(requests)
    again = Request(*next(iter(KINDS.values()))[:2])
    assert not made.process_req_with_grammar(again) and again.grammar.grammar_stats.is_cache_hit
    texts, end = [[] for _ in requests], tokenizer.eos_token_id
    for _ in range(300):
        live = [i for i, r in enumerate(requests) if not r.grammar.is_terminated()]
        if not live:
            break
        mask = step([requests[i] for i in live])
        assert mask.vocab_mask.shape == (len(live), (SIZE + 31) // 32)
        logits = torch.zeros(len(live), SIZE)
        mask.apply(logits)
        for row, i in enumerate(live):
            may = torch.nonzero(logits[row] == 0).flatten().tolist()
            assert may == allowed(mask.vocab_mask[row])
            token = end if end in may and len(texts[i]) > 15 else rng.choice(may)
            texts[i].append(token)
            assert entered(requests[i], token) == [token]
    assert not live
    for (name, (_, _, right)), tokens in zip(KINDS.items(), texts):
        text = tokenizer.decode(tokens, skip_special_tokens=True)
        assert right(text), (name, text)


def test_metrics(tokenizer):
    """SGLang's own collector has the requests of its own manager."""
    made, labels = (
        manager(published(), tokenizer),
        {"model_name": "tests", "tp_rank": "0", "pp_rank": "0", "moe_ep_rank": "1"},
    )
    collector = made.scheduler.metrics_collector = SchedulerMetricsCollector(labels, made.server_args)
    spec = 'root ::= "a" root?'
    for kind, text in (("ebnf", spec), ("regex", "(a"), ("regex", "ab")):
        assert made.process_req_with_grammar(Request(kind, text))
    while made.has_waiting_grammars():
        made.get_ready_grammar_requests()
    assert not made.process_req_with_grammar(Request("ebnf", spec))

    def value(name):
        return prometheus_client.REGISTRY.get_sample_value(f"sglang:{name}", collector.labels)

    assert value("num_grammar_total") == 4 and value("num_grammar_cache_hit_total") == 1
    assert value("num_grammar_aborted_total") == 1 and value("num_grammar_timeout_total") is None
    assert value("grammar_compilation_time_seconds_count") == 2
    assert 0 < value("grammar_compilation_time_seconds_sum") < 60
    assert value("grammar_ebnf_size_sum") == len(spec)


def test_what_cannot_be_compiled_is_said(tokenizer):
    made = manager(published(), tokenizer)
    bad = {
        "regex": ("(a", "regex"),
        "json": ('{"type": "integer", "minimum": 3, "maximum": 2}', "/minimum"),
        "ebnf": ("root ::= missing", "missing"),
        "structural_tag": ('{"type": 1}', "structural_tag"),
    }
    for kind, (spec, said) in bad.items():
        for _ in range(2):  # the second time it is kept
            r = Request(kind, spec)
            if made.process_req_with_grammar(r):
                while made.has_waiting_grammars():
                    made.get_ready_grammar_requests()
            assert f"Failed to compile {kind} grammar" in r.aborted and said in r.aborted, r.aborted


def test_tokens_and_the_end(backend, tokenizer):
    g = compiled(backend, "regex", "ab?")
    a, b = (tokenizer.convert_tokens_to_ids(c) for c in "ab")
    end = tokenizer.eos_token_id
    assert g and bool(g.copy())
    for wrong in (b, -1, SIZE, SIZE - 1, 1 << 40, end):
        with pytest.raises(ValueError):
            g.accept_token(wrong)
    g.accept_token(a)
    mask = g.allocate_vocab_mask(SIZE, 2, "cpu")
    assert (mask == -1).all()
    g.fill_vocab_mask(mask, 1)
    before = mask[1].clone()
    assert allowed(before) == sorted([b, end]) and (mask[0] == -1).all()
    twin = g.copy()
    g.accept_token(end)
    assert g.is_terminated() and not twin.is_terminated()
    g.rollback(1)
    assert not g.is_terminated()
    g.fill_vocab_mask(mask, 1)
    assert (mask[1] == before).all()
    twin.accept_token(b)
    assert g.accept_token(b) is None and twin.current_token == b
    backend.set_token_filter(mask, [a, b, -1, 1 << 20], 0, is_allowed=True)
    assert allowed(mask[0]) == sorted([a, b])
    backend.set_token_filter(mask, [a], 0, is_allowed=False, reset_vocab_mask=False)
    assert allowed(mask[0]) == [b]
    backend.set_token_filter(mask, [a], 0, is_allowed=False)
    assert len(allowed(mask[0])) == mask.shape[1] * 32 - 1
    assert g.reset_vocab_mask(mask) is None and (mask == -1).all()


def test_only_the_latest_are_kept(backend, monkeypatch):
    monkeypatch.setattr(sluice._serving, "KEPT", 3)
    for i in range(5):
        backend.set_cache(("regex", f"a{i}"), compiled(backend, "regex", f"a{i}").copy())
    assert list(backend.cache) == [("regex", f"a{i}") for i in (2, 3, 4)]
    assert backend.get_cached_or_future_value(("regex", "a2"), False)[1]
    backend.set_cache(("regex", "b"), compiled(backend, "regex", "b").copy())
    assert ("regex", "a2") in backend.cache and ("regex", "a3") not in backend.cache
    backend.reset()
    assert not backend.cache


def test_json_any_and_tools_without_parameters(backend):
    assert compiled(backend, "json", "$$ANY$$").kind == "json"
    bare = {"structures": [{"begin": "<f>", "schema": None, "end": "</f>"}], "triggers": ["<f>"]}
    for tag in (bare, {"type": "structural_tag", "format": {"type": "json_schema", "json_schema": None}}):
        assert compiled(backend, "structural_tag", json.dumps(tag)).kind == "structural_tag"


@pytest.mark.parametrize("option", ["constrained_json_disable_any_whitespace", "constrained_json_max_whitespace_cnt"])
def test_whitespace(tokenizer, option):
    g = compiled(created(tokenizer, **{option: 1}), "json", '{"type": "array"}')
    (start,) = ids(tokenizer, "[")
    g.accept_token(start)
    g.matcher.accept_bytes(b" ")
    compact = option == "constrained_json_disable_any_whitespace"
    assert g.matcher.accept_bytes(b" ") is False and (g.matcher.length == 1) is compact


def test_whitespace_of_the_command_line(tokenizer):
    """A wrong value is an error when the scheduler makes its backend; any value in JSON has right ones too."""
    for options in ({"constrained_json_whitespace_pattern": "("}, {"constrained_json_max_whitespace_cnt": 0}):
        with pytest.raises(ValueError, match=f"^--{next(iter(options)).replace('_', '-')} "):
            created(tokenizer, **options)
    g = compiled(created(tokenizer, constrained_json_whitespace_pattern=" ?"), "json", "$$ANY$$")
    assert g.matcher.fork().accept_bytes(b"[ 1") and not g.matcher.accept_bytes(b"[  1")


# ------------------------------------------------------------------------------------------------------------- trees


def tree(rng, grammar, n, end=()):
    """A random tree of drafts: children are tokens that the mask allows, and some that it does not; or those that end
    reasoning, in their order."""
    parent, drafts = [-1], [0]
    paths = [[]]
    while len(drafts) < n:
        at = rng.randrange(len(drafts)) if rng.random() < 0.4 else len(drafts) - 1
        probe, good = grammar.copy(), True
        for token in paths[at]:
            try:
                probe.accept_token(token)
            except ValueError:
                good = False
        token = rng.randrange(SIZE)
        if good and not probe.is_terminated() and rng.random() < 0.8:
            mask = probe.allocate_vocab_mask(SIZE, 1, "cpu")
            probe.fill_vocab_mask(mask, 0)
            token = rng.choice([t for t in allowed(mask[0]) if t < SIZE])
        begun = max((k for k in range(len(end)) if paths[at][len(paths[at]) - k :] == end[:k]), default=0)
        if end and rng.random() < 0.6:
            token = end[begun]
        if any(parent[i] == at and drafts[i] == token for i in range(len(drafts))):
            continue
        parent.append(at)
        drafts.append(token)
        paths.append([*paths[at], token])
    first, sibling = [-1] * n, [-1] * n
    for i in range(n - 1, 0, -1):
        sibling[i], first[parent[i]] = first[parent[i]], i
    return first, sibling, drafts


def masks_of(generate, requests, trees):
    arrays = [torch.tensor(part, dtype=torch.int64) for part in zip(*trees)]
    return generate(requests, *arrays, SIZE)


@pytest.mark.parametrize("reasoning", [False, True])
def test_trees(tokenizer, reasoning):
    """Bit by bit what SGLang's own walk finds, for grammars of ours, others', and none, behind the gate and not."""
    backend = created(tokenizer, **({"reasoning_parser": "deepseek-r1"} if reasoning else {}))
    rng, original = random.Random(3), spec_utils.generate_token_bitmask.__wrapped__
    requests = []
    for i, (kind, spec, _) in enumerate([*KINDS.values(), *KINDS.values()]):
        g = compiled(backend, kind, spec).copy()
        if reasoning:
            g.maybe_init_reasoning(i % 3 == 0)
        requests.append(types.SimpleNamespace(grammar=g))
    requests.insert(2, types.SimpleNamespace(grammar=None))
    end = ids(tokenizer, "</think>") if reasoning else []
    words, left = range((SIZE + 31) // 32), 0
    padding = torch.tensor([sum(1 << b for b in range(32) if 32 * w + b >= len(tokenizer)) for w in words])
    padding = padding.to(torch.int32)
    for _ in range(3):
        trees = [tree(rng, r.grammar or requests[0].grammar, 24, end) for r in requests]
        expected, last = masks_of(original, requests, trees)
        found, also = masks_of(spec_utils.generate_token_bitmask, requests, trees)
        # Bits that are no token do not matter; SGLang sets them in rows that it leaves unchanged.
        assert also is last and torch.equal(found | padding, expected | padding)
        for i, r in enumerate(requests):
            if reasoning and getattr(r.grammar, "grammar", None) is not None and not r.grammar._is_generation():
                rows = found[i * 24 : (i + 1) * 24] | padding
                left += bool((rows != -1).any())
        for r in requests:
            if r.grammar is not None:
                mask = r.grammar.allocate_vocab_mask(SIZE, 1, "cpu")
                r.grammar.fill_vocab_mask(mask, 0)
                live = [t for t in allowed(mask[0]) if t < tokenizer.vocab_size]
                if live and not r.grammar.is_terminated():
                    r.grammar.accept_token(rng.choice(live))
    assert bool(left) is reasoning  # drafts lead out of it


# --------------------------------------------------------------------------------------------------------- reasoning


@pytest.mark.parametrize("strict", [False, True])
def test_reasoning(tokenizer, strict, monkeypatch):
    monkeypatch.setenv("SGLANG_MAX_THINK_TOKENS", "6" if strict else "-1")
    args = published(reasoning_parser="deepseek-r1", enable_strict_thinking=strict)
    made = manager(args, tokenizer)
    assert made.grammar_backend.enable_strict_thinking is strict
    requests = [Request(kind, spec, reasons=i % 2 == 0) for i, (kind, spec, _) in enumerate(KINDS.values())]
    for r in requests:
        made.process_req_with_grammar(r)
    while made.has_waiting_grammars():
        made.get_ready_grammar_requests()
    bare = [type(r.grammar).__name__ for r in requests]
    assert bare.count("SluiceGrammar") == 1 and bare.count("ReasonerGrammarObject") == len(requests) - 1
    for r in (requests[0], requests[4]):
        for token in [5, 6, *ids(tokenizer, "</think>")]:
            r.grammar.accept_token(token)
    masks = step(requests).vocab_mask
    for r, row in zip(requests, masks):
        alone = r.grammar.allocate_vocab_mask(SIZE, 1, "cpu")
        r.grammar.fill_vocab_mask(alone, 0)
        assert torch.equal(row, alone[0])
    thinking = requests[2].grammar
    assert (masks[2] == -1).all() and thinking._is_thinking()
    assert len(allowed(masks[0])) < 300  # JSON begins
    for _ in range(6):
        thinking.accept_token(5)
    if strict:  # the budget is spent
        assert allowed(step([requests[2]]).vocab_mask[0]) == ids(tokenizer, "</think>")[:1]
        free = made.grammar_backend.init_strict_reasoning_grammar(True)
        mask = free.allocate_vocab_mask(SIZE, 1, "cpu")
        free.fill_vocab_mask(mask, 0)
        free.apply_vocab_mask(logits=torch.zeros(1, SIZE), vocab_mask=mask)
    made.clear()
    backend = made.grammar_backend
    assert not backend.cache and not backend.grammar_backend._compiling.compiler().cache.entries


# --------------------------------------------------------------------------------------------------------- processes


SPAWNED = """
import sys, logging
logging.basicConfig(level=logging.INFO)
from sglang.srt.plugins import load_plugins
from sglang.srt.server_args import prepare_server_args

def parse():
    try:
        line = ["--model-path", "dummy", "--device", "cpu", "--grammar-backend", "sluice"]
        return prepare_server_args(line).grammar_backend
    except SystemExit:
        return "refused"

def scheduler(queue):
    load_plugins()
    from sglang.srt.constrained.base_grammar_backend import GRAMMAR_BACKEND_REGISTRY
    import sluice
    queue.put(["sluice" in GRAMMAR_BACKEND_REGISTRY, sluice.loaded()])

if __name__ == "__main__":
    import multiprocessing
    before = parse()
    load_plugins(); load_plugins()
    spawn = multiprocessing.get_context("spawn")
    queue = spawn.Queue()
    child = spawn.Process(target=scheduler, args=(queue,))
    child.start()
    print("FOUND", before, parse(), *queue.get(timeout=200))
    child.join()
"""


@pytest.mark.parametrize("switch", ["", "off"])
def test_processes(tmp_path, switch):
    """The plugin as installed: found by the command line and by a process that is spawned."""
    about = tmp_path / "sluice_engine-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: sluice-engine\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text("[sglang.srt.plugins]\nsluice = sluice.sglang:register\n")
    (tmp_path / "spawned.py").write_text(SPAWNED)
    env = os.environ | {"PYTHONPATH": f"{tmp_path}:{ROOT / 'bindings' / 'python'}", "SLUICE_SGLANG": switch}
    done = subprocess.run(
        [sys.executable, str(tmp_path / "spawned.py")], env=env, capture_output=True, text=True, timeout=300
    )
    (line,) = [n for n in done.stdout.splitlines() if n.startswith("FOUND")] or [done.stdout + done.stderr]
    known = switch != "off"
    assert line.split()[1:] == ["refused", "sluice" if known else "refused", str(known), "False"]


def test_everything_is_hooked(tokenizer, caplog, monkeypatch):
    """This release lacks nothing, and one line says so."""
    monkeypatch.setattr(sluice.sglang._hooks, "_state", sluice.sglang._hooks._State())
    for name in ("_hook_trees", "_hook_metrics"):  # they are in already
        monkeypatch.setattr(sluice.sglang._hooks, name, lambda: None)
    with caplog.at_level(logging.INFO, "sglang.sluice"):
        sluice.sglang.register()
        created(tokenizer)
        created(tokenizer)
    said = [m for m in caplog.messages if "hooked in" in m]
    assert said == ["Sluice is hooked in: name, backend, draft trees, rows behind reasoning, metrics"]
    assert hasattr(spec_utils.generate_token_bitmask, "__wrapped__")
    assert ReasonerGrammarObject.fill_vocab_mask_batched._sluice


def test_other_backends_are_what_they_were(tokenizer):
    args = ServerArgs(model_path="dummy", device="cpu", grammar_backend="xgrammar")
    publish(args, role="scheduler", ranks=SpawnRanks(world_rank=0, dp_rank=None, gpu_id=0))
    backend = base.create_grammar_backend(args, tokenizer, SIZE, {tokenizer.eos_token_id})
    g = compiled(backend, "regex", "ab")
    assert type(backend).__module__.startswith("sglang.") and type(g).__module__.startswith("sglang.")
    requests = [types.SimpleNamespace(grammar=g)]
    trees = [tree(random.Random(1), g, 5)]
    found = masks_of(spec_utils.generate_token_bitmask, requests, trees)
    expected = masks_of(spec_utils.generate_token_bitmask.__wrapped__, requests, trees)
    assert found[1] is g and torch.equal(found[0], expected[0])


def test_masks_of_other_rows(backend):
    """Neither SGLang's own operation nor ours takes one row of masks for all."""
    g = compiled(backend, "regex", "ab?")
    with pytest.raises(ValueError, match=r"\(3, 32832\) and \(1, 1026\)"):
        g.apply_vocab_mask(logits=torch.zeros(3, SIZE), vocab_mask=g.allocate_vocab_mask(SIZE, 1, "cpu"))


def test_what_an_operator_sets(tokenizer, monkeypatch):
    """The operator's settings are added to a request's own; wrong ones end the scheduler when it starts."""
    monkeypatch.setenv("SLUICE_OPTIONS", '{"closed": true}')
    g = compiled(created(tokenizer), "json", '{"type": "object", "properties": {"a": {"type": "integer"}}}')
    assert not g.matcher.fork().accept_bytes('{"b')
    for variable, value in (("SLUICE_OPTIONS", '{"closd": true}'), ("SLUICE_CACHE_MB", "many")):
        monkeypatch.setenv("SLUICE_OPTIONS", "")
        monkeypatch.setenv(variable, value)
        with pytest.raises(ValueError, match=variable):
            created(tokenizer)
