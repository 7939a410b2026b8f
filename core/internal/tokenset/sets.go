package tokenset

import (
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// Sets finds and keeps the token sets of one store of terminals for one vocabulary. Shared and growing; safe for
// concurrent use.
//
// Token sets can lie over others, as a store can. Lookups then find the classes below, too.
type Sets struct {
	tokens *Tokens
	store  *terminal.Store
	below  *Sets // the sets below, nil: none; never written to again

	mu      sync.Mutex
	classes arena.Table[keptClass]
	runs    map[terminal.Expr]*Runs
	placed  map[placedKey]keptClass
	bytes   atomic.Int64
	given   *atomic.Int64 // bytes that its grammar has added to the shared token sets
}

// keptClass is a class with the cost of finding it.
type keptClass struct {
	c    *Class
	cost int
}

// placedKey names the class of the tokens in which terminal state x begins at given trie nodes (type places). The field
// places is their digest.
type placedKey struct {
	places terminal.Digest
	x      terminal.Expr
}

// New returns empty token sets.
func New(t *Tokens, st *terminal.Store) *Sets {
	return &Sets{
		tokens: t, store: st,
		runs: map[terminal.Expr]*Runs{}, placed: map[placedKey]keptClass{}, given: new(atomic.Int64),
	}
}

// NewOver returns token sets that lie over below. Their store lies over the store of below. Neither may change below
// them any more.
func NewOver(below *Sets, b limits.Budgets) *Sets {
	e := New(below.tokens, terminal.NewStoreOver(below.store, b))
	e.below, e.classes = below, arena.Over(&below.classes)
	return e
}

// Succeed makes e share the count of given bytes with older, the sets of the previous generation.
func (e *Sets) Succeed(older *Sets) { e.given = older.given }

// Take takes a scratch from the pool, without facts of other stores.
func (e *Sets) Take() *Scratch {
	w, ok := e.tokens.scratches.Get().(*Scratch)
	if !ok {
		deepest := e.tokens.Trie.MaxLen + 2
		w = &Scratch{
			frames: make([]ItemFrame, deepest),
			pairs:  make([]pair, deepest),
			path:   make([]countedFrame, deepest),
		}
	}
	if w.Store != e.store {
		w.facts.release()
		w.Store = e.store
	}
	return w
}

// Give puts a scratch back into the pool.
func (e *Sets) Give(w *Scratch) { e.tokens.scratches.Put(w) }

// Seal ends the growth of the store, so that other stores and token sets can lie over these.
func (e *Sets) Seal() { e.store.Seal() }

// Store returns the store the token sets belong to.
func (e *Sets) Store() *terminal.Store { return e.store }

// Tokens returns the vocabulary.
func (e *Sets) Tokens() *Tokens { return e.tokens }

// Size returns how many bytes the token sets hold, approximately.
func (e *Sets) Size() int { return int(e.bytes.Load()) }

// Longest returns the longest token that text begins with and its length, 0 if there is none.
func (e *Sets) Longest(text string) (id uint32, n int) {
	trie := e.tokens.Trie
	for i, d := trie.Root[text[0]], 1; i != 0; d++ {
		if from, to := trie.Tokens(i); from < to {
			id, n = trie.Order[from], d
		}
		if d == len(text) {
			break
		}
		c, end := i+1, trie.Nodes[i].End
		for c < end && trie.Nodes[c].Byte != text[d] {
			c = trie.Nodes[c].End
		}
		if i = c; c == end {
			break
		}
	}
	return id, n
}

// Covers reports whether terminal state x loops on all texts of a subtree, with its counter within bounds.
func (e *Sets) Covers(x terminal.Expr, c counters.Counter, b *tokentrie.Big) bool {
	if !b.WellFormed || !Holds(e.store.Loop(x), b) {
		return false
	}
	if !counters.Inside(e.store, x) {
		return true
	}
	h := counters.HeadOf(e.store, x, c)
	return h.RunsFor(c, uint32(b.MaxRunes))
}
