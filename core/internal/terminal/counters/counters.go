// Package counters steps the states of terminals together with their counters. "Body, with between min and max code
// points" is one expression at every count; the count travels beside the state as a Counter.
//
// Invariant: state and counter together determine the future. A state that counts nothing has counter zero. Start
// reading at Step.
package counters

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

type (
	// Counter is the count of a counted state.
	Counter = analysis.Counter
	// Shortest is the least number of code points that complete a counted state.
	Shortest = analysis.Shortest
)

// Make returns the counter after count whole code points.
func Make(count uint32) Counter { return analysis.MakeCounter(count) }

// Bounds returns the bounds of the Counted that state e is inside of; ok is false if there is none.
func Bounds(st *terminal.Store, e expr.Expr) (minimum, maximum uint32, ok bool) {
	v := st.View()
	n := v.CountHead(e)
	if n == nil {
		return 0, 0, false
	}
	b := v.BoundsOf(n)
	return b.Min, b.Max, true
}

// Step returns the state and counter after byte b; Empty if there is none, TooHard if that exceeds a limit.
func Step(st *terminal.Store, e expr.Expr, c Counter, b byte) (expr.Expr, Counter) {
	v := st.View()
	t := st.Delta(e, b)
	if t == expr.Empty || t == expr.TooHard || (v.Node(e).Flags|v.Node(t).Flags)&expr.FHead == 0 {
		return t, 0
	}
	return stepCounted(st, e, c, t, b)
}

func stepCounted(st *terminal.Store, e expr.Expr, c Counter, t expr.Expr, b byte) (expr.Expr, Counter) {
	v := st.View()
	from, to := v.CountHead(e), v.CountHead(t)
	switch {
	case from == nil:
		return t, 0
	case to == nil:
		bd := v.BoundsOf(from)
		if !within(bd, c.Count()) {
			return expr.Empty, 0
		}
		return t, 0
	}
	bd := v.BoundsOf(to)
	next := advance(bd, c, b)
	switch yes, known := fits(st, to.Body(), next, bd); {
	case !known:
		return expr.TooHard, 0
	case !yes:
		return expr.Empty, 0
	}
	return t, next
}

// advance returns the counter after byte b, within bounds bd.
func advance(bd expr.Bounds, c Counter, b byte) Counter {
	phase, begins := analysis.Advance(bd.Enc, c.Phase(), b)
	n := c.Count()
	if begins && n < analysis.CounterMax {
		n++
	}
	if bd.Max == expr.Unbounded {
		n = min(n, bd.Min)
	}
	return analysis.CounterAt(n, phase)
}

// within reports whether n code points are within bounds bd.
func within(bd expr.Bounds, n uint32) bool { return n >= bd.Min && n <= bd.Max }

// Accepts reports whether state e is complete with counter c.
func Accepts(st *terminal.Store, e expr.Expr, c Counter) bool {
	v := st.View()
	n := v.Node(e)
	if n.Flags&expr.FHead == 0 {
		return n.Flags&expr.FNullable != 0
	}
	if n.Flags&expr.FMaybe == 0 {
		return false
	}
	bd := v.BoundsOf(v.CountHead(e))
	return c.Between() && within(bd, c.Count())
}

// WithinBounds reports whether n code points satisfy the bounds of counted state e.
func WithinBounds(st *terminal.Store, e expr.Expr, n uint32) bool {
	v := st.View()
	return within(v.BoundsOf(v.CountHead(e)), n)
}

// FitsRest reports whether, after n code points, the body of counted state t can be completed within the bounds of
// counted state e, for a counter in the phase of c. t is a state inside the same body as e; its own bounds may be
// others (relax.Uncounted). known is false if that exceeds a limit.
func FitsRest(st *terminal.Store, e expr.Expr, n uint32, t expr.Expr, c Counter) (yes, known bool) {
	v := st.View()
	return fits(st, v.CountHead(t).Body(), c.WithCount(n), v.BoundsOf(v.CountHead(e)))
}

// StepFree is Step without checks of bounds. The counter keeps its value after the body. In a state before the body, c
// must be zero, so that the body counts from zero. inside reports whether the new state is counted.
func StepFree(st *terminal.Store, e expr.Expr, c Counter, b byte) (t expr.Expr, next Counter, inside bool) {
	v := st.View()
	t = st.Delta(e, b)
	if t == expr.Empty || t == expr.TooHard {
		return t, 0, false
	}
	inside = v.Node(t).Flags&expr.FHead != 0
	if !inside || v.Node(e).Flags&expr.FHead == 0 {
		return t, c, inside
	}
	phase, begins := analysis.Advance(v.BoundsOf(v.CountHead(t)).Enc, c.Phase(), b)
	n := c.Count()
	if begins && n < analysis.CounterMax {
		n++
	}
	return t, analysis.CounterAt(n, phase), true
}

// Inside reports whether state e is inside a Counted.
func Inside(st *terminal.Store, e expr.Expr) bool { return st.View().Node(e).Flags&expr.FHead != 0 }

// Complete reports whether state e is complete at some count.
func Complete(st *terminal.Store, e expr.Expr) bool { return st.View().Maybe(e) }

// Least returns the least number of code points that complete the body of counted state e, for a counter in the phase
// of c. It takes no lock if the lengths are kept.
func Least(st *terminal.Store, e expr.Expr, c Counter) Shortest {
	v := st.View()
	head := v.CountHead(e)
	p, phase, enc := head.Body(), c.Phase(), v.BoundsOf(head).Enc
	if sp := v.LengthsKnown(p, phase, enc); sp != nil {
		return sp.Shortest()
	}
	a := st.Lock()
	defer st.Unlock()
	return a.Least(p, phase, enc)
}

// fits reports whether body state p with counter c can be completed within the bounds. known is false if the graph of p
// exceeds a limit.
func fits(st *terminal.Store, p expr.Expr, c Counter, bd expr.Bounds) (yes, known bool) {
	v := st.View()
	if sp := v.LengthsKnown(p, c.Phase(), bd.Enc); sp != nil {
		if yes, known := sp.Decides(c.Count(), bd); known {
			return yes, true
		}
	}
	a := st.Lock()
	defer st.Unlock()
	return a.CanFit(p, c, bd)
}

// Match reports whether e matches the whole text. For tests and for values at compile time.
func Match(st *terminal.Store, e expr.Expr, text []byte) bool {
	var c Counter
	for _, b := range text {
		if e, c = Step(st, e, c, b); e == expr.Empty {
			return false
		}
	}
	return Accepts(st, e, c)
}

// EnoughRounds returns the body of counted state e if the body is a loop, c is between code points, and c has reached
// the minimum: e may end here or after more rounds. Else it returns Empty.
func EnoughRounds(st *terminal.Store, e expr.Expr, c Counter) (loop expr.Expr) {
	v := st.View()
	head := v.CountHead(e)
	if head == nil || !c.Between() || c.Count() < v.BoundsOf(head).Min || v.Node(head.Body()).Kind != expr.KStar {
		return expr.Empty
	}
	return head.Body()
}

// WithinLoop reports whether state e is between or within the rounds of a loop.
func WithinLoop(st *terminal.Store, e, loop expr.Expr) bool {
	v := st.View()
	head := v.CountHead(e)
	return head != nil && v.LastPart(head.Body()) == loop
}
