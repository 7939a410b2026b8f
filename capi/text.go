package main

// #include "exports.h"
import "C"

import "unsafe"

// text borrows the caller's text.
func text(p *C.sluice_in_char, n C.size_t) ([]byte, bool) {
	s, ok := borrow(p, uint64(n))
	// SAFETY: char and byte have one size; the slice is as long as before.
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)), ok
}

// octets borrows the caller's bytes.
func octets(p *C.sluice_in_byte, n C.size_t) ([]byte, bool) {
	s, ok := borrow(p, uint64(n))
	// SAFETY: uint8_t and byte are one type; the slice is as long as before.
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)), ok
}

// copyOut copies as much of from as fits into the caller's buffer.
func copyOut(p *C.uint8_t, capacity C.size_t, from []byte) bool {
	to, ok := borrow((*byte)(unsafe.Pointer(p)), uint64(capacity))
	copy(to, from)
	return ok
}

// freed is the status of giving a handle back.
func freed(alive bool) C.sluice_status {
	if alive {
		return C.SLUICE_OK
	}
	return C.SLUICE_E_HANDLE
}
