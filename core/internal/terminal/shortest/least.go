package shortest

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// AtLeast returns a lower bound of the bytes that complete state e with counter c, from the structure of e. It counts
// the bytes that are left of the current code point, and one byte for each code point that the minimum still demands.
func (f *Finder) AtLeast(e expr.Expr, c counters.Counter) uint32 {
	v := f.st.View()
	n := v.Node(e)
	if n.Flags&expr.FHead == 0 {
		return f.leastOf(e)
	}
	head := v.CountHead(e)
	b := v.BoundsOf(head)
	left, body := tailOf[c.Phase()], f.leastOf(head.Body())
	if body == Never {
		return Never
	}
	if c.Between() {
		left = f.continuation(head.Body())
	}
	if done := c.Count(); done < b.Min {
		body = max(body, left+b.Min-done)
	}
	if n.Kind == expr.KConcat {
		return plus(body, f.leastOf(n.Tail()))
	}
	return body
}

// tailOf holds the fewest bytes that are left of an escape, by the phase of a counter; see package analysis.
var tailOf = [16]uint32{0, 1, 4, 3, 2, 7, 3, 2, 1, 6, 5, 4, 3, 2, 1}

// continuation returns how many bytes at the start of a body begin no code point.
func (f *Finder) continuation(body expr.Expr) (n uint32) {
	v := f.st.View()
	for {
		x := v.Node(body)
		part := x
		if x.Kind == expr.KConcat || x.Kind == expr.KSpelled {
			part = v.Node(x.Head())
		}
		if part.Kind == expr.KSpelled { // as a whole it begins with one
			return n + f.continuation(x.Head())
		}
		if part.Kind != expr.KBytes || !continues(v.SetOf(part)) {
			return n
		}
		n++
		if part == x {
			return n
		}
		body = x.Tail()
	}
}

// continues reports whether no byte of a set begins a code point.
func continues(set *expr.ByteSet) bool {
	b := set.Next(0)
	for ; b < 256; b = set.Next(b + 1) {
		if b&0xC0 != 0x80 {
			return false
		}
	}
	return true
}

func plus(a, b uint32) uint32 {
	if a == Never || b == Never {
		return Never
	}
	return min(a, Never-1-b) + b
}

// leastOf is AtLeast without a counter. Recursion is as deep as the expression.
func (f *Finder) leastOf(e expr.Expr) uint32 {
	if n, ok := f.bounds[e]; ok {
		return n
	}
	n := f.leastNode(e)
	f.bounds[e] = n
	return n
}

func (f *Finder) leastNode(e expr.Expr) uint32 {
	v := f.st.View()
	n := v.Node(e)
	switch n.Kind {
	case expr.KEmpty:
		return Never
	case expr.KBytes:
		return 1
	case expr.KText:
		return uint32(len(v.TextOf(n)))
	case expr.KConcat, expr.KSpelled:
		return plus(f.leastOf(n.Head()), f.leastOf(n.Tail()))
	case expr.KOr:
		least := uint32(Never)
		for _, x := range v.List(n) {
			least = min(least, f.leastOf(x))
		}
		return least
	case expr.KAnd:
		least := uint32(0)
		for _, x := range v.List(n) {
			least = max(least, f.leastOf(x))
		}
		return least
	case expr.KRepeat:
		if n.B == 0 {
			return 0
		}
		return Distance{Bytes: f.leastOf(n.Body())}.Times(n.B).Bytes
	case expr.KCount:
		if least := f.leastOf(n.Body()); least == Never {
			return Never
		} else {
			return max(least, v.BoundsOf(n).Min)
		}
	case expr.KMachine:
		return v.LeastOf(n)
	}
	return 0 // ε, tags, loops, complements, scans: they may match the empty string
}
