package regex

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// An atomic group keeps only the first match that a backtracking matcher would find. Negative look-aheads express it
// as a regular language (Lemma 2).

func (l *lowering) resolveAtomic(n *Node) *Node {
	if !n.asserts {
		return n
	}
	if n.Op == OpAtomic {
		return l.commit(n.Subs[0])
	}
	out := *n
	out.Subs = nil
	for _, s := range n.Subs {
		out.Subs = append(out.Subs, l.resolveAtomic(s))
	}
	switch {
	case slices.Equal(out.Subs, n.Subs):
		return n // look-arounds are identified by their nodes
	case n.Op == OpConcat || n.Op == OpAlternate:
		return sequence(n.Op, n.Pos, out.Subs)
	}
	out.asserts, out.back, out.shortest, out.longest = false, false, 0, 0
	return out.measure()
}

func (l *lowering) commit(x *Node) *Node {
	if _, ok := x.fixed(); ok { // every match ends at the same place
		return l.resolveAtomic(x)
	}
	switch x.Op {
	case OpAtomic:
		return l.commit(x.Subs[0])
	case OpAlternate:
		return l.commitAlternatives(x)
	case OpRepeat:
		return l.commitLoop(x)
	case OpConcat:
		last := len(x.Subs) - 1
		subs := make([]*Node, last+1)
		for i, s := range x.Subs {
			if _, ok := s.fixed(); ok {
				subs[i] = l.resolveAtomic(s)
			} else if i < last {
				return l.refuseAtomic(s)
			} else {
				subs[i] = l.commit(s)
			}
		}
		return concat(x.Pos, subs...)
	}
	return l.refuseAtomic(x)
}

// commitAlternatives returns the alternation in which a branch matches only if no earlier branch does.
func (l *lowering) commitAlternatives(x *Node) *Node {
	var branches, earlier []*Node
	for _, s := range x.Subs {
		branches = append(branches, concat(s.Pos, append(slices.Clone(earlier), l.commit(s))...))
		earlier = append(earlier, look(s.Pos, false, true, l.resolveAtomic(s)))
	}
	return alternate(x.Pos, branches...)
}

// commitLoop returns the loop that stops below its maximum only if no further round matches.
func (l *lowering) commitLoop(x *Node) *Node {
	size, ok := x.Subs[0].fixed()
	optional := x.Min == 0 && x.Max == 1
	if !ok && !optional {
		return l.refuseAtomic(x)
	}
	body := l.resolveAtomic(x.Subs[0])
	if x.Lazy {
		return repeat(x.Pos, body, x.Min, x.Min)
	}
	if ok && size == 0 {
		return repeat(x.Pos, body, x.Min, x.Max)
	}
	stop := look(x.Pos, false, true, body)
	if x.Max == Unbounded {
		return concat(x.Pos, repeat(x.Pos, body, x.Min, Unbounded), stop)
	}
	most := repeat(x.Pos, body, x.Max, x.Max)
	if optional {
		most = l.commit(x.Subs[0])
	}
	if x.Min == x.Max {
		return most
	}
	return alternate(x.Pos, most, concat(x.Pos, repeat(x.Pos, body, x.Min, x.Max-1), stop))
}

func (l *lowering) refuseAtomic(n *Node) *Node {
	l.fail(n, diag.Unsupported, "atomic group", "the texts that this possessive or atomic group excludes are not "+
		"regular; use an ordinary group or quantifier")
	return n
}
