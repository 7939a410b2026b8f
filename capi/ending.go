package main

// #include "exports.h"
import "C"

//export go_matcher_set_max_tokens
func go_matcher_set_max_tokens(h C.sluice_matcher, n C.uint32_t, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_matcher_set_max_tokens"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if err := m.SetMaxTokens(int(n)); err != nil {
		return fail(e, err)
	}
	return C.SLUICE_OK
}

//export go_matcher_min_tokens
func go_matcher_min_tokens(h C.sluice_matcher, n *C.uint32_t, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_matcher_min_tokens"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	switch {
	case !ok:
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	case n == nil:
		return fail(e, missing(call, "n"))
	}
	least, err := m.MinTokens()
	if err != nil {
		return fail(e, err)
	}
	*n = C.uint32_t(least)
	return C.SLUICE_OK
}
