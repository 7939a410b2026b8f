package rules

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// An element with options is lowered in this order: max_chars bounds the body; lazy or an end leaves the shortest
// texts; a temperature or a limit of tokens makes it a rule with a scope.
//
// A rule with max_tokens and an end is cut: when its tokens are spent, it ends after its body and without its end. The
// automaton must see the possible ends of the body, so the rule becomes a sequence of two terminals (Lemma 21):
//
//	the body, unless a text of it followed by its end is a prefix    and    the shortest end
//
// A lazy rule of any text up to strings equals any text with these strings as its end, so it is cut too. Other lazy
// rules are not: no option says which part of them may be missing.

// Uncut is the note about a lazy rule that does not end when its tokens are spent.
const Uncut = "max_tokens does not end this lazy rule, which goes on until its end occurs. It ends only rules of " +
	"any text up to strings that neither begin within one another nor end as they begin"

// withoutEnd returns the parts of a cut rule, whose end may be missing.
func (l *folder) withoutEnd(x *attributed) (first, last fold) {
	last = x.end
	last.expr = l.st.Optional(last.expr)
	return l.until(x.body, x.end), last
}

// until returns the texts of body that contain no shorter text of body followed by an end.
func (l *folder) until(body, end fold) fold {
	ended := l.st.Concat(body.expr, end.expr, l.st.Star(l.unit(body.tokens)))
	return l.settled(fold{
		expr: l.st.And(body.expr, l.st.Not(ended)), size: 2*body.size + end.size, tokens: body.tokens,
	})
}

func (l *folder) shortestOf(f fold) fold {
	out := fold{status: plain, expr: l.shortest(f), size: 2 * f.size, tokens: f.tokens}
	if out.size > limits.RuleFold {
		out.status = single
	}
	return out
}

// shortest returns the texts of f without a shorter non-empty prefix in f.
func (l *folder) shortest(f fold) terminal.Expr {
	some := l.st.And(f.expr, l.st.Not(terminal.Epsilon))
	longer := l.st.Concat(some, l.st.Plus(l.unit(f.tokens)))
	out := l.st.And(some, l.st.Not(longer))
	if l.st.View().Nullable(f.expr) {
		out = l.st.Optional(out)
	}
	return out
}

// cutLazy gives x, a lazy rule with a limit of tokens, an end if strings end it; else the rule is noted.
func (l *folder) cutLazy(n *Node, x *attributed) {
	if !n.Limited || n.Bounded || n.Options.End != nil {
		return
	}
	texts := slices.Compact(slices.Sorted(slices.Values(x.texts)))
	if len(texts) == 0 || len(texts) > limits.RuleLazyEnds || overlap(texts) {
		if !n.marked {
			l.tree.Uncut = append(l.tree.Uncut, n.At)
		}
		return
	}
	x.free, x.cut, x.body = false, true, fold{status: plain, expr: l.anyText, size: 1}
	x.end = fold{status: plain, expr: l.st.Texts(texts, terminal.UTF8, nil), size: len(texts)}
}

// overlap reports whether one of the texts is empty or begins within another one or itself.
func overlap(texts []string) bool {
	for i, a := range texts {
		for j, b := range texts {
			if b == "" || i != j && strings.HasPrefix(a, b) {
				return true
			}
			for k := 1; k < len(a); k++ {
				if strings.HasPrefix(a[k:], b) || strings.HasPrefix(b, a[k:]) {
					return true
				}
			}
		}
	}
	return false
}
