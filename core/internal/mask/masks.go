package mask

import (
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// Masks holds the masks of one automaton's states. Shared and growing; safe for concurrent use.
type Masks struct {
	tokenset.Keeper
	e       *Engine
	a       *pushdown.Automaton
	text    bool
	number  uint64 // no other Masks over the same Tokens has it
	mu      sync.Mutex
	records arena.Table[*record]
	bytes   atomic.Int64
	atOnce  atomic.Int64 // most states that one call of package ending added; see Took
}

// NewMasks returns an empty store of masks. text: special tokens count as the text they spell.
func NewMasks(e *Engine, a *pushdown.Automaton, text bool) *Masks {
	return &Masks{e: e, a: a, text: text, number: e.Tokens().NextNumber()}
}

// Engine returns the engine that computes the masks.
func (m *Masks) Engine() *Engine { return m.e }

// Automaton returns the automaton whose states the masks are of.
func (m *Masks) Automaton() *pushdown.Automaton { return m.a }

// Size returns the approximate bytes of the masks, without shared parts.
func (m *Masks) Size() int { return int(m.bytes.Load()) }

// TextView reports whether special tokens count as the text that they spell.
func (m *Masks) TextView() bool { return m.text }

// Hold adds bytes to Size, for memory that is kept beside the masks.
func (m *Masks) Hold(bytes int) { m.bytes.Add(int64(bytes)) }

// Took records that one call of package ending has added so many states.
func (m *Masks) Took(states int) {
	for {
		most := m.atOnce.Load()
		if int64(states) <= most || m.atOnce.CompareAndSwap(most, int64(states)) {
			return
		}
	}
}

// AtOnce returns the most states that one such call has added.
func (m *Masks) AtOnce() int { return int(m.atOnce.Load()) }
