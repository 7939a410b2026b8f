package main

// #include "exports.h"
import "C"

import "unsafe"

//export go_matcher_temperature
func go_matcher_temperature(
	h C.sluice_matcher, temperature *C.double, some *C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_matcher_temperature"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if temperature == nil || some == nil {
		return fail(e, missing(call, "temperature and some"))
	}
	t, heated, err := m.Temperature()
	if err != nil {
		return fail(e, err)
	}
	*temperature, *some = C.double(t), 0
	if heated {
		*some = 1
	}
	return C.SLUICE_OK
}

//export go_matcher_captures
func go_matcher_captures(
	h C.sluice_matcher, captures *C.sluice_capture, capacity C.size_t, n *C.size_t, p *C.uint8_t, size C.size_t,
	length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_matcher_captures"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if n == nil || length == nil {
		return fail(e, missing(call, "n and length"))
	}
	to, ok := borrow(captures, uint64(capacity))
	if !ok {
		return fail(e, badArray(call, "captures"))
	}
	bytes, ok := borrow((*byte)(unsafe.Pointer(p)), uint64(size))
	if !ok {
		return fail(e, badArray(call, "bytes"))
	}
	all, err := m.Captures()
	if err != nil {
		return fail(e, err)
	}
	at := 0
	add := func(text []byte) C.size_t {
		from := at
		if at < len(bytes) {
			copy(bytes[at:], text)
		}
		at += len(text)
		return C.size_t(from)
	}
	for i, c := range all {
		x := C.sluice_capture{name_length: C.size_t(len(c.Name)), text_length: C.size_t(len(c.Text))}
		x.name = add([]byte(c.Name))
		x.text = add(c.Text)
		if i < len(to) {
			to[i] = x
		}
	}
	*n, *length = C.size_t(len(all)), C.size_t(at)
	return C.SLUICE_OK
}

//export go_matcher_output
func go_matcher_output(
	h C.sluice_matcher, p *C.uint8_t, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_matcher_output"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	output, err := m.Output(nil)
	if err != nil {
		return fail(e, err)
	}
	if !copyOut(p, capacity, output) {
		return fail(e, badArray(call, "bytes"))
	}
	if length != nil {
		*length = C.size_t(len(output))
	}
	return C.SLUICE_OK
}
