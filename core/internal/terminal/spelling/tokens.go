package spelling

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// A token named by a grammar is spelled 0xFF and its id in three bytes. A byte 0xFF in text that is not UTF-8 is
// spelled as the largest id, so no token may have this id.

// MaxTokens bounds token ids: three bytes of spelling.
const MaxTokens = 1<<24 - 1

// Text returns text as automata read it, with every byte 0xFF escaped. It returns text without that byte unchanged.
func Text(text []byte) []byte {
	if bytes.IndexByte(text, expr.TokenMark) < 0 {
		return text
	}
	name := Token(MaxTokens)
	return bytes.ReplaceAll(text, name[:1], name[:])
}

// Untext is the inverse of Text.
func Untext(spelled []byte) []byte {
	if bytes.IndexByte(spelled, expr.TokenMark) < 0 {
		return spelled
	}
	name := Token(MaxTokens)
	return bytes.ReplaceAll(spelled, name[:], name[:1])
}

// Token returns the spelling of token id.
func Token(id uint32) [4]byte {
	return [4]byte{expr.TokenMark, byte(id >> 16), byte(id >> 8), byte(id)}
}

// Tokens returns the language of one token of these inclusive ranges.
func Tokens(st *terminal.Store, ranges [][2]uint32) expr.Expr {
	a := st.Lock()
	defer st.Unlock()
	var alts []expr.Expr
	for _, r := range joined(ranges) {
		alts = idRange(a, alts, r[0], r[1], 3)
	}
	return a.Concat(a.ByteOf(expr.TokenMark), a.Or(groupHeads(a, alts)...))
}

// TokensBut returns the language of one token outside these inclusive ranges. End tokens are tokens too: exclude them.
func TokensBut(st *terminal.Store, except [][2]uint32) expr.Expr {
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
	return Tokens(st, ranges)
}

// Singles returns the ranges of single tokens.
func Singles(ids ...uint32) [][2]uint32 {
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

// groupHeads unites alternatives with the same first byte set, so that a large set of ids becomes a trie.
func groupHeads(s *analysis.Analysis, alts []expr.Expr) []expr.Expr {
	if len(alts) == 1 {
		return alts
	}
	var heads []expr.Expr
	tails := map[expr.Expr][]expr.Expr{}
	for _, a := range alts {
		n := s.Node(a)
		h := n.Head()
		if _, ok := tails[h]; !ok {
			heads = append(heads, h)
		}
		tails[h] = append(tails[h], n.Tail())
	}
	out := make([]expr.Expr, len(heads))
	for i, h := range heads {
		sub := tails[h]
		if s.Node(sub[0]).Kind == expr.KConcat {
			sub = groupHeads(s, sub)
		}
		out[i] = s.Concat(h, s.Or(sub...))
	}
	return out
}

// idRange appends the n-byte big-endian spellings of lo–hi.
func idRange(s *analysis.Analysis, alts []expr.Expr, lo, hi uint32, n int) []expr.Expr {
	var set expr.ByteSet
	if n == 1 {
		set.AddRange(byte(lo), byte(hi))
		return append(alts, s.Bytes(set))
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
		var head expr.ByteSet
		head.AddRange(byte(a), byte(last))
		h := s.Bytes(head)
		for _, tail := range idRange(s, nil, from, to, n-1) {
			alts = append(alts, s.Concat(h, tail))
		}
		a = last + 1
	}
	return alts
}
