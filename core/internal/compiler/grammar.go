package compiler

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Grammar is one compiled constraint with the states and masks that its matchers have reached. Shared and growing,
// bounded; safe for concurrent use.
type Grammar struct {
	v           *vocab.Vocabulary
	engine      *mask.Engine
	program     *pushdown.Program
	notes       []diag.Note
	text        bool
	cap         int
	compileTime time.Duration

	renewing sync.Mutex
	current  atomic.Pointer[mask.Masks]
	renewals atomic.Uint32
}

// Stats is what a grammar costs so far.
type Stats struct {
	States    int   // states at present
	Bytes     int   // memory of this grammar alone, about
	CompileNS int64 // how long Compile took
	Renewals  int   // how often unreachable states were dropped
	Rows      int   // rows of transitions that the epoch's terminals have
	Visited   int64 // trie nodes that the epoch's masks have looked at
	Shared    int   // memory shared with other grammars of the same epoch, about
}

// Vocabulary returns the vocabulary the grammar was compiled for.
func (g *Grammar) Vocabulary() *vocab.Vocabulary { return g.v }

// Tokens returns the vocabulary as masks see it.
func (g *Grammar) Tokens() *mask.Tokens { return g.engine.Tokens() }

// TextView reports whether special tokens count as the text they spell.
func (g *Grammar) TextView() bool { return g.text }

// Notes returns where the grammar's meaning differs from what was written. The slice is the grammar's.
func (g *Grammar) Notes() []diag.Note { return g.notes }

// Stats returns what the grammar costs at present.
func (g *Grammar) Stats() Stats {
	m := g.current.Load()
	return Stats{
		States: m.Automaton().Len(), Bytes: g.program.Size() + m.Automaton().Size() + m.Size(),
		CompileNS: g.compileTime.Nanoseconds(), Renewals: int(g.renewals.Load()),
		Visited: g.engine.Visited(), Rows: g.engine.Store().Rows(), Shared: g.engine.Size() + g.engine.Store().Size(),
	}
}

// Current returns the states and masks in use. A matcher that holds older ones moves its own states over (pushdown.Mover)
// the next time it is used; nobody waits for it, and what no matcher moves is garbage.
func (g *Grammar) Current() *mask.Masks { return g.current.Load() }

// Trim begins a new generation of states if the given one has outgrown the cap and is still in use. What matchers have
// brought along from the generation before is in use, and as much again may come: else a grammar with many sequences, or
// long ones, would do nothing but move.
func (g *Grammar) Trim(m *mask.Masks) {
	carried, matchers := m.Automaton().Carried()
	if m.Automaton().Len() <= g.cap+2*carried && m.Size() <= limits.GrammarMaskBytes+matchers*limits.MatcherMaskBytes {
		return
	}
	g.Renew(m)
}

// Renew begins a new generation of states if the given one is still in use.
func (g *Grammar) Renew(m *mask.Masks) {
	g.renewing.Lock()
	defer g.renewing.Unlock()
	if g.current.Load() != m {
		return
	}
	g.renewals.Add(1)
	g.current.Store(mask.NewMasks(g.engine, pushdown.NewAutomaton(g.program), g.text))
}
