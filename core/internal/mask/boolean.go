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
	all := m.e.takeRow()
	defer m.e.giveRow(all)
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
		return r
	}
	m.e.giveRow(row)
	return r
}

// takeRow returns a row of words that are no one's in particular.
func (e *Engine) takeRow() []uint32 {
	if p, ok := e.rows.Get().(*[]uint32); ok {
		return *p
	}
	return make([]uint32, e.tokens.words)
}

func (e *Engine) giveRow(row []uint32) { e.rows.Put(&row) }

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
	if b.Is == grammar.Distinct {
		m.denyRepeated(it, row, w)
		return row
	}
	// Only what both sides may let through is in question: for Both it alone is allowed, for Without it may be denied.
	doubtful := m.row(b.RightAfter, w)
	defer m.e.giveRow(doubtful)
	few := 0
	for i, v := range row {
		doubtful[i] &= v
		few += bits.OnesCount32(doubtful[i])
	}
	if b.Is == grammar.Both {
		copy(row, doubtful)
	}
	if few > tryTokens {
		inside := m.row(b.LeftInside, w)
		if b.Is == grammar.Both {
			right := m.row(b.RightInside, w)
			for i, v := range right {
				inside[i] &= v
			}
			m.e.giveRow(right)
		}
		for i, v := range inside {
			doubtful[i] &^= v
		}
		m.e.giveRow(inside)
	}
	m.deny(it, row, doubtful, w)
	return row
}

// tryTokens is how many tokens are tried one by one rather than finding out which of them stay inside the node.
const tryTokens = 64

// row returns the mask of a side as a row to be given back.
func (m *Masks) row(s pushdown.StateID, w *scratch) []uint32 {
	row := m.e.takeRow()
	if s <= pushdown.Over {
		clear(row)
		return row
	}
	r := m.record(s)
	if r.over {
		w.over = true
		clear(row)
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
