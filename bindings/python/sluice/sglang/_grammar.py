"""One request of SGLang with its constraint, and the calls for many requests: batches and draft trees.

Invariant: mask and `accept` agree bit by bit, because SGLang relies on it. A refusal is a ValueError, because SGLang's
scheduler ends a request only for that exception.
"""

from __future__ import annotations

import dataclasses
import functools
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

import torch
from sglang.srt.constrained.base_grammar_backend import BaseGrammarObject, GrammarStats

from .._apply import apply_bitmask
from .._batch import Batch
from .._errors import SluiceError, UnsatisfiableError
from .._grammar import Matcher
from .._serving import Steps, fill_rows, forget

logger = logging.getLogger("sglang.sluice")


@functools.cache
def _pins() -> bool:
    """Returns whether pinned memory is available. Asking SGLang takes longer than allocating a small row."""
    try:
        from sglang.srt.utils.common import is_pin_memory_available
    except ImportError:
        return torch.cuda.is_available()
    return is_pin_memory_available()


def allocate_mask(vocab_size: int, batch_size: int, device: Any = None) -> torch.Tensor:
    """Returns rows that allow everything, in pinned memory if there is any."""
    return torch.full((batch_size, (vocab_size + 31) // 32), -1, dtype=torch.int32, pin_memory=_pins())


def move_mask(vocab_mask: torch.Tensor, device: Any) -> torch.Tensor:
    """Copies rows to the device of the logits."""
    return vocab_mask.to(device, non_blocking=True)


def apply_mask(logits: torch.Tensor, vocab_mask: torch.Tensor) -> None:
    """Sets the logits of forbidden tokens to −inf: with our kernels on CPU and CUDA, with SGLang's elsewhere.

    Raises:
        ValueError: logits and masks differ in rows. Our kernels would apply a single row to all.
    """
    if (1, *logits.shape)[-2] != (1, *vocab_mask.shape)[-2]:
        raise ValueError(f"logits and masks have different rows: {tuple(logits.shape)} and {tuple(vocab_mask.shape)}")
    kind = logits.device.type
    if kind == "npu":
        import sgl_kernel_npu  # noqa: F401

        torch.ops.npu.apply_token_bitmask(logits, vocab_mask)
    elif kind == "cuda" and torch.version.hip:
        from sgl_kernel import apply_token_bitmask_inplace_cuda

        apply_token_bitmask_inplace_cuda(logits, vocab_mask)
    elif kind in ("xpu", "musa"):
        from sglang.kernels.ops.grammar.bitmask_ops import apply_token_bitmask_inplace_triton

        apply_token_bitmask_inplace_triton(logits, vocab_mask)
    else:
        apply_bitmask(logits, vocab_mask)


class SluiceGrammar(Steps, BaseGrammarObject):
    """One request. For one thread at a time. SGLang tests it for truth, so it defines neither length nor truth."""

    logger = logger

    def __init__(self, matcher: Matcher, kind: str, options: dict[str, Any], stats: GrammarStats | None = None):
        """Takes a matcher that has accepted nothing. The matcher must ignore tokens after its end.

        Args:
            matcher: a matcher of the compiled constraint.
            kind, options: kind and options of the compilation.
            stats: SGLang's statistics.
        """
        super().__init__()
        self.begin(matcher, kind)
        self.options = options
        self.grammar_stats = stats
        self._late: list[tuple[SluiceGrammar, int]] | None = None
        self._left: Callable[[], int] | None = None

    def accept_token(self, token: int) -> None:
        """Accepts a token. Raises ValueError, and moves nothing, if it is not allowed."""
        self.step(token)
        self.current_token = token

    def rollback(self, k: int) -> None:
        """Takes back the last tokens, tokens after the end included."""
        self.back(k)

    def copy(self) -> SluiceGrammar:
        """Returns another request at the same place."""
        stats = self.grammar_stats
        if stats is not None:
            stats = dataclasses.replace(stats, is_cache_hit=True, tree_traversal_time=[])
        twin = SluiceGrammar(self.matcher.fork(), self.kind, self.options, stats)
        twin._steps, twin._ended = self._steps, self._ended
        return twin

    def limit_when_open(self, left: Callable[[], int]) -> None:
        """Limits the output to `left()` tokens when SGLang first requests a row, after the reasoning."""
        self._left = left

    def begin_limit(self) -> None:
        """Sets the limit, if one waits."""
        if self._left is not None:
            left, self._left = self._left, None
            self.limit(left())

    def fill_vocab_mask(self, vocab_mask: torch.Tensor, idx: int) -> None:
        """Writes the set of tokens allowed next, always the whole row."""
        self.begin_limit()
        if self._late is None:
            self.fill(vocab_mask, idx)
        else:
            self._late.append((self, idx))

    @staticmethod
    def fill_vocab_mask_batched(entries: Sequence[Any], vocab_mask: torch.Tensor) -> None:
        """Fills the rows of a batch, also for grammars of other backends."""
        fill_entries(entries, vocab_mask)

    @staticmethod
    def reset_vocab_mask(vocab_mask: torch.Tensor) -> None:
        """Makes rows allow everything again."""
        vocab_mask.fill_(-1)

    def allocate_vocab_mask(self, vocab_size: int, batch_size: int, device: Any) -> torch.Tensor:
        """Returns rows that allow everything."""
        return allocate_mask(vocab_size, batch_size, device)

    @staticmethod
    def move_vocab_mask(vocab_mask: torch.Tensor, device: Any) -> torch.Tensor:
        """Copies rows to the device of the logits."""
        return move_mask(vocab_mask, device)

    @staticmethod
    def apply_vocab_mask(logits: torch.Tensor, vocab_mask: torch.Tensor) -> None:
        """Sets the logits of forbidden tokens to −inf."""
        apply_mask(logits, vocab_mask)

    def try_jump_forward(self, tokenizer: Any) -> None:
        """Returns None: SGLang no longer uses forced text."""

    def __repr__(self) -> str:
        return f"<SluiceGrammar {self.kind} after {self._steps} tokens>"


def limit_request(req: Any) -> None:
    """Limits the output of a request whose grammar is ready to its max_new_tokens, reasoning counted.

    A request that is too short for any output is refused like a wrong constraint. Nothing is raised: SGLang has taken
    the request already.
    """
    try:
        _limit_request(req)
    except Exception as e:
        logger.warning("A request has no limit of tokens: %s: %s", type(e).__name__, e)


def _limit_request(req: Any) -> None:
    grammar, most = req.grammar, req.sampling_params.max_new_tokens
    ours = grammar if isinstance(grammar, SluiceGrammar) else getattr(grammar, "grammar", None)
    if most is None or not isinstance(ours, SluiceGrammar) or ours.limited:
        return
    try:
        ours.matcher.set_max_tokens(max(most - len(req.output_ids), 1))
    except UnsatisfiableError as e:
        req.set_finish_with_abort(f"max_new_tokens is {most}: {e}")
        return
    except SluiceError as e:
        logger.warning("An output may be cut at its limit of tokens: %s", e)
        ours.limited = True
        return
    if ours is grammar:
        ours.limited = True
    else:  # tokens of reasoning do not move the matcher, so the limit is set again behind them
        ours.limit_when_open(lambda: most - len(req.output_ids))


def _inside(grammar: Any) -> SluiceGrammar | None:
    """Returns the grammar behind a transparent gate for reasoning: one that fills exactly that grammar's rows."""
    inner = getattr(grammar, "grammar", None)
    return inner if isinstance(inner, SluiceGrammar) and not getattr(grammar, "reasoning_in_grammar", True) else None


def fill_entries(entries: Sequence[Any], vocab_mask: torch.Tensor) -> None:
    """Fills a row for each grammar of a batch. One call fills the rows of all our grammars."""
    if len(entries) == 1:
        forget()  # the matchers of the step before, which may be many and have ended
        [(row, grammar)] = entries
        grammar.fill_vocab_mask(vocab_mask, row)
        return
    late: list[tuple[SluiceGrammar, int]] = []
    for row, grammar in entries:
        ours = grammar if isinstance(grammar, SluiceGrammar) else _inside(grammar)
        if ours is None:
            grammar.fill_vocab_mask(vocab_mask, row)
            continue
        ours._late = late
        try:
            grammar.fill_vocab_mask(vocab_mask, row)
        finally:
            ours._late = None
    if late:
        fill_rows(late, vocab_mask)
    else:
        forget()


class _Kept(threading.local):
    """Two buffers of rows for the draft steps of this thread, used in turns.

    A step's rows stay intact until the step after the next begins. Allocating new memory for each step (60 MB for trees
    of 61 nodes of 64 requests) would take longer than filling it.
    """

    def __init__(self) -> None:
        self._rows: list[torch.Tensor | None] = [None, None]

    def rows(self, count: int, vocab_size: int, like: Any) -> torch.Tensor:
        """Returns `count` rows with any content, allocated as the grammar `like` does."""
        self._rows.reverse()
        rows = self._rows[0]
        if rows is None or rows.shape[0] < count or rows.shape[1] != (vocab_size + 31) // 32:
            rows = self._rows[0] = like.allocate_vocab_mask(vocab_size=vocab_size, batch_size=count, device="cpu")
        return rows[:count]


_kept = _Kept()


def fill_trees(
    original: Any, reqs: Sequence[Any], next_token: Any, next_sibling: Any, draft_tokens: Any, vocab_size: int
) -> Any:
    """Replaces SGLang's generate_token_bitmask: returns the rows of all drafts, and a grammar that applies them."""
    grammars = [r.grammar for r in reqs]
    used = [g for g in grammars if g is not None]
    if not any(isinstance(g, SluiceGrammar) or _inside(g) for g in used):
        return original(reqs, next_token, next_sibling, draft_tokens, vocab_size)
    masks = _kept.rows(draft_tokens.numel(), vocab_size, used[0])
    ours = [_open(g) for g in grammars]
    trees = [_whole(part) for part in (next_token, next_sibling, draft_tokens)]
    n = draft_tokens.shape[-1]
    for i, o in enumerate(ours):
        if o is None:
            masks[i * n : (i + 1) * n] = -1
    try:
        fill_drafts(ours, trees, masks)
    except (TypeError, ValueError) as e:
        logger.warning("SGLang fills the rows of drafts one by one: %s", e)
        return original(reqs, next_token, next_sibling, draft_tokens, vocab_size)
    if all(o is not None for o, g in zip(ours, grammars) if g is not None):
        return masks, used[-1]
    from sglang.srt.speculative.spec_utils import traverse_tree

    for i, grammar in enumerate(grammars):
        if grammar is not None and ours[i] is None:
            rows = masks[i * n : (i + 1) * n]
            traverse_tree(*(part[i] for part in trees), grammar, rows, vocab_size=vocab_size)
    return masks, used[-1]


def _whole(part: Any) -> Any:
    """Returns an array of a tree as contiguous int64. In SGLang, the drafts of a tree of one node may be int32."""
    if part.dtype == torch.int64 and part.is_contiguous():
        return part
    return part.to(dtype=torch.int64).contiguous()


def _open(grammar: Any) -> SluiceGrammar | None:
    """Returns our grammar if it fills the rows of a request's drafts, None if another one or the gate does.

    While a request reasons, its gate fills the rows.
    """
    if isinstance(grammar, SluiceGrammar):
        return grammar
    ours = _inside(grammar)
    return ours if ours is not None and grammar._is_generation() else None


def fill_drafts(grammars: Sequence[SluiceGrammar | None], trees: Sequence[Any], masks: torch.Tensor) -> None:
    """Fills the rows of all drafts. A row without a draft (None) stays as it is.

    Rows after a refused draft allow everything, because SGLang discards their samples.
    """
    for g in grammars:
        if g is not None:
            g.begin_limit()
    batch = Batch([g and g.matcher for g in grammars])
    try:
        next_token, next_sibling, tokens = trees
        batch.fill_trees(next_token, next_sibling, tokens, masks)
    except SluiceError as e:
        n = trees[0].shape[-1]
        for place, (grammar, status) in enumerate(zip(grammars, e.statuses or [1] * len(grammars))):
            if grammar is not None and status:
                masks[place * n : (place + 1) * n] = -1
                grammar.give_up(masks, place * n, e)
