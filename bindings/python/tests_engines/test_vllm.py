"""The plugin in vLLM itself, on the CPU: its configuration and command line, its check of requests, its manager of
structured output, and its engine and processes with a worker of random logits instead of a model.
"""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import types

import numpy as np
import pydantic.dataclasses
import pytest
import torch
import vllm
import vllm.entrypoints.generate.beam_search.offline as offline
from conftest import CHOICES, CONSTRAINTS, EBNF, PATTERN, ROOT, SCHEMA, TAG
from vllm import SamplingParams
from vllm.config import StructuredOutputsConfig, VllmConfig
from vllm.engine.arg_utils import EngineArgs
from vllm.exceptions import VLLMValidationError
from vllm.sampling_params import StructuredOutputsParams
from vllm.utils.argparse_utils import FlexibleArgumentParser
from vllm.v1.request import Request
from vllm.v1.structured_output import StructuredOutputManager, backend_xgrammar, utils
from vllm.v1.worker.worker_base import WorkerBase

import sluice
import sluice.vllm._worker

sluice.vllm.register()

SIZE = 32832  # of the model's logits; its tokenizer has fewer tokens
LARK = 'start: NUMBER ("+" NUMBER)~0..2\nNUMBER: /[0-9]{1,3}/'
LEGACY = {"structures": [TAG], "triggers": ["<tool"]}


@pytest.fixture(scope="session")
def folder(tmp_path_factory, tokenizer):
    """A model's folder: a tokenizer and the configuration of a Llama, without weights."""
    made = tmp_path_factory.mktemp("model")
    tokenizer.save_pretrained(made)
    config = {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    config |= {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": SIZE, "eos_token_id": 2}
    (made / "config.json").write_text(json.dumps(config | {"max_position_embeddings": 2048, "dtype": "float32"}))
    return str(made)


def engine_config(folder, **structured):
    args = EngineArgs(model=folder, load_format="dummy", structured_outputs_config=structured, max_num_seqs=256)
    return args.create_engine_config()


@pytest.fixture(scope="session")
def config(folder):
    return engine_config(folder, backend="sluice", disable_any_whitespace=True)


@pytest.fixture
def manager(config):
    made = StructuredOutputManager(config)
    yield made
    made.clear_backend()


def request(config, tokenizer, name, **asked):
    """A request as vLLM's front end hands it on: checked, with its end tokens."""
    params = SamplingParams(max_tokens=200, structured_outputs=StructuredOutputsParams(**asked))
    params.update_from_generation_config({}, eos_token_id=tokenizer.eos_token_id)
    params.verify(config.model_config, None, config.structured_outputs_config, tokenizer)
    return Request(request_id=name, prompt_token_ids=[5, 6], sampling_params=params, pooling_params=None)


def begun(manager, *asked):
    """Requests whose grammars are ready, by name."""
    made = {str(i): request(manager.vllm_config, manager.tokenizer, str(i), **a) for i, a in enumerate(asked)}
    for r in made.values():
        manager.grammar_init(r)
    while not all(r.structured_output_request.is_grammar_ready for r in made.values()):
        time.sleep(0.01)
    return made


def grammar_of(r):
    return r.structured_output_request.grammar


def allowed(row):
    return np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))


def end_of(text):
    return text.index(TAG["end"]) + len(TAG["end"])


KINDS = {
    "json": ({"json": json.dumps(SCHEMA)}, CONSTRAINTS["json_schema"].right),
    "json dict": ({"json": SCHEMA}, CONSTRAINTS["json_schema"].right),
    "json_object": ({"json_object": True}, lambda text: isinstance(json.loads(text), dict)),
    "regex": ({"regex": PATTERN}, CONSTRAINTS["regex"].right),
    "choice": ({"choice": CHOICES}, CONSTRAINTS["choice"].right),
    "ebnf": ({"grammar": EBNF}, CONSTRAINTS["ebnf"].right),
    "lark": ({"grammar": LARK}, lambda text: bool(re.fullmatch(r"[0-9]{1,3}(\+[0-9]{1,3}){0,2}", text))),
    "tag": ({"structural_tag": json.dumps(CONSTRAINTS["structural_tag"].spec)}, CONSTRAINTS["structural_tag"].right),
    # The call first, and then any text.
    "triggers": ({"structural_tag": json.dumps(LEGACY)}, lambda t: CONSTRAINTS["structural_tag"].right(t[: end_of(t)])),
}


def test_every_kind(manager, tokenizer):
    """All in one batch, walked at random to their ends; free text is walked into its tag."""
    rng = random.Random(7)
    requests = begun(manager, *(asked for asked, _ in KINDS.values()))
    assert type(manager.backend).__name__ == "SluiceBackend"
    kinds = dict(zip(requests, KINDS))
    tokens = {n: [] for n in requests}
    end, tag = tokenizer.eos_token_id, tokenizer.encode(TAG["begin"], add_special_tokens=False)
    closing = {tokenizer.convert_tokens_to_ids(c) for c in '}]"0'}
    for _ in range(300):
        live = [n for n in requests if not grammar_of(requests[n]).is_terminated()]
        if not live:
            break
        masks = manager.grammar_bitmask(requests, live, {})
        assert masks.shape == (len(live), (SIZE + 31) // 32) and masks.dtype == np.int32
        for row, name in zip(masks, live):
            ids, done = allowed(row).tolist(), len(tokens[name])
            if kinds[name] == "triggers" and done < len(tag):
                assert tag[done] in ids
                ids = [tag[done]]
            elif end in ids and done > 20:
                ids = [end]
            elif kinds[name] == "json_object" and done > 20:  # which may be of any length
                ids = sorted(closing.intersection(ids)) or ids
            tokens[name].append(rng.choice(ids))
            assert manager.accept_tokens(requests[name], tokens[name][-1:])
    assert not live
    for name, (_, right) in zip(requests, KINDS.values()):
        text = tokenizer.decode(tokens[name], skip_special_tokens=True)
        assert right(text), (kinds[name], text)


def test_a_row_is_what_a_request_alone_gets(manager):
    """Also for more requests than vLLM fills on one thread, some of them at other places, and for drafts."""
    requests = begun(manager, *([{"regex": PATTERN}, {"json": SCHEMA}, {"choice": CHOICES}] * 50))
    names = list(requests)
    for i in range(0, 150, 7):
        r = requests[str(i)]
        step = manager.grammar_bitmask(requests, [str(i)], {})[0].copy()
        assert manager.accept_tokens(r, [int(allowed(step)[0])])
    masks = manager.grammar_bitmask(requests, names, {}).copy()
    alone = manager.backend.allocate_token_bitmask(1)
    for row, name in zip(masks, names):
        grammar_of(requests[name]).fill_bitmask(alone, 0)
        assert (alone[0].numpy() == row).all()


def test_drafts(manager, monkeypatch, tokenizer):
    monkeypatch.setattr(type(manager.vllm_config), "num_speculative_tokens", 3, raising=False)
    requests = begun(manager, {"regex": "[a-c]x[0-9]"}, {"choice": ["red"]})
    a, x, five, z = (tokenizer.convert_tokens_to_ids(c) for c in "ax5z")
    assert manager.validate_tokens(requests["0"], [a, x, z]) == [a, x]
    masks = manager.grammar_bitmask(requests, ["0", "1"], {"0": [a, x, five]})
    letters = ["".join(sorted(tokenizer.decode(allowed(m).tolist()))) for m in masks[:4]]
    assert len(masks) in (5, 8)  # one after the other, or in a block for each request
    assert [set(letters[0]) >= set("abc"), "x" in letters[1], "5" in letters[2]] == [True, True, True]
    assert allowed(masks[3]).tolist() == [tokenizer.eos_token_id]
    again = manager.grammar_bitmask(requests, ["0"], {"0": [a, -1, -1]})
    assert "a" in tokenizer.decode(allowed(again[0]).tolist())  # the matcher has not moved
    wrong = manager.grammar_bitmask(requests, ["0"], {"0": [a, z, five]})
    assert (wrong[2] == wrong[1]).all()  # rows after a refused draft repeat the last good row


def test_a_request_that_cannot_be_compiled(manager, config):
    """Without the front end's check, as vLLM's other front end sends them."""
    params = SamplingParams(structured_outputs=StructuredOutputsParams(regex="(a"))
    params.structured_outputs._backend = "auto"
    r = Request(request_id="0", prompt_token_ids=[1], sampling_params=params, pooling_params=None)
    manager.grammar_init(r)
    with pytest.raises(sluice.SluiceError):
        r.structured_output_request._grammar.result()
    assert isinstance(grammar_of(r), sluice.SluiceError)


def test_check_of_requests(config, tokenizer):
    bad = [
        ({"regex": "(a"}, "regex"),
        ({"json": {"type": "integer", "minimum": 3, "maximum": 2}}, "/minimum"),
        ({"json": "{"}, "json_schema"),
        ({"grammar": "root ::= missing"}, "missing"),
        ({"choice": []}, "empty"),
        ({"structural_tag": '{"type": "structural_tag"}'}, "format"),
        ({"json": {"enum": {1, 2}}}, "set"),
    ]
    for asked, said in bad:
        with pytest.raises(VLLMValidationError, match=said):
            request(config, tokenizer, "0", **asked)
    # What xgrammar's own check in vLLM refuses is served.
    for schema in (
        {"type": "number", "multipleOf": 0.25},
        {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "maxItems": 3},
        {"type": "string", "pattern": "^a", "maxLength": 5},
        {"allOf": [{"type": "string"}, {"enum": ["yes", 1]}]},
    ):
        assert request(config, tokenizer, "0", json=schema).sampling_params.structured_outputs._backend == "sluice"
    params = SamplingParams(structured_outputs=StructuredOutputsParams(choice=["a"]))
    for _ in range(2):  # parameters that are used again
        params.verify(config.model_config, None, config.structured_outputs_config, tokenizer)


def test_name_on_the_command_line(folder):
    parser = EngineArgs.add_cli_args(FlexibleArgumentParser())
    for backend in ("sluice", "xgrammar"):
        given = parser.parse_args(["--model", folder, "--structured-outputs-config.backend", backend])
        assert EngineArgs.from_cli_args(given).structured_outputs_config.backend == backend
    with pytest.raises(ValueError):
        engine_config(folder, backend="sluce")


def test_wrong_options_on_the_command_line(folder, monkeypatch):
    monkeypatch.setenv("SLUICE_OPTIONS", '{"closd": true}')
    engine_config(folder, backend="xgrammar")
    with pytest.raises(ValueError, match=r"SLUICE_OPTIONS.*closd"):
        engine_config(folder, backend="sluice")


def test_engines_that_are_served_with_auto(folder, monkeypatch):
    """Those that decide for themselves; names that an operator has given are left alone."""
    monkeypatch.setenv("SLUICE_VLLM", "auto")
    monkeypatch.setattr(sluice.vllm._hooks._state, "chosen", False)
    for backend, served in (("auto", True), ("xgrammar", False), ("sluice", True)):
        made = StructuredOutputManager(engine_config(folder, backend=backend))
        assert sluice.vllm._hooks._state.chosen is served
        begun(made, {"choice": CHOICES})
        assert (type(made.backend).__name__ == "SluiceBackend") is served
        made.clear_backend()


@pytest.mark.parametrize("fails", ["StructuredOutputsConfig", "VllmConfig"])
def test_a_name_that_cannot_be_added(folder, monkeypatch, fails):
    """The classes are as they were, and the hook says that this release has no place for it."""
    rebuild = pydantic.dataclasses.rebuild_dataclass
    kinds = [StructuredOutputsConfig, VllmConfig]
    fields = [StructuredOutputsConfig.__dataclass_fields__["backend"], StructuredOutputsConfig.__pydantic_fields__]
    check = StructuredOutputsConfig.__pydantic_decorators__.model_validators["_validate_structured_output_config"]

    def rebuild_dataclass(kind, **options):
        rebuild(kind, **options)
        if kind.__name__ == fails:
            raise TypeError("not in this release")

    def there():
        annotation = StructuredOutputsConfig.__annotations__["backend"], fields[0].type, fields[1]["backend"].annotation
        return annotation, check.func, [dict(vars(k)) for k in kinds]

    before = there()
    monkeypatch.setattr(pydantic.dataclasses, "rebuild_dataclass", rebuild_dataclass)
    monkeypatch.setattr(sluice.vllm._hooks, "NAME", "another")
    with pytest.raises(TypeError, match="not in this release"):
        sluice.vllm._hooks._hook_name()
    assert there() == before
    monkeypatch.undo()
    with pytest.raises(ValueError, match="backend"):
        StructuredOutputsConfig(backend="another")
    for backend in ("xgrammar", "sluice"):
        assert engine_config(folder, backend=backend).structured_outputs_config.backend == backend


def test_other_backends_are_what_they_were(folder, tokenizer):
    config = engine_config(folder, backend="xgrammar")
    manager = StructuredOutputManager(config)
    with pytest.raises(VLLMValidationError):
        request(config, tokenizer, "0", json={"type": "number", "multipleOf": 0.25})
    requests = begun(manager, {"choice": CHOICES})
    assert type(manager.backend).__name__ == "XgrammarBackend"
    assert type(grammar_of(requests["0"])).__name__ == "XgrammarGrammar"
    assert len(allowed(manager.grammar_bitmask(requests, ["0"], {})[0])) > 0
    with pytest.raises(ValueError, match="disable_additional_properties"):
        engine_config(folder, backend="xgrammar", disable_additional_properties=True)
    manager.clear_backend()


def test_everything_is_hooked():
    """This release lacks nothing."""
    for owner, name in (
        (StructuredOutputManager, "grammar_init"),
        (StructuredOutputManager, "_fill_bitmasks"),
        (StructuredOutputManager, "grammar_bitmask"),
        (SamplingParams, "_validate_structured_outputs"),
        (backend_xgrammar, "validate_xgrammar_grammar"),
        (WorkerBase, "__init__"),
        (offline.BeamSearchOfflineMixin, "_init_beam_search_structured_output"),
        (importlib.import_module(sluice.vllm._hooks.PROTOCOL), "validate_structural_tag_payload"),
        (importlib.import_module(sluice.vllm._hooks.SERVER).AsyncLLM, "generate"),
    ):
        assert getattr(owner, name)._sluice, name


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(
    ("stride", "drafts", "ids"),
    [(1, {}, "dba"), (1, {}, "abcd"), (1, {}, "bdca"), (3, {}, "dba"), (3, {"b": [1], "d": [1, 2]}, "dba")],
)
def test_masks_on_logits(config, monkeypatch, dtype, stride, drafts, ids):
    """Runner V1 applies masks with our kernels in workers of engines that have chosen Sluice, and the logits are those
    that xgrammar's leave."""
    rng = np.random.default_rng(5)
    names, ids = ["a", "b", "c", "d"], list(ids)
    rows = sum(1 + len(drafts.get(n, ())) for n in names)
    output = types.SimpleNamespace(
        structured_output_request_ids=ids,
        grammar_bitmask=rng.integers(-(2**31), 2**31, (stride * len(ids), (SIZE + 31) // 32)).astype(np.int32),
    )
    step = types.SimpleNamespace(scheduled_spec_decode_tokens=drafts)
    logits = torch.from_numpy(rng.standard_normal((rows, SIZE), dtype=np.float32)).to(dtype)
    found, expected = logits.clone(), logits.clone()
    batch = types.SimpleNamespace(req_ids=names)
    utils.apply_grammar_bitmask(step, output, batch, expected)
    monkeypatch.setattr(utils, "xgr", sluice.vllm._worker.Applying(types.SimpleNamespace()))
    utils.apply_grammar_bitmask(step, output, batch, found)
    assert torch.equal(found, expected) and not torch.equal(found, logits)


def test_removed(folder):
    """Without the package's entry point, and with it switched off, vLLM is as it comes."""
    code = """
import json, sys
from vllm.plugins import load_general_plugins
load_general_plugins()
from vllm import SamplingParams
from vllm.v1.structured_output import StructuredOutputManager, backend_xgrammar, utils
from vllm.v1.worker.worker_base import WorkerBase
from vllm.config.structured_outputs import StructuredOutputsConfig
places = [StructuredOutputManager.grammar_init, StructuredOutputManager._fill_bitmasks, WorkerBase.__init__,
          StructuredOutputManager.grammar_bitmask, SamplingParams._validate_structured_outputs,
          backend_xgrammar.validate_xgrammar_grammar]
hooked = sum(hasattr(p, "__wrapped__") for p in places)
try:
    StructuredOutputsConfig(backend="sluice")
    named = True
except ValueError:
    named = False
print("FOUND", hooked, named, "sluice" in sys.modules)
"""
    found = {}
    for name, installed, switch in (("plugin", True, ""), ("off", True, "off"), ("removed", False, "")):
        with_plugin = plugin_at(folder + "-plugin") if installed else {}
        env = os.environ | with_plugin | {"SLUICE_VLLM": switch}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=300)
        found[name] = [x.split()[1:] for x in done.stdout.splitlines() if x.startswith("FOUND")] or done.stderr[-3000:]
    assert found == {
        "plugin": [["6", "True", "True"]],
        "off": [["0", "False", "True"]],
        "removed": [["0", "False", "False"]],
    }


def plugin_at(folder):
    """The environment in which the package is installed, as far as vLLM's processes look."""
    about = pathlib.Path(folder) / "sluice_engine-0.1.0.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: sluice-engine\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text("[vllm.general_plugins]\nsluice = sluice.vllm:register\n")
    here = ROOT / "bindings" / "python"
    return {"PYTHONPATH": f"{folder}:{here}:{here / 'tests_engines'}:{os.environ.get('PYTHONPATH', '')}"}


def test_limits_count_reasoning(manager, tokenizer, monkeypatch):
    """The limit of tokens applies from the first token of the answer, and the tokens of the reasoning count."""

    class Reasoner:
        def __init__(self, tokenizer, **_):
            pass

        def is_reasoning_end(self, ids):
            return False

    monkeypatch.setenv("SLUICE_MAX_TOKENS", "on")
    monkeypatch.setattr(manager, "reasoner_cls", Reasoner)
    requests = begun(manager, {"regex": "[a-c]+z"})
    r = requests["0"]
    r.max_tokens = 6

    def texts():
        (row,) = manager.grammar_bitmask(requests, ["0"], {})
        return {tokenizer.decode([t]) for t in allowed(row)}

    assert len(texts()) > 1000
    r.append_output_token_ids([5, 6, 7])
    r.structured_output_request.reasoning_ended = True
    assert {"a", "b"} <= texts()
    a = tokenizer.convert_tokens_to_ids("a")
    assert grammar_of(r).accept_tokens("0", [a])
    r.append_output_token_ids(a)
    assert all(text.endswith("z") for text in texts())


def test_beams(config, tokenizer):
    """The class LLM makes a backend for each call, and a grammar for each beam and step."""
    engine = types.SimpleNamespace(
        llm_engine=types.SimpleNamespace(vllm_config=config), model_config=config.model_config
    )
    init = offline.BeamSearchOfflineMixin._init_beam_search_structured_output
    backend, (kind, spec), mask = init(engine, StructuredOutputsParams(choice=CHOICES), tokenizer)
    grammar = backend.compile_grammar(kind, spec)
    grammar.fill_bitmask(mask, 0)
    assert {tokenizer.decode([t])[0] for t in allowed(mask[0].numpy())} == {"r", "g", "b"}
    backend.destroy()


def test_engine(folder, tmp_path):
    """Front end, engine, scheduler and worker in their processes, each of which finds the plugin as installed."""
    here = ROOT / "bindings" / "python"
    env = plugin_at(tmp_path) | {"VLLM_CPU_KVCACHE_SPACE": "1"}
    kinds = {k: v for k, v in KINDS.items() if k not in ("json_object", "triggers")}  # which may be of any length
    asked = json.dumps([*(a for a, _ in kinds.values()), {"regex": "("}])
    command = [sys.executable, "engine_script.py", str(ROOT / "docs" / "vllm.md"), folder, asked]
    done = subprocess.run(
        command, cwd=here / "tests_engines", env=os.environ | env, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-5000:]
    lines = done.stdout.splitlines()
    assert {'"red"', '"green"', '"blue"'}.intersection(lines)  # the output of the page
    (found,) = (json.loads(line[8:]) for line in lines if line.startswith("OUTPUTS "))
    for (kind, (_, right)), first, second in zip(kinds.items(), found[::2], found[1::2]):
        assert right(first) and right(second), (kind, first, second)
    assert all(text.startswith("refused: regex:") for text in found[-2:])
    hooked = "Sluice is hooked in: name, backend, rows, drafts, validation, apply, beam search"
    assert (done.stdout + done.stderr).count(hooked) >= 2


@pytest.mark.skipif(
    [int(n) for n in vllm.__version__.split(".")[:2]] < [0, 33], reason="the script makes the worker of 0.33 itself"
)
def test_runner_v2(folder):
    """The newer runner, whose own kernel runs in Triton's interpreter beside ours."""
    env = os.environ | {"TRITON_INTERPRET": "1", "CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, "runner_v2_script.py", folder]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600)
    found = [json.loads(line[6:]) for line in done.stdout.splitlines() if line.startswith("FOUND ")]
    assert found == [[15, [13, 14]]], (done.stdout + done.stderr)[-5000:]


def test_what_an_operator_sets(config, tokenizer, monkeypatch):
    """The operator's settings are added to a request's own; wrong ones end the engine when it starts."""
    monkeypatch.setenv("SLUICE_OPTIONS", '{"closed": true}')
    made = StructuredOutputManager(config)
    (r,) = begun(made, {"json": {"type": "object", "properties": {"a": {"type": "integer"}}}}).values()
    assert grammar_of(r).matcher.grammar.spec and not grammar_of(r).matcher.fork().accept_bytes('{"b')
    made.clear_backend()
    monkeypatch.setenv("SLUICE_OPTIONS", '{"closd": true}')
    with pytest.raises(ValueError, match=r"SLUICE_OPTIONS.*closd"):
        StructuredOutputManager(config)
