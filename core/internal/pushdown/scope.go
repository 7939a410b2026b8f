package pushdown

import "slices"

// While the output is inside a rule with a scope, its stacks have a frame at opLeave. When the text of the rule is
// complete, this frame continues at once with the node below. So the stacks of a state hold its scopes, innermost
// first. If the scope limits tokens, the register counts the tokens that have begun within it.
//
// If a rule without room for another token may end, the state keeps the rule's frame in ends. The items after the rule
// do not prove this, because another alternative may have led to them.

// enterScope returns the node for a text in scope s, followed by node k. Right recursion must not add a frame at each
// step, so some scopes that end together share frames:
//
//   - Above a frame of s itself, s has no frame of its own. That scope began earlier, so its count is stricter.
//   - The same holds above frames of other scopes if s sets no temperature and a frame of s follows directly below
//     them.
//   - Above a frame that only sets a temperature, a scope with a temperature replaces that frame.
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
	if len(ks) == 0 { // k is empty, or the nodes below the frames that s replaces are
		return 0
	}
	return st.unite(ks)
}

// endsWith reports whether frame f leaves scope s, at once or after leaving other scopes.
func (st *stacks) endsWith(f frame, s *scope) bool { // as deep as scopes nest
	st.spend(1)
	t := st.p.leaves(f)
	if t == nil || t == s {
		return t == s
	}
	fs := st.framesOf(f.k)
	return len(fs) > 0 && !slices.ContainsFunc(fs, func(g frame) bool { return !st.endsWith(g, s) })
}

// heatOf returns the temperature of the text before node k. It does not recurse: stacks are as deep as the output
// nests.
func (st *stacks) heatOf(k nodeID) heat {
	for work := []nodeID{k}; len(work) > 0; {
		n := work[len(work)-1]
		most, before := no, len(work)
		for _, f := range st.framesOf(n) {
			if st.p.code.At(uint32(f.dot)).op == opEnds {
				continue // the scope below has ended already
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

// full returns the frames of full scopes on the stacks of node k.
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
