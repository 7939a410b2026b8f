package main

// #include "exports.h"
import "C"

import (
	"math"
	"time"

	"github.com/sluice-engine/sluice/capi/internal/pipes"
	"github.com/sluice-engine/sluice/core"
)

// A compilation runs on the caller's thread while its patience lasts. Handing it to another thread costs two wake-ups,
// 10 to 40 µs, half of an ordinary compilation. When patience is over the compilation stops and starts again as a job.
// A text of more than jobBytes takes so long that it becomes a job at once.
const (
	jobBytes = 16 << 10
	// The bound for regular expressions and EBNF. Patterns are shorter, and long patterns are the slowest texts.
	jobPatternBytes = 1 << 10
)

// large reports whether the compilation becomes a job at once.
func (c compilation) large() bool {
	if kind := c.kind.Resolve(c.spec); kind == core.Regex || kind == core.EBNF {
		return len(c.spec) > jobPatternBytes
	}
	return len(c.spec) > jobBytes
}

// compilation holds the parameters of a compilation. The text is the caller's and is not kept.
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

// wait reports whether the job is done within the caller's patience.
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

// patient returns a function that tells a call when its patience is over; nil: never. Time decides how long a call
// works, never its answer. The clock starts at the first call of the function, so that each call gets something done.
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
