package main

// #include "exports.h"
import "C"

import (
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

// maxStruct is the largest struct_size that is believed; the largest struct has 2 KiB.
const maxStruct = 64 << 10

// checkSize checks the struct_size of a caller's struct. first is the size of its first version (cpu/first.h): callers
// that were compiled then, or at any time since, are taken. A size that ends inside a member is nobody's.
func checkSize(call, name string, got C.uint32_t, first uintptr) error {
	if uintptr(got) < first || got > maxStruct || got%C.SLUICE_WORD != 0 {
		return core.Errorf(core.CodeArgument, call,
			"%s.struct_size is %d, and no version of it was smaller than %d or larger than %d, or ended inside a "+
				"member: set it to sizeof before the call", name, got, first, maxStruct)
	}
	return nil
}

// input returns a caller's struct of parameters, of got bytes, as the library knows it. Members that the caller's lacks
// are zero, which means their defaults. What a caller newer than the library sets beyond would be ignored, so it must
// be zero.
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

// output writes results into a caller's struct of got bytes: as much of ours as fits, but for struct_size, which stays
// the caller's. Members that ours lacks are left as they are.
func output[T any](p, ours *T, got C.uint32_t) {
	const head = unsafe.Sizeof(got)
	n := min(uintptr(got), unsafe.Sizeof(*ours))
	// SAFETY: the caller's struct has got bytes (checkSize), ours has its size; n is below both.
	to, from := (*byte)(unsafe.Pointer(p)), (*byte)(unsafe.Pointer(ours))
	copy(unsafe.Slice(to, int(n))[head:], unsafe.Slice(from, int(n))[head:])
}
