package relax

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// ExcludedTexts takes e apart, if it is text of a JSON string that never has to end, but not one of finitely many, and
// then a quote: base is e without the exclusion and texts what is excluded. As long as texts can go on e is alive, and
// it is where base is but for a quote right after one of the texts.
func ExcludedTexts(st *terminal.Store, e expr.Expr) (base, texts expr.Expr, ok bool) {
	if st.View().Node(e).Flags&expr.FBoolean == 0 {
		return expr.Empty, expr.Empty, false
	}
	s := st.Lock()
	defer st.Unlock()
	text, texts, tail, ok := s.Exclusion(e)
	if !ok || s.Nullable(tail) || s.Node(text).Subset>>expr.JSONString&1 == 0 || !s.Outlasts(text, texts) {
		return expr.Empty, expr.Empty, false
	}
	if first := s.First(tail); first.Len() != 1 || !first.Has('"') {
		return expr.Empty, expr.Empty, false
	}
	return s.Concat(text, tail), texts, true
}

// SearchStart returns the state that e would be if none of what it must not contain had begun, and it could be any of
// the finitely many texts that it must not be, if e is "… but no text in which this or that occurs, then whatever":
// from there the two differ only as long as what has begun goes on.
func SearchStart(st *terminal.Store, e expr.Expr) (start expr.Expr, ok bool) {
	n := st.View().Node(e)
	if n.Flags&expr.FBoolean == 0 || n.Flags&(expr.FTag|expr.FCount) != 0 {
		return expr.Empty, false
	}
	tail := expr.Epsilon
	if n.Kind == expr.KConcat {
		tail = n.Tail()
		n = st.View().Node(n.Head())
	}
	if n.Kind != expr.KAnd {
		return expr.Empty, false
	}
	s := st.Lock()
	defer st.Unlock()
	var parts []expr.Expr
	for _, x := range s.List(n) {
		if m := s.Node(x); m.Kind == expr.KNot {
			searches := searches(s, m.Body())
			ok = ok || searches != expr.Empty
			if searches != expr.Empty {
				x = s.Not(searches)
			} else if s.Node(m.Body()).Subset&expr.ExtentFinite != 0 {
				continue
			}
		}
		parts = append(parts, x)
	}
	if !ok {
		return expr.Empty, false
	}
	return s.Concat(s.And(parts...), tail), true
}

// searches returns the members of x that any text may stand before, Empty if there is none.
func searches(s *analysis.Analysis, x expr.Expr) expr.Expr {
	list := []expr.Expr{x}
	if n := s.Node(x); n.Kind == expr.KOr {
		list = s.List(n)
	}
	var members []expr.Expr
	for _, y := range list {
		if m := s.Node(y); m.Kind == expr.KConcat && beginsAnywhere(s, m.Head()) {
			members = append(members, y)
		}
	}
	return s.Or(members...)
}

// WithoutExclusions returns what state e would be without the complements in it, if e is an intersection of one
// expression that has none with complements, followed by whatever: "any key" for "any key but these".
func WithoutExclusions(st *terminal.Store, e expr.Expr) (expr.Expr, bool) {
	n := st.View().Node(e)
	if n.Flags&expr.FBoolean == 0 || n.Flags&(expr.FTag|expr.FCount) != 0 {
		return expr.Empty, false
	}
	tail := expr.Epsilon
	if n.Kind == expr.KConcat {
		tail = n.Tail()
		n = st.View().Node(n.Head())
	}
	if n.Kind != expr.KAnd || st.View().Node(tail).Flags&expr.FBoolean != 0 {
		return expr.Empty, false
	}
	positive := expr.Empty
	for _, x := range st.View().List(n) {
		switch m := st.View().Node(x); {
		case m.Kind == expr.KNot && st.View().Node(m.Body()).Flags&expr.FBoolean == 0:
		case m.Flags&expr.FBoolean == 0 && positive == expr.Empty:
			positive = x
		default:
			return expr.Empty, false
		}
	}
	if positive == expr.Empty {
		return expr.Empty, false
	}
	s := st.Lock()
	defer st.Unlock()
	return s.Concat(positive, tail), true
}

// beginsAnywhere reports whether x can begin with any text.
func beginsAnywhere(s *analysis.Analysis, x expr.Expr) bool {
	any := func(y expr.Expr) bool {
		return y == s.AnyText[expr.JSONString] || y == s.AnyText[expr.JSONString|expr.ASCII]
	}
	if any(x) {
		return true
	}
	n := s.Node(x)
	return n.Kind == expr.KOr && slices.ContainsFunc(s.List(n), func(y expr.Expr) bool {
		m := s.Node(y)
		return any(y) || m.Kind == expr.KConcat && any(m.Head())
	})
}

// Unanchored reports whether no code point can lead from state e to a dead end before tail, one literal byte: e differs
// from the returned "any text, then tail" only in where the tail is possible.
func Unanchored(st *terminal.Store, e expr.Expr) (anyText expr.Expr, tail byte, ok bool) {
	if st.View().Node(e).Flags&(expr.FTag|expr.FCount) != 0 {
		return expr.Empty, 0, false
	}
	s := st.Lock()
	defer st.Unlock()
	end, whole := lastOf(s, e, expr.ContainedDepth)
	if !whole || s.Node(end).Kind != expr.KBytes || s.Sets.At(s.Node(end).A).Len() != 1 {
		return expr.Empty, 0, false
	}
	enc := s.EncodingsOf(e)[1]
	if live, _ := s.IsLiveIn(e, enc); !live {
		return expr.Empty, 0, false
	}
	return s.Concat(s.AnyText[enc], end), byte(s.Sets.At(s.Node(end).A).Next(0)), true
}

// lastOf returns the last part of concatenations, and whether it is the same for all members of unions, and all before
// it is made of whole code points of JSON strings.
func lastOf(s *analysis.Analysis, x expr.Expr, depth int) (last expr.Expr, whole bool) {
	n := s.Node(x)
	for ; n.Kind == expr.KConcat; n = s.Node(x) {
		if s.Node(n.Head()).Subset>>expr.JSONString&1 == 0 {
			return expr.Empty, false
		}
		x = n.Tail()
	}
	if n.Kind != expr.KOr {
		return x, true
	}
	if depth == 0 {
		return expr.Empty, false
	}
	for i, y := range s.List(n) {
		end, ok := lastOf(s, y, depth-1)
		if !ok || i > 0 && end != last {
			return expr.Empty, false
		}
		last = end
	}
	return last, true
}
