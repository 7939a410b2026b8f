// Package terminal holds the regular languages of terminals as expressions. An expression is also a state: a byte leads
// from it to its Brzozowski derivative. So the expressions are the states of deterministic automata, which are built on
// demand.
//
//	expr        normal forms, derivatives
//	analysis    transitions, emptiness, lengths
//
// This package adds a lock around both, and tags, loops and transitions for walks. Other packages use a Store for more:
//
//	counters    steps states together with their counters
//	inspect     the structure of expressions
//	prices      the cost of transitions
//	relax       states that stand for many
//	shortest    the fewest bytes to an end
//	spelling    tokens and marks as bytes
//	table       products of automata, explored when compiled
//
// Invariant: within a store and the one below it, equal expressions have equal ids. The data cached under an id belongs
// to all that use it: transitions here, token sets in package tokenset. The package must not know vocabularies or
// grammars. Start reading at Store, then constructors.go and transitions.go.
package terminal

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// Loop holds the characters that lead from a state back to itself. Masks use it to skip whole subtrees of the token
// trie. Immutable.
type Loop struct {
	ASCII [2]uint64 // ASCII bytes that lead to the same state
	Leads uint64    // bit i: every code point that begins with byte 0xC0+i leads to the same state
}

// Store interns expressions and their transitions. Safe for concurrent use. Most known transitions are read without a lock.
type Store struct {
	mu sync.Mutex
	x  expr.Store        // expressions
	a  analysis.Analysis // facts about them

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

// NewStoreOver returns a store that begins with the expressions of below, which is sealed, and adds its own. It has its
// own budgets.
func NewStoreOver(below *Store, b limits.Budgets) *Store {
	s := &Store{loops: arena.Over(&below.loops), tagSets: arena.Over(&below.tagSets), memo: expr.Over(&below.memo)}
	s.x.InitOver(&below.x)
	s.a.InitOver(&s.x, &below.a, b)
	return s
}

// View returns a lock-free view of expressions and known facts about them.
func (s *Store) View() analysis.View { return s.a.View() }

// Lock takes the store's lock and returns its analysis, for callers that make expressions. Unlock releases it.
func (s *Store) Lock() *analysis.Analysis { s.mu.Lock(); return &s.a }

// Unlock releases the store's lock.
func (s *Store) Unlock() { s.mu.Unlock() }

// Budgets returns the budgets of searches, transitions and masks over the store.
func (s *Store) Budgets() *limits.Budgets { return &s.a.Budgets }

// Made returns the number of the store's own expressions. It takes no lock.
func (s *Store) Made() int { return int(s.x.Made.Load()) }

// Size is the size of a store.
type Size struct {
	Expressions int // interned
	Rows        int // states whose transitions have been computed
	Bytes       int // of memory, approximately
}

// Size returns the size of the store.
func (s *Store) Size() Size {
	s.mu.Lock()
	defer s.mu.Unlock()
	bytes := s.x.Size() + s.a.Size() + s.loops.Cap()*24 + s.tagSets.Cap()*24 + len(s.memo.Own)*2*20
	return Size{int(s.x.Nodes.Len()), int(s.x.Rows.Len()), bytes}
}

// Aux returns the number that SetAux kept for an expression, 0 if none. It takes no lock.
func (s *Store) Aux(e Expr) uint32 { return s.x.Fact(e, expr.FactAux) }

// SetAux keeps a number of package tokenset for an expression.
func (s *Store) SetAux(e Expr, v uint32) { s.x.SetFact(e, expr.FactAux, v) }

// SetWork makes m count the work of the compilation that uses the store. nil ends the counting.
func (s *Store) SetWork(m *work.Meter) { s.x.Work = m }

// Work returns the meter of the current compilation, or nil.
func (s *Store) Work() *work.Meter { return s.x.Work }

// Memo returns the expression kept under key, or calls build and keeps its result. Front ends keep formats and patterns
// here, which many schemas share. It keeps no errors, and no more than memoEntries entries.
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

// Seal ends the store's growth, so that NewStoreOver can lay others over it. It makes the shared parts of the rows of
// ASCII texts, once for all stores above. After Seal, ask the store only for expressions and transitions that it has.
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

// Forget drops the remembered unions. No answer depends on them.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.x.Forget()
}

// Digest returns the digest of e. ok is false if e is nested too deeply, or one of its parts is too long.
func (s *Store) Digest(e Expr) (d Digest, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.x.Digest(e, expr.DigestDepth)
}

// Explore finds which states of x match anything if x contains And or Not, and the lengths of counted bodies among
// them. ok is false if that exceeds a limit, such as limits.GraphStates or Budgets.Search.
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
