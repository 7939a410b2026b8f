package rewrite

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// layout numbers the variables of a solver: rules, then repeats, objects, switches and booleans.
type layout struct {
	g                                    *grammar.Grammar
	repeats, objects, switches, booleans int
	n                                    int
}

func newLayout(g *grammar.Grammar) layout {
	l := layout{g: g, repeats: len(g.Rules)}
	l.objects = l.repeats + len(g.Repeats)
	l.switches = l.objects + len(g.Objects)
	l.booleans = l.switches + len(g.Switches)
	l.n = l.booleans + len(g.Booleans)
	return l
}

func (l *layout) of(s grammar.Symbol) int {
	switch s.Kind {
	case grammar.RepeatNode:
		return l.repeats + int(s.Index)
	case grammar.ObjectNode:
		return l.objects + int(s.Index)
	case grammar.SwitchNode:
		return l.switches + int(s.Index)
	case grammar.BooleanNode:
		return l.booleans + int(s.Index)
	}
	return int(s.Index)
}

// solver finds the least set of variables closed under clauses "head if all of body". It counts the variables that
// each clause still awaits, so its cost is linear in the grammar's size.
type solver struct {
	truth   []bool // by variable
	heads   []int  // by clause
	waiting []int  // by clause: the variables of its body that are not true yet
	last    []int  // by variable: its last use, 0 if there is none
	uses    []use
	queue   []int // true variables whose uses are still to be visited

	nonEmptyFails bool // symbols with NonEmpty are false
	work          *work.Meter
}

type use struct{ clause, before int } // before is the variable's previous use

const symbolWork = 4

func newSolver(st *terminal.Store, n int) *solver {
	st.Work().Spend(n * symbolWork)
	return &solver{truth: make([]bool, n), last: make([]int, n), uses: make([]use, 1, n+1), work: st.Work()}
}

func (s *solver) fact(v int) {
	if !s.truth[v] {
		s.truth[v] = true
		s.queue = append(s.queue, v)
	}
}

func (s *solver) await(v, c int) {
	s.uses = append(s.uses, use{c, s.last[v]})
	s.last[v] = len(s.uses) - 1
}

// clause adds "head if all of seq and of vars". holds reports whether a terminal is true.
func (s *solver) clause(l *layout, head int, seq []grammar.Symbol, holds func(terminal.Expr) bool, vars ...int) {
	c, wait := len(s.heads), len(vars)
	s.work.Spend(symbolWork * (1 + len(seq)))
	for _, sym := range seq {
		if s.nonEmptyFails && sym.NonEmpty || sym.Kind == grammar.Terminal && !holds(terminal.Expr(sym.Index)) {
			return
		}
	}
	for _, sym := range seq {
		if sym.Kind != grammar.Terminal {
			s.await(l.of(sym), c)
			wait++
		}
	}
	for _, v := range vars {
		s.await(v, c)
	}
	if wait == 0 {
		s.fact(head)
		return
	}
	s.heads = append(s.heads, head)
	s.waiting = append(s.waiting, wait)
}

func (s *solver) solve() []bool {
	for len(s.queue) > 0 {
		v := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		for u := s.last[v]; u != 0; u = s.uses[u].before {
			c := s.uses[u].clause
			if s.waiting[c]--; s.waiting[c] == 0 {
				s.fact(s.heads[c])
			}
		}
	}
	return s.truth
}

// productive computes which variables match a string. For a Boolean it checks each side alone: whether the sides match
// a common string is undecidable.
func productive(st *terminal.Store, g *grammar.Grammar) []bool {
	l := newLayout(g)
	s := newSolver(st, l.n+len(g.Objects)) // one more for each object: it has enough members that are not required
	holds := func(e terminal.Expr) bool { return e != terminal.Empty && !st.IsEmpty(e) }
	for r := 1; r < len(g.Rules); r++ {
		if g.Rules[r].Lazy != nil {
			s.fact(r)
		}
		for _, a := range g.Rules[r].Alternatives {
			s.clause(&l, r, a, holds)
		}
	}
	for i, r := range g.Repeats {
		if r.Min == 0 {
			s.fact(l.repeats + i)
		} else if r.Max >= r.Min {
			s.clause(&l, l.repeats+i, r.Body, holds)
		}
	}
	for i := range g.Objects {
		s.object(&l, i, holds)
	}
	for i, w := range g.Switches {
		if !holds(w.On) {
			continue
		}
		for _, c := range w.Cases {
			if _, ends := slices.BinarySearch(st.ReachableTags(w.On), c.Tag); ends {
				s.clause(&l, l.switches+i, c.Then, holds)
			}
		}
	}
	for i, b := range g.Booleans {
		sides := []grammar.Symbol{b.Left}
		if b.Is == grammar.Both {
			sides = append(sides, b.Right)
		}
		s.clause(&l, l.booleans+i, sides, holds)
	}
	return s.solve()
}

// object adds the clauses of object i: its required members, and enough optional or undeclared ones for MinMembers.
func (s *solver) object(l *layout, i int, holds func(terminal.Expr) bool) {
	o := &l.g.Objects[i]
	var required, optional []grammar.Symbol
	for _, p := range o.Properties {
		switch {
		case p.Required:
			required = append(required, p.Value)
		case p.Value.Kind != grammar.Terminal || holds(terminal.Expr(p.Value.Index)):
			optional = append(optional, p.Value)
		}
	}
	if len(required) > int(o.MaxMembers) || o.MinMembers > o.MaxMembers {
		return
	}
	head := l.objects + i
	more := int(o.MinMembers) - len(required)
	if more <= 0 {
		s.clause(l, head, required, holds)
		return
	}
	enough := l.n + i
	for _, e := range o.Extra {
		if holds(e.Key) {
			s.clause(l, enough, []grammar.Symbol{e.Value}, holds)
		}
	}
	s.atLeast(l, enough, more, optional)
	s.clause(l, head, required, holds, enough)
}

// atLeast adds "head if n of symbols". Terminals among symbols count as true.
func (s *solver) atLeast(l *layout, head, n int, symbols []grammar.Symbol) {
	c := len(s.heads)
	for _, sym := range symbols {
		if sym.Kind == grammar.Terminal {
			n--
			continue
		}
		s.await(l.of(sym), c)
	}
	s.heads = append(s.heads, head)
	s.waiting = append(s.waiting, max(n, 0))
	if n <= 0 {
		s.fact(head)
	}
}

// nullable computes which variables match the empty string. A Switch does if its terminal is nullable with a tag whose
// case is nullable; objects and booleans never do.
func nullable(st *terminal.Store, g *grammar.Grammar) []bool {
	l := newLayout(g)
	s := newSolver(st, l.n)
	s.nonEmptyFails = true
	for r := 1; r < len(g.Rules); r++ {
		for _, a := range g.Rules[r].Alternatives {
			s.clause(&l, r, a, st.View().Nullable)
		}
	}
	for i, r := range g.Repeats {
		if r.Min == 0 {
			s.fact(l.repeats + i)
		} else {
			s.clause(&l, l.repeats+i, r.Body, st.View().Nullable)
		}
	}
	for i := range g.Switches {
		w := &g.Switches[i]
		if !st.View().Nullable(w.On) {
			continue
		}
		tags, _ := st.View().Tags(w.On, nil)
		for _, c := range w.Cases {
			for _, t := range tags {
				if t == c.Tag {
					s.clause(&l, l.switches+i, c.Then, st.View().Nullable)
				}
			}
		}
	}
	return s.solve()
}
