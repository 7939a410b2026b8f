package oracle

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// reach holds the matches of a symbol from one place of the text: their ends, and whether some text that begins with
// all the rest of this one is a match.
type reach struct {
	ends  []bool // by position; nil while nothing is known
	alive bool
}

func (r *reach) has(j int) bool { return r.ends != nil && r.ends[j] }

// terminals returns the matches of a terminal; the chart works with either implementation below.
type terminals interface {
	from(c *chart, e terminal.Expr, i int) (ends, tags)
}

// spanTerminals follow the definition of the operators, without look-ahead past the text.
type spanTerminals struct{ s *spans }

func (t spanTerminals) from(c *chart, e terminal.Expr, i int) (ends, tags) {
	return t.s.from(c.g.tree(e), i), nil
}

// automatonTerminals run automata and also know which matches are alive at the end of the text.
type automatonTerminals struct {
	f    *flat
	text []byte
}

func (t automatonTerminals) from(_ *chart, e terminal.Expr, i int) (ends, tags) {
	return t.f.machine(e).from(t.text, i)
}

// chart holds the matches of every symbol from every place of one text. It is filled from the right: matches from place
// i depend on places after i, which are final, and on place i itself, which is recomputed until nothing new appears.
// That handles left recursion and empty matches without a special case.
type chart struct {
	g    *flat
	n    int
	text []byte
	term terminals
	rows []map[grammar.Symbol]*reach
	full []bool // the row is final
	grew bool
}

func newChart(g *flat, text []byte, t terminals) *chart {
	c := &chart{g: g, n: len(text), text: text, term: t, rows: make([]map[grammar.Symbol]*reach,
		len(text)+1), full: make([]bool, len(text)+1)}
	for i := len(text); i >= 0; i-- {
		booleans := make([]reach, len(g.Booleans))
		for again := true; again; {
			c.fill(i, booleans)
			again = c.booleans(i, booleans)
		}
		c.full[i] = true
	}
	return c
}

// fill computes the row of place i, given the matches of boolean nodes there.
func (c *chart) fill(i int, booleans []reach) {
	c.rows[i] = map[grammar.Symbol]*reach{}
	for k := range booleans {
		r := &reach{ends: make([]bool, c.n+1), alive: booleans[k].alive}
		copy(r.ends, booleans[k].ends)
		c.rows[i][grammar.Symbol{Kind: grammar.BooleanNode, Index: uint32(k)}] = r
	}
	for c.grew = true; c.grew; {
		c.grew = false
		for r := 1; r < len(c.g.Rules); r++ {
			c.update(grammar.N(grammar.RuleID(r)), i)
		}
		c.updateNodes(i)
	}
}

func (c *chart) updateNodes(i int) {
	for k := range c.g.Repeats {
		c.update(grammar.Symbol{Kind: grammar.RepeatNode, Index: uint32(k)}, i)
	}
	for k := range c.g.Objects {
		c.update(grammar.Symbol{Kind: grammar.ObjectNode, Index: uint32(k)}, i)
	}
	for k := range c.g.Switches {
		c.update(grammar.Symbol{Kind: grammar.SwitchNode, Index: uint32(k)}, i)
	}
}

// symbol returns the matches of s at place i so far.
func (c *chart) symbol(s grammar.Symbol, i int) *reach {
	r, ok := c.rows[i][s]
	if !ok {
		r = &reach{ends: make([]bool, c.n+1)}
		c.rows[i][s] = r
		if s.Kind == grammar.Terminal {
			found, live := c.term.from(c, terminal.Expr(s.Index), i)
			for j := range found {
				r.ends[j] = true
			}
			r.alive = len(live) > 0
		}
	}
	return r
}

// update recomputes s at place i from the current row.
func (c *chart) update(s grammar.Symbol, i int) {
	old := c.symbol(s, i)
	now := &reach{ends: make([]bool, c.n+1)}
	switch s.Kind {
	case grammar.Call:
		for _, q := range c.g.Rules[s.Index].Alternatives {
			c.sequence(q, i, now)
		}
	case grammar.RepeatNode:
		c.repeat(&c.g.Repeats[s.Index], i, now)
	case grammar.ObjectNode:
		c.object(&c.g.Objects[s.Index], i, now)
	case grammar.SwitchNode:
		c.choose(&c.g.Switches[s.Index], i, now)
	}
	for j, v := range now.ends {
		if v && !old.ends[j] {
			old.ends[j], c.grew = true, true
		}
	}
	if now.alive && !old.alive {
		old.alive, c.grew = true, true
	}
}

// sequence adds the matches of q from i to out.
func (c *chart) sequence(q []grammar.Symbol, i int, out *reach) {
	at := c.only(i)
	for k, s := range q {
		at = c.step(at, s, c.g.productiveAll(q[k+1:]), out)
	}
	for j, v := range at {
		out.ends[j] = out.ends[j] || v
	}
	if at[c.n] {
		out.alive = true
	}
}

func (c *chart) only(i int) []bool {
	at := make([]bool, c.n+1)
	at[i] = true
	return at
}

// step moves every place of at past s. If the text may end inside s and the continuation of s can be completed, out is
// alive.
func (c *chart) step(at []bool, s grammar.Symbol, completes bool, out *reach) []bool {
	next := make([]bool, c.n+1)
	for j, v := range at {
		if !v {
			continue
		}
		r := c.symbol(s, j)
		for k, w := range r.ends {
			next[k] = next[k] || w
		}
		if r.alive && completes {
			out.alive = true
		}
	}
	return next
}

func (c *chart) repeat(r *grammar.Repeat, i int, out *reach) {
	at := c.only(i)
	// More rounds than remaining bytes add nothing: see spans.repeat.
	rounds := uint32(c.n - i + 2)
	for n := uint32(0); ; n++ {
		if n >= r.Min || n >= rounds {
			for j, v := range at {
				out.ends[j] = out.ends[j] || v
			}
		}
		if n >= r.Max || n >= rounds {
			break
		}
		next := &reach{ends: make([]bool, c.n+1)}
		for j, v := range at {
			if v {
				c.sequence(r.Body, j, next)
			}
		}
		out.alive = out.alive || next.alive
		at = next.ends
	}
	out.alive = out.alive || out.ends[c.n]
}

func (c *chart) choose(s *grammar.Switch, i int, out *reach) {
	found, live := c.term.from(c, s.On, i)
	for _, k := range s.Cases {
		for j, t := range found {
			if t.has(k.Tag) {
				c.sequence(k.Then, j, out)
			}
		}
		if live.has(k.Tag) && c.g.productiveAll(k.Then) {
			out.alive = true
		}
	}
}
