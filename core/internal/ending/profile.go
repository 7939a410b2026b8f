package ending

import (
	"slices"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// Profile says which tokens of a state leave too few tokens for an end. Shared and growing; safe for concurrent use.
type Profile struct {
	walk    *walk
	far     int  // with so many tokens no token is rejected of which a completion is known
	unknown bool // of some token none is known
	whole   bool // false: the walk took too much
	cuts    atomic.Pointer[[]cutAt]
}

// cutAt is the tokens that are rejected with some number of tokens left. Immutable.
type cutAt struct {
	left int
	ids  []uint32
	keep bool // ids are those that stay, of all that the walk knows
}

// profile returns the profile of state s if it was made before. It takes no lock.
func (f *Finder) profile(s pushdown.StateID) *Profile {
	if p := f.profiles.at(s); p != nil {
		return p.Load()
	}
	return nil
}

// Far reports whether n tokens from state s on leave all tokens that are allowed room for an end, and whether that is at
// hand. It takes no lock.
func (f *Finder) Far(s pushdown.StateID, n int) (far, known bool) {
	p := f.profile(s)
	if p == nil {
		return false, false
	}
	return p.whole && !p.unknown && n >= p.far, true
}

// profileOf returns the profile of state s, under the lock.
func (f *Finder) profileOf(s pushdown.StateID) *Profile {
	if p := f.profile(s); p != nil {
		return p
	}
	w := f.walkOf(s, costs*f.masks.Engine().Store().Budgets().Mask)
	p := &Profile{walk: w, whole: w.whole}
	for _, t := range w.states {
		n := f.mostTokens(t)
		if n >= Unknown { // along shortest texts
			n = f.toEnd(t)
		}
		if n >= Unknown {
			p.unknown = true
		} else {
			p.far = max(p.far, n+1)
		}
	}
	f.profiles.grow(s).Store(p)
	return p
}

// Ready reports whether Cut needs no lock.
func (f *Finder) Ready(s pushdown.StateID, n int) bool {
	p := f.profile(s)
	return p != nil && (!p.whole || p.cut(n) != nil)
}

// Prepare sees that Far is at hand for state s.
func (f *Finder) Prepare(s pushdown.StateID) {
	if f.profile(s) == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.profileOf(s)
	}
}

// Cut takes the tokens out of row, the mask of state s, behind which n tokens from s on are too few for an end. It
// reports whether there were any, and ok is false if finding out takes too much.
func (f *Finder) Cut(s pushdown.StateID, n int, row []uint32) (some, ok bool) {
	p := f.profile(s)
	if p == nil || p.whole && p.cut(n) == nil {
		f.mu.Lock()
		p = f.profileOf(s)
		if p.whole && p.cut(n) == nil {
			c := f.cutOf(p, n)
			p.keepCut(c)
			f.masks.Hold(4 * len(c.ids))
		}
		f.mu.Unlock()
	}
	if !p.whole {
		return false, false
	}
	return p.cut(n).apply(row), true
}

// cut returns the rejected tokens with n tokens left, nil before the first question.
func (p *Profile) cut(n int) *cutAt {
	n = min(n, p.far)
	if list := p.cuts.Load(); list != nil {
		for i := range *list {
			if c := &(*list)[i]; c.left == n {
				return c
			}
		}
	}
	return nil
}

// cutsKept bounds the numbers of tokens for which a profile keeps the rejected tokens.
const cutsKept = 64

func (p *Profile) keepCut(c cutAt) {
	var list []cutAt
	if old := p.cuts.Load(); old != nil {
		list = append(list, *old...)
	}
	if len(list) == cutsKept {
		list = list[cutsKept/2:]
	}
	list = append(list, c)
	p.cuts.Store(&list)
}

// cutOf finds which tokens are rejected with n tokens left.
func (f *Finder) cutOf(p *Profile, n int) cutAt {
	n = min(n, p.far)
	fits := make(map[pushdown.StateID]bool, len(p.walk.states))
	for _, t := range p.walk.states {
		fits[t] = f.fits(t, n-1)
	}
	c := cutter{f: f, others: make(map[uint32]struct{}, len(p.walk.others))}
	for _, o := range p.walk.others {
		c.others[o.id] = struct{}{}
		c.add(o.id, fits[o.state])
	}
	for _, x := range p.walk.spans {
		c.ranks(x.from, x.to, fits[x.state])
	}
	for i := range p.walk.groups {
		g := &p.walk.groups[i]
		ok := make([]bool, len(g.states))
		for k, t := range g.states {
			ok[k] = fits[t]
		}
		for rank := g.from; rank < g.to; rank++ {
			if !f.lexicon.cut[rank] {
				c.ranks(rank, rank+1, ok[f.lexicon.runes[rank]-g.before])
			}
		}
	}
	if len(c.kept) < len(c.gone) {
		return cutAt{left: n, ids: slices.Clip(c.kept), keep: true}
	}
	return cutAt{left: n, ids: slices.Clip(c.gone)}
}

// cutter sorts tokens into those that stay and those that are rejected.
type cutter struct {
	f          *Finder
	others     map[uint32]struct{}
	kept, gone []uint32
}

func (c *cutter) add(id uint32, fits bool) {
	if fits {
		c.kept = append(c.kept, id)
	} else {
		c.gone = append(c.gone, id)
	}
}

func (c *cutter) ranks(from, to uint32, fits bool) {
	for _, id := range c.f.lexicon.trie.Order[from:to] {
		if len(c.others) > 0 {
			if _, ok := c.others[id]; ok {
				continue
			}
		}
		if c.f.usable(id) {
			c.add(id, fits)
		}
	}
}

// apply takes the rejected tokens out of row and reports whether there were any.
func (c *cutAt) apply(row []uint32) (some bool) {
	if !c.keep {
		for _, id := range c.ids {
			bit := uint32(1) << (id & 31)
			some = some || row[id>>5]&bit != 0
			row[id>>5] &^= bit
		}
		return some
	}
	var room [64]uint32
	stay := room[:0]
	for _, id := range c.ids {
		if row[id>>5]>>(id&31)&1 != 0 {
			stay = append(stay, id)
		}
	}
	clear(row)
	for _, id := range stay {
		row[id>>5] |= 1 << (id & 31)
	}
	return true
}
