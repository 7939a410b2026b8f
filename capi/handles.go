package main

// #include "exports.h"
import "C"

import (
	"math"
	"unsafe"

	"github.com/sluice-engine/sluice/capi/internal/handle"
	"github.com/sluice-engine/sluice/core"
)

// The tags of the handles.
const (
	tagVocabulary = 1
	tagCompiler   = 2
	tagGrammar    = 3
	tagMatcher    = 4
	tagJob        = 5
)

// The objects that C callers hold. A C interface can keep such state only in globals.
var (
	vocabularies = handle.NewTable[*core.Vocabulary](tagVocabulary)
	compilers    = handle.NewTable[*core.Compiler](tagCompiler)
	grammars     = handle.NewTable[*core.Grammar](tagGrammar)
	matchers     = handle.NewTable[*core.Matcher](tagMatcher)
	jobs         = handle.NewTable[*core.Job](tagJob)
)

var tagNames = map[uint8]string{
	tagVocabulary: "vocabulary", tagCompiler: "compiler", tagGrammar: "grammar", tagMatcher: "matcher", tagJob: "job",
}

// staleHandle is the error of a handle that names no live object of the wanted type.
func staleHandle(call string, tag uint8, h uint64) error {
	want, got := tagNames[tag], tagNames[handle.Tag(h)]
	switch {
	case h == 0:
		return core.Errorf(core.CodeHandle, call, "the %s handle is 0, which is never valid: check the status of the "+
			"call that makes it", want)
	case got == "":
		return core.Errorf(core.CodeHandle, call, "%#x is not a handle of this library: pass all 64 bits of the %s, as "+
			"it was returned", h, want)
	case got != want:
		return core.Errorf(core.CodeHandle, call, "%#x is a %s, not a %s: check the order of the arguments", h, got,
			want)
	}
	return core.Errorf(core.CodeHandle, call, "the %s %#x was freed: it cannot be used again", want, h)
}

// tooManyHandles is the error of a full table.
func tooManyHandles(call string) error {
	return core.Errorf(core.CodeLimit, call, "%d objects of one type are alive: free the ones you no longer use",
		handle.MaxLive)
}

// maxElements bounds a caller's arrays. Real arrays are far smaller; a larger length was negative in the caller.
// Without the bound unsafe.Slice could panic on an overflow.
const maxElements = math.MaxInt32

// borrow returns the caller's array as a slice; false for a null pointer with elements, a misaligned pointer, or a
// length above maxElements.
func borrow[T any, N interface{ ~uint32 | ~uint64 }](p *T, n N) ([]T, bool) {
	if n == 0 {
		return nil, true
	}
	if p == nil || uint64(n) > maxElements || uintptr(unsafe.Pointer(p))%unsafe.Alignof(*p) != 0 {
		return nil, false
	}
	// SAFETY: by the header, p has n elements that stay valid during the call; no call keeps the slice.
	return unsafe.Slice(p, int(n)), true
}

// badArray is the error of an array that borrow refuses.
func badArray(call, name string) error {
	return core.Errorf(core.CodeArgument, call, "%s is no array: it is NULL, misaligned, or its length is above %d",
		name, maxElements)
}

// missing is the error of a NULL pointer to a result or struct.
func missing(call, name string) error {
	return core.Errorf(core.CodeArgument, call, "%s is NULL: it is not optional", name)
}
