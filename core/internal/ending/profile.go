package ending

import (
	"slices"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// Profile has the tokens of a state by the state behind them, with bounds on the tokens to its end. Shared and growing;
// safe for concurrent use.
type Profile struct {
	classes []class
	far     int  // with that many tokens or more, no token is rejected; Unknown: none is known to be enough
	whole   bool // classes has every token; else the state is narrow
	cost    int  // of finding them

	above *Profile // of the same state without comparisons of items (Lemma 228); nil: it compares none
	spare int      // bytes, and so tokens, that comparisons may add

	outcomes atomic.Pointer[[]outcome]
}

// class is the tokens that lead to one state.
type class struct {
	state        pushdown.StateID
	floor, bound int          // tokens to the end are between these
	most         atomic.Int32 // tokens to the end; bound while they are not known
	ids          []uint32     // the tokens, unless bits has them
	bits         []uint32
}

// profile returns the profile of state s if it was made before. It takes no lock.
func (f *Finder) profile(s pushdown.StateID) *Profile {
	if p := f.profiles.at(s); p != nil {
		return p.Load()
	}
	return nil
}

// Far reports whether n tokens suffice for an end behind each allowed token of state s. known is false if that is not
// at hand; see Prepare. If bound is known, Far takes no lock.
func (f *Finder) Far(s pushdown.StateID, n int) (far, known bool) {
	if n > f.bound(s) {
		return true, true
	}
	p := f.profile(s)
	if p == nil {
		return false, false
	}
	return n >= p.far, true
}

// bound returns a number of tokens that suffices for an end behind each token of state s, Unknown if there is none
// (Lemma 227). It needs no profile.
//
// PERF: in the median of BenchmarkFarLimits, cold masks far from the end take 1.01 times as long as without a limit.
// They take 19 times as long if a profile has to tell that they are far.
func (f *Finder) bound(s pushdown.StateID) int {
	if p := f.bounds.at(s); p != nil {
		if n := p.Load(); n > 0 {
			return int(n - 1)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	n := Unknown
	if f.spells && !f.limited {
		if f.highest == nil {
			f.highest = pushdown.NewHighest(f.shortest, f.masks.Engine().Store().Budgets().Mask/4)
		}
		n = f.tokenEach(f.highest.Of(s, f.lexicon.longest))
	}
	f.bounds.grow(s).Store(int32(n) + 1)
	return n
}

// Ready reports whether Cut answers without a search.
func (f *Finder) Ready(s pushdown.StateID, n int) bool {
	p := f.profile(s)
	return p != nil && p.outcome(n) != nil
}

// Prepare finds the profile of state s, so that Far is known.
func (f *Finder) Prepare(s pushdown.StateID) { f.profileOf(s) }

// profileOf returns the profile of state s.
func (f *Finder) profileOf(s pushdown.StateID) *Profile {
	p := f.profile(s)
	if p != nil {
		return p
	}
	t, levels := s, 0
	f.ask(0, func() {
		if t, levels = f.withoutComparisons(s); levels > 0 {
			return
		}
		if p = f.profile(s); p == nil { // another thread may have made it
			p = f.newProfile(s)
			p.cost = f.spent
			f.profiles.grow(s).Store(p)
		}
	})
	if p != nil {
		return p
	}
	p = &Profile{far: Unknown}
	if t > pushdown.Over && t != s {
		above, more := f.profileOf(t), levels*pushdown.Spare
		p = &Profile{above: above, spare: more, far: above.far + more}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.profiles.grow(s).Store(p)
	f.masks.Hold(profileBytes)
	return p
}

// profileBytes is the size of a profile without classes.
const profileBytes = 80

func (f *Finder) newProfile(s pushdown.StateID) *Profile {
	p := &Profile{whole: true}
	size, ok := f.fromTemplate(s, p)
	if !ok {
		size = f.sort(f.walkOf(s), p)
	}
	for i := range p.classes {
		x := &p.classes[i]
		least, most := f.leastTokens(x.state), f.mostTokens(x.state)
		if most >= Unknown { // along shortest texts
			least = f.toEnd(x.state)
			most = least
		}
		x.floor, x.bound = least, most
		x.most.Store(int32(most))
		p.far = max(p.far, most+1)
		size += 72
	}
	f.masks.Hold(size)
	return p
}

// fromTemplate makes the classes of state s by a template, and returns the memory that they take besides the
// template's. ok is false if there is none.
func (f *Finder) fromTemplate(s pushdown.StateID, p *Profile) (size int, ok bool) {
	t := f.templateOf(s)
	if t == nil {
		return 0, false
	}
	w := f.newWalker(s)
	if w.others(s); len(w.out.others) > 0 {
		return 0, false
	}
	trie := f.lexicon.trie
	states := make([]pushdown.StateID, len(t.classes))
	n := 0
	for i := range t.classes {
		x := &t.classes[i]
		switch {
		case x.from == within:
			states[i] = f.follow(s, trie.Bytes[trie.Order[x.rank]][:x.depth])
		case x.from == fromRoot:
			states[i] = f.step(s, x.b)
		case states[x.from] != pushdown.Dead:
			states[i] = f.step(states[x.from], x.b)
		}
		if states[i] != pushdown.Dead && x.tokens() {
			n++
		}
	}
	for _, x := range t.open {
		if u := states[x.class]; u != pushdown.Dead {
			w.open(x.node, u)
		}
	}
	w.finish()
	p.classes = make([]class, n)
	n = 0
	for i := range t.classes {
		if x := &t.classes[i]; states[i] != pushdown.Dead && x.tokens() {
			p.classes[n].state, p.classes[n].ids, p.classes[n].bits = states[i], x.ids, x.bits
			n++
		}
	}
	return f.sort(w.out, p), true
}

// sort adds the tokens of a walk to p as classes, and returns the memory that they take.
func (f *Finder) sort(w *walk, p *Profile) (size int) {
	words, first := f.lexicon.Tokens.Words(), len(p.classes)
	c := sorter{f: f, at: make(map[pushdown.StateID]int, len(w.states))}
	classes := make([]class, first+len(w.states))
	for i := range first {
		classes[i].state, classes[i].ids, classes[i].bits = p.classes[i].state, p.classes[i].ids, p.classes[i].bits
	}
	p.classes = classes
	for i, t := range w.states {
		c.at[t] = first + i
		p.classes[first+i].state = t
	}
	c.sort(w, p)
	for i := first; i < len(p.classes); i++ {
		x := &p.classes[i]
		x.ids, x.bits = packed(x.ids, words)
		size += 4 * (len(x.ids) + len(x.bits))
	}
	return size
}

// packed returns ids as they take less memory: as they are, or as a row.
func packed(ids []uint32, words int) (list, bits []uint32) {
	if len(ids) <= words {
		return slices.Clip(ids), nil
	}
	bits = make([]uint32, words)
	for _, id := range ids {
		bits[id>>5] |= 1 << (id & 31)
	}
	return nil, bits
}

// Cut removes from row, the mask of state s, each token with which the output cannot be completed in n tokens from s
// on. It reports whether there were any, and ok is false if no completion is known. A narrow state keeps fewer tokens.
func (f *Finder) Cut(s pushdown.StateID, n int, row []uint32) (some, ok bool) {
	p := f.profileOf(s)
	x := f.outcomeOf(s, p, n)
	for i, word := range x.row {
		some = some || row[i]&^word != 0
		row[i] &= word
	}
	if x.row != nil {
		return some, !x.none
	}
	for i := range p.classes {
		if c := &p.classes[i]; int(c.most.Load()) > n-1 {
			some = c.remove(row) || some
		}
	}
	return some, true
}

// open reports whether n lies between the class's bounds, so that a search has to decide.
func (c *class) open(n int) bool { return c.floor <= n && n < c.bound }

// decide finds which classes have an end within n tokens.
func (f *Finder) decide(p *Profile, n int) {
	for i := range p.classes {
		c := &p.classes[i]
		if !c.open(n) {
			continue
		}
		c.most.Store(int32(f.toEnd(c.state)))
	}
}

// remove takes the tokens of a class out of row and reports whether some were in it.
func (c *class) remove(row []uint32) (some bool) {
	for i, word := range c.bits {
		some = some || row[i]&word != 0
		row[i] &^= word
	}
	for _, id := range c.ids {
		bit := uint32(1) << (id & 31)
		some = some || row[id>>5]&bit != 0
		row[id>>5] &^= bit
	}
	return some
}

// put adds the tokens of a class to row.
func (c *class) put(row []uint32) {
	for i, word := range c.bits {
		row[i] |= word
	}
	for _, id := range c.ids {
		row[id>>5] |= 1 << (id & 31)
	}
}

// sorter sorts the tokens of a walk into classes.
type sorter struct {
	f  *Finder
	at map[pushdown.StateID]int // index of a state's class
}

func (c *sorter) sort(w *walk, p *Profile) {
	others := make(map[uint32]struct{}, len(w.others))
	for _, o := range w.others {
		others[o.id] = struct{}{}
		x := &p.classes[c.at[o.state]]
		x.ids = append(x.ids, o.id)
	}
	order := c.f.lexicon.trie.Order
	add := func(rank uint32, x *class) {
		id := order[rank]
		if _, other := others[id]; !other && c.f.usable(id) {
			x.ids = append(x.ids, id)
		}
	}
	for _, s := range w.spans {
		x := &p.classes[c.at[s.state]]
		for rank := s.from; rank < s.to; rank++ {
			add(rank, x)
		}
	}
}
