// Package compiled holds what compiling has made of a constraint: a grammar with the states and masks that its matchers
// have reached, a generation of them at a time.
//
// Invariant: the answers of a grammar do not depend on the generation that gives them. The package must not know front
// ends, nor what a constraint was written in. Start reading at Grammar.
package compiled

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-engine/sluice/core/internal/capture"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Grammar is one compiled constraint with the states and masks that its matchers have reached. Shared and growing,
// bounded; safe for concurrent use.
type Grammar struct {
	current     atomic.Pointer[mask.Masks]
	made        Made // each call of a matcher reads what it begins with, beside current
	compileTime time.Duration
	compileWork int // see limits.Budgets.Compile

	renewing    sync.Mutex
	atBegin     atomic.Int64 // what the present store and its token sets took when they were begun
	madeAtBegin atomic.Int64 // how many expressions it had then
	lookAt      atomic.Int64 // how many expressions its store has when its size is looked at again
	renewals    atomic.Uint32

	grownAtBegin atomic.Int64 // what grownBy said then
}

// Config is how large a grammar may grow, and how much one thing in it may cost.
type Config struct {
	Budgets    *limits.Budgets
	StoreBytes int // size at which a grammar begins its terminals anew, beyond twice that after compilation
	StateCap   int // states a grammar keeps before it drops those that nobody is in
}

// Made is what a compilation hands over, beside the first generation.
type Made struct {
	Vocabulary *vocab.Vocabulary
	Standard   *mask.Engine // what that of each generation lies over
	Config     Config
	TextView   bool // special tokens count as the text they spell
	Notes      []diag.Note
	Whole      *diag.Error     // the place of the constraint as a whole
	Captures   *capture.Finder // nil: nothing is captured
}

// New returns a grammar whose first generation is first.
func New(made Made, first *mask.Masks) *Grammar {
	g := &Grammar{made: made}
	g.begin(first)
	return g
}

// Took notes what the compilation has cost, for Stats.
func (g *Grammar) Took(t time.Duration, work int) { g.compileTime, g.compileWork = t, work }

// Effort returns what the compilation did, in the unit of limits.Budgets.Compile.
func (g *Grammar) Effort() int { return g.compileWork }

// expressionBytes is what an expression takes, about, with its transitions and what is found out about it.
const expressionBytes = 256

// lookEvery returns how many new expressions are made between two looks at the size of a store: an eighth of what it
// may grow by.
func (c *Config) lookEvery() int64 { return int64(c.StoreBytes/8/expressionBytes) + 1 }

// Stats is what a grammar costs so far.
type Stats struct {
	States      int   // states at present
	Bytes       int   // memory of this grammar alone, about
	CompileNS   int64 // how long Compile took
	CompileWork int   // what it did, in the unit of limits.Budgets.Compile
	Renewals    int   // how often unreachable states were dropped
	Rows        int   // rows of transitions that the grammar's terminals have
	Visited     int64 // trie nodes that the grammar's masks have looked at
	Work        int64 // what its masks cost from scratch, in the unit of limits.Budgets.Mask
	Found       int64 // items, frames and predictions that its states have taken
}

// Vocabulary returns the vocabulary the grammar was compiled for.
func (g *Grammar) Vocabulary() *vocab.Vocabulary { return g.made.Vocabulary }

// Budgets returns how much one thing may cost, in all generations.
func (g *Grammar) Budgets() *limits.Budgets { return g.made.Config.Budgets }

// Tokens returns the vocabulary as masks see it.
func (g *Grammar) Tokens() *tokenset.Tokens { return g.made.Standard.Tokens() }

// TextView reports whether special tokens count as the text they spell.
func (g *Grammar) TextView() bool { return g.made.TextView }

// Notes returns where the grammar's meaning differs from what was written. The slice is the grammar's.
func (g *Grammar) Notes() []diag.Note { return g.made.Notes }

// Whole returns the place of the constraint as a whole and how it begins, as an error without a message.
func (g *Grammar) Whole() *diag.Error { return g.made.Whole }

// Captures returns what finds the captures of an output, nil if the grammar has none.
func (g *Grammar) Captures() *capture.Finder { return g.made.Captures }

// Stats returns what the grammar costs at present.
func (g *Grammar) Stats() Stats {
	m := g.current.Load()
	bytes := m.Automaton().Size() + m.Size() + heldBy(m)
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

// Held returns what Stats says of bytes, some steps ago: it takes no lock and no time.
func (g *Grammar) Held() int {
	m := g.current.Load()
	made := int64(m.Engine().Store().Made()) - g.madeAtBegin.Load()
	grown := int64(grownBy(m)) - g.grownAtBegin.Load()
	held := g.atBegin.Load() + made*expressionBytes + grown + int64(m.Automaton().Held()+m.Size())
	if g.made.Captures != nil {
		held += g.atBegin.Load() // the twin is about as large
	}
	return int(held)
}

// Current returns the states and masks in use. A matcher that holds older ones moves its own states over
// (pushdown.Mover) the next time it is used; nobody waits for it, and what no matcher moves is garbage.
func (g *Grammar) Current() *mask.Masks { return g.current.Load() }

// heldBy returns how many bytes the program, the terminals and the token sets take that m belongs to.
func heldBy(m *mask.Masks) int {
	return m.Automaton().Program().Size() + m.Engine().Store().Size().Bytes + m.Engine().Size()
}

// grownBy returns how many bytes of heldBy may grow where no expressions are made, about. It takes no lock.
func grownBy(m *mask.Masks) int { return m.Automaton().Program().Grown() + m.Engine().Size() }

// begin makes m the grammar's present generation, in a store that is new.
func (g *Grammar) begin(m *mask.Masks) {
	g.atBegin.Store(int64(heldBy(m)))
	g.madeAtBegin.Store(int64(m.Engine().Store().Made()))
	g.grownAtBegin.Store(int64(grownBy(m)))
	g.lookAt.Store(g.madeAtBegin.Load() + g.made.Config.lookEvery())
	g.current.Store(m)
}

// Trim begins a new generation of states if the given one has outgrown its bounds and is still in use: with terminals
// anew if those are what has grown. What matchers have brought along from the generation before is in use, and as much
// again may come: else a grammar with many sequences, or long ones, would do nothing but move.
func (g *Grammar) Trim(m *mask.Masks) {
	carried, matchers := m.Automaton().Carried()
	states := m.Automaton().Len() > g.made.Config.StateCap+2*carried ||
		m.Automaton().Held() > limits.GrammarStateBytes && m.Automaton().Len() > 3*carried ||
		m.Size() > limits.GrammarMaskBytes+matchers*limits.MatcherMaskBytes
	made, most := int64(m.Engine().Store().Made()), 2*int(g.atBegin.Load())+g.made.Config.StoreBytes
	if !states && made < g.lookAt.Load() && grownBy(m) <= most {
		return
	}
	store := heldBy(m) > most
	if store { // what it remembers only to be quick is no reason to begin anew
		m.Engine().Store().Forget()
		store = heldBy(m) > most
	}
	if !states && !store {
		g.lookAt.Store(made + g.made.Config.lookEvery())
		return
	}
	g.renew(m, store)
}

// Carried notes that a matcher has brought that many bytes of expressions along to m. They are in use, so that its
// store may grow by as much again, like that of a grammar that has them from the beginning.
func (g *Grammar) Carried(m *mask.Masks, bytes int) {
	if g.current.Load().Engine() == m.Engine() {
		g.atBegin.Add(int64(bytes))
	}
}

// Renew begins a new generation of states if the given one is still in use.
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
