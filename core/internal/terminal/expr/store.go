// Package expr holds regular languages over bytes as hash-consed expressions in normal form, and their derivatives.
//
// Invariant: equal expressions have equal ids. A derivative depends on the expression alone, not on earlier requests.
// The package decides only properties that the structure of an expression shows, and takes no locks: package terminal
// does. Each file uses only files above it in this list:
//
//	byteset, encoding, escape, text     bytes and their spellings
//	node                                the content of an expression
//	scan, machine, words, wordsread     automata that nodes refer to
//	dict, constants, facts              interned data, and facts by expression
//	unions, steps                       the count of work
//	index, nodes, content, digest,
//	flags, weight, intern               hash-consing
//	first, contains, drop               properties of structures
//	tables, store                       rows
//	build, and, encode, literal         normal forms
//	states, derive                      derivatives
//	layer, view                         a store's life, reading
//
// Start reading at node.go, then build.go and derive.go.
package expr

// Store makes expressions and their derivatives. One goroutine at a time may change it. Others may read existing
// expressions, rows and facts at the same time, without a lock.
type Store struct {
	Nodes
	Tables
	Below      *Store
	sealed     bool
	noPartRows bool      // the current traversal uses no rows of parts
	Members    []Expr    // a stack: nested unions collect their members above each other
	escape     [128]Expr // spelling of an ASCII code point after a backslash, filled on demand
}

// RowPrice returns the price of the transitions of e, in parts.
func (s *Store) RowPrice(e Expr) int {
	if r := s.Fact(e, FactRow); r != 0 {
		if price := s.Rows.At(r).Price; price > 0 {
			return int(price)
		}
	}
	return RowWeight * s.Weight(e)
}

// RowWeight is about how often a row looks at each part of an expression: once for each class of bytes.
const RowWeight = 6

// Forget drops the remembered unions. No answer depends on them.
func (s *Store) Forget() { s.unions, s.spareUnions = unions{}, unions{} }
