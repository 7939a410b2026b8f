package ending

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/shortest"
)

// never is the number of bytes to an end that is not known, or does not exist.
const never = shortest.Never

// share divides the budget of a mask: a search for bytes may cost one part, two milliseconds. Only grammars with boolean
// nodes need searches.
const share = 20

// distance is the number of bytes to an end, and the cost of finding it if nothing is known.
type distance struct {
	bytes  uint32
	cost   int32
	shared []sharedCost // not in cost
}

// sharedCost is the cost of a terminal in many states. A question pays it once.
type sharedCost struct {
	name pushdown.Counted
	cost int
}

// toEndBytes returns how few bytes complete state s; never, if they are not known.
func (f *Finder) toEndBytes(s pushdown.StateID) uint32 {
	d := f.distance(s)
	if f.charge(factBytes, s) {
		f.pay(int(d.cost))
		for _, x := range d.shared {
			f.payShared(x.name, x.cost)
		}
	}
	return d.bytes
}

func (f *Finder) payShared(name pushdown.Counted, cost int) {
	if f.paid.Add(name) {
		f.pay(cost)
	}
}

// distance is toEndBytes for callers that charge for it, or leave that to others.
func (f *Finder) distance(s pushdown.StateID) distance {
	if s <= pushdown.Over {
		return distance{bytes: never}
	}
	d, ok := f.bytes[s]
	if !ok {
		d.cost = int32(f.measure(func() {
			e := f.shortest.Of(s, &f.cost, func(name pushdown.Counted, cost int) {
				d.shared = append(d.shared, sharedCost{name, cost})
			})
			d.bytes = e.Bytes
			if !e.Exact {
				d.bytes = f.searchBytes(s, e.Bytes)
			}
		}))
		f.bytes[s] = d
		f.masks.Hold(factSize + 16*len(d.shared))
	}
	return d
}

type visit struct {
	state pushdown.StateID
	steps uint32
}

// searchBytes is A* over bytes, led by bounds that follow from the grammar's structure (Lemma 221). It ends at the
// first state whose number follows exactly.
func (f *Finder) searchBytes(s pushdown.StateID, first uint32) uint32 {
	if first == never {
		return never
	}
	best := map[pushdown.StateID]uint32{s: 0}
	queue := map[uint32][]visit{first: {{s, 0}}}
	for level, top := first, first; level <= top; level++ {
		for len(queue[level]) > 0 {
			list := queue[level]
			v := list[len(list)-1]
			queue[level] = list[:len(list)-1]
			if v.steps > best[v.state] {
				continue
			}
			d := f.shortest.Of(v.state, &f.cost, f.payShared)
			if v.steps+d.Bytes <= level && (d.Exact || f.apart(v.state)) {
				return v.steps + d.Bytes
			}
			found := true
			f.eachByte(v.state, func(_ byte, t pushdown.StateID) {
				if n, ok := best[t]; ok && n <= v.steps+1 {
					return
				}
				if f.cost > f.search {
					found = false
					return
				}
				d := f.shortest.Of(t, &f.cost, f.payShared)
				if d.Bytes == never {
					return
				}
				best[t] = v.steps + 1
				k := max(level, v.steps+1+d.Bytes)
				top = max(top, k)
				queue[k] = append(queue[k], visit{t, v.steps + 1})
			})
			if !found {
				return never
			}
		}
		delete(queue, level)
	}
	return never
}

// eachByte calls visit with each byte that state s goes on with and the state behind it, the least byte last.
func (f *Finder) eachByte(s pushdown.StateID, visit func(b byte, t pushdown.StateID)) {
	if !f.a.Steps(s) {
		return
	}
	if plain, levels := f.withoutComparisons(s); levels > 0 && plain > pushdown.Over {
		f.eachApart(s, plain, visit)
		return
	}
	alive := f.a.Alive(s)
	for b := 255; b >= 0; b-- {
		if alive.Has(byte(b)) {
			if t := f.step(s, byte(b)); t > pushdown.Over {
				visit(byte(b), t)
			}
		}
	}
}

// step makes a transition, and pays for it as if nothing had been found before, once for each part.
func (f *Finder) step(s pushdown.StateID, b byte) pushdown.StateID {
	one := [1]byte{b}
	t, n, price := f.a.StepKnown(s, one[:])
	if n == 0 && s > pushdown.Over {
		f.a.Step(s, b)
		t, _, price = f.a.StepKnown(s, one[:])
	}
	if price > 0 {
		f.pay(f.a.Cost(s, b, t, f.paid.Add))
	} else {
		f.pay(stepCost)
	}
	return t
}

// follow is step along a text.
func (f *Finder) follow(s pushdown.StateID, text []byte) pushdown.StateID {
	for _, b := range text {
		if s = f.step(s, b); s <= pushdown.Over {
			return s
		}
	}
	return s
}

// next is a byte that shortest texts go on with, and the state after it.
type next struct {
	b     byte
	state pushdown.StateID
}

// Shortest texts may branch at each byte, so few of their next bytes are followed: nextStates states, and nextBytes
// bytes to each. While more than nextAll bytes are left, only one state is followed. Bytes that a long token repeats
// come first, since a string that has to grow is shortest in such tokens; then the least bytes.
const (
	nextAll    = 6
	nextStates = 4
	nextBytes  = 2
)

// nexts is the bytes that are followed from a state, the states whose distance was compared for that, and the cost
// without these distances.
type nexts struct {
	list  []next
	tried []pushdown.StateID
	cost  int
}

// nextOf returns the bytes that are followed from state s. Many states share them, so payNext pays once a question.
func (f *Finder) nextOf(s pushdown.StateID) []next {
	x, ok := f.nexts[s]
	if !ok {
		x.cost = f.measure(func() { x.list, x.tried = f.findNext(s) })
		f.nexts[s] = x
		f.masks.Hold(factSize + 8*len(x.list) + 4*len(x.tried))
	}
	return x.list
}

// payNext pays for the next bytes of state s, which nextOf has found.
func (f *Finder) payNext(s pushdown.StateID) {
	if !f.charge(factNext, s) {
		return
	}
	f.pay(f.nexts[s].cost)
	for _, t := range f.nexts[s].tried {
		f.toEndBytes(t)
	}
}

func (f *Finder) findNext(s pushdown.StateID) (list []next, tried []pushdown.StateID) {
	n := f.distance(s).bytes // its caller has charged for it
	if n == 0 || n == never || !f.a.Steps(s) {
		return nil, nil
	}
	most := nextStates
	if n > nextAll {
		most = 1
	}
	c := comparison{f: f, had: n}
	var states []pushdown.StateID
	var farther pushdown.StateID // the last state that was no nearer; most bytes lead to it
	alive, all := f.a.Alive(s), 0
	for _, b := range f.lexicon.byRun {
		if all == most*nextBytes {
			break // the mark was the first
		}
		if !alive.Has(b) {
			continue
		}
		t := f.step(s, b)
		if t <= pushdown.Over || t == farther {
			continue
		}
		same := 0
		for _, x := range list {
			if x.state == t && x.b != terminal.TokenMark {
				same++
			}
		}
		known := slices.Contains(states, t)
		switch {
		case same == nextBytes, !known && len(states) == most && b != terminal.TokenMark:
			continue
		case known:
		case c.bytesOf(t) != n-1:
			farther = t
			continue
		}
		list = append(list, next{b, t})
		if b != terminal.TokenMark {
			all++
			if !known {
				states = append(states, t)
			}
		}
	}
	return list, slices.Clip(c.tried)
}

// comparison finds states that are nearer to the end than had bytes, for a fact. The fact keeps the states that were
// tried, and questions pay for their distances, whether these were known or not.
type comparison struct {
	f     *Finder
	had   uint32
	bytes map[pushdown.StateID]uint32
	tried []pushdown.StateID
	fresh int // the cost of new distances, for which the question has yet to pay
}

// bytesOf returns how few bytes complete state t; never, if that is not less than c.had.
func (c *comparison) bytesOf(t pushdown.StateID) uint32 {
	if t <= pushdown.Over {
		return never
	}
	n, ok := c.bytes[t]
	if ok {
		return n
	}
	if n = never; c.f.shortest.AtLeast(t) < c.had {
		c.tried = append(c.tried, t)
		if m := c.find(t).bytes; m < c.had {
			n = m
		}
	}
	if c.bytes == nil {
		c.bytes = map[pushdown.StateID]uint32{}
	}
	c.bytes[t] = n
	return n
}

// find is Finder.distance. It gives up if the question cannot pay for it.
func (c *comparison) find(t pushdown.StateID) distance {
	f := c.f
	_, found := f.bytes[t]
	d := f.distance(t)
	if !found {
		c.fresh += int(d.cost)
		for _, x := range d.shared {
			if !f.sets[0].Has(x.name) && f.paid.Add(x.name) {
				c.fresh += x.cost
			}
		}
		if f.cost+c.fresh > f.most {
			panic(tooMuch{})
		}
	}
	return d
}
