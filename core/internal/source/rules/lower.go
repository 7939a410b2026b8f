package rules

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/freetext"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// lowering makes the rules of a grammar from a tree and its folds.
type lowering struct {
	*folder
	where grammar.Text
	ids   []grammar.RuleID // by rule; 0 until a symbol refers to it
	uses  []int            // by rule: elements that refer to it, and 1 for the start
	queue []int            // rules with an id and without alternatives
	now   int
	err   error // the first failure while rules are defined
}

// Lower adds the grammar, without captures, to g and returns its start rule.
func (t *Tree) Lower(st *terminal.Store, g *grammar.Grammar) (grammar.RuleID, error) {
	t.Uncut = nil
	start, _, err := t.lower(st, g)
	return start, err
}

func (t *Tree) lower(st *terminal.Store, g *grammar.Grammar) (grammar.RuleID, *lowering, error) {
	l := &lowering{where: t.Places(), ids: make([]grammar.RuleID, len(t.Rules)), uses: t.uses(), folder: &folder{
		st: st, g: g, tree: t, rules: make([]fold, len(t.Rules)),
		folds: make([]fold, t.nodes), done: make([]bool, t.nodes),
		work: limits.RuleFoldWork + 16*t.nodes, anyText: st.Star(st.AnyRune(terminal.UTF8)),
		parts: map[*jsonschema.Part]grammar.RuleID{}, attributed: map[*Node]attributed{},
	}}
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
			l.rules[r] = f
		}
	}
	return nil
}

// rule returns the grammar rule of rule r, which define fills later.
func (l *lowering) rule(r int) grammar.RuleID {
	id := &l.ids[r]
	if *id == 0 {
		*id = l.g.NewRule(l.tree.Rules[r].Name)
		l.g.Rules[*id].Origin = grammar.Origin{Text: l.where, At: uint32(r)}
		l.queue = append(l.queue, r)
	}
	return *id
}

// define gives rule r its alternatives.
func (l *lowering) define(r int) {
	id, rule := l.ids[r], &l.tree.Rules[r]
	l.at(r)
	if f := l.rules[r]; f.status != unfolded {
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
	alts = l.joinAlike(id, name, alts)
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

// alikeLeast is how many alternatives have to begin alike to share their beginning.
//
// PERF: a mask of a Lark grammar with a rule for each of 30 operators takes 40 ms if each of them begins its own operand.
const alikeLeast = 4

// joinAlike gives the rule id the alternatives that begin with one other rule, as that rule and one more for the rests. It
// returns the others. Alternatives of a rule that is used nowhere else count as alternatives of the rule that uses it.
// Alternatives that fit into one terminal stay as they are, and so do those that begin with the rule itself: rewriting
// flattens operators, which makes a third fewer states.
func (l *lowering) joinAlike(id grammar.RuleID, name string, alts []*Node) (others []*Node) {
	all := l.withOnlyUses(alts)
	groups := map[int]*alike{}
	var order []*alike
	for _, alt := range all {
		r, rest := beginsWith(alt)
		if rest == nil || l.ids[r] == id {
			continue
		}
		x := groups[r]
		if x == nil {
			x = &alike{rule: r}
			groups[r], order = x, append(order, x)
		}
		if f, err := l.fold(alt); err != nil || f.status != plain {
			x.size = limits.RuleFold
		} else {
			x.size += f.size
		}
		x.rests = append(x.rests, rest)
	}
	order = slices.DeleteFunc(order, func(x *alike) bool { return len(x.rests) < alikeLeast || x.size < limits.RuleFold })
	if len(order) == 0 {
		return alts
	}
	for _, x := range order {
		rests := l.g.NewRule(name)
		l.addRests(rests, name, x.rests)
		l.g.Add(id, l.symbolOf(x.rule), grammar.N(rests))
	}
	return slices.DeleteFunc(all, func(alt *Node) bool {
		r, rest := beginsWith(alt)
		return rest != nil && slices.Contains(order, groups[r])
	})
}

// alike is alternatives that begin with one rule.
type alike struct {
	rule  int
	rests [][]*Node // the elements behind the rule, by alternative
	size  int       // of their terminals together; limits.RuleFold or more if some are none
}

// withOnlyUses returns alts with the alternatives of a rule in place of its only use.
func (l *lowering) withOnlyUses(alts []*Node) (all []*Node) {
	for left := slices.Clone(alts); len(left) > 0; {
		n := left[0].bare()
		left = left[1:]
		if n.Kind == Ref && l.uses[n.Rule] == 1 && !l.tree.Rules[n.Rule].Apart {
			if body := l.tree.Rules[n.Rule].Body.bare(); body.Kind == Alt || body.Kind == Seq {
				left = append(slices.Clone(alternativesOf(body)), left...)
				continue
			}
		}
		all = append(all, n)
	}
	return all
}

// beginsWith returns the rule with which an alternative begins, and the elements behind it, nil if there is no such rule.
func beginsWith(alt *Node) (r int, rest []*Node) {
	if alt = alt.bare(); alt.Kind != Seq {
		return 0, nil
	}
	if first := alt.Subs[0].bare(); first.Kind == Ref {
		return first.Rule, alt.Subs[1:]
	}
	return 0, nil
}

// symbolOf returns the symbol of rule r.
func (l *lowering) symbolOf(r int) grammar.Symbol {
	if f := l.rules[r]; f.status != unfolded {
		return grammar.T(f.expr)
	}
	return grammar.N(l.rule(r))
}

// addRests gives the rule id the sequences rests. Those that are a terminal before one rule share the terminal.
func (l *lowering) addRests(id grammar.RuleID, name string, rests [][]*Node) {
	folds := map[int][]fold{} // by the rule behind them
	var order []int
	for _, rest := range rests {
		last := rest[len(rest)-1].bare()
		if f, ok := l.terminalOf(rest[:len(rest)-1]); ok && last.Kind == Ref {
			if folds[last.Rule] == nil {
				order = append(order, last.Rule)
			}
			folds[last.Rule] = append(folds[last.Rule], f)
		} else {
			l.g.Add(id, l.sequence(name, rest...)...)
		}
	}
	for _, r := range order {
		if u := l.union(folds[r]); u.status == plain {
			l.g.Add(id, grammar.T(u.expr), l.symbolOf(r))
			continue
		}
		for _, f := range folds[r] {
			l.g.Add(id, grammar.T(f.expr), l.symbolOf(r))
		}
	}
}

// terminalOf returns the terminal of one or more elements; ok is false if they are none.
func (l *lowering) terminalOf(subs []*Node) (f fold, ok bool) {
	fs := make([]fold, len(subs))
	for i, n := range subs {
		var err error
		if fs[i], err = l.fold(n); err != nil || fs[i].status != plain {
			return fold{}, false
		}
	}
	f = l.join(fs)
	return f, len(fs) > 0 && f.status == plain
}

func (l *lowering) sequence(name string, subs ...*Node) grammar.Sequence {
	b := &sequenceBuilder{l: l.folder}
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
		if f := l.rules[n.Rule]; f.status != unfolded {
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
		l.addAttributed(id, name, n, &x)
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

// addAttributed gives the rule id the texts of n, which has a scope or is free text.
func (l *lowering) addAttributed(id grammar.RuleID, name string, n *Node, x *attributed) {
	if n.hasScope() {
		scope := n.scope()
		l.g.Rules[id].Scope = scope
		scope.Cut, scope.Behind = x.cut, l.follows(n)
	}
	switch {
	case x.cut:
		l.addCut(id, n, x)
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

// addRegion gives the rule id the free text of a region; each trigger is followed by its continuation, then by more.
//
// The end of the text tells the branch. So as many marks precede the text as the branch with the most has; other
// branches close the marks that they have not opened.
func (l *lowering) addRegion(id grammar.RuleID, name string, r region, more ...grammar.Symbol) {
	if slices.ContainsFunc(r.branches, func(b branch) bool { return b.texts == nil }) {
		l.addSearch(id, name, r, more)
		return
	}
	scope := l.scopeOf(r)
	opens, behind := l.marksOf(name, r)
	var patterns []terminal.ScanPattern
	tags := map[string]uint32{}
	var cases []grammar.Case
	for _, b := range r.branches {
		then := append(behind(b), more...)
		for _, t := range b.texts {
			tag, twice := tags[t]
			if twice {
				cases[tag].Then = l.either(name, cases[tag].Then, then)
				continue
			}
			tags[t] = uint32(len(patterns))
			patterns = append(patterns, terminal.ScanPattern{Text: t, Tag: tags[t]})
			cases = append(cases, grammar.Case{Tag: tags[t], Then: then})
		}
	}
	for i, b := range r.ends {
		then, last := behind(b), len(cases)-1
		switch {
		case i == 0:
			cases = append(cases, grammar.Case{Tag: terminal.ScanEnd, Then: then})
		case len(opens) > 0:
			cases[last].Then = l.either(name, cases[last].Then, then)
		}
	}
	text := l.g.NewSwitch(l.st.Scan(patterns, false), cases...)
	l.g.Switches[text.Index].Scope = scope
	l.g.Add(id, append(opens, text)...)
}

func (l *lowering) scopeOf(r region) (all *grammar.Scope) {
	for _, b := range slices.Concat(r.branches, r.ends) {
		if b.at != nil {
			l.fail(l.refusedScope(b))
		}
		if b.scope != nil && (all == nil || b.scope.Temperature > all.Temperature) {
			all = b.scope
		}
	}
	return all
}

// marksOf returns the marks before the text of a region, and the symbols behind the text of a branch.
func (l *lowering) marksOf(name string, r region) (opens grammar.Sequence, behind func(b branch) grammar.Sequence) {
	most := 0
	for _, b := range slices.Concat(r.branches, r.ends) {
		most = max(most, b.opens)
	}
	marks := func(mark byte, n int) (seq grammar.Sequence) {
		for range n {
			seq = append(seq, grammar.T(spelling.Marks(l.st, []byte{mark})))
		}
		return seq
	}
	return marks(spelling.MarkOpen, most), func(b branch) grammar.Sequence {
		return append(marks(spelling.MarkClose, most-b.opens), l.sequence(name, b.then.nodes()...)...)
	}
}

func (l *lowering) either(name string, a, b grammar.Sequence) grammar.Sequence {
	id := l.g.NewRule(name)
	l.g.Add(id, a...)
	l.g.Add(id, b...)
	return grammar.Sequence{grammar.N(id)}
}

func (l *lowering) refusedScope(b branch) error {
	if b.limited {
		return l.tree.Failure(diag.Unsupported, b.at.At, "max_tokens", "free text beside other free text ends at "+
			"any of their ends, so it cannot have max_tokens; limit the rule that follows it")
	}
	return l.tree.Failure(diag.Unsupported, b.at.At, "temperature",
		"a rule with a temperature or max_tokens begins with free text here, goes on behind it and stands beside "+
			"other free text; give the option to the free text, and to the rule behind it")
}

// addSearch is addRegion for triggers that are patterns: a text is the shortest that ends in one of them.
func (l *lowering) addSearch(id grammar.RuleID, name string, r region, more grammar.Sequence) {
	all := make([]terminal.Expr, len(r.branches))
	for i, b := range r.branches {
		all[i] = l.attributed[b.free].whole.expr
	}
	l.scopeOf(r)
	opens, behind := l.marksOf(name, r)
	found := l.st.Or(all...)
	first := l.shortest(fold{expr: found})
	for i, b := range r.branches {
		l.g.Add(id, slices.Concat(opens, l.within(name, b, l.st.And(first, all[i])), behind(b), more)...)
	}
	for i, b := range r.ends {
		if i == 0 || len(opens) > 0 {
			none := l.st.And(l.anyText, l.st.Not(l.st.Concat(found, l.anyText)))
			l.g.Add(id, slices.Concat(opens, l.within(name, b, none), behind(b))...)
		}
	}
}

func (l *lowering) within(name string, b branch, text terminal.Expr) grammar.Sequence {
	if b.scope == nil {
		return grammar.Sequence{grammar.T(text)}
	}
	id := l.g.NewRule(name)
	l.g.Rules[id].Scope = b.scope
	l.g.Add(id, grammar.T(text))
	return grammar.Sequence{grammar.N(id)}
}

func (l *lowering) loop(name string, r region) grammar.Symbol {
	id := l.g.NewRule(name)
	l.addRegion(id, name, r, grammar.N(id))
	if len(r.ends) == 0 {
		l.g.Add(id)
	}
	return grammar.N(id)
}

func (l *lowering) addDispatch(id grammar.RuleID, name string, n *Node) error {
	r := freetext.Region{
		Stops: n.Chunks, Kills: n.Excludes, Open: true,
		Refuse: func(code diag.Code, _ int, message string) error {
			return l.tree.Failure(code, n.At, "TagDispatch", "%s", message)
		},
	}
	for i, sub := range n.Subs {
		follow := l.sequence(name, sub)
		if n.Max != 1 {
			follow = append(follow, grammar.N(id))
		}
		r.Goals = append(r.Goals, freetext.Goal{
			Text: n.Chunks[i], Follow: follow, Tag: i, MayBegin: func(string) bool { return true },
		})
	}
	text, err := freetext.Lower(l.st, l.g, &r)
	l.g.Add(id, text...)
	return err
}
