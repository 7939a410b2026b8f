package counters

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Head is the Counted that a state is inside of, for walks that need it at every node. It is valid at every count, but
// in one phase only.
type Head struct {
	bounds  expr.Bounds
	phase   uint8
	maybe   bool               // the state is complete at some count
	short   Shortest           // the least completion of the body
	lengths *analysis.Spectrum // of the rest of the body; nil: not known
}

// HeadOf returns the head of counted state e, for counters in the phase of c.
func HeadOf(st *terminal.Store, e expr.Expr, c Counter) Head {
	v := st.View()
	n := v.CountHead(e)
	h := Head{bounds: v.BoundsOf(n), phase: c.Phase(), maybe: v.Maybe(e)}
	h.short = Least(st, e, c)
	h.lengths = v.LengthsKnown(n.Body(), h.phase, h.bounds.Enc)
	return h
}

// After returns the counter after byte b, which leads to the head's state from a state of the same Counted with counter
// c. fits reports whether the bounds can still be met. known is false if Step has to decide.
func (h *Head) After(c Counter, b byte) (next Counter, fits, known bool) {
	next = advance(h.bounds, c, b)
	if h.lengths == nil || next.Phase() != h.phase {
		return 0, false, false
	}
	fits, known = h.lengths.Decides(next.Count(), h.bounds)
	return next, fits, known
}

// RunsFor reports whether the bounds fit after n more code points, all of which lead back to the state (Lemma 136).
func (h *Head) RunsFor(c Counter, n uint32) bool {
	if h.bounds.Max == expr.Unbounded {
		return true
	}
	return c.Between() && h.short.Known && (h.short.Regular || c.Count() >= h.bounds.Min) &&
		c.Count()+n <= h.bounds.Max-min(h.short.N, h.bounds.Max)
}

// Holds reports whether the count of c is within the bounds.
func (h *Head) Holds(c Counter) bool { return within(h.bounds, c.Count()) }

// Accepts reports whether the head's state is complete with counter c.
func (h *Head) Accepts(c Counter) bool { return h.maybe && c.Between() && h.Holds(c) }
