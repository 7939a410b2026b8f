package pushdown

import (
	"slices"
	"sort"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// NewProgram rewrites and links g. It returns the errors of rewrite.Run.
func NewProgram(st *terminal.Store, g *grammar.Grammar) (*Program, error) {
	return newProgram(st).begin(g)
}

func (p *Program) begin(g *grammar.Grammar) (*Program, error) {
	p.code.Append(instruction{op: opEnd})
	p.rules.Append(rule{})
	p.accept = p.emit(opAccept, 0)
	start, err := p.link(g)
	if err != nil {
		return nil, err
	}
	p.start = p.emit(opCall, start)
	return p, nil
}

// link adds g to the program and returns its start rule.
func (p *Program) link(g *grammar.Grammar) (uint32, error) {
	written := g
	g, info, err := rewrite.Run(p.st, g)
	if err != nil {
		return 0, err
	}
	l := &linker{p: p, g: g, info: info}
	l.rules = p.rules.Span(len(g.Rules))
	l.repeats = p.repeats.Span(max(len(g.Repeats), 1))
	l.objs = p.objects.Span(max(len(g.Objects), 1))
	l.choices = p.switches.Span(max(len(g.Switches), 1))
	l.bools = p.booleans.Span(max(len(g.Booleans), 1))
	for i := range g.Repeats {
		l.repeat(i)
	}
	for i := range g.Objects {
		l.object(i)
	}
	for i := range g.Switches {
		l.choice(i)
	}
	for i, b := range g.Booleans {
		b.Left.NonEmpty, b.Right.NonEmpty = true, true
		n := boolean{left: l.sequence(grammar.Sequence{b.Left}), is: b.Is, few: b.Few}
		if b.Is != grammar.Distinct {
			n.right = l.sequence(grammar.Sequence{b.Right})
		}
		*p.booleans.At(l.bools + uint32(i)) = n
	}
	for i := 1; i < len(g.Rules); i++ {
		l.rule(i)
	}
	p.ranks += uint32(len(g.Rules))
	if p.linked != nil {
		p.linked(l, written)
	}
	return l.rules + uint32(g.Start), nil
}

func (l *linker) rule(i int) {
	src, p := &l.g.Rules[i], l.p
	r := rule{rank: p.ranks + l.info.Rank[i], nullable: l.info.NullableRule[i]}
	if src.Lazy != nil {
		r.lazy = &lazyRule{expand: src.Lazy}
	}
	if !p.joins { // a lazy rule sets it at the first link, so an expansion never writes it while others read it
		p.joins = src.Lazy != nil || len(l.g.Booleans) > 0
	}
	if src.Scope != nil {
		r.scope = &scope{leave: p.emit(opLeave, l.rules+uint32(i)), Scope: *src.Scope}
		r.scope.ends = p.emit(opEnds, l.rules+uint32(i))
		if src.Scope.Behind != 0 {
			r.scope.ends = l.symbol(grammar.T(src.Scope.Behind), r.scope.ends)
		}
		p.heated.Store(p.heated.Load() || src.Scope.Heated)
		p.limited.Store(p.limited.Load() || src.Scope.MaxTokens > 0)
	}
	starts := make([]dot, len(src.Alternatives))
	for k, a := range src.Alternatives {
		if r.scope != nil && r.scope.Cut {
			starts[k] = l.cutSequence(a, l.rules+uint32(i))
		} else {
			starts[k] = l.sequence(a)
		}
	}
	r.count = uint32(len(starts))
	r.alternatives = p.starts.Span(len(starts))
	copy(p.starts.Slice(r.alternatives, len(starts)), starts)
	*p.rules.At(l.rules + uint32(i)) = r
}

// symbolWork is the price of linking a symbol in a compilation.
const symbolWork = 4

func (l *linker) sequence(seq grammar.Sequence) dot {
	l.p.st.Work().Spend(symbolWork * (1 + len(seq)))
	d := end
	for _, s := range slices.Backward(seq) {
		d = l.symbol(s, d)
	}
	return d
}

// cutSequence is sequence for a rule with Scope.Cut. It puts opCut before the last symbol.
func (l *linker) cutSequence(seq grammar.Sequence, rule uint32) dot {
	l.p.st.Work().Spend(symbolWork * (2 + len(seq)))
	d := end
	for i, s := range slices.Backward(seq) {
		if d = l.symbol(s, d); i == len(seq)-1 {
			d = l.p.prepend(instruction{op: opCut, arg: rule, rest: d})
		}
	}
	return d
}

// symbol returns the sequence of s and rest.
func (l *linker) symbol(s grammar.Symbol, rest dot) dot {
	in := instruction{arg: s.Index, nonEmpty: s.NonEmpty, rest: rest}
	switch s.Kind {
	case grammar.Terminal:
		in.op = opTerminal
	case grammar.Call:
		in.op, in.arg = opCall, l.rules+s.Index
	case grammar.RepeatNode:
		in.op, in.arg = opRepeat, l.repeats+s.Index
	case grammar.ObjectNode:
		in.op, in.arg = opObject, l.objs+s.Index
	case grammar.SwitchNode:
		in.op, in.arg = opSwitch, l.choices+s.Index
	case grammar.BooleanNode:
		in.op, in.arg = opBoolean, l.bools+s.Index
	}
	return l.p.prepend(in)
}

func (l *linker) repeat(i int) {
	src := &l.g.Repeats[i]
	id := l.repeats + uint32(i)
	*l.p.repeats.At(id) = repeat{
		body: l.sequence(src.Body), next: l.p.emit(opRepeatNext, id), min: src.Min, max: src.Max,
	}
}

func (l *linker) object(i int) {
	src, p := &l.g.Objects[i], l.p
	id := l.objs + uint32(i)
	o := object{
		keys: src.Keys, commaQuote: p.st.Concat(src.Comma, src.Quote),
		open: src.Open, close: src.Close, quote: src.Quote,
		first: p.emit(opObjectFirst, id), key: p.emit(opObjectKey, id), tag: p.emit(opObjectTag,
			id), next: p.emit(opObjectNext, id),
		minMembers: src.MinMembers, maxMembers: src.MaxMembers,
		counts: src.MinMembers > 0 || src.MaxMembers != grammar.Unbounded, ordered: src.Ordered,
	}
	if src.Tags != nil {
		o.place = make([]uint32, len(src.Tags))
		for k, tag := range src.Tags {
			o.place[tag] = uint32(k)
		}
	}
	n := len(src.Properties)
	if !src.AnyOrder {
		o.ordered = uint32(n)
	}
	o.values = make([]dot, n)
	o.requiredFrom = make([]uint32, n+1)
	for k := n - 1; k >= 0; k-- {
		o.requiredFrom[k] = o.requiredFrom[k+1]
		if src.Properties[k].Required {
			o.requiredFrom[k]++
		}
	}
	for k := range src.Properties {
		if v := src.Properties[k].Value; v.Kind != 0 {
			o.values[k] = l.sequence(grammar.Sequence{grammar.T(src.Colon), v})
			if uint32(k) >= o.ordered {
				o.available++
			}
		}
	}
	for _, e := range src.Extra {
		o.extras = append(o.extras, extra{e.Key, l.sequence(grammar.Sequence{grammar.T(src.Colon), e.Value})})
	}
	p.lists += 4*(cap(o.values)+cap(o.place)+cap(o.requiredFrom)) + 8*cap(o.extras)
	*p.objects.At(id) = o
}

func (l *linker) choice(i int) {
	src, p := &l.g.Switches[i], l.p
	id := l.choices + uint32(i)
	w := switchNode{on: src.On, tag: p.emit(opSwitchTag, id), nullable: l.info.NullableSwitch[i]}
	if src.Scope != nil {
		w.scope = &scope{Scope: *src.Scope}
		p.heated.Store(true)
	}
	for _, c := range src.Cases {
		w.cases = append(w.cases, switchCase{c.Tag, l.sequence(c.Then)})
	}
	p.lists += 8 * cap(w.cases)
	sort.SliceStable(w.cases, func(a, b int) bool { return w.cases[a].tag < w.cases[b].tag })
	w.partial = w.lacksCase(p.st)
	*p.switches.At(id) = w
}

// lacksCase reports whether the terminal of w can end in a tag without a case. A text may then have no continuation.
// Free text needs no case for its end (ScanEnd) if it has patterns, because one of them can always follow.
func (w *switchNode) lacksCase(st *terminal.Store) bool {
	tags := st.ReachableTags(w.on)
	if relax.EndsInScan(st, w.on) && len(tags) > 1 {
		tags = slices.DeleteFunc(slices.Clone(tags), func(tag uint32) bool { return tag == terminal.ScanEnd })
	}
	return slices.ContainsFunc(tags, func(tag uint32) bool { _, ok := w.find(tag); return !ok })
}

// expand links the grammar of lazy rule id, once for all automata of the program.
func (p *Program) expand(id uint32) error {
	r := p.rules.At(id)
	if r.lazy.done.Load() {
		return r.lazy.err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.lazy.done.Load() {
		return r.lazy.err
	}
	g, err := r.lazy.expand(p.st)
	if err == nil {
		var start uint32
		if start, err = p.link(g); err == nil {
			at := p.starts.Span(1)
			*p.starts.At(at) = p.emit(opCall, start)
			r.alternatives, r.count = at, 1
			p.expanded = append(p.expanded, id)
		}
	}
	r.lazy.err = err
	r.lazy.done.Store(true)
	return err
}
