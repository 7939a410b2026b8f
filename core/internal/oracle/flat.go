package oracle

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// flat is a grammar with its lazy rules expanded in place, and its terminals read. Its indices are the indices of a
// grammar.Grammar that holds the rules of all expanded grammars.
type flat struct {
	grammar.Grammar
	start      grammar.RuleID
	st         *terminal.Store
	reader     reader
	machines   map[terminal.Expr]*machine
	productive map[grammar.Symbol]bool
}

// maxGrammars bounds the expansion of lazy rules, which may name one another endlessly.
const maxGrammars = 10_000

func flatten(st *terminal.Store, g *grammar.Grammar) *flat {
	f := &flat{
		st: st, reader: reader{st: st, trees: map[terminal.Expr]*tree{}},
		machines: map[terminal.Expr]*machine{}, productive: map[grammar.Symbol]bool{},
	}
	f.Grammar = *grammar.New()
	f.start = f.add(g) + g.Start
	// f.Rules grows during the loop: the rules of an expanded grammar follow and are visited in turn.
	for r, grammars := 1, 1; r < len(f.Rules); r++ {
		expand := f.Rules[r].Lazy
		if expand == nil {
			continue
		}
		if grammars++; grammars > maxGrammars {
			panic(TooBig{"lazy rules expand without end"})
		}
		sub, err := expand(st)
		if err != nil {
			panic(fmt.Sprintf("oracle: lazy rule %q: %v", f.Rules[r].Name, err))
		}
		start := f.add(sub) + sub.Start
		f.Rules[r].Lazy = nil
		f.Rules[r].Alternatives = []grammar.Sequence{{grammar.N(start)}}
	}
	f.findProductive()
	return f
}

// add appends the tables of g and returns the offset of its rule ids.
func (f *flat) add(g *grammar.Grammar) grammar.RuleID {
	shift := map[grammar.Kind]uint32{
		grammar.Call: uint32(len(f.Rules) - 1), grammar.RepeatNode: uint32(len(f.Repeats)),
		grammar.ObjectNode: uint32(len(f.Objects)), grammar.SwitchNode: uint32(len(f.Switches)),
		grammar.BooleanNode: uint32(len(f.Booleans)),
	}
	symbol := func(s grammar.Symbol) grammar.Symbol {
		return grammar.Symbol{Kind: s.Kind, Index: s.Index + shift[s.Kind]}
	}
	sequence := func(q grammar.Sequence) grammar.Sequence {
		out := make(grammar.Sequence, len(q))
		for i, s := range q {
			out[i] = symbol(s)
		}
		return out
	}
	for _, r := range g.Rules[1:] {
		n := grammar.Rule{Name: r.Name, Lazy: r.Lazy}
		for _, q := range r.Alternatives {
			n.Alternatives = append(n.Alternatives, sequence(q))
		}
		f.Rules = append(f.Rules, n)
	}
	for _, r := range g.Repeats {
		f.Repeats = append(f.Repeats, grammar.Repeat{Body: sequence(r.Body), Min: r.Min, Max: r.Max})
	}
	for _, o := range g.Objects {
		ps, es := o.Properties, o.Extra
		o.Properties, o.Extra = nil, nil
		for _, p := range ps {
			o.Properties = append(o.Properties, grammar.Property{Value: symbol(p.Value), Required: p.Required})
		}
		for _, e := range es {
			o.Extra = append(o.Extra, grammar.Extra{Key: e.Key, Value: symbol(e.Value)})
		}
		f.Objects = append(f.Objects, o)
	}
	for _, s := range g.Switches {
		n := grammar.Switch{On: s.On}
		for _, c := range s.Cases {
			n.Cases = append(n.Cases, grammar.Case{Tag: c.Tag, Then: sequence(c.Then)})
		}
		f.Switches = append(f.Switches, n)
	}
	for _, b := range g.Booleans {
		f.Booleans = append(f.Booleans, grammar.Boolean{Left: symbol(b.Left), Right: symbol(b.Right), Is: b.Is, Few: b.Few})
	}
	return grammar.RuleID(shift[grammar.Call])
}

func (f *flat) tree(e terminal.Expr) *tree { return f.reader.read(e) }

func (f *flat) machine(e terminal.Expr) *machine {
	m, ok := f.machines[e]
	if !ok {
		m = newMachine(f.tree(e))
		f.machines[e] = m
	}
	return m
}

// findProductive finds the symbols that match something, by a fixed point.
func (f *flat) findProductive() {
	for changed := true; changed; {
		changed = false
		mark := func(s grammar.Symbol, v bool) {
			if v && !f.productive[s] {
				f.productive[s], changed = true, true
			}
		}
		for i, r := range f.Rules {
			for _, q := range r.Alternatives {
				mark(grammar.N(grammar.RuleID(i)), f.productiveAll(q))
			}
		}
		for i, r := range f.Repeats {
			mark(grammar.Symbol{Kind: grammar.RepeatNode, Index: uint32(i)}, r.Min <= r.Max &&
				(r.Min == 0 || f.productiveAll(r.Body)))
		}
		for i := range f.Objects {
			o := &f.Objects[i]
			c := completer{f: f, o: o, memo: map[place]bool{}}
			mark(grammar.Symbol{Kind: grammar.ObjectNode, Index: uint32(i)}, f.matches(o.Open) && c.can(place{}))
		}
		for i, s := range f.Switches {
			_, live := f.machine(s.On).from(nil, 0)
			for _, c := range s.Cases {
				mark(grammar.Symbol{Kind: grammar.SwitchNode, Index: uint32(i)}, live.has(c.Tag) &&
					f.productiveAll(c.Then))
			}
		}
		for i, b := range f.Booleans {
			sides := []grammar.Symbol{b.Left}
			if b.Is == grammar.Both {
				sides = append(sides, b.Right)
			}
			mark(grammar.Symbol{Kind: grammar.BooleanNode, Index: uint32(i)}, f.productiveAll(sides))
		}
	}
}

func (f *flat) productiveAll(q []grammar.Symbol) bool {
	for _, s := range q {
		if s.Kind == grammar.Terminal && !f.matches(terminal.Expr(s.Index)) || s.Kind != grammar.Terminal &&
			!f.productive[s] {
			return false
		}
	}
	return true
}

func (f *flat) matches(e terminal.Expr) bool { return len(f.machine(e).live[0]) > 0 }
