package expr

import (
	"math"
	"slices"
)

// Derivatives ask for the same unions again and again: those of a sequence of counted parts by the letters of a class,
// and of its tails, ten times each. What a union of repetitions becomes follows from its members alone, and takes
// thousands of comparisons, so it is remembered. What it took from scratch is remembered with it and counted each time:
// whether a union was at hand is history, which no budget may depend on.
//
// Unions that are made of what follows common heads within each other are remembered too, whatever their size: those of
// the ends of two long sequences of parts that may be left out come by 2ⁿ ways.

// united is a union that has been made before.
type united struct {
	at, n uint32 // where its members are in lists, and how many
	steps uint32 // that it took
	pairs uint32 // those of comparisons, which a compilation is charged for
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
	// unitedLeast is how many members a union has that is worth remembering.
	unitedLeast = 4
	// unitedWithin is from how deep on within others unions are remembered that are smaller, or repeat nothing.
	unitedWithin = 3
)

// size returns how many bytes the unions take.
func (u *unions) size() int { return cap(u.lists)*4 + len(u.known)*2*(8+20) }

// get returns the union of l, whose hash is h, if it is known.
func (u *unions) get(h uint64, l []Expr) (united, bool) {
	k, ok := u.known[h]
	return k, ok && slices.Equal(u.lists[k.at:k.at+k.n], l)
}

// put remembers the union of l, whose hash is h.
func (u *unions) put(h uint64, l []Expr, steps, pairs int, union Expr) {
	if u.known == nil || len(u.lists)+len(l) > unitedMost {
		u.known, u.lists = map[uint64]united{}, u.lists[:0]
	}
	most := func(n int) uint32 { return uint32(min(n, math.MaxUint32)) }
	u.known[h] = united{uint32(len(u.lists)), uint32(len(l)), most(steps), most(pairs), union}
	u.lists = append(u.lists, l...)
}

// countSteps counts steps of comparisons, and charges them to the compilation.
func (s *Store) countSteps(n int) {
	s.steps += n
	s.pairs += n
	s.Work.Spend(n)
}

// uniteTails is Or for what follows a head that members of a union have in common.
func (s *Store) uniteTails(tails []Expr) Expr {
	s.within++
	defer func() { s.within-- }()
	return s.Or(tails...)
}

// unite returns the union of l, a sorted set, which it changes.
func (s *Store) unite(l []Expr) Expr {
	repeats := func(x Expr) bool { return s.Node(x).Flags&FRepeat != 0 }
	if len(l) < 2 || len(l) > containedMembers ||
		s.within < unitedWithin && (len(l) < unitedLeast || !slices.ContainsFunc(l, repeats)) {
		return s.normalUnion(l)
	}
	h := hashNode(KOr, 0, 0, 0, l)
	if k, ok := s.unions.get(h, l); ok {
		s.countSteps(int(k.pairs))
		s.steps += int(k.steps - k.pairs)
		return k.union
	}
	var room [containedMembers]Expr
	members, steps, pairs := append(room[:0], l...), s.steps, s.pairs
	union := s.normalUnion(l)
	if !s.Spent() {
		s.unions.put(h, members, s.steps-steps, s.pairs-pairs, union)
	}
	return union
}
