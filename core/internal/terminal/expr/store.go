// Package expr holds regular languages over bytes as hash-consed expressions in normal form, and finds the derivative
// of an expression by a byte.
//
// Invariant: equal expressions have equal ids. A derivative is a fact about the expression: it does not depend on what
// was made before. The package decides nothing about an expression that its structure does not show, and takes no
// locks: package terminal does. Start reading at Store, then build.go (normal forms) and derive.go (derivatives).
package expr

// Store makes expressions and their derivatives. One goroutine at a time may change it. Expressions, rows and facts that
// were made before may be read at the same time without a lock.
type Store struct {
	Nodes
	Tables
	Below   *Store
	sealed  bool
	alone   bool      // the current traversal uses no rows of parts
	Members []Expr    // a stack: nested unions gather their members above each other
	escape  [128]Expr // spelling of an ASCII code point after a backslash, filled on demand
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

// RowWeight is how often a row looks at each part of an expression, about: once for each class of bytes.
const RowWeight = 6

// Forget drops the unions that are remembered: no answer depends on them.
func (s *Store) Forget() { s.unions, s.spare = unions{}, unions{} }
