package expr

import (
	"slices"
)

// Derivatives ask for the same unions again and again: those of a sequence of counted parts by the letters of a class,
// and of its tails, ten times each; those of the ends of two long sequences of parts that may be left out come by 2ⁿ
// ways. What a union becomes follows from its members alone, and takes thousands of comparisons, so unions are
// remembered: within one tally, which begins with none, since whether a union was at hand counts. So what is counted
// is what is done, and no history.

// united is a union that has been made before.
type united struct {
	at, n uint32 // where its members are in lists, and how many
	union Expr
}

// unions finds unions by a hash of their members. When there is no room for more members, all are forgotten.
type unions struct {
	known map[uint64]united
	lists []Expr
}

const (
	// unitedMost bounds the members that are remembered in all: unions take 2.5 MiB at most.
	unitedMost = 1 << 17
	// unitedSpare is up to how many unions the memory of a tally is kept for the next one.
	unitedSpare = 1 << 9
	// unitedLeast is how many members a union has that is worth remembering.
	unitedLeast = 4
	// unitedWithin is from how deep on within others unions are remembered that are smaller, or repeat nothing.
	unitedWithin = 3
)

// size returns how many bytes the unions take.
func (u *unions) size() int { return cap(u.lists)*4 + len(u.known)*2*(8+12) }

// get returns the union of l, whose hash is h, if it is known.
func (u *unions) get(h uint64, l []Expr) (Expr, bool) {
	k, ok := u.known[h]
	return k.union, ok && slices.Equal(u.lists[k.at:k.at+k.n], l)
}

// put remembers the union of l, whose hash is h.
func (u *unions) put(h uint64, l []Expr, union Expr) {
	if u.known == nil || len(u.lists)+len(l) > unitedMost {
		u.known, u.lists = map[uint64]united{}, u.lists[:0]
	}
	u.known[h] = united{uint32(len(u.lists)), uint32(len(l)), union}
	u.lists = append(u.lists, l...)
}

// forget drops all unions, and their memory too if there were many.
func (u *unions) forget() {
	if len(u.known) > unitedSpare {
		*u = unions{}
		return
	}
	clear(u.known)
	u.lists = u.lists[:0]
}
