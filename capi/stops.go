package main

// #include "exports.h"
import "C"

import (
	"math"
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

//export go_matcher_set_stop_strings
func go_matcher_set_stop_strings(
	h C.sluice_matcher, strings *C.sluice_in_octets, lengths *C.sluice_in_size, n C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_matcher_set_stop_strings"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	given, bad := stopStrings{from: strings, lengthsFrom: lengths}, ""
	if given.borrow(uint64(n), &bad); bad != "" {
		return fail(e, badArray(call, bad))
	}
	list, ok := given.list()
	if !ok {
		return fail(e, badArray(call, "strings"))
	}
	return outcome(m.SetStopStrings(list), e)
}

// stopStrings are the caller's strings and their lengths, borrowed for a call.
type stopStrings struct {
	from        *C.sluice_in_octets
	lengthsFrom *C.sluice_in_size

	texts   []C.sluice_in_octets
	lengths []C.sluice_in_size
}

// borrow borrows n strings, and records the name of an invalid array.
func (s *stopStrings) borrow(n uint64, bad *string) {
	s.texts, s.lengths = need(s.from, n, "strings", bad), need(s.lengthsFrom, n, "lengths", bad)
}

// next returns the next n of the strings.
func (s *stopStrings) next(n int) (first stopStrings) {
	first = stopStrings{texts: s.texts[:n], lengths: s.lengths[:n]}
	s.texts, s.lengths = s.texts[n:], s.lengths[n:]
	return first
}

// list returns the strings in the caller's memory. A list of more strings than bytes are allowed is wrong by its
// beginning.
func (s *stopStrings) list() (list []string, ok bool) {
	n := min(len(s.texts), core.MaxStopBytes+1)
	for i, text := range s.texts[:n] {
		raw, ok := octets(text, s.lengths[i])
		if !ok {
			return nil, false
		}
		list = append(list, unsafe.String(unsafe.SliceData(raw), len(raw))) // SAFETY: nobody keeps it after the call
	}
	return list, true
}

//export go_matcher_stopped
func go_matcher_stopped(h C.sluice_matcher, to *C.sluice_stop, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_matcher_stopped"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	switch {
	case !ok:
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	case to == nil:
		return fail(e, missing(call, "stop"))
	}
	s, err := m.Stopped()
	if err != nil {
		return fail(e, err)
	}
	*to = stopOf(s)
	return C.SLUICE_OK
}

func stopOf(s core.StopState) C.sluice_stop {
	out := C.sluice_stop{string: C.SLUICE_NO_STOP, held_back: C.uint32_t(s.HeldBack)}
	if s.Stopped {
		out.string, out.behind = C.uint32_t(s.Index), C.uint32_t(s.Behind)
	}
	return out
}

//export go_batch_set_stop_strings
func go_batch_set_stop_strings(
	in *C.sluice_in_batch, strings *C.sluice_in_octets, lengths *C.sluice_in_size, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_set_stop_strings", does: batchSetStopStrings}
	c.strings.from, c.strings.lengthsFrom = strings, lengths
	return c.run(in, math.MaxUint32, e)
}
