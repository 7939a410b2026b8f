package relax

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// ExcludedTexts splits e = (B ∧ ¬T)·tail into base = B·tail and texts = T. B must be text of a JSON string, B ∧ ¬T
// alive in every state in which B is, and tail begin with a quote. e has the transitions of base, except for a quote
// after one of the texts (Lemma 120). ok is false for other e.
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

// AnyText returns B·tail for e = X·tail. B is any text of a JSON string, X a part of B, and tail a literal byte. ok is
// false for other e.
func AnyText(st *terminal.Store, e expr.Expr) (base expr.Expr, ok bool) {
	s := st.Lock()
	defer st.Unlock()
	base, _, ok = anyText(s, e)
	return base, ok
}

// anyText is AnyText, and returns the encoding of B.
func anyText(s *analysis.Analysis, e expr.Expr) (base expr.Expr, enc expr.Encoding, ok bool) {
	if s.Node(e).Flags&(expr.FTag|expr.FCount) != 0 {
		return expr.Empty, 0, false
	}
	end, whole := lastOf(s, e, expr.ContainedDepth)
	if !whole || s.Node(end).Kind != expr.KBytes || s.Sets.At(s.Node(end).A).Len() != 1 {
		return expr.Empty, 0, false
	}
	enc = expr.JSONString
	if s.Node(e).Subset>>expr.ASCII&1 != 0 {
		enc |= expr.ASCII
	}
	return s.Concat(s.AnyText[enc], end), enc, true
}

// Unanchored returns base: any text, and then the last byte of e. ok is false unless every text is a prefix of a string
// of e (Lemma 126). Then e and base differ only in the places at which they take the last byte.
func Unanchored(st *terminal.Store, e expr.Expr) (base expr.Expr, ok bool) {
	s := st.Lock()
	defer st.Unlock()
	base, enc, ok := anyText(s, e)
	looks := prefixParts
	return base, ok && everyPrefix(s, e, enc, &looks)
}

// prefixParts bounds the parts that everyPrefix looks at.
const prefixParts = 600

// everyPrefix reports whether the structure of x shows that every text in enc is a prefix of a string of x (Lemma 126).
// looks bounds the parts that it looks at.
//
// PERF: [a-zA-Z0-9_-]{162} without anchors: masks of 15 to 60 µs instead of 2,000.
func everyPrefix(s *analysis.Analysis, x expr.Expr, enc expr.Encoding, looks *int) bool {
	n := s.Node(x)
	if *looks--; *looks < 0 || n.Flags&expr.FBoolean != 0 {
		return false
	}
	switch n.Kind {
	case expr.KTop:
		return true
	case expr.KStar:
		return x == s.AnyText[enc]
	case expr.KConcat:
		return everyPrefix(s, n.Head(), enc, looks) || s.Nullable(n.Head()) && everyPrefix(s, n.Tail(), enc, looks)
	case expr.KOr:
		return slices.ContainsFunc(s.List(n), func(y expr.Expr) bool { return everyPrefix(s, y, enc, looks) })
	}
	return false
}

// lastOf returns the last part of a concatenation. whole reports that it is the same for all members of unions, and
// that all parts before it consist of whole code points of JSON strings.
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
