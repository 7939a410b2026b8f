package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// passage is what the strings of an expression do to a counter that stands in some phase: they lead it to phase to, and
// begin any number of lengths of code points on the way.
type passage struct {
	to      uint8
	lengths lengthSet
}

// structure is what parts finds of an expression for one phase.
type structure struct {
	passages []passage
	known    bool // false: it has parts whose lengths do not add up, or too many lengths
}

// add adds the passages of another structure, each length increased by those of first.
func (st *structure) add(x structure, first lengthSet) {
	if st.known = st.known && x.known; !st.known {
		return
	}
next:
	for _, p := range x.passages {
		l, ok := first.plus(p.lengths)
		for i := range st.passages {
			if q := &st.passages[i]; ok && q.to == p.to {
				q.lengths, ok = q.lengths.or(l)
				st.known = st.known && ok
				continue next
			}
		}
		st.passages, st.known = append(st.passages, passage{p.to, l}), st.known && ok
	}
}

func partsOfBytes(set *expr.ByteSet, phase uint8, enc expr.Encoding) structure {
	var begun [1 << phaseBits][2]bool
	for b := set.Next(0); b < 256; b = set.Next(b + 1) {
		to, begins := Advance(enc, phase, byte(b))
		n := 0
		if begins {
			n = 1
		}
		begun[to][n] = true
	}
	st := structure{known: true}
	for to, n := range begun {
		var l lengthSet
		switch n {
		case [2]bool{true, false}:
			l = lengthSet{{0, 0}}
		case [2]bool{false, true}:
			l = lengthSet{{1, 1}}
		case [2]bool{true, true}:
			l = lengthSet{{0, 1}}
		default:
			continue
		}
		st.passages = append(st.passages, passage{uint8(to), l})
	}
	return st
}
