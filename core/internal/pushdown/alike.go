package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// Two bytes are alike in a state if each item of the state goes the same way by both. Then both lead to one state, and
// by the same work, so one byte makes the transition and pays for it. Words that may follow each other without a
// separator have states of dozens of items, in which most letters are alike.

// sharesBytes reports whether bytes of state s share transitions.
func (a *Automaton) sharesBytes(s StateID) bool {
	return a.Wide(s) && len(a.BooleanItems(s)) == 0 && a.Steps(s)
}

// alike returns the key of the transition that the first byte like b made from s, 0 if b is the first. It also returns
// the hash of that transition in the index a.likes: a hash of s and of the items after b.
func (a *Automaton) alike(s StateID, b byte) (key uint32, h uint64) {
	h = uint64(s)
	for _, it := range a.Items(s) {
		e, n := counters.Step(a.st, it.Terminal, it.Counter, b)
		h = arena.Mix(h, uint64(e)<<32^uint64(n))
	}
	h ^= h >> 32
	key = a.likes.Find(h, func(key uint32) bool {
		return key>>(32-StateBits) == uint32(s) && a.areAlike(s, b, byte(key))
	})
	return key, h
}

// areAlike reports whether each item of state s goes the same way by b and by c.
func (a *Automaton) areAlike(s StateID, b, c byte) bool {
	return !slices.ContainsFunc(a.Items(s), func(it Item) bool {
		e, n := counters.Step(a.st, it.Terminal, it.Counter, b)
		f, m := counters.Step(a.st, it.Terminal, it.Counter, c)
		return e != f || n != m
	})
}

// share takes the transition of key as a copy of another one, and returns the state after both.
func (a *Automaton) share(key, like uint32) StateID {
	e := uint32(a.taken.entry(like))
	a.taken.put(key, StateID(e&stateMask), e>>StateBits)
	if p, ok := a.dearOf[like]; ok {
		a.dearOf[key] = p
	}
	return StateID(e & stateMask)
}
