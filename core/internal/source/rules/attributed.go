package rules

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
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

// attributed is a lowered element with options, inside its scope.
type attributed struct {
	fold  fold // unfolded if free is set, or the body is
	body  fold // within max_chars, if the body must be regular
	whole fold // body and end
	cut   bool
	end   fold // of a cut rule
	// free: the shortest texts of any text and a trigger, which has these texts; nil: too many
	free  bool
	texts []string
}

func (l *lowering) foldAttributed(n *Node) (fold, error) {
	x, err := l.lowerAttributed(n)
	if err != nil {
		return fold{}, err
	}
	l.attributed[n] = x
	if n.hasScope() {
		return fold{}, nil
	}
	return x.fold, nil
}

func (l *lowering) lowerAttributed(n *Node) (x attributed, err error) {
	switch {
	case n.none():
		x.fold = fold{status: plain, expr: terminal.Epsilon}
		return x, nil
	case !n.OneToken():
		x.fold, err = l.fold(n.Subs[0])
		return x, err
	}
	if x.body, err = l.bounded(n); err != nil {
		return x, err
	}
	x.whole = x.body
	if n.Options.End != nil {
		if x.end, err = l.regular(n.Subs[1]); err != nil {
			return x, err
		}
		if x.cut = n.Limited; !x.cut {
			if x.whole = l.join([]fold{x.body, x.end}); x.whole.status != plain {
				return x, l.irregular(n.Subs[0])
			}
		}
	} else if !n.Lazy {
		x.fold = x.body
		return x, nil
	}
	if !x.cut {
		if x.texts, x.free = l.isFree(n); !x.free {
			x.fold = l.shortestOf(x.whole)
			return x, nil
		}
		l.cutLazy(n, &x)
	}
	if x.cut && n.marked {
		first, last := l.withoutEnd(&x)
		x.fold = l.join([]fold{first, last})
	}
	return x, nil
}

// withoutEnd returns the parts of a cut rule, whose end may be missing.
func (l *lowering) withoutEnd(x *attributed) (first, last fold) {
	last = x.end
	last.expr = l.st.Optional(last.expr)
	return l.until(x.body, x.end), last
}

// bounded returns the body of n within its max_chars. A token counts as one. Counters beside the state count only
// characters, so the count is written out if there are tokens.
func (l *lowering) bounded(n *Node) (fold, error) {
	body, err := l.regular(n.Subs[0])
	if err != nil || !n.Bounded {
		return body, err
	}
	if body.tokens && n.MaxChars > limits.RuleTokenCounter {
		return fold{}, l.tree.Failure(diag.Limit, n.At, "max_chars", "in a rule that contains tokens of the "+
			"vocabulary, max_chars may be at most %d, not %d; limit the parts of it that are text, or use max_tokens",
			limits.RuleTokenCounter, n.MaxChars)
	}
	out := fold{size: body.size, tokens: body.tokens}
	few := l.st.Counted(l.anyText, terminal.UTF8, 0, n.MaxChars)
	if body.tokens || n.MaxChars <= limits.RuleCounter {
		few = l.st.Repeat(l.unit(body.tokens), 0, n.MaxChars)
		out.size += int(n.MaxChars)
	}
	out.expr = l.st.And(body.expr, few)
	return l.settled(out), nil
}

// settled sets the status of an intersection.
func (l *lowering) settled(f fold) fold {
	if f.status = plain; f.size > limits.RuleFold || inspect.Counts(l.st, f.expr) {
		f.status = single
	}
	return f
}

// until returns the texts of body that contain no shorter text of body followed by an end.
func (l *lowering) until(body, end fold) fold {
	ended := l.st.Concat(body.expr, end.expr, l.st.Star(l.unit(body.tokens)))
	return l.settled(fold{
		expr: l.st.And(body.expr, l.st.Not(ended)), size: 2*body.size + end.size, tokens: body.tokens,
	})
}

func (l *lowering) shortestOf(f fold) fold {
	out := fold{status: plain, expr: l.shortest(f), size: 2 * f.size, tokens: f.tokens}
	if out.size > limits.RuleFold {
		out.status = single
	}
	return out
}

// shortest returns the texts of f without a shorter non-empty prefix in f.
func (l *lowering) shortest(f fold) terminal.Expr {
	some := l.st.And(f.expr, l.st.Not(terminal.Epsilon))
	longer := l.st.Concat(some, l.st.Plus(l.unit(f.tokens)))
	out := l.st.And(some, l.st.Not(longer))
	if l.st.View().Nullable(f.expr) {
		out = l.st.Optional(out)
	}
	return out
}

// cutLazy gives x, a lazy rule with a limit of tokens, an end if strings end it; else the rule is noted.
func (l *lowering) cutLazy(n *Node, x *attributed) {
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

// addScoped gives the rule id the texts of n, which has a scope.
func (l *lowering) addScoped(id grammar.RuleID, name string, n *Node) {
	x := l.attributed[n]
	scope := n.scope()
	l.g.Rules[id].Scope = scope
	scope.Cut, scope.Behind = x.cut, l.follows(n)
	switch {
	case x.cut:
		l.addCut(id, n, &x)
	case x.free:
		l.addRegion(id, name, region{branches: []branch{{free: n, texts: x.texts}}})
	case n.OneToken() || n.none():
		l.g.Add(id, grammar.T(x.fold.expr))
	default:
		l.addAll(id, name, alternativesOf(n.Subs[0]))
	}
}

// addCut gives the rule id the sequence of a cut rule.
func (l *lowering) addCut(id grammar.RuleID, n *Node, x *attributed) {
	first, last := l.until(x.body, x.end), x.end
	if end := n.Options.End; end != nil && (n.Subs[1].Kind != Text || overlap([]string{n.Subs[1].Text})) {
		last.expr = l.shortest(last)
		one := l.shortest(fold{expr: l.st.Concat(x.body.expr, last.expr), tokens: x.body.tokens})
		if !l.same(one, l.st.Concat(first.expr, last.expr)) {
			l.fail(l.tree.Failure(diag.Unsupported, n.Subs[1].At, "max_tokens", "with max_tokens, a suffix or stop "+
				"must not begin within the text before it, or end as it begins; choose another one, or write it "+
				"behind the rule"))
		}
	}
	l.g.Add(id, grammar.T(first.expr), grammar.T(last.expr))
}

// follows returns the ignored text that may follow n, for a limit of tokens; 0: none.
func (l *lowering) follows(n *Node) terminal.Expr {
	if !n.Limited || len(n.Behind) == 0 {
		return 0
	}
	behind := make([]terminal.Expr, len(n.Behind))
	for i, x := range n.Behind {
		f, err := l.regular(x)
		if err != nil {
			l.fail(err)
			return 0
		}
		behind[i] = f.expr
	}
	return l.st.Concat(behind...)
}

func (l *lowering) same(a, b terminal.Expr) bool {
	return l.st.IsEmpty(l.st.And(a, l.st.Not(b))) && l.st.IsEmpty(l.st.And(b, l.st.Not(a)))
}

func (l *lowering) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// isFree reports whether n, which is lazy or has an end, is any text and a trigger, and returns the trigger's texts.
func (l *lowering) isFree(n *Node) (texts []string, ok bool) {
	if n.Bounded {
		return nil, false
	}
	var parts []*Node
	for _, sub := range n.Subs {
		parts = l.tree.flat(sub, 0, parts)
	}
	if len(parts) == 0 {
		return nil, false
	}
	texts = []string{""}
	switch rest := l.behindAnyText(parts[0]); {
	case rest != nil:
		texts = rest.Texts(limits.RuleTriggers)
	case len(parts) < 2 || !l.isAnyText(parts[0]):
		return nil, false
	}
	for _, part := range parts[1:] {
		texts = product(texts, l.allTexts(part, 0))
	}
	if slices.Contains(texts, "") {
		texts = nil
	}
	return texts, true
}

func (l *lowering) behindAnyText(n *Node) *regex.Node {
	if n.Kind != Pattern || n.JSONString {
		return nil
	}
	first, rest := n.Regex.Split()
	if rest == nil {
		return nil
	}
	if e, err := regex.Lower(l.st, first, regex.Mode{Encoding: terminal.UTF8}); err != nil || e != l.anyText {
		return nil
	}
	return rest
}
