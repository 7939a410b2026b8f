package pushdown

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Automaton runs a program. Its states are made when they are first reached. Shared and growing; safe for concurrent
// use. A transition that was taken before is found without a lock.
type Automaton struct {
	st *terminal.Store
	mu sync.Mutex

	stacks
	*stateTable
	*meter
	found   found
	taken   transitions
	likes   arena.Index // keys of transitions that other bytes may copy, see alike.go
	borders transitions // from a state to the one after the border between tokens; used if the program is Limited
	tagged  map[taggedKey]tagStart
	dearOf  map[uint32]part // the part of each dear transition, by transitionKey
	took    uint32          // an upper bound of the work of the last transition
	values  *distinct.Values
	pricing arena.Set // room for costAtMost

	work    atomic.Int64 // items, frames and predictions that units of work have computed
	held    atomic.Int64 // see Held
	carried atomic.Int64 // states that movers brought
	movers  atomic.Int64
	initial StateID
}

type taggedKey struct {
	k   nodeID
	tag uint32
}

// tagStart is the state after a node whose terminal ended in a tag.
type tagStart struct {
	state StateID
	part  part
}

// Start returns the state before any byte.
func (a *Automaton) Start() StateID { return a.initial }

// Program returns the program that the automaton runs.
func (a *Automaton) Program() *Program { return a.p }

// Size returns the approximate number of bytes that the automaton holds, without the program and the store.
func (a *Automaton) Size() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.size()
}

// Held returns Size as of some transitions ago. It takes no lock.
func (a *Automaton) Held() int { return int(a.held.Load()) }

// sizeEvery is the number of new transitions between two updates of Held.
const sizeEvery = 8

func (a *Automaton) size() int {
	n := a.stacks.size() + a.stateTable.size() + a.meter.size() + a.taken.size() + a.likes.Size() + len(a.dearOf)*24 +
		len(a.tagged)*32 + a.pricing.Size()
	if a.values != nil {
		n += a.values.Size()
	}
	if a.p.Limited() {
		n += a.borders.size()
	}
	return n
}

// Alive returns the bytes that may have a transition from s.
func (a *Automaton) Alive(s StateID) *terminal.ByteSet {
	if set := a.AliveKnown(s); set != nil {
		return set
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.aliveLocked(s)
}

// Names reports whether some token that the grammar names by its id may come next in state s. For most states it looks
// only at the first bytes of their terminals. It may compute many transitions, and no budget pays for them.
func (a *Automaton) Names(s StateID) bool {
	if names, known := a.NamesTokens(s); known {
		return names
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	may := func(it Item) bool { return a.st.MayBegin(it.Terminal, terminal.TokenMark) }
	if len(a.BooleanItems(s)) > 0 || slices.ContainsFunc(a.Items(s), may) {
		return a.aliveLocked(s).Has(terminal.TokenMark)
	}
	a.states.At(uint32(s)).alive.CompareAndSwap(0, namesNone)
	return false
}

// Temperature returns the sampling temperature after state s, which the innermost rule with a temperature sets. The
// greatest one counts if the output is ambiguous. It returns false if no rule sets one.
func (a *Automaton) Temperature(s StateID) (float64, bool) {
	if !a.p.Heated() || s <= Over {
		return 0, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	most := no
	for _, k := range a.nodesOf(s) {
		most = max(most, a.heatOf(k))
	}
	if most == no {
		return 0, false
	}
	return float64(most), true
}
