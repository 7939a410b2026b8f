package main

// #include "exports.h"
import "C"

import (
	"math"
	"time"

	"github.com/sluice-engine/sluice/capi/internal/pipes"
	"github.com/sluice-engine/sluice/core"
)

// A compilation that takes no longer than its caller's patience runs on his thread: handing it to another one costs two
// wake-ups, 10 to 40 µs, which is half of an ordinary compilation. It stops when patience is over and begins again as a
// job. A text of more than jobBytes takes long enough to be a job at once.
const (
	jobBytes = 16 << 10
	// Of regular expressions and EBNF: patterns are shorter, and long ones the slowest texts there are.
	jobPatternBytes = 1 << 10
)

// large tells whether the compilation is a job at once.
func (c compilation) large() bool {
	if kind := c.kind.Resolve(c.spec); kind == core.Regex || kind == core.EBNF {
		return len(c.spec) > jobPatternBytes
	}
	return len(c.spec) > jobBytes
}

// compilation is what a call was asked to compile. The text is the caller's, and is not kept.
type compilation struct {
	compiler *core.Compiler
	kind     core.Kind
	spec     []byte
	options  core.Options
}

func (c compilation) run(stop func() bool) (*core.Grammar, error) {
	c.options.Stop = stop
	return c.compiler.Compile(c.kind, c.spec, &c.options)
}

// wait tells whether the job is done within a caller's patience.
func wait(j *core.Job, patience C.uint32_t) bool {
	select {
	case <-j.Done():
		return true
	default:
	}
	if patience == 0 {
		return false
	}
	if patience == math.MaxUint32 {
		<-j.Done()
		return true
	}
	timer := time.NewTimer(time.Duration(patience) * time.Microsecond)
	defer timer.Stop()
	select {
	case <-j.Done():
		return true
	case <-timer.C:
		return false
	}
}

// patient returns when a call whose caller has that much patience is to stop; nil: never. Time decides who waits, never
// what an answer is. The clock starts at the first question, so that each call gets something done.
func patient(patience C.uint32_t) func() bool {
	switch patience {
	case 0:
		return core.AtOnce
	case math.MaxUint32:
		return nil
	}
	var begin time.Time
	return func() bool {
		if begin.IsZero() {
			begin = time.Now()
			return false
		}
		return time.Since(begin) > time.Duration(patience)*time.Microsecond
	}
}

//export go_grammar_start
func go_grammar_start(
	compiler C.sluice_compiler, kind C.uint32_t, spec *C.sluice_in_char, specLength C.size_t,
	options *C.sluice_in_char, optionsLength C.size_t, patience C.uint32_t, to *C.sluice_grammar,
	going *C.sluice_job, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_grammar_start"
	defer recovered(&status, e)
	c, err := readCompilation(call, compiler, kind, spec, specLength, options, optionsLength)
	switch {
	case err != nil:
		return fail(e, err)
	case to == nil:
		return fail(e, missing(call, "grammar"))
	case going == nil:
		return fail(e, missing(call, "job"))
	}
	stop, left := patient(patience), C.uint32_t(0)
	if c.large() && patience != math.MaxUint32 {
		stop, left = core.AtOnce, patience
	}
	if stop != nil && left == 0 && patience > 0 {
		stop() // the clock starts now
	}
	g, err := c.run(stop)
	if err == nil || core.AsError(err).Code != core.CodeUnfinished {
		return putGrammar(call, g, err, to, e)
	}
	j := c.compiler.Start(c.kind, c.spec, &c.options)
	if left > 0 && wait(j, left) { // without patience the answer does not depend on which thread is faster
		g, err := j.Result()
		return putGrammar(call, g, err, to, e)
	}
	h := jobs.Put(j)
	if h == 0 {
		j.Cancel()
		return fail(e, tooManyHandles(call))
	}
	*going = C.sluice_job(h)
	return fail(e, core.Errorf(core.CodeUnfinished, call, "the compilation takes longer: wait for its job"))
}

//export go_grammar_find
func go_grammar_find(
	compiler C.sluice_compiler, kind C.uint32_t, spec *C.sluice_in_char, specLength C.size_t,
	options *C.sluice_in_char, optionsLength C.size_t, to *C.sluice_grammar, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_grammar_find"
	defer recovered(&status, e)
	c, err := readCompilation(call, compiler, kind, spec, specLength, options, optionsLength)
	switch {
	case err != nil:
		return fail(e, err)
	case to == nil:
		return fail(e, missing(call, "grammar"))
	}
	g, err := c.run(core.AtOnce)
	return putGrammar(call, g, err, to, e)
}

//export go_job_wait
func go_job_wait(
	h C.sluice_job, patience C.uint32_t, to *C.sluice_grammar, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_job_wait"
	defer recovered(&status, e)
	j, ok := jobs.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagJob, uint64(h)))
	}
	if to == nil {
		return fail(e, missing(call, "grammar"))
	}
	if !wait(j, patience) {
		return fail(e, core.Errorf(core.CodeUnfinished, call, "the compilation takes longer: wait again"))
	}
	if !jobs.Free(uint64(h)) { // of several threads that wait, one gets the result
		return fail(e, staleHandle(call, tagJob, uint64(h)))
	}
	g, err := j.Result()
	return putGrammar(call, g, err, to, e)
}

//export go_job_notify
func go_job_notify(h C.sluice_job, descriptor C.int32_t, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_job_notify"
	defer recovered(&status, e)
	j, ok := jobs.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagJob, uint64(h)))
	}
	if err := pipes.Tell(j.Done(), int(descriptor), uint64(h)); err != nil {
		return fail(e, core.Errorf(core.CodeIO, call, "descriptor %d cannot be written to: %v", descriptor, err))
	}
	return C.SLUICE_OK
}

//export go_job_cancel
func go_job_cancel(h C.sluice_job) (status C.sluice_status) {
	defer recovered(&status, nil)
	j, ok := jobs.Get(uint64(h))
	if !ok {
		return C.SLUICE_E_HANDLE
	}
	j.Cancel()
	return C.SLUICE_OK
}

//export go_job_free
func go_job_free(h C.sluice_job) (status C.sluice_status) {
	defer recovered(&status, nil)
	j, ok := jobs.Get(uint64(h))
	if !ok || !jobs.Free(uint64(h)) {
		return C.SLUICE_E_HANDLE
	}
	j.Cancel()
	return C.SLUICE_OK
}
