package pushdown

import (
	"maps"
	"slices"
)

// A rule with a scope leaves a frame on the stack below its text, at opLeave, from which the program goes on at once
// with the node below. So the stacks of a state hold its scopes, innermost first. If the scope limits tokens, the
// register counts those that have begun within it.
//
// If a rule without room for another token ends, the state keeps that frame among its ends. The items alone do not
// tell, because another alternative may spell the same text.

// addEnds adds the frames of node k to the ends.
func (c *closure) addEnds(k nodeID) {
	if k != 0 {
		c.spend(1)
		c.found.ends = append(c.found.ends, k)
	}
}

// addEndsOf adds the frames in node k of rule id that have no room for another token, with the greatest count.
func (c *closure) addEndsOf(id uint32, k nodeID) {
	s := c.p.rules.At(id).scope
	var ends []frame
	for _, f := range c.framesOf(k) {
		if c.p.leaves(f) == s && c.p.isFull(f) {
			ends = append(ends, frame{f.dot, s.MaxTokens, f.k})
		}
	}
	if len(ends) > 0 {
		c.addEnds(c.internNode(c.compact(ends)))
	}
}

// Heated reports whether some rule has a temperature.
func (p *Program) Heated() bool { return p.heated.Load() }

// Limited reports whether some rule limits its tokens.
func (p *Program) Limited() bool { return p.limited.Load() }

// scopeOf returns the scope of the text above frame f, nil if f has none.
func (p *Program) scopeOf(f frame) *scope {
	switch in := p.code.At(uint32(f.dot)); in.op {
	case opLeave:
		return p.rules.At(in.arg).scope
	case opSwitchTag:
		return p.switches.At(in.arg).scope
	}
	return nil
}

// leaves returns the scope that frame f leaves, nil if it leaves none.
func (p *Program) leaves(f frame) *scope {
	if p.code.At(uint32(f.dot)).op != opLeave {
		return nil
	}
	return p.scopeOf(f)
}

// enterScope returns the node that leaves scope s above node k. A scope that ends together with another one needs no
// frame if the other one is the same, which has begun earlier and is stricter, or if s adds nothing to it. Without
// this, right recursion makes new nodes at each step.
func (st *stacks) enterScope(s *scope, k nodeID) nodeID {
	if s == nil {
		return k
	}
	var below, same []frame
	for work := slices.Clone(st.framesOf(k)); len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		switch t := st.p.leaves(f); {
		case t == s || !s.Heated && st.endsWith(f, s):
			same = append(same, f)
		case t != nil && t.MaxTokens == 0 && s.Heated:
			work = append(work, st.framesOf(f.k)...)
		default:
			below = append(below, f)
		}
	}
	var ks []nodeID
	if len(same) > 0 {
		ks = append(ks, st.internNode(st.compact(same)))
	}
	if len(below) > 0 {
		ks = append(ks, st.node(frame{dot: s.leave, k: st.internNode(st.compact(below))}))
	}
	return st.unite(ks)
}

// endsWith reports whether frame f leaves scope s, at once or after scopes that end with s.
func (st *stacks) endsWith(f frame, s *scope) bool { // as deep as scopes nest
	st.spend(1)
	t := st.p.leaves(f)
	if t == nil || t == s {
		return t == s
	}
	fs := st.framesOf(f.k)
	return len(fs) > 0 && !slices.ContainsFunc(fs, func(g frame) bool { return !st.endsWith(g, s) })
}

// heat is the temperature of a node; no means none.
type heat float64

const no heat = -1

// Temperature returns the sampling temperature after state s: that of the innermost rule with one, and the greatest of
// those if the output is ambiguous. It returns false if there is none.
func (a *Automaton) Temperature(s StateID) (float64, bool) {
	if !a.p.Heated() || s <= Over {
		return 0, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	most := no
	for _, k := range a.nodesOf(s) {
		most = max(most, a.heatOf(k))
	}
	if most == no {
		return 0, false
	}
	return float64(most), true
}

// heatOf returns the temperature of node k. It does not recurse: stacks are as deep as the output nests.
func (st *stacks) heatOf(k nodeID) heat {
	for work := []nodeID{k}; len(work) > 0; {
		n := work[len(work)-1]
		most, before := no, len(work)
		for _, f := range st.framesOf(n) {
			if st.p.code.At(uint32(f.dot)).op == opEnds {
				continue // behind the scope that is below it
			}
			if x := st.p.scopeOf(f); x != nil && x.Heated {
				most = max(most, heat(x.Temperature))
			} else if t, ok := st.heats[f.k]; ok {
				most = max(most, t)
			} else {
				work = append(work, f.k)
			}
		}
		if len(work) == before {
			st.heats[n] = most
			work = work[:before-1]
		}
	}
	return st.heats[k]
}

// Token returns the state after the border between two tokens. It is s itself unless the program is Limited. Automata
// begin after a border. Lock-free for borders that were asked for before.
//
// Another token begins within each scope of s. If a scope has no room for it, its text is dropped if it may end here,
// since s holds the continuation. If not, the text goes on until it may end. Something always stays: of nested scopes
// that are dropped, the continuation of the outermost.
func (a *Automaton) Token(s StateID) StateID {
	if s <= Over {
		return s
	}
	if t, ok := a.borders.get(uint32(s)); ok {
		return t
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	t, ok := a.borders.get(uint32(s))
	if !ok {
		t = a.budgeted(func() StateID { return a.token(s) })
		a.borders.put(uint32(s), t, 0)
	}
	return t
}

// Text returns the state after a text without tokens, in Limited programs. The next token begins within each scope of
// the text, and scopes around the text count it as well.
func (a *Automaton) Text(s StateID) StateID {
	if s <= Over {
		return s
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budgeted(func() StateID {
		return a.withToken(s, &tokens{a: &a.stacks, fresh: true, nodes: map[nodeID]nodeID{0: 0}})
	})
}

// TokenKnown reports whether Token needs no lock.
func (a *Automaton) TokenKnown(s StateID) bool {
	_, ok := a.borders.get(uint32(s))
	return ok || s <= Over
}

func (a *Automaton) token(s StateID) StateID {
	s = a.cut(s)
	return a.withToken(s, &tokens{a: &a.stacks, ended: a.ended(s), nodes: map[nodeID]nodeID{0: 0}})
}

// ended returns the frames on the stacks of state s whose scopes have no room for another token, and whether they may
// end here.
func (a *Automaton) ended(s StateID) map[frame]bool {
	ended := map[frame]bool{}
	ends := a.framesOf(a.states.At(uint32(s)).ends)
	if len(ends) == 0 {
		return ended
	}
	for _, k := range a.nodesOf(s) {
		for _, f := range a.full(k) {
			if _, ok := ended[f]; ok {
				continue
			}
			// Ends have one frame a place. Its node must hold all that follows f.
			i := slices.IndexFunc(ends, func(e frame) bool { return e.dot == f.dot })
			ended[f] = i >= 0 && a.unite([]nodeID{ends[i].k, f.k}) == ends[i].k
		}
	}
	return ended
}

// isFull reports whether frame f leaves a scope without room for another token.
func (p *Program) isFull(f frame) bool {
	x := p.leaves(f)
	return x != nil && x.MaxTokens > 0 && p.spanOf(f.reg).high == x.MaxTokens
}

// cut returns state s without the text of cut scopes that are full, if their last symbol may begin here: the
// continuation takes its place. Text in such a scope is regular, so none nests, and one pass is enough.
func (a *Automaton) cut(s StateID) StateID {
	ended := a.ended(s)
	maps.DeleteFunc(ended, func(f frame, ends bool) bool { return !ends || !a.p.leaves(f).Cut })
	if len(ended) == 0 {
		return s
	}
	t := tokens{a: &a.stacks, ended: ended, nodes: map[nodeID]nodeID{0: 0}, still: true}
	c := a.open()
	c.accept = a.Accepts(s)
	c.addMapped(s, t.node)
	c.addEnds(t.node(a.states.At(uint32(s)).ends))
	for _, f := range slices.SortedFunc(maps.Keys(ended), a.p.compareFrames) {
		c.merge(a.startWithin(f.k))
	}
	return c.finish()
}

// withToken returns state s with its stacks changed by t, and without ends.
func (a *Automaton) withToken(s StateID, t *tokens) StateID {
	c := a.open()
	c.accept = a.Accepts(s)
	c.addMapped(s, t.node)
	return c.finish()
}

// nodesOf returns the nodes of the items of state s.
func (t *stateTable) nodesOf(s StateID) []nodeID {
	ks := make([]nodeID, 0, t.Width(s))
	for _, it := range t.Items(s) {
		ks = append(ks, it.After)
	}
	for _, it := range t.BooleanItems(s) {
		ks = append(ks, it.After)
	}
	return ks
}

// full returns the frames on the stacks of node k that are full.
func (st *stacks) full(k nodeID) (out []frame) {
	seen := map[nodeID]bool{k: true}
	for work := []nodeID{k}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		st.spend(1)
		for _, f := range st.framesOf(n) {
			if st.p.isFull(f) {
				out = append(out, f)
			}
			if !seen[f.k] {
				seen[f.k] = true
				work = append(work, f.k)
			}
		}
	}
	return out
}

// tokens counts a token in stacks. One use.
type tokens struct {
	a     *stacks
	ended map[frame]bool // full frames; true: the text above is dropped
	nodes map[nodeID]nodeID
	fresh bool // counts only the first token of a scope
	still bool // counts nothing
	plain bool // sets all counts to zero, which changes nothing before the next border
}

// node returns node k with one token more, 0 if no frame stays. It does not recurse: stacks are as deep as the output
// nests.
func (t *tokens) node(k nodeID) nodeID {
	a := t.a
	for work := []nodeID{k}; len(work) > 0; {
		n, before := work[len(work)-1], len(work)
		if _, ok := t.nodes[n]; ok {
			work = work[:before-1]
			continue
		}
		for _, f := range a.framesOf(n) {
			if _, ok := t.nodes[f.k]; !ok {
				work = append(work, f.k)
			}
		}
		if len(work) > before {
			continue
		}
		a.spend(1)
		var out []frame
		for _, f := range a.framesOf(n) {
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
	}
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
		s.high--
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
