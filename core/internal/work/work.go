// Package work counts the steps of a compilation and ends it at its budget or when its caller cancels it.
//
// Invariant: the count is a function of constraint, options and vocabulary, never of time or earlier compilations, so
// a compilation beyond the budget fails on every machine. The caller's flag only decides whether to continue. Start
// reading at Meter.
package work

import (
	"math"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// lookEvery is the number of steps between two checks of the caller's flag, at most about a millisecond; see
// limits.Budgets.
const lookEvery = 20_000

// Meter counts the steps of one compilation, on its goroutine. A nil *Meter counts nothing: code that runs after the
// compilation uses it.
type Meter struct {
	since   int // steps since the last check
	left    int // of the budget, at the last check
	stop    func() bool
	quiet   bool // counts nothing, and notes a stop without panicking
	stopped bool
	ended   bool // the compilation is over; the meter no longer changes
	where   func() *diag.Error
}

// Ended is the value of the panic that ends a compilation. Compiler.Compile turns it into an error.
type Ended struct {
	Stopped bool        // by the caller's flag, not by the budget
	At      *diag.Error // the place being compiled, with its keyword or text; nil if unknown
}

// New returns the meter of a compilation with a budget; 0 is none. stop may be nil.
func New(budget int, stop func() bool) *Meter {
	if budget == 0 {
		budget = math.MaxInt
	}
	return &Meter{left: budget, stop: stop}
}

// Spend counts n steps. It panics with an Ended if the budget is spent or the caller's flag is up.
func (m *Meter) Spend(n int) {
	if m == nil || m.ended {
		return
	}
	if m.since += n; m.since >= lookEvery {
		m.Look()
	}
}

// Look checks budget and flag at once, for instance between two stages. It panics like Spend.
func (m *Meter) Look() {
	if m == nil || m.ended {
		return
	}
	if !m.quiet {
		m.left -= m.since
	}
	most := m.since
	m.since = 0
	if m.left < 0 {
		m.end(Ended{})
	}
	m.ask(most)
}

func (m *Meter) ask(n int) {
	for m.stop != nil && !m.stopped {
		m.stopped = m.stop()
		if n -= lookEvery; n < lookEvery {
			break
		}
	}
	if m.stopped && !m.quiet {
		m.end(Ended{Stopped: true})
	}
}

// Ahead checks the caller's flag as if n steps had passed, before an allocation of that size. It counts nothing.
func (m *Meter) Ahead(n int) {
	if m != nil && !m.ended && n >= lookEvery {
		m.ask(n)
	}
}

func (m *Meter) end(e Ended) {
	if m.where != nil && !e.Stopped {
		e.At = m.where()
	}
	panic(e)
}

// Left returns the rest of the budget.
func (m *Meter) Left() int { return m.left - m.since }

// At sets the function that locates the current work for the error of an ended compilation, until the caller calls
// done. Nested calls give a more precise place.
func (m *Meter) At(where func() *diag.Error) (done func()) {
	if m == nil || m.ended {
		return func() {}
	}
	outer := m.where
	m.where = where
	return func() { m.where = outer }
}

// Quiet begins work that is not counted, because its amount depends on what other compilations have cached. The meter
// no longer panics: the worker calls Stopped.
func (m *Meter) Quiet() {
	m.Look()
	m.quiet = true
}

// Counted ends Quiet. It reports whether the work was completed rather than stopped.
func (m *Meter) Counted() (done bool) {
	m.Look()
	m.quiet = false
	return !m.stopped
}

// End ends counting: later work for matchers may run on several goroutines.
func (m *Meter) End() { m.ended, m.where, m.stop = true, nil, nil }

// Stopped reports whether the caller's flag is up during quiet work. Each call counts as n steps.
func (m *Meter) Stopped(n int) bool {
	if m == nil {
		return false
	}
	m.Spend(n)
	return m.stopped
}
