// Package pushdown runs a grammar over bytes as an automaton whose states are made on demand. A state is an interned
// set of items, each a terminal that the text is in the middle of and a node. Nodes are the interned graph of stacks.
//
// Invariant: equal content is the same state. So a transition that was taken once is known for good, a fork copies an
// id, and a rollback remembers one. The package knows no vocabulary. Start reading at Program (the linked grammar),
// then closure.go (the items after a node), step.go (transitions), stacks.go (nodes) and meter.go (prices).
package pushdown

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// op is the kind of an instruction.
type op uint8

const (
	opEnd         op = iota // the sequence is complete
	opAccept                // the whole output is complete
	opTerminal              // arg: expression
	opCall                  // arg: rule
	opRepeat                // arg: repeat
	opRepeatNext            // arg: repeat; register: the number of bodies so far
	opObject                // arg: object
	opObjectKey             // arg: object; after a quote; register: members so far
	opObjectTag             // arg: object; waits for a declared key; register: members so far
	opObjectNext            // arg: object; after a value; register: members so far
	opObjectFirst           // arg: object; after the opening brace
	opSwitch                // arg: switch
	opSwitchTag             // arg: switch; waits for its terminal
	opBoolean               // arg: boolean
	opLeave                 // arg: rule with a scope; its text is complete
	opCut                   // arg: rule that is cut; it may end here if its scope is full
	opEnds                  // arg: rule with a scope; it may end here
)

// dot is a position in a program's code: the rest of a sequence.
type dot uint32

// end is the empty sequence.
const end dot = 0

// instruction is a symbol and the rest of its sequence. Sequences that end alike share their ends: after the signs of
// "+" e e and "*" e e the same rest follows. Otherwise a stack node would have a frame for each of them.
type instruction struct {
	op       op
	nonEmpty bool
	arg      uint32
	rest     dot // of its sequence
}

type rule struct {
	alternatives uint32 // first of count in Program.starts
	count        uint32
	rank         uint32
	nullable     bool
	lazy         *lazyRule
	scope        *scope
}

// scope is a rule's options for the text within it.
type scope struct {
	leave dot // opLeave
	ends  dot // the sequence of Behind, if any, and opEnds
	grammar.Scope
}

// lazyRule is a rule that is expanded when it is first entered.
type lazyRule struct {
	done   atomic.Bool
	expand func(st *terminal.Store) (*grammar.Grammar, error)
	err    error
}

type repeat struct {
	body     dot
	next     dot // opRepeatNext
	min, max uint32
	nullable bool
}

type object struct {
	keys                   terminal.Expr
	commaQuote             terminal.Expr
	open, close, quote     terminal.Expr
	first, key, tag, next  dot
	values                 []dot    // by property: Colon, value; 0 if the value matches nothing
	place                  []uint32 // by tag: the property; nil if they are equal
	nextRequired           []uint32
	requiredFrom           []uint32 // number of required properties from i on
	extras                 []extra
	minMembers, maxMembers uint32
	counts                 bool   // members must be counted
	anyOrder               bool   // keys from ordered on may come anywhere
	ordered                uint32 // 0 unless anyOrder
	available              uint32 // keys from ordered on that have a value
}

type extra struct {
	key   terminal.Expr
	value dot
}

type switchNode struct {
	on       terminal.Expr
	tag      dot
	cases    []switchCase // by tag
	nullable bool
	partial  bool // see lacksCase
	scope    *scope
}

type switchCase struct {
	tag  uint32
	then dot
}

type boolean struct {
	left, right dot // sequences of one symbol
	is          grammar.Condition
}

// Program is a linked grammar: code and tables. Shared; it grows with lazy rules and registers.
type Program struct {
	st *terminal.Store

	mu       sync.Mutex // held while linking
	code     arena.Table[instruction]
	starts   arena.Table[dot]
	rules    arena.Table[rule]
	repeats  arena.Table[repeat]
	objects  arena.Table[object]
	switches arena.Table[switchNode]
	booleans arena.Table[boolean]
	ranks    uint32

	codeIndex arena.Index

	pairMu sync.Mutex
	pairs  arena.Table[pair] // registers with several numbers in them
	pairOf map[pair]uint32
	sets   arena.Table[setNode]
	setOf  map[setNode]uint32

	absorbed map[absorption]absorbed // results of absorbs, under pairMu
	grown    atomic.Int64            // see Grown

	start, accept dot

	expanded []uint32 // lazy rules in the order of their expansion, under mu
	places   *Places  // nil, except for PlacesOf

	heated, limited atomic.Bool // some rule has a temperature, a limit of tokens
}

// newProgram returns a program without any code.
func newProgram(st *terminal.Store) *Program {
	p := &Program{st: st, pairOf: map[pair]uint32{}, setOf: map[setNode]uint32{}, absorbed: map[absorption]absorbed{}}
	p.sets.Append(setNode{})
	return p
}

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

// Store returns the store of the program's terminals.
func (p *Program) Store() *terminal.Store { return p.st }

// Terminals returns the terminals of the program, some of them repeatedly, without keys of objects and lazy rules.
func (p *Program) Terminals() []terminal.Expr {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []terminal.Expr
	for i := range p.code.Len() {
		switch in := p.code.At(i); in.op {
		case opTerminal:
			out = append(out, terminal.Expr(in.arg))
		case opSwitch:
			out = append(out, p.switches.At(in.arg).on)
		}
	}
	return out
}

// Keys returns the terminals of keys of objects, declared and others.
func (p *Program) Keys() []terminal.Expr {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []terminal.Expr
	for i := range p.code.Len() {
		in := p.code.At(i)
		if in.op != opObject {
			continue
		}
		o := p.objects.At(in.arg)
		out = append(out, o.keys)
		for _, x := range o.extras {
			out = append(out, x.key)
		}
	}
	return out
}

// Size returns how many bytes the program holds, approximately.
func (p *Program) Size() int {
	return p.code.Cap()*12 + p.codeIndex.Size() + p.starts.Cap()*4 + p.rules.Cap()*32 + p.repeats.Cap()*20 +
		p.objects.Cap()*160 + p.switches.Cap()*40 + p.booleans.Cap()*12 + p.Grown()
}

// Grown returns how many bytes automata have added to the program, approximately: registers of objects and facts about
// repetitions. It takes no lock.
func (p *Program) Grown() int { return int(p.grown.Load()) }

// Bytes of an entry in its table and its map, or in its map alone.
const (
	pairBytes     = 16 + 2*(16+4)
	setBytes      = 8 + 2*(8+4)
	absorbedBytes = 2 * (8 + 16)
)

// pair is a register of several numbers: declared keys from index on may come, and members have come. In an object in
// any order index is the set of declared keys that have come, taken is its size, owed counts the required keys still to
// come, and from is the first ordered key that may come.
type pair struct{ index, members, taken, owed, from uint32 }

// pair interns a register, which is the same in all automata of the program.
func (p *Program) pair(x pair) uint32 {
	p.pairMu.Lock()
	defer p.pairMu.Unlock()
	r, ok := p.pairOf[x]
	if !ok {
		r = p.pairs.Append(x)
		p.pairOf[x] = r
		p.grown.Add(pairBytes)
	}
	return r
}

// with interns a set of an object's n keys and one more key.
func (p *Program) with(set, key uint32, n int) uint32 {
	p.pairMu.Lock()
	defer p.pairMu.Unlock()
	return p.setWith(set, key, setHeight(n))
}

// emit returns the sequence of one instruction.
func (p *Program) emit(o op, arg uint32) dot { return p.prepend(instruction{op: o, arg: arg}) }

// prepend returns the sequence that begins with in.
func (p *Program) prepend(in instruction) dot {
	h := hashInstruction(in)
	d := p.codeIndex.Find(h, func(d uint32) bool { return *p.code.At(d) == in })
	if d == 0 {
		d = p.code.Append(in)
		p.codeIndex.Add(h, d)
	}
	return dot(d)
}

func hashInstruction(in instruction) uint64 {
	h := arena.Mix(uint64(in.op), uint64(in.arg)|uint64(in.rest)<<32)
	if in.nonEmpty {
		h = arena.Mix(h, 1)
	}
	return h ^ h>>32
}

// linker maps one grammar's tables to the program's.
type linker struct {
	p                                    *Program
	g                                    *grammar.Grammar
	info                                 *rewrite.Info
	rules, repeats, objs, choices, bools uint32 // offsets
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
		n := boolean{left: l.sequence(grammar.Sequence{b.Left}), is: b.Is}
		if b.Is != grammar.Distinct {
			n.right = l.sequence(grammar.Sequence{b.Right})
		}
		*p.booleans.At(l.bools + uint32(i)) = n
	}
	for i := 1; i < len(g.Rules); i++ {
		l.rule(i)
	}
	p.ranks += uint32(len(g.Rules))
	if p.places != nil {
		p.places.add(l, written)
	}
	return l.rules + uint32(g.Start), nil
}

func (l *linker) rule(i int) {
	src, p := &l.g.Rules[i], l.p
	r := rule{rank: p.ranks + l.info.Rank[i], nullable: l.info.NullableRule[i]}
	if src.Lazy != nil {
		r.lazy = &lazyRule{expand: src.Lazy}
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

// cutSequence is sequence for a rule that may end before its last symbol.
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
		body: l.sequence(src.Body), next: l.p.emit(opRepeatNext, id),
		min: src.Min, max: src.Max, nullable: l.info.NullableRepeat[i],
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
		counts: src.MinMembers > 0 || src.MaxMembers != grammar.Unbounded, anyOrder: src.AnyOrder,
		ordered: src.Ordered,
	}
	if src.Tags != nil {
		o.place = make([]uint32, len(src.Tags))
		for k, tag := range src.Tags {
			o.place[tag] = uint32(k)
		}
	}
	n := len(src.Properties)
	o.values = make([]dot, n)
	o.nextRequired = make([]uint32, n+1)
	o.requiredFrom = make([]uint32, n+1)
	o.nextRequired[n] = uint32(n)
	for k := n - 1; k >= 0; k-- {
		prop := &src.Properties[k]
		o.nextRequired[k], o.requiredFrom[k] = o.nextRequired[k+1], o.requiredFrom[k+1]
		if prop.Required {
			o.nextRequired[k] = uint32(k)
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
	sort.SliceStable(w.cases, func(a, b int) bool { return w.cases[a].tag < w.cases[b].tag })
	w.partial = w.lacksCase(p.st, src.On)
	*p.switches.At(id) = w
}

// lacksCase reports whether a text of the terminal on can reach a point from which only tags without a case follow. The
// end of free text needs no case: a pattern can follow each point of it.
func (w *switchNode) lacksCase(st *terminal.Store, on terminal.Expr) bool {
	tags := st.ReachableTags(on)
	if relax.EndsInScan(st, on) && len(tags) > 1 {
		tags = slices.DeleteFunc(slices.Clone(tags), func(tag uint32) bool { return tag == terminal.ScanEnd })
	}
	return slices.ContainsFunc(tags, func(tag uint32) bool { _, ok := w.find(tag); return !ok })
}

func (w *switchNode) find(tag uint32) (dot, bool) {
	i, ok := slices.BinarySearchFunc(w.cases, tag, func(c switchCase, t uint32) int { return int(c.tag) - int(t) })
	if !ok {
		return 0, false
	}
	return w.cases[i].then, true
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
