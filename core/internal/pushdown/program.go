// Package pushdown runs a grammar over bytes as an automaton whose states are made on demand. A state is an interned
// set of items, each a terminal that the text is in the middle of and a node. Nodes are the interned graph of stacks.
//
// Invariant: states with equal content have equal ids. So a transition is computed once, a fork copies an id, and a
// rollback needs only an old id. The package knows no vocabulary.
//
// Each file uses only the files listed before it: id, counted, meter and price (the price of work); register, program,
// link and object (the linked grammar); nodes, states, absorb, order, stacks, scope and tokens (the content of states);
// found, transitions, automaton, gather, boolean, work, closure, alike, step, borders and new (how states follow one
// another). The others serve masks, moves, endings, explanations, dumps and new stores. Start reading at
// Program, then closure.go, step.go and stacks.go.
package pushdown

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/terminal"
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
	opCut                   // arg: rule with Scope.Cut; before its last symbol. At its token limit, the rule may end here
	opEnds                  // arg: rule with a scope; after its text and Scope.Behind. At its token limit, it may end here
)

// dot is a position in a program's code: the rest of a sequence.
type dot uint32

// end is the empty sequence.
const end dot = 0

// instruction is a symbol and the rest of its sequence. Sequences share common ends: "+" e e and "*" e e continue at
// one position after their signs. Otherwise a stack node would have a frame for each of them.
type instruction struct {
	op       op
	nonEmpty bool // the symbol must read a byte
	arg      uint32
	rest     dot
}

type rule struct {
	alternatives uint32 // index of the first of count positions in Program.starts
	count        uint32
	rank         uint32 // a rule comes before the rules that it may begin with
	nullable     bool
	lazy         *lazyRule
	scope        *scope
}

// scope is a rule's options for the text within it.
type scope struct {
	leave dot // opLeave
	ends  dot // the terminal Behind, if set, then opEnds
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
	next     dot    // opRepeatNext
	min, max uint32 // min is 0 if the body is nullable
}

// leaves reports whether the counts of s permit every continuation that the counts of t permit.
func (r *repeat) leaves(s, t span) bool {
	return s.low <= t.low && (s.low >= r.min || s.high >= min(t.high, r.min))
}

// oneMore returns the counts of s after another body. Some count of s must be below the maximum.
func (r *repeat) oneMore(s span) span {
	if r.max == terminal.Unbounded {
		enough := max(r.min, 1) // all counts from the minimum on permit the same
		return span{min(s.low+1, enough), min(s.high+1, enough)}.needed(r.min)
	}
	return span{s.low + 1, min(s.high, r.max-1) + 1}.needed(r.min)
}

type object struct {
	keys                   terminal.Expr
	commaQuote             terminal.Expr
	open, close, quote     terminal.Expr
	first, key, tag, next  dot
	values                 []dot    // by property: Colon, value; 0 if the value matches nothing
	place                  []uint32 // by tag: the property; nil if each tag is its property's index
	requiredFrom           []uint32 // number of required properties from i on
	extras                 []extra
	minMembers, maxMembers uint32
	counts                 bool   // members must be counted
	ordered                uint32 // keys from there on may come anywhere
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
	few         bool // see grammar.Boolean
}

// absorption is an unbounded repetition and a sequence: the arguments of absorbs.
type absorption struct {
	loop uint32
	seq  dot
}

// absorbed is a result of absorbs, and the steps that it took.
type absorbed struct {
	found bool
	steps int
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
	lists    int // bytes of the slices in objects and switches

	codeIndex arena.Index

	registers
	absorbed map[absorption]absorbed // results of absorbs, under pairMu

	start, accept dot

	expanded []uint32                                  // lazy rules in the order of their expansion, under mu
	linked   func(l *linker, written *grammar.Grammar) // is called after each grammar is linked; set only by PlacesOf

	heated, limited atomic.Bool // some rule has a temperature, a limit of tokens
	joins           bool        // there are boolean nodes, or rules to expand
}

// newProgram returns a program without any code.
func newProgram(st *terminal.Store) *Program {
	p := &Program{st: st, absorbed: map[absorption]absorbed{}}
	p.pairOf, p.setOf = map[pair]uint32{}, map[setNode]uint32{}
	p.sets.Append(setNode{})
	return p
}

// Store returns the store of the program's terminals.
func (p *Program) Store() *terminal.Store { return p.st }

// Heated reports whether some rule has a temperature.
func (p *Program) Heated() bool { return p.heated.Load() }

// Limited reports whether some rule limits its tokens.
func (p *Program) Limited() bool { return p.limited.Load() }

// Joins reports whether states may be inside boolean nodes.
func (p *Program) Joins() bool { return p.joins }

// Terminals returns the terminals of sequences and switches, some of them repeatedly. It omits keys, brackets
// and commas of objects, and lazy rules that are not expanded yet.
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
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.code.Bytes() + p.codeIndex.Size() + p.starts.Bytes() + p.rules.Bytes() + p.repeats.Bytes() +
		p.objects.Bytes() + p.switches.Bytes() + p.booleans.Bytes() + p.lists + p.Grown()
}

// Grown returns how many bytes automata have added to the program, approximately: registers and results of absorbs. It
// takes no lock.
func (p *Program) Grown() int { return int(p.grown.Load()) }

// length returns the number of instructions, which grows while lazy rules are expanded.
func (p *Program) length() uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.code.Len()
}

// lazyRules returns the lazy rules, expanded ones included.
func (p *Program) lazyRules() (ids []uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, r := range p.rules.All() {
		if r.lazy != nil {
			ids = append(ids, id)
		}
	}
	return ids
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

func (w *switchNode) find(tag uint32) (dot, bool) {
	i, ok := slices.BinarySearchFunc(w.cases, tag, func(c switchCase, t uint32) int { return int(c.tag) - int(t) })
	if !ok {
		return 0, false
	}
	return w.cases[i].then, true
}

// linker maps one grammar's tables to the program's.
type linker struct {
	p                                    *Program
	g                                    *grammar.Grammar
	info                                 *rewrite.Info
	rules, repeats, objs, choices, bools uint32 // offsets
}
