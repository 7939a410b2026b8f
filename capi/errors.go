package main

// #include "exports.h"
import "C"

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core"
)

// fail copies an error into the caller's struct, if there is one, and returns its code.
func fail(to *C.sluice_error, err error) C.sluice_status {
	e := core.AsError(err)
	status := C.sluice_status(e.Code)
	if to == nil || to.struct_size < C.SLUICE_FIRST_ERROR {
		return status
	}
	var own C.sluice_error
	own.code = status
	own.has_pointer = flag[C.uint32_t](e.Place.HasPointer)
	own.line = C.uint32_t(e.Place.Line)
	own.column = C.uint32_t(e.Place.Column)
	own.offset = C.uint64_t(e.Place.Offset)
	own.source_length = copyText(own.source[:], e.Source)
	own.keyword_length = copyText(own.keyword[:], e.Keyword)
	own.fragment_length = copyText(own.fragment[:], e.Fragment)
	own.pointer_length = copyText(own.pointer[:], e.Place.Pointer)
	own.message_length = copyText(own.message[:], e.Error())
	own.advice_length = C.uint32_t(len(e.Tail()))
	output(to, &own, to.struct_size)
	return status
}

// recovered turns a panic, which is a bug in Sluice, into SLUICE_E_INTERNAL. Every export defers it, because a panic
// that leaves Go ends the process.
func recovered(status *C.sluice_status, to *C.sluice_error) {
	if r := recover(); r != nil {
		*status = fail(to, core.Bug(r))
	}
}

// copyText copies s into the caller's buffer, cut at a character's border and ended with NUL. It returns the length of
// the whole text. A fragment may quote bytes that are not UTF-8; they become U+FFFD, since the header promises UTF-8.
func copyText(to []C.char, s string) C.uint32_t {
	s = strings.ToValidUTF8(s, "\uFFFD")
	n := min(len(s), len(to)-1)
	for n < len(s) && n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	for i := range n {
		to[i] = C.char(s[i])
	}
	to[n] = 0
	return C.uint32_t(len(s))
}

// flag converts a bool for C.
func flag[N ~uint8 | ~uint32](b bool) N {
	if b {
		return 1
	}
	return 0
}
