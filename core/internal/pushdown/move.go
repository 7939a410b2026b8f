package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Mover carries states over to a younger automaton of the same program or of a renewed one, so that unused states can
// be freed. One use, one goroutine.
type Mover struct {
	from, to *Automaton
	nodes    map[nodeID]nodeID
	states   map[StateID]StateID
	values   *distinct.Mover
	exprs    *terminal.Translation // nil within one store
}

// Carried returns the number of states that movers brought, and of movers.
func (a *Automaton) Carried() (states, movers int) {
	return int(a.carried.Load()), int(a.movers.Load())
}

// NewMover returns a Mover between two automata.
func NewMover(from, to *Automaton) *Mover {
	to.movers.Add(1)
	return &Mover{
		from: from, to: to, nodes: map[nodeID]nodeID{0: 0}, states: map[StateID]StateID{Dead: Dead, Over: Over},
	}
}

// Bytes returns the approximate size of the expressions that were carried over to another store.
func (m *Mover) Bytes() int {
	if m.exprs == nil {
		return 0
	}
	return m.exprs.Bytes()
}

// Move returns the state of the younger automaton that equals s.
func (m *Mover) Move(s StateID) StateID {
	if t, ok := m.states[s]; ok {
		return t
	}
	items, booleans := slices.Clone(m.from.Items(s)), slices.Clone(m.from.BooleanItems(s))
	held := make([]Boolean, len(booleans))
	for i, it := range booleans {
		held[i] = *m.from.Boolean(it)
		b := &held[i]
		b.Left, b.Right = m.Move(b.Left), m.Move(b.Right) // as deep as boolean nodes nest, which is limited
	}
	m.to.mu.Lock()
	defer m.to.mu.Unlock()
	for i, it := range items {
		items[i].Terminal, items[i].After = m.terminal(it.Terminal), m.node(it.After)
	}
	for i, it := range booleans {
		booleans[i] = BooleanItem{m.boolean(held[i]), m.node(it.After)}
	}
	slices.SortFunc(items, compareItems) // terminals have other numbers
	slices.SortFunc(booleans, compareBooleanItems)
	before := m.to.states.Len()
	t := m.to.intern(items, booleans, m.from.Accepts(s), m.node(m.from.states.At(uint32(s)).ends))
	m.to.carried.Add(int64(m.to.states.Len() - before))
	m.states[s] = t
	return t
}

// boolean returns the number of b, whose sides have been moved, in the younger automaton.
func (m *Mover) boolean(b Boolean) uint32 {
	if b.Is == grammar.Distinct {
		if m.to.values == nil {
			m.to.values = distinct.New()
		}
		m.from.mu.Lock() // others may still step
		if m.values == nil {
			m.values = distinct.NewMover(m.from.values, m.to.values)
		}
		b.Items = m.values.Move(b.Items)
		m.from.mu.Unlock()
	}
	return m.to.internBoolean(b)
}

// node moves a node and all below it. It copies them and does not reduce them again: a new reduction could drop more
// frames, and prices would depend on the moment of the move.
func (m *Mover) node(k nodeID) nodeID {
	m.from.bottomUp(k, func(n nodeID) bool { _, ok := m.nodes[n]; return ok }, func(n nodeID, fs []frame) {
		moved := slices.Clone(fs)
		for i := range moved {
			moved[i].k, moved[i].reg = m.nodes[moved[i].k], m.register(fs[i])
		}
		slices.SortFunc(moved, m.to.p.compareFrames) // registers have other numbers
		m.nodes[n] = m.to.internNode(moved)
	})
	return m.nodes[k]
}

// register returns the register of f in the younger automaton, whose program may be a renewed one.
func (m *Mover) register(f frame) uint32 {
	from, to := m.from.p, m.to.p
	if from == to {
		return f.reg
	}
	switch in := from.code.At(uint32(f.dot)); in.op {
	case opRepeatNext, opLeave:
		return m.to.p.spanRegister(m.from.p.spanOf(f.reg))
	case opObjectFirst, opObjectKey, opObjectTag, opObjectNext:
		o := from.objects.At(in.arg)
		x, set := from.members(o, f.reg), uint32(0)
		for j := o.ordered; int(j) < len(o.values); j++ {
			if from.passed(o, x, j) {
				set = to.with(set, j, len(o.values))
			}
		}
		x.set = set
		return to.register(o, x)
	}
	return f.reg
}

// terminal returns the expression of the younger automaton's store that equals e.
func (m *Mover) terminal(e terminal.Expr) terminal.Expr {
	if m.from.st == m.to.st {
		return e
	}
	if m.exprs == nil {
		m.exprs = terminal.NewTranslation(m.from.st, m.to.st)
	}
	return m.exprs.Expr(e)
}
