// Package compiled holds compiled grammars with the states and masks that their matchers have reached, a generation of
// them at a time.
//
// Invariant: the answers of a grammar do not depend on its generation. The package does not know front ends. Start
// reading at Grammar.
package compiled

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-engine/sluice/core/internal/capture"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/metrics"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Grammar is one compiled constraint with the states and masks that its matchers have reached. Shared and growing,
// bounded; safe for concurrent use.
type Grammar struct {
	current     atomic.Pointer[mask.Masks]
	made        Made // beside current, because every call of a matcher reads its first fields
	compileTime time.Duration
	compileWork int // see limits.Budgets.Compile

	renewing    sync.Mutex
	atBegin     atomic.Int64 // bytes of the present store and its token sets at their start
	madeAtBegin atomic.Int64 // expressions of the store at its start
	lookAt      atomic.Int64 // number of expressions at which Trim measures the store again
	renewals    atomic.Uint32

	grownAtBegin atomic.Int64 // grownBy at the start

	explaining sync.Mutex
	places     *pushdown.Places // of the program with so many lazy rules expanded, under explaining
	expanded   int
	placed     atomic.Int64 // bytes of places, and of the texts that they refer to
}

// Config bounds the size of a grammar and the cost of its calls.
type Config struct {
	Budgets    *limits.Budgets
	StoreBytes int // growth beyond twice the size after compilation at which a grammar starts a new store
	StateCap   int // states at which a grammar starts a new generation
}

// Made is the result of a compilation, except the first generation.
type Made struct {
	Vocabulary *vocab.Vocabulary
	Standard   *mask.Engine // the engine below all generations
	Config     Config
	TextView   bool // special tokens count as their text
	Notes      []diag.Note
	Whole      *diag.Error
	Captures   *capture.Finder
	// Places links the constraint once more and returns the places of its program, for explanations. nil: unknown.
	Places func(expanded []uint32) (*pushdown.Places, error)
	Spec   int // the bytes of the constraint that Places keeps
}

// New returns a grammar whose first generation is first.
func New(made Made, first *mask.Masks) *Grammar {
	g := &Grammar{made: made}
	g.begin(first)
	return g
}

// Took records the cost of the compilation, for Stats.
func (g *Grammar) Took(t time.Duration, work int) { g.compileTime, g.compileWork = t, work }

// Effort returns the steps of the compilation, in the unit of limits.Budgets.Compile.
func (g *Grammar) Effort() int { return g.compileWork }

// expressionBytes is the approximate size of an expression with its transitions and analysis.
const expressionBytes = 256

// lookEvery returns the number of new expressions between two measurements of a store: an eighth of its permitted
// growth.
func (c *Config) lookEvery() int64 { return int64(c.StoreBytes/8/expressionBytes) + 1 }

// Stats describes the present size and cost of a grammar.
type Stats struct {
	States      int
	Bytes       int // memory of this grammar alone, approximately
	CompileNS   int64
	CompileWork int   // steps of Compile, in the unit of limits.Budgets.Compile
	Renewals    int   // generations started
	Rows        int   // rows of transitions of the grammar's terminals
	Visited     int64 // trie nodes that the grammar's masks have visited
	Work        int64 // cost of its masks without caches, in the unit of limits.Budgets.Mask
	Found       int64 // items, frames and predictions in its states
}

// Vocabulary returns the grammar's vocabulary.
func (g *Grammar) Vocabulary() *vocab.Vocabulary { return g.made.Vocabulary }

// Budgets returns the budgets of all generations.
func (g *Grammar) Budgets() *limits.Budgets { return g.made.Config.Budgets }

// Tokens returns the vocabulary as masks use it.
func (g *Grammar) Tokens() *tokenset.Tokens { return g.made.Standard.Tokens() }

// Metrics returns the counters of the grammar's compiler.
func (g *Grammar) Metrics() *metrics.Metrics { return g.made.Standard.Metrics() }

// TextView reports whether special tokens count as their text.
func (g *Grammar) TextView() bool { return g.made.TextView }

// Notes returns the differences between the written and the enforced constraint. The caller must not change the slice.
func (g *Grammar) Notes() []diag.Note { return g.made.Notes }

// Whole returns the place and the beginning of the whole constraint, as an error without a message.
func (g *Grammar) Whole() *diag.Error { return g.made.Whole }

// parsedBytes is the approximate size of a byte of a constraint in the tree that places refer to.
const parsedBytes = 12

// Places returns the places in the constraint of the program of m, a generation of g; nil if they are not known. The
// first call takes as long as a compilation; later ones are cached until the program grows.
func (g *Grammar) Places(m *mask.Masks) *pushdown.Places {
	g.explaining.Lock()
	defer g.explaining.Unlock()
	expanded := m.Automaton().Program().Expanded()
	if g.made.Places == nil || g.places != nil && g.expanded == len(expanded) {
		return g.places
	}
	x, err := g.made.Places(expanded)
	if err != nil {
		return nil // beyond a budget
	}
	g.places, g.expanded = x, len(expanded)
	g.placed.Store(int64(x.Size() + parsedBytes*g.made.Spec))
	return x
}

// Captures returns the finder of captures, nil if the grammar has none.
func (g *Grammar) Captures() *capture.Finder { return g.made.Captures }

// Stats measures the grammar.
func (g *Grammar) Stats() Stats {
	m := g.current.Load()
	bytes := m.Automaton().Size() + m.Size() + heldBy(m) + g.made.Spec + int(g.placed.Load())
	if g.made.Captures != nil {
		bytes += g.made.Captures.Size()
	}
	return Stats{
		States: m.Automaton().Len(), Bytes: bytes,
		CompileNS: g.compileTime.Nanoseconds(), CompileWork: g.compileWork, Renewals: int(g.renewals.Load()),
		Visited: m.Engine().Visited(), Work: m.Engine().Work(), Rows: m.Engine().Store().Size().Rows,
		Found: m.Automaton().Work(),
	}
}

// Held estimates Stats().Bytes without a lock.
func (g *Grammar) Held() int {
	m := g.current.Load()
	made := int64(m.Engine().Store().Made()) - g.madeAtBegin.Load()
	grown := int64(grownBy(m)) - g.grownAtBegin.Load()
	held := g.atBegin.Load() + made*expressionBytes + grown + int64(m.Automaton().Held()+m.Size()+g.made.Spec) + g.placed.Load()
	if g.made.Captures != nil {
		held += g.atBegin.Load() // the capture grammar is about as large
	}
	return int(held)
}

// HeldBy returns the parts of Held that are states and masks.
func (g *Grammar) HeldBy() (states, masks int) {
	m := g.current.Load()
	return m.Automaton().Held(), m.Size()
}

// Current returns the current generation. A matcher of an older one moves its states over (pushdown.Mover) at its next
// call. An old generation is garbage once no matcher holds it.
func (g *Grammar) Current() *mask.Masks { return g.current.Load() }

// heldBy returns the bytes of m's program, terminals and token sets.
func heldBy(m *mask.Masks) int {
	return m.Automaton().Program().Size() + m.Engine().Store().Size().Bytes + m.Engine().Size()
}

// grownBy returns the part of heldBy that grows without new expressions, approximately. It takes no lock.
func grownBy(m *mask.Masks) int { return m.Automaton().Program().Grown() + m.Engine().Size() }

// begin makes m the current generation; m's store must be new.
func (g *Grammar) begin(m *mask.Masks) {
	g.atBegin.Store(int64(heldBy(m)))
	g.madeAtBegin.Store(int64(m.Engine().Store().Made()))
	g.grownAtBegin.Store(int64(grownBy(m)))
	g.lookAt.Store(g.madeAtBegin.Load() + g.made.Config.lookEvery())
	g.current.Store(m)
}

// Trim starts a new generation if m is current and exceeds its bounds. It starts a new store too if the store exceeds
// its bound. States that matchers carried over from the generation before do not count, and the bound grows by as much
// again: otherwise a grammar with many or long sequences would only move states. It grows by twice the states of the
// largest question about the end of an output, too: otherwise each call would drop the states that the next one needs.
func (g *Grammar) Trim(m *mask.Masks) {
	carried, matchers := m.Automaton().Carried()
	states := m.Automaton().Len() > g.made.Config.StateCap+2*(carried+m.AtOnce()) ||
		m.Automaton().Held() > limits.GrammarStateBytes && m.Automaton().Len() > 3*carried ||
		m.Size() > limits.GrammarMaskBytes+matchers*limits.MatcherMaskBytes
	made, most := int64(m.Engine().Store().Made()), 2*int(g.atBegin.Load())+g.made.Config.StoreBytes
	if !states && made < g.lookAt.Load() && grownBy(m) <= most {
		return
	}
	store := heldBy(m) > most
	if store { // caches alone are no reason for a new store
		m.Engine().Store().Forget()
		store = heldBy(m) > most
	}
	if !states && !store {
		g.lookAt.Store(made + g.made.Config.lookEvery())
		return
	}
	g.renew(m, store)
}

// Carried records that a matcher has moved so many bytes of expressions to m. The bound of m's store rises by as much.
func (g *Grammar) Carried(m *mask.Masks, bytes int) {
	if g.current.Load().Engine() == m.Engine() {
		g.atBegin.Add(int64(bytes))
	}
}

// Renew starts a new generation if m is current.
func (g *Grammar) Renew(m *mask.Masks) { g.renew(m, false) }

func (g *Grammar) renew(m *mask.Masks, store bool) {
	g.renewing.Lock()
	defer g.renewing.Unlock()
	if g.current.Load() != m {
		return
	}
	g.renewals.Add(1)
	if !store {
		g.current.Store(mask.NewMasks(m.Engine(), pushdown.NewAutomaton(m.Automaton().Program()), g.made.TextView))
		return
	}
	e := mask.NewEngineOver(g.made.Standard, *g.made.Config.Budgets)
	e.Succeed(m.Engine().Sets)
	p := m.Automaton().Program().Renew(e.Store())
	g.begin(mask.NewMasks(e, pushdown.NewAutomaton(p), g.made.TextView))
}
