package main

// #include "exports.h"
import "C"

import (
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

// keyOf is a key as C has it.
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

//export go_batch_keys
func go_batch_keys(in *C.sluice_in_batch, to *C.sluice_mask_key, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_batch_keys"
	defer recovered(&status, e)
	if in == nil {
		return fail(e, missing(call, "batch"))
	}
	if err := checkInput(call, "batch", unsafe.Pointer(in), in.struct_size, unsafe.Sizeof(*in)); err != nil {
		return fail(e, err)
	}
	if in.n == 0 {
		return C.SLUICE_OK
	}
	handles, ok := borrow(in.matchers, uint64(in.n))
	if !ok {
		return fail(e, badArray(call, "batch.matchers"))
	}
	if _, ok := borrow(in.statuses, uint64(in.n)); !ok && in.statuses != nil {
		return fail(e, badArray(call, "batch.statuses"))
	}
	keys, ok := borrow(to, uint64(in.n))
	if !ok {
		return fail(e, badArray(call, "keys"))
	}
	b := batches.Get().(*core.Batch)
	defer giveBack(b)
	for i, h := range handles {
		b.Items = append(b.Items, batchItem(call, h, i))
	}
	b.Keys(int(min(in.threads, maxElements)))
	first := C.sluice_status(C.SLUICE_OK)
	for i := range b.Items {
		it := &b.Items[i]
		keys[i] = keyOf(it.Key)
		status := C.sluice_status(C.SLUICE_OK)
		if it.Err != nil {
			status = C.sluice_status(core.AsError(it.Err).Code)
			if first == C.SLUICE_OK {
				first = fail(e, it.Err)
			}
		}
		if in.statuses != nil {
			unsafe.Slice(in.statuses, in.n)[i] = status
		}
	}
	return first
}
