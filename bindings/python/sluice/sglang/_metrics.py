"""SGLang's metrics of grammars: SGLang 0.5.23 declares them and fills none.

Two functions run behind methods of SGLang's GrammarManager, as hooks of SGLang's own registry. They change no result.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any

from .._hooking import needs

logger = logging.getLogger("sglang.sluice")

MANAGER = "sglang.srt.constrained.grammar_manager.GrammarManager"


def hook() -> None:
    """Installs both functions."""
    registry = importlib.import_module("sglang.srt.plugins.hook_registry")
    manager = importlib.import_module(MANAGER.rpartition(".")[0]).GrammarManager
    needs(manager.process_req_with_grammar, "self", "req")
    needs(manager.get_ready_grammar_requests, "self")
    before = manager.process_req_with_grammar
    for name, after in (("process_req_with_grammar", _asked), ("get_ready_grammar_requests", _ready)):
        registry.HookRegistry.register(f"{MANAGER}.{name}", _quiet(after), registry.HookType.AFTER)
    registry.HookRegistry.apply_hooks()
    if manager.process_req_with_grammar is before:
        raise RuntimeError("another plugin has hooked GrammarManager before")


def _quiet(after: Callable[..., None]) -> Callable[..., None]:
    """Returns a hook that never fails: the first error is logged and ends the counting."""
    failed = False

    def call(result: Any, manager: Any, *arguments: Any, **more: Any) -> None:
        nonlocal failed
        collector = getattr(manager.scheduler, "metrics_collector", None)
        if collector is None or failed:
            return
        try:
            after(collector, result, manager, *arguments, **more)
        except Exception:
            failed = True
            logger.exception("SGLang's metrics of grammars are not filled any more")

    return call


def _count(collector: Any, name: str) -> None:
    getattr(collector, name).labels(**collector.labels).inc()


def _asked(collector: Any, queued: bool, manager: Any, req: Any) -> None:
    """Counts a request with a grammar, behind process_req_with_grammar."""
    if req.grammar is None:
        return
    _count(collector, "num_grammar_total")
    if not queued:
        _count(collector, "num_grammar_cache_hit")
        if hasattr(req.grammar, "error_message"):
            _count(collector, "num_grammar_aborted")


def _ready(collector: Any, ready: Iterable[Any], manager: Any) -> None:
    """Counts requests whose grammar is ready or has failed, behind get_ready_grammar_requests."""
    for req in ready:
        made = req.grammar
        if isinstance(made, Future):  # the request was aborted, or its grammar took too long
            if req.grammar_wait_ct >= manager.SGLANG_GRAMMAR_MAX_POLL_ITERATIONS:
                _count(collector, "num_grammar_timeout")
        elif hasattr(made, "error_message"):
            _count(collector, "num_grammar_aborted")
        elif made is not None:
            stats = made.grammar_stats or getattr(getattr(made, "grammar", None), "grammar_stats", None)
            if stats is not None and stats.compilation_time is not None:
                collector.grammar_compilation_time.labels(**collector.labels).observe(stats.compilation_time)
            kind, spec = req.grammar_key
            if kind.endswith("ebnf"):
                collector.grammar_ebnf_size.labels(**collector.labels).observe(len(spec))
