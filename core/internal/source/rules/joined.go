package rules

import (
	"fmt"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
)

// In Lark, the parts of a terminal are one regular expression: an assertion at the edge of a part sees the parts beside
// it. common.lark ends a string with .*? /(?<!\\)(\\\\)*?/ "\"".

// JoinPatterns makes one pattern of rule r if a pattern inside it has an assertion at an edge, and no part is of
// another kind. read reads the one pattern; if it fails, the parts stay.
func (t *Tree) JoinPatterns(r int, read func(pattern string) (*regex.Node, error)) {
	body := t.Rules[r].Body
	looks := false
	t.EachPattern(body, func(n *Node) {
		some, _ := n.Regex.LooksOut()
		looks = looks || some
	})
	if body.Kind == Pattern || !looks {
		return
	}
	var b strings.Builder
	if !t.writePattern(&b, body, 0) {
		return
	}
	if re, err := read(b.String()); err == nil {
		t.Rules[r].Body = t.Node(Node{Kind: Pattern, At: body.At, Text: b.String(), Special: &Special{Regex: re}})
	}
}

// EachPattern calls visit with the patterns in n and in the rules that n refers to, each rule once.
func (t *Tree) EachPattern(n *Node, visit func(n *Node)) {
	seen := map[int]bool{}
	for list := []*Node{n}; len(list) > 0; {
		n := list[len(list)-1]
		list = list[:len(list)-1]
		t.work.Spend(NodeWork)
		switch {
		case n == nil:
		case n.Kind == Pattern:
			visit(n)
		case n.Kind == Ref && !seen[n.Rule]:
			seen[n.Rule] = true
			list = append(list, t.Rules[n.Rule].Body)
		default:
			list = append(list, n.Subs...)
		}
	}
}

// joinedBytes bounds the text of joined patterns, joinedDepth how deep their parts nest.
const (
	joinedBytes = 1 << 16
	joinedDepth = 64
)

// writePattern writes n as a regular expression. It reports false if n has a part of another kind or is too large.
func (t *Tree) writePattern(b *strings.Builder, n *Node, depth int) (ok bool) {
	t.work.Spend(NodeWork)
	if n == nil || depth > joinedDepth || b.Len() > joinedBytes {
		return false
	}
	several := func(separator string) bool {
		for i, sub := range n.Subs {
			if i > 0 {
				b.WriteString(separator)
			}
			if !t.writePattern(b, sub, depth+1) {
				return false
			}
		}
		return true
	}
	b.WriteString("(?:")
	switch n.Kind {
	case Nothing:
	case Text:
		for _, c := range n.Text {
			fmt.Fprintf(b, `\u{%X}`, c)
		}
	case Class:
		b.WriteByte('[')
		for i := 0; i < len(n.Pairs); i += 2 {
			fmt.Fprintf(b, `\u{%X}-\u{%X}`, n.Pairs[i], n.Pairs[i+1])
		}
		b.WriteByte(']')
	case Pattern:
		if n.JSONString {
			return false
		}
		before, behind := FlagGroup(n.Flags)
		b.WriteString(before + n.Text + behind)
	case Ref:
		if !t.writePattern(b, t.Rules[n.Rule].Body, depth+1) {
			return false
		}
	case Seq:
		if !several("") {
			return false
		}
	case Alt:
		if !several("|") {
			return false
		}
	case Repeat:
		if !several("") {
			return false
		}
		fmt.Fprintf(b, "){%d,", n.Min)
		if n.Max != grammar.Unbounded {
			fmt.Fprintf(b, "%d", min(n.Max, limits.RegexRepeat))
		}
		b.WriteByte('}')
		return true
	default:
		return false
	}
	b.WriteByte(')')
	return true
}

// FlagGroup returns the beginning and end of a group that sets flags of Lark for a pattern.
func FlagGroup(flags string) (before, behind string) {
	switch {
	case flags == "":
		return "", ""
	case strings.Contains(flags, "x"):
		return "(?" + flags + ":", "\n)" // the pattern may end in a comment
	}
	return "(?" + flags + ":", ")"
}
