package main

// #include "exports.h"
import "C"

import "github.com/sluice-engine/sluice/core"

func keyOf(k core.MaskKey) C.sluice_mask_key {
	return C.sluice_mask_key{low: C.uint64_t(k.Low), high: C.uint64_t(k.High)}
}

//export go_matcher_mask_key
func go_matcher_mask_key(h C.sluice_matcher, to *C.sluice_mask_key, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_matcher_mask_key"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if to == nil {
		return fail(e, missing(call, "key"))
	}
	key, err := m.MaskKey()
	if err != nil {
		return fail(e, err)
	}
	*to = keyOf(key)
	return C.SLUICE_OK
}
