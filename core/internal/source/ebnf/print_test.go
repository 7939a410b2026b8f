package ebnf

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// Print writes the grammar so that Parse reads the same tree again.
func Print(t *rules.Tree) string {
	p := printer{t}
	var b strings.Builder
	for i := range t.Rules {
		fmt.Fprintf(&b, "%s ::= ", t.Rules[i].Name)
		p.print(&b, t.Rules[i].Body, rules.Alt)
		b.WriteByte('\n')
	}
	return b.String()
}

type printer struct{ tree *rules.Tree }

// print writes n where the loosest element that needs no parentheses is within.
func (p printer) print(b *strings.Builder, n *rules.Node, within rules.Kind) {
	group := n.Kind == rules.Alt && within != rules.Alt ||
		n.Kind == rules.Seq && (within == rules.Repeat || within == rules.Seq) ||
		n.Kind == rules.Repeat && within == rules.Repeat
	if group {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch n.Kind {
	case rules.Nothing:
		b.WriteString(`""`)
	case rules.Text:
		printText(b, n.Text)
	case rules.Class:
		printClass(b, n.Pairs)
	case rules.Ref:
		b.WriteString(p.tree.Rules[n.Rule].Name)
	case rules.Seq:
		for i, sub := range n.Subs {
			if i > 0 {
				b.WriteByte(' ')
			}
			p.print(b, sub, rules.Seq)
		}
	case rules.Alt:
		for i, sub := range n.Subs {
			if i > 0 {
				b.WriteString(" | ")
			}
			inner := rules.Kind(0)
			if sub.Kind == rules.Alt {
				inner = rules.Seq
			}
			p.print(b, sub, inner)
		}
	case rules.Repeat:
		p.print(b, n.Subs[0], rules.Repeat)
		printQuantifier(b, n.Min, n.Max)
	case rules.Dispatch:
		p.printDispatch(b, n)
	case rules.Followed:
		b.WriteString("(= ")
		p.print(b, n.Subs[1], rules.Alt)
		b.WriteString(") ")
		p.print(b, n.Subs[0], rules.Seq)
	default:
		printMacro(b, n)
	}
}

// printDispatch writes a TagDispatch, whose elements are references to rules.
func (p printer) printDispatch(b *strings.Builder, n *rules.Node) {
	b.WriteString("TagDispatch(")
	for i, sub := range n.Subs {
		b.WriteByte('(')
		printText(b, n.Chunks[i])
		b.WriteString(", " + p.tree.Rules[sub.Rule].Name + "), ")
	}
	fmt.Fprintf(b, "loop_after_dispatch=%v, excludes=(", n.Max != 1)
	printTexts(b, n.Excludes)
	b.WriteString("))")
}

func printTexts(b *strings.Builder, texts []string) {
	for i, text := range texts {
		if i > 0 {
			b.WriteString(", ")
		}
		printText(b, text)
	}
}

func printQuantifier(b *strings.Builder, minimum, maximum uint32) {
	for c, q := range simpleQuantifiers {
		if q == [2]uint32{minimum, maximum} {
			b.WriteByte(c)
			return
		}
	}
	switch maximum {
	case minimum:
		fmt.Fprintf(b, "{%d}", minimum)
	case grammar.Unbounded:
		fmt.Fprintf(b, "{%d,}", minimum)
	default:
		fmt.Fprintf(b, "{%d,%d}", minimum, maximum)
	}
}

func printMacro(b *strings.Builder, n *rules.Node) {
	if n.Kind == rules.Pattern {
		b.WriteString("Regex(")
		printText(b, n.Text)
		if n.JSONString {
			b.WriteString(", json_string=true")
		}
		if n.Flags != "" {
			fmt.Fprintf(b, ", flags=%q", n.Flags)
		}
		b.WriteByte(')')
		return
	}
	if n.Kind == rules.Substring {
		b.WriteString("Substring(")
		printTexts(b, n.Chunks)
		b.WriteByte(')')
		return
	}
	name := "Token("
	if n.Kind == rules.NotToken {
		name = "ExcludeToken("
	}
	b.WriteString(name)
	for i, ids := range n.Tokens {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(b, ids[0])
	}
	b.WriteByte(')')
}

func printText(b *strings.Builder, text string) {
	b.WriteByte('"')
	for _, r := range text {
		printRune(b, r, `"\`)
	}
	b.WriteByte('"')
}

func printClass(b *strings.Builder, pairs []rune) {
	if len(pairs) == 2 && pairs[0] == 0 && pairs[1] == utf8.MaxRune {
		b.WriteString("[^]")
		return
	}
	b.WriteByte('[')
	for i := 0; i < len(pairs); i += 2 {
		printRune(b, pairs[i], `]\-^`)
		if pairs[i] != pairs[i+1] {
			b.WriteByte('-')
			printRune(b, pairs[i+1], `]\-^`)
		}
	}
	b.WriteByte(']')
}

// printRune writes r, escaped where it is special or hard to see.
func printRune(b *strings.Builder, r rune, special string) {
	switch {
	case strings.ContainsRune(special, r):
		b.WriteByte('\\')
		b.WriteRune(r)
	case r >= ' ' && r < 0x7F:
		b.WriteRune(r)
	case r <= 0xFFFF:
		fmt.Fprintf(b, `\u%04X`, r)
	default:
		fmt.Fprintf(b, `\U%08X`, r)
	}
}
