package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
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
}

// Bounds of one explanation. They bound time and output; beyond them an explanation is less specific.
const (
	spotVisits  = 4096 // positions that are visited for one item
	spotFollows = 512  // expressions that are visited to tell two terminals apart
	spotSides   = 64   // states of sides of boolean nodes
)

// spotSearch finds the spots of one item.
type spotSearch struct {
	a      *Automaton
	x      *Places
	before map[dot][]dot // by position: the positions whose sequences go on there
	seen   map[frame]bool
	rules  map[uint32]bool // that were visited
	visits int
	found  []candidate
}

// candidate is a terminal that an item may be in the middle of, with its places.
type candidate struct {
	places []Place
	e      terminal.Expr
	role   Role
	object uint32 // of all roles but Plain
	reg    uint32
}

// Spots returns the places of the constraint that state s is in the middle of. The order depends on earlier calls; the
// places do not.
func (a *Automaton) Spots(s StateID, x *Places) []Spot {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.p.mu.Lock() // another automaton may be expanding a rule
	defer a.p.mu.Unlock()
	w := a.search(x)
	var out []Spot
	states := []StateID{s}
	for i := 0; i < len(states) && i < spotSides; i++ {
		for _, it := range a.Items(states[i]) {
			out = append(out, w.item(it)...)
		}
		for _, it := range a.BooleanItems(states[i]) {
			b := a.Boolean(it)
			sides := []StateID{b.Left, b.Right}
			if b.Is != grammar.Both {
				sides = sides[:1]
			}
			for _, side := range sides {
				if side > Over && !slices.Contains(states, side) {
					states = append(states, side)
				}
			}
		}
	}
	return out
}

// search prepares a search. It runs under the automaton's lock and the program's, taken in this order.
func (a *Automaton) search(x *Places) *spotSearch {
	w := &spotSearch{a: a, x: x, before: map[dot][]dot{}}
	for d := uint32(1); d < a.p.code.Len(); d++ {
		rest := a.p.code.At(d).rest
		if rest == end {
			continue
		}
		w.before[rest] = append(w.before[rest], dot(d))
		if n := a.p.code.At(uint32(rest)); n.op == opRepeat { // its frame may be the one after a round: see then
			loop := a.p.repeats.At(n.arg).next
			w.before[loop] = append(w.before[loop], dot(d))
		}
	}
	return w
}

// item returns the spots of one item. Several terminals may have the same continuation; item leaves out the terminals
// that do not lead to the item's.
func (w *spotSearch) item(it Item) []Spot {
	w.find(it)
	spots := make([]Spot, 0, len(w.found))
	for _, c := range w.found {
		s := w.spot(c, it)
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

// find finds the candidates of one item.
func (w *spotSearch) find(it Item) {
	w.seen, w.rules, w.visits, w.found = map[frame]bool{}, map[uint32]bool{}, 0, nil
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

func (w *spotSearch) spot(c candidate, it Item) Spot {
	s := Spot{Item: it, Role: c.role}
	if c.role != Member && c.role != Declared {
		return s
	}
	o := w.a.p.objects.At(c.object)
	m := w.a.p.members(o, c.reg)
	s.Extra = o.extrasAllowed(m)
	var tags []uint32
	if c.role == Declared {
		tags = w.a.st.ReachableTags(it.Terminal)
	}
	for j, p := range w.x.properties(c.object) {
		if !w.a.p.mayTake(o, m, uint32(j)) {
			continue
		}
		if c.role == Declared && !slices.ContainsFunc(tags, func(t uint32) bool { return o.property(t) == uint32(j) }) {
			continue
		}
		s.Keys = append(s.Keys, p)
	}
	return s
}

// leads reports whether some text leads from terminal e to expression to. Beyond its bound it returns true.
func (w *spotSearch) leads(e, to terminal.Expr) bool {
	type point struct {
		e terminal.Expr
		c counters.Counter
	}
	seen := map[terminal.Expr]bool{e: true}
	for list := []point{{e, 0}}; len(list) > 0; list = list[1:] {
		if list[0].e == to || len(seen) > spotFollows {
			return true
		}
		alive := w.a.st.Alive(list[0].e)
		for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
			t, c := counters.Step(w.a.st, list[0].e, list[0].c, byte(b))
			if t != terminal.Empty && t != terminal.TooHard && !seen[t] {
				seen[t] = true
				list = append(list, point{t, c})
			}
		}
	}
	return false
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

func (w *spotSearch) visit() bool {
	w.visits++
	return w.visits <= spotVisits
}

func (w *spotSearch) add(c candidate) { w.found = append(w.found, c) }

// endsBefore finds the terminals behind which frame f continues.
func (w *spotSearch) endsBefore(f frame) {
	in, p := w.a.p.code.At(uint32(f.dot)), w.a.p
	here := frame{dot: f.dot, reg: f.reg}
	if w.seen[here] || !w.visit() {
		return
	}
	w.seen[here] = true
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
	for id, o := range p.objects.All() { // not by Len: the table has gaps
		if keys := extraKeys(o, f.dot); len(keys) > 0 {
			w.add(candidate{places: []Place{w.x.objects[id].node}, e: w.a.st.Or(keys...), role: Other, object: id})
		}
	}
	for _, d := range w.before[f.dot] {
		w.endOf(d, nil)
	}
}

// values finds the terminals that end a value of an object, behind which frame f continues.
func (w *spotSearch) values(id uint32, f frame) {
	o, x := w.a.p.objects.At(id), w.x.objects[id]
	m := w.a.p.members(o, f.reg)
	for j, d := range o.values {
		last := uint32(j) >= o.ordered || uint32(j)+1 == m.from || m.from == o.ordered
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
	if d == end || !w.visit() {
		return
	}
	for w.a.p.code.At(uint32(d)).rest != end {
		d = w.a.p.code.At(uint32(d)).rest
	}
	w.endOf(d, places)
}

func (w *spotSearch) rule(id uint32) {
	if w.rules[id] {
		return
	}
	w.rules[id] = true
	r := w.a.p.rules.At(id)
	for _, d := range w.a.p.starts.Slice(r.alternatives, int(r.count)) {
		last := d
		for last != end && w.a.p.code.At(uint32(last)).rest != end {
			last = w.a.p.code.At(uint32(last)).rest
		}
		own := slices.DeleteFunc(slices.Clone(w.x.places(last)), func(p Place) bool { return p.rule != id })
		if len(own) == 0 {
			own = []Place{w.x.rules[id]}
		}
		w.lastOf(d, own)
	}
}

// endOf finds the terminals with which the symbol at d may end, unless a frame of the symbol continues behind them.
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
