package pushdown

import (
	"maps"
	"slices"
)

// Token returns the state after the border between two tokens. Call it only if the program was Limited when the
// automaton was created. Automata begin after a border. Lock-free for borders that an earlier call has computed.
//
// The next token counts in each scope of s. If a scope has no room for it and may end here, Token drops the items
// inside the scope, and keeps or adds the items after the scope. If the scope may not end here, its text
// goes on until it may. Some item always stays: if nested scopes end, the items after the outermost.
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

// Text returns state s with its token counts corrected after a text that is not made of tokens, in Limited programs. It
// counts one token in scopes that the text has entered. Scopes around the text have already counted that token.
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
// end here. If none may end, the result may be empty.
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
			// There is at most one end for the place of f. The scope ends here if the node below that end
			// contains the node below f.
			i := slices.IndexFunc(ends, func(e frame) bool { return e.dot == f.dot })
			ended[f] = i >= 0 && a.unite([]nodeID{ends[i].k, f.k}) == ends[i].k
		}
	}
	return ended
}

// cut ends each scope of s with Scope.Cut and no room for a token, if the last symbol of its rule may begin here. It
// drops the items inside the scope and adds the items after it. Such scopes do not nest, because their text is regular,
// so one pass is enough.
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
