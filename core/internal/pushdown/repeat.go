package pushdown

import (
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
