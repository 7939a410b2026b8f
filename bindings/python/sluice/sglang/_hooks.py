"""The hooks that put Sluice into SGLang. Written against SGLang 0.5.23.

Hooks are independent. If a release lacks a hook's place, the log names it and the other hooks work. If a hook fails
when it is called, SGLang's own code runs instead.

Invariant: a process that does not use Sluice runs SGLang's own code, with one more name in two tables.
"""

from __future__ import annotations

import functools
import importlib
import logging
from typing import Any

from .._hooking import Hooks, guarded, needs, off, replace

NAME = "sluice"
SWITCH = "SLUICE_SGLANG"
TREES = "sglang.srt.speculative.spec_utils.generate_token_bitmask"

logger = logging.getLogger("sglang.sluice")


class _State:
    """The state of this process."""

    def __init__(self) -> None:
        self.hooks: Hooks | None = None  # None: not registered
        self.serving = False  # a backend was made, and its hooks are installed


_state = _State()


def register() -> None:
    """Adds the name to SGLang's tables."""
    if _state.hooks is not None or off(SWITCH, logger, "on"):
        return
    _state.hooks = Hooks("SGLang", logger)
    _state.hooks.install({"name": _hook_name, "backend": _hook_backend})
    if _state.hooks.lacking:
        _state.hooks.say()


def _hook_name() -> None:
    """Makes `--grammar-backend` accept the name."""
    importlib.import_module("sglang.srt.server_args").add_grammar_backend_choices([NAME])


def _hook_backend() -> None:
    """Makes a scheduler with this name get our backend."""
    importlib.import_module("sglang.srt.constrained.base_grammar_backend").register_grammar_backend(NAME, make)


def make(server_args: Any, tokenizer: Any, vocab_size: int, eos_token_ids: Any = None) -> Any:
    """Returns the backend of a scheduler, behind SGLang's gate for reasoning if the model has a parser for it.

    Args:
        server_args: SGLang's options as given.
        tokenizer: the model's tokenizer.
        vocab_size: the width of the model's logits.
        eos_token_ids: the end tokens of the model's configuration, or None.

    Raises:
        TypeError, ValueError, SluiceError: the tokenizer cannot be read.
    """
    if not _state.serving:
        _state.serving = True
        hooks = _state.hooks or Hooks("SGLang", logger)
        hooks.install({"draft trees": _hook_trees, "rows behind reasoning": _hook_reasoning})
        from .._settings import settings

        if settings().max_tokens:
            hooks.install({"max_new_tokens": _hook_limits})
        hooks.install({"metrics": _hook_metrics})
        hooks.say()  # the process has set up its log by now
    from ._backend import make_backend

    return make_backend(server_args, tokenizer, vocab_size, eos_token_ids)


def _hook_trees() -> None:
    """Fills the rows of draft trees in one call, instead of node by node in SGLang."""
    utils = importlib.import_module("sglang.srt.speculative.spec_utils")
    registry = importlib.import_module("sglang.srt.plugins.hook_registry")
    tree = ("retrieve_next_token_cpu", "retrieve_next_sibling_cpu", "draft_tokens_cpu")
    needs(utils.generate_token_bitmask, "reqs", *tree, "vocab_size", values=2)
    needs(utils.traverse_tree, "retrieve_next_token", "retrieve_next_sibling", "draft_tokens", "grammar")
    from ._grammar import fill_trees

    before = utils.generate_token_bitmask

    @functools.cache
    def ours(original: Any) -> Any:
        return guarded(original, lambda original: functools.partial(fill_trees, original), logger)

    def around(original: Any, *args: Any, **kwargs: Any) -> Any:
        return ours(original)(*args, **kwargs)

    registry.HookRegistry.register(TREES, around, registry.HookType.AROUND)
    registry.HookRegistry.apply_hooks()
    if utils.generate_token_bitmask is before:
        raise RuntimeError("another plugin has hooked generate_token_bitmask before")


def _hook_metrics() -> None:
    """Fills SGLang's metrics of grammars."""
    from ._metrics import hook

    hook()


def _hook_reasoning() -> None:
    """Fills batches with requests that reason in one call, as other batches."""
    reasoner = importlib.import_module("sglang.srt.constrained.reasoner_grammar_backend").ReasonerGrammarObject
    needs(reasoner.fill_vocab_mask_batched, "entries", "vocab_mask", returns=None)
    from ._grammar import fill_entries

    replace(reasoner, "fill_vocab_mask_batched", lambda _: fill_entries, logger)


def _hook_limits() -> None:
    """Gives each request its limit of tokens when its grammar is ready. No token has come by then."""
    manager = importlib.import_module("sglang.srt.constrained.grammar_manager").GrammarManager
    needs(manager.process_req_with_grammar, "self", "req")
    needs(manager.get_ready_grammar_requests, "self")
    from ._grammar import limit_request

    def make_process(original: Any) -> Any:
        def process_req_with_grammar(self: Any, req: Any) -> Any:
            waits = original(self, req)
            if not waits:
                limit_request(req)
            return waits

        return process_req_with_grammar

    def make_ready(original: Any) -> Any:
        def get_ready_grammar_requests(self: Any) -> Any:
            ready = original(self)
            for req in ready:
                limit_request(req)
            return ready

        return get_ready_grammar_requests

    replace(manager, "process_req_with_grammar", make_process, logger)
    replace(manager, "get_ready_grammar_requests", make_ready, logger)
