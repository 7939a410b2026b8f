package tokenset

import "github.com/sluice-engine/sluice/core/internal/tokentrie"

// countedVisit gathers the class of a counted terminal. It keeps the count by depth, apart from the states.
type countedVisit struct {
	classVisit
}

// Visit adds the tokens of node i to the group of the code points that they need, or one by one.
func (v *countedVisit) Visit(i uint32, t *ItemFrame) bool {
	w, nodes := v.w, v.trie.Nodes
	n := &nodes[i]
	f, from := w.path[n.Depth-1], w.frames[n.Depth-1].Facts
	if n.Depth == 1 {
		f = countedFrame{}
	}
	if n.Byte&0xC0 != 0x80 {
		f.runes++
		if from.inside && !from.apart && t.inside {
			f.count++
		}
	}
	var into *ranges
	if t.inside {
		f.need = max(f.need, t.lengths.least+f.count)
		if t.lengths.regular {
			into = v.c.group(int(f.need) - int(f.runes))
		}
	}
	w.path[n.Depth] = f
	if n.End != i+1 && t.maybe && !t.apart {
		v.addEnds(i, t.Facts, f.count)
	}
	if into == nil {
		v.single(i, t.Facts, f.count)
		return true
	}
	into.Add(n.Token, nodes[i+1].Token)
	if n.Big >= 0 && f.need == t.lengths.least+f.count && v.covers(t.Facts, &v.trie.Bigs[n.Big]) {
		into.Add(nodes[i+1].Token, nodes[n.End].Token)
		return false
	}
	return true
}

// single adds the tokens of node i one by one. The state behind them is t, and count code points have begun.
func (v *countedVisit) single(i uint32, t *Facts, count uint32) {
	from, to := v.trie.Tokens(i)
	for _, id := range v.trie.Order[from:to] {
		if t.inside {
			v.c.Irregular = append(v.c.Irregular, irregular{id, count, t.Expr, t.counter.WithCount(count)})
		} else {
			v.c.Exits = append(v.c.Exits, exit{id, count})
		}
	}
}

// covers reports whether state t loops on all texts of a subtree. Tokens of the subtree then need their own code points
// and the shortest completion of t. If t may be complete, a token that is too long may still leave the terminal at any
// node of the subtree, so the class is partial.
func (v *countedVisit) covers(t *Facts, b *tokentrie.Big) bool {
	if t.apart || !b.WellFormed {
		return false
	}
	if t.loop.Loop == nil {
		t.loop = coverOf(v.e.store.Loop(t.Expr))
	}
	if !Holds(t.loop.Loop, b) {
		return false
	}
	v.c.partial = v.c.partial || t.maybe
	return true
}
