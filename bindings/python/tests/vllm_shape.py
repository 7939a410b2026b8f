"""Modules in the shape of vLLM's, with the parts that the hooks use, for tests without vLLM."""

from __future__ import annotations

import sys
import types
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from conftest import case_tokens

import sluice
from sluice import _serving
from sluice.vllm import _hooks, _worker, register

END = case_tokens()[3]
PATTERN = "[a-c]x[0-9]?"


class Kind:
    """vLLM's StructuredOutputOptions, as far as it is looked at."""

    def __init__(self, name):
        self.name = name


@dataclass
class Asked:
    """vLLM's StructuredOutputsParams."""

    kind: str
    spec: str
    _backend: str | None = None


class Invalid(Exception):
    """vLLM's VLLMValidationError."""

    def __init__(self, message, *, parameter=None):
        super().__init__(message)
        self.parameter = parameter


@dataclass
class Config:
    """vLLM's VllmConfig, its model_config and its structured_outputs_config at once."""

    backend: str = "sluice"
    disable_any_whitespace: bool = False
    disable_additional_properties: bool = False
    size: int = 0
    num_speculative_tokens: int | None = None  # None: a release that has all rows one after the other
    use_v2_model_runner: bool = False
    speculative_config: Any = None
    seen: list[Any] = field(default_factory=list)

    @property
    def structured_outputs_config(self):
        return self

    @property
    def model_config(self):
        return self

    def get_vocab_size(self):
        return self.size


class Manager:
    """vLLM's StructuredOutputManager: the shape of its methods, and of how they call each other."""

    def __init__(self, vllm_config, tokenizer):
        self.vllm_config, self.tokenizer = vllm_config, tokenizer
        self.backend = self.backend_name = self._grammar_bitmask = None
        self.calls, self.enable_in_reasoning = 0, False

    def grammar_init(self, request):
        if request.structured_output_request is None:
            return
        if self.backend is None:
            self.backend, self.backend_name = "vLLM's own", request.asked._backend
            return
        key = Kind(request.asked.kind), request.asked.spec
        request.structured_output_request.grammar = self.backend.compile_grammar(*key, stop_token_ids=request.stop)

    def _get_reasoner(self, request):
        reasons = request.structured_output_request.reasoning_ended is not None
        return types.SimpleNamespace(is_reasoning_end=lambda _: False) if reasons else None

    def _fill_bitmasks(self, batch):
        for grammar, row, constrained, _ in batch:
            self.calls += 1
            if constrained and not grammar.is_terminated():
                grammar.fill_bitmask(self._grammar_bitmask, row)
            else:
                self._grammar_bitmask[row][:] = -1

    def grammar_bitmask(self, requests, structured_output_request_ids, scheduled_spec_decode_tokens):
        if self._grammar_bitmask is None:
            self._grammar_bitmask = self.backend.allocate_token_bitmask(32)
        row, drafts = 0, self.vllm_config.num_speculative_tokens
        for place, name in enumerate(structured_output_request_ids):
            grammar, moved = requests[name].grammar, 0
            row = row if drafts is None else place * (1 + drafts)
            for token in scheduled_spec_decode_tokens.get(name, []):
                self._fill_bitmasks(((grammar, row, True, ()),))
                moved += not grammar.is_terminated() and grammar.accept_tokens(name, [token])
                row += 1
            self._fill_bitmasks(((grammar, row, not requests[name].reasons, ()),))
            row += 1
            if moved:
                grammar.rollback(moved)
        return self._grammar_bitmask[:row]


class Scheduler:
    """vLLM's Scheduler, which keeps the drafts of its proposer."""

    def __init__(self, manager, requests):
        self.structured_output_manager, self.requests, self.num_spec_tokens = manager, requests, 8

    def update_draft_token_ids(self, draft_token_ids):
        for name, tokens in zip(draft_token_ids.req_ids, draft_token_ids.draft_token_ids):
            if name in self.requests:
                self.requests[name].spec_token_ids = tokens


class Worker:
    """vLLM's WorkerBase."""

    def __init__(self, vllm_config, rank, distributed_init_method=""):
        self.vllm_config, self.rank = vllm_config, rank


class Package:
    """The package xgrammar."""

    kernels = "xgrammar's own"

    def __init__(self):
        self.applied = 0

    def apply_token_bitmask_inplace(self, logits, bitmask, *, vocab_size=None, indices=None):
        self.applied += 1


def apply_grammar_bitmask(scheduler_output, grammar_output, input_batch, logits):
    """vLLM's, of runner V1: masks in the order of its batch."""
    xgr = sys.modules["vllm.v1.structured_output.utils"].xgr
    names, masks = grammar_output.structured_output_request_ids, grammar_output.grammar_bitmask
    of = [names.index(n) if n in names else -1 for n in input_batch.req_ids]
    rows = [i for i, place in enumerate(of) if place >= 0]
    in_order = np.array([masks[place] for place in of], masks.dtype)
    xgr.apply_token_bitmask_inplace(logits, in_order, indices=None if len(rows) == len(of) else rows)


class StructuredOutputsWorker:
    """vLLM's, of runner V2."""

    def __init__(self, mask_stride):
        self.mask_stride, self.kernel = mask_stride, 0

    def apply_grammar_bitmask(self, logits, input_batch, grammar_req_ids, grammar_bitmask):
        self.kernel += 1


class Params:
    """vLLM's SamplingParams."""

    def __init__(self, asked):
        self.structured_outputs = asked

    def _validate_structured_outputs(self, model_config, structured_outputs_config, tokenizer):
        from vllm.v1.structured_output.backend_xgrammar import validate_xgrammar_grammar

        asked, backend = self.structured_outputs, structured_outputs_config.backend
        if asked is None:
            return
        if asked._backend and asked._backend != backend:
            raise Invalid("request-level selection")
        asked._backend = backend
        if not asked.spec:
            raise Invalid("vLLM's own check")
        validate_xgrammar_grammar(self)


class AsyncLLM:
    """vLLM's: it checks a request when its first output is read."""

    def __init__(self, config, tokenizer):
        self.vllm_config = self.model_config = config
        self.input_processor = types.SimpleNamespace(tokenizer=tokenizer)

    async def generate(self, prompt, sampling_params, request_id):
        sampling_params._validate_structured_outputs(
            self.model_config, self.vllm_config, self.input_processor.tokenizer
        )
        yield prompt


class Tokenizer:
    """A fast tokenizer, of which the bytes are read."""

    eos_token_id = END[0]

    def __init__(self):
        self.backend_tokenizer, self.reads = self, 0


def validate_structural_tag_payload(payload, *, parameter):
    """vLLM's check of a tag before the request that it belongs to: it keeps the reason to itself."""
    from vllm.v1.structured_output.backend_xgrammar import validate_xgrammar_grammar

    try:
        validate_xgrammar_grammar(sys.modules["vllm.sampling_params"].SamplingParams(Asked("STRUCTURAL_TAG", payload)))
    except (TypeError, ValueError, Invalid) as e:
        raise Invalid(f"Invalid {parameter} structural_tag specification.", parameter=parameter) from e


def anew(kind):
    """A class of a test's own, which hooks may change."""
    return type(kind.__name__, (), {k: v for k, v in vars(kind).items() if k not in ("__dict__", "__weakref__")})


def put_in_place(monkeypatch, vocabulary):
    """Puts modules in vLLM's place, and returns their members."""
    own = []

    def validate_xgrammar_grammar(sampling_params):
        own.append(sampling_params.structured_outputs.spec)

    class XgrammarBackend:
        def __init__(self, vllm_config, tokenizer, vocab_size):
            pass

        def allocate_token_bitmask(self, rows):
            return "vLLM's own"

    class Beams:
        """vLLM's BeamSearchOfflineMixin: its backend is made of a name."""

        def _init_beam_search_structured_output(self, structured_outputs, tokenizer):
            from vllm.v1.structured_output import backend_xgrammar

            config = self.llm_engine.vllm_config
            if not structured_outputs._backend:
                structured_outputs._backend = config.structured_outputs_config.backend
            if structured_outputs._backend != "xgrammar":
                raise ValueError(f"Unsupported structured output backend: {structured_outputs._backend}")
            backend = backend_xgrammar.XgrammarBackend(
                vllm_config=config, tokenizer=tokenizer, vocab_size=config.get_vocab_size()
            )
            key = Kind(structured_outputs.kind), structured_outputs.spec
            return backend, key, backend.allocate_token_bitmask(1)

    names = {
        "vllm": {},
        "vllm.exceptions": {"VLLMValidationError": Invalid},
        "vllm.sampling_params": {"SamplingParams": anew(Params)},
        "vllm.v1": {},
        "vllm.v1.structured_output": {"StructuredOutputManager": anew(Manager)},
        "vllm.v1.structured_output.backend_types": {
            "StructuredOutputBackend": object,
            "StructuredOutputGrammar": object,
        },
        "vllm.v1.structured_output.utils": {"xgr": Package(), "apply_grammar_bitmask": apply_grammar_bitmask},
        "vllm.v1.core.sched.scheduler": {"Scheduler": anew(Scheduler)},
        "vllm.v1.worker": {},
        "vllm.v1.worker.worker_base": {"WorkerBase": anew(Worker)},
        "vllm.v1.worker.gpu": {},
        "vllm.v1.worker.gpu.structured_outputs": {"StructuredOutputsWorker": anew(StructuredOutputsWorker)},
        "vllm.v1.structured_output.backend_xgrammar": {
            "validate_xgrammar_grammar": validate_xgrammar_grammar,
            "XgrammarBackend": XgrammarBackend,
        },
        "vllm.v1.structured_output.request": {"get_structured_output_key": lambda a: (Kind(a.kind), a.spec)},
        "vllm.entrypoints.generate.beam_search.offline": {"BeamSearchOfflineMixin": Beams},
        _hooks.SERVER: {"AsyncLLM": anew(AsyncLLM)},
        _hooks.PROTOCOL: {"validate_structural_tag_payload": validate_structural_tag_payload},
        "torch": {
            "int32": np.int32,
            "full": lambda shape, value, dtype: np.full(shape, value, dtype),
            "Tensor": np.ndarray,
        },
    }
    made = types.SimpleNamespace(own=own)
    for name, members in names.items():
        module = types.ModuleType(name)
        module.__dict__.update(members)
        made.__dict__.update(members)
        monkeypatch.setitem(sys.modules, name, module)
    made.xgrammar = sys.modules["vllm.v1.structured_output.backend_xgrammar"]
    made.utils = sys.modules["vllm.v1.structured_output.utils"]
    made.modules = {n: m for n, m in sys.modules.items() if n in names}
    monkeypatch.delitem(sys.modules, "sluice.vllm._backend", raising=False)
    monkeypatch.setattr(_hooks, "_state", _hooks._State())
    monkeypatch.setattr(_worker, "_state", _worker._State())
    monkeypatch.setattr(_serving, "_all", [])
    monkeypatch.delenv(_hooks.SWITCH, raising=False)

    def read(tokenizer, size, end_tokens, keep_tokenizer=False):
        tokenizer.reads += 1
        tokens, added, special, _ = case_tokens()
        return sluice.Vocabulary.from_tokens(
            tokens, added=added, special=special, end_tokens=[tokenizer.eos_token_id], padded_size=size
        )

    monkeypatch.setattr(_serving, "_vocabulary", read)
    made.size = vocabulary.size + 40
    made.tokenizer = Tokenizer()
    return made


class Request:
    """vLLM's Request: its constraint, and whether it reasons."""

    def __init__(self, asked, stop=(END[0],)):
        self.asked, self.stop, self.reasons, self.prompt_token_ids = asked, stop, False, []
        self.structured_output_request = types.SimpleNamespace(grammar=None, reasoning_ended=None)
        self.use_structured_output, self.is_prefill_chunk, self.finished = True, False, False

    def is_finished(self):
        return self.finished

    @property
    def grammar(self):
        return self.structured_output_request.grammar


def started(vllm, *asked, **config):
    """A manager with a request for each constraint."""
    register()
    manager = vllm.StructuredOutputManager(Config(size=vllm.size, **config), vllm.tokenizer)
    requests = {str(i): Request(a) for i, a in enumerate(asked)}
    for r in requests.values():
        manager.grammar_init(r)
    return manager, requests


def allowed(row):
    return set(np.flatnonzero(np.unpackbits(np.asarray(row).view(np.uint8), bitorder="little")).tolist())
