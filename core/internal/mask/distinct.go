package mask

import (
	"math/bits"

	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// distinctRecord finds what a Distinct item lets through: what its left side does, but for tokens that make an item of
// the array equal to an earlier one.
func (m *Masks) distinctRecord(it pushdown.Item, w *scratch) *record {
	all := m.side(m.unfold(nil, []pushdown.Item{it}, pushdown.LeftSide, false, w), w)
	if w.over {
		return nil
	}
	t := m.a.TryItems(it)
	var matter []uint32
	switch place, brackets, inString := t.Place(); {
	case place == distinct.Nowhere:
		return all
	case place == distinct.InNested:
		matter = m.e.tokens.closing(brackets, inString)
	case place == distinct.InString:
		matter = m.e.tokens.quotes
	case place == distinct.Between:
		matter = m.e.tokens.lively
	default:
		matter = m.e.tokens.all
	}
	row := m.e.takeRow()
	defer m.e.giveRow(row)
	m.e.emit(all, row, m.text)
	left := m.a.Boolean(it).Left
	var denied []uint32
	for i, v := range matter {
		for v &= row[i]; v != 0; v &= v - 1 {
			id := uint32(i<<5 + bits.TrailingZeros32(v))
			text := m.e.tokens.Trie.Bytes[id]
			w.charge(len(text))
			ok, mustGoOn := t.Text(text)
			if ok && mustGoOn {
				s := m.a.StepBytes(left, text)
				ok = w.reached(s) && m.a.NumberGoesOn(s)
			}
			if !ok {
				denied = append(denied, id)
			}
		}
	}
	return m.without(all, denied)
}

// maxClosers bounds how many brackets tokens are told apart by.
const maxClosers = 3

// sortForDistinct sorts the tokens by what can make a difference to items of a distinct array: how many closing brackets
// and braces they have, all in all and after a quote, and whether they matter where no item has begun.
func (t *Tokens) sortForDistinct() {
	t.lively = make([]uint32, t.words)
	for i := range t.closers {
		t.closers[i] = [2][]uint32{make([]uint32, t.words), make([]uint32, t.words)}
	}
	for _, id := range t.Trie.Order {
		if !distinct.Inert(t.Trie.Bytes[id]) {
			t.lively[id>>5] |= 1 << (id & 31)
		}
		var n [2]int
		quote := false
		for _, b := range t.Trie.Bytes[id] {
			switch b {
			case '"':
				quote = true
			case ']', '}':
				if n[0]++; quote {
					n[1]++
				}
			}
		}
		for kind := range n {
			for i := range min(n[kind], maxClosers) {
				t.closers[i][kind][id>>5] |= 1 << (id & 31)
			}
		}
	}
}

// closing returns tokens among which are all that have at least so many closing brackets, and before them a quote if
// they are in a string.
func (t *Tokens) closing(brackets uint32, inString bool) []uint32 {
	kinds := &t.closers[min(max(brackets, 1), maxClosers)-1]
	if inString {
		return kinds[1]
	}
	return kinds[0]
}
