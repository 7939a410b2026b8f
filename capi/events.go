package main

// #include "exports.h"
import "C"

import (
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

//export go_matcher_events
func go_matcher_events(
	h C.sluice_matcher, flags C.uint32_t, events *C.sluice_event, capacity C.size_t, n *C.size_t, p *C.uint8_t,
	size C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_matcher_events"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if flags&^C.SLUICE_EVENTS_FINAL != 0 {
		return fail(e, core.Errorf(core.CodeArgument, call, "flags has unknown bits: %#x", uint32(flags)))
	}
	to, bad := eventsTo(call, events, capacity, n, p, size, length)
	if bad != nil {
		return fail(e, bad)
	}
	take := func(all []core.Event) bool { return to.put(all, true) }
	if err := m.TakeEvents(flags&C.SLUICE_EVENTS_FINAL != 0, take); err != nil {
		return fail(e, err)
	}
	return C.SLUICE_OK
}

//export go_parse_calls
func go_parse_calls(
	output *C.sluice_in_char, outputLength C.size_t, request *C.sluice_in_char, requestLength C.size_t,
	options *C.sluice_in_char, optionsLength C.size_t, events *C.sluice_event, capacity C.size_t, n *C.size_t,
	p *C.uint8_t, size C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_parse_calls"
	defer recovered(&status, e)
	written, ok := text(output, outputLength)
	if !ok {
		return fail(e, badArray(call, "text"))
	}
	body, ok := text(request, requestLength)
	if !ok {
		return fail(e, badArray(call, "request"))
	}
	given, ok := text(options, optionsLength)
	if !ok {
		return fail(e, badArray(call, "options"))
	}
	to, bad := eventsTo(call, events, capacity, n, p, size, length)
	if bad != nil {
		return fail(e, bad)
	}
	o, err := core.ParseOptions(given)
	if err != nil {
		return fail(e, err)
	}
	all, err := core.ParseEvents(written, body, o)
	if err != nil {
		return fail(e, err)
	}
	to.put(all, false) // the pointers of a long key's values take more memory than the text
	return C.SLUICE_OK
}

// eventBuffers are the memory of a caller who gets events.
type eventBuffers struct {
	events    []C.sluice_event
	bytes     []byte
	n, length *C.size_t
}

func eventsTo(
	call string, events *C.sluice_event, capacity C.size_t, n *C.size_t, p *C.uint8_t, size C.size_t, length *C.size_t,
) (b eventBuffers, bad error) {
	if n == nil || length == nil {
		return b, missing(call, "n and length")
	}
	b.n, b.length = n, length
	var ok bool
	if b.events, ok = borrow(events, uint64(capacity)); !ok {
		return b, badArray(call, "events")
	}
	if b.bytes, ok = borrow((*byte)(unsafe.Pointer(p)), uint64(size)); !ok {
		return b, badArray(call, "bytes")
	}
	return b, nil
}

// put writes the events, with pointers or without, and reports whether there was room for all.
func (b *eventBuffers) put(all []core.Event, pointers bool) bool {
	at := 0
	add := func(text string) (C.size_t, C.size_t) {
		from := at
		if at < len(b.bytes) {
			copy(b.bytes[at:], text)
		}
		at += len(text)
		return C.size_t(from), C.size_t(len(text))
	}
	for i := range all {
		e := &all[i]
		x := C.sluice_event{kind: C.uint32_t(e.Kind), call: C.SLUICE_NO_CALL, kept: C.uint32_t(e.Kept)}
		if e.Begins {
			x.flags |= C.SLUICE_EVENT_BEGINS
		}
		if e.Ends {
			x.flags |= C.SLUICE_EVENT_ENDS
		}
		if e.Call >= 0 {
			x.call = C.uint32_t(e.Call)
		}
		if pointers {
			x.pointer, x.pointer_length = add(e.Pointer())
		}
		x.text, x.text_length = add(e.Text)
		x.json, x.json_length = add(e.JSON)
		if i < len(b.events) {
			b.events[i] = x
		}
	}
	*b.n, *b.length = C.size_t(len(all)), C.size_t(at)
	return len(all) <= len(b.events) && at <= len(b.bytes)
}
