package ebnf

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/grammar"
)

// String writes the grammar so that Parse reads the same tree again. For tests and for people.
func (t *Tree) String() string {
	var b strings.Builder
	for i := range t.Rules {
		fmt.Fprintf(&b, "%s ::= ", t.Rules[i].Name)
		t.print(&b, t.Rules[i].Body, Alt)
		b.WriteByte('\n')
	}
	return b.String()
}

// print writes n where the loosest element that needs no parentheses is within.
func (t *Tree) print(b *strings.Builder, n *Node, within Kind) {
	group := n.Kind == Alt && within != Alt || n.Kind == Seq && within == Repeat || n.Kind == Repeat && within == Repeat ||
		n.Kind == Seq && within == Seq
	if group {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch n.Kind {
	case Nothing:
		b.WriteString(`""`)
	case Text:
		printText(b, n.Text)
	case Class:
		printClass(b, n.Pairs)
	case Ref:
		b.WriteString(t.Rules[n.Rule].Name)
	case Seq:
		for i, sub := range n.Subs {
			if i > 0 {
				b.WriteByte(' ')
			}
			t.print(b, sub, Seq)
		}
	case Alt:
		for i, sub := range n.Subs {
			if i > 0 {
				b.WriteString(" | ")
			}
			inner := Kind(0)
			if sub.Kind == Alt {
				inner = Seq
			}
			t.print(b, sub, inner)
		}
	case Repeat:
		t.print(b, n.Subs[0], Repeat)
		printQuantifier(b, n.Min, n.Max)
	default:
		printMacro(b, n)
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

func printMacro(b *strings.Builder, n *Node) {
	if n.Kind == Pattern {
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
	name := "Token("
	if n.Kind == NotToken {
		name = "ExcludeToken("
	}
	b.WriteString(name)
	for i, id := range n.IDs {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(b, id)
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
