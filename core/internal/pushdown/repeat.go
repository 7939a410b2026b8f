package pushdown

import (
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// spanRegister marks a register that is a range, interned in the program.
const spanRegister = 1 << 31

// span is a range of counts, both ends included. It is the register of a repetition: the number of bodies so far, which
// depends on how a text is cut into bodies. Without ranges a node would wait once for each possible count. The register
// of a rule that is cut is the range of its tokens.
type span struct{ low, high uint32 }

func (p *Program) spanOf(reg uint32) span {
	if reg < spanRegister {
		return span{reg, reg}
	}
	x := p.pairs.At(reg &^ spanRegister)
	return span{x.index, x.members}
}

func (p *Program) spanRegister(s span) uint32 {
	if s.low == s.high {
		return s.low
	}
	return spanRegister | p.pair(pair{index: s.low, members: s.high})
}

// atLeast returns the least number of bodies. It is 0 if the body is nullable.
func (r *repeat) atLeast() uint32 {
	if r.nullable {
		return 0
	}
	return r.min
}

// needed returns s without counts that make no difference: from atLeast on, fewer bodies leave room for all that more
// do.
func (s span) needed(atLeast uint32) span {
	s.high = min(s.high, max(s.low, atLeast))
	return s
}

// leaves reports whether each continuation of the counts of t is one of s.
func (r *repeat) leaves(s, t span) bool {
	if least := r.atLeast(); s.low > t.low || s.low < least && s.high < min(t.high, least) {
		return false
	}
	return true
}

// oneMore returns the counts of s after another body. Some count of s must leave room for it.
func (r *repeat) oneMore(s span) span {
	if r.max == terminal.Unbounded {
		enough := max(r.min, 1) // past the minimum all counts are one
		return span{min(s.low+1, enough), min(s.high+1, enough)}.needed(r.atLeast())
	}
	return span{s.low + 1, min(s.high, r.max-1) + 1}.needed(r.atLeast())
}

// sorted sorts frames, drops duplicates, and joins the counts of one repeat above one node.
func (st *stacks) sorted(fs []frame) []frame {
	slices.SortFunc(fs, func(x, y frame) int {
		if x.dot != y.dot {
			return int(x.dot) - int(y.dot)
		}
		return cmp.Or(cmp.Compare(x.k, y.k), cmp.Compare(x.reg, y.reg))
	})
	fs = slices.Compact(fs)
	out := fs[:0]
	for i := 0; i < len(fs); {
		j := i + 1
		for j < len(fs) && fs[j].dot == fs[i].dot && fs[j].k == fs[i].k {
			j++
		}
		switch in := st.p.code.At(uint32(fs[i].dot)); {
		case j-i > 1 && in.op == opRepeatNext:
			out = st.joinCounts(out, fs[i:j], st.p.repeats.At(in.arg).atLeast())
		case j-i > 1 && in.op == opLeave && st.p.scopeOf(fs[i]).Cut:
			out = st.joinCounts(out, fs[i:j], st.p.scopeOf(fs[i]).MaxTokens) // each says when the rule is cut
		case in.op == opLeave:
			out = append(out, fs[i]) // the fewest tokens leave room for all that more of them do
		default:
			out = append(out, fs[i:j]...)
		}
		i = j
	}
	return out
}

// joinCounts appends frames fs, which differ only in their counts, to out. It joins counts that touch to a range.
// Counts from atLeast on are alike.
func (st *stacks) joinCounts(out, fs []frame, atLeast uint32) []frame {
	spans := make([]span, len(fs))
	for i, f := range fs {
		spans[i] = st.p.spanOf(f.reg)
	}
	slices.SortFunc(spans, func(x, y span) int { return cmp.Compare(x.low, y.low) })
	joined := spans[:1]
	for _, s := range spans[1:] {
		if last := &joined[len(joined)-1]; s.low <= last.high+1 {
			last.high = max(last.high, s.high)
		} else if last.high < atLeast {
			joined = append(joined, s)
		} // else last leaves more room
	}
	first := fs[0]
	for _, s := range joined {
		out = append(out, frame{first.dot, st.p.spanRegister(s.needed(atLeast)), first.k})
	}
	return out
}
