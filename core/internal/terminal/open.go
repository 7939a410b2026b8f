package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// Open is a part of an expression whose transitions are made one by one, as a walk sees it that does not make them.
type Open struct {
	Reader Reader // at depth 0 in the state
	Tail   Expr   // what follows the machine where Reader accepts
}

// End returns what follows the machine where Reader accepts at a depth, or the tag that the text which ends there carries.
func (o *Open) End(st *Store, depth int) Expr {
	if r, ok := o.Reader.(interface {
		Tag(depth int) (uint32, bool)
	}); ok {
		if tag, tagged := r.Tag(depth); tagged {
			return st.Tag(tag)
		}
	}
	return o.Tail
}

// Open returns the parts that e, whose transitions are made one by one, is the union of, and what else it is.
func (s *Store) Open(e Expr) (parts []Open, rest Expr) {
	n := s.x.Node(e)
	if n.Kind == expr.KOr {
		s.mu.Lock() // what else it is may be a new union
		defer s.mu.Unlock()
	}
	all, rest := s.a.Opened(n)
	for _, o := range all {
		parts = append(parts, Open{o.M.Read(o.State), o.Tail})
	}
	return parts, rest
}
