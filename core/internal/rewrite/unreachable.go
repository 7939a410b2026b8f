package rewrite

import "github.com/sluice-engine/sluice/core/internal/grammar"

// dropUnreachable empties the rules and repetitions that the start rule cannot reach, so that their terminals are not
// prepared. Indices do not change.
func dropUnreachable(g *grammar.Grammar) {
	l := newLayout(g)
	seen := make([]bool, l.n)
	work := []grammar.Symbol{grammar.N(g.Start)}
	seen[g.Start] = true
	add := func(s grammar.Symbol) {
		if s.Kind == 0 || s.Kind == grammar.Terminal {
			return
		}
		if i := l.of(s); !seen[i] {
			seen[i] = true
			work = append(work, s)
		}
	}
	sequence := func(seq grammar.Sequence) {
		for _, s := range seq {
			add(s)
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		switch s.Kind {
		case grammar.Call:
			for _, a := range g.Rules[s.Index].Alternatives {
				sequence(a)
			}
		case grammar.RepeatNode:
			sequence(g.Repeats[s.Index].Body)
		case grammar.ObjectNode:
			for _, p := range g.Objects[s.Index].Properties {
				add(p.Value)
			}
			for _, e := range g.Objects[s.Index].Extra {
				add(e.Value)
			}
		case grammar.SwitchNode:
			for _, c := range g.Switches[s.Index].Cases {
				sequence(c.Then)
			}
		case grammar.BooleanNode:
			b := &g.Booleans[s.Index]
			add(b.Left)
			add(b.Right)
		}
	}
	for r := range g.Rules {
		if !seen[r] {
			g.Rules[r].Alternatives = nil
		}
	}
	for i := range g.Repeats {
		if !seen[l.repeats+i] {
			g.Repeats[i] = grammar.Repeat{}
		}
	}
}
