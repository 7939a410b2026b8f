// Package shortest computes the fewest bytes that complete a state of a terminal, for each tag that its texts may
// carry.
//
// Invariant: a distance is never more than the true one, and equal to it if Exact says so. Distances depend on the
// state alone, not on earlier requests. Start reading at Finder.Of.
package shortest

import (
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// Distance is a number of bytes.
type Distance struct {
	Bytes uint32 // Never: nothing completes the state
	Exact bool   // false: the true distance may be greater
}

// Never is the number of bytes to an end that does not exist.
const Never = math.MaxUint32

// None is the distance to an end that does not exist.
var None = Distance{Never, true}

// Plus returns the distance of two parts that follow each other.
func (d Distance) Plus(e Distance) Distance {
	if d.Bytes == Never || e.Bytes == Never {
		return Distance{Never, d.Exact && d.Bytes == Never || e.Exact && e.Bytes == Never}
	}
	return Distance{min(d.Bytes, Never-1-e.Bytes) + e.Bytes, d.Exact && e.Exact}
}

// Times returns the distance of n parts that follow each other.
func (d Distance) Times(n uint32) Distance {
	if d.Bytes == Never && n > 0 {
		return d
	}
	return Distance{uint32(min(uint64(d.Bytes)*uint64(n), Never-1)), d.Exact || n == 0}
}

// Or returns the distance of one part or another.
func (d Distance) Or(e Distance) Distance {
	if e.Bytes < d.Bytes || e.Bytes == d.Bytes && e.Exact {
		return e
	}
	return d
}

// Tagged is the distance to the end in one tag.
type Tagged struct {
	Tag uint32
	Distance
}

// Ends holds the distances of one state. Immutable.
type Ends struct {
	Bare Distance // to an end without a tag
	Tags []Tagged // sorted by tag
}

func byTag(x Tagged, t uint32) int { return int(x.Tag) - int(t) }

// Tag returns the distance to the end in tag t.
func (e *Ends) Tag(t uint32) Distance {
	i, ok := slices.BinarySearchFunc(e.Tags, t, byTag)
	if !ok {
		return None
	}
	return e.Tags[i].Distance
}

// share divides the budget of a mask: a search may cost 1/share of it, two milliseconds. Searches of real terminals
// visit a few hundred states.
const share = 20

// spreads is how many searches a search for all tags may cost: strict schemas have objects of 300 keys and 12 KB.
const spreads = 8

// stateCost is the cost of a state that a search looks at, besides its transitions.
const stateCost = 40

type place struct {
	e expr.Expr
	c counters.Counter
}

// found is the distances of a place and the cost of their search.
type found struct {
	Ends
	cost int
}

// Finder keeps the distances that were found. One goroutine at a time.
type Finder struct {
	st     *terminal.Store
	most   int // cost of a search
	found  map[place]found
	bounds map[expr.Expr]Distance
	plains map[expr.Expr]bool
	highs  map[expr.Expr]uint32
	left   int // cost that is left for highs
}

// New returns a finder for the terminals of a store.
func New(st *terminal.Store) *Finder {
	return &Finder{
		st: st, most: st.Budgets().Mask / share, found: map[place]found{}, bounds: map[expr.Expr]Distance{},
		plains: map[expr.Expr]bool{}, highs: map[expr.Expr]uint32{},
	}
}

// Of returns the distances of state e with counter c, and the cost of finding them from nothing.
func (f *Finder) Of(e expr.Expr, c counters.Counter) (ends Ends, cost int) {
	tagged := f.st.View().Tagged(e)
	if !tagged {
		if d := f.AtLeast(e, c); d.Exact {
			return Ends{Bare: d}, 1
		}
	}
	at := place{e, c}
	x, ok := f.found[at]
	if !ok {
		if tagged {
			x = f.spread(at)
		} else {
			x = f.search(at)
		}
		f.found[at] = x
	}
	return x.Ends, x.cost
}

// visit is a state that a search has reached.
type visit struct {
	place
	steps uint32 // bytes up to here
}

// search looks for the shortest way from a state to its end: A* with the bounds that structure gives (AtLeast).
//
// It keeps the result for start alone: the cost of other states would depend on the search that met them.
func (f *Finder) search(start place) (x found) {
	first := f.AtLeast(start.e, start.c).Bytes
	if first == Never {
		return found{Ends{Bare: None}, 1}
	}
	best := map[place]uint32{start: 0}
	buckets := map[uint32][]visit{first: {{place: start}}}
	for level, top := first, first; level <= top; level++ {
		for len(buckets[level]) > 0 {
			list := buckets[level]
			v := list[len(list)-1]
			buckets[level] = list[:len(list)-1]
			if v.steps > best[v.place] {
				continue
			}
			if counters.Accepts(f.st, v.e, v.c) {
				x.Bare = Distance{v.steps, true}
				return x
			}
			if rest := f.AtLeast(v.e, v.c); rest.Exact && rest.Bytes < Never {
				x.Bare = Distance{v.steps + rest.Bytes, true}
				return x
			}
			if x.cost > f.most {
				x.Bare = Distance{Bytes: first}
				return x
			}
			x.cost += f.eachStep(v.place, func(to place) {
				if n, ok := best[to]; ok && n <= v.steps+1 {
					return
				}
				rest := f.AtLeast(to.e, to.c).Bytes
				if rest == Never {
					return
				}
				best[to] = v.steps + 1
				k := max(level, v.steps+1+rest)
				top = max(top, k)
				buckets[k] = append(buckets[k], visit{to, v.steps + 1})
			})
		}
		delete(buckets, level)
	}
	x.Bare = None
	return x
}

// spread looks for the shortest way to each tag, breadth first: the bounds of AtLeast lead to the nearest tag alone.
func (f *Finder) spread(start place) (x found) {
	v := f.st.View()
	missing := len(f.st.ReachableTags(start.e)) + 1
	out := Ends{Bare: None}
	seen := map[place]bool{start: true}
	now, next := []place{start}, []place(nil)
	var room [8]uint32
	for n := uint32(0); len(now) > 0 && missing > 0; n++ {
		for _, at := range now {
			if counters.Accepts(f.st, at.e, at.c) {
				tags, bare := v.Tags(at.e, room[:0])
				if bare && out.Bare.Bytes == Never {
					out.Bare = Distance{n, true}
					missing--
				}
				for _, t := range tags {
					if i, ok := slices.BinarySearchFunc(out.Tags, t, byTag); !ok {
						out.Tags = slices.Insert(out.Tags, i, Tagged{t, Distance{n, true}})
						missing--
					}
				}
			}
			x.cost += f.eachStep(at, func(to place) {
				if !seen[to] {
					seen[to], next = true, append(next, to)
				}
			})
			if x.cost > spreads*f.most {
				x.Ends = f.giveUp(start, out, n)
				return x
			}
		}
		now, next = next, now[:0]
	}
	x.Ends = out
	return x
}

// giveUp completes the known ends of a state: all others take at least n bytes.
func (f *Finder) giveUp(start place, known Ends, n uint32) Ends {
	if known.Bare.Bytes == Never {
		known.Bare = Distance{Bytes: n}
	}
	for _, t := range f.st.ReachableTags(start.e) {
		if i, ok := slices.BinarySearchFunc(known.Tags, t, byTag); !ok {
			known.Tags = slices.Insert(known.Tags, i, Tagged{t, Distance{Bytes: n}})
		}
	}
	return known
}

// eachStep calls visit with the states that bytes lead to, in descending order of the bytes. It tries one byte of each
// class, unless a counter distinguishes them. It returns the cost.
func (f *Finder) eachStep(at place, visit func(to place)) (cost int) {
	cost = stateCost + limits.PartCost*prices.Row(f.st, at.e)
	alive := f.st.Alive(at.e)
	classes, plain := f.st.Transitions(at.e)
	tried := map[uint32]bool{}
	var last place
	for b := 255; b >= 0; b-- {
		if !alive.Has(byte(b)) {
			continue
		}
		class := classes.Class(byte(b))
		if !plain {
			class = class<<8 | kindOf(byte(b))
		}
		if tried[class] {
			continue
		}
		to, known := classes.To(byte(b))
		c := counters.Counter(0)
		if !plain || !known {
			to, c = counters.Step(f.st, at.e, at.c, byte(b))
		}
		tried[class] = known
		if to := (place{to, c}); to.e != expr.Empty && to.e != expr.TooHard && to != last {
			last = to
			cost += limits.StepCost
			visit(to)
		}
	}
	return cost
}

// kindOf returns a number for bytes that a counter treats alike; see analysis.Advance.
func kindOf(b byte) uint32 {
	switch {
	case b&0xC0 == 0x80:
		return 1
	case b == '\\':
		return 2
	case b == 'u':
		return 3
	case b|0x20 == 'd':
		return 4
	case b == '8' || b == '9' || b|0x20 == 'a' || b|0x20 == 'b':
		return 5
	}
	return 0
}
