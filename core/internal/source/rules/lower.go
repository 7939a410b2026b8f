package rules

import (
	"errors"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

type loweredRule struct {
	fold fold
	id   grammar.RuleID // 0 until a symbol refers to it
}

type lowering struct {
	st    *terminal.Store
	g     *grammar.Grammar
	tree  *Tree
	where grammar.Text
	rules []loweredRule
	folds []fold // by Node.serial
	done  []bool
	work  int
	queue []int // rules with an id and without alternatives
	now   int
	err   error // the first failure while rules are defined

	anyText    terminal.Expr
	attributed map[*Node]attributed
	parts      map[*jsonschema.Part]grammar.RuleID
}

// Lower adds the grammar, without captures, to g and returns its start rule.
func (t *Tree) Lower(st *terminal.Store, g *grammar.Grammar) (grammar.RuleID, error) {
	t.Uncut = nil
	start, _, err := t.lower(st, g)
	return start, err
}

func (t *Tree) lower(st *terminal.Store, g *grammar.Grammar) (grammar.RuleID, *lowering, error) {
	l := &lowering{
		st: st, g: g, tree: t, where: t.Places(), rules: make([]loweredRule, len(t.Rules)),
		folds: make([]fold, t.nodes), done: make([]bool, t.nodes),
		work: limits.RuleFoldWork + 16*t.nodes, anyText: st.Star(st.AnyRune(terminal.UTF8)),
		parts: map[*jsonschema.Part]grammar.RuleID{}, attributed: map[*Node]attributed{},
	}
	defer st.Work().At(func() *diag.Error { return l.where.Place(uint32(l.now)) })()
	for _, part := range t.components() {
		if err := l.component(part); err != nil {
			return 0, nil, err
		}
	}
	start := l.rule(t.Start)
	for len(l.queue) > 0 {
		r := l.queue[len(l.queue)-1]
		l.queue = l.queue[:len(l.queue)-1]
		l.define(r)
	}
	return start, l, l.err
}

func (l *lowering) at(r int) {
	l.now = r
	l.g.At = grammar.Origin{Text: l.where, At: uint32(r)}
}

func (l *lowering) component(rules []int) error {
	for _, r := range rules {
		l.at(r)
		f, err := l.fold(l.tree.Rules[r].Body)
		if err != nil {
			return err
		}
		if len(rules) == 1 && !l.tree.Rules[r].Apart {
			if f.status == unfolded {
				f = l.foldLoop(r)
			}
			l.rules[r].fold = f
		}
	}
	return nil
}

func (t *Tree) failureIn(n *Node, err error) error {
	var e *diag.Error
	if !errors.As(err, &e) {
		return err
	}
	return t.Failure(e.Code, n.At, e.Keyword,
		"in the pattern %q: %s", diag.Shorten(n.Text, 40), e.Message)
}

// rule returns the grammar rule of rule r, which define fills later.
func (l *lowering) rule(r int) grammar.RuleID {
	if l.rules[r].id == 0 {
		l.rules[r].id = l.g.NewRule(l.tree.Rules[r].Name)
		l.g.Rules[l.rules[r].id].Origin = grammar.Origin{Text: l.where, At: uint32(r)}
		l.queue = append(l.queue, r)
	}
	return l.rules[r].id
}

// define gives rule r its alternatives.
func (l *lowering) define(r int) {
	id, rule := l.rules[r].id, &l.tree.Rules[r]
	l.at(r)
	if f := l.rules[r].fold; f.status != unfolded {
		l.g.Add(id, grammar.T(f.expr))
		return
	}
	l.addAll(id, rule.Name, alternativesOf(rule.Body))
}

func alternativesOf(n *Node) []*Node {
	if n = n.bare(); n.Kind == Alt {
		return n.Subs
	}
	return []*Node{n}
}

// addAll gives the rule id these alternatives. Regular ones share terminals; ones that begin with free text share a
// scan.
func (l *lowering) addAll(id grammar.RuleID, name string, alts []*Node) {
	r, alts := l.competing(alts)
	if len(r.branches) > 0 {
		l.addRegion(id, name, r)
	}
	tries, alts, err := l.gatherTexts(alts)
	folds := make([]fold, 0, len(alts)+len(tries))
	for _, alt := range alts {
		var f fold
		if err == nil {
			f, err = l.fold(alt)
		}
		if f.status == plain {
			folds = append(folds, f)
		} else {
			l.g.Add(id, l.sequence(name, alt)...)
		}
	}
	l.fail(err)
	folds = append(folds, tries...)
	for len(folds) > 0 {
		n, size := 0, 0
		for n < len(folds) && (n == 0 || size+folds[n].size <= limits.RuleFold) {
			size += folds[n].size
			n++
		}
		if u := l.union(folds[:n]); u.status == plain {
			l.g.Add(id, grammar.T(u.expr))
		} else {
			for _, f := range folds[:n] {
				l.g.Add(id, grammar.T(f.expr))
			}
		}
		folds = folds[n:]
	}
}

func (l *lowering) sequence(name string, n *Node) grammar.Sequence {
	return l.elements(name, []*Node{n})
}

func (l *lowering) elements(name string, subs []*Node) grammar.Sequence {
	b := &sequenceBuilder{l: l}
	l.appendAll(b, name, subs)
	b.flush()
	return b.out
}

func (l *lowering) appendAll(b *sequenceBuilder, name string, subs []*Node) {
	for i := 0; i < len(subs); i++ {
		if r, used := l.looped(subs[i:]); used > 0 {
			b.symbol(l.loop(name, r))
			i += used - 1
			continue
		}
		l.append(b, name, subs[i])
	}
}

func (l *lowering) append(b *sequenceBuilder, name string, n *Node) {
	n = n.bare()
	l.st.Work().Spend(NodeWork * (1 + len(n.Subs)))
	if f := l.folds[n.serial]; f.status != unfolded {
		b.terminal(f)
		return
	}
	switch n.Kind {
	case Ref:
		if f := l.rules[n.Rule].fold; f.status != unfolded {
			b.terminal(f)
		} else {
			b.symbol(grammar.N(l.rule(n.Rule)))
		}
	case Seq:
		l.appendAll(b, name, n.Subs)
	case Schema:
		b.symbol(grammar.N(l.parts[n.Part]))
	case Dispatch:
		id := l.g.NewRule(name)
		l.fail(l.addDispatch(id, name, n))
		b.symbol(grammar.N(id))
	case Attributed:
		x := l.attributed[n]
		if x.cut && n.marked {
			first, last := l.withoutEnd(&x)
			b.terminal(first)
			b.terminal(last)
			return
		}
		id := l.g.NewRule(name)
		if n.hasScope() {
			l.addScoped(id, name, n)
		} else {
			l.addRegion(id, name, region{branches: []branch{{free: n, texts: x.texts}}})
		}
		b.symbol(grammar.N(id))
	case Repeat:
		b.symbol(l.repeat(name, n))
	case Alt:
		id := l.g.NewRule(name)
		l.addAll(id, name, n.Subs)
		b.symbol(grammar.N(id))
	}
}

func (l *lowering) repeat(name string, n *Node) grammar.Symbol {
	if n.Min == 0 && n.Max == 1 {
		id := l.g.NewRule(name)
		l.addAll(id, name, alternativesOf(n.Subs[0]))
		l.g.Add(id)
		return grammar.N(id)
	}
	return l.g.NewRepeat(n.Min, n.Max, l.sequence(name, n.Subs[0])...)
}

// sequenceBuilder joins neighbouring terminals into one if that keeps them fast.
type sequenceBuilder struct {
	l       *lowering
	out     grammar.Sequence
	pending []fold // plain, not yet a symbol
	size    int
	counted *fold // a single, behind at most one pending fold, that waits for its continuation
}

func (b *sequenceBuilder) symbol(s grammar.Symbol) {
	b.flush()
	b.out = append(b.out, s)
}

// terminal adds f. A counted class keeps its counter beside the state only if its end is visible at once: its terminal
// then includes a fixed text before it and one following element that cannot continue it. Otherwise it stays alone.
func (b *sequenceBuilder) terminal(f fold) {
	switch {
	case f.status == single:
		last := len(b.pending) - 1
		var prefix []fold
		if b.counted == nil && last >= 0 && b.pending[last].fixed && f.class != nil {
			prefix = []fold{b.pending[last]}
			b.pending = b.pending[:last]
		}
		b.flush()
		b.pending, b.counted = prefix, &f
	case b.counted != nil:
		if b.counted.class != nil && f.class != nil && apart(f.class, b.counted.class) {
			x := *b.counted
			x.expr = b.l.st.Concat(append(exprs(b.pending), x.expr, f.expr)...)
			b.out = append(b.out, grammar.T(x.expr))
			b.pending, b.counted, b.size = nil, nil, 0
			return
		}
		b.flush()
		b.terminal(f)
	default:
		if b.size+f.size > limits.RuleFold {
			b.flush()
		}
		b.pending = append(b.pending, f)
		b.size += f.size
	}
}

// apart reports whether spellings of characters of a and b have no byte in common.
func apart(a, b []rune) bool {
	return charclass.Disjoint(a, b) && (a[len(a)-1] < utf8.RuneSelf || b[len(b)-1] < utf8.RuneSelf)
}

func exprs(fs []fold) []terminal.Expr {
	xs := make([]terminal.Expr, len(fs))
	for i, f := range fs {
		xs[i] = f.expr
	}
	return xs
}

func (b *sequenceBuilder) flush() {
	xs := exprs(b.pending)
	if b.counted != nil {
		xs = append(xs, b.counted.expr)
	}
	if len(xs) > 0 && (len(xs) == 1 || b.counted != nil || b.l.spend(b.size)) {
		b.out = append(b.out, grammar.T(b.l.st.Concat(xs...)))
	} else {
		for _, x := range xs {
			b.out = append(b.out, grammar.T(x))
		}
	}
	b.pending, b.counted, b.size = nil, nil, 0
}
