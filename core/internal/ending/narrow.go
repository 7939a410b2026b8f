package ending

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// A state is narrow if it compares items, or if its tokens cannot be sorted within a question's budget. It allows
// tokens of which a proof is at hand (Lemma 226): tokens behind which a token for each byte is enough, and next tokens
// of a completion that is known to fit. Without that, 47 of 5,424 outputs of MaskBench and BFCL end in Limit.

// outcome is the answer for a state with n tokens left. Immutable.
type outcome struct {
	n    int
	row  []uint32 // the tokens that a narrow state allows; nil: the classes of its profile tell
	none bool     // a narrow state allows no token, and has not ended
}

// outcome returns the outcome for n tokens that was found before, nil if there is none. It takes no lock.
func (p *Profile) outcome(n int) *outcome {
	if p.whole && p.within(n, nil) {
		return &told
	}
	if list := p.outcomes.Load(); list != nil {
		for i := range *list {
			if x := &(*list)[i]; x.n == n || x.row == nil && p.within(n, x) {
				return x
			}
		}
	}
	return nil
}

// within reports whether outcome x decided all classes that n tokens leave open, so that it answers for n, too; nil
// decided none.
func (p *Profile) within(n int, x *outcome) bool {
	for i := range p.classes {
		if c := &p.classes[i]; c.open(n-1) && (x == nil || !c.open(x.n-1)) {
			return false
		}
	}
	return true
}

// told is the outcome if the bounds of the classes tell all.
var told outcome

// outcomeOf returns the outcome for state s with n tokens left.
func (f *Finder) outcomeOf(s pushdown.StateID, p *Profile, n int) *outcome {
	if x := p.outcome(n); x != nil {
		return x
	}
	x := &outcome{n: n}
	if !p.whole || !f.ask(p.cost, func() { f.decide(p, n-1) }) {
		x.row = make([]uint32, f.lexicon.Tokens.Words())
		p.putSure(x.row, n)
		for _, id := range f.certified(s, n) {
			x.row[id>>5] |= 1 << (id & 31)
		}
		x.none = !f.a.Accepts(s) && !slices.ContainsFunc(x.row, func(word uint32) bool { return word != 0 })
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []outcome
	if old := p.outcomes.Load(); old != nil {
		list = append(list, *old...)
	}
	list = append(list, *x)
	p.outcomes.Store(&list)
	f.masks.Hold(40 + 4*len(x.row))
	return x
}

// putSure adds to row the tokens behind which a token for each byte is enough, with n tokens left before them.
func (p *Profile) putSure(row []uint32, n int) {
	if p.above != nil {
		p, n = p.above, n-p.spare
	}
	for i := range p.classes {
		if c := &p.classes[i]; c.bound < n {
			c.put(row)
		}
	}
}

// Leaves reports whether n tokens suffice for an end behind token id, which leads from state s to t. It agrees with Cut
// of n+1. ok is false if no completion is known.
func (f *Finder) Leaves(s, t pushdown.StateID, id uint32, n int) (enough, ok bool) {
	p := f.profileOf(s)
	x := f.outcomeOf(s, p, n+1)
	if x.row == nil {
		return f.Fits(t, n)
	}
	return x.row[id>>5]>>(id&31)&1 != 0, !x.none
}

// certified returns next tokens of completions of at most n tokens from state s. It tries completions along shortest
// texts, then with a token for each byte, then the one that the search for fewer tokens found.
func (f *Finder) certified(s pushdown.StateID, n int) (ids []uint32) {
	for _, find := range []func(s pushdown.StateID, n int) []uint32{f.nextDirect, f.nextBytes, f.nextSearched} {
		if f.ask(0, func() { ids = find(s, n) }) && len(ids) > 0 {
			return ids
		}
	}
	return nil
}

func (f *Finder) nextDirect(s pushdown.StateID, n int) (ids []uint32) {
	f.directTokens(s)
	if x := f.direct[s]; x != nil {
		for _, e := range x.edges {
			if f.directFound(e.state) < n {
				ids = append(ids, e.id)
			}
		}
	}
	return ids
}

func (f *Finder) nextBytes(s pushdown.StateID, n int) (ids []uint32) {
	if !f.spells || f.limited || s <= pushdown.Over || f.tokenEach(f.toEndBytes(s)) > n {
		return nil
	}
	trie := f.lexicon.trie
	for _, x := range f.nextOf(s) {
		if node := trie.Root[x.b]; node != 0 {
			from, to := trie.Tokens(node)
			ids = f.appendTexts(ids, from, to)
		}
	}
	return ids
}

// appendTexts appends the tokens of a range of the trie that count as text.
func (f *Finder) appendTexts(ids []uint32, from, to uint32) []uint32 {
	for _, id := range f.lexicon.trie.Order[from:to] {
		if f.usable(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (f *Finder) nextSearched(s pushdown.StateID, n int) (ids []uint32) {
	if f.toEnd(s) > n || f.searched[s].next == pushdown.Dead {
		return nil
	}
	w, to := f.paidWalk(s), f.searched[s].next // the search, for which toEnd pays, begins with the walk
	for _, o := range w.others {
		if o.state == to {
			ids = append(ids, o.id)
		}
	}
	for _, x := range w.spans {
		if x.state == to {
			ids = f.appendTexts(ids, x.from, x.to)
		}
	}
	return ids
}
