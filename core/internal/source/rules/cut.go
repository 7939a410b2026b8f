package rules

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A rule with max_tokens and something that ends it, its end, is cut: where the tokens are spent, it ends with its body
// and without its end. So it must show where the body may end. With an end the rule is the shortest text that matches
// both; as a sequence that is
//
//	the body, unless it begins with one that has its end behind it    and    the shortest end
//
// These match the same if the end is a text that does not end as it begins. For other ends a search decides.

// addCut gives the rule id such a sequence: whole is a body of kind Until, and its end.
func (l *lowering) addCut(id grammar.RuleID, whole *Node) {
	body, end := whole.Subs[0], whole.Subs[1]
	first, err := l.regular(body)
	if err != nil {
		l.fail(err)
		return
	}
	last, err := l.regular(end)
	if err != nil {
		l.fail(err)
		return
	}
	if end.Kind != Text || overlapsItself(end.Text) {
		free, err := l.regular(body.Subs[0])
		if err != nil {
			l.fail(err)
			return
		}
		last.expr = l.shortest(last)
		one := l.shortest(fold{expr: l.st.Concat(free.expr, last.expr), tokens: free.tokens})
		two := l.st.Concat(first.expr, last.expr)
		if !l.same(one, two) {
			l.fail(l.tree.Failure(diag.Unsupported, end.At, "max_tokens", "with max_tokens, a suffix or stop must "+
				"not begin within the text before it, or end as it begins; choose another one, or write it behind "+
				"the rule"))
		}
	}
	l.g.Add(id, grammar.T(first.expr), grammar.T(last.expr))
}

// scope returns the scope of an element. Ignored text behind it matters to its end alone.
func (l *lowering) scope(n *Node) *grammar.Scope {
	if n.Scope.MaxTokens == 0 || len(n.Behind) == 0 {
		return n.Scope
	}
	behind := make([]terminal.Expr, len(n.Behind))
	for i, x := range n.Behind {
		if x.Kind == Captured {
			x = x.Subs[0]
		}
		f, err := l.regular(x)
		if err != nil {
			l.fail(err)
			return n.Scope
		}
		behind[i] = f.expr
	}
	s := *n.Scope
	s.Behind = l.st.Concat(behind...)
	return &s
}

// same reports whether two expressions match the same texts.
func (l *lowering) same(a, b terminal.Expr) bool {
	return l.st.IsEmpty(l.st.And(a, l.st.Not(b))) && l.st.IsEmpty(l.st.And(b, l.st.Not(a)))
}

func (l *lowering) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// overlapsItself reports whether a text ends as it begins.
func overlapsItself(text string) bool {
	for n := 1; n < len(text); n++ {
		if text[:n] == text[len(text)-n:] {
			return true
		}
	}
	return false
}
