package main

// #include "exports.h"
import "C"

import (
	"sync"
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

//export go_matcher_forced_tokens
func go_matcher_forced_tokens(
	h C.sluice_matcher, ids *C.int32_t, capacity C.size_t, n *C.size_t, patience C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return likely("sluice_matcher_forced_tokens", h, ids, capacity, n, patience, e, core.Until.ForcedTokens)
}

//export go_matcher_drafts
func go_matcher_drafts(
	h C.sluice_matcher, ids *C.int32_t, k C.size_t, n *C.size_t, patience C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return likely("sluice_matcher_drafts", h, ids, k, n, patience, e, func(u core.Until, dst []int32) ([]int32, error) {
		return u.Drafts(dst, int(k))
	})
}

// likely writes tokens that ask returns.
func likely(
	call string, h C.sluice_matcher, p *C.int32_t, capacity C.size_t, n *C.size_t, patience C.uint32_t,
	e *C.sluice_error, ask func(u core.Until, dst []int32) ([]int32, error),
) C.sluice_status {
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if n == nil {
		return fail(e, missing(call, "n"))
	}
	to, ok := borrow((*int32)(unsafe.Pointer(p)), uint64(capacity))
	if !ok {
		return fail(e, badArray(call, "ids"))
	}
	// Not into the caller's memory: a failed call writes nothing.
	scratch := tokens.Get().(*[]int32)
	defer tokens.Put(scratch)
	list, err := ask(m.Until(patient(patience)), (*scratch)[:0])
	if err != nil {
		return fail(e, err)
	}
	*scratch = list
	copy(to, list)
	*n = C.size_t(len(list))
	return C.SLUICE_OK
}

// tokens keeps the memory of forced tokens and drafts.
var tokens = sync.Pool{New: func() any { return new([]int32) }}
