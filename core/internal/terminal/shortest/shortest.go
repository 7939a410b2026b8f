// Package shortest computes the fewest bytes that complete a state of a terminal, for each tag that its texts may
// carry.
//
// Invariant: a distance is never more than the true one, and equal to it if Exact says so. Distances depend on the
// state alone, not on earlier requests. Start reading at Finder.Of.
package shortest

import (
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
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

// Tag returns the distance to the end in tag t.
func (e *Ends) Tag(t uint32) Distance {
	i, ok := slices.BinarySearchFunc(e.Tags, t, func(x Tagged, t uint32) int { return int(x.Tag) - int(t) })
	if !ok {
		return None
	}
	return e.Tags[i].Distance
}

// searchStates bounds the states of one search, and searchTies the states that it looks at without coming nearer to the
// end. Real terminals take a few hundred; a minimum of 4,000 characters takes as many.
const (
	searchStates = 1 << 11
	searchTies   = 1 << 12
	spreadStates = 1 << 15 // of one search for all tags
)

type place struct {
	e expr.Expr
	c counters.Counter
}

// Finder keeps the distances that were found. One goroutine at a time.
type Finder struct {
	st     *terminal.Store
	ends   map[place]*Ends
	plain  map[place]Distance // of states without tags
	bounds map[expr.Expr]uint32
}

// New returns a finder for the terminals of a store.
func New(st *terminal.Store) *Finder {
	return &Finder{
		st: st, ends: map[place]*Ends{}, plain: map[place]Distance{}, bounds: map[expr.Expr]uint32{},
	}
}

// Size returns how many bytes the finder holds, approximately.
func (f *Finder) Size() int { return len(f.ends)*80 + len(f.plain)*32 + len(f.bounds)*16 }

// Of returns the distances of state e with counter c.
func (f *Finder) Of(e expr.Expr, c counters.Counter) Ends {
	if !f.st.View().Tagged(e) {
		return Ends{Bare: f.Plain(e, c)}
	}
	at := place{e, c}
	if x, ok := f.ends[at]; ok {
		return *x
	}
	x := f.spread(at)
	f.ends[at] = &x
	return x
}

// Plain is Of for a state without tags.
//
// Lemma: let q be a state on a shortest path from p. A search from q looks only at states at which the search from p
// looked: its paths are paths from p without the steps to q, and shorter by as many bytes. So Plain keeps the distance
// of q too: a search from q would have ended within the same bound. ∎
func (f *Finder) Plain(e expr.Expr, c counters.Counter) Distance {
	at := place{e, c}
	d, ok := f.plain[at]
	if !ok {
		d = f.search(at)
	}
	return d
}

// visit is a state that a search has reached.
type visit struct {
	place
	from  int32  // index of the visit before
	steps uint32 // bytes up to here
}

// search finds the shortest path from a state to its end. It is A* with the lower bounds of AtLeast.
func (f *Finder) search(start place) Distance {
	type bucket struct{ list []int32 }
	visits := []visit{{place: start, from: -1}}
	best := map[place]uint32{start: 0}
	first := f.AtLeast(start.e, start.c)
	if first == Never {
		f.plain[start] = None
		return None
	}
	buckets := map[uint32]*bucket{first: {[]int32{0}}}
	looked, ties := 0, 0
	for level, top := first, first; level <= top; level++ {
		for ties = 0; buckets[level] != nil && len(buckets[level].list) > 0; {
			list := &buckets[level].list
			i := (*list)[len(*list)-1]
			*list = (*list)[:len(*list)-1]
			v := visits[i]
			if v.steps > best[v.place] {
				continue
			}
			if counters.Accepts(f.st, v.e, v.c) {
				f.keepWay(visits, i)
				return Distance{v.steps, true}
			}
			if ties++; looked > searchStates || ties > searchTies {
				d := Distance{Bytes: first}
				f.plain[start] = d
				return d
			}
			f.eachStep(v.place, func(to place) {
				if n, ok := best[to]; ok && n <= v.steps+1 {
					return
				}
				rest := f.AtLeast(to.e, to.c)
				if rest == Never {
					return
				}
				best[to] = v.steps + 1
				visits = append(visits, visit{to, i, v.steps + 1})
				k := max(level, v.steps+1+rest)
				top = max(top, k)
				if buckets[k] == nil {
					buckets[k] = &bucket{}
				}
				buckets[k].list = append(buckets[k].list, int32(len(visits)-1))
			})
		}
		looked += ties
		delete(buckets, level)
	}
	f.plain[start] = None
	return None
}

// keepWay keeps the distances along the path that ends with visit i.
func (f *Finder) keepWay(visits []visit, i int32) {
	for n := uint32(0); i >= 0; n, i = n+1, visits[i].from {
		f.plain[visits[i].place] = Distance{n, true}
	}
}

// spread searches breadth-first for the shortest path to each tag. The bounds of search would only guide it to the
// nearest tag.
func (f *Finder) spread(start place) (out Ends) {
	v := f.st.View()
	missing := len(f.st.ReachableTags(start.e)) + 1
	out.Bare = None
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
					if i, ok := slices.BinarySearchFunc(out.Tags, t,
						func(x Tagged, t uint32) int { return int(x.Tag) - int(t) }); !ok {
						out.Tags = slices.Insert(out.Tags, i, Tagged{t, Distance{n, true}})
						missing--
					}
				}
			}
			f.eachStep(at, func(to place) {
				if !seen[to] {
					seen[to], next = true, append(next, to)
				}
			})
			if len(seen) > spreadStates {
				return f.giveUp(start, out, n)
			}
		}
		now, next = next, now[:0]
	}
	return out
}

// giveUp completes the known ends of a state: all others take at least n bytes.
func (f *Finder) giveUp(start place, known Ends, n uint32) Ends {
	if known.Bare.Bytes == Never {
		known.Bare = Distance{Bytes: n}
	}
	for _, t := range f.st.ReachableTags(start.e) {
		if i, ok := slices.BinarySearchFunc(known.Tags, t,
			func(x Tagged, t uint32) int { return int(x.Tag) - int(t) }); !ok {
			known.Tags = slices.Insert(known.Tags, i, Tagged{t, Distance{Bytes: n}})
		}
	}
	return known
}

// eachStep calls visit with the states that bytes lead to, so that the state of the least byte is visited last. Bytes
// of one class lead to one state, unless a counter distinguishes them.
func (f *Finder) eachStep(at place, visit func(to place)) {
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
			visit(to)
		}
	}
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
