package main

// #include "exports.h"
import "C"

import "unsafe"

// text borrows the caller's text.
func text(p *C.sluice_in_char, n C.size_t) ([]byte, bool) {
	s, ok := borrow(p, uint64(n))
	// SAFETY: char and byte have the same size, so the slice keeps its length.
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)), ok
}

// octets borrows the caller's bytes.
func octets(p *C.sluice_in_byte, n C.size_t) ([]byte, bool) {
	s, ok := borrow(p, uint64(n))
	// SAFETY: uint8_t and byte have the same size, so the slice keeps its length.
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)), ok
}

// copyOut copies from into the caller's buffer, as much as fits.
func copyOut(p *C.uint8_t, capacity C.size_t, from []byte) bool {
	to, ok := borrow((*byte)(unsafe.Pointer(p)), uint64(capacity))
	copy(to, from)
	return ok
}

func freed(alive bool) C.sluice_status {
	if alive {
		return C.SLUICE_OK
	}
	return C.SLUICE_E_HANDLE
}
