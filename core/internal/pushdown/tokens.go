package pushdown

// tokens counts a token in stacks. One use.
type tokens struct {
	a     *stacks
	ended map[frame]bool // frames of scopes without room; true: the scope ends, and the text above is dropped
	nodes map[nodeID]nodeID
	fresh bool // counts only the first token of a scope
	still bool // counts nothing
	plain bool // sets all counts to zero: they do not matter before the next border
}

// node returns node k with one token more, 0 if no frame stays.
func (t *tokens) node(k nodeID) nodeID {
	a := t.a
	a.bottomUp(k, func(n nodeID) bool { _, ok := t.nodes[n]; return ok }, func(n nodeID, fs []frame) {
		a.spend(1)
		var out []frame
		for _, f := range fs {
			below := f.k
			f.k = t.nodes[below]
			if below != 0 && f.k == 0 || !t.count(&f, below) {
				continue
			}
			out = append(out, f)
		}
		t.nodes[n] = 0
		if len(out) > 0 {
			t.nodes[n] = a.internNode(a.compact(out))
		}
	})
	return t.nodes[k]
}

// count counts a token in frame f, which stood above node below. It reports whether the frame stays.
func (t *tokens) count(f *frame, below nodeID) bool {
	x := t.a.p.leaves(*f)
	if x == nil || x.MaxTokens == 0 {
		return true
	}
	s, most := t.a.p.spanOf(f.reg), x.MaxTokens
	if t.ended[frame{f.dot, f.reg, below}] {
		if s.low == s.high {
			return false
		}
		s.high-- // the scope ends at the greatest count, and goes on at smaller ones
	}
	switch {
	case t.plain:
		s = span{}
	case t.still:
	case t.fresh:
		s = span{max(s.low, 1), max(s.high, 1)}
	default:
		s = span{min(s.low+1, most), min(s.high+1, most)}
	}
	f.reg = t.a.p.spanRegister(s)
	return true
}
