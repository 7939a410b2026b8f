package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/shortest"
)

// Highest bounds the distances of all states that a text of a few bytes leads to, without following the text (Lemma
// 227). Such a text ends in the terminal of an item, in a node that it has entered, or in a frame of the stack. So
// Highest combines bounds for the program's nodes, computed once, with bounds for the frames of a state's stack.
type Highest struct {
	x      *Shortest
	inside map[node]uint32 // after n bytes within a node, at most inside + n*rate bytes remain to its end
	most   uint32          // the greatest bound of nodes and of terminals; Never: there is no bound
	rate   uint32
	left   int               // cost that is left for computing inside
	values map[uint32]uint32 // by object: the greatest distance of a value
	stacks map[nodeID]uint32
}

// rates are numbers of bytes that each byte of a text may add to the distance, tried in this order. 0 serves grammars
// without recursion, and right recursion that needs no closing text.
var rates = []uint32{0, 1, 4, 16}

// rounds bounds the rounds until the bounds of nodes stay the same. Nodes nested as in real grammars need a few.
const rounds = 24

// NewHighest returns the bounds of x's program. If computing them exceeds cost, there is no bound.
func NewHighest(x *Shortest, cost int) *Highest {
	x.read()
	h := &Highest{x: x, most: 1, values: map[uint32]uint32{}, stacks: map[nodeID]uint32{0: 0}}
	list := x.listNodes()
	for _, e := range h.terminals() {
		if h.most = max(h.most, x.ends.Highest(e, &cost)); h.most == shortest.Never {
			return h
		}
	}
	h.left = cost
	for _, h.rate = range rates {
		if h.settle(list) {
			for _, n := range h.inside {
				h.most = max(h.most, n)
			}
			return h
		}
	}
	h.most = shortest.Never
	return h
}

// terminals returns the terminals of the program.
func (h *Highest) terminals() []terminal.Expr {
	p := h.x.a.p
	list := append(p.Terminals(), p.Keys()...)
	for _, o := range p.objects.All() {
		list = append(list, o.commaQuote, o.open, o.close, o.quote)
	}
	return list
}

// settle computes inside for the current rate, in rounds until nothing changes. It reports false if that takes too many
// rounds or costs too much.
func (h *Highest) settle(list []node) bool {
	h.inside = map[node]uint32{}
	terminals := h.most
	for range rounds {
		changed := false
		for i := 0; i < len(list) && h.left >= 0; i++ {
			n := list[len(list)-1-i]
			d := max(terminals, h.find(n))
			changed = changed || d > h.inside[n]
			h.inside[n] = max(d, h.inside[n])
		}
		if h.left < 0 {
			return false
		}
		if !changed {
			return true
		}
	}
	return false
}

// upper returns a distance as a bound.
func upper(d Distance) uint32 {
	if !d.Exact {
		return shortest.Never
	}
	return d.Bytes
}

func plus(a, b uint32) uint32 { return Distance{Bytes: a}.Plus(Distance{Bytes: b}).Bytes }

// find computes Highest.inside of node n from the bounds of the nodes within it. A text that ends in a part of n has
// read at least the shortest text before that part. The bound of n already grows by rate for each byte of it, so find
// subtracts as much from the bound of the part.
func (h *Highest) find(n node) uint32 {
	p, x := h.x.a.p, h.x
	switch n.op {
	case opCall:
		var most uint32
		r := p.rules.At(n.id)
		for i := range r.count {
			most = max(most, h.sequence(*p.starts.At(r.alternatives + i), 0))
		}
		return most
	case opRepeat:
		r := p.repeats.At(n.id)
		return plus(h.sequence(r.body, 0), upper(x.sequence(r.body).Times(max(r.min, 1)-1)))
	case opSwitch:
		w := p.switches.At(n.id)
		ends := x.start(w.on)
		var most uint32
		for _, c := range w.cases {
			ahead := min(ends.Tag(c.tag).Bytes, mostAhead)
			most = max(most, h.sequence(c.then, ahead), plus(h.most, upper(x.sequence(c.then))))
		}
		return most
	case opObject:
		o := p.objects.At(n.id)
		m := o.none()
		most := plus(h.most, h.member(n.id, m))
		ahead := x.terminal(o.open).Bytes + x.terminal(o.quote).Bytes
		rest := h.members(o, m)
		keys := x.start(o.keys)
		least := uint32(mostAhead)
		for _, t := range keys.Tags {
			least = min(least, t.Bytes)
		}
		h.left -= symbolCost * len(o.values)
		for _, v := range o.values {
			if v != 0 {
				most = max(most, plus(h.sequence(v, ahead+least), rest))
			}
		}
		for _, e := range o.extras {
			most = max(most, plus(h.sequence(e.value, ahead+x.terminal(e.key).Bytes), rest))
		}
		return most
	case opBoolean:
		if b := p.booleans.At(n.id); b.few {
			return plus(h.sequence(b.left, 0), Spare)
		}
	}
	return shortest.Never
}

// Spare bounds the bytes by which earlier items delay the end of an array of distinct strings (Lemma 228).
const Spare = 4

// symbolCost is the cost of a symbol of a sequence: 100 to 200 ns.
const symbolCost = 16

// mostAhead bounds the bytes that count as ahead of a symbol.
const mostAhead = 1 << 12

// sequence returns inside for the symbols from d on. ahead is a lower bound of the bytes of their node before d.
func (h *Highest) sequence(d dot, ahead uint32) uint32 {
	var most uint32
	rest := upper(h.x.sequence(d))
	for {
		h.left -= symbolCost
		in := h.x.a.p.code.At(uint32(d))
		d = in.rest
		switch in.op {
		case opEnd, opAccept:
			return most
		case opCut:
			continue
		case opEnds:
			return shortest.Never
		}
		if rest == shortest.Never {
			return rest
		}
		part, nullable := h.x.symbol(in)
		switch {
		case nullable && !in.nonEmpty:
			part.Bytes = 0
		case part.Bytes == 0:
			part.Bytes = 1
		}
		rest -= part.Bytes
		here := h.most
		if in.op != opTerminal {
			here = max(here, h.inside[node{in.op, in.arg}])
		}
		if here = plus(here, rest); here == shortest.Never {
			return here
		}
		most = max(most, here-min(here, h.rate*min(ahead, mostAhead)))
		ahead = min(ahead, mostAhead) + min(part.Bytes, mostAhead)
	}
}

// member bounds the bytes to the end of object id after its members m, for a text in the next separator or key. It
// omits the rest of the terminal that the text is in.
func (h *Highest) member(id uint32, m pair) uint32 {
	x, o := h.x, h.x.a.p.objects.At(id)
	value, ok := h.values[id]
	if !ok {
		for _, v := range o.values {
			if v != 0 {
				value = max(value, upper(x.sequence(v)))
			}
		}
		for _, e := range o.extras {
			value = max(value, upper(x.sequence(e.value)))
		}
		h.values[id] = value
	}
	return plus(plus(h.most, value), h.members(o, m))
}

// members bounds the bytes that complete object o after m and any optional members. The shortest of these may have come
// already, so each further one counts as the longest.
func (h *Highest) members(o *object, m pair) uint32 {
	x, n := h.x, o.wanted(m)
	sum := x.owed(o, m)
	if n > m.owed {
		each := x.undeclared(o) // may always follow
		if each.Bytes == shortest.Never {
			each = Distance{Exact: true}
			ends := x.start(o.keys)
			for j := range uint32(len(o.values)) {
				if d := x.member(o, &ends, j); d.Bytes != shortest.Never {
					each.Bytes, each.Exact = max(each.Bytes, d.Bytes), each.Exact && d.Exact
				}
			}
		}
		sum = sum.Plus(each.Times(n - m.owed))
	}
	return upper(sum.Plus(x.terminal(o.commaQuote).Times(n)).Plus(x.terminal(o.close)))
}

// Of bounds the distances of all states that a text of so many bytes leads to from state s.
func (h *Highest) Of(s StateID, bytes int) uint32 {
	x := h.x
	if h.most == shortest.Never || s <= Over {
		return shortest.Never
	}
	x.read()
	var most, within uint32
	for _, it := range x.a.Items(s) {
		most = max(most, h.stack(it.After))
	}
	for _, it := range x.a.BooleanItems(s) {
		// INVARIANT: all boolean nodes have few set, else h.most is Never.
		most = max(most, h.stack(it.After))
		left := plus(h.Of(x.a.Boolean(it).Left, bytes), Spare)
		within = max(within, plus(left, upper(x.node(it.After))))
	}
	return max(within, plus(most, plus(h.most, h.rate*uint32(bytes))))
}

// stack bounds the bytes to the end of the output, for a text in a frame of node k or of a node below. It omits the
// rest of the symbol that the text is in.
func (h *Highest) stack(k nodeID) uint32 {
	x := h.x
	for work := []nodeID{k}; len(work) > 0; {
		n, before := work[len(work)-1], len(work)
		for _, f := range x.a.framesOf(n) {
			if _, ok := h.stacks[f.k]; !ok {
				work = append(work, f.k)
			}
		}
		if len(work) > before {
			continue
		}
		work = work[:before-1]
		var most uint32
		for _, f := range x.a.framesOf(n) {
			d := h.frame(f)
			if x.a.p.code.At(uint32(f.dot)).op != opAccept {
				d = plus(d, upper(x.node(f.k)))
			}
			most = max(most, d, h.stacks[f.k])
		}
		h.stacks[n] = most
	}
	return h.stacks[k]
}

// frame is stack for a text in frame f, up to the end of the frame.
func (h *Highest) frame(f frame) uint32 {
	x, p := h.x, h.x.a.p
	switch in := p.code.At(uint32(f.dot)); in.op {
	case opAccept, opLeave:
		return 0
	case opEnds:
		return shortest.Never
	case opRepeatNext:
		r := p.repeats.At(in.arg)
		left := uint32(1)
		if done := p.spanOf(f.reg).high; done < r.min {
			left = r.min - done
		}
		return upper(x.sequence(r.body).Times(left))
	case opObjectFirst, opObjectNext, opObjectKey, opObjectTag:
		return h.member(in.arg, p.members(p.objects.At(in.arg), f.reg))
	case opSwitchTag:
		var most uint32
		for _, c := range p.switches.At(in.arg).cases {
			most = max(most, upper(x.sequence(c.then)))
		}
		return most
	}
	return upper(x.sequence(f.dot))
}
