package main

// #include "exports.h"
import "C"

import (
	"encoding/json"
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

//export go_capabilities
func go_capabilities(to *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_capabilities"
	defer recovered(&status, e)
	table, err := json.Marshal(core.Capabilities())
	if err != nil {
		return fail(e, err)
	}
	// SAFETY: char and uint8_t have one size; copyOut borrows the buffer for the copy alone.
	if !copyOut((*C.uint8_t)(unsafe.Pointer(to)), capacity, table) {
		return fail(e, badArray(call, "text"))
	}
	if length != nil {
		*length = C.size_t(len(table))
	}
	return C.SLUICE_OK
}
