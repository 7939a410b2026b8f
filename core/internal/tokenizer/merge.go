package tokenizer

import (
	"math"
	"unicode/utf8"
)

// noToken is the id of a character without a token.
const noToken = math.MaxUint32

// noRank is the rank of parts that do not merge.
const noRank = math.MaxUint32

// merges is a model of byte pair encoding: a piece begins as bytes or characters, and neighbours merge: the
// pair of the lowest rank first, the leftmost of equal ones.
type merges struct {
	bytes [256]int32        // the token of each byte, −1 without one; by characters: the fallback
	chars map[rune]uint32   // the token of each character; nil: pieces begin as bytes
	pairs map[uint64]merged // by the ids of both parts
	ranks map[string]merged // instead of pairs: by the text of both parts together
	whole map[string]uint32 // pieces that are one token, before any merge
	joint bool              // a character without a token can merge; if it does not, it becomes bytes
}

// merged is the result of a merge.
type merged struct{ rank, id uint32 }

// part is a token on the way, [start, next part's start) of the piece.
type part struct {
	start int
	id    uint32
	with  merged // of this part and the next one
}

type parts []part

func (m *merges) cut(c *Cutter, piece []byte) bool {
	if id, ok := m.whole[string(piece)]; ok {
		c.out = append(c.out, Token{id, len(piece)})
		return true
	}
	list, known := m.begin(c.parts[:0], piece)
	end := len(piece)
	if !known {
		// The unknown character's token is no text, and may contain its neighbours.
		return false
	}
	for i := range list {
		list[i].with = m.merge(list, i, piece, end)
	}
	// PERF: a piece has a dozen parts, so a search for the lowest rank beats a heap; the longest has
	// limits.ForcedBytes + limits.TokenizedBytes.
	for {
		best := -1
		low := uint32(noRank)
		for i := range list {
			if list[i].with.rank < low {
				best, low = i, list[i].with.rank
			}
		}
		if best < 0 {
			break
		}
		list[best].id = list[best].with.id
		list = append(list[:best+1], list[best+2:]...)
		list[best].with = m.merge(list, best, piece, end)
		if best > 0 {
			list[best-1].with = m.merge(list, best-1, piece, end)
		}
	}
	c.parts = list
	for i := range list {
		if list[i].id != noToken {
			c.out = append(c.out, Token{list[i].id, list.end(i, end)})
			continue
		}
		for at := list[i].start; at < list.end(i, end); at++ {
			if m.bytes[piece[at]] < 0 {
				return false
			}
			c.out = append(c.out, Token{uint32(m.bytes[piece[at]]), at + 1})
		}
	}
	return true
}

func (p parts) end(i, end int) int {
	if i+1 < len(p) {
		return p[i+1].start
	}
	return end
}

// merge returns what part i and the next one become.
func (m *merges) merge(list parts, i int, piece []byte, end int) merged {
	if i+1 == len(list) {
		return merged{rank: noRank}
	}
	if m.ranks != nil {
		if r, ok := m.ranks[string(piece[list[i].start:list.end(i+1, end)])]; ok {
			return r
		}
	} else if r, ok := m.pairs[uint64(list[i].id)<<32|uint64(list[i+1].id)]; ok {
		return r
	}
	return merged{rank: noRank}
}

// begin returns the parts of a piece before all merges. It reports false if the piece has a byte without a token.
func (m *merges) begin(list parts, piece []byte) (parts, bool) {
	for i := 0; i < len(piece); {
		n := 1
		if m.chars != nil {
			var r rune
			r, n = utf8.DecodeRune(piece[i:])
			if id, ok := m.chars[r]; ok {
				list = append(list, part{start: i, id: id})
				i += n
				continue
			}
			if m.joint {
				list = append(list, part{start: i, id: noToken})
				i += n
				continue
			}
		}
		for ; n > 0; n-- {
			id := m.bytes[piece[i]]
			if id < 0 {
				return list, false
			}
			list = append(list, part{start: i, id: uint32(id)})
			i++
		}
	}
	return list, true
}
