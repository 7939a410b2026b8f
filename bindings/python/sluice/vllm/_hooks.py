"""The hooks that put Sluice into vLLM, one function for each place. Written against vLLM 0.33.0.

Hooks are independent. If a release lacks a hook's place, the log names it and the other hooks work. If a hook fails
when it is called, vLLM's own code runs instead.

Invariant: an engine with another backend runs vLLM's own code after one comparison.
"""

from __future__ import annotations

import contextvars
import copy
import functools
import importlib
import logging
import sys
from collections.abc import Callable
from typing import Any, Literal, get_args

from .._errors import LimitError
from .._hooking import Hooks, after_import, needs, off, replace, switch

NAME = "sluice"
SWITCH = "SLUICE_VLLM"
FORMATS = "vllm.parser.abstract_parser"  # puts a constraint into a structural tag
PROTOCOL = "vllm.entrypoints.generate.base.protocol"  # checks structural tags when it reads a request
SERVER = "vllm.v1.engine.async_llm"  # takes the requests of a server

# PERF: steps of at most this many rows are filled row by row. Collecting the rows costs 18 µs and saves 2 µs a row.
FEW = 4

logger = logging.getLogger("vllm.sluice")


class _State:
    """The state of this process."""

    def __init__(self) -> None:
        self.registered = False
        self.chosen = False  # the front end has seen that an engine of this process uses Sluice


_state = _State()

# While vLLM checks a request: the engine's StructuredOutputsConfig and tokenizer, or None if it has another backend.
_checking: contextvars.ContextVar[Any] = contextvars.ContextVar("sluice_checking")

# Marks the StructuredOutputsParams of a request that the server hook has checked, until vLLM checks it again.
_AHEAD = "_sluice_checked"

# While vLLM prepares a beam search: the backend name that it sees in the request.
_beaming: contextvars.ContextVar[str | None] = contextvars.ContextVar("sluice_beaming", default=None)


def register() -> None:
    """Installs all hooks that this vLLM has a place for."""
    if _state.registered or off(SWITCH, logger, "auto", "always"):
        return
    _state.registered = True
    hooks = Hooks("vLLM", logger)
    hooks.install(HOOKS)
    hooks.say()


def _switch() -> str:
    return switch(SWITCH)


def _chosen(config: Any) -> bool:
    """Returns whether Sluice serves an engine with this StructuredOutputsConfig."""
    if config is None:
        return False
    backend, said = getattr(config, "backend", None), _switch()
    return backend == NAME or said == "always" or (said == "auto" and backend == "auto")


def _chosen_here() -> bool:
    """Returns whether Sluice serves an engine of this process, as far as is known before the first request."""
    return _state.chosen or _switch() == "always"


def _choose() -> None:
    """Remembers that an engine of this process uses Sluice."""
    if not _state.chosen:
        _state.chosen = True
        _try(_lark_in_tags)


# ------------------------------------------------------------------------------------------------------------- name


def _hook_name() -> None:
    """Makes `sluice` a value of StructuredOutputsConfig.backend, on the command line too.

    If a release stores its values elsewhere, the classes stay as they were.
    """
    from pydantic.dataclasses import rebuild_dataclass

    config = importlib.import_module("vllm.config.structured_outputs").StructuredOutputsConfig
    field = config.__dataclass_fields__["backend"]
    values = (*get_args(field.type), NAME)
    wider: Any = Literal[values]
    check = config.__pydantic_decorators__.model_validators["_validate_structured_output_config"]
    original = check.func
    hooked = False

    @functools.wraps(original)
    def validate(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.backend == NAME:
            _choose()  # vLLM's other rules for backends do not apply to Sluice
            if hooked:
                from .._settings import settings

                settings()  # a wrong environment variable is an error of the command line
            return self
        if _switch() == "auto":  # the last config is the engine's; earlier ones hold defaults of the command line
            _state.chosen = _chosen(self)
        return original(self, *args, **kwargs)

    whole = importlib.import_module("vllm.config").VllmConfig  # has a copy of the old validation rules
    about = config.__pydantic_fields__["backend"]
    kept = {c: dict(vars(c)) for c in (config, whole)}
    narrow = config.__annotations__["backend"], field.type, about.annotation

    def put(annotation: Any, type_: Any, pydantics: Any, function: Any) -> None:
        config.__annotations__["backend"], field.type, about.annotation = annotation, type_, pydantics
        check.func = function

    try:
        put(wider, wider, wider, validate)
        config._validate_structured_output_config = validate
        rebuild_dataclass(config, force=True)
        rebuild_dataclass(whole, force=True)
        config(backend=NAME, disable_any_whitespace=True, disable_additional_properties=True)
        hooked = True
    except BaseException:
        put(*narrow, original)
        for c, members in kept.items():
            _restore(c, members)
        raise
    finally:
        _state.chosen = False


def _restore(owner: type, members: dict[str, Any]) -> None:
    """Restores the members of a class."""
    for name, value in dict(vars(owner)).items():
        if name not in members:
            delattr(owner, name)
        elif members[name] is not value:
            setattr(owner, name, members[name])
    for name in members.keys() - vars(owner).keys():
        setattr(owner, name, members[name])


# ---------------------------------------------------------------------------------------------------------- backend


def _manager() -> Any:
    return importlib.import_module("vllm.v1.structured_output").StructuredOutputManager


def _hook_backend() -> None:
    """Gives the manager of an engine our backend at the first request.

    A wrong environment variable ends the engine when it starts.
    """
    manager = _manager()
    needs(manager.grammar_init, "self", "request", returns=None)
    needs(manager.__init__, "self", "vllm_config")

    def make_init(original: Any) -> Any:
        def __init__(self: Any, vllm_config: Any, *args: Any, **kwargs: Any) -> None:
            if _chosen(vllm_config.structured_outputs_config):
                from .._settings import settings

                settings()
            original(self, vllm_config, *args, **kwargs)

        return __init__

    def make(original: Any) -> Any:
        def grammar_init(self: Any, request: Any) -> Any:
            if (
                request.structured_output_request is not None
                and self.backend is None
                and _chosen(self.vllm_config.structured_outputs_config)
            ):
                from ._backend import SluiceBackend

                # The backend's name stays None, so that it serves requests that were checked for any backend.
                self.backend = SluiceBackend(
                    self.vllm_config, self.tokenizer, self.vllm_config.model_config.get_vocab_size()
                )
            return original(self, request)

        return grammar_init

    replace(manager, "__init__", make_init, logger, answers=(ValueError,))
    replace(manager, "grammar_init", make, logger, needed=True)


# ------------------------------------------------------------------------------------------------------------- rows


def _grammar(request: Any) -> Any:
    return request.structured_output_request.grammar


def _answers(manager: Any, request: Any) -> bool:
    """Returns whether the request's next token belongs to its answer and not to its reasoning.

    vLLM leaves reasoning_ended None if the prompt ends the reasoning, and until it computes the request's first row.
    """
    ended = request.structured_output_request.reasoning_ended
    if ended or manager.enable_in_reasoning:
        return True
    reasoner = manager._get_reasoner(request)
    return reasoner is None or (ended is None and reasoner.is_reasoning_end(request.prompt_token_ids or []))


def _limit(manager: Any, request: Any) -> None:
    """Limits an output to the tokens that its request has left, as soon as the answer begins. Reasoning counts."""
    grammar = _grammar(request)
    if not grammar.limited and _answers(manager, request):
        try:
            grammar.limit(request.max_tokens - request.num_output_tokens)
        except (AttributeError, TypeError) as e:
            logger.warning("This release of vLLM tells no limit of tokens: %s", e)
            grammar.limited = True


def _hook_rows() -> None:
    """Fills all rows of a step, draft rows included, in one call, on several threads if that is faster.

    Without drafts the call comes after vLLM has named all rows; with drafts, when vLLM requests the first row.
    """
    manager = _manager()
    needs(manager._fill_bitmasks, "self", "batch", returns=None)
    needs(manager.grammar_bitmask, "self", "requests", "structured_output_request_ids", "scheduled_spec_decode_tokens")
    needs(manager._get_reasoner, "self", "request")

    def make_fill(original: Any) -> Any:
        def _fill_bitmasks(self: Any, batch: Any) -> Any:
            step = self.__dict__.get("_sluice_step")
            if step is None:
                return original(self, batch)
            masks = self._grammar_bitmask
            others = [e for e in batch if not step.takes(masks, e[0], e[1], e[2])]
            return original(self, others) if others else None

        return _fill_bitmasks

    def make_bitmask(original: Any) -> Any:
        def grammar_bitmask(
            self: Any, requests: Any, structured_output_request_ids: Any, scheduled_spec_decode_tokens: Any
        ) -> Any:
            asked = (requests, structured_output_request_ids, scheduled_spec_decode_tokens)
            drafting = any(scheduled_spec_decode_tokens.values())
            few = not drafting and len(structured_output_request_ids) <= FEW
            if type(self.backend).__name__ != "SluiceBackend":
                return original(self, *asked)
            from .._serving import Chains, Late, forget

            if self.backend.limiting:
                for i in structured_output_request_ids:
                    _limit(self, requests[i])
            if few:
                forget()
                return original(self, *asked)
            step: Late | Chains = Late()
            if drafting:
                asking = [(i, requests[i]) for i in structured_output_request_ids]
                stride = 1 + (getattr(self.vllm_config, "num_speculative_tokens", None) or 0)
                drafts = scheduled_spec_decode_tokens
                chains = ((_grammar(r), drafts.get(i, ()), _answers(self, r)) for i, r in asking)
                step = Chains(chains, stride)
            self._sluice_step = step
            try:
                masks = original(self, *asked)
            finally:
                self._sluice_step = None
                step.end()
            step.finish(self._grammar_bitmask)  # `masks` is a view of it
            return masks

        return grammar_bitmask

    replace(manager, "_fill_bitmasks", make_fill, logger)
    replace(manager, "grammar_bitmask", make_bitmask, logger)


# ----------------------------------------------------------------------------------------------------------- drafts


def _hook_drafts() -> None:
    """Gives requests the drafts of their grammars, in engines whose proposer is `sluice.vllm.Drafts`."""
    scheduler = importlib.import_module("vllm.v1.core.sched.scheduler").Scheduler
    needs(scheduler.update_draft_token_ids, "self", "draft_token_ids", returns=None)

    def make(original: Any) -> Any:
        def update_draft_token_ids(self: Any, draft_token_ids: Any) -> None:
            original(self, draft_token_ids)
            manager = self.structured_output_manager
            if not getattr(manager.backend, "drafting", False):
                return
            for name in draft_token_ids.req_ids:
                request = self.requests.get(name)
                # A finished request may be gone already, and chunks of a prompt take no drafts.
                if request is None or request.is_finished() or request.is_prefill_chunk:
                    continue
                if request.use_structured_output and _answers(manager, request):
                    request.spec_token_ids = _grammar(request).drafts(self.num_spec_tokens)

        return update_draft_token_ids

    replace(scheduler, "update_draft_token_ids", make, logger)


# ------------------------------------------------------------------------------------------------------- validation


def _hook_validation() -> None:
    """Checks requests with the code that compiles them, so that front end and engine decide alike."""
    params = importlib.import_module("vllm.sampling_params").SamplingParams
    module = importlib.import_module("vllm.v1.structured_output.backend_xgrammar")
    invalid = importlib.import_module("vllm.exceptions").VLLMValidationError
    key_of = importlib.import_module("vllm.v1.structured_output.request").get_structured_output_key
    asked_of = "self", "model_config", "structured_outputs_config", "tokenizer"
    needs(params._validate_structured_outputs, *asked_of, returns=None)
    needs(module.validate_xgrammar_grammar, "sampling_params", returns=None)

    def make_verify(original: Any) -> Any:
        def _validate_structured_outputs(
            self: Any, model_config: Any, structured_outputs_config: Any, tokenizer: Any
        ) -> Any:
            asked, config = self.structured_outputs, structured_outputs_config
            if asked is None or not _chosen(config):
                token = _checking.set(None)
                try:
                    return original(self, model_config, config, tokenizer)
                finally:
                    _checking.reset(token)
            if asked.__dict__.pop(_AHEAD, False):
                return None
            # vLLM's own code makes all checks that do not depend on the backend. It sees the backend xgrammar, and so
            # calls validate_xgrammar_grammar, which is hooked below.
            _choose()
            told = copy.copy(config)
            object.__setattr__(told, "backend", "xgrammar")
            if asked._backend == config.backend:
                asked._backend = None
            token = _checking.set((config, tokenizer))
            try:
                original(self, model_config, told, tokenizer)
            finally:
                _checking.reset(token)
            asked._backend = _beaming.get() or config.backend
            return None

        return _validate_structured_outputs

    def make_check(original: Any) -> Any:
        def validate_xgrammar_grammar(sampling_params: Any) -> Any:
            asked = sampling_params.structured_outputs
            # vLLM checks a tag or schema before its request, without the engine's options. No option turns a wrong
            # constraint into a right one, and vLLM checks it again with the request.
            given = _checking.get(())
            if given is None or asked is None or (not given and not _chosen_here()):
                return original(sampling_params)
            from . import _compiling

            try:
                kind, spec = key_of(asked)  # serialises a schema that came as an object; this may fail
                _compiling.check(kind.name, spec, *(given or (None,)))
            except (LimitError, RecursionError, TypeError, ValueError) as e:  # the client's errors
                told = invalid(str(e))
                told._sluice = True
                raise told from e
            return None

        return validate_xgrammar_grammar

    replace(params, "_validate_structured_outputs", make_verify, logger, answers=(invalid,), needed=True)
    replace(module, "validate_xgrammar_grammar", make_check, logger, answers=(invalid,), needed=True)
    after_import(PROTOCOL, lambda: _try(_tell_reasons, invalid))
    after_import(SERVER, lambda: _try(_check_ahead, invalid))
    after_import(FORMATS, lambda: _try(_lark_in_tags))


def _try(hook: Callable[..., None], *arguments: Any) -> None:
    """Calls a hook while vLLM imports modules and makes engines. Failures are logged."""
    try:
        hook(*arguments)
    except Exception as e:
        logger.warning("This release of vLLM lacks the place for %s: %s: %s", hook.__name__, type(e).__name__, e)


def _check_ahead(invalid: Any) -> None:
    """Checks a server's request when the server hands it over.

    vLLM checks it when the first output is requested. A client that streams would by then have read status 200.
    """
    engine = sys.modules[SERVER].AsyncLLM
    needs(engine.generate, "self", "prompt", "sampling_params")

    def make(original: Any) -> Any:
        def generate(self: Any, prompt: Any, sampling_params: Any, *args: Any, **kwargs: Any) -> Any:
            config = self.vllm_config.structured_outputs_config
            asked = getattr(sampling_params, "structured_outputs", None)
            if asked is not None and _chosen(config):
                tokenizer = self.input_processor.tokenizer
                sampling_params._validate_structured_outputs(self.model_config, config, tokenizer)
                asked.__dict__[_AHEAD] = True
            return original(self, prompt, sampling_params, *args, **kwargs)

        return generate

    replace(engine, "generate", make, logger, answers=(invalid,))


def _tell_reasons(invalid: Any) -> None:
    """Adds our reason to the error of a structural tag. vLLM says only that the tag is invalid.

    Replacing the function in its own module is enough, because no other module calls it.
    """
    home = sys.modules[PROTOCOL]
    needs(home.validate_structural_tag_payload, "payload", "parameter", returns=None)

    def make(original: Any) -> Any:
        def validate_structural_tag_payload(payload: Any, *, parameter: str) -> None:
            try:
                original(payload, parameter=parameter)
            except invalid as e:
                if getattr(e.__cause__, "_sluice", False):
                    raise invalid(str(e.__cause__), parameter=parameter) from e.__cause__
                raise

        return validate_structural_tag_payload

    replace(home, "validate_structural_tag_payload", make, logger, answers=(invalid,))


def _lark_in_tags() -> None:
    """Keeps Lark as written when vLLM puts a request's constraint into a structural tag (beside tools, or for gpt-oss).

    vLLM would have xgrammar print it as EBNF, which fails for Lark that only Sluice reads. Parsers import the function
    by name, so the hook replaces it in every module that has it. Modules loaded later import the replacement.
    """
    home = sys.modules.get(FORMATS)
    original = getattr(home, "structured_outputs_to_format", None)
    if original is None:
        return
    if not hasattr(original, "_sluice"):
        utils = importlib.import_module("vllm.v1.structured_output.utils")

        def make(original: Any) -> Any:
            def structured_outputs_to_format(params: Any) -> Any:
                text = getattr(params, "grammar", None)
                if text is None or not _chosen_here() or not utils.grammar_is_likely_lark(text):
                    return original(params)
                return importlib.import_module("xgrammar.structural_tag").GrammarFormat(grammar=text)

            return structured_outputs_to_format

        replace(home, "structured_outputs_to_format", make, logger)
    ours = home.structured_outputs_to_format  # type: ignore[union-attr]
    for module in list(sys.modules.values()):
        there = getattr(module, "__dict__", {}).get("structured_outputs_to_format")
        if there is not None and there is ours.__wrapped__:
            module.structured_outputs_to_format = ours  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------------------------------------ beams


def _hook_beams() -> None:
    """Serves beam search of the class LLM, which makes its own backend.

    vLLM builds all parts for its release, and finds our class under the name of xgrammar's.
    """
    mixin = importlib.import_module("vllm.entrypoints.generate.beam_search.offline").BeamSearchOfflineMixin
    module: Any = importlib.import_module("vllm.v1.structured_output.backend_xgrammar")
    needs(mixin._init_beam_search_structured_output, "self", "structured_outputs", "tokenizer")
    needs(module.XgrammarBackend.__init__, "self", "vllm_config", "tokenizer", "vocab_size")

    def make_backend(vllm_config: Any, tokenizer: Any, vocab_size: int) -> Any:
        from ._backend import SluiceBackend

        return SluiceBackend(vllm_config, tokenizer, vocab_size)

    def make(original: Any) -> Any:
        def _init_beam_search_structured_output(self: Any, structured_outputs: Any, tokenizer: Any) -> Any:
            if not _chosen(self.llm_engine.vllm_config.structured_outputs_config):
                return original(self, structured_outputs, tokenizer)
            told = copy.copy(structured_outputs)
            told._backend = "xgrammar"
            own, token = module.XgrammarBackend, _beaming.set("xgrammar")
            module.XgrammarBackend = make_backend
            try:
                return original(self, told, tokenizer)
            finally:
                module.XgrammarBackend = own
                _beaming.reset(token)

        return _init_beam_search_structured_output

    replace(mixin, "_init_beam_search_structured_output", make, logger)


# ------------------------------------------------------------------------------------------------------------ apply


def _hook_apply() -> None:
    """Makes workers of an engine that uses Sluice apply masks with our kernels."""
    utils = importlib.import_module("vllm.v1.structured_output.utils")
    worker = importlib.import_module("vllm.v1.worker.worker_base").WorkerBase
    needs(worker.__init__, "self", "vllm_config")
    from . import _worker

    _worker.hook_v1(utils)

    def make(original: Any) -> Any:
        def __init__(self: Any, vllm_config: Any, *args: Any, **kwargs: Any) -> None:
            chosen = _chosen(vllm_config.structured_outputs_config)
            original(self, vllm_config, *args, **kwargs)
            if chosen:
                _worker.serve(vllm_config, utils)  # never raises: an exception would end the worker

        return __init__

    replace(worker, "__init__", make, logger)


HOOKS: dict[str, Callable[[], None]] = {
    "name": _hook_name,
    "backend": _hook_backend,
    "rows": _hook_rows,
    "drafts": _hook_drafts,
    "validation": _hook_validation,
    "apply": _hook_apply,
    "beam search": _hook_beams,
}
