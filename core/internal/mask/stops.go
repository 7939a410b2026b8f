package mask

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// Stops lists the tokens that end one sequence. An engine stops at each such token, so it is never text: it is allowed
// if the output may end, or if the grammar names it as a token. Immutable.
type Stops struct {
	Tokens []uint32 // all of them
	Text   []uint32 // those with a text, which masks leave out while the output may not end
}

// FillStops is Fill for a sequence with these stop tokens.
func (m *Masks) FillStops(s pushdown.StateID, row []uint32, stops Stops) (some, inBudget bool) {
	r := m.record(s)
	switch {
	case r.over:
		return false, false
	case r.end:
		if len(stops.Tokens) == 0 && !r.some() {
			return false, true
		}
		m.e.emit(r, row, m.text)
		for _, id := range stops.Tokens {
			row[id>>5] |= 1 << (id & 31)
		}
		return true, true
	case !r.some():
		return false, true
	}
	var buf [8]uint32
	texts := m.stopTexts(s, r, stops, buf[:0])
	if len(texts) == 0 {
		m.e.emit(r, row, m.text)
		return true, true
	}
	if !m.moreThan(r, texts) {
		return false, true
	}
	m.e.emit(r, row, m.text)
	for _, id := range texts {
		row[id>>5] &^= 1 << (id & 31)
	}
	return true, true
}

// All reports whether FillStops sets the bit of every token of the vocabulary: all that are text, and all end tokens.
// Ids without a text do not count, since no model chooses them.
func (m *Masks) All(s pushdown.StateID, stops Stops) bool {
	if !m.record(s).all {
		return false
	}
	return !slices.ContainsFunc(m.e.Tokens().EndTokens,
		func(id uint32) bool { return !slices.Contains(stops.Tokens, id) })
}

// stopTexts appends the stop tokens that record r of state s allows as text alone. The output may not end in s.
func (m *Masks) stopTexts(s pushdown.StateID, r *record, stops Stops, to []uint32) []uint32 {
	for _, id := range stops.Text {
		if m.e.has(r, id, m.text) && !m.names(s, id) {
			to = append(to, id)
		}
	}
	return to
}

// names reports whether the grammar allows token id as a token in state s.
func (m *Masks) names(s pushdown.StateID, id uint32) bool {
	if !m.a.Names(s) {
		return false
	}
	name := spelling.Token(id)
	return m.a.StepBytes(s, name[:]) > pushdown.Over
}

// OnlyEnds reports whether the output may end in state s and nothing but stop tokens may follow, and whether the mask
// can be found within its budget.
func (m *Masks) OnlyEnds(s pushdown.StateID, stops Stops) (only, inBudget bool) {
	r := m.record(s)
	return r.end && !(r.some() && m.moreThan(r, stops.Tokens)), !r.over
}

// moreThan reports whether r allows any token besides ids.
func (m *Masks) moreThan(r *record, ids []uint32) bool {
	row := m.e.Tokens().TakeRow()
	defer m.e.Tokens().GiveRow(row)
	m.e.emit(r, row, m.text)
	for _, id := range ids {
		row[id>>5] &^= 1 << (id & 31)
	}
	return slices.ContainsFunc(row, func(x uint32) bool { return x != 0 })
}
