package rules

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A rule with max_tokens and an end is cut: when its tokens are spent, it ends after its body and without its end. The
// automaton must see the possible ends of the body, so the rule becomes a sequence of two terminals (Lemma 21):
//
//	the body, unless a text of it followed by its end is a prefix    and    the shortest end

// addCut gives the rule id this sequence. whole is of kind Until.
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

func (l *lowering) same(a, b terminal.Expr) bool {
	return l.st.IsEmpty(l.st.And(a, l.st.Not(b))) && l.st.IsEmpty(l.st.And(b, l.st.Not(a)))
}

func (l *lowering) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// overlapsItself reports whether a proper prefix of text is a suffix of it.
func overlapsItself(text string) bool {
	for n := 1; n < len(text); n++ {
		if text[:n] == text[len(text)-n:] {
			return true
		}
	}
	return false
}
