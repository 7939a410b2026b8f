package rewrite

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// corners decides which symbols are nullable and which rules a sequence may begin with. info must fit the grammar.
type corners struct {
	st   *terminal.Store
	g    *grammar.Grammar
	info *Info
}

func (c *corners) nullableSymbol(s grammar.Symbol) bool {
	if s.NonEmpty {
		return false
	}
	switch s.Kind {
	case grammar.Terminal:
		return c.st.View().Nullable(terminal.Expr(s.Index))
	case grammar.Call:
		return c.info.NullableRule[s.Index]
	case grammar.RepeatNode:
		return c.info.NullableRepeat[s.Index]
	case grammar.SwitchNode:
		return c.info.NullableSwitch[s.Index]
	}
	return false
}

func (c *corners) nullable(seq grammar.Sequence) bool {
	return !slices.ContainsFunc(seq, func(s grammar.Symbol) bool { return !c.nullableSymbol(s) })
}

// newRule adds a rule to the grammar and to info, so that a pass may examine it. Its alternatives must be final, and
// all their rules must have entries in info.
func (c *corners) newRule(name string, alternatives []grammar.Sequence) grammar.RuleID {
	r := c.g.NewRule(name)
	c.g.Rules[r].Alternatives = alternatives
	c.info.NullableRule = append(c.info.NullableRule, slices.ContainsFunc(alternatives, c.nullable))
	return r
}

// add appends the rules that seq may begin with. It recurses as deep as front ends nest repeats, switches and booleans.
func (c *corners) add(dst []grammar.RuleID, seq grammar.Sequence) []grammar.RuleID {
	for _, s := range seq {
		c.st.Work().Spend(symbolWork)
		switch s.Kind {
		case grammar.Call:
			dst = append(dst, grammar.RuleID(s.Index))
		case grammar.RepeatNode:
			if r := &c.g.Repeats[s.Index]; r.Max > 0 {
				dst = c.add(dst, r.Body)
			}
		case grammar.SwitchNode:
			if w := &c.g.Switches[s.Index]; c.st.View().Nullable(w.On) {
				tags, _ := c.st.View().Tags(w.On, nil)
				for _, k := range w.Cases {
					if slices.Contains(tags, k.Tag) {
						dst = c.add(dst, k.Then)
					}
				}
			}
		case grammar.BooleanNode:
			b := &c.g.Booleans[s.Index]
			dst = c.add(dst, grammar.Sequence{b.Left})
			if b.Is != grammar.Distinct {
				dst = c.add(dst, grammar.Sequence{b.Right})
			}
		}
		if !c.nullableSymbol(s) {
			break
		}
	}
	return dst
}

// of returns the rules that rule r may begin with.
func (c *corners) of(r grammar.RuleID) []grammar.RuleID {
	var out []grammar.RuleID
	for _, a := range c.g.Rules[r].Alternatives {
		out = c.add(out, a)
	}
	return out
}

// leftCorners ranks the rules so that each comes before the rules it may begin with. It returns the components of
// rules that begin with each other, nil if there are none. It is Tarjan's algorithm without recursion, which finds a
// component after all others that its rules may begin with. So it assigns ranks from the last to the first.
func leftCorners(st *terminal.Store, g *grammar.Grammar, info *Info) (rank []uint32, components [][]grammar.RuleID) {
	c := corners{st, g, info}
	n := len(g.Rules)
	rank = make([]uint32, n)
	index := make([]int32, n)
	low := make([]int32, n)
	onStack := make([]bool, n)
	type frame struct {
		r    grammar.RuleID
		succ []grammar.RuleID
		i    int
	}
	var stack []grammar.RuleID
	var frames []frame
	next, done := int32(1), uint32(n)
	visit := func(r grammar.RuleID) {
		index[r], low[r] = next, next
		next++
		stack = append(stack, r)
		onStack[r] = true
		frames = append(frames, frame{r: r, succ: c.of(r)})
	}
	for root := 1; root < n; root++ {
		if index[root] != 0 {
			continue
		}
		visit(grammar.RuleID(root))
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			if f.i < len(f.succ) {
				s := f.succ[f.i]
				f.i++
				if index[s] == 0 {
					visit(s)
				} else if onStack[s] {
					low[f.r] = min(low[f.r], index[s])
				}
				continue
			}
			r, succ := f.r, f.succ
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				p := frames[len(frames)-1].r
				low[p] = min(low[p], low[r])
			}
			if low[r] != index[r] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != r {
				at--
			}
			members := slices.Clone(stack[at:])
			stack = stack[:at]
			for _, m := range members {
				onStack[m] = false
				done--
				rank[m] = done
			}
			if len(members) > 1 || slices.Contains(succ, r) {
				components = append(components, members)
			}
		}
	}
	return rank, components
}
