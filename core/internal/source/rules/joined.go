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
	body, looks := t.Rules[r].Body, false
	t.eachPattern(body, func(n *Node) {
		some, _ := n.Regex.LooksOut()
		looks = looks || some
	})
	var b strings.Builder
	if body.Kind == Pattern || !looks || !t.writePattern(&b, body, 0) {
		return
	}
	if re, err := read(b.String()); err == nil {
		t.Rules[r].Body = t.Node(Node{Kind: Pattern, At: body.At, Text: b.String(), Special: &Special{Regex: re}})
	}
}

// EachInnerPattern calls visit with the patterns that the start leads to, none if one of them is the whole grammar.
func (t *Tree) EachInnerPattern(visit func(n *Node)) {
	if start := t.resolved(t.Rules[t.Start].Body); start.Kind != Pattern {
		t.eachPattern(start, visit)
	}
}

// eachPattern calls visit with the patterns in n and in the rules that n refers to, each rule once.
func (t *Tree) eachPattern(n *Node, visit func(n *Node)) {
	seen := map[int]bool{}
	for list := []*Node{n}; len(list) > 0; {
		n := list[len(list)-1]
		list = list[:len(list)-1]
		t.work.Spend(NodeWork)
		switch {
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
	if depth > joinedDepth || b.Len() > joinedBytes {
		return false
	}
	text, subs, between, end := "", n.Subs, "", ")"
	switch n.Kind {
	case Nothing, Seq:
	case Alt:
		between = "|"
	case Ref:
		subs = []*Node{t.Rules[n.Rule].Body}
	case Repeat:
		most := ""
		if n.Max != grammar.Unbounded {
			most = fmt.Sprint(min(n.Max, limits.RegexRepeat))
		}
		end = fmt.Sprintf("){%d,%s}", n.Min, most)
	case Text:
		for _, c := range n.Text {
			text += fmt.Sprintf(`\u{%X}`, c)
		}
	case Class:
		for i := 0; i < len(n.Pairs); i += 2 {
			text += fmt.Sprintf(`\u{%X}-\u{%X}`, n.Pairs[i], n.Pairs[i+1])
		}
		text = "[" + text + "]"
	case Pattern:
		before, behind := FlagGroup(n.Flags)
		text = before + n.Text + behind
	default:
		return false
	}
	b.WriteString("(?:" + text)
	for i, sub := range subs {
		if i > 0 {
			b.WriteString(between)
		}
		if !t.writePattern(b, sub, depth+1) {
			return false
		}
	}
	b.WriteString(end)
	return true
}

// FlagGroup returns the beginning and the end of a group that sets flags for a pattern.
func FlagGroup(flags string) (before, behind string) {
	switch flags = strings.ReplaceAll(flags, "u", ""); { // characters are always code points
	case flags == "":
		return "", ""
	case strings.Contains(flags, "x"):
		return "(?" + flags + ":", "\n)" // the pattern may end in a comment
	}
	return "(?" + flags + ":", ")"
}
