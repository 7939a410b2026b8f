package ending

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// directBytes bounds the bytes to the end of a state whose completion is cut into few tokens. Beyond it, each byte
// counts as a token.
const directBytes = 1 << 14

// edgesKept bounds the tokens that are kept for one state behind them: a grammar may name every token of the
// vocabulary. The others may go, because a narrow state may allow a part of its tokens (Lemma 226).
const edgesKept = 64

// direct is a state on shortest texts, with the tokens that lead nearer to the end.
type direct struct {
	tokens int // 0: not found yet
	edges  []edge
}

// edge is a token and the state behind it.
type edge struct {
	id    uint32
	state pushdown.StateID
}

// directTokens returns how few tokens complete state s along shortest texts: each token has to lead nearer to the end,
// in bytes. So the number of a state follows from the numbers of nearer states, and one token of the completion leads
// to the number less by one (Lemma 222).
func (f *Finder) directTokens(s pushdown.StateID) int {
	if n, ok := f.directKnown(s); ok {
		return n
	}
	var order []pushdown.StateID
	reach := func(t pushdown.StateID) {
		if f.account.paid.Has(pushdown.FactOf(factDirect, t)) {
			return
		}
		if _, ok := f.directKnown(t); ok {
			return
		}
		if !f.knows(factDirect, t) {
			f.learn(factDirect, t, func() { f.direct[t] = &direct{edges: f.directEdges(t)} })
			f.masks.Hold(8 * len(f.direct[t].edges))
		}
		order = append(order, t)
	}
	reach(s)
	for i := 0; i < len(order); i++ {
		for _, x := range f.direct[order[i]].edges {
			reach(x.state)
		}
	}
	order = slices.DeleteFunc(order, func(x pushdown.StateID) bool { return f.direct[x].tokens > 0 })
	slices.SortFunc(order, func(x, y pushdown.StateID) int { return int(f.bytes[x]) - int(f.bytes[y]) })
	for _, x := range order {
		d := f.direct[x]
		n := Unknown
		for _, e := range d.edges {
			if m := f.directFound(e.state); m < Unknown {
				n = min(n, m+1)
			}
		}
		d.tokens = n
	}
	return f.direct[s].tokens
}

// directFound is directTokens for a state behind an edge whose own tokens have been found.
func (f *Finder) directFound(s pushdown.StateID) int {
	if f.a.Accepts(s) {
		return f.end
	}
	return f.direct[s].tokens
}

// directKnown is directTokens for states at the end, without a known end, or beyond directBytes.
func (f *Finder) directKnown(s pushdown.StateID) (int, bool) {
	if s <= pushdown.Over {
		return Unknown, true
	}
	if f.a.Accepts(s) {
		return f.end, true
	}
	n := f.toEndBytes(s)
	switch {
	case n <= directBytes:
		return 0, false
	case f.spells && !f.limited:
		return f.tokenEach(n), true
	}
	return Unknown, true
}

// directEdges returns the tokens that lead along a shortest text from state s.
func (f *Finder) directEdges(s pushdown.StateID) (edges []edge) {
	had, to := f.toEndBytes(s), map[pushdown.StateID]int{}
	add := func(id uint32, t pushdown.StateID) {
		if t = f.token(t); to[t] < edgesKept && f.nearer(t, had) < had {
			to[t]++
			edges = append(edges, edge{id, t})
		}
	}
	type place struct {
		node  uint32
		state pushdown.StateID
	}
	trie := f.lexicon.trie
	for left := []place{{0, s}}; len(left) > 0; {
		at := left[len(left)-1]
		left = left[:len(left)-1]
		if at.node != 0 {
			from, to := trie.Tokens(at.node)
			for _, id := range f.appendTexts(nil, from, to) {
				add(id, at.state)
			}
		}
		f.pay(walkNode)
		list := f.nextOf(at.state)
		for i := len(list) - 1; i >= 0; i-- {
			x := list[i]
			if x.b == terminal.TokenMark {
				if at.node == 0 {
					f.directNamed(s, x.state, had, add)
				}
				continue
			}
			if node := f.child(at.node, x.b); node != 0 {
				left = append(left, place{node, x.state})
			}
		}
	}
	for _, m := range f.lexicon.Marked {
		if !f.usable(m.ID) {
			continue
		}
		if t := f.follow(s, m.Text); f.nearer(t, had)+uint32(len(m.Text)) == had {
			add(m.ID, t)
		}
	}
	return slices.Clip(edges)
}

// child returns the node below a node of the trie by byte b, 0 if there is none.
func (f *Finder) child(node uint32, b byte) uint32 {
	trie := f.lexicon.trie
	if node == 0 {
		return trie.Root[b]
	}
	for i := node + 1; i < trie.Nodes[node].End; i = trie.Nodes[i].End {
		if trie.Nodes[i].Byte == b {
			return i
		}
	}
	return 0
}

// directNamed adds tokens that the grammar names.
func (f *Finder) directNamed(s, marked pushdown.StateID, had uint32, add func(id uint32, t pushdown.StateID)) {
	n := f.nearer(marked, had)
	f.eachNamed(marked, func(id uint32, t pushdown.StateID) {
		if f.nearer(t, had)+3 == n {
			add(id, f.withText(s, id, t))
		}
	})
}

// eachNamed calls visit with each token whose name goes on from marked, the state behind a mark, and with the state
// behind the name.
func (f *Finder) eachNamed(marked pushdown.StateID, visit func(id uint32, t pushdown.StateID)) {
	next := func(s pushdown.StateID, id uint32, shift int, each func(id uint32, t pushdown.StateID)) {
		if s <= pushdown.Over {
			return
		}
		alive := f.a.Alive(s)
		for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
			id := id | uint32(b)<<shift
			if id >= f.lexicon.Count {
				return
			}
			if t := f.step(s, byte(b)); t > pushdown.Over {
				each(id, t)
			}
		}
	}
	next(marked, 0, 16, func(id uint32, s pushdown.StateID) {
		next(s, id, 8, func(id uint32, s pushdown.StateID) {
			next(s, id, 0, visit)
		})
	})
}

// withText returns the state behind token id in state s. Its name leads to t, and its text may lead on, too.
func (f *Finder) withText(s pushdown.StateID, id uint32, t pushdown.StateID) pushdown.StateID {
	text := f.lexicon.Text(id, f.masks.TextView())
	if text == nil || !f.usable(id) || !f.a.Alive(s).Has(text[0]) {
		return t
	}
	switch u := f.follow(s, text); u {
	case pushdown.Dead:
		return t
	case pushdown.Over:
		return u
	default:
		t, cost := f.a.UnionCost(u, t, f.account.paid.Add)
		f.pay(cost)
		return t
	}
}

// token returns the state after a token that ends in state t.
func (f *Finder) token(t pushdown.StateID) pushdown.StateID {
	if !f.limited || t <= pushdown.Over {
		return t
	}
	if f.account.paid.Add(pushdown.FactOf(factToken, t)) {
		f.pay(walkState)
	}
	return f.a.Token(t)
}
