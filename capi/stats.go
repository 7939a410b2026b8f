package main

// #include "exports.h"
import "C"

import (
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

//export go_compiler_get_stats
func go_compiler_get_stats(
	h C.sluice_compiler, stats *C.sluice_compiler_stats, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_compiler_get_stats"
	defer recovered(&status, e)
	c, ok := compilers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagCompiler, uint64(h)))
	}
	if stats == nil {
		return fail(e, missing(call, "stats"))
	}
	if err := checkSize(call, "stats", stats.struct_size, C.SLUICE_FIRST_COMPILER_STATS); err != nil {
		return fail(e, err)
	}
	s := c.Stats()
	out := &C.sluice_compiler_stats{
		compilations: histogram(&s.Compilations), masks_made: histogram(&s.MasksMade), warmed: histogram(&s.Warmed),
		masks: C.uint64_t(s.Masks), warmed_masks: C.uint64_t(s.WarmedMasks), warm_dropped: C.uint64_t(s.WarmDropped),
		forced_bytes: C.uint64_t(s.ForcedBytes), forced_tokens: C.uint64_t(s.ForcedTokens),
		drafted_tokens: C.uint64_t(s.DraftedTokens), cache_hits: C.uint64_t(s.Cache.Hits),
		cache_misses: C.uint64_t(s.Cache.Misses), cache_joined: C.uint64_t(s.Cache.Joined),
		cache_evictions: C.uint64_t(s.Cache.Evictions), cache_entries: C.uint64_t(s.Cache.Entries),
		cache_bytes: C.uint64_t(s.Cache.Bytes), cache_limit: C.uint64_t(s.Cache.Limit),
		state_bytes: C.uint64_t(s.Memory.States), mask_bytes: C.uint64_t(s.Memory.Masks),
		program_bytes: C.uint64_t(s.Memory.Programs), token_set_bytes: C.uint64_t(s.Memory.TokenSets),
		trie_bytes: C.uint64_t(s.Memory.Trie),
	}
	for code, n := range s.Refusals {
		out.refusals[code] = C.uint64_t(n)
	}
	output(stats, out, stats.struct_size)
	return C.SLUICE_OK
}

func histogram(h *core.Histogram) (out C.sluice_histogram) {
	for i, n := range h.Counts {
		out.counts[i] = C.uint64_t(n)
	}
	out.count, out.sum_ns = C.uint64_t(h.Count), C.uint64_t(h.Sum)
	return out
}

//export go_compiler_prometheus
func go_compiler_prometheus(
	h C.sluice_compiler, text *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_compiler_prometheus"
	defer recovered(&status, e)
	c, ok := compilers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagCompiler, uint64(h)))
	}
	return putText(call, []byte(c.Prometheus()), nil, text, capacity, length, e)
}

//export go_compiler_stats_message
func go_compiler_stats_message(
	h C.sluice_compiler, message *C.uint8_t, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_compiler_stats_message"
	defer recovered(&status, e)
	c, ok := compilers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagCompiler, uint64(h)))
	}
	// SAFETY: char and uint8_t have one size.
	return putText(call, c.StatsMessage(), nil, (*C.char)(unsafe.Pointer(message)), capacity, length, e)
}
