package mask

import (
	"math/bits"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

const (
	// tryCost is the cost of a byte of a token that is tried.
	tryCost = 20
	// wordsAtOne is the number of words for one unit of cost, when masks are combined.
	wordsAtOne = 8
)

// tryTokens is how many tokens are tried one by one. If there are more, a second mask first finds the tokens that stay
// inside the node.
const tryTokens = 64

func (m *Masks) few(row []uint32) bool {
	n := 0
	for _, v := range row {
		if n += bits.OnesCount32(v); n > tryTokens {
			return false
		}
	}
	return true
}

// takeAway takes the tokens of r out of row.
func (m *Masks) takeAway(row []uint32, r *record) {
	other := m.e.Tokens().TakeRow()
	m.e.emit(r, other, m.text)
	for i, v := range other[:len(row)] {
		row[i] &^= v
	}
	m.e.Tokens().GiveRow(other)
}

// denied returns the tokens in row that none of the nodes lets through, as far as the budget lasts. named says that the
// grammar may allow tokens by id, and not only as text.
func (m *Masks) denied(nodes []pushdown.BooleanItem, row []uint32, named bool, w *scratch) (ids []uint32) {
	for i, v := range row {
		for ; v != 0; v &= v - 1 {
			if w.Spent() {
				return ids
			}
			w.Charge(tryCost * (1 + len(m.e.Tokens().Trie.Bytes[i<<5+bits.TrailingZeros32(v)])) * len(nodes))
			if id := uint32(i<<5 + bits.TrailingZeros32(v)); !m.through(nodes, id, named, w) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// through reports whether one of the nodes lets token id through, as text or, if it may be named, as a token.
func (m *Masks) through(nodes []pushdown.BooleanItem, id uint32, named bool, w *scratch) bool {
	text := m.e.Tokens().Text(id, m.text)
	name := spelling.Token(id)
	for _, it := range nodes {
		if text != nil && m.letsThrough(it, text, w) || named && m.letsThrough(it, name[:], w) {
			return true
		}
	}
	return false
}

// letsThrough reports whether a Both or Without item lets text through. It steps the sides and, from each end of the
// node, the continuation. Other items share these states, whereas stepping the item itself would create new ones.
func (m *Masks) letsThrough(it pushdown.BooleanItem, text []byte, w *scratch) bool {
	b := m.a.Boolean(it)
	left, right := b.Left, b.Right
	for i, c := range text {
		if left = m.a.Step(left, c); !w.reached(left) || left == pushdown.Dead {
			return false
		}
		if right = m.a.Step(right, c); !w.reached(right) || right == pushdown.Dead && b.Is == grammar.Both {
			return false
		}
		if m.a.Accepts(left) && m.a.Accepts(right) == (b.Is == grammar.Both) {
			after := m.a.After(it.After)
			if t := m.a.StepBytes(after, text[i+1:]); w.reached(t) && t > pushdown.Over {
				return true
			}
		}
	}
	return m.a.Width(left) > 0 && (b.Is == grammar.Without || m.a.Width(right) > 0)
}

// without returns r without the denied tokens, which are in it, in ascending order.
func (m *Masks) without(r *record, denied []uint32) *record {
	if len(denied) == 0 {
		return r
	}
	out := &record{set: make([]uint32, 0, len(r.list)+len(r.set))}
	for _, ids := range [][]uint32{r.list, r.set} {
		for _, id := range ids {
			if _, gone := slices.BinarySearch(denied, id); !gone {
				out.set = append(out.set, id)
			}
		}
	}
	if r.base == nil {
		return out
	}
	if len(r.clear)+len(denied) <= 2*tokenset.SparseTokens {
		out.base, out.clear, out.owned = r.base, slices.Concat(r.clear, denied), r.owned
		return out
	}
	row := make([]uint32, m.e.Tokens().Words())
	m.e.emit(r, row, m.text)
	for _, id := range denied {
		row[id>>5] &^= 1 << (id & 31)
	}
	return &record{base: row, owned: true}
}

// like returns the tokens of row as a record. It shares the base of r if the two differ little.
func (m *Masks) like(r *record, row []uint32) *record {
	n := 0
	for _, v := range row {
		n += bits.OnesCount32(v)
	}
	if n <= 2*tokenset.SparseTokens {
		return &record{set: appendBits(make([]uint32, 0, n), row)}
	}
	if r.base != nil {
		other := m.e.Tokens().TakeRow()
		defer m.e.Tokens().GiveRow(other)
		m.e.emit(&record{base: r.base}, other, m.text)
		differ := 0
		for i, v := range row {
			differ += bits.OnesCount32(v ^ other[i])
		}
		if differ <= 2*tokenset.SparseTokens {
			out := &record{base: r.base}
			for i, v := range row {
				if x := v &^ other[i]; x != 0 {
					out.set = appendWord(out.set, i, x)
				}
				if x := other[i] &^ v; x != 0 {
					out.clear = appendWord(out.clear, i, x)
				}
			}
			return out
		}
	}
	return &record{base: slices.Clone(row), owned: true}
}

// either returns the tokens of both records. The first one may be nil.
func (m *Masks) either(r, x *record) *record {
	if r == nil {
		return x
	}
	if len(r.list)+len(r.set) > 0 && r.base == nil && x.base != nil {
		r, x = x, r
	}
	row, other := m.e.Tokens().TakeRow(), m.e.Tokens().TakeRow()
	defer m.e.Tokens().GiveRow(row)
	defer m.e.Tokens().GiveRow(other)
	m.e.emit(r, row, m.text)
	m.e.emit(x, other, m.text)
	for i, v := range other[:len(row)] {
		row[i] |= v
	}
	return m.like(r, row)
}

func appendBits(ids, row []uint32) []uint32 {
	for i, v := range row {
		ids = appendWord(ids, i, v)
	}
	return ids
}

// appendWord appends the tokens of word i of a row.
func appendWord(ids []uint32, i int, v uint32) []uint32 {
	for ; v != 0; v &= v - 1 {
		ids = append(ids, uint32(i<<5+bits.TrailingZeros32(v)))
	}
	return ids
}
