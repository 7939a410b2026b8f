package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// SprawlPart is a sprawling part of an expression, for walks that make no transitions.
type SprawlPart struct {
	Reader Reader // its depth 0 is the machine's state
	Tail   Expr   // the rest after Reader accepts
}

// End returns the rest after the text that ends at depth: the text's tag, or Tail.
func (o *SprawlPart) End(st *Store, depth int) Expr {
	if r, ok := o.Reader.(interface {
		Tag(depth int) (uint32, bool)
	}); ok {
		if tag, tagged := r.Tag(depth); tagged {
			return st.Tag(tag)
		}
	}
	return o.Tail
}

// SprawlParts splits e, which sprawls, into machines' states and the rest of the union.
func (s *Store) SprawlParts(e Expr) (parts []SprawlPart, rest Expr) {
	n := s.x.Node(e)
	if n.Kind == expr.KOr {
		s.mu.Lock() // the rest may be a new union
		defer s.mu.Unlock()
	}
	all, rest := s.a.SprawlParts(n)
	for _, o := range all {
		parts = append(parts, SprawlPart{o.M.Read(o.State), o.Tail})
	}
	return parts, rest
}
