// Package terminal holds the regular languages that terminals are, as expressions. An expression is also a state: a
// byte leads from it to another one (its Brzozowski derivative), so that it is a deterministic automaton that is built
// only where somebody goes.
//
//	expr        expressions: normal forms, derivatives
//	analysis    what is found out about them: transitions, emptiness, lengths
//
// This package puts a lock around both, and adds what walks and grammars ask: tags, loops, transitions at hand. More is
// asked through a Store by other packages:
//
//	counters    states walked together with what they have counted
//	inspect     how expressions are made
//	prices      what finding out takes
//	relax       states that stand for many
//	spelling    tokens and marks as bytes
//
// Invariant: equal expressions have equal ids, so everything that is cached on an id (transitions here, token sets in
// package tokenset) is shared by every grammar in which the expression occurs. The package must not know vocabularies
// or grammars. Start reading at Store, then constructors.go and transitions.go.
package terminal

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// Loop says which text leaves a state where it is. It lets a mask skip whole subtrees of the token trie. Immutable.
type Loop struct {
	ASCII [2]uint64 // ASCII bytes that lead from the state to itself
	Leads uint64    // from 0xC0 on, bytes that begin code points of UTF-8 all of which do
}

// Store interns expressions and their transitions. Shared and growing; safe for concurrent use. Readers take no lock
// for a transition that has been made before.
type Store struct {
	mu sync.Mutex
	x  expr.Store        // the expressions
	a  analysis.Analysis // what has been found out about them

	loops   arena.Table[Loop]
	tagSets arena.Table[[]uint32]
	memo    expr.Dict[string, Expr]
}

// NewStore returns a store that holds Empty, Epsilon and the expressions of any text.
func NewStore() *Store {
	s := &Store{}
	s.x.Init()
	s.a.Init(&s.x, limits.DefaultBudgets())
	return s
}

// NewStoreOver returns a store over a sealed one, with budgets of its own.
func NewStoreOver(below *Store, b limits.Budgets) *Store {
	s := &Store{loops: arena.Over(&below.loops), tagSets: arena.Over(&below.tagSets), memo: expr.Over(&below.memo)}
	s.x.InitOver(&below.x)
	s.a.InitOver(&s.x, &below.a, b)
	return s
}

// View returns a view of what expressions are made of and what is known of them. It takes no lock.
func (s *Store) View() analysis.View { return s.a.View() }

// Lock takes the store's lock, for who makes expressions from parts of others. It returns what makes them, and finds
// out about them, until Unlock.
func (s *Store) Lock() *analysis.Analysis { s.mu.Lock(); return &s.a }

// Unlock gives the store's lock back.
func (s *Store) Unlock() { s.mu.Unlock() }

// Budgets returns what bounds searches, transitions and masks over the store.
func (s *Store) Budgets() *limits.Budgets { return &s.a.Budgets }

// Made returns how many expressions have been made, those of the store below left out. It takes no lock.
func (s *Store) Made() int { return int(s.x.Made.Load()) }

// Size is what a store holds.
type Size struct {
	Expressions int // interned
	Rows        int // states whose transitions have been computed
	Bytes       int // of memory, approximately
}

// Size returns what the store holds.
func (s *Store) Size() Size {
	s.mu.Lock()
	defer s.mu.Unlock()
	bytes := s.x.Size() + s.a.Size() + s.loops.Cap()*24 + s.tagSets.Cap()*24 + len(s.memo.Own)*2*20
	return Size{int(s.x.Nodes.Len()), int(s.x.Rows.Len()), bytes}
}

// Aux returns a number that package tokenset keeps on an expression, 0 at first. It is read without a lock.
func (s *Store) Aux(e Expr) uint32 { return s.x.Fact(e, expr.FactAux) }

// SetAux publishes v as the expression's Aux.
func (s *Store) SetAux(e Expr, v uint32) { s.x.SetFact(e, expr.FactAux, v) }

// SetWork makes m count what is done in the store, which one goroutine compiles a grammar in; nil ends it.
func (s *Store) SetWork(m *work.Meter) { s.x.Work = m }

// Work returns what counts the work of a compilation, nil when there is none.
func (s *Store) Work() *work.Meter { return s.x.Work }

// Memo returns what build returned for key before, or calls it. Front ends keep the expressions of formats and
// patterns here, which are the same in many schemas. Errors are not kept, and neither is anything once the memo is
// full.
func (s *Store) Memo(key string, build func() (Expr, error)) (Expr, error) {
	s.mu.Lock()
	e, ok := s.memo.Get(key)
	s.mu.Unlock()
	if ok {
		return e, nil
	}
	e, err := build()
	if err != nil {
		return Empty, err
	}
	s.mu.Lock()
	if len(s.memo.Own) < memoEntries {
		s.memo.Put(key, e)
		s.x.Extra.Add(int64(len(key)))
	}
	s.mu.Unlock()
	return e, nil
}

// Seal ends the store's growth, so that others can be laid over it, which share what the transitions of texts of ASCII
// characters need. Nothing may be asked of it directly any more that it has not been asked before.
func (s *Store) Seal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := uint16(' '); c < 0x7F; c++ {
		s.a.TextRow(c<<2 | 1)
		if expr.RawByte(byte(c), JSONString) {
			s.a.TextRow(c<<2 | 3)
		}
	}
	s.x.Seal()
}

// Forget drops the unions that the store remembers: no answer depends on them.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.x.Forget()
}

// Digest returns the digest of e. ok is false where e is nested too deeply.
func (s *Store) Digest(e Expr) (d Digest, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Digest(e, expr.DigestDepth)
}

// Explore finds what the states of x need later if it contains intersections or complements: which of them match
// anything, and their lengths. ok is false if they exceed limits.GraphStates or Budgets.Search.
func (s *Store) Explore(x Expr) (ok bool) {
	if s.x.Node(x).Flags&expr.FBoolean == 0 {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.a.Explore(x)
}

// IsEmpty reports whether x is known to match nothing.
func (s *Store) IsEmpty(x Expr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.a.Emptiness(x) == expr.Nothing
}

// memoEntries bounds Memo: formats and the patterns of a fleet's schemas fit, a stream of random patterns does not.
const memoEntries = 1 << 14
