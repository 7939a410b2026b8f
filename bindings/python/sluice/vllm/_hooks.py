"""Where Sluice is put into vLLM, place by place. Each hook stands alone: what a release lacks is named in the log, and
everything else still works; a hook that fails when it is called becomes vLLM's own code. Written against vLLM 0.33.0.

Invariant: an engine that has not chosen Sluice runs vLLM's own code in all its branches, behind one comparison.
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
from .._hooking import Hooks, after_import, needs, replace, switch

NAME = "sluice"
SWITCH = "SLUICE_VLLM"
FORMATS = "vllm.parser.abstract_parser"  # where a constraint becomes a part of a structural tag
PROTOCOL = "vllm.entrypoints.generate.base.protocol"  # where structural tags of requests are checked as they are read
SERVER = "vllm.v1.engine.async_llm"  # what a server hands its requests to

# PERF: of a step with so many rows each is asked for alone; to collect them costs 18 µs, and saves 2 a row.
FEW = 4

logger = logging.getLogger("vllm.sluice")


class _State:
    """What this process knows."""

    def __init__(self) -> None:
        self.registered = False
        self.chosen = False  # an engine of this process has chosen Sluice, as far as the front end has seen


_state = _State()

# While a request is checked: its engine's StructuredOutputsConfig and tokenizer, or None where the engine has another
# backend.
_checking: contextvars.ContextVar[Any] = contextvars.ContextVar("sluice_checking")

# Of the StructuredOutputsParams of a request that was checked when it was handed over, until it is checked again.
_AHEAD = "_sluice_checked"

# While vLLM makes what a beam search needs: which backend it is told that its request has.
_beaming: contextvars.ContextVar[str | None] = contextvars.ContextVar("sluice_beaming", default=None)


def register() -> None:
    """Installs all hooks that this vLLM has a place for."""
    if _state.registered or _switch() == "off":
        return
    _state.registered = True
    hooks = Hooks("vLLM", logger)
    hooks.install(HOOKS)
    hooks.say()


def _switch() -> str:
    return switch(SWITCH)


def _chosen(config: Any) -> bool:
    """Says whether an engine with this StructuredOutputsConfig is served."""
    if config is None:
        return False
    backend, said = getattr(config, "backend", None), _switch()
    return backend == NAME or said == "always" or (said == "auto" and backend == "auto")


def _chosen_here() -> bool:
    """Says whether an engine of this process is served, as far as is known before any request."""
    return _state.chosen or _switch() == "always"


def _choose() -> None:
    """Takes note that an engine of this process has chosen Sluice."""
    if not _state.chosen:
        _state.chosen = True
        _try(_lark_in_tags)


# ------------------------------------------------------------------------------------------------------------- name


def _hook_name() -> None:
    """`sluice` becomes a value of StructuredOutputsConfig.backend, on the command line too. Where a release has another
    place for its values the classes stay as they were."""
    from pydantic.dataclasses import rebuild_dataclass

    config = importlib.import_module("vllm.config.structured_outputs").StructuredOutputsConfig
    field = config.__dataclass_fields__["backend"]
    wider = Literal[(*get_args(field.type), NAME)]
    check = config.__pydantic_decorators__.model_validators["_validate_structured_output_config"]
    original = check.func
    hooked = False

    @functools.wraps(original)
    def validate(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.backend == NAME:
            _choose()  # whatever else it says, for Sluice it may
            if hooked:
                from .._settings import settings

                settings()  # what an operator has set wrongly is an error of the command line
            return self
        if _switch() == "auto":  # the last is the engine's: those before hold the defaults of the command line
            _state.chosen = _chosen(self)
        return original(self, *args, **kwargs)

    whole = importlib.import_module("vllm.config").VllmConfig  # it holds the rules of the other as they were
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
    """Makes a class have the members that it had."""
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
    """The manager of an engine gets our backend with its first request. What its operator has set wrongly ends the
    engine when it starts."""
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

                # Its name stays None: so requests are served whatever backend they were checked for.
                self.backend = SluiceBackend(
                    self.vllm_config, self.tokenizer, self.vllm_config.model_config.get_vocab_size()
                )
            return original(self, request)

        return grammar_init

    replace(manager, "__init__", make_init, logger, answers=(ValueError,))
    replace(manager, "grammar_init", make, logger, needed=True)


# ------------------------------------------------------------------------------------------------------------- rows


def _answers(request: Any) -> bool:
    """Says whether a request's next token is probably that of its answer, not one of its reasoning."""
    return getattr(request, "reasoning_ended", None) is not False


def _hook_rows() -> None:
    """All rows of a step, those of drafts too, are found in one call, on several threads where that pays: after vLLM
    has said which there are, or with drafts when it asks for the first."""
    manager = _manager()
    needs(manager._fill_bitmasks, "self", "batch", returns=None)
    needs(manager.grammar_bitmask, "self", "requests", "structured_output_request_ids", "scheduled_spec_decode_tokens")

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

            if few:
                forget()
                return original(self, *asked)
            step: Late | Chains = Late()
            if drafting:
                asking = [(i, requests[i].structured_output_request) for i in structured_output_request_ids]
                stride = 1 + (getattr(self.vllm_config, "num_speculative_tokens", None) or 0)
                drafts = scheduled_spec_decode_tokens
                step = Chains(((r.grammar, drafts.get(i, ()), _answers(r)) for i, r in asking), stride)
            self._sluice_step = step
            try:
                masks = original(self, *asked)
            finally:
                self._sluice_step = None
                step.end()
            step.finish(self._grammar_bitmask)  # of which masks is a view
            return masks

        return grammar_bitmask

    replace(manager, "_fill_bitmasks", make_fill, logger)
    replace(manager, "grammar_bitmask", make_bitmask, logger)


# ------------------------------------------------------------------------------------------------------- validation


def _hook_validation() -> None:
    """Requests are checked by the code that compiles them, so that front end and engine decide alike."""
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
            # vLLM's own code does all that is not a question of the backend. It calls the function below if it is told
            # that the backend is xgrammar.
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
        def validate_xgrammar_grammar(sampling_params: Any) -> None:
            asked = sampling_params.structured_outputs
            # A tag or a schema before the request that it belongs to comes without its engine's options, which do not
            # make right what is wrong. It will be checked again.
            given = _checking.get(())
            if given is None or asked is None or (not given and not _chosen_here()):
                return original(sampling_params)
            from . import _compiling

            try:
                kind, spec = key_of(asked)  # where a schema that came as an object becomes a text, if it can
                _compiling.check(kind.name, spec, *(given or (None,)))
            except (LimitError, RecursionError, TypeError, ValueError) as e:  # others are not the client's
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
    """Calls a hook while vLLM imports modules and makes engines; what goes wrong is said in the log."""
    try:
        hook(*arguments)
    except Exception as e:
        logger.warning("This release of vLLM has no place for %s: %s: %s", hook.__name__, type(e).__name__, e)


def _check_ahead(invalid: Any) -> None:
    """A server's request is checked when it is handed over. vLLM does that when its first output is asked for, and a
    client that has its answer streamed would read the status 200 before."""
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
    """Where vLLM reads a structural tag it says only that it is invalid, and keeps the reason to itself: ours is
    told. The function is called in its own module alone."""
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
    """Where vLLM puts a request's own constraint into a structural tag, beside its tools or in the channels of gpt-oss,
    Lark stays as it is: vLLM would have xgrammar print it as EBNF, which refuses what only Sluice reads.

    Parsers import the function by name, so that it is replaced in every module that has it. Those that are loaded later
    import the one that is in its place by then.
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
    """Beam search of the class LLM makes a backend of its own. vLLM makes everything that belongs to it, in whatever
    shape its release has, and finds our class where it looks for the one of xgrammar."""
    mixin = importlib.import_module("vllm.entrypoints.generate.beam_search.offline").BeamSearchOfflineMixin
    module = importlib.import_module("vllm.v1.structured_output.backend_xgrammar")
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
    """A worker whose engine has chosen Sluice applies masks with our kernels."""
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
                _worker.serve(vllm_config, utils)  # which raises nothing: a worker is made once

        return __init__

    replace(worker, "__init__", make, logger)


HOOKS: dict[str, Callable[[], None]] = {
    "name": _hook_name,
    "backend": _hook_backend,
    "rows": _hook_rows,
    "validation": _hook_validation,
    "apply": _hook_apply,
    "beam search": _hook_beams,
}
