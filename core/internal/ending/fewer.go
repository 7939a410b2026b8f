package ending

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// fewerCost bounds a search for the fewest tokens to two milliseconds, in the unit of limits.Budgets.Mask. Vocabularies
// with more than fewerTrie nodes have no search: it would walk the vocabulary for each state. Of 9,198 searches in
// outputs of MaskBench and BFCL, one found fewer tokens than a completion along shortest texts has.
const (
	fewerCost = 1 << 18
	fewerTrie = 1 << 13
)

// fewer returns how few tokens complete state s, or n, the tokens of a known completion, if the search takes too much.
// It is A* over tokens: no token brings the end nearer than by the bytes of the longest one. Some next token leads to a
// number less by one (Lemma 223).
func (f *Finder) fewer(s pushdown.StateID, n int) int {
	if len(f.lexicon.trie.Nodes) > fewerTrie {
		return n
	}
	least := f.leastTokens(s)
	if least >= n {
		return n
	}
	if !f.knows(factSearch, s) {
		x := searched{n, pushdown.Dead}
		cost, ok := f.aside(fewerCost, func() { x = f.searchTokens(s, least, n) })
		if !ok {
			f.gaveUp++
		}
		f.searched[s] = x
		f.keep(pushdown.FactOf(factSearch, s), fact{cost: cost})
	}
	return f.searched[s].tokens
}

// searched is the tokens that a search found, and the state behind the first of them.
type searched struct {
	tokens int
	next   pushdown.StateID // Dead: the known completion has no more tokens
}

func (f *Finder) searchTokens(s pushdown.StateID, least, n int) searched {
	type visit struct {
		state, first pushdown.StateID // first: behind the first token
		steps        int
	}
	best := map[pushdown.StateID]int{s: 0}
	queue := map[int][]visit{least: {{state: s}}}
	for level, top := least, least; level < n && level <= top; level++ {
		found := pushdown.Dead
		for i := 0; i < len(queue[level]); i++ {
			v := queue[level][i]
			if v.steps > best[v.state] {
				continue
			}
			if f.a.Accepts(v.state) {
				found = v.first
				continue
			}
			for _, t := range f.reached(f.walkOf(v.state)) {
				if m, ok := best[t]; ok && m <= v.steps+1 {
					continue
				}
				k := f.leastTokens(t)
				if k == Unknown {
					continue
				}
				best[t] = v.steps + 1
				k = max(level, v.steps+1+k)
				top = max(top, k)
				first := v.first
				if v.steps == 0 {
					first = t
				}
				queue[k] = append(queue[k], visit{t, first, v.steps + 1})
			}
		}
		if found != pushdown.Dead {
			return searched{level, found}
		}
		delete(queue, level)
	}
	return searched{n, pushdown.Dead}
}

// reached returns the states of a walk that tokens lead to: a walk also follows tokens that do not count as text.
func (f *Finder) reached(w *walk) (states []pushdown.StateID) {
	some := map[pushdown.StateID]bool{}
	for _, x := range w.spans {
		some[x.state] = some[x.state] || slices.ContainsFunc(f.lexicon.trie.Order[x.from:x.to], f.usable)
	}
	for _, x := range w.others {
		some[x.state] = true
	}
	for _, s := range w.states {
		if some[s] {
			states = append(states, s)
		}
	}
	return states
}
