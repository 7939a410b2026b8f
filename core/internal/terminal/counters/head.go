package counters

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Head is the Counted that a state is inside of, at hand for walks that ask for it at every node. It holds for one place
// within a code point, whatever the count is.
type Head struct {
	bounds  expr.Bounds
	phase   uint8
	maybe   bool               // the state is complete at some count
	short   Shortest           // how few code points complete the body
	lengths *analysis.Spectrum // of the rest of the body; nil where they have not been found out
}

// HeadOf returns the head of state e, which is inside of a Counted, for counters in the phase of c.
func HeadOf(st *terminal.Store, e expr.Expr, c Counter) Head {
	v := st.View()
	n := v.CountHead(e)
	h := Head{bounds: v.BoundsOf(n), phase: c.Phase(), maybe: v.Maybe(e)}
	h.short = Least(st, e, c)
	h.lengths = v.LengthsKnown(n.Body(), h.phase, h.bounds.Enc)
	return h
}

// After returns the counter of the state whose head h is, reached by byte b from a state of the same Counted with counter
// c, and whether the bounds can still be kept. known is false where Step has to be asked.
func (h *Head) After(c Counter, b byte) (next Counter, fits, known bool) {
	next = advance(h.bounds, c, b)
	if h.lengths == nil || next.Phase() != h.phase {
		return 0, false, false
	}
	fits, known = h.lengths.Decides(next.Count(), h.bounds)
	return next, fits, known
}

// RunsFor reports whether the bounds can still be kept after n more code points, all of which lead back to the state.
func (h *Head) RunsFor(c Counter, n uint32) bool {
	if h.bounds.Max == expr.Unbounded {
		return true
	}
	return c.Between() && h.short.Known && (h.short.Regular || c.Count() >= h.bounds.Min) &&
		c.Count()+n <= h.bounds.Max-min(h.short.N, h.bounds.Max)
}

// Holds reports whether c has counted as many code points as the bounds ask for.
func (h *Head) Holds(c Counter) bool { return within(h.bounds, c.Count()) }

// Accepts reports whether the state whose head h is, with counter c, is complete.
func (h *Head) Accepts(c Counter) bool { return h.maybe && c.Between() && h.Holds(c) }
