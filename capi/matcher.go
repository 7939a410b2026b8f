package main

// #include "exports.h"
import "C"

import (
	"math"
	"sync"
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

//export go_matcher_new
func go_matcher_new(
	grammar C.sluice_grammar, options *C.sluice_in_matcher_options, to *C.sluice_matcher, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_matcher_new"
	defer recovered(&status, e)
	g, ok := grammars.Get(uint64(grammar))
	if !ok {
		return fail(e, staleHandle(call, tagGrammar, uint64(grammar)))
	}
	if to == nil {
		return fail(e, missing(call, "matcher"))
	}
	o, err := readMatcherOptions(call, options)
	if err != nil {
		return fail(e, err)
	}
	m, err := core.NewMatcher(g, o)
	return putMatcher(call, m, err, to, e)
}

// readMatcherOptions reads a matcher's options; NULL means the defaults.
func readMatcherOptions(call string, options *C.sluice_in_matcher_options) (o core.MatcherOptions, err error) {
	if options == nil {
		return o, nil
	}
	own, err := input(call, "options", options, options.struct_size, C.SLUICE_FIRST_MATCHER_OPTIONS)
	if err != nil {
		return o, err
	}
	const known = C.SLUICE_REJECT_AFTER_END | C.SLUICE_ALL_ALLOWED_AFTER_END | C.SLUICE_KEEP_OUTPUT
	if own.flags&^known != 0 {
		return o, core.Errorf(core.CodeArgument, call, "options.flags has unknown bits: %#x", own.flags&^known)
	}
	o.RejectAfterEnd = own.flags&C.SLUICE_REJECT_AFTER_END != 0
	o.AllAllowedAfterEnd = own.flags&C.SLUICE_ALL_ALLOWED_AFTER_END != 0
	o.KeepOutput = own.flags&C.SLUICE_KEEP_OUTPUT != 0
	if o.StopTokens, err = idList(call, "options.stop_tokens", own.stop_tokens, own.n_stop_tokens); err != nil {
		return o, err
	}
	o.Reasoning, err = readReasoning(call, own.reasoning)
	return o, err
}

// readReasoning reads a matcher's reasoning; NULL means that there is none.
func readReasoning(call string, given *C.sluice_in_reasoning) (*core.Reasoning, error) {
	const name = "options.reasoning"
	if given == nil {
		return nil, nil
	}
	own, err := input(call, name, given, given.struct_size, C.SLUICE_FIRST_REASONING)
	if err != nil {
		return nil, err
	}
	if own.flags&^C.SLUICE_REASONING_LIMITED != 0 {
		return nil, core.Errorf(core.CodeArgument, call, "%s.flags has unknown bits: %#x", name, own.flags)
	}
	if own.reserved != 0 {
		return nil, core.Errorf(core.CodeArgument, call, "%s.reserved is %d: it must be 0", name, own.reserved)
	}
	r := &core.Reasoning{Limited: own.flags&C.SLUICE_REASONING_LIMITED != 0, Budget: int(own.budget)}
	if r.End, err = idList(call, name+".end", own.end, own.n_end); err != nil {
		return nil, err
	}
	r.Begin, err = idList(call, name+".begin", own.begin, own.n_begin)
	return r, err
}

// putMatcher hands a new matcher out.
func putMatcher(call string, m *core.Matcher, err error, to *C.sluice_matcher, e *C.sluice_error) C.sluice_status {
	if err != nil {
		return fail(e, err)
	}
	h := matchers.Put(m)
	if h == 0 {
		return fail(e, tooManyHandles(call))
	}
	*to = C.sluice_matcher(h)
	return C.SLUICE_OK
}

//export go_matcher_fork
func go_matcher_fork(h C.sluice_matcher, to *C.sluice_matcher, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_matcher_fork"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if to == nil {
		return fail(e, missing(call, "fork"))
	}
	f, err := m.Fork()
	return putMatcher(call, f, err, to, e)
}

//export go_matcher_reset
func go_matcher_reset(h C.sluice_matcher, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle("sluice_matcher_reset", tagMatcher, uint64(h)))
	}
	return outcome(m.Reset(), e)
}

//export go_matcher_free
func go_matcher_free(h C.sluice_matcher) (status C.sluice_status) {
	defer recovered(&status, nil)
	if m, ok := matchers.Get(uint64(h)); ok {
		m.Flush()
	}
	return freed(matchers.Free(uint64(h)))
}

// outcome is the status of a call that succeeds or fails and says no more.
func outcome(err error, e *C.sluice_error) C.sluice_status {
	if err != nil {
		return fail(e, err)
	}
	return C.SLUICE_OK
}

//export go_matcher_accept
func go_matcher_accept(
	h C.sluice_matcher, ids *C.sluice_in_id, n C.size_t, accepted *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return follow("sluice_matcher_accept", h, ids, n, nil, core.Until.Accept, accepted, e)
}

//export go_matcher_try_accept
func go_matcher_try_accept(
	h C.sluice_matcher, ids *C.sluice_in_id, n C.size_t, accepted *C.size_t, patience C.uint32_t,
	e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return follow("sluice_matcher_try_accept", h, ids, n, patient(patience), core.Until.Accept, accepted, e)
}

//export go_matcher_validate
func go_matcher_validate(
	h C.sluice_matcher, ids *C.sluice_in_id, n C.size_t, valid *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return follow("sluice_matcher_validate", h, ids, n, nil, core.Until.Validate, valid, e)
}

//export go_matcher_try_validate
func go_matcher_try_validate(
	h C.sluice_matcher, ids *C.sluice_in_id, n C.size_t, valid *C.size_t, patience C.uint32_t,
	e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return follow("sluice_matcher_try_validate", h, ids, n, patient(patience), core.Until.Validate, valid, e)
}

// follow is accept or validate of the caller's tokens.
func follow(
	call string, h C.sluice_matcher, ids *C.sluice_in_id, n C.size_t, stop func() bool,
	how func(core.Until, []int32) (int, error), to *C.size_t, e *C.sluice_error,
) C.sluice_status {
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	tokens, ok := tokenIDs(ids, n)
	if !ok {
		return fail(e, badArray(call, "ids"))
	}
	got, err := how(m.Until(stop), tokens)
	return progress(got, len(tokens), err, to, e)
}

// tokenIDs borrows the caller's token ids.
func tokenIDs(ids *C.sluice_in_id, n C.size_t) ([]int32, bool) {
	return borrow((*int32)(unsafe.Pointer(ids)), uint64(n))
}

// progress is the status of a call that got through got of n tokens.
func progress(got, n int, err error, to *C.size_t, e *C.sluice_error) C.sluice_status {
	if to != nil && (err == nil || core.AsError(err).Code == core.CodeLimit) {
		*to = C.size_t(got)
	}
	switch {
	case err != nil:
		return fail(e, err)
	case got < n:
		return C.SLUICE_E_REJECTED
	}
	return C.SLUICE_OK
}

//export go_matcher_accept_token
func go_matcher_accept_token(h C.sluice_matcher, id C.int32_t) (status C.sluice_status) {
	defer recovered(&status, nil)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return C.SLUICE_E_HANDLE
	}
	one := [1]int32{int32(id)}
	got, err := m.Accept(one[:])
	return progress(got, 1, err, nil, nil)
}

//export go_matcher_try_accept_token
func go_matcher_try_accept_token(h C.sluice_matcher, id C.int32_t) (status C.sluice_status) {
	defer recovered(&status, nil)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return C.SLUICE_E_HANDLE
	}
	one := [1]int32{int32(id)}
	got, err := m.Until(core.AtOnce).Accept(one[:])
	return progress(got, 1, err, nil, nil)
}

//export go_matcher_accept_bytes
func go_matcher_accept_bytes(
	h C.sluice_matcher, p *C.sluice_in_byte, n C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return acceptBytes("sluice_matcher_accept_bytes", h, p, n, nil, e)
}

//export go_matcher_try_accept_bytes
func go_matcher_try_accept_bytes(
	h C.sluice_matcher, p *C.sluice_in_byte, n C.size_t, patience C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return acceptBytes("sluice_matcher_try_accept_bytes", h, p, n, patient(patience), e)
}

func acceptBytes(
	call string, h C.sluice_matcher, p *C.sluice_in_byte, n C.size_t, stop func() bool, e *C.sluice_error,
) C.sluice_status {
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	said, ok := octets(p, n)
	if !ok {
		return fail(e, badArray(call, "bytes"))
	}
	allowed, err := m.Until(stop).AcceptBytes(said)
	switch {
	case err != nil:
		return fail(e, err)
	case !allowed:
		return C.SLUICE_E_REJECTED
	}
	return C.SLUICE_OK
}

//export go_matcher_rollback
func go_matcher_rollback(h C.sluice_matcher, n C.size_t, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle("sluice_matcher_rollback", tagMatcher, uint64(h)))
	}
	return outcome(m.Rollback(int(min(n, math.MaxInt))), e)
}

//export go_matcher_fill
func go_matcher_fill(
	h C.sluice_matcher, row *C.uint32_t, words C.size_t, constrained *C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return fillRow("sluice_matcher_fill", h, row, words, constrained, nil, e)
}

//export go_matcher_try_fill
func go_matcher_try_fill(
	h C.sluice_matcher, row *C.uint32_t, words C.size_t, constrained *C.uint32_t,
) (status C.sluice_status) {
	defer recovered(&status, nil)
	return fillRow("sluice_matcher_try_fill", h, row, words, constrained, core.AtOnce, nil)
}

func fillRow(
	call string, h C.sluice_matcher, row *C.uint32_t, words C.size_t, constrained *C.uint32_t, stop func() bool,
	e *C.sluice_error,
) C.sluice_status {
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	mask, ok := borrow((*uint32)(unsafe.Pointer(row)), uint64(words))
	if !ok {
		return fail(e, badArray(call, "row"))
	}
	apply, err := m.Until(stop).Fill(mask)
	if err != nil {
		return fail(e, err)
	}
	if constrained != nil {
		*constrained = flag[C.uint32_t](apply)
	}
	return C.SLUICE_OK
}

//export go_matcher_state
func go_matcher_state(h C.sluice_matcher, state *C.uint32_t, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_matcher_state"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if state == nil {
		return fail(e, missing(call, "state"))
	}
	*state = stateBits(m.State())
	return C.SLUICE_OK
}

func stateBits(s core.State) C.uint32_t {
	return flag[C.uint32_t](s.Completed)*C.SLUICE_STATE_COMPLETED |
		flag[C.uint32_t](s.Terminated)*C.SLUICE_STATE_TERMINATED |
		flag[C.uint32_t](s.Stopped)*C.SLUICE_STATE_STOPPED
}

//export go_matcher_finished
func go_matcher_finished(
	h C.sluice_matcher, finished *C.uint32_t, patience C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_matcher_finished"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if finished == nil {
		return fail(e, missing(call, "finished"))
	}
	yes, err := m.Until(patient(patience)).Finished()
	if err != nil {
		return fail(e, err)
	}
	*finished = flag[C.uint32_t](yes)
	return C.SLUICE_OK
}

//export go_matcher_length
func go_matcher_length(h C.sluice_matcher, length *C.size_t, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_matcher_length"
	defer recovered(&status, e)
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if length == nil {
		return fail(e, missing(call, "length"))
	}
	*length = C.size_t(m.Len())
	return C.SLUICE_OK
}

//export go_matcher_forced_bytes
func go_matcher_forced_bytes(
	h C.sluice_matcher, p *C.uint8_t, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return forcedBytes("sluice_matcher_forced_bytes", h, p, capacity, length, nil, e)
}

//export go_matcher_try_forced_bytes
func go_matcher_try_forced_bytes(
	h C.sluice_matcher, p *C.uint8_t, capacity C.size_t, length *C.size_t, patience C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return forcedBytes("sluice_matcher_try_forced_bytes", h, p, capacity, length, patient(patience), e)
}

func forcedBytes(
	call string, h C.sluice_matcher, p *C.uint8_t, capacity C.size_t, length *C.size_t, stop func() bool,
	e *C.sluice_error,
) C.sluice_status {
	m, ok := matchers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagMatcher, uint64(h)))
	}
	if length == nil {
		return fail(e, missing(call, "length"))
	}
	to, ok := borrow((*byte)(unsafe.Pointer(p)), uint64(capacity))
	if !ok {
		return fail(e, badArray(call, "bytes"))
	}
	// Not into the caller's memory: of a call that fails on the way nothing is written.
	scratch := texts.Get().(*[]byte)
	defer texts.Put(scratch)
	forced, err := m.Until(stop).ForcedBytes((*scratch)[:0])
	if err != nil {
		return fail(e, err)
	}
	*scratch = forced
	copy(to, forced)
	*length = C.size_t(len(forced))
	return C.SLUICE_OK
}

// texts keeps the memory in which forced texts are found.
var texts = sync.Pool{New: func() any { return new([]byte) }}
