// Package capture finds what the captured rules of a grammar have spelled in an output.
//
// A grammar with captures has a twin with marks in its texts (grammar.Grammar.Marked). The output is a text of the twin
// without its marks, and this package puts them back: it follows the twin's automaton over the output and tries marks
// where the automaton takes them. Nothing is kept while an output is generated, so captures cost nothing until somebody
// asks for them.
//
// Invariant: of all readings of an output the same one is found always, by the order of find.go: captured rules begin
// as early as possible, the first before the second, and are then as long as possible. Start reading at Finder.Find,
// then find.go and replay.go.
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
	begin    func() *terminal.Store // a new store
	marked   func(st *terminal.Store) (*grammar.Grammar, error)
	states   int // about how many states are kept
	bytes    int // and how much their terminals may take
	renewing sync.Mutex
	current  atomic.Pointer[twin]
}

// twin is the grammar with marks, and what of it has been found so far.
type twin struct {
	automaton *pushdown.Automaton
	captures  []grammar.Capture
	cuts      []cut // by capture
	size      int   // of the terminals, at the beginning
}

// cut tells what ends a capture from its body.
type cut struct{ body, end *pushdown.Automaton }

// New returns a finder for the twin that marked makes in a store. Up to so many states are kept, and bytes of
// terminals.
func New(
	begin func() *terminal.Store, marked func(*terminal.Store) (*grammar.Grammar, error), states, bytes int,
) (*Finder, error) {
	f := &Finder{begin: begin, marked: marked, states: states, bytes: bytes}
	t, err := f.twin()
	if err != nil {
		return nil, err
	}
	f.current.Store(t)
	return f, nil
}

// twin makes the grammar with marks.
func (f *Finder) twin() (*twin, error) {
	st := f.begin()
	g, err := f.marked(st)
	if err != nil {
		return nil, err
	}
	p, err := pushdown.NewProgram(st, g)
	if err != nil {
		return nil, err
	}
	t := &twin{automaton: pushdown.NewAutomaton(p), captures: g.Captures, cuts: make([]cut, len(g.Captures))}
	for i, c := range g.Captures {
		if !c.Ends || st.IsEmpty(c.Body) || st.IsEmpty(c.End) { // the latter never spells anything
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

// alone returns the automaton of a terminal.
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

// trim begins anew where t has grown beyond what is kept. Nothing of an automaton is in use between two calls.
func (f *Finder) trim(t *twin) {
	held, st := t.automaton.Held(), t.automaton.Program().Store()
	if t.automaton.Len() <= f.states && held <= limits.GrammarStateBytes && st.Size().Bytes <= 2*t.size+f.bytes {
		return
	}
	f.renewing.Lock()
	defer f.renewing.Unlock()
	if f.current.Load() != t {
		return
	}
	if fresh, err := f.twin(); err == nil { // what could be made once can be made again
		f.current.Store(fresh)
	}
}

// Store returns the store of the terminals in use.
func (f *Finder) Store() *terminal.Store { return f.current.Load().automaton.Program().Store() }

// TooHard reports whether a budget is spent before the first byte.
func (f *Finder) TooHard() bool { return f.current.Load().automaton.Start() == pushdown.Over }

// Size returns how many bytes the finder holds, about.
func (f *Finder) Size() int {
	t := f.current.Load()
	return t.automaton.Size() + t.automaton.Program().Size() + t.automaton.Program().Store().Size().Bytes
}

// Piece is a step of an output: a token, or some text.
type Piece struct {
	Text  []byte // how it reads
	Spell bool   // it may stand for its text
	Named bool   // it may be what names token ID as a token
	ID    uint32
}

// Capture is what a captured rule has spelled.
type Capture struct {
	Name string
	Text []byte
}

// Find returns what is captured in an output of pieces, in the order in which it ends. complete says that the output
// may end there; otherwise a rule that may end there counts with what it has spelled so far. Errors are *diag.Error:
// Limit.
func (f *Finder) Find(pieces []Piece, complete bool) ([]Capture, error) {
	t := f.current.Load()
	s := newSearch(t, pieces, complete)
	if err := s.run(); err != nil {
		return nil, err
	}
	out, err := s.replay()
	f.trim(t)
	return out, err
}
