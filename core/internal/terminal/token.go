package terminal

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Tokens that a grammar names as tokens are spelled as bytes that no text contains: 0xFF, then the id in three bytes.
// One mechanism then serves text and tokens. Text that is no UTF-8 may contain the byte 0xFF; it is spelled as the
// token would be that has the largest id, which therefore no token has.

// MaxTokens bounds token ids: three bytes of spelling.
const MaxTokens = 1<<24 - 1

// SpellText returns text as automata read it: every byte 0xFF spelled out. Text without one is returned as it is.
func SpellText(text []byte) []byte {
	if bytes.IndexByte(text, TokenMark) < 0 {
		return text
	}
	name := TokenSpelling(MaxTokens)
	return bytes.ReplaceAll(text, name[:1], name[:])
}

// TokenSpelling returns the bytes that stand for token id as a token.
func TokenSpelling(id uint32) [4]byte {
	return [4]byte{TokenMark, byte(id >> 16), byte(id >> 8), byte(id)}
}

// Token returns exactly one of these tokens, as a token.
func (s *Store) Token(ids []uint32) Expr {
	return s.TokenRanges(singles(ids))
}

// TokenRanges returns exactly one of the tokens of these ranges, both ends included, as a token.
func (s *Store) TokenRanges(ranges [][2]uint32) Expr { return s.tokenRanges(joined(ranges)) }

func singles(ids []uint32) [][2]uint32 {
	ranges := make([][2]uint32, len(ids))
	for i, id := range ids {
		ranges[i] = [2]uint32{id, id}
	}
	return ranges
}

// joined sorts ranges and joins those that touch.
func joined(ranges [][2]uint32) (out [][2]uint32) {
	ranges = slices.Clone(ranges)
	slices.SortFunc(ranges, func(a, b [2]uint32) int { return cmp.Compare(a[0], b[0]) })
	for _, r := range ranges {
		if k := len(out) - 1; k >= 0 && out[k][1]+1 >= r[0] {
			out[k][1] = max(out[k][1], r[1])
		} else {
			out = append(out, r)
		}
	}
	return out
}

// AnyToken returns exactly one token that is not in except, as a token. End tokens are tokens too: except them.
func (s *Store) AnyToken(except []uint32) Expr {
	return s.AnyTokenBut(singles(except))
}

// AnyTokenBut is AnyToken for ranges of tokens, both ends included.
func (s *Store) AnyTokenBut(except [][2]uint32) Expr {
	var ranges [][2]uint32
	from := uint32(0)
	for _, r := range joined(except) {
		if r[0] > from {
			ranges = append(ranges, [2]uint32{from, r[0] - 1})
		}
		from = r[1] + 1
	}
	if from < MaxTokens {
		ranges = append(ranges, [2]uint32{from, MaxTokens - 1})
	}
	return s.tokenRanges(ranges)
}

func (s *Store) tokenRanges(ranges [][2]uint32) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	var alts []Expr
	for _, r := range ranges {
		alts = s.idRange(alts, r[0], r[1], 3)
	}
	return s.x.Concat(s.x.ByteOf(TokenMark), s.x.Or(groupHeads(s, alts)...))
}

// groupHeads merges byte·tail alternatives that share their first byte set, so that a large set of ids is a trie.
func groupHeads(s *Store, alts []Expr) []Expr {
	var heads []Expr
	tails := map[Expr][]Expr{}
	for _, a := range alts {
		n := s.x.Node(a)
		h := Expr(n.A)
		if _, ok := tails[h]; !ok {
			heads = append(heads, h)
		}
		tails[h] = append(tails[h], Expr(n.B))
	}
	out := make([]Expr, len(heads))
	for i, h := range heads {
		sub := tails[h]
		if s.x.Node(sub[0]).Kind == expr.KConcat {
			sub = groupHeads(s, sub)
		}
		out[i] = s.x.Concat(h, s.x.Or(sub...))
	}
	return out
}

// idRange appends the n-byte big-endian spellings of lo–hi.
func (s *Store) idRange(alts []Expr, lo, hi uint32, n int) []Expr {
	var set ByteSet
	if n == 1 {
		set.AddRange(byte(lo), byte(hi))
		return append(alts, s.x.Bytes(set))
	}
	unit := uint32(1) << (8 * (n - 1))
	a, b := lo/unit, hi/unit
	for a <= b {
		from, to := uint32(0), unit-1
		if a == lo/unit {
			from = lo % unit
		}
		if a == b {
			to = hi % unit
		}
		last := a
		if from == 0 && to == unit-1 {
			for last < b && (last+1 < b || hi%unit == unit-1) {
				last++
			}
		}
		var head ByteSet
		head.AddRange(byte(a), byte(last))
		h := s.x.Bytes(head)
		for _, tail := range s.idRange(nil, from, to, n-1) {
			alts = append(alts, s.x.Concat(h, tail))
		}
		a = last + 1
	}
	return alts
}
