package oracle

import (
	"fmt"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// describe prints a tree for messages of failing tests.
func describe(t *tree) string {
	var args []string
	for _, a := range t.args {
		args = append(args, describe(a))
	}
	list := strings.Join(args, " ")
	switch t.op {
	case opEmpty:
		return "∅"
	case opEpsilon:
		return "ε"
	case opSet:
		return describeSet(&t.set)
	case opConcat:
		return "(" + list + ")"
	case opOr:
		return "(or " + list + ")"
	case opAnd:
		return "(and " + list + ")"
	case opNot:
		return "(not " + list + ")"
	case opTag:
		return fmt.Sprintf("#%d", t.tag)
	case opScan:
		if t.anyBytes {
			return fmt.Sprintf("(scan bytes %+v)", t.scan)
		}
		return fmt.Sprintf("(scan %+v)", t.scan)
	case opGiven:
		return fmt.Sprintf("(machine %T in state %q)", t.given, t.state)
	}
	most := "∞"
	if t.max != terminal.Unbounded {
		most = fmt.Sprint(t.max)
	}
	if t.op == opCounted {
		return fmt.Sprintf("(counted %d..%s %s)", t.min, most, list)
	}
	return fmt.Sprintf("%s{%d,%s}", list, t.min, most)
}

func describeSet(set *[256]bool) string {
	var b strings.Builder
	for lo := 0; lo < 256; lo++ {
		if !set[lo] {
			continue
		}
		hi := lo
		for hi < 255 && set[hi+1] {
			hi++
		}
		b.WriteString(strings.Trim(fmt.Sprintf("%q", rune(lo)), "'"))
		if hi > lo {
			b.WriteString("-" + strings.Trim(fmt.Sprintf("%q", rune(hi)), "'"))
		}
		lo = hi
	}
	return "[" + b.String() + "]"
}

// Describe prints an expression of st for messages of failing tests.
func Describe(st *terminal.Store, e terminal.Expr) string {
	r := reader{st: st, trees: map[terminal.Expr]*tree{}}
	return describe(r.read(e))
}

// DescribeGrammar prints a grammar for messages of failing tests.
func DescribeGrammar(st *terminal.Store, g *grammar.Grammar) string {
	r := &reader{st: st, trees: map[terminal.Expr]*tree{}}
	var b strings.Builder
	var symbol func(s grammar.Symbol) string
	sequence := func(q grammar.Sequence) string {
		var parts []string
		for _, s := range q {
			parts = append(parts, symbol(s))
		}
		return strings.Join(parts, " ")
	}
	term := func(e terminal.Expr) string { return describe(r.read(e)) }
	symbol = func(s grammar.Symbol) string {
		switch s.Kind {
		case grammar.Terminal:
			return term(terminal.Expr(s.Index))
		case grammar.Call:
			return fmt.Sprintf("%s%d", g.Rules[s.Index].Name, s.Index)
		case grammar.RepeatNode:
			n := g.Repeats[s.Index]
			return fmt.Sprintf("REPEAT{%d,%d}<%s>", n.Min, n.Max, sequence(n.Body))
		case grammar.BooleanNode:
			b := g.Booleans[s.Index]
			switch b.Is {
			case grammar.Both:
				return "BOTH<" + symbol(b.Left) + " and " + symbol(b.Right) + ">"
			case grammar.Without:
				return "WITHOUT<" + symbol(b.Left) + " not " + symbol(b.Right) + ">"
			}
			return "DISTINCT<" + symbol(b.Left) + ">"
		case grammar.SwitchNode:
			n := g.Switches[s.Index]
			out := "SWITCH<" + term(n.On)
			for _, c := range n.Cases {
				out += fmt.Sprintf(" | %d: %s", c.Tag, sequence(c.Then))
			}
			return out + ">"
		}
		n := g.Objects[s.Index]
		out := fmt.Sprintf("OBJECT{%d,%d,any order %v from %d}<open %s close %s comma %s quote %s colon %s keys %s",
			n.MinMembers, n.MaxMembers, n.AnyOrder, n.Ordered,
			term(n.Open), term(n.Close), term(n.Comma), term(n.Quote), term(n.Colon), term(n.Keys))
		for i, p := range n.Properties {
			out += fmt.Sprintf(" | %d(required %v): %s", i, p.Required, symbol(p.Value))
		}
		for _, e := range n.Extra {
			out += fmt.Sprintf(" | %s: %s", term(e.Key), symbol(e.Value))
		}
		return out + ">"
	}
	for i, rule := range g.Rules[1:] {
		lazy := ""
		if rule.Lazy != nil {
			lazy = " (lazy)"
		}
		fmt.Fprintf(&b, "%s%d%s ::=\n", rule.Name, i+1, lazy)
		for _, q := range rule.Alternatives {
			fmt.Fprintf(&b, "    | %s\n", sequence(q))
		}
	}
	fmt.Fprintf(&b, "start %d\n", g.Start)
	return b.String()
}
