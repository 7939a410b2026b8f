package rules

import (
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/source/substrings"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// Masks are fast inside a terminal, and few terminals mean little work for the parser. So every regular part becomes
// one terminal: a node is folded if all its parts are, including referenced rules.

// fold returns the folded form of node n. Rules that n refers to must be folded before, or be in n's component.
func (l *folder) fold(n *Node) (fold, error) {
	if l.done[n.serial] {
		return l.folds[n.serial], nil
	}
	l.st.Work().Spend(NodeWork * (2 + len(n.Subs)))
	f, err := l.foldNew(n)
	if err != nil {
		return fold{}, err
	}
	l.done[n.serial], l.folds[n.serial] = true, f
	return f, nil
}

func (l *folder) regular(n *Node) (fold, error) {
	f, err := l.fold(n)
	if err == nil && f.status == unfolded {
		err = l.irregular(n)
	}
	return f, err
}

func (l *folder) foldNew(n *Node) (fold, error) {
	switch n.Kind {
	case Nothing:
		return fold{status: plain, expr: terminal.Epsilon}, nil
	case Text:
		r, _ := utf8.DecodeRuneInString(n.Text)
		return fold{status: plain, expr: l.st.Text(n.Text, terminal.UTF8), size: 1, fixed: true, class: []rune{r, r}}, nil
	case Class:
		f := fold{status: plain, expr: l.st.Runes(n.Pairs, terminal.UTF8), size: 1 + len(n.Pairs)/16, class: n.Pairs}
		f.fixed = n.Pairs[len(n.Pairs)-1] < utf8.RuneSelf
		return f, nil
	case Mark:
		return fold{status: plain, expr: spelling.Marks(l.st, []byte(n.Text)), size: len(n.Text)}, nil
	case Token:
		return fold{status: plain, expr: spelling.Tokens(l.st, n.Tokens), size: 1 + len(n.Tokens)/4, tokens: true}, nil
	case NotToken:
		except := slices.Clone(n.Tokens)
		for _, id := range l.tree.ends {
			except = append(except, [2]uint32{id, id})
		}
		return fold{status: plain, expr: spelling.TokensBut(l.st, except), size: 1 + len(n.Tokens)/4, tokens: true}, nil
	case Pattern:
		return l.foldPattern(n)
	case Ref:
		return l.rules[n.Rule], nil
	case Repeat:
		return l.foldRepeat(n)
	case Both, Other:
		return l.foldBoolean(n)
	case Attributed:
		return l.foldAttributed(n)
	case Followed:
		return l.foldFollowed(n)
	case Alt:
		return l.foldChoice(n)
	case Substring:
		return l.foldSubstring(n), nil
	case Schema:
		return fold{}, l.schema(n)
	}
	var fs []fold
	all := n.Kind == Seq
	for _, sub := range n.Subs {
		f, err := l.fold(sub)
		if err != nil {
			return fold{}, err
		}
		if all = all && f.status == plain; all {
			fs = append(fs, f)
		}
	}
	if all {
		return l.join(fs), nil
	}
	return fold{}, nil
}

func (l *folder) foldChoice(n *Node) (fold, error) {
	fs, others, err := l.gatherTexts(n.Subs)
	all, size := true, 0
	for _, f := range fs {
		size += f.size
	}
	for _, sub := range others {
		if err != nil {
			return fold{}, err
		}
		var f fold
		f, err = l.fold(sub)
		size += f.size
		// If a union is impossible, the other alternatives are only checked for errors.
		if all = all && f.status == plain && size <= limits.RuleFold; all {
			fs = append(fs, f)
		}
	}
	if err == nil && all {
		if f := l.union(fs); f.status == plain {
			return f, nil
		}
	}
	for _, sub := range n.Subs {
		if err == nil {
			_, err = l.fold(sub)
		}
	}
	return fold{}, err
}

// gatherTexts folds the alternatives that begin with a text, if there are several, as one trie, and returns the
// others. An output is at one place in the trie, then in a continuation, so the size counts each continuation once.
func (l *folder) gatherTexts(subs []*Node) (trie []fold, others []*Node, err error) {
	var texts []string
	var tails []terminal.Expr
	out := fold{status: plain, size: 1}
	seen := map[terminal.Expr]bool{terminal.Epsilon: true}
	for _, sub := range subs {
		text, tail, ok, err := l.afterText(sub)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			others = append(others, sub)
			continue
		}
		texts, tails, out.tokens = append(texts, text), append(tails, tail.expr), out.tokens || tail.tokens
		if !seen[tail.expr] {
			seen[tail.expr] = true
			out.size += tail.size
		}
	}
	if len(texts) < 2 {
		return nil, subs, nil
	}
	out.expr = l.st.Texts(texts, terminal.UTF8, tails)
	return []fold{out}, others, nil
}

// afterText returns the text at the beginning of an alternative, and the fold of the rest if it is plain.
func (l *folder) afterText(n *Node) (text string, tail fold, ok bool, err error) {
	var around []*Node // the sequences that begin with the text, outermost first
	for n = n.bare(); n.Kind == Seq; n = n.Subs[0].bare() {
		around = append(around, n)
	}
	if n.Kind != Text {
		return "", fold{}, false, nil
	}
	var fs []fold
	for _, seq := range slices.Backward(around) {
		for _, sub := range seq.Subs[1:] {
			f, err := l.fold(sub)
			if err != nil {
				return "", fold{}, false, err
			}
			fs = append(fs, f)
		}
	}
	tail = l.join(fs)
	return n.Text, tail, tail.status == plain, nil
}

func (l *folder) foldPattern(n *Node) (fold, error) {
	e, err := regex.Lower(l.st, n.Regex, regex.Mode{Encoding: terminal.UTF8})
	if err != nil {
		return fold{}, l.tree.failureIn(n, err)
	}
	if n.JSONString {
		raw := l.st.Runes([]rune{0x20, '"' - 1, '"' + 1, '\\' - 1, '\\' + 1, 0x10FFFF}, terminal.UTF8)
		e = l.st.And(e, l.st.Star(raw))
	}
	if size := n.Regex.Size(); size <= limits.RuleFold && !inspect.Counts(l.st, e) {
		return fold{status: plain, expr: e, size: int(size)}, nil
	}
	return fold{status: single, expr: e}, nil
}

func (t *Tree) failureIn(n *Node, err error) error {
	var e *diag.Error
	if !errors.As(err, &e) {
		return err
	}
	return t.Failure(e.Code, n.At, e.Keyword,
		"in the pattern %q: %s", diag.Shorten(n.Text, 40), e.Message)
}

func (l *folder) foldSubstring(n *Node) fold {
	out := fold{status: plain, expr: terminal.Epsilon, size: 1}
	size := 0
	for _, c := range n.Chunks {
		size += len(c)
	}
	l.st.Work().Spend(NodeWork * size)
	if size > 0 {
		name, m := substrings.New(n.Chunks)
		out.expr = l.st.Machine(name, m)
	}
	return out
}

func (l *folder) schema(n *Node) error {
	if l.parts[n.Part] != 0 {
		return nil
	}
	id, err := n.Part.Rule(l.st, l.g)
	l.parts[n.Part] = id
	return err
}

func (l *folder) foldBoolean(n *Node) (fold, error) {
	out := fold{}
	xs := make([]terminal.Expr, len(n.Subs))
	for i, sub := range n.Subs {
		f, err := l.regular(sub)
		if err != nil {
			return fold{}, err
		}
		out.size += f.size
		out.tokens = n.Kind == Both && (out.tokens || f.tokens)
		xs[i] = f.expr
	}
	if n.Kind == Both {
		out.expr = l.st.And(xs...)
	} else {
		out.expr = l.st.And(l.anyText, l.st.Not(xs[0]))
	}
	return l.settled(out), nil
}

// foldFollowed folds texts that begin with a text of a look-ahead. It refuses texts that are a proper prefix of such a
// text, because their continuation would have to supply the rest.
func (l *folder) foldFollowed(n *Node) (fold, error) {
	body, err := l.regular(n.Subs[0])
	if err != nil {
		return fold{}, err
	}
	ahead, err := l.regular(n.Subs[1])
	if err != nil {
		return fold{}, err
	}
	unit := l.unit(true)
	begun := l.st.Concat(ahead.expr, l.st.Star(unit))
	short := l.st.And(body.expr, l.st.Not(begun))
	if !l.st.IsEmpty(l.st.And(l.st.Concat(short, l.st.Plus(unit)), ahead.expr)) {
		return fold{}, l.tree.Failure(diag.Unsupported, n.At, "(=", "a look-ahead checks the elements after it in "+
			"the same sequence, but here they may end before it does; write the text that may follow into the rule")
	}
	out := fold{
		status: plain, expr: l.st.And(body.expr, begun), size: body.size + ahead.size, tokens: body.tokens,
	}
	if out.size > limits.RuleFold {
		out.status = single
	}
	return out, nil
}

func (l *folder) foldRepeat(n *Node) (fold, error) {
	body, err := l.fold(n.Subs[0])
	switch {
	case err != nil:
		return fold{}, err
	case n.Max == 0:
		return fold{status: plain, expr: terminal.Epsilon}, nil
	case n.Min == 1 && n.Max == 1:
		return body, nil
	case body.status != plain:
		return fold{}, nil
	}
	times := n.Max
	if times == grammar.Unbounded {
		times = n.Min
	}
	if c := n.Subs[0]; c.Kind == Class && times > limits.RuleCounter &&
		(times > limits.RuleNarrowCounter || charclass.Len(c.Pairs) > limits.RuleNarrow) {
		e := l.st.Counted(l.st.Star(body.expr), terminal.UTF8, n.Min, n.Max)
		return fold{status: single, expr: e, class: c.Pairs}, nil
	}
	size := body.size * int(max(min(times, limits.RuleFold), 1))
	if (times > limits.RuleRepeatFold || size > limits.RuleRepeatFold && times > 1) &&
		!inspect.PrefixFree(l.st, body.expr) {
		return fold{}, nil
	}
	f := fold{status: plain, size: size, tokens: body.tokens}
	if n.Min > 0 {
		f.class = body.class
	}
	f.expr = l.st.Repeat(body.expr, n.Min, n.Max)
	return f, nil
}

func (l *folder) foldAttributed(n *Node) (fold, error) {
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

func (l *folder) lowerAttributed(n *Node) (x attributed, err error) {
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

// bounded returns the body of n within its max_chars. A token counts as one. Counters beside the state count only
// characters, so the count is written out if there are tokens.
func (l *folder) bounded(n *Node) (fold, error) {
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

// linear returns body n of rule self as β·self | α, or self·β | α if left, with regular β and α, as rules for blanks or
// digits are often written. It equals β*·α or α·β* (Lemma 22).
func (l *folder) linear(n *Node, self int, left bool) (beta, alpha fold, ok bool) {
	nothing, empty := fold{status: plain, expr: terminal.Empty}, fold{status: plain, expr: terminal.Epsilon}
	n = n.bare()
	switch f := l.folds[n.serial]; {
	case n.Kind == Ref && n.Rule == self:
		return empty, nothing, true
	case f.status == plain:
		return nothing, f, true
	}
	switch n.Kind {
	case Alt:
		betas, alphas := make([]fold, len(n.Subs)), make([]fold, len(n.Subs))
		for i, sub := range n.Subs {
			if betas[i], alphas[i], ok = l.linear(sub, self, left); !ok {
				return beta, alpha, false
			}
		}
		return l.union(betas), l.union(alphas), true
	case Repeat:
		beta, alpha, ok = l.linear(n.Subs[0], self, left)
		return beta, l.union([]fold{alpha, empty}), ok && n.Min == 0 && n.Max == 1
	case Seq:
		edge, others := n.Subs[len(n.Subs)-1], n.Subs[:len(n.Subs)-1]
		if left {
			edge, others = n.Subs[0], n.Subs[1:]
		}
		beta, alpha, ok = l.linear(edge, self, left)
		var rest []fold
		for _, sub := range others {
			rest = append(rest, l.folds[sub.serial])
		}
		around := func(f fold) fold {
			if left {
				return l.join(slices.Concat([]fold{f}, rest))
			}
			return l.join(slices.Concat(rest, []fold{f}))
		}
		return around(beta), around(alpha), ok
	}
	return beta, alpha, false
}

// foldLoop folds the rule r if it is linear. Its only unfolded reference must be to itself.
func (l *folder) foldLoop(r int) fold {
	for _, left := range []bool{false, true} {
		b, a, ok := l.linear(l.tree.Rules[r].Body, r, left)
		// Without an alternative that ends, the rule matches nothing. A later pass finds and reports that.
		if !ok || b.status != plain || a.status != plain || a.expr == terminal.Empty {
			continue
		}
		star := fold{status: plain, expr: l.st.Star(b.expr), size: b.size, tokens: b.tokens}
		if left {
			return l.join([]fold{a, star})
		}
		return l.join([]fold{star, a})
	}
	return fold{}
}
