package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// passage is the effect of some strings on a counter that is in a fixed phase: they lead it to phase to. lengths holds
// the numbers of code points that they begin.
type passage struct {
	to      uint8
	lengths lengthSet
}

// structure is the effects of an expression's strings on a counter in one phase.
type structure struct {
	passages []passage
	known    bool // false: the lengths of some part are unknown, or are too many intervals
}

// add adds the passages of x, each with its lengths increased by first.
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

// partsOfBytes returns the structure of one byte of a set.
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
