package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// How few code points complete a state in which many conditions are open is a search through those that could be met
// together. While there is room to meet them one after the other nobody has to know. So where that search takes long,
// the sum of what they take stands for its result: masks with less room than that are found token by token.

// quickSearch is what a search for the shortest completion may take where the sum of the conditions can stand for it.
const quickSearch = 20_000

const (
	// sharedCost is what a search may take whose result holds for the states on its way, too, and what it counts for.
	sharedCost = 1000
	// longCost is what a search counts for that is longer than a quick one. Those share what they find. longSearch is
	// what it may take: where they share nothing, 600,000 parts each came to masks of 185 ms, and these come to 50. The
	// heaviest of MaskBench takes more than 220,000.
	longCost   = 3 * quickSearch
	longSearch = 12 * quickSearch
)

// room says of which lengths strings are known: in any step consecutive numbers from enough on there is one. A zero
// step: of none.
type room struct{ Enough, Step uint32 }

// RoomOf returns what is known by the lemma of promises of the numbers of code points that body state p can still take.
func (s *Analysis) RoomOf(p expr.Expr, phase uint8, enc expr.Encoding) room {
	if n := s.Node(p); n.Flags&expr.FBoolean == 0 || n.Flags&(expr.FTag|expr.FCount) != 0 {
		return room{}
	}
	key := lengthKey{p, phase, enc}
	r, ok := s.rooms[key]
	if !ok {
		r = s.findRoom(p, phase, enc)
		remember(s, &s.rooms, key, r)
	}
	return r
}

// findRoom goes along the first string that comes to mind until the lemma holds: within a code point to its end.
func (s *Analysis) findRoom(p expr.Expr, phase uint8, enc expr.Encoding) room {
	q := expr.Inquiry{S: s.Store}
	begun := uint32(0)
	for range plungeBytes {
		if phase == PhaseBetween {
			if r, some := s.Promises(p, enc, &q); some {
				r.Enough = min(r.Enough+begun, leftMost)
				return r
			}
		}
		next, b, _ := s.firstStep(p)
		if next == expr.Empty {
			break
		}
		p = next
		begins := false
		if phase, begins = Advance(enc, phase, b); begins {
			begun++
		}
	}
	return room{}
}

// Fits reports whether some number of code points that are known to be possible satisfies bounds after count code
// points.
func (r room) Fits(count uint32, bd expr.Bounds) bool {
	if r.Step == 0 || count > bd.Max {
		return false
	}
	if bd.Max == expr.Unbounded {
		return true
	}
	low := uint32(0)
	if bd.Min > count {
		low = bd.Min - count
	}
	return uint64(max(low, r.Enough))+uint64(r.Step)-1 <= uint64(bd.Max-count)
}

// Shortest says how few code points complete a counted state.
type Shortest struct {
	N       uint32 // Unbounded: none do
	Regular bool   // any greater number does, too
	Loose   bool   // fewer than N may do
	Known   bool   // false: finding out was given up
}

func (sp *Spectrum) shortest() Shortest {
	return Shortest{N: sp.Min, Regular: sp.Regular(), Known: !sp.TooHard}
}

func (r room) shortest() Shortest {
	return Shortest{N: r.Enough + r.Step - 1, Regular: r.Step == 1, Loose: true, Known: true}
}

// howShort says how the shortest completion of a state is found.
type howShort uint8

const (
	unknownShort howShort = iota
	looseShort            // not at all: its room stands for it
	longShort             // by a long search, as nothing can stand for it
)

// Least returns how few code points complete body state p, for a counter that stands in phase, and what it takes to
// find that out when nothing is known: a fact about p, in the unit of the budget of a search.
func (s *Analysis) Least(p expr.Expr, phase uint8, enc expr.Encoding) (_ Shortest, cost int) {
	found := s.least(p, phase, enc)
	switch s.short[lengthKey{p, phase, enc}] {
	case looseShort:
		return found, quickSearch
	case longShort:
		return found, quickSearch + longCost
	}
	return found, s.known(p, phase, enc).searchCost()
}

// least returns the first result of Least.
//
// INVARIANT: whether the result is loose is a fact about p alone. What a long search has found of it, for another state
// or near a bound, is marked as late and does not count here.
func (s *Analysis) least(p expr.Expr, phase uint8, enc expr.Encoding) Shortest {
	if sp := s.structural(p, phase, enc); sp != nil {
		return sp.shortest()
	}
	if sp := s.known(p, phase, enc); sp != nil && !sp.late {
		return sp.shortest()
	}
	key := lengthKey{p, phase, enc}
	if s.short[key] == unknownShort {
		if sp, ok := s.shortestWithin(p, phase, enc, min(quickSearch, s.Budgets.Search)); ok {
			return sp.shortest()
		}
		remember(s, &s.short, key, longShort)
		if s.RoomOf(p, phase, enc).Step > 0 {
			s.short[key] = looseShort
		}
	}
	if s.short[key] == looseShort {
		return s.RoomOf(p, phase, enc).shortest()
	}
	return s.Shortest(p, phase, enc).shortest()
}

// RoomCost returns what it takes beside Least to find out whether body state p can be completed within bounds,
// which its room may not tell.
func (s *Analysis) RoomCost(p expr.Expr, c Counter, bd expr.Bounds) int {
	if s.short[lengthKey{p, c.Phase(), bd.Enc}] != looseShort || s.RoomOf(p, c.Phase(), bd.Enc).Fits(c.Count(), bd) {
		return 0
	}
	return longCost
}

// searchCost returns what finding the shortest counts for.
func (sp *Spectrum) searchCost() int {
	if sp.cost <= sharedCost {
		return limits.SearchVisit
	}
	return int(sp.cost)
}
