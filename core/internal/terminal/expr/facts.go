package expr

import (
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
)

// A store can be laid over a sealed one: it begins with the expressions of the store below and adds its own. So every
// grammar has a store of its own, which nobody else waits for and which is dropped with it. Expressions that all
// grammars need, such as JSON's strings and numbers, exist once, in the store below. That store never changes again: an
// upper store keeps facts about expressions below in pages of its own.

// fact is a kind of number that is kept for an expression. Zero means unknown.
type fact uint8

const (
	FactRow    fact = iota // index into Rows
	FactLoop               // 1 + index into loops
	FactLength             // 1 + index into lengths
	FactTags               // 1 + index into tagSets
	FactAux                // of package tokenset, see terminal.Store.Aux
	factCount
)

// facts are the facts of one expression. They are written under the store's lock and read without it.
type facts [factCount]atomic.Uint32

// Verdict is the result of a search for a string of an expression.
type Verdict uint8

// The verdicts.
const (
	Unasked   Verdict = iota
	Something         // it matches something
	Nothing           // it matches nothing
	GivenUp           // the search exceeded a limit
)

// mark holds the notes of traversals and searches on an expression, under the store's lock.
type mark struct {
	signed, derived uint32 // the last traversal here, so that shared parts are visited once
	value           Expr   // derivative of traversal derived
	empty           Verdict
}

const (
	// pageSize is the number of neighbouring expressions on a page. Most expressions of a large grammar never get a
	// fact, and a grammar uses scattered ones of the store below.
	pageSize = 8
	// folderSize is the number of pages in a folder: a grammar uses few of the thousands of the store below.
	folderSize = 32
	folderSpan = folderSize * pageSize // expressions
)

// page holds the facts and marks of neighbouring expressions.
type page struct {
	facts [pageSize]facts
	marks [pageSize]mark
}

// folder holds the pages of neighbouring expressions of the store below.
type folder [folderSize]atomic.Pointer[page]

// Facts holds the facts about expressions of a store, and of the store below.
type Facts struct {
	below   *Facts
	From    Expr                              // the first expression of its own
	folders []atomic.Pointer[folder]          // notes on expressions below From
	pages   arena.Table[atomic.Pointer[page]] // notes on its own expressions
	Extra   atomic.Int64                      // bytes of memory that no table counts
	epoch   uint32                            // the current traversal
	epochs  uint32                            // the last number given to a traversal
}

// initOver makes s ready for facts about the expressions of below, which has from of them, and about later ones.
func (s *Facts) initOver(below *Facts, from Expr) {
	s.below, s.From, s.folders = below, from, make([]atomic.Pointer[folder], from/folderSpan+1)
}

// Fact returns fact f of e, also if the store below has it.
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

// SetFact publishes fact f of e.
func (s *Facts) SetFact(e Expr, f fact, v uint32) { s.pageOf(e).facts[e%pageSize][f].Store(v) }

// page returns the page of e, nil if there is none.
func (s *Facts) page(e Expr) *page {
	if e >= s.From {
		return s.pages.At(pageIndex(e) - pageIndex(s.From)).Load()
	}
	if d := s.folders[e/folderSpan].Load(); d != nil {
		return d[pageIndex(e)%folderSize].Load()
	}
	return nil
}

// pageOf returns the page of e, and makes it if there is none.
func (s *Facts) pageOf(e Expr) *page {
	if e >= s.From {
		return loadOrMake(s.pages.At(pageIndex(e)-pageIndex(s.From)), &s.Extra, pageBytes)
	}
	d := loadOrMake(&s.folders[e/folderSpan], &s.Extra, folderBytes)
	return loadOrMake(&d[pageIndex(e)%folderSize], &s.Extra, pageBytes)
}

func pageIndex(e Expr) uint32 { return uint32(e / pageSize) }

// loadOrMake returns *at. If it is nil, loadOrMake sets it and adds bytes to total.
func loadOrMake[T any](at *atomic.Pointer[T], total *atomic.Int64, bytes int64) *T {
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

// found returns the marks on e that hold a verdict, first from the store below; nil if there are none.
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

// FoundEmptiness returns the verdict whether e matches anything, Unasked if there is none.
func (s *Facts) FoundEmptiness(e Expr) Verdict {
	if m := s.found(e); m != nil {
		return m.empty
	}
	return Unasked
}

// SetEmptiness sets the verdict whether e matches anything.
func (s *Facts) SetEmptiness(e Expr, v Verdict) { s.mark(e).empty = v }

// Sizes in bytes.
const (
	IndexBytes  = 24                                   // a node in the index
	nodeBytes   = 40 + 8/pageSize                      // a node with its entry in the table of pages
	KnownBytes  = nodeBytes + int(pageBytes)/pageSize  // the same with its part of a page
	pageBytes   = pageSize * (4*int64(factCount) + 20) // a page
	folderBytes = folderSize * 8                       // a folder
)
