package tokenset

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// "Any key except the declared ones" differs from "any key" only along the declared keys. Its class is that of
// "any key" and the ranges of tokens to take out, which a walk along the declared keys finds; every object has its own
// declared keys, and a class of its own for each would cost a walk through the whole vocabulary.

// differenceNodes bounds the walk along what is excluded; where that is most of the vocabulary, a class of its own is
// cheaper.
const differenceNodes = 4000

// differenceClass returns the class of x as a difference from another one, nil if x is not of that shape.
func (e *Sets) differenceClass(x terminal.Expr, w *Scratch) *Class {
	base, ok := relax.WithoutExclusions(e.store, x)
	if !ok {
		return nil
	}
	c := e.Class(base, w)
	if c == nil || c.Counted || c.From != nil {
		return nil
	}
	if _, texts, ok := relax.ExcludedTexts(e.store, x); ok {
		if !e.walkExcluded(texts, w) {
			return nil
		}
	} else if !e.walkDifference(x, base, false, w) {
		return nil
	}
	return e.without(c, w.Ranges)
}

// without returns the class c without the tokens of removed.
func (e *Sets) without(c *Class, removed ranges) *Class {
	d := &Class{found: found{
		From: c, Removed: slices.Clone(removed), Ends: c.Ends, goesOn: c.goesOn, partial: c.partial,
	}}
	d.List = make([]uint32, 0, d.Removed.Count())
	order := e.tokens.Trie.Order
	for i := 0; i < len(d.Removed); i += 2 {
		d.List = append(d.List, order[d.Removed[i]:d.Removed[i+1]]...)
	}
	return d
}

// boundedClass returns the class of x as a difference from that of another state, which repeats without a bound what x
// may begin with so often that few tokens can tell. It returns nil if x is not of that shape.
func (e *Sets) boundedClass(x terminal.Expr, w *Scratch) *Class {
	shape, _, ok := e.heads.Generalise(e.store, x)
	if !ok {
		return nil
	}
	if !e.walkDifference(x, shape, true, w) {
		return nil
	}
	removed := slices.Clone(w.Ranges)
	c := e.Class(shape, w)
	if c == nil || c.Counted || c.From != nil {
		return nil
	}
	return e.without(c, removed)
}

// repeatsApart is the number of repetitions left up to which an expression may show that they are bounded.
const repeatsApart = 3

// alike reports whether s does what t does, below a trie node from which the longest token goes on for below bytes: s
// may begin with as many repetitions as that and a few more, and t, but for having no bound there, is the same.
func (e *Sets) alike(s, t terminal.Expr, below uint8) bool {
	shape, left, ok := e.heads.Generalise(e.store, s)
	return ok && shape == t && below < 255 && left > uint32(below)+repeatsApart
}

// walkDifference walks the trie along x and base together, where all that x matches base matches too. It skips what is
// below a node at which their states are the same, and leaves in w.Ranges the tokens that base takes and x does not. It
// returns false if the difference cannot be used:
//   - one of the two is complete at a node and the other is not, so that their escapes differ;
//   - x comes to a dead end below a node where it was complete: the token may be an escape of x and is none of base;
//   - the walk becomes long.
//
// bounded: base repeats without a bound what x begins with, and the walk gives up soon if that makes a difference
// nearly everywhere. First bytes after which the two are the same do not speak against that: where x takes letters alone,
// a hundred other bytes are dead ends of both.
//
// PERF: of 60 counted alternatives, each with a count of its own, a state takes 45 µs. With first bytes counted, the walk
// made 96 states before it gave up instead of 32, and masks took 4.8 ms instead of 2 to 3.
func (e *Sets) walkDifference(x, base terminal.Expr, bounded bool, w *Scratch) bool {
	w.Ranges = w.Ranges[:0]
	nodes := e.tokens.Trie.Nodes
	w.pairs[0] = pairFrame{expr: x, other: base}
	visited, pruned := 0, 0
	for b := 0; b < terminal.TokenMark; b++ {
		i := e.tokens.Trie.Root[b]
		if i == 0 {
			continue
		}
		for end := nodes[i].End; i < end; {
			n := &nodes[i]
			f := &w.pairs[n.Depth-1]
			s, t := e.store.Delta(f.expr, n.Byte), e.store.Delta(f.other, n.Byte)
			w.Term(e.store, f.expr)
			w.Term(e.store, f.other)
			if w.Over = w.Over || s == terminal.TooHard || t == terminal.TooHard; w.Spent() {
				return false
			}
			if s == t {
				if n.Depth > 1 {
					pruned++
				}
				i = n.End
				continue
			}
			if visited++; visited > differenceNodes || bounded && visited&31 == 0 && pruned*4 < visited {
				return false
			}
			if s == terminal.Empty {
				if f.ended {
					return false
				}
				w.Ranges.Add(n.Token, nodes[n.End].Token)
				i = n.End
				continue
			}
			complete := counters.Complete(e.store, s)
			if complete != counters.Complete(e.store, t) {
				return false
			}
			if bounded && e.alike(s, t, n.Below) {
				pruned++
				i = n.End
				continue
			}
			w.pairs[n.Depth] = pairFrame{expr: s, other: t, ended: f.ended || complete}
			i++
		}
	}
	w.Visited += visited
	return true
}

// walkExcluded is walkDifference where a string must not be one of texts, see relax.ExcludedTexts: it walks along the
// texts alone, whose transitions other states have as well, and what is taken out is a quote after one of them.
func (e *Sets) walkExcluded(texts terminal.Expr, w *Scratch) bool {
	w.Ranges = w.Ranges[:0]
	nodes := e.tokens.Trie.Nodes
	start, frames := w.FrameOf(texts, 0), w.frames
	w.Meet(start.Facts)
	visited := 0
	for b := 0; b < terminal.TokenMark; b++ {
		i := e.tokens.Trie.Root[b]
		if i == 0 || b != '"' && !start.Alive.Has(byte(b)) {
			continue
		}
		frames[0] = start
		for end := nodes[i].End; i < end; {
			n := &nodes[i]
			if visited++; visited > differenceNodes {
				return false
			}
			f := &frames[n.Depth-1]
			if n.Byte == '"' && counters.Complete(e.store, f.Expr) {
				w.Ranges.Add(n.Token, nodes[n.End].Token)
				i = n.End
				continue
			}
			if !f.Alive.Has(n.Byte) {
				i = n.End
				continue
			}
			t, ok := w.Move(f, n.Byte)
			if !ok {
				i = n.End
				continue
			}
			frames[n.Depth] = t
			i++
		}
	}
	w.Visited += visited
	return true
}

// TakeOut drops from ids, in place, the tokens in ranges of the trie's order.
func (e *Sets) TakeOut(ids []uint32, removed ranges) []uint32 {
	kept := ids[:0]
	for _, id := range ids {
		if !removed.has(e.tokens.Trie.Rank[id]) {
			kept = append(kept, id)
		}
	}
	return kept
}

func (r ranges) has(x uint32) bool {
	lo, hi := 0, len(r)/2
	for lo < hi {
		mid := (lo + hi) / 2
		if r[2*mid+1] <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(r)/2 && r[2*lo] <= x
}

// searchClass returns the class of a state inside a search ("any text that contains …") as a difference from that of
// any text, nil for any other state. No code point leads to a dead end inside it, so only the tokens with the closing
// byte are tried.
func (e *Sets) searchClass(x terminal.Expr, w *Scratch) *Class {
	base, tail, ok := relax.Unanchored(e.store, x)
	if !ok || base == x {
		return nil
	}
	c := e.Class(base, w)
	if c == nil || c.From != nil {
		return nil
	}
	nodes := e.tokens.Trie.Nodes
	w.Ranges = w.Ranges[:0]
	for _, i := range e.closingNodes(c, base, tail, w) {
		n := &nodes[i]
		path := e.tokens.Trie.Bytes[e.tokens.Trie.Order[n.Token]][:n.Depth]
		s := x
		for _, b := range path {
			w.Term(e.store, s)
			if s = e.store.Delta(s, b); s == terminal.Empty || s == terminal.TooHard {
				break
			}
		}
		if w.Over = w.Over || s == terminal.TooHard; w.Spent() {
			return nil
		}
		if s == terminal.Empty {
			w.Ranges.Add(n.Token, nodes[n.End].Token)
		}
	}
	return e.without(c, w.Ranges)
}

// closingNodes returns the trie nodes at which base, any text up to a closing byte, is complete, in order.
func (e *Sets) closingNodes(c *Class, base terminal.Expr, tail byte, w *Scratch) []uint32 {
	if p := c.closing.Load(); p != nil {
		return *p
	}
	var out []uint32
	nodes := e.tokens.Trie.Nodes
	w.pairs[0] = pairFrame{expr: base}
	for i := uint32(1); i < uint32(len(nodes)-1); {
		n := &nodes[i]
		s := e.store.Delta(w.pairs[n.Depth-1].expr, n.Byte)
		switch {
		case s == terminal.Empty || s == terminal.TooHard: // of any text nothing is hard
			i = n.End
			continue
		case n.Byte == tail && counters.Complete(e.store, s):
			out = append(out, i)
			i = n.End
			continue
		case n.Big >= 0 && e.Covers(s, 0, &e.tokens.Trie.Bigs[n.Big]):
			i = n.End
			continue
		}
		w.pairs[n.Depth] = pairFrame{expr: s}
		i++
	}
	if out = slices.Clone(out); c.closing.CompareAndSwap(nil, &out) {
		e.grew(c, cap(out)*4)
	}
	return out
}
