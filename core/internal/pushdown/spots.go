package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// Role is the part that a terminal has in its node.
type Role uint8

// The roles.
const (
	Plain    Role = iota // a terminal of a sequence, or of a switch
	Opening              // the opening bracket of an object
	Closing              // its closing bracket
	Member               // the text before a key: a comma, a quote
	Declared             // a declared key
	Other                // an undeclared key
)

// Spot is a place of the constraint that a state is in the middle of. A value.
type Spot struct {
	Item  Item
	Place Place
	Role  Role
	Keys  []grammar.Property // Member, Declared: the keys that may come
	Extra bool               // Member: undeclared keys may come too
	First terminal.ByteSet   // the bytes of Item that may come next
	Side  bool               // Item is inside a side of a boolean node; the other side may refuse bytes after the first
}

// spotSearch finds the spots of one item after another. If it gives up, there is no answer, because a part of it would
// depend on the order of items. It takes no lock of the automaton, because states, nodes and positions never change.
type spotSearch struct {
	a     *Automaton
	x     *Places
	next  terminal.ByteSet
	left  int             // steps that it may still take; below 0, it gives up
	rules map[uint32]bool // that were visited for the item
	found []candidate
}

// candidate is a terminal that an item may be in the middle of, with its places.
type candidate struct {
	places []Place
	e      terminal.Expr
	role   Role
	object uint32 // of all roles but Plain
	reg    uint32
}

// Spots returns the places of the constraint that state s is in the middle of and that go on with one of the bytes
// next, none if finding them takes too much. The order depends on earlier calls; the places do not.
func (a *Automaton) Spots(s StateID, next terminal.ByteSet, x *Places) []Spot {
	w := a.search(x)
	w.next = next
	var out []Spot
	seen := map[StateID]bool{s: true}
	for states := []StateID{s}; len(states) > 0 && w.visit(1); states = states[1:] {
		for _, it := range a.Items(states[0]) {
			out = append(out, w.item(it, states[0] != s)...)
		}
		for _, it := range a.BooleanItems(states[0]) {
			b := a.Boolean(it)
			sides := []StateID{b.Left, b.Right}
			if b.Is != grammar.Both {
				sides = sides[:1]
			}
			for _, side := range sides {
				if side > Over && !seen[side] {
					seen[side] = true
					states = append(states, side)
				}
			}
		}
	}
	if w.left < 0 {
		return nil
	}
	return out
}

func (a *Automaton) search(x *Places) *spotSearch {
	return &spotSearch{a: a, x: x, left: limits.ExplainSteps}
}

// visit pays for n steps. It reports whether the search may go on.
func (w *spotSearch) visit(n int) bool {
	w.left -= n
	return w.left >= 0
}

// item returns the spots of one item.
func (w *spotSearch) item(it Item, side bool) (spots []Spot) {
	first, tags := w.first(it)
	if first.IsEmpty() {
		return nil
	}
	w.find(it)
	for _, c := range w.found {
		s := w.spot(c, it, tags)
		s.First, s.Side = first, side
		for _, p := range c.places {
			s.Place = p
			spots = append(spots, s)
		}
		if len(c.places) == 0 {
			spots = append(spots, s)
		}
	}
	return spots
}

// first returns the bytes of an item that may come next, and the tags of its terminal behind them.
func (w *spotSearch) first(it Item) (bytes terminal.ByteSet, tags [][]uint32) {
	last := terminal.Empty
	alive := w.a.st.Alive(it.Terminal)
	for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
		t, _ := counters.Step(w.a.st, it.Terminal, it.Counter, byte(b))
		if t == terminal.Empty || !w.next.Has(byte(b)) {
			continue
		}
		bytes.Add(byte(b))
		if t != last {
			tags = append(tags, w.a.st.ReachableTags(t))
		}
		last = t
	}
	return bytes, tags
}

// find finds the candidates of one item: terminals with the item's continuation. If there are several, it drops those
// from which no text leads to the item's terminal.
func (w *spotSearch) find(it Item) {
	w.rules, w.found = map[uint32]bool{}, nil
	for _, f := range w.a.framesOf(it.After) {
		w.endsBefore(f)
	}
	if len(w.found) > 1 {
		known := map[terminal.Expr]bool{}
		own := slices.DeleteFunc(slices.Clone(w.found), func(c candidate) bool {
			yes, ok := known[c.e]
			if !ok {
				yes = w.leads(c.e, it.Terminal)
				known[c.e] = yes
			}
			return !yes
		})
		if len(own) > 0 { // else the item is a union of several
			w.found = own
		}
	}
}

// spot returns the spot of candidate c for an item, without a place. tags are the tags in which the item may end.
func (w *spotSearch) spot(c candidate, it Item, tags [][]uint32) Spot {
	s := Spot{Item: it, Role: c.role}
	if c.role != Plain && c.role != Other && w.x.isList(c.object) {
		s.Role = Plain
	}
	if s.Role != Member && s.Role != Declared {
		return s
	}
	o := w.a.p.objects.At(c.object)
	m := w.a.p.members(o, c.reg)
	s.Extra = o.extrasAllowed(m)
	properties := w.x.properties(c.object)
	steps := len(properties)
	if len(o.extras) == 0 { // mayTake counts the keys that are left
		steps += steps * int(min(o.minMembers, o.ordered)) / 8
	}
	comes := make([]bool, len(properties)) // the key may follow
	for _, list := range tags {
		steps += len(list)
		for _, tag := range list {
			comes[o.property(tag)] = true
		}
	}
	if !w.visit(steps) {
		return s
	}
	for j, p := range properties {
		if (s.Role == Member || comes[j]) && w.a.p.mayTake(o, m, uint32(j)) {
			s.Keys = append(s.Keys, p)
		}
	}
	return s
}

// leads reports whether some text leads from terminal e to expression to. It ignores counters, as if counted parts
// could always go on.
func (w *spotSearch) leads(e, to terminal.Expr) bool {
	st := w.a.st
	seen := map[terminal.Expr]bool{e: true}
	for list := []terminal.Expr{e}; len(list) > 0; list = list[1:] {
		from := list[0]
		if from == to {
			return true
		}
		if !w.visit(1+prices.Weight(st, from)) || !w.visit(prices.Row(st, from)) {
			return false
		}
		row, _ := st.Transitions(from)
		last := terminal.Empty
		for b := row.Alive.Next(0); b < 256; b = row.Alive.Next(b + 1) {
			t, known := row.To(byte(b))
			if !known {
				t = st.Delta(from, byte(b))
			}
			if t != last && t != terminal.Empty && t != terminal.TooHard && !seen[t] {
				seen[t] = true
				list = append(list, t)
			}
			last = t
		}
	}
	return false
}

// isList reports whether the members of an object are items of a list.
func (x *Places) isList(object uint32) bool {
	o := x.objects[object].object
	return o != nil && o.List
}

func (x *Places) properties(object uint32) []grammar.Property {
	if o := x.objects[object].object; o != nil {
		return o.Properties
	}
	return nil
}

func (x *Places) places(d dot) []Place {
	if int(d) < len(x.at) && len(x.at[d]) <= spotPlaces {
		return x.at[d]
	}
	return nil
}

func (w *spotSearch) add(c candidate) { w.found = append(w.found, c) }

// endsBefore finds the terminals behind which frame f continues.
func (w *spotSearch) endsBefore(f frame) {
	in, p := w.a.p.code.At(uint32(f.dot)), w.a.p
	below := w.a.framesOf(f.k)
	if !w.visit(1 + len(below)) {
		return
	}
	object := func(role Role, e terminal.Expr) {
		w.add(candidate{
			places: []Place{w.x.objects[in.arg].node}, e: e, role: role, object: in.arg, reg: f.reg,
		})
	}
	switch in.op {
	case opAccept:
		w.lastOf(p.start, nil)
	case opObjectFirst:
		object(Opening, p.objects.At(in.arg).open)
	case opObjectKey:
		o := p.objects.At(in.arg)
		e := o.commaQuote
		if p.register(o, o.none()) == f.reg {
			e = o.quote
		}
		object(Member, e)
	case opObjectTag:
		object(Declared, p.objects.At(in.arg).keys)
	case opSwitchTag:
		w.add(candidate{places: w.x.places(f.dot), e: p.switches.At(in.arg).on})
	case opRepeatNext:
		w.lastOf(p.repeats.At(in.arg).body, w.x.repeats[in.arg].item)
	case opLeave:
		w.rule(in.arg)
	case opObjectNext:
		w.values(in.arg, f)
	}
	for _, g := range below {
		next := p.code.At(uint32(g.dot))
		if next.op != opObjectNext {
			continue
		}
		if keys := extraKeys(p.objects.At(next.arg), f.dot); len(keys) > 0 {
			w.add(candidate{
				places: []Place{w.x.objects[next.arg].node}, e: w.a.st.Or(keys...), role: Other, object: next.arg,
			})
		}
	}
	for _, d := range w.x.before(f.dot) {
		if w.visit(1) {
			w.endOf(d.at, nil)
		}
	}
}

// values finds the terminals that end a value of an object, behind which frame f continues.
func (w *spotSearch) values(id uint32, f frame) {
	o, x := w.a.p.objects.At(id), w.x.objects[id]
	m := w.a.p.members(o, f.reg)
	if !w.visit(len(o.values)) {
		return
	}
	for j, d := range o.values {
		last := uint32(j)+1 == m.from || uint32(j) >= o.ordered && w.a.p.passed(o, m, uint32(j))
		if d != 0 && last && j < len(x.values) {
			w.lastOf(d, x.values[j:j+1])
		}
	}
	for j, e := range o.extras {
		if j < len(x.extras) {
			w.lastOf(e.value, x.extras[j:j+1])
		}
	}
}

func extraKeys(o *object, d dot) (keys []terminal.Expr) {
	for _, x := range o.extras {
		if x.value == d {
			keys = append(keys, x.key)
		}
	}
	return keys
}

// lastOf finds the terminals with which the sequence at d may end. places are the places of its last symbol; if nil,
// the symbol's position has them.
func (w *spotSearch) lastOf(d dot, places []Place) {
	if d = w.last(d); d != end {
		w.endOf(d, places)
	}
}

// last returns the position of the last symbol of the sequence at d.
func (w *spotSearch) last(d dot) dot {
	for d != end && w.visit(1) {
		rest := w.a.p.code.At(uint32(d)).rest
		if rest == end {
			return d
		}
		d = rest
	}
	return end
}

func (w *spotSearch) rule(id uint32) {
	r := w.a.p.rules.At(id)
	if w.rules[id] || r.lazy != nil && !r.lazy.done.Load() { // another automaton may be expanding it
		return
	}
	w.rules[id] = true
	for _, d := range w.a.p.starts.Slice(r.alternatives, int(r.count)) {
		if d = w.last(d); d == end {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(w.x.places(d)), func(p Place) bool { return p.rule != id })
		if len(own) == 0 {
			own = []Place{w.x.rules[id]}
		}
		w.endOf(d, own)
	}
}

// endOf finds the terminals with which the symbol at d may end. It finds none for a repetition or a rule with a scope,
// whose own frames endsBefore handles, or for a boolean node, whose terminals are in its sides.
func (w *spotSearch) endOf(d dot, places []Place) {
	in := w.a.p.code.At(uint32(d))
	switch in.op {
	case opTerminal:
		if places == nil {
			places = w.x.places(d)
		}
		w.add(candidate{places: places, e: terminal.Expr(in.arg)})
	case opCall:
		if w.a.p.rules.At(in.arg).scope == nil {
			w.rule(in.arg)
		}
	case opObject:
		w.add(candidate{
			places: []Place{w.x.objects[in.arg].node}, e: w.a.p.objects.At(in.arg).close, role: Closing, object: in.arg,
		})
	case opSwitch:
		for _, c := range w.a.p.switches.At(in.arg).cases {
			w.lastOf(c.then, nil)
		}
	}
}
