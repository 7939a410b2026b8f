package ebnf

import (
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// treeMatcher recognises a text by the tree alone: it computes the ends of every node from every start until no more
// are found. It shares nothing with the lowering that it checks. It does not handle tokens and patterns.
type treeMatcher struct {
	tree *rules.Tree
	text string
	ends [][]uint64 // by rule and start: bit e says that it may end at e; texts are shorter than 64 bytes
}

func matches(t *rules.Tree, text string) bool {
	m := &treeMatcher{tree: t, text: text, ends: make([][]uint64, len(t.Rules))}
	for r := range m.ends {
		m.ends[r] = make([]uint64, len(text)+1)
	}
	for changed := true; changed; {
		changed = false
		for r := range t.Rules {
			for at := 0; at <= len(text); at++ {
				if e := m.node(t.Rules[r].Body, at) | m.ends[r][at]; e != m.ends[r][at] {
					m.ends[r][at] = e
					changed = true
				}
			}
		}
	}
	return m.ends[t.Start][0]>>len(text)&1 != 0
}

func (m *treeMatcher) node(n *rules.Node, at int) uint64 {
	switch n.Kind {
	case rules.Nothing:
		return 1 << at
	case rules.Text:
		if len(m.text)-at >= len(n.Text) && m.text[at:at+len(n.Text)] == n.Text {
			return 1 << (at + len(n.Text))
		}
		return 0
	case rules.Class:
		r, size := utf8.DecodeRuneInString(m.text[at:])
		for i := 0; i < len(n.Pairs) && size > 0 && !(r == utf8.RuneError && size == 1); i += 2 {
			if r >= n.Pairs[i] && r <= n.Pairs[i+1] {
				return 1 << (at + size)
			}
		}
		return 0
	case rules.Ref:
		return m.ends[n.Rule][at]
	case rules.Seq:
		set := uint64(1) << at
		for _, sub := range n.Subs {
			set = m.after(set, sub)
		}
		return set
	case rules.Alt:
		var set uint64
		for _, sub := range n.Subs {
			set |= m.node(sub, at)
		}
		return set
	}
	return m.repeat(n, at)
}

// after returns the ends of sub if it begins at a place of set.
func (m *treeMatcher) after(set uint64, sub *rules.Node) (out uint64) {
	for at := 0; at <= len(m.text); at++ {
		if set>>at&1 != 0 {
			out |= m.node(sub, at)
		}
	}
	return out
}

func (m *treeMatcher) repeat(n *rules.Node, at int) uint64 {
	set := uint64(1) << at
	for i := uint32(0); i < n.Min; i++ {
		set = m.after(set, n.Subs[0])
	}
	all := set
	for i := n.Min; i < n.Max; i++ {
		set = m.after(set, n.Subs[0])
		if n.Max == grammar.Unbounded && set&^all == 0 {
			break
		}
		all |= set
	}
	return all
}
