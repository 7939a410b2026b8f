package main

// #include "exports.h"
import "C"

import (
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

//export go_matcher_explain
func go_matcher_explain(
	h C.sluice_matcher, id C.int32_t, p *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_matcher_explain"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	why, err := m.Explain(int32(id))
	if err != nil {
		return fail(e, err)
	}
	return explained(call, []byte(why.Sentence), p, capacity, length, e)
}

//export go_matcher_explanation
func go_matcher_explanation(
	h C.sluice_matcher, id C.int32_t, text *C.sluice_in_byte, size C.size_t, p *C.char, capacity C.size_t, length *C.size_t,
	e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_matcher_explanation"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	read, ok := borrow((*byte)(unsafe.Pointer(text)), uint64(size))
	if !ok {
		return fail(e, badArray(call, "text"))
	}
	var why *core.Explanation
	var err error
	if text == nil {
		why, err = m.Explain(int32(id))
	} else {
		why, err = m.ExplainText(read)
	}
	if err != nil {
		return fail(e, err)
	}
	return explained(call, why.JSON(), p, capacity, length, e)
}

// explained writes the text of an explanation.
func explained(
	call string, text []byte, p *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) C.sluice_status {
	// SAFETY: char and uint8_t have one size.
	if !copyOut((*C.uint8_t)(unsafe.Pointer(p)), capacity, text) {
		return fail(e, badArray(call, "buffer"))
	}
	if length != nil {
		*length = C.size_t(len(text))
	}
	return C.SLUICE_OK
}
