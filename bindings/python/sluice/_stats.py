"""The work of a compiler and its grammars as dataclasses."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from . import _abi, _library
from ._errors import CLASSES


class CacheStats(NamedTuple):
    """Counts the lookups of a compiler's cache, its grammars and its bytes."""

    hits: int
    misses: int
    joined: int
    evictions: int
    entries: int
    bytes: int
    limit: int
    token_set_bytes: int


@dataclass(frozen=True)
class Histogram:
    """Durations by bucket, in seconds.

    Attributes:
        bounds: the upper ends of the buckets, inclusive and ascending: 1 microsecond to 10 seconds.
        counts: the durations in each bucket alone; the last one is for those above all bounds.
        count: the sum of `counts`.
        sum: the sum of the durations.
    """

    bounds: tuple[float, ...]
    counts: tuple[int, ...]
    count: int
    sum: float


@dataclass(frozen=True)
class Memory:
    """The approximate bytes of a compiler by kind. The kinds do not overlap, so they can be added.

    Grammars that the cache has dropped, and that are still in use, are not in it.

    Attributes:
        states: parser states of the grammars in the cache.
        masks: masks of the same grammars.
        programs: their programs, terminals, own token sets and constraints, and the entries of the cache.
        token_sets: token sets that grammars share.
        trie: the vocabulary's trie.
    """

    states: int
    masks: int
    programs: int
    token_sets: int
    trie: int


@dataclass(frozen=True)
class CompilerStats:
    """The work of a compiler, its grammars and their matchers since it was made, and the memory that they hold.

    Counts only grow. Each is right for itself; they are not read at one moment, so of two counts one may include an
    event that the other lacks yet. A matcher adds its masks and forced bytes after 64 masks, at the end of the
    sequence, in `reset` and when it is deleted.

    Attributes:
        compilations: compilations that ran to their end or error, with the time that they waited for other large ones.
            `cache` counts calls that found a grammar, or waited for an equal compilation.
        cache: the counters of `Compiler.cache`.
        masks: masks written to rows, rows of drafts included, and keys of masks.
        masks_made: masks that calls computed, the first one of each grammar included; all others were known.
        warmed: grammars warmed, with the pauses of warming.
        warmed_masks: masks that warming computed.
        warm_dropped: grammars that left the full queue of warming.
        forced_bytes: bytes that `forced_bytes` returned.
        forced_tokens: tokens that `forced_tokens` returned.
        drafted_tokens: tokens that `drafts` returned, forced ones included.
        refusals: errors of compilations, matchers and batches by the name of their code, such as "limit"; "rejected"
            counts calls that accepted not all of their tokens, or not their text.
        memory: bytes by kind.
    """

    compilations: Histogram
    cache: CacheStats
    masks: int
    masks_made: Histogram
    warmed: Histogram
    warmed_masks: int
    warm_dropped: int
    forced_bytes: int
    forced_tokens: int
    drafted_tokens: int
    refusals: Mapping[str, int]
    memory: Memory


# As include/sluice/stats.h says.
BOUNDS = (*(m * 10**e / 1e9 for e in range(3, 10) for m in (1, 2.5, 5)), 10.0)

# The codes that the library counts.
_REFUSALS = (1, 3, 4, 5, 6, 7, 8, 10, 11)


def cache(lib: _library.Library, handle: int) -> CacheStats:
    """Returns the counters of a compiler's cache."""
    facts, error = _abi.CacheFacts(), _library.scratch()
    _library.check(lib.compiler_cache(handle, ctypes.byref(facts), ctypes.byref(error)), error)
    return CacheStats(*(getattr(facts, name) for name in CacheStats._fields))


def stats(lib: _library.Library, handle: int) -> CompilerStats:
    """Returns the stats of a compiler."""
    s, error = _abi.CompilerStats(), _library.scratch()
    _library.check(lib.compiler_stats(handle, ctypes.byref(s), ctypes.byref(error)), error)
    return CompilerStats(
        compilations=_histogram(s.compilations),
        cache=CacheStats(
            s.cache_hits,
            s.cache_misses,
            s.cache_joined,
            s.cache_evictions,
            s.cache_entries,
            s.cache_bytes,
            s.cache_limit,
            s.token_set_bytes,
        ),
        masks=s.masks,
        masks_made=_histogram(s.masks_made),
        warmed=_histogram(s.warmed),
        warmed_masks=s.warmed_masks,
        warm_dropped=s.warm_dropped,
        forced_bytes=s.forced_bytes,
        forced_tokens=s.forced_tokens,
        drafted_tokens=s.drafted_tokens,
        refusals={CLASSES[code].name: s.refusals[code] for code in _REFUSALS},
        memory=Memory(s.state_bytes, s.mask_bytes, s.program_bytes, s.token_set_bytes, s.trie_bytes),
    )


def _histogram(h: _abi.Histogram) -> Histogram:
    return Histogram(BOUNDS, tuple(h.counts), h.count, h.sum_ns / 1e9)
