package main

// #include "exports.h"
import "C"

import (
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

// maxStruct is the largest accepted struct_size; the largest struct has 2 KiB.
const maxStruct = 64 << 10

// checkSize checks the struct_size of a caller's struct. first is the size of its first version (cpu/first.h): the
// library serves callers that were compiled against it or any later version. It refuses a size that ends inside a
// member.
func checkSize(call, name string, got C.uint32_t, first uintptr) error {
	if uintptr(got) < first || got > maxStruct || got%C.SLUICE_WORD != 0 {
		return core.Errorf(core.CodeArgument, call,
			"%s.struct_size is %d, which no version of the struct has (%d to %d bytes, whole members): set it to sizeof "+
				"before the call", name, got, first, maxStruct)
	}
	return nil
}

// input returns a copy of a caller's struct of parameters, of got bytes, in the library's version. Members that the
// caller's struct lacks are zero, their default. Members that the library's version lacks must be zero, because the
// library would ignore them.
func input[T any](call, name string, p *T, got C.uint32_t, first uintptr) (own T, err error) {
	if err := checkSize(call, name, got, first); err != nil {
		return own, err
	}
	// SAFETY: the caller says that the struct has got bytes, and own has as many as are copied.
	theirs := unsafe.Slice((*byte)(unsafe.Pointer(p)), int(got))
	known := copy(unsafe.Slice((*byte)(unsafe.Pointer(&own)), int(unsafe.Sizeof(own))), theirs)
	for _, b := range theirs[known:] {
		if b != 0 {
			return own, core.Errorf(core.CodeArgument, call, "%s has members that this version of the library does "+
				"not know, and they are set: use the library that belongs to the header", name)
		}
	}
	return own, nil
}

// output copies results into a caller's struct of got bytes, as much as fits. struct_size keeps the caller's value, and
// members that our version lacks stay as they are.
func output[T any](p, ours *T, got C.uint32_t) {
	const head = unsafe.Sizeof(got)
	n := min(uintptr(got), unsafe.Sizeof(*ours))
	// SAFETY: the caller's struct has got bytes (checkSize), ours has its size; n is below both.
	to, from := (*byte)(unsafe.Pointer(p)), (*byte)(unsafe.Pointer(ours))
	copy(unsafe.Slice(to, int(n))[head:], unsafe.Slice(from, int(n))[head:])
}
