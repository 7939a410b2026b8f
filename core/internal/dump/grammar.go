package dump

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
)

// nested is the depth of nesting at which an expression gets a line of its own.
const nested = 32

// Grammar returns g as text for Parse. It writes an expression that occurs twice once, and a lazy rule as "lazy", because
// that has a grammar of its own.
func Grammar(st *terminal.Store, g *grammar.Grammar) string {
	p := &printer{st: st, names: map[terminal.Expr]string{}}
	fmt.Fprintf(&p.out, "start %s\n", ruleName(g, g.Start))
	p.definitions(terminalsOf(g))
	for r := 1; r < len(g.Rules); r++ {
		p.rule(g, grammar.RuleID(r))
	}
	for i, n := range g.Repeats {
		fmt.Fprintf(&p.out, "@repeat.%d %s =", i, counts(n.Min, n.Max))
		p.symbols(g, n.Body)
	}
	for i := range g.Objects {
		p.object(g, i)
	}
	for i, n := range g.Switches {
		fmt.Fprintf(&p.out, "@switch.%d on ", i)
		p.terminal(n.On)
		p.scope(n.Scope)
		p.out.WriteString("\n")
		for _, c := range n.Cases {
			fmt.Fprintf(&p.out, "  #%d =", c.Tag)
			p.symbols(g, c.Then)
		}
	}
	for i, n := range g.Booleans {
		fmt.Fprintf(&p.out, "@boolean.%d %s =", i, conditions[n.Is])
		if n.Is == grammar.Distinct {
			p.symbols(g, grammar.Sequence{n.Left})
		} else {
			p.symbols(g, grammar.Sequence{n.Left, n.Right})
		}
	}
	return p.out.String()
}

// conditions are the words for the conditions of boolean nodes.
var conditions = map[grammar.Condition]string{
	grammar.Both: "both", grammar.Without: "without", grammar.Distinct: "distinct",
}

// terminalsOf returns the expressions that g mentions, in the order of its text.
func terminalsOf(g *grammar.Grammar) (all []terminal.Expr) {
	sequence := func(seq grammar.Sequence) {
		for _, s := range seq {
			if s.Kind == grammar.Terminal {
				all = append(all, terminal.Expr(s.Index))
			}
		}
	}
	for i := range g.Rules {
		if s := g.Rules[i].Scope; s != nil && s.Behind != 0 {
			all = append(all, s.Behind)
		}
		for _, a := range g.Rules[i].Alternatives {
			sequence(a)
		}
	}
	for i := range g.Repeats {
		sequence(g.Repeats[i].Body)
	}
	for i := range g.Objects {
		o := &g.Objects[i]
		all = append(all, o.Open, o.Close, o.Comma, o.Quote, o.Colon, o.Keys)
		for _, x := range o.Properties {
			sequence(grammar.Sequence{x.Value})
		}
		for _, x := range o.Extra {
			all = append(all, x.Key)
			sequence(grammar.Sequence{x.Value})
		}
	}
	for i := range g.Switches {
		all = append(all, g.Switches[i].On)
		for _, c := range g.Switches[i].Cases {
			sequence(c.Then)
		}
	}
	for _, b := range g.Booleans {
		sequence(grammar.Sequence{b.Left, b.Right})
	}
	return all
}

// below returns the roots and all their parts, once each, and counts the mentions of each.
func (p *printer) below(roots []terminal.Expr, uses map[terminal.Expr]int) (all []terminal.Expr) {
	for worklist := slices.Clone(roots); len(worklist) > 0; {
		e := worklist[len(worklist)-1]
		worklist = worklist[:len(worklist)-1]
		if uses[e]++; uses[e] == 1 {
			all = append(all, e)
			worklist = append(worklist, inspect.Of(p.st, e).Args...)
		}
	}
	return all
}

// definitions names expressions that occur twice below the roots or nest deeply, and writes them. Parts are interned
// before the whole, so in the order of ids each definition refers to earlier ones.
func (p *printer) definitions(roots []terminal.Expr) {
	uses := map[terminal.Expr]int{}
	all := p.below(roots, uses)
	slices.Sort(all)
	height := map[terminal.Expr]int{}
	for _, e := range all {
		args := inspect.Of(p.st, e).Args
		for _, a := range args {
			height[e] = max(height[e], height[a]+1)
		}
		if len(args) == 0 || uses[e] < 2 && height[e] < nested {
			continue
		}
		name := "$" + strconv.Itoa(len(p.names)+1)
		p.out.WriteString(name + " = ")
		p.node(e, loose)
		p.out.WriteString("\n")
		p.names[e], height[e] = name, 0
	}
}

// ruleName returns the name of a rule with its number, which is unique.
func ruleName(g *grammar.Grammar, r grammar.RuleID) string {
	name := strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, g.Rules[r].Name)
	if name == "" {
		name = "rule"
	}
	return fmt.Sprintf("%s.%d", name, r)
}

func (p *printer) rule(g *grammar.Grammar, r grammar.RuleID) {
	x := &g.Rules[r]
	p.out.WriteString(ruleName(g, r))
	if !strings.HasPrefix(ruleName(g, r), x.Name+".") {
		p.out.WriteString(" " + strconv.Quote(x.Name))
	}
	if x.Lazy != nil {
		p.out.WriteString(" lazy")
	}
	p.scope(x.Scope)
	p.out.WriteString("\n")
	for _, a := range x.Alternatives {
		p.out.WriteString("  =")
		p.symbols(g, a)
	}
}

func (p *printer) scope(s *grammar.Scope) {
	if s != nil && s.MaxTokens > 0 {
		fmt.Fprintf(&p.out, " tokens %d", s.MaxTokens)
	}
	if s != nil && s.Cut {
		p.out.WriteString(" cut")
	}
	if s != nil && s.Heated {
		p.out.WriteString(" temperature " + strconv.FormatFloat(s.Temperature, 'f', -1, 64))
	}
	if s != nil && s.Behind != 0 {
		p.out.WriteString(" behind ")
		p.terminal(s.Behind)
	}
}

// symbols writes a sequence and ends the line.
func (p *printer) symbols(g *grammar.Grammar, seq grammar.Sequence) {
	for _, s := range seq {
		p.out.WriteString(" ")
		p.symbol(g, s)
	}
	p.out.WriteString("\n")
}

// nodeNames are the words for nodes that are numbered.
var nodeNames = map[grammar.Kind]string{
	grammar.RepeatNode: "@repeat", grammar.ObjectNode: "@object", grammar.SwitchNode: "@switch",
	grammar.BooleanNode: "@boolean",
}

func (p *printer) symbol(g *grammar.Grammar, s grammar.Symbol) {
	switch s.Kind {
	case 0:
		p.out.WriteString("@none")
	case grammar.Terminal:
		p.terminal(terminal.Expr(s.Index))
	case grammar.Call:
		p.out.WriteString(ruleName(g, grammar.RuleID(s.Index)))
	default:
		fmt.Fprintf(&p.out, "%s.%d", nodeNames[s.Kind], s.Index)
	}
	if s.NonEmpty {
		p.out.WriteString("!")
	}
}

// terminal writes an expression as one word of a sequence.
func (p *printer) terminal(e terminal.Expr) {
	p.out.WriteString("/")
	p.expr(e, loose)
	p.out.WriteString("/")
}

func (p *printer) object(g *grammar.Grammar, i int) {
	o := &g.Objects[i]
	fmt.Fprintf(&p.out, "@object.%d %s", i, counts(o.MinMembers, o.MaxMembers))
	if o.AnyOrder {
		p.out.WriteString(" any-order")
	}
	if o.Ordered > 0 {
		fmt.Fprintf(&p.out, " from %d", o.Ordered)
	}
	p.out.WriteString("\n")
	for _, x := range []struct {
		name string
		e    terminal.Expr
	}{
		{"open", o.Open},
		{"close", o.Close},
		{"comma", o.Comma},
		{"quote", o.Quote},
		{"colon", o.Colon},
		{"keys", o.Keys},
	} {
		p.out.WriteString("  " + x.name + " ")
		p.terminal(x.e)
		p.out.WriteString("\n")
	}
	if len(o.Tags) > 0 {
		fmt.Fprintf(&p.out, "  tags %s\n", strings.Trim(fmt.Sprint(o.Tags), "[]"))
	}
	for _, x := range o.Properties {
		word := "optional"
		if x.Required {
			word = "required"
		}
		p.out.WriteString("  " + word + " =")
		p.symbols(g, grammar.Sequence{x.Value})
	}
	for _, x := range o.Extra {
		p.out.WriteString("  extra ")
		p.terminal(x.Key)
		p.out.WriteString(" =")
		p.symbols(g, grammar.Sequence{x.Value})
	}
}
