package pushdown

// graft is a stack of a side, and the node that takes the place of the output's end in it. A side runs as if it were a
// whole output, so that its states do not depend on the place of the node.
type graft struct{ k, onto nodeID }

// graft returns node k with onto in place of the output's end. It does not recurse: stacks are as deep as the output
// nests.
func (st *stacks) graft(k, onto nodeID) nodeID {
	if g, ok := st.grafted(k, onto); ok {
		return g
	}
	// Grafts are free, since earlier calls may have made them.
	free, under := st.unit.free, len(st.under)
	st.unit.free = true
	defer func() { st.unit.free, st.under = free, st.under[:under] }()
	var room [16]nodeID
	for work := append(room[:0], k); len(work) > 0; {
		n := work[len(work)-1]
		if _, ok := st.grafted(n, onto); ok {
			work = work[:len(work)-1]
			continue
		}
		before := len(work)
		fs := st.framesOf(n)
		for _, f := range fs {
			if _, ok := st.grafted(f.k, onto); !ok {
				work = append(work, f.k)
			}
		}
		if len(work) > before {
			continue
		}
		var out []frame
		for _, f := range fs {
			if f.dot == st.p.accept {
				out = append(out, st.framesOf(onto)...)
				continue
			}
			f.k, _ = st.grafted(f.k, onto)
			out = append(out, f)
		}
		g := nodeID(0)
		if len(out) > 0 {
			g = st.internNode(st.compact(out))
		}
		st.grafts[graft{n, onto}] = g
	}
	g, _ := st.grafted(k, onto)
	return g
}

func (st *stacks) grafted(k, onto nodeID) (nodeID, bool) {
	switch {
	case k == st.root:
		return onto, true
	case k == 0 || onto == st.root:
		return k, true
	}
	g, ok := st.grafts[graft{k, onto}]
	return g, ok
}
