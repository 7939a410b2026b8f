package tokenset

import (
	"slices"
	"sync/atomic"
)

// settle turns the result of a walk into the form that masks use.
func (e *Sets) settle(c *Class, w *Scratch) {
	c.ranks, c.goesOn = slices.Clone(w.Ranges), slices.Clone(c.goesOn)
	if c.Counted {
		c.Ends, c.Irregular, c.Exits = slices.Clone(c.Ends), slices.Clone(c.Irregular), slices.Clone(c.Exits)
		e.settleCounted(c)
		return
	}
	c.Ends = e.leavingEnds(c)
	e.tokens.spell(c)
}

// spell turns the ranges of a class that is not counted into a list or a bitmap.
func (t *Tokens) spell(c *Class) {
	order := t.Trie.Order
	if n := c.ranks.Count(); n <= SparseTokens {
		c.List = make([]uint32, 0, n)
		for i := 0; i < len(c.ranks); i += 2 {
			c.List = append(c.List, order[c.ranks[i]:c.ranks[i+1]]...)
		}
		c.Special = len(t.Clear) > 0 && slices.ContainsFunc(c.List, func(id uint32) bool { return t.IsSpec[id] })
		return
	}
	c.Bitmap = make([]uint32, t.words)
	t.Spread(c.ranks, c.Bitmap)
}

// leavingEnds returns the ends below which some token is not inside the terminal. Free text may end nearly everywhere,
// and few tokens leave it. c.Ends is overwritten.
func (e *Sets) leavingEnds(c *Class) []ending {
	ends := c.Ends[:0]
	ranks, r := c.ranks, 0
	for _, end := range c.Ends {
		from, to := e.tokens.Trie.Below(end.node)
		if r > 0 && from < ranks[r-1] {
			r = 0 // out of order, after a reader (Walk.read) or behind a run (starts)
		}
		for r < len(ranks) && ranks[r+1] <= from {
			r += 2
		}
		if r == len(ranks) || from < ranks[r] || to > ranks[r+1] {
			ends = append(ends, end)
		}
	}
	return slices.Clone(ends)
}

// settleCounted turns large groups into bitmaps, and sorts the tokens of small ones by the code points they need.
func (e *Sets) settleCounted(c *Class) {
	type need struct{ n, token uint32 }
	var needs []need
	var large []group
	most := uint32(0)
	for _, g := range c.groups {
		g.ranks.Normalise()
		most = max(most, uint32(max(g.beyond+e.tokens.Runes, 0)))
		if g.ranks.Count() > SparseTokens {
			g.bitmap = make([]uint32, e.tokens.words)
			e.tokens.Spread(g.ranks, g.bitmap)
			g.ranks = nil // masks read the bitmap alone; the ranges may be several times as large
			large = append(large, g)
			continue
		}
		for i := 0; i < len(g.ranks); i += 2 {
			for _, id := range e.tokens.Trie.Order[g.ranks[i]:g.ranks[i+1]] {
				needs = append(needs, need{uint32(max(g.beyond+e.tokens.runesOf(id), 0)), id})
			}
		}
	}
	c.groups = slices.Clone(large)
	c.upTo = make([]uint32, most+1)
	for _, x := range needs {
		c.upTo[x.n]++
	}
	for i := 1; i < len(c.upTo); i++ {
		c.upTo[i] += c.upTo[i-1]
	}
	c.order = make([]uint32, len(needs))
	next := append([]uint32{0}, c.upTo...)
	for _, x := range needs {
		c.order[next[x.n]] = x.token
		next[x.n]++
	}
	c.Rooms = make([]atomic.Pointer[[]uint32], most+1)
}

// Room returns the bitmap of the tokens of a counted class that need at most n code points, nil if there are none.
func (e *Sets) Room(c *Class, n uint32) []uint32 {
	most := uint32(len(c.Rooms)) - 1
	n = min(n, most)
	if p := c.Rooms[n].Load(); p != nil {
		return *p
	}
	bm := make([]uint32, e.tokens.words)
	for _, g := range c.groups {
		if int(n) < g.beyond {
			continue
		}
		short := e.tokens.upToRunes(uint32(int(n) - g.beyond))
		for i, x := range g.bitmap {
			bm[i] |= x & short[i]
		}
	}
	for _, id := range c.order[:c.upTo[n]] {
		bm[id>>5] |= 1 << (id & 31)
	}
	if !slices.ContainsFunc(bm, func(x uint32) bool { return x != 0 }) {
		bm = nil
	}
	if c.Rooms[n].CompareAndSwap(nil, &bm) {
		e.grew(c, cap(bm)*4)
	}
	return bm
}

// Spread writes ranges of the trie's order as a bitmap. It starts from no token or from all tokens, whichever changes
// fewer bits.
func (t *Tokens) Spread(r ranges, bm []uint32) {
	order := t.Trie.Order
	if r.Count()*2 <= len(order) {
		clear(bm)
		for i := 0; i < len(r); i += 2 {
			for _, id := range order[r[i]:r[i+1]] {
				bm[id>>5] |= 1 << (id & 31)
			}
		}
		return
	}
	copy(bm, t.All)
	at := uint32(0)
	for i := 0; i <= len(r); i += 2 {
		to := uint32(len(order))
		if i < len(r) {
			to = r[i]
		}
		for _, id := range order[at:to] {
			bm[id>>5] &^= 1 << (id & 31)
		}
		if i < len(r) {
			at = r[i+1]
		}
	}
}
