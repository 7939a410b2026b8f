package expr

import (
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
)

// A store can be laid over another one that is sealed: it begins with the expressions of that one and keeps its own
// beside them. So every grammar has a store of its own, which nobody else waits for and which is dropped with it, and
// what all grammars need (JSON's strings and numbers) is there once. The lower store is never written to again: what an
// upper one finds out about a lower one's expression it keeps in pages of its own.

// fact names something that is found out about an expression when somebody asks. Zero means not known.
type fact uint8

const (
	FactRow    fact = iota // index into rows
	FactLoop               // 1 + index into loops
	FactLength             // 1 + index into lengths
	FactTags               // 1 + index into tagSets
	FactAux                // of package tokenset, see terminal.Store.Aux
	factCount
)

// facts are what is known of one expression. They are read without a lock, and written under the store's.
type facts [factCount]atomic.Uint32

// Verdict is what a search for a string has come to.
type Verdict uint8

// The verdicts.
const (
	Unasked   Verdict = iota
	Something         // it matches something
	Nothing           // it matches nothing
	GivenUp           // the search was given up
)

// mark is what traversals and searches note on an expression. Guarded by the owner's lock.
type mark struct {
	signed, derived uint32 // the traversal that was here last, so that shared parts are visited once
	value           Expr   // of derived
	empty           Verdict
}

const (
	// pageSize is how many neighbouring expressions share a page. Nobody asks about most of a large grammar's, and what
	// a grammar uses of the lower store's is scattered.
	pageSize = 8
	// folderSize is how many pages share a folder: a grammar uses a few of the lower store's thousands.
	folderSize = 32
	folderSpan = folderSize * pageSize // expressions
)

// page holds what a store notes on expressions of its own, or an upper store on those of the lower one.
type page struct {
	facts [pageSize]facts
	marks [pageSize]mark
}

// folder holds the pages of neighbouring expressions.
type folder [folderSize]atomic.Pointer[page]

// Facts notes what is found about expressions of a store, and about those of the store below it.
type Facts struct {
	below   *Facts
	From    Expr                              // the first expression of its own
	folders []atomic.Pointer[folder]          // notes on expressions below From
	pages   arena.Table[atomic.Pointer[page]] // notes on its own expressions
	Extra   atomic.Int64                      // bytes of memory that no table holds
	epoch   uint32                            // the current traversal
	epochs  uint32                            // the last number given to a traversal
}

// initOver begins to note about the expressions of below, of which there are from, and of later ones.
func (s *Facts) initOver(below *Facts, from Expr) {
	s.below, s.From, s.folders = below, from, make([]atomic.Pointer[folder], from/folderSpan+1)
}

// Fact returns what is known of e, by the store below too.
func (s *Facts) Fact(e Expr, f fact) uint32 {
	if e < s.From {
		if v := s.below.Fact(e, f); v != 0 {
			return v
		}
	}
	if p := s.page(e); p != nil {
		return p.facts[e%pageSize][f].Load()
	}
	return 0
}

// SetFact publishes what was found out about e.
func (s *Facts) SetFact(e Expr, f fact, v uint32) { s.pageOf(e).facts[e%pageSize][f].Store(v) }

// page returns the store's page of e, nil if nothing has been noted there.
func (s *Facts) page(e Expr) *page {
	if e >= s.From {
		return s.pages.At(pageIndex(e) - pageIndex(s.From)).Load()
	}
	if d := s.folders[e/folderSpan].Load(); d != nil {
		return d[pageIndex(e)%folderSize].Load()
	}
	return nil
}

// pageOf returns the store's page of e, made if it is not there.
func (s *Facts) pageOf(e Expr) *page {
	if e >= s.From {
		return made(s.pages.At(pageIndex(e)-pageIndex(s.From)), &s.Extra, pageBytes)
	}
	d := made(&s.folders[e/folderSpan], &s.Extra, folderBytes)
	return made(&d[pageIndex(e)%folderSize], &s.Extra, pageBytes)
}

func pageIndex(e Expr) uint32 { return uint32(e / pageSize) }

// made returns what at points to, made if it is not there and then counted as so many bytes.
func made[T any](at *atomic.Pointer[T], total *atomic.Int64, bytes int64) *T {
	x := at.Load()
	if x == nil {
		if x = new(T); !at.CompareAndSwap(nil, x) {
			return at.Load()
		}
		total.Add(bytes)
	}
	return x
}

// mark returns the marks on e.
func (s *Facts) mark(e Expr) *mark { return &s.pageOf(e).marks[e%pageSize] }

// found returns the marks on e that a search has come to a verdict in, of the store below before its own; nil: none.
func (s *Facts) found(e Expr) *mark {
	if e < s.From {
		if m := s.below.found(e); m != nil {
			return m
		}
	}
	if p := s.page(e); p != nil && p.marks[e%pageSize].empty != Unasked {
		return &p.marks[e%pageSize]
	}
	return nil
}

// FoundEmptiness returns what has been found out about whether e is empty.
func (s *Facts) FoundEmptiness(e Expr) Verdict {
	if m := s.found(e); m != nil {
		return m.empty
	}
	return Unasked
}

// SetEmptiness notes whether e is empty.
func (s *Facts) SetEmptiness(e Expr, v Verdict) { s.mark(e).empty = v }

// nodeBytes is what a node takes with its place in the table of pages, KnownBytes with its part of a page, pageBytes what
// a page takes, folderBytes a folder, IndexBytes what a node takes in the index.
const (
	IndexBytes  = 24
	nodeBytes   = 40 + 8/pageSize
	KnownBytes  = nodeBytes + int(pageBytes)/pageSize
	pageBytes   = pageSize * (4*int64(factCount) + 20)
	folderBytes = folderSize * 8
)
