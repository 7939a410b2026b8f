package regex

import "github.com/sluice-engine/sluice/core/internal/diag"

// An atomic group keeps only the first match that a backtracking matcher would find. What it keeps is a regular
// language wherever "the first one" can be said with a negative look-ahead: a loop that takes all it can is the loop,
// not followed by one more.

// resolveAtomic returns n without atomic groups.
func (l *lowering) resolveAtomic(n *Node) (*Node, error) {
	if !n.asserts {
		return n, nil
	}
	if n.Op == OpAtomic {
		return l.commit(n.Subs[0])
	}
	out := n
	for i, s := range n.Subs {
		t, err := l.resolveAtomic(s)
		if err != nil {
			return nil, err
		}
		if t == s {
			continue
		}
		if out == n {
			c := *n
			c.Subs = append([]*Node(nil), n.Subs...)
			c.asserts, c.back, c.shortest, c.longest = false, false, 0, 0
			out = &c
		}
		out.Subs[i] = t
	}
	if out == n {
		return n, nil
	}
	if n.Op == OpConcat || n.Op == OpAlternate {
		return sequence(n.Op, n.Pos, out.Subs), nil
	}
	return out.measure(), nil
}

// commit returns the first match of x alone, without atomic groups.
func (l *lowering) commit(x *Node) (*Node, error) {
	if _, ok := x.fixed(); ok { // every way to match ends at the same place
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
			var err error
			if _, ok := s.fixed(); ok || i < last {
				if !ok {
					return nil, l.refuseAtomic(s)
				}
				subs[i], err = l.resolveAtomic(s)
			} else {
				subs[i], err = l.commit(s)
			}
			if err != nil {
				return nil, err
			}
		}
		return concat(x.Pos, subs...), nil
	}
	return nil, l.refuseAtomic(x)
}

// commitAlternatives: a branch counts only where no earlier one matches.
func (l *lowering) commitAlternatives(x *Node) (*Node, error) {
	var branches, earlier []*Node
	for _, s := range x.Subs {
		only, err := l.commit(s)
		if err != nil {
			return nil, err
		}
		branches = append(branches, concat(s.Pos, append(append([]*Node(nil), earlier...), only)...))
		any, err := l.resolveAtomic(s)
		if err != nil {
			return nil, err
		}
		earlier = append(earlier, look(s.Pos, false, true, any))
	}
	return alternate(x.Pos, branches...), nil
}

// commitLoop: fewer rounds than the most count only where no further round matches.
func (l *lowering) commitLoop(x *Node) (*Node, error) {
	size, ok := x.Subs[0].fixed()
	optional := x.Min == 0 && x.Max == 1
	if !ok && !optional {
		return nil, l.refuseAtomic(x)
	}
	body, err := l.resolveAtomic(x.Subs[0])
	if err != nil {
		return nil, err
	}
	if x.Lazy {
		return repeat(x.Pos, body, x.Min, x.Min), nil
	}
	if ok && size == 0 {
		return repeat(x.Pos, body, x.Min, x.Max), nil
	}
	stop := look(x.Pos, false, true, body)
	if x.Max == Unbounded {
		return concat(x.Pos, repeat(x.Pos, body, x.Min, Unbounded), stop), nil
	}
	most := repeat(x.Pos, body, x.Max, x.Max)
	if optional {
		if most, err = l.commit(x.Subs[0]); err != nil {
			return nil, err
		}
	}
	if x.Min == x.Max {
		return most, nil
	}
	return alternate(x.Pos, most, concat(x.Pos, repeat(x.Pos, body, x.Min, x.Max-1), stop)), nil
}

func (l *lowering) refuseAtomic(n *Node) error {
	return failure(l.pattern, diag.Unsupported, n.Pos, "atomic group",
		"this possessive or atomic group gives up matches in a way that is not regular; use an ordinary group or "+
			"quantifier")
}
