// Package work counts what a compilation does, and ends one that has done too much or that nobody waits for any more.
//
// Invariant: what is counted is a function of the constraint, its options and the vocabulary, never of time or of what
// was compiled before; so a compilation that is beyond the budget is so for everybody. Counting may look at a caller's
// flag, which decides only whether the compilation goes on. The package knows nothing of what is counted. Start reading
// at Meter.
package work

import (
	"math"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// lookEvery is how much work is done between two looks at the caller's flag: at most about a millisecond, see
// limits.Budgets.
const lookEvery = 20_000

// Meter counts the work of one compilation. Used by the goroutine that compiles. A nil *Meter counts nothing: it
// belongs to work that goes on after a compilation.
type Meter struct {
	since   int // work since the last look
	left    int // of the budget, at the last look
	stop    func() bool
	quiet   bool // nothing is counted, and the end is only noted
	stopped bool
	ended   bool // the compilation is over; nothing is written any more
	where   func() *diag.Error
}

// Ended is the value of the panic that ends a compilation. Compiler.Compile turns it into an error.
type Ended struct {
	Stopped bool        // by the caller's flag, not by the budget
	At      *diag.Error // the place of what was being worked on, with its keyword or its text; nil if that is not known
}

// New returns the meter of a compilation with a budget; 0 is none. stop may be nil.
func New(budget int, stop func() bool) *Meter {
	if budget == 0 {
		budget = math.MaxInt
	}
	return &Meter{left: budget, stop: stop}
}

// Spend counts n. It panics with an Ended if the budget is spent or the caller's flag is up.
func (m *Meter) Spend(n int) {
	if m == nil || m.ended {
		return
	}
	if m.since += n; m.since >= lookEvery {
		m.Look()
	}
}

// Look is Spend where so much has been done that the flag is to be asked at once, as between two stages.
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

// ask asks the caller's flag, once for each part of n steps.
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

// Ahead asks the caller's flag as if n had been done, where the memory for that is about to be taken. It counts nothing.
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

// Left returns how much of the budget is left.
func (m *Meter) Left() int { return m.left - m.since }

// At says how to find out what is being worked on, for the error of a compilation that does too much, until the
// function that it returns is called. Within that time others may say so more precisely.
func (m *Meter) At(where func() *diag.Error) (done func()) {
	if m == nil || m.ended {
		return func() {}
	}
	outer := m.where
	m.where = where
	return func() { m.where = outer }
}

// Quiet begins work that is not counted because how much it is depends on what others have done before. Nothing panics
// from now on: whoever works asks Stopped.
func (m *Meter) Quiet() {
	m.Look()
	m.quiet = true
}

// Counted ends what Quiet began. It reports whether the work was done, false if it was stopped.
func (m *Meter) Counted() (done bool) {
	m.Look()
	m.quiet = false
	return !m.stopped
}

// End ends counting: what is done later, on behalf of a matcher, may be done by several at the same time.
func (m *Meter) End() { m.ended, m.where, m.stop = true, nil, nil }

// Stopped reports, of quiet work, whether the caller's flag is up. Each call counts as n.
func (m *Meter) Stopped(n int) bool {
	if m == nil {
		return false
	}
	m.Spend(n)
	return m.stopped
}
