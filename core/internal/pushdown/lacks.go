package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// LackKind is the kind of a Lack.
type LackKind uint8

// The kinds.
const (
	LacksText       LackKind = iota // text of Terminal
	LacksCharacters                 // Count characters of Terminal
	LacksProperty                   // the required property Name of an object
	LacksMembers                    // Count members of an object
	LacksRounds                     // Count rounds of a repetition
	LacksPart                       // a text of the place
)

// Lack is a part that every output from a state still has to write. A value.
type Lack struct {
	Kind     LackKind
	Place    Place
	Terminal terminal.Expr
	Counter  counters.Counter
	Inside   bool // of LacksText: the output is inside Terminal
	Name     string
	Count    uint32
	key      lackKey
}

// lackKey identifies a lack: if two items wait for the same part, their lacks have equal keys. Missing members have id
// 0 and no name, a missing property has id 0 and its name. Else id is a terminal if name is "inside" or "close", a
// repetition if name is "more", and a position if there is no name. Keys do not name an object, because a schema with
// several orders of keys has an object for each.
type lackKey struct {
	kind  LackKind
	name  string
	id, n uint32
	k     nodeID
}

// lackFrames bounds the frames that one explanation looks at, from the innermost outwards.
const lackFrames = 64

// Lacks returns the parts that every output from state s still has to write, in order. It looks only at the innermost
// stack nodes. It returns none if the output may end or is inside a boolean node, or if the search takes too many
// steps.
func (a *Automaton) Lacks(s StateID, x *Places) []Lack {
	if a.Accepts(s) || len(a.BooleanItems(s)) > 0 {
		return nil
	}
	w := &lacks{a: a, x: x, search: a.search(x), of: map[nodeID][]Lack{}, left: lackFrames}
	var common []Lack
	for i, it := range a.Items(s) {
		own := append(w.item(it), w.node(it.After)...)
		if i == 0 {
			common = own
		} else {
			common = intersection(common, own)
		}
	}
	if w.search.left < 0 {
		return nil
	}
	return common
}

type lacks struct {
	a    *Automaton
	x    *Places
	of   map[nodeID][]Lack
	left int

	search *spotSearch
}

func intersection(xs, ys []Lack) []Lack {
	in := map[lackKey]bool{}
	for _, l := range ys {
		in[l.key] = true
	}
	return slices.DeleteFunc(slices.Clone(xs), func(l Lack) bool { return !in[l.key] })
}

func (w *lacks) lack(kind LackKind, at []Place, id, n uint32, k nodeID) Lack {
	l := Lack{Kind: kind, Count: n, key: lackKey{kind, "", id, n, k}}
	if len(at) == 1 {
		l.Place = at[0]
	}
	return l
}

func (w *lacks) repeats(id uint32) []Place { return []Place{w.x.repeats[id].node} }

func (w *lacks) objects(id uint32) []Place { return []Place{w.x.objects[id].node} }

// item returns the lacks within an item's own terminal.
func (w *lacks) item(it Item) []Lack {
	search := w.search
	search.find(it)
	for _, c := range search.found {
		if c.role == Closing && c.e == it.Terminal && len(search.found) == 1 {
			return []Lack{w.closing(c.object, w.a.p.objects.At(c.object), it.After)}
		}
	}
	if counters.Accepts(w.a.st, it.Terminal, it.Counter) {
		return nil
	}
	l := Lack{
		Kind: LacksText, Terminal: it.Terminal, Counter: it.Counter, Inside: true,
		key: lackKey{LacksText, "inside", uint32(it.Terminal), it.Counter.Count(), it.After},
	}
	for i, c := range search.found {
		if c.role == Member || c.role == Declared && !w.x.isList(c.object) { // the lacks of the object are more specific
			return nil
		}
		if len(c.places) != 1 || i > 0 && c.places[0] != l.Place {
			l.Place = Place{}
			break
		}
		l.Place = c.places[0]
	}
	out := []Lack{l}
	if minimum, _, ok := counters.Bounds(w.a.st, it.Terminal); ok && it.Counter.Count() < minimum {
		n := l
		n.Kind, n.key.kind, n.Count = LacksCharacters, LacksCharacters, minimum-it.Counter.Count()
		out = append([]Lack{n}, out...)
	}
	return out
}

func (w *lacks) closing(id uint32, o *object, k nodeID) Lack {
	l := w.lack(LacksText, w.objects(id), uint32(o.close), 0, k)
	l.key.name = "close"
	l.Terminal = o.close
	return l
}

// node returns the lacks of a stack node: those that all its frames have.
func (w *lacks) node(k nodeID) []Lack {
	if out, ok := w.of[k]; ok || k == 0 {
		return out
	}
	w.of[k] = nil
	var common []Lack
	for i, f := range w.a.framesOf(k) {
		if w.left--; w.left < 0 {
			return nil
		}
		own := append(w.frame(f), w.node(f.k)...)
		if i == 0 {
			common = own
		} else {
			common = intersection(common, own)
		}
	}
	w.of[k] = common
	return common
}

func (w *lacks) frame(f frame) []Lack {
	in := w.a.p.code.At(uint32(f.dot))
	switch in.op {
	case opAccept, opLeave, opSwitchTag:
		return nil
	case opObjectFirst, opObjectKey, opObjectTag, opObjectNext:
		return w.object(in.arg, f)
	case opRepeatNext:
		r := w.a.p.repeats.At(in.arg)
		if done := w.a.p.spanOf(f.reg); done.high < r.min {
			l := w.lack(LacksRounds, w.repeats(in.arg), in.arg, r.min-done.high, f.k)
			l.key.name = "more"
			return []Lack{l}
		}
		return nil
	}
	return w.sequence(f.dot, f.k)
}

func (w *lacks) sequence(d dot, k nodeID) (out []Lack) {
	for d != end {
		in := w.a.p.code.At(uint32(d))
		at, id := w.x.places(d), uint32(d)
		part := false
		switch in.op {
		case opTerminal:
			if e := terminal.Expr(in.arg); !w.a.st.View().Nullable(e) || in.nonEmpty {
				l := w.lack(LacksText, at, id, 0, k)
				l.Terminal = e
				out = append(out, l)
			}
		case opRepeat:
			if r := w.a.p.repeats.At(in.arg); r.min > 0 {
				out = append(out, w.lack(LacksRounds, w.repeats(in.arg), id, r.min, k))
			}
		case opCall:
			part = !w.a.p.rules.At(in.arg).nullable || in.nonEmpty
			at = []Place{w.x.rules[in.arg]}
		case opSwitch:
			part = !w.a.p.switches.At(in.arg).nullable || in.nonEmpty
		case opObject:
			part, at = true, w.objects(in.arg)
		case opBoolean:
			part = true
		}
		if part {
			out = append(out, w.lack(LacksPart, at, id, 0, k))
		}
		d = in.rest
	}
	return out
}

// object returns the lacks of an object whose members are being written.
func (w *lacks) object(id uint32, f frame) (out []Lack) {
	a, o := w.a, w.a.p.objects.At(id)
	m := a.p.members(o, f.reg)
	properties := w.x.properties(id)
	if !w.search.visit(len(properties)) {
		return nil
	}
	for j, p := range properties {
		u := uint32(j)
		if u >= uint32(len(o.values)) || !o.required(u) {
			continue
		}
		if !a.p.passed(o, m, u) {
			l := w.lack(LacksProperty, w.objects(id), 0, 0, f.k)
			l.Name, l.key.name = p.Name, p.Name
			out = append(out, l)
		}
	}
	list := w.x.isList(id)
	if list && a.p.code.At(uint32(f.dot)).op == opObjectTag {
		m.members++ // the item that the output is in
	}
	if o.counts && m.members < o.minMembers {
		kind := LacksMembers
		if list {
			kind = LacksRounds
		}
		out = append(out, w.lack(kind, w.objects(id), 0, o.minMembers-m.members, f.k))
	}
	if !a.st.View().Nullable(o.close) {
		out = append(out, w.closing(id, o, f.k))
	}
	return out
}
