package pushdown

// The constructor is not in automaton.go, because it computes the first state and so uses closure.go and borders.go.

// NewAutomaton returns an automaton with p's initial state.
func NewAutomaton(p *Program) *Automaton { return newAutomaton(p, boundsOf(p.st.Budgets())) }

func newAutomaton(p *Program, b bounds) *Automaton {
	m := &meter{st: p.st, bounds: b, counted: countedParts{mark: 1}}
	m.parts.Append(partCost{}) // no part
	a := &Automaton{
		st: p.st, stacks: newStacks(p, m), stateTable: newStates(m), meter: m,
		tagged: map[taggedKey]tagStart{}, dearOf: map[uint32]part{},
	}
	a.taken.init(64)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.initial = a.start(a.node(frame{dot: p.start, k: a.root}))
	if p.Limited() {
		a.borders.init(64)
		if a.initial > Over {
			a.initial = a.budgeted(func() StateID { return a.token(a.initial) })
		}
	}
	return a
}
