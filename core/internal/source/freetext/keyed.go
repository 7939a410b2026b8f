package freetext

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Keyed returns one of the keys, followed by its continuation. The keys are one trie; equal ones are one key with
// several continuations.
func Keyed(st *terminal.Store, g *grammar.Grammar, keys []string, follow []grammar.Sequence) grammar.Sequence {
	if len(keys) == 1 {
		if keys[0] == "" {
			return follow[0]
		}
		return append(grammar.Sequence{grammar.T(st.Text(keys[0], terminal.UTF8))}, follow[0]...)
	}
	index := make(map[string]int, len(keys))
	var distinct []string
	var then [][]grammar.Sequence
	for i, k := range keys {
		at, ok := index[k]
		if !ok {
			at = len(distinct)
			index[k] = at
			distinct, then = append(distinct, k), append(then, nil)
		}
		then[at] = append(then[at], follow[i])
	}
	cases := make([]grammar.Case, len(distinct))
	for i, t := range then {
		cases[i] = grammar.Case{Tag: uint32(i), Then: t[0]}
		if len(t) > 1 {
			id := g.NewRule("same begin")
			for _, s := range t {
				g.Add(id, s...)
			}
			cases[i].Then = grammar.Sequence{grammar.N(id)}
		}
	}
	return grammar.Sequence{g.NewSwitch(st.Keys(distinct, terminal.UTF8, terminal.Epsilon), cases...)}
}
