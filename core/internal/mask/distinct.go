package mask

import (
	"bytes"
	"math/bits"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// meetCost is what asking whether an item can go on costs, which may try every byte.
const meetCost = 256

// distinctRecord finds what a Distinct item lets through: what its left side does, but for tokens that make an item of
// the array equal to an earlier one.
func (m *Masks) distinctRecord(it pushdown.Item, w *scratch) *record {
	all := m.side(m.unfold(nil, []pushdown.Item{it}, pushdown.LeftSide, false, w), w)
	if w.over {
		return nil
	}
	t := m.a.TryItems(it)
	matter := m.e.takeRow()
	defer m.e.giveRow(matter)
	switch place, brackets, inString := t.Place(); {
	case place == distinct.Nowhere:
		return all
	case place == distinct.InNested:
		copy(matter, m.e.tokens.closing(brackets, inString))
	case place == distinct.InString:
		copy(matter, m.e.tokens.quotes)
		m.e.tokens.addRests(matter, t)
	case place == distinct.Between:
		copy(matter, m.e.tokens.lively)
		m.e.tokens.addBegun(matter, t)
	default:
		copy(matter, m.e.tokens.all)
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
			ok, need := t.Text(text)
			if ok && need != distinct.Nothing {
				s := m.a.StepBytes(left, text)
				w.charge(meetCost)
				ok = w.reached(s) && m.a.Meets(s, need)
			}
			if !ok {
				denied = append(denied, id)
			}
		}
	}
	return m.without(all, denied)
}

// addRests adds to a row the tokens without a quote after which the string that t is in the middle of may be one that
// is there already.
func (t *Tokens) addRests(row []uint32, trial *distinct.Trial) {
	rests, told := trial.Strings()
	if !told {
		copy(row, t.all)
		return
	}
	var begins [256]bool
	for _, rest := range rests {
		t.Trie.Each([]byte(rest), func(id uint32) { row[id>>5] |= 1 << (id & 31) })
		if rest != "" {
			begins[rest[0]] = true
		}
	}
	for _, id := range t.escapes {
		if b, told := firstCharacter(t.Trie.Bytes[id]); !told || begins[b] {
			row[id>>5] |= 1 << (id & 31)
		}
	}
}

// firstCharacter returns the first byte that a text within a string stands for, and false where that takes more of it.
func firstCharacter(text []byte) (b byte, told bool) {
	if text[0] != '\\' {
		return text[0], true
	}
	if len(text) == 1 || text[1] == 'u' {
		return 0, false
	}
	if i := strings.IndexByte("bfnrt", text[1]); i >= 0 {
		return "\b\f\n\r\t"[i], true
	}
	return text[1], true
}

// addBegun adds to a row the tokens that begin a string which may be one that is there already.
func (t *Tokens) addBegun(row []uint32, trial *distinct.Trial) {
	known, _ := trial.Strings()
	if len(known) == 0 {
		return
	}
	there := make(map[string]bool, len(known))
	var begins [256]bool
	for _, s := range known {
		there[s] = true
		if s != "" {
			begins[s[0]] = true
		}
	}
	for _, id := range t.opening {
		text := t.Trie.Bytes[id]
		begun := text[bytes.IndexByte(text, '"')+1:]
		if len(begun) > 0 {
			if b, told := firstCharacter(begun); told && !begins[b] {
				continue
			}
		}
		if there[string(begun)] || bytes.IndexByte(begun, '\\') >= 0 {
			row[id>>5] |= 1 << (id & 31)
		}
	}
}

// maxClosers bounds how many brackets tokens are told apart by.
const maxClosers = 3

// sortForDistinct sorts the tokens by what can make a difference to items of a distinct array: how many closing
// brackets and braces they have, all in all and after a quote, and whether they matter where no item has begun.
func (t *Tokens) sortForDistinct() {
	t.lively = make([]uint32, t.words)
	for i := range t.closers {
		t.closers[i] = [2][]uint32{make([]uint32, t.words), make([]uint32, t.words)}
	}
	for _, id := range t.Trie.Order {
		text := t.Trie.Bytes[id]
		quoted := bytes.IndexByte(text, '"') >= 0
		switch {
		case !distinct.Inert(text):
			t.lively[id>>5] |= 1 << (id & 31)
		case quoted:
			t.opening = append(t.opening, id)
		}
		if !quoted && bytes.IndexByte(text, '\\') >= 0 {
			t.escapes = append(t.escapes, id)
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
