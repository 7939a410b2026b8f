package mask

import (
	"bytes"
	"math/bits"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// meetCost is the cost of Automaton.Meets, which may try every byte.
const meetCost = 256

// distinctRecord returns the mask of a Distinct item: the tokens of all, the mask of its left side, without those that
// make an item of the array equal to an earlier one.
func (m *Masks) distinctRecord(it pushdown.BooleanItem, all *record, w *scratch) *record {
	t, tokens := m.a.TryItems(it), m.e.Tokens()
	matter := tokens.TakeRow()
	defer tokens.GiveRow(matter)
	switch t.Place() {
	case distinct.Nowhere:
		return all
	case distinct.InNested:
		copy(matter, tokens.Closing)
	case distinct.InNestedString:
		for i, word := range tokens.Quotes {
			matter[i] = word & tokens.Closing[i]
		}
	case distinct.InString:
		copy(matter, tokens.Quotes)
		addRests(tokens, matter, t)
	case distinct.Between:
		copy(matter, tokens.Lively)
		addBegun(tokens, matter, t)
	default:
		copy(matter, tokens.All)
	}
	row := tokens.TakeRow()
	defer tokens.GiveRow(row)
	m.e.emit(all, row, m.text)
	left := m.a.Boolean(it).Left
	var denied []uint32
	for i, v := range matter {
		for v &= row[i]; v != 0; v &= v - 1 {
			id := uint32(i<<5 + bits.TrailingZeros32(v))
			text := tokens.Trie.Bytes[id]
			ok, need := t.Text(text)
			w.Charge(t.Work())
			if ok && need != distinct.Nothing {
				s := m.a.StepBytes(left, text)
				w.Charge(meetCost)
				ok = w.reached(s) && m.a.Meets(s, need)
			}
			if !ok {
				denied = append(denied, id)
			}
		}
	}
	return m.without(all, denied)
}

// addRests adds to a row the tokens without a quote that may make the open string equal to an earlier one.
func addRests(t *tokenset.Tokens, row []uint32, trial *distinct.Trial) {
	rests, told := trial.Strings()
	if !told {
		copy(row, t.All)
		return
	}
	var begins [256]bool
	for _, rest := range rests {
		t.Trie.Each([]byte(rest), func(id uint32) { row[id>>5] |= 1 << (id & 31) })
		if rest != "" {
			begins[rest[0]] = true
		}
	}
	for _, id := range t.Escapes {
		if b, told := firstCharacter(t.Trie.Bytes[id]); !told || begins[b] {
			row[id>>5] |= 1 << (id & 31)
		}
	}
}

// firstCharacter returns the first byte that a text within a string stands for. It returns false for \u, and if the
// text is too short.
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

// addBegun adds to a row the tokens that begin a string which may equal an earlier one.
func addBegun(t *tokenset.Tokens, row []uint32, trial *distinct.Trial) {
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
	for _, id := range t.Opening {
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
