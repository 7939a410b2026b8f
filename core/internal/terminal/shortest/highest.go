package shortest

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Highest returns an upper bound for the bytes that complete e or any state that texts lead to from e, in any tag. It
// takes its cost from *left, and returns Never if that does not suffice for a bound. Bounds of earlier calls cost
// nothing, so make the calls in a fixed order.
func (f *Finder) Highest(e expr.Expr, left *int) uint32 {
	f.left = *left
	n := f.highOf(e)
	*left = f.left
	return n
}

// plus adds numbers of bytes.
func plus(a, b uint32) uint32 { return Distance{Bytes: a}.Plus(Distance{Bytes: b}).Bytes }

// upper returns a bound for the bytes that e takes.
func (f *Finder) upper(e expr.Expr) uint32 {
	if d := f.leastOf(e); d.Exact {
		return d.Bytes
	}
	return f.highOf(e)
}

// escaped is the most bytes that a byte of a text takes if its characters may be escaped.
const escaped = 6

// highOf is Highest by structure. Recursion is as deep as the expression.
func (f *Finder) highOf(e expr.Expr) uint32 {
	if n, ok := f.highs[e]; ok {
		return n
	}
	n := f.highNode(e)
	f.highs[e] = n
	return n
}

func (f *Finder) highNode(e expr.Expr) uint32 {
	v := f.st.View()
	n := v.Node(e)
	switch n.Kind {
	case expr.KEps, expr.KTag:
		return 0
	case expr.KBytes:
		return 1
	case expr.KText:
		return escaped * uint32(len(v.TextOf(n)))
	case expr.KConcat, expr.KSpelled:
		return max(plus(f.highOf(n.Head()), f.upper(n.Tail())), f.highOf(n.Tail()))
	case expr.KOr:
		var most uint32
		for _, x := range v.List(n) {
			most = max(most, f.highOf(x))
		}
		return most
	case expr.KStar:
		return f.highOf(n.Body())
	case expr.KRepeat:
		return plus(f.highOf(n.Body()), Distance{Bytes: f.upper(n.Body())}.Times(n.B).Bytes)
	case expr.KCount:
		if body := n.Body(); f.anyCount(body) {
			return plus(f.highOf(body), v.BoundsOf(n).Min)
		}
	}
	return f.explore(e)
}

// explore is highOf by following all texts. It gives up after the cost of a search.
//
// The bound covers the farthest tag of each place, since the stack decides after which tags the grammar goes on.
func (f *Finder) explore(e expr.Expr) (high uint32) {
	start := place{e, 0}
	from := map[place][]place{start: nil}
	ends := map[uint32][]place{} // by tag
	most := min(f.left, f.most)
	pay := func(n int) (paid bool) {
		f.left, most = f.left-n, most-n
		return most >= 0
	}
	for list := []place{start}; len(list) > 0; {
		at := list[len(list)-1]
		list = list[:len(list)-1]
		if counters.Accepts(f.st, at.e, at.c) {
			tags, bare := f.st.View().Tags(at.e, nil)
			if bare {
				tags = append(tags, untagged)
			}
			for _, t := range tags {
				ends[t] = append(ends[t], at)
			}
		}
		if !pay(f.eachStep(at, func(to place) {
			if _, ok := from[to]; !ok {
				list = append(list, to)
			}
			from[to] = append(from[to], at)
		})) {
			return Never
		}
	}
	for _, now := range ends {
		seen := map[place]bool{}
		for n := uint32(0); len(now) > 0; n++ {
			var next []place
			for _, at := range now {
				if !seen[at] {
					seen[at], high = true, max(high, n)
					next = append(next, from[at]...)
				}
			}
			if now = next; !pay(placeCost * len(next)) {
				return Never
			}
		}
	}
	return high
}

// untagged stands for an end without a tag.
const untagged = ^uint32(0)

// placeCost is the cost of a place that explore follows backwards.
const placeCost = 4
