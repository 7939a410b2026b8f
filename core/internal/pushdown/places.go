package pushdown

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Places holds the places in the constraint from which the positions of a program come. Immutable.
//
// A program does not keep them, because they hold the constraint's text. PlacesOf links the front end's grammar once
// more. This yields the same positions, and the places of each.
type Places struct {
	at      [][]Place // by position: the places of its first symbol; equal sequences share a position
	joints  []joint   // sorted
	rules   map[uint32]Place
	repeats map[uint32]nodePlace
	objects map[uint32]nodePlace
	outer   *Place // of the grammar that is being linked
}

// Size returns the approximate number of bytes that the places hold, without the texts of their origins.
func (x *Places) Size() int {
	const place, node = int(unsafe.Sizeof(Place{})), int(unsafe.Sizeof(nodePlace{}))
	n := 24*cap(x.at) + 8*cap(x.joints) + 2*len(x.rules)*(4+place) + 2*(len(x.repeats)+len(x.objects))*(4+node)
	for _, list := range x.at {
		n += cap(list) * place
	}
	for _, r := range x.repeats {
		n += cap(r.item) * place
	}
	for _, o := range x.objects {
		n += int(unsafe.Sizeof(grammar.Object{})) + (cap(o.values)+cap(o.extras))*place
		n += cap(o.object.Properties)*int(unsafe.Sizeof(grammar.Property{})) +
			cap(o.object.Extra)*int(unsafe.Sizeof(grammar.Extra{}))
	}
	return n
}

// joint says that after the first symbol at position at, the sequence continues at position rest.
type joint struct{ rest, at dot }

// nodePlace is the place of a node and of its parts.
type nodePlace struct {
	node   Place
	item   []Place // of a repetition: its body's last symbol
	object *grammar.Object
	values []Place // of an object, by property
	extras []Place
}

// Place is a place in the constraint.
type Place struct {
	Origin grammar.Origin
	Outer  *Place // the part of the constraint whose own text holds the place; nil: the constraint's text holds it
	rule   uint32
}

// Expanded returns the lazy rules that automata of the program have entered, in the order of their expansion.
func (p *Program) Expanded() []uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]uint32(nil), p.expanded...)
}

// PlacesOf returns the places of a program. g is the grammar that the front end makes of the program's constraint, with
// expressions of st; expanded are the lazy rules of the program in the order of their expansion.
func PlacesOf(st *terminal.Store, g *grammar.Grammar, expanded []uint32) (*Places, error) {
	p := newProgram(st)
	x := &Places{
		rules: map[uint32]Place{}, repeats: map[uint32]nodePlace{}, objects: map[uint32]nodePlace{},
	}
	p.linked = x.add
	if _, err := p.begin(g); err != nil {
		return nil, err
	}
	for _, id := range expanded {
		outer := x.rules[id]
		x.outer = &outer
		if err := p.expand(id); err != nil {
			return nil, err
		}
	}
	x.join(p)
	return x, nil
}

func (x *Places) join(p *Program) {
	for d, in := range p.code.All() {
		if in.rest == end {
			continue
		}
		x.joints = append(x.joints, joint{in.rest, dot(d)})
		if n := p.code.At(uint32(in.rest)); n.op == opRepeat { // its frame may be the one after a round
			x.joints = append(x.joints, joint{p.repeats.At(n.arg).next, dot(d)})
		}
	}
	slices.SortFunc(x.joints, func(i, j joint) int { return cmp.Or(cmp.Compare(i.rest, j.rest), cmp.Compare(i.at, j.at)) })
}

// before returns the positions whose sequences go on at d.
func (x *Places) before(d dot) []joint {
	from := func(d dot) int {
		i, _ := slices.BinarySearchFunc(x.joints, d, func(j joint, d dot) int { return cmp.Compare(j.rest, d) })
		return i
	}
	return x.joints[from(d):from(d+1)]
}

// adder walks the code of one grammar. A node, with the sequences in it, belongs to the first rule that reaches it.
type adder struct {
	*Places
	l       *linker
	written *grammar.Grammar
	seen    map[grammar.Symbol]bool
}

// add records the places of the grammar that l has linked. written is the front end's, with its terminals' origins.
func (x *Places) add(l *linker, written *grammar.Grammar) {
	a := &adder{Places: x, l: l, written: written, seen: map[grammar.Symbol]bool{}}
	named := map[string]grammar.Origin{}
	for _, r := range written.Rules[1:] {
		if _, ok := named[r.Name]; !ok {
			named[r.Name] = r.Origin
		}
	}
	x.at = append(x.at, make([][]Place, int(l.p.code.Len())-len(x.at))...)
	for i := 1; i < len(l.g.Rules); i++ {
		src, id := &l.g.Rules[i], l.rules+uint32(i)
		owner := Place{Origin: src.Origin, Outer: x.outer, rule: id}
		if src.Origin.Text == nil { // rewriting has added it
			owner.Origin = named[src.Name]
		}
		x.rules[id] = owner
		if src.Lazy != nil && src.Part.Text != nil {
			x.rules[id] = Place{Origin: src.Part, Outer: x.outer, rule: id}
		}
		r := l.p.rules.At(id)
		for _, start := range l.p.starts.Slice(r.alternatives, int(r.count)) {
			a.sequence(start, owner)
		}
	}
}

// sequence records owner as a place of the symbols of a sequence.
func (a *adder) sequence(d dot, owner Place) {
	for d != end {
		in := a.l.p.code.At(uint32(d))
		here := owner
		switch in.op {
		case opTerminal:
			e := terminal.Expr(in.arg)
			if o, ok := a.written.Terminals[e]; ok && !a.written.Common[e] {
				here.Origin = o
			}
		case opRepeat:
			a.repeat(in.arg, owner)
		case opObject:
			a.object(in.arg, owner)
		case opSwitch:
			if w := a.l.p.switches.At(in.arg); a.first(grammar.SwitchNode, in.arg) {
				a.record(w.tag, owner)
				for _, c := range w.cases {
					a.sequence(c.then, owner)
				}
			}
		case opBoolean:
			if b := a.l.p.booleans.At(in.arg); a.first(grammar.BooleanNode, in.arg) {
				a.sequence(b.left, owner)
				a.sequence(b.right, owner)
			}
		}
		a.record(d, here)
		d = in.rest
	}
}

// spotPlaces bounds the places of one position. For a position with more of them, explanations name none.
const spotPlaces = 8

func (a *adder) record(d dot, p Place) {
	if list := a.at[d]; len(list) <= spotPlaces && !slices.Contains(list, p) {
		a.at[d] = append(list, p)
	}
}

func (a *adder) first(kind grammar.Kind, id uint32) bool {
	s := grammar.Symbol{Kind: kind, Index: id}
	seen := a.seen[s]
	a.seen[s] = true
	return !seen
}

func (a *adder) repeat(id uint32, owner Place) {
	if !a.first(grammar.RepeatNode, id) {
		return
	}
	n := nodePlace{node: owner}
	if o := a.l.g.Repeats[id-a.l.repeats].At; o.Text != nil {
		item := owner
		item.Origin = o
		n.item = []Place{item}
	}
	a.Places.repeats[id] = n
	a.sequence(a.l.p.repeats.At(id).body, owner)
}

func (a *adder) object(id uint32, owner Place) {
	if !a.first(grammar.ObjectNode, id) {
		return
	}
	o, src := a.l.p.objects.At(id), &a.l.g.Objects[id-a.l.objs]
	n := nodePlace{node: owner, object: src}
	value := func(d dot, at grammar.Origin) Place {
		own := owner
		if at.Text != nil {
			own.Origin = at
		}
		a.sequence(d, own)
		return own
	}
	for k, d := range o.values {
		n.values = append(n.values, value(d, src.Properties[k].At))
	}
	for k, e := range o.extras {
		n.extras = append(n.extras, value(e.value, src.Extra[k].At))
	}
	a.objects[id] = n
}
