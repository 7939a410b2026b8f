// Package capture finds the texts of captured rules in an output.
//
// A grammar with captures has a capture grammar (grammar.Grammar.Marked): a copy whose texts contain marks at both ends
// of captured rules. Without its marks, one of these texts is the output. This package follows the copy's automaton over
// the output and inserts marks. While an output grows, nothing is stored for captures.
//
// Invariant: every caller gets the same reading of an output. In it, captured rules begin as early as possible, and the
// first rule has priority over the second. Of such readings it is the one with the longest texts. Start reading at
// Finder.Find.
package capture

import (
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Finder finds captures in outputs of one grammar. Shared and growing, bounded; safe for concurrent use.
type Finder struct {
	begin    func() *terminal.Store
	marked   func(st *terminal.Store) (*grammar.Grammar, error)
	states   int
	bytes    int // the terminals may grow by so much
	renewing sync.Mutex
	current  atomic.Pointer[captureGrammar]
}

type captureGrammar struct {
	automaton *pushdown.Automaton
	captures  []grammar.Capture
	cuts      []cut // by capture; zero if the end of its text is not a part of its own
	size      int   // the bytes of the terminals at first
}

// cut separates a capture's body from its end.
type cut struct{ body, end *pushdown.Automaton }

// New returns a finder for the capture grammar that marked builds in a store. states and bytes bound the memory that
// it keeps.
func New(
	begin func() *terminal.Store, marked func(*terminal.Store) (*grammar.Grammar, error), states, bytes int,
) (*Finder, error) {
	f := &Finder{begin: begin, marked: marked, states: states, bytes: bytes}
	t, err := f.link()
	if err != nil {
		return nil, err
	}
	f.current.Store(t)
	return f, nil
}

func (f *Finder) link() (*captureGrammar, error) {
	st := f.begin()
	g, err := f.marked(st)
	if err != nil {
		return nil, err
	}
	p, err := pushdown.NewProgram(st, g)
	if err != nil {
		return nil, err
	}
	t := &captureGrammar{automaton: pushdown.NewAutomaton(p), captures: g.Captures, cuts: make([]cut, len(g.Captures))}
	for i, c := range g.Captures {
		if !c.Ends || st.IsEmpty(c.Body) || st.IsEmpty(c.End) { // no output has an empty body or end
			continue
		}
		if t.cuts[i].body, err = alone(st, c.Body); err == nil {
			t.cuts[i].end, err = alone(st, c.End)
		}
		if err != nil {
			return nil, err
		}
	}
	t.size = st.Size().Bytes
	return t, nil
}

// alone returns the automaton of one terminal.
func alone(st *terminal.Store, e terminal.Expr) (*pushdown.Automaton, error) {
	g := grammar.New()
	g.Start = g.NewRule("")
	g.Add(g.Start, grammar.T(e))
	p, err := pushdown.NewProgram(st, g)
	if err != nil {
		return nil, err
	}
	return pushdown.NewAutomaton(p), nil
}

// trim replaces t if it exceeds its bounds.
func (f *Finder) trim(t *captureGrammar) {
	a := t.automaton
	if a.Len() <= f.states && a.Held() <= limits.GrammarStateBytes && a.Program().Store().Size().Bytes <= 2*t.size+f.bytes {
		return
	}
	f.renewing.Lock()
	defer f.renewing.Unlock()
	if f.current.Load() != t {
		return
	}
	if fresh, err := f.link(); err == nil { // cannot fail: it succeeded before
		f.current.Store(fresh)
	}
}

// Store returns the store of the terminals in use.
func (f *Finder) Store() *terminal.Store { return f.current.Load().automaton.Program().Store() }

// TooHard reports whether a budget is spent before the first byte.
func (f *Finder) TooHard() bool { return f.current.Load().automaton.Start() == pushdown.Over }

// Size returns the approximate bytes that the finder holds.
func (f *Finder) Size() int {
	t := f.current.Load()
	return t.automaton.Size() + t.automaton.Program().Size() + t.automaton.Program().Store().Size().Bytes
}

// Piece is a token or a text of an output.
type Piece struct {
	Text  []byte
	Spell bool // it may be read as its text
	Named bool // it may be read as the name of token ID
	ID    uint32
}

// Capture is the text of a captured rule.
type Capture struct {
	Name string
	Text []byte
}

// Find returns the captures in an output, in the order of their ends. complete says that the output may end there.
// Otherwise rules that may end there count with their text so far. Errors are *diag.Error: Limit.
func (f *Finder) Find(pieces []Piece, complete bool) ([]Capture, error) {
	t := f.current.Load()
	s := newSearch(t, pieces, complete)
	var out []Capture
	err := s.run()
	if err == nil {
		out, err = s.replay()
	}
	f.trim(t)
	return out, err
}
