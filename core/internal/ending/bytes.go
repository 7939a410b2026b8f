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

// toEndBytes returns how few bytes complete state s; never, if they are not known.
func (f *Finder) toEndBytes(s pushdown.StateID) uint32 {
	if s <= pushdown.Over {
		return never
	}
	if !f.knows(factBytes, s) {
		f.learn(factBytes, s, func() {
			d := f.bounded(s)
			if !d.Exact {
				d.Bytes = f.searchBytes(s, d.Bytes)
			}
			f.bytes[s] = d.Bytes
		})
	}
	return f.bytes[s]
}

// bounded returns how few bytes complete state s as the grammar's structure tells it.
func (f *Finder) bounded(s pushdown.StateID) pushdown.Distance {
	cost := 0
	d := f.shortest.Of(s, &cost, f.shared)
	f.pay(cost)
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
			d := f.bounded(v.state)
			if v.steps+d.Bytes <= level && (d.Exact || f.apart(v.state)) {
				return v.steps + d.Bytes
			}
			found := true
			f.eachByte(v.state, func(_ byte, t pushdown.StateID) {
				if n, ok := best[t]; ok && n <= v.steps+1 {
					return
				}
				if f.account.cost > f.search {
					found = false
					return
				}
				d := f.bounded(t)
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
		f.pay(f.a.Cost(s, b, t, f.account.paid.Add))
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

// nextOf returns the bytes that are followed from state s.
func (f *Finder) nextOf(s pushdown.StateID) []next {
	if !f.knows(factNext, s) {
		f.learn(factNext, s, func() { f.nexts[s] = f.findNext(s) })
		f.masks.Hold(8 * len(f.nexts[s]))
	}
	return f.nexts[s]
}

func (f *Finder) findNext(s pushdown.StateID) (list []next) {
	n := f.toEndBytes(s)
	if n == 0 || n == never || !f.a.Steps(s) {
		return nil
	}
	most, each := nextStates, nextBytes
	if n > nextAll {
		most = 1
	}
	if compares, _ := f.shortest.Compares(); compares && len(f.a.BooleanItems(s)) > 0 {
		most, each = 1, 1 // each text leads to a state of its own
	}
	var states []pushdown.StateID
	var farther pushdown.StateID // the last state that was no nearer; most bytes lead to it
	alive, all := f.a.Alive(s), 0
	for _, b := range f.lexicon.byRun {
		if all == most*each {
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
		case same == each, !known && len(states) == most && b != terminal.TokenMark:
			continue
		case known:
		case f.nearer(t, n) != n-1:
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
	return slices.Clip(list)
}

// nearer returns how few bytes complete state t; never, if that is not less than had.
func (f *Finder) nearer(t pushdown.StateID, had uint32) uint32 {
	if t > pushdown.Over && f.shortest.AtLeast(t) < had {
		if n := f.toEndBytes(t); n < had {
			return n
		}
	}
	return never
}
