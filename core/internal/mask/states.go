// Package mask finds and keeps the sets of tokens that keep a state alive.
//
// Invariant: a mask equals the result of trying every token, bit by bit; tests compare the two. Masks depend on states
// and token bytes alone; only cause.go and warm.go know how constraints and outputs are written.
//
// Start reading at Masks.Fill. find.go computes an unknown mask: from token sets of the state's terminals (compute.go,
// package tokenset), by walking the token trie (walk.go), or from the masks of a boolean node's sides.
package mask

import "github.com/sluice-engine/sluice/core/internal/pushdown"

// Walk computes the masks along text, a longest token at a time, as far as it leads.
func (m *Masks) Walk(text []byte) {
	for s := m.a.Start(); s > pushdown.Over; {
		m.record(s)
		if len(text) == 0 {
			return
		}
		_, n := m.e.Longest(string(text))
		if n == 0 {
			return
		}
		s = m.a.StepBytes(s, text[:n])
		text = text[n:]
	}
}

// Fill writes the mask of state s to row, which has at least the vocabulary's words, and clears the words beyond them.
// end lists the end tokens. It returns some = false if no token is allowed, end tokens included, and inBudget = false
// if the mask exceeds its budget; the row is then untouched.
func (m *Masks) Fill(s pushdown.StateID, row []uint32, end []uint32) (some, inBudget bool) {
	return m.FillStops(s, row, Stops{Tokens: end})
}

// WithinBudget reports whether the mask of state s can be found within the budget of one.
func (m *Masks) WithinBudget(s pushdown.StateID) bool { return !m.record(s).over }

// Known reports whether the mask of state s is there already.
func (m *Masks) Known(s pushdown.StateID) bool { return s == pushdown.Over || m.a.Aux(s) != 0 }

// Has reports whether the mask of state s has the bit of token id, and whether the mask can be found within its budget.
// It disregards end tokens.
func (m *Masks) Has(s pushdown.StateID, id uint32) (has, inBudget bool) {
	r := m.record(s)
	return !r.over && m.e.has(r, id, m.text), !r.over
}

// Cost returns the cost of the mask of state s as if no result were known before, in the unit of limits.Budgets.Mask.
func (m *Masks) Cost(s pushdown.StateID) int { return m.record(s).cost }
