package oracle

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// place is a position in an object: declared properties up to next are behind, members have been written. In an object
// in any order, next is a bit for each declared property that has come, and one for undeclared properties.
type place struct{ next, members uint32 }

// undeclared is the bit of undeclared properties.
const undeclared = 1 << 31

// after returns the place after declared property t; ok is false if t may not come now.
func after(o *grammar.Object, p place, t uint32) (q place, ok bool) {
	if o.AnyOrder {
		if int(t) >= len(o.Properties) || p.next>>t&1 == 1 || p.members >= o.MaxMembers ||
			t < o.Ordered && (p.next&(1<<o.Ordered-1|undeclared)>>t != 0 || skips(o, p, t)) {
			return place{}, false
		}
		return place{p.next | 1<<t, p.members + 1}, true
	}
	if t < p.next || int(t) >= len(o.Properties) || p.members >= o.MaxMembers || missing(o, p.next, t) {
		return place{}, false
	}
	return place{t + 1, p.members + 1}, true
}

// afterExtra returns the place after an undeclared property.
func afterExtra(o *grammar.Object, p place) (q place, ok bool) {
	if o.AnyOrder {
		return place{p.next | undeclared, p.members + 1}, p.members < o.MaxMembers && !skips(o, p, o.Ordered)
	}
	all := uint32(len(o.Properties))
	if p.members >= o.MaxMembers || missing(o, p.next, all) {
		return place{}, false
	}
	return place{all, p.members + 1}, true
}

// mayClose reports whether no required property and no member is missing.
func mayClose(o *grammar.Object, p place) bool {
	if o.AnyOrder {
		return p.members >= o.MinMembers && p.members <= o.MaxMembers && !skips(o, p, uint32(len(o.Properties)))
	}
	return p.members >= o.MinMembers && p.members <= o.MaxMembers && !missing(o, p.next, uint32(len(o.Properties)))
}

// skips reports, for an object in any order, whether a required property among the first n has not come.
func skips(o *grammar.Object, p place, n uint32) bool {
	for t, q := range o.Properties[:n] {
		if q.Required && p.next>>t&1 == 0 {
			return true
		}
	}
	return false
}

// missing reports whether a property among from..to-1 is required.
func missing(o *grammar.Object, from, to uint32) bool {
	for _, p := range o.Properties[from:to] {
		if p.Required {
			return true
		}
	}
	return false
}

// completer decides whether an object at some place can still be closed, given the productive symbols.
type completer struct {
	f    *flat
	o    *grammar.Object
	memo map[place]bool
}

func (c *completer) can(p place) bool {
	if v, ok := c.memo[p]; ok {
		return v
	}
	c.memo[p] = c.find(p)
	return c.memo[p]
}

func (c *completer) find(p place) bool {
	o := c.o
	if mayClose(o, p) && c.f.matches(o.Close) {
		return true
	}
	// A minimum never needs more members than this.
	if p.members > o.MinMembers+uint32(len(o.Properties)) || p.members > 0 && !c.f.matches(o.Comma) ||
		!c.f.matches(o.Quote) {
		return false
	}
	for t := range uint32(len(o.Properties)) {
		if q, ok := after(o, p, t); ok && c.member(o.Keys, o.Tag(t), o.Properties[t].Value) && c.can(q) {
			return true
		}
	}
	q, ok := afterExtra(o, p)
	for _, e := range o.Extra {
		if ok && c.member(e.Key, bare, e.Value) && c.can(q) {
			return true
		}
	}
	return false
}

// member reports whether a member with such a key can be written to its end.
func (c *completer) member(key terminal.Expr, tag uint32, value grammar.Symbol) bool {
	_, live := c.f.machine(key).from(nil, 0)
	return (tag == bare && len(live) > 0 || live.has(tag)) &&
		c.f.productiveAll([]grammar.Symbol{grammar.T(c.o.Colon), value})
}

// object adds the matches of o from i to out: it follows every place of the object, at every position of the text,
// member by member.
func (c *chart) object(o *grammar.Object, i int, out *reach) {
	w := &objectWalk{
		c: c, o: o, out: out, can: &completer{f: c.g, o: o, memo: map[place]bool{}}, seen: map[objectAt]bool{},
	}
	if !w.can.can(place{}) {
		return
	}
	w.push(place{}, c.step(c.only(i), grammar.T(o.Open), true, out))
	for len(w.work) > 0 {
		x := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		w.visit(x)
	}
	out.alive = out.alive || out.ends[c.n]
}

type objectAt struct {
	place
	j int
}

type objectWalk struct {
	c    *chart
	o    *grammar.Object
	out  *reach
	can  *completer
	seen map[objectAt]bool
	work []objectAt
}

func (w *objectWalk) push(p place, at []bool) {
	for j, v := range at {
		if x := (objectAt{p, j}); v && !w.seen[x] {
			w.seen[x] = true
			w.work = append(w.work, x)
		}
	}
}

// visit continues after a member, or after the opening.
func (w *objectWalk) visit(x objectAt) {
	c, o := w.c, w.o
	at := c.only(x.j)
	if mayClose(o, x.place) {
		for j, v := range c.step(at, grammar.T(o.Close), true, w.out) {
			w.out.ends[j] = w.out.ends[j] || v
		}
	}
	// The comma and the quote lead somewhere only if a member may follow and can be completed.
	leads := false
	for t := range uint32(len(o.Properties)) {
		q, ok := after(o, x.place, t)
		leads = leads || ok && w.can.member(o.Keys, o.Tag(t), o.Properties[t].Value) && w.can.can(q)
	}
	extra, extraOK := afterExtra(o, x.place)
	for _, e := range o.Extra {
		leads = leads || extraOK && w.can.member(e.Key, bare, e.Value) && w.can.can(extra)
	}
	if !leads {
		return
	}
	if x.members > 0 {
		at = c.step(at, grammar.T(o.Comma), c.g.matches(o.Quote), w.out)
	}
	at = c.step(at, grammar.T(o.Quote), true, w.out)
	for j, v := range at {
		if !v {
			continue
		}
		for t := range uint32(len(o.Properties)) {
			if q, ok := after(o, x.place, t); ok && w.can.member(o.Keys, o.Tag(t), o.Properties[t].Value) &&
				w.can.can(q) {
				w.member(o.Keys, o.Tag(t), o.Properties[t].Value, j, q)
			}
		}
		for _, e := range o.Extra {
			if extraOK && w.can.member(e.Key, bare, e.Value) && w.can.can(extra) {
				w.member(e.Key, bare, e.Value, j, extra)
			}
		}
	}
}

// member reads key, colon and value from j; tag bare stands for any key. The object is at q afterwards.
func (w *objectWalk) member(key terminal.Expr, tag uint32, value grammar.Symbol, j int, q place) {
	c := w.c
	found, live := c.term.from(c, key, j)
	if tag == bare && len(live) > 0 || live.has(tag) {
		w.out.alive = true
	}
	at := make([]bool, c.n+1)
	for k, t := range found {
		at[k] = tag == bare || t.has(tag)
	}
	at = c.step(at, grammar.T(w.o.Colon), c.g.productiveAll([]grammar.Symbol{value}), w.out)
	w.push(q, c.step(at, value, true, w.out))
}
