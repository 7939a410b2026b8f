package mask

import (
	"math/bits"

	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// booleanRecord finds the mask of state s, which is in the middle of a boolean node and nothing else. Where the right
// side takes no token away it is the left side's own.
func (m *Masks) booleanRecord(it pushdown.Item, s pushdown.StateID, w *scratch) *record {
	left := m.record(m.a.Boolean(it).LeftAfter)
	row := m.booleanBits(it, w)
	if w.over || left.over {
		w.over = true
		return nil
	}
	r := &record{end: m.a.Accepts(s)}
	all := make([]uint32, len(row))
	m.e.emit(left, all, m.text)
	allowed := count(row)
	denied := count(all) - allowed
	switch {
	case denied == 0:
		r.base, r.clear, r.set = left.base, left.clear, left.set
	case allowed <= 2*sparseTokens:
		r.set = appendBits(nil, row)
	case left.base != nil && denied+len(left.clear) <= 2*sparseTokens:
		for i, v := range all {
			all[i] = v &^ row[i]
		}
		r.base, r.clear = left.base, appendBits(append([]uint32(nil), left.clear...), all)
		for _, id := range left.set {
			if row[id>>5]>>(id&31)&1 == 1 {
				r.set = append(r.set, id)
			}
		}
	default:
		r.base, r.owned = row, true
	}
	return r
}

func count(row []uint32) (n int) {
	for _, v := range row {
		n += bits.OnesCount32(v)
	}
	return n
}

func appendBits(ids, row []uint32) []uint32 {
	for i, v := range row {
		for ; v != 0; v &= v - 1 {
			ids = append(ids, uint32(i<<5+bits.TrailingZeros32(v)))
		}
	}
	return ids
}

// booleanBits returns the tokens that one boolean item lets through, as a row of its own.
func (m *Masks) booleanBits(it pushdown.Item, w *scratch) []uint32 {
	b := m.a.Boolean(it)
	row := m.row(b.LeftAfter, w)
	switch b.Is {
	case grammar.Both:
		right := m.row(b.RightInside, w)
		for i, v := range m.row(b.LeftInside, w) {
			right[i] &= v
		}
		for i, v := range m.row(b.RightAfter, w) {
			row[i] &= v
			right[i] = row[i] &^ right[i]
		}
		m.deny(it, row, right, w)
	case grammar.Without:
		// Only where both sides may have ended can the right one take anything away.
		inside := m.row(b.LeftInside, w)
		for i, v := range m.row(b.RightAfter, w) {
			inside[i] = v & row[i] &^ inside[i]
		}
		m.deny(it, row, inside, w)
	case grammar.Distinct:
		m.denyRepeated(it, row, w)
	}
	return row
}

func (m *Masks) row(s pushdown.StateID, w *scratch) []uint32 {
	row := make([]uint32, m.e.tokens.words)
	if s <= pushdown.Over {
		return row
	}
	r := m.record(s)
	if r.over {
		w.over = true
		return row
	}
	m.e.emit(r, row, m.text)
	return row
}

// deny takes out of row those of the doubtful tokens that boolean item it does not let through.
func (m *Masks) deny(it pushdown.Item, row, doubtful []uint32, w *scratch) {
	start := m.a.InternItems([]pushdown.Item{it}, false)
	for i, v := range doubtful {
		for ; v != 0; v &= v - 1 {
			if m.e.spent(w) {
				return
			}
			if !m.alive(start, uint32(i<<5+bits.TrailingZeros32(v))) {
				row[i] &^= v & -v
			}
		}
	}
}

// alive reports whether token id, which is allowed as text or as a token, leaves anything of state s.
func (m *Masks) alive(s pushdown.StateID, id uint32) bool {
	if m.a.StepBytes(s, []byte{terminal.TokenMark, byte(id >> 16), byte(id >> 8), byte(id)}) > pushdown.Over {
		return true
	}
	text := m.e.tokens.Text(id, m.text)
	return text != nil && m.a.StepBytes(s, text) > pushdown.Over
}

// denyRepeated takes out of row the tokens that make an item of an array equal to an earlier one.
func (m *Masks) denyRepeated(it pushdown.Item, row []uint32, w *scratch) {
	t := m.a.TryItems(it)
	var matter []uint32
	switch t.Place() {
	case distinct.Nowhere:
		return
	case distinct.InString:
		matter = m.e.tokens.quotes
	case distinct.InNested:
		matter = m.e.tokens.closers
	default:
		matter = m.e.tokens.all
	}
	left := m.a.Boolean(it).Left
	for i, v := range matter {
		for v &= row[i]; v != 0; v &= v - 1 {
			text := m.e.tokens.Trie.Bytes[i<<5+bits.TrailingZeros32(v)]
			ok, mustGoOn := t.Text(text)
			if ok && mustGoOn {
				ok = m.a.NumberGoesOn(m.a.StepBytes(left, text))
			}
			if !ok {
				row[i] &^= v & -v
			}
		}
	}
}
