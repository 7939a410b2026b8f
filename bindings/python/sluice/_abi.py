"""include/sluice.h in ctypes: its structs, and how its functions are bound. Nothing is loaded here.

The order and types of the members are the header's; tests/test_abi.py compiles the header and compares sizes and
offsets with these classes, so that the two cannot drift apart.
"""

from __future__ import annotations

import ctypes
import struct
from ctypes import POINTER, Structure, c_char, c_char_p, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any, Literal

ABI_VERSION = 1

OK, BUSY, LIMIT, REJECTED, UNAVAILABLE, UNFINISHED, CANCELLED = 0, 3, 8, 11, 13, 15, 16

# Microseconds that a call may work (sluice.h, "calls that may take long"). AT_ONCE is for calls that hold the GIL.
# Python runs the handlers of signals between two calls, so calls of the main thread last no longer than SLICE. A
# compilation that takes longer begins again as a job; few do, and they lose little by it.
AT_ONCE, SLICE, FOREVER = 0, 20_000, 0xFFFFFFFF

Kind = Literal[
    "json_schema",
    "regex",
    "ebnf",
    "lark",
    "structural_tag",
    "choice",
    "json_object",
    "json",
    "request",
    "grammar",
]

KINDS: dict[Kind, int] = {
    "json_schema": 1,
    "regex": 2,
    "ebnf": 3,
    "lark": 4,
    "structural_tag": 5,
    "choice": 6,
    "json_object": 7,
    "json": 8,
    "request": 9,
    "grammar": 10,
}
Format = Literal["auto", "tokenizer_json", "tiktoken", "sentencepiece", "tekken", "sluice"]
FORMATS: dict[Format, int] = {
    "auto": 0,
    "tokenizer_json": 1,
    "tiktoken": 2,
    "sentencepiece": 3,
    "tekken": 4,
    "sluice": 5,
}
Effect = Literal["narrower", "wider", "ignored", "dead end"]
EFFECTS: dict[int, Effect] = {1: "narrower", 2: "wider", 3: "ignored", 4: "dead end"}

CONCAT, UNION = 1, 2
TOKEN_SPECIAL, TOKEN_ADDED, TOKEN_END = 1, 2, 4
STATE_COMPLETED, STATE_TERMINATED, STATE_STOPPED = 1, 2, 4
NO_STOP = 0xFFFFFFFF
REJECT_AFTER_END, ALL_ALLOWED_AFTER_END, KEEP_OUTPUT = 1, 2, 4
REASONING_LIMITED = 1
EVENTS_FINAL, EVENT_BEGINS, EVENT_ENDS, NO_CALL = 1, 1, 2, 0xFFFFFFFF
EventKind = Literal[
    "object", "array", "string", "number", "boolean", "null", "text", "reasoning", "call", "input", "rewind"
]
EVENT_KINDS: dict[int, EventKind] = {
    1: "object",
    2: "array",
    3: "string",
    4: "number",
    5: "boolean",
    6: "null",
    7: "text",
    8: "reasoning",
    9: "call",
    10: "input",
    11: "rewind",
}
EVENT = struct.Struct("4I6N")  # sluice_event
BATCH_SKIP_ZERO, BATCH_GO_ON = 1, 2
FILTER_ALLOW, FILTER_RESET = 1, 2

DTYPES = {"float32": 1, "float16": 2, "bfloat16": 3}
APPLY_KEEP_BEYOND, APPLY_MAP_OFFSETS = 1, 2
CPU_LEVELS = {"best": 0, "generic": 1, "avx2": 2, "avx512": 3, "neon": 4}


class Sized(Structure):
    """A struct of the header: its first member is struct_size, which it sets itself."""

    def __init__(self, **members: object):
        super().__init__(ctypes.sizeof(self), **members)


class Error(Sized):
    """sluice_error."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("code", c_int32),
        ("has_pointer", c_uint32),
        ("line", c_uint32),
        ("column", c_uint32),
        ("pointer_length", c_uint32),
        ("offset", c_uint64),
        ("source_length", c_uint32),
        ("keyword_length", c_uint32),
        ("fragment_length", c_uint32),
        ("message_length", c_uint32),
        ("source", c_char * 64),
        ("keyword", c_char * 128),
        ("fragment", c_char * 256),
        ("pointer", c_char * 512),
        ("message", c_char * 1024),
        ("advice_length", c_uint32),
        ("reserved", c_uint32),
    ]


class VocabularyConfig(Sized):
    """sluice_vocabulary_config."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("n_tokens", c_uint32),
        ("bytes", c_char_p),
        ("offsets", POINTER(c_uint64)),
        ("flags", c_char_p),
        ("end_tokens", POINTER(c_uint32)),
        ("n_end_tokens", c_size_t),
        ("padded_size", c_uint32),
        ("reserved", c_uint32),
    ]


class VocabularyOptions(Sized):
    """sluice_vocabulary_options."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("padded_size", c_uint32),
        ("end_tokens", POINTER(c_uint32)),
        ("n_end_tokens", c_size_t),
        ("keep_tokenizer", c_uint64),
    ]


class VocabularyFacts(Sized):
    """sluice_vocabulary_facts."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("size", c_uint32),
        ("padded_size", c_uint32),
        ("mask_words", c_uint32),
        ("n_end_tokens", c_uint32),
        ("n_special_tokens", c_uint32),
        ("max_token_length", c_uint32),
        ("reserved", c_uint32),
        ("hash", c_uint8 * 32),
    ]


class GrammarFacts(Sized):
    """sluice_grammar_facts."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("n_notes", c_uint32),
        ("states", c_uint64),
        ("bytes", c_uint64),
        ("compile_ns", c_uint64),
        ("kind", c_uint64),
        ("compile_work", c_uint64),
    ]


class CacheFacts(Sized):
    """sluice_cache_facts."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("hits", c_uint64),
        ("misses", c_uint64),
        ("joined", c_uint64),
        ("evictions", c_uint64),
        ("entries", c_uint64),
        ("bytes", c_uint64),
        ("limit", c_uint64),
        ("token_set_bytes", c_uint64),
    ]


class Note(Sized):
    """sluice_note."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("effect", c_uint32),
        ("pointer_length", c_uint32),
        ("keyword_length", c_uint32),
        ("text_length", c_uint32),
        ("reserved", c_uint32),
        ("keyword", c_char * 128),
        ("pointer", c_char * 512),
        ("text", c_char * 1024),
    ]


class Reasoning(Sized):
    """sluice_reasoning."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("end", POINTER(c_uint32)),
        ("n_end", c_size_t),
        ("begin", POINTER(c_uint32)),
        ("n_begin", c_size_t),
        ("budget", c_uint32),
        ("reserved", c_uint32),
    ]


class MatcherOptions(Sized):
    """sluice_matcher_options."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("stop_tokens", POINTER(c_uint32)),
        ("n_stop_tokens", c_size_t),
        ("reasoning", POINTER(Reasoning)),
    ]


class Batch(Sized):
    """sluice_batch."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("threads", c_uint32),
        ("n", c_size_t),
        ("matchers", POINTER(c_uint64)),
        ("rows", POINTER(c_int32)),
        ("masks", c_void_p),
        ("n_rows", c_size_t),
        ("row_words", c_size_t),
        ("words", c_size_t),
        ("statuses", POINTER(c_int32)),
        ("constrained", POINTER(c_uint8)),
        ("ids", c_void_p),
        ("counts", POINTER(c_uint32)),
        ("done", POINTER(c_uint32)),
        ("states", POINTER(c_uint8)),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("row_keys", c_void_p),
        ("unchanged", POINTER(c_uint8)),
        ("temperatures", c_void_p),
        ("stops", c_void_p),
    ]


class Stop(Structure):
    """sluice_stop."""

    _fields_ = [("string", c_uint32), ("behind", c_uint32), ("held_back", c_uint32), ("reserved", c_uint32)]


class Trees(Sized):
    """sluice_trees."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("nodes", c_uint32),
        ("next_token", c_void_p),
        ("next_sibling", c_void_p),
        ("tokens", c_void_p),
        ("stride", c_size_t),
    ]


class ApplyArgs(Sized):
    """sluice_apply_args."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("dtype", c_uint32),
        ("flags", c_uint32),
        ("threads", c_uint32),
        ("logits", c_void_p),
        ("logit_rows", c_void_p),
        ("n_logit_rows", c_size_t),
        ("logit_stride", c_size_t),
        ("vocab_size", c_size_t),
        ("masks", c_void_p),
        ("mask_rows", c_void_p),
        ("n_mask_rows", c_size_t),
        ("mask_stride", c_size_t),
        ("mask_words", c_size_t),
        ("covered", c_size_t),
        ("n", c_size_t),
        ("logit_index", c_void_p),
        ("mask_index", c_void_p),
        ("enabled", c_void_p),
        ("token_map", c_void_p),
        ("level", c_uint32),
        ("reserved", c_uint32),
    ]


# PERF: the same struct as bytes, which is how it is passed: packing 22 numbers takes 0.3 µs, setting them in an
# ApplyArgs 2 µs. Its order is ApplyArgs'.
pack_apply = struct.Struct("@4I2P3N2P5N4P2I").pack


class Histogram(Structure):
    """sluice_histogram."""

    _fields_ = [("counts", c_uint64 * 23), ("count", c_uint64), ("sum_ns", c_uint64)]


class CompilerStats(Sized):
    """sluice_compiler_stats."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("compilations", Histogram),
        ("masks_made", Histogram),
        ("warmed", Histogram),
        ("masks", c_uint64),
        ("warmed_masks", c_uint64),
        ("warm_dropped", c_uint64),
        ("forced_bytes", c_uint64),
        ("cache_hits", c_uint64),
        ("cache_misses", c_uint64),
        ("cache_joined", c_uint64),
        ("cache_evictions", c_uint64),
        ("cache_entries", c_uint64),
        ("cache_bytes", c_uint64),
        ("cache_limit", c_uint64),
        ("state_bytes", c_uint64),
        ("mask_bytes", c_uint64),
        ("program_bytes", c_uint64),
        ("token_set_bytes", c_uint64),
        ("trie_bytes", c_uint64),
        ("refusals", c_uint64 * 32),
        ("forced_tokens", c_uint64),
        ("drafted_tokens", c_uint64),
    ]


class SparseArgs(Sized):
    """sluice_sparse_args."""

    _fields_ = [
        ("struct_size", c_uint32),
        ("dtype", c_uint32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("ids", c_void_p),
        ("id_step", c_size_t),
        ("logits", c_void_p),
        ("logit_step", c_size_t),
        ("n", c_size_t),
        ("mask", c_void_p),
        ("mask_words", c_size_t),
        ("covered", c_size_t),
    ]


_H, _P, _N = c_uint64, c_void_p, c_size_t

# Calls that may take long: through CDLL, which releases the GIL. Attribute name → (symbol, argtypes).
LONG: dict[str, tuple[str, list[Any]]] = {
    "grammar_info": ("sluice_grammar_info", [_H, _P, _P]),
    "vocabulary_new": ("sluice_vocabulary_new", [_P, _P, _P]),
    "vocabulary_from_file": ("sluice_vocabulary_from_file", [c_char_p, _N, _P, _P, _P]),
    "vocabulary_from_data": ("sluice_vocabulary_from_data", [c_uint32, c_char_p, _N, _P, _P, _P]),
    "compiler_new": ("sluice_compiler_new", [_H, c_char_p, _N, _P, _P]),
    "compiler_save": ("sluice_compiler_save", [_H, _P, _N, _P, _P]),
    "compiler_load": ("sluice_compiler_load", [_H, c_char_p, _N, c_char_p, _N, _P, _P]),
    "grammar_start": ("sluice_grammar_start", [_H, c_uint32, c_char_p, _N, c_char_p, _N, c_uint32, _P, _P, _P]),
    "job_wait": ("sluice_job_wait", [_H, c_uint32, _P, _P]),
    "compiler_cache": ("sluice_compiler_cache", [_H, _P, _P]),
    "compiler_clear": ("sluice_compiler_clear", [_H, _P]),
    "compiler_stats": ("sluice_compiler_get_stats", [_H, _P, _P]),
    "compiler_prometheus": ("sluice_compiler_prometheus", [_H, _P, _N, _P, _P]),
    "compiler_message": ("sluice_compiler_stats_message", [_H, _P, _N, _P, _P]),
    "batch_fill_long": ("sluice_batch_try_fill", [_P, c_uint32, _P]),
    "batch_accept_long": ("sluice_batch_accept", [_P, c_uint32, _P]),
    "batch_accept_bytes_long": ("sluice_batch_accept_bytes", [_P, _P, _P, c_uint32, _P]),
    "batch_set_max_tokens": ("sluice_batch_set_max_tokens", [_P, _P, _P]),
    "batch_set_stop_strings": ("sluice_batch_set_stop_strings", [_P, _P, _P, _P]),
    "batch_validate_long": ("sluice_batch_validate", [_P, c_uint32, _P]),
    "batch_chains_long": ("sluice_batch_fill_chains", [_P, c_uint32, _P]),
    "batch_trees_long": ("sluice_batch_fill_trees", [_P, _P, c_uint32, _P]),
    "matcher_accept_long": ("sluice_matcher_try_accept", [_H, _P, _N, _P, c_uint32, _P]),
    "matcher_accept_bytes_long": ("sluice_matcher_try_accept_bytes", [_H, c_char_p, _N, c_uint32, _P]),
    "matcher_validate_long": ("sluice_matcher_try_validate", [_H, _P, _N, _P, c_uint32, _P]),
    "matcher_finished_long": ("sluice_matcher_finished", [_H, _P, c_uint32, _P]),
    "matcher_forced_bytes_long": ("sluice_matcher_try_forced_bytes", [_H, _P, _N, _P, c_uint32, _P]),
    "matcher_forced_tokens_long": ("sluice_matcher_forced_tokens", [_H, _P, _N, _P, c_uint32, _P]),
    "matcher_drafts_long": ("sluice_matcher_drafts", [_H, _P, _N, _P, c_uint32, _P]),
    "matcher_explanation": ("sluice_matcher_explanation", [_H, c_int32, _P, _N, _P, _N, _P, _P]),
    "matcher_set_max_tokens": ("sluice_matcher_set_max_tokens", [_H, c_uint32, _P]),
    "matcher_min_tokens": ("sluice_matcher_min_tokens", [_H, _P, _P]),
    "matcher_captures": ("sluice_matcher_captures", [_H, _P, _N, _P, _P, _N, _P, _P]),
    "check": ("sluice_check", [c_uint32, c_char_p, _N, c_char_p, _N, c_uint64, c_uint64, _P, _N, _P, _P]),
    "to_ebnf": ("sluice_to_ebnf", [c_uint32, c_char_p, _N, c_char_p, _N, _P, _N, _P, _P]),
    "matcher_temperature": ("sluice_matcher_temperature", [_H, _P, _P, _P]),
    "combine": ("sluice_combine", [c_uint32, _N, _P, _P, _P, _P, _N, _P, _P]),
    "request_read": ("sluice_request_read", [c_char_p, _N, c_char_p, _N, _H, _P, _N, _P, _P]),
    "parse_calls": ("sluice_parse_calls", [c_char_p, _N, c_char_p, _N, c_char_p, _N, _P, _N, _P, _P, _N, _P, _P]),
    "request_tools": ("sluice_request_tools", [c_char_p, _N, _P, _N, _P, _P]),
    "apply": ("sluice_apply", [_P, _P]),
}

# Short calls go through PyDLL, which keeps the GIL. Releasing it and taking it again behind a busy thread costs up to
# milliseconds, a hundred times the call itself. A call that may turn out long is made here with AT_ONCE, and repeated
# through its NAME_long if it returns UNFINISHED.
SHORT: dict[str, tuple[str, list[Any]]] = {
    "matcher_events": ("sluice_matcher_events", [_H, c_uint32, _P, _N, _P, _P, _N, _P, _P]),
    "vocabulary_info": ("sluice_vocabulary_info", [_H, _P, _P]),
    "vocabulary_token": ("sluice_vocabulary_token", [_H, c_uint32, _P, _N, _P, _P, _P]),
    "vocabulary_token_id": ("sluice_vocabulary_token_id", [_H, c_char_p, _N, _P, _P]),
    "vocabulary_end_tokens": ("sluice_vocabulary_end_tokens", [_H, _P, _N, _P, _P]),
    "capabilities": ("sluice_capabilities", [_P, _N, _P, _P]),
    "families": ("sluice_families", [_P, _N, _P, _P]),
    "family_of": ("sluice_family_of", [c_char_p, _N, _P, _N, _P, _P]),
    "grammar_find": ("sluice_grammar_find", [_H, c_uint32, c_char_p, _N, c_char_p, _N, _P, _P]),
    "grammar_begin": ("sluice_grammar_start", [_H, c_uint32, c_char_p, _N, c_char_p, _N, c_uint32, _P, _P, _P]),
    "job_result": ("sluice_job_wait", [_H, c_uint32, _P, _P]),
    "job_notify": ("sluice_job_notify", [_H, c_int32, _P]),
    "grammar_note": ("sluice_grammar_note", [_H, c_uint32, _P, _P]),
    "matcher_new": ("sluice_matcher_new", [_H, _P, _P, _P]),
    "matcher_fork": ("sluice_matcher_fork", [_H, _P, _P]),
    "matcher_reset": ("sluice_matcher_reset", [_H, _P]),
    "matcher_accept": ("sluice_matcher_try_accept", [_H, _P, _N, _P, c_uint32, _P]),
    "matcher_accept_bytes": ("sluice_matcher_try_accept_bytes", [_H, c_char_p, _N, c_uint32, _P]),
    "matcher_validate": ("sluice_matcher_try_validate", [_H, _P, _N, _P, c_uint32, _P]),
    "matcher_set_stop_strings": ("sluice_matcher_set_stop_strings", [_H, _P, _P, _N, _P]),
    "matcher_stopped": ("sluice_matcher_stopped", [_H, _P, _P]),
    "matcher_rollback": ("sluice_matcher_rollback", [_H, _N, _P]),
    "matcher_state": ("sluice_matcher_state", [_H, _P, _P]),
    "matcher_finished": ("sluice_matcher_finished", [_H, _P, c_uint32, _P]),
    "matcher_output": ("sluice_matcher_output", [_H, _P, _N, _P, _P]),
    "matcher_length": ("sluice_matcher_length", [_H, _P, _P]),
    "batch_fill": ("sluice_batch_try_fill", [_P, c_uint32, _P]),
    "batch_accept": ("sluice_batch_accept", [_P, c_uint32, _P]),
    "batch_accept_bytes": ("sluice_batch_accept_bytes", [_P, _P, _P, c_uint32, _P]),
    "batch_validate": ("sluice_batch_validate", [_P, c_uint32, _P]),
    "batch_rollback": ("sluice_batch_rollback", [_P, _P]),
    "batch_chains": ("sluice_batch_fill_chains", [_P, c_uint32, _P]),
    "batch_trees": ("sluice_batch_fill_trees", [_P, _P, c_uint32, _P]),
    "matcher_forced_bytes": ("sluice_matcher_try_forced_bytes", [_H, _P, _N, _P, c_uint32, _P]),
    "matcher_forced_tokens": ("sluice_matcher_forced_tokens", [_H, _P, _N, _P, c_uint32, _P]),
    "matcher_drafts": ("sluice_matcher_drafts", [_H, _P, _N, _P, c_uint32, _P]),
    "apply_short": ("sluice_apply", [_P, _P]),  # for work that is done before another thread could have the GIL
    "apply_sparse": ("sluice_apply_sparse", [_P, _P, _P]),
    "mask_filter": ("sluice_mask_filter", [_P, _N, _P, _N, c_uint32, _P]),
    "cpu_level": ("sluice_cpu_level", []),
}

# Short calls whose parameters are converted once and kept, see PERF below: no argtypes.
BARE = {
    "fill": "sluice_matcher_try_fill",
    "accept_token": "sluice_matcher_try_accept_token",
    "apply_dlpack": "sluice_apply_dlpack",
}

# The same calls when they turned out long: as BARE, through CDLL.
BARE_LONG = {
    "fill_long": "sluice_matcher_fill",
    "accept_token_long": "sluice_matcher_accept_token",
}

# The calls that give handles back. In a forked child they do nothing, so that finalizers stay quiet there.
FREE = {
    "vocabulary_free": "sluice_vocabulary_free",
    "compiler_free": "sluice_compiler_free",
    "grammar_free": "sluice_grammar_free",
    "matcher_free": "sluice_matcher_free",
    "job_free": "sluice_job_free",
    "job_cancel": "sluice_job_cancel",
}

# PERF: the way in which a parameter reaches C decides the cost of a call from Python. For f(uint64, pointer, size_t) in
# a C library that does nothing (tests/bench/ctypes_overhead.py; CPython 3.11, AMD EPYC, ns a call):
#     argtypes set, plain ints            254
#     argtypes set, c_uint64(...) kept    169
#     no argtypes, c_uint64(...) kept     152
#     no argtypes, from_param(...) kept    99     ctypes copies a converted parameter
#     no parameters at all                 42
# and, with from_param(...) kept: fill with four parameters, the flag read afterwards, 150; accept of an int 95.
# So the hot calls keep handles, addresses and lengths as results of from_param.
handle_argument = c_uint64.from_param
address_argument = c_void_p.from_param
size_argument = c_size_t.from_param
