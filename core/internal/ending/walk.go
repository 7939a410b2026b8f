package ending

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// walk has the states behind the tokens of the vocabulary, from one state. Immutable.
type walk struct {
	spans  []span  // sorted and disjoint
	others []other // tokens by name, and tokens that the trie lacks; they override spans
	states []pushdown.StateID
	fact   fact
}

// span is the tokens from one rank of the trie to another, and the state behind each of them.
type span struct {
	from, to uint32
	state    pushdown.StateID
}

type other struct {
	id    uint32
	state pushdown.StateID
}

// walker makes a walk.
type walker struct {
	f     *Finder
	out   *walk
	stack []pushdown.StateID  // by depth
	alive []*terminal.ByteSet // by depth: bytes that the state goes on with
	seen  map[pushdown.StateID]bool
}

// walkOf is paidWalk, and pays for it.
func (f *Finder) walkOf(s pushdown.StateID) *walk {
	w := f.paidWalk(s)
	f.owe(w.fact)
	return w
}

// paidWalk returns the states behind tokens from state s; its caller has paid.
func (f *Finder) paidWalk(s pushdown.StateID) *walk {
	out := f.walks[s]
	if out == nil {
		w := f.newWalker(s)
		out = w.out
		out.fact = f.measure(func() {
			w.nodes(1, f.lexicon.trie.Nodes[0].End)
			w.others(s)
		})
		w.finish()
		if len(f.lexicon.trie.Nodes) <= fewerTrie { // searches ask again
			if len(f.walks) >= walksKept {
				clear(f.walks)
			}
			f.walks[s] = out
		}
	}
	return out
}

// walksKept bounds the walks that are kept for searches.
const walksKept = 1 << 10

func (f *Finder) newWalker(s pushdown.StateID) *walker {
	w := &walker{f: f, out: &walk{}, seen: map[pushdown.StateID]bool{}}
	w.stack = make([]pushdown.StateID, f.lexicon.trie.MaxLen+2)
	w.alive = make([]*terminal.ByteSet, len(w.stack))
	w.stack[0] = s
	w.alive[0] = w.bytesOf(s)
	return w
}

// open walks below node i, behind which the state is t.
func (w *walker) open(i uint32, t pushdown.StateID) {
	n := &w.f.lexicon.trie.Nodes[i]
	if t == pushdown.Over {
		from, to := w.f.lexicon.trie.Below(i)
		w.add(from, to, t)
		return
	}
	w.stack[n.Depth], w.alive[n.Depth] = t, w.bytesOf(t)
	w.nodes(i+1, n.End)
}

// finish brings the tokens that were added into order.
func (w *walker) finish() {
	slices.SortFunc(w.out.spans, func(x, y span) int { return int(x.from) - int(y.from) })
}

// Costs of a node of the trie, and of a state behind some token, whose distance is then found.
const (
	walkNode  = 5
	walkState = 400
)

func (w *walker) nodes(i, end uint32) {
	trie, alive := w.f.lexicon.trie, w.alive
	for i < end {
		n := &trie.Nodes[i]
		w.f.pay(walkNode)
		if a := alive[n.Depth-1]; a == nil || !a.Has(n.Byte) {
			i = n.End
			continue
		}
		t := w.f.step(w.stack[n.Depth-1], n.Byte)
		switch t {
		case pushdown.Dead:
			i = n.End
			continue
		case pushdown.Over:
			w.add(n.Token, trie.Nodes[n.End].Token, t)
			i = n.End
			continue
		}
		w.add(n.Token, trie.Nodes[i+1].Token, t)
		if n.End == i+1 {
			i++
			continue
		}
		if n.Big >= 0 && w.below(i, t, &trie.Bigs[n.Big]) {
			i = n.End
			continue
		}
		w.stack[n.Depth], alive[n.Depth] = t, w.bytesOf(t)
		i++
	}
}

// bytesOf returns the bytes that s goes on with; all if its transitions are too hard, since each then leads to Over.
func (w *walker) bytesOf(s pushdown.StateID) *terminal.ByteSet {
	if !w.f.a.Steps(s) {
		var all terminal.ByteSet
		all.AddRange(0, 255)
		return &all
	}
	return w.f.a.Alive(s)
}

// add adds the tokens of a range, behind whose texts the state is t.
func (w *walker) add(from, to uint32, t pushdown.StateID) {
	if from == to {
		return
	}
	t = w.border(t)
	if k := len(w.out.spans) - 1; k >= 0 && w.out.spans[k].to == from && w.out.spans[k].state == t {
		w.out.spans[k].to = to
		return
	}
	w.out.spans = append(w.out.spans, span{from, to, t})
}

// border returns the state after the token that ends in t, and notes it.
func (w *walker) border(t pushdown.StateID) pushdown.StateID {
	if t = w.f.token(t); !w.seen[t] {
		w.f.pay(walkState)
		w.seen[t] = true
		w.out.states = append(w.out.states, t)
	}
	return t
}

// below adds the tokens below node i, behind which the state is t, if their texts lead back to t. It reports false if
// they may not.
func (w *walker) below(i uint32, t pushdown.StateID, big *tokentrie.Big) bool {
	b, ok := loopByte(big)
	if !ok || !big.WellFormed {
		return false
	}
	if w.f.step(t, b) != t {
		return false
	}
	l := w.f.loopOf(t)
	if big.ASCII[0]&^l.ascii[0] != 0 || big.ASCII[1]&^l.ascii[1] != 0 || big.Leads&^l.leads != 0 {
		return false
	}
	from, to := w.f.lexicon.trie.Below(i)
	w.loop(i, from, to, t)
	return true
}

// loopByte returns an ASCII byte that begins a code point of a subtree.
func loopByte(big *tokentrie.Big) (byte, bool) {
	for k, word := range big.ASCII {
		if word != 0 {
			return byte(64*k + bits.TrailingZeros64(word)), true
		}
	}
	return 0, false
}

// eachRagged calls visit with the ranks of a range whose tokens end within a code point.
func (w *walker) eachRagged(from, to uint32, visit func(rank uint32)) {
	ragged := w.f.lexicon.ragged
	k := sort.Search(len(ragged), func(k int) bool { return ragged[k] >= from })
	for ; k < len(ragged) && ragged[k] < to; k++ {
		visit(ragged[k])
	}
}

// rest returns the state behind the token of a rank below node i, behind which the state is t.
func (w *walker) rest(i, rank uint32, t pushdown.StateID) pushdown.StateID {
	trie := w.f.lexicon.trie
	return w.f.follow(t, trie.Bytes[trie.Order[rank]][trie.Nodes[i].Depth:])
}

// loop adds tokens of a range that lead back to t.
func (w *walker) loop(i, from, to uint32, t pushdown.StateID) {
	w.eachRagged(from, to, func(rank uint32) {
		w.add(from, rank, t)
		w.add(rank, rank+1, w.rest(i, rank, t))
		from = rank + 1
	})
	w.add(from, to, t)
}

// others adds the tokens that the grammar names, and the texts that the trie lacks.
func (w *walker) others(s pushdown.StateID) {
	f := w.f
	names := f.a.Steps(s) && f.a.Names(s)
	if names {
		f.eachNamed(f.step(s, terminal.TokenMark), func(id uint32, t pushdown.StateID) {
			w.out.others = append(w.out.others, other{id, w.border(f.withText(s, id, t))})
		})
	}
	for _, m := range f.lexicon.Marked {
		if !f.usable(m.ID) || slices.ContainsFunc(w.out.others, func(o other) bool { return o.id == m.ID }) {
			continue
		}
		t := f.follow(s, m.Text)
		if t != pushdown.Dead {
			w.out.others = append(w.out.others, other{m.ID, w.border(t)})
		}
	}
}
