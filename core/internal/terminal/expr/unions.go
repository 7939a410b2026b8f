package expr

import (
	"slices"
)

// Derivatives make the same unions repeatedly: a sequence of counted parts makes one for each letter of a class, and
// two long sequences of optional parts reach the same ends in 2ⁿ ways. A union follows from its members alone, and
// takes thousands of comparisons, so unions are remembered within one tally. A tally begins with none, so that its
// count does not depend on earlier work.

// knownUnion is a remembered union.
type knownUnion struct {
	at, n uint32 // offset and number of its members in lists
	union Expr
}

// unions finds unions by a hash of their members. If the members exceed unitedMost, all are dropped.
type unions struct {
	known map[uint64]knownUnion
	lists []Expr
}

const (
	// unitedMost bounds the members of all remembered unions, which take at most 2.5 MiB.
	unitedMost = 1 << 17
	// unitedSpare bounds the unions whose memory is kept for the next tally.
	unitedSpare = 1 << 9
	// unitedLeast is the least number of members of a remembered union.
	unitedLeast = 4
	// unitedWithin is the depth of nesting from which smaller unions, and unions without repetitions, are remembered
	// too.
	unitedWithin = 3
)

// size returns how many bytes the unions take.
func (u *unions) size() int { return cap(u.lists)*4 + len(u.known)*2*(8+12) }

// get returns the union of l, whose hash is h, and whether it is remembered.
func (u *unions) get(h uint64, l []Expr) (Expr, bool) {
	k, ok := u.known[h]
	return k.union, ok && slices.Equal(u.lists[k.at:k.at+k.n], l)
}

// put remembers the union of l, whose hash is h.
func (u *unions) put(h uint64, l []Expr, union Expr) {
	if u.known == nil || len(u.lists)+len(l) > unitedMost {
		u.known, u.lists = map[uint64]knownUnion{}, u.lists[:0]
	}
	u.known[h] = knownUnion{uint32(len(u.lists)), uint32(len(l)), union}
	u.lists = append(u.lists, l...)
}

// forget drops all unions. It keeps their memory if there were few.
func (u *unions) forget() {
	if len(u.known) > unitedSpare {
		*u = unions{}
		return
	}
	clear(u.known)
	u.lists = u.lists[:0]
}
