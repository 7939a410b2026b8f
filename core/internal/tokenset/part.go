package tokenset

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// After a short terminal, as a blank or an operator, another one begins in the middle of the token, and it does so
// wherever the grammar has come to: only what follows both is another one each time. So a large part of a trie has
// classes too, that of the vocabulary below some bytes as well as that of what follows a terminal's end. Their escapes
// are tries again, which have classes of their own.

// partNodes is the size from which a part of a trie has classes. Smaller ones are walked.
//
// PERF: the classes of a small part take more than they save where a schema comes to it once. With 256 nodes, the p99
// of cold masks of 400 schemas of MaskBench was 1.18 of what it was without such classes, with 4,096 it was 0.97 (make
// lab NAME=speed). That of the example of SQL was 1.2 times what it is with 1,024, and 3 times as much with 4,096. With
// 1,024 it is 43 µs, of Python 17 µs, of arithmetic 2.5 µs, of JSON 1.8 µs (go test ./core -run '^$' -bench
// ExampleGrammars).
const partNodes = 1024

// partInside is how few texts must be inside a class: at least one in so many, where the part follows an ending already.
// If there are fewer, nearly all texts go on to a third terminal, and sorting them for it takes more than walking them.
//
// PERF: with any number, masks of a grammar of regular expressions took 8 ms instead of 2.4. One in two does as well as
// one in eight (make lab NAME=speed ARGS="-collection slow -fresh").
const partInside = 8

// PartClass returns the class of terminal state x in the subtrees nodes[i:end] of trie t, nil if there is none: where
// the part is small, where few of its texts begin with x, or hardly any is inside x and the part follows an ending, and
// where x counts, has tags, or is open.
func (e *Sets) PartClass(t *EscapeTrie, i, end uint32, x terminal.Expr, w *Scratch) *Class {
	if end-i < partNodes || e.store.View().Tagged(x) || e.store.View().IsOpen(x) {
		return nil
	}
	if _, _, counting := counters.Bounds(e.store, x); counting {
		return nil
	}
	key := placedKey{part: t, first: i, x: x}
	if k, ok := e.knownPlaced(key); ok {
		w.Charge(k.cost)
		return k.c
	}
	c, outer, fits := &Class{in: t}, w.Ranges, false
	w.Ranges = nil
	cost := w.unit(func() {
		walk := classWalk{e, w, c, &t.Trie}
		walk.from(i, end, w.FrameOf(x, 0))
		fits = w.Visited > narrowNodes
	})
	w.Ranges.Normalise()
	if t != e.tokens.Whole {
		texts := t.Nodes[end].Token - t.Nodes[i].Token
		fits = fits && w.Ranges.Count()*partInside >= int(texts)
	}
	c.ranks, w.Ranges = slices.Clone(w.Ranges), outer
	if w.Over {
		return nil
	}
	if c.Ends, c.goesOn = slices.Clone(c.Ends), slices.Clone(c.goesOn); !fits {
		c = nil
	}
	return e.keepPlaced(key, keptClass{c, cost})
}

// trieOf returns the trie that c is a class of, or of a part of.
func (e *Sets) trieOf(c *Class) *tokentrie.Trie {
	if c.in == nil {
		return e.tokens.Trie
	}
	return &c.in.Trie
}

// Ranks returns the tokens inside a class as ranges of its trie's order.
func (c *Class) Ranks() []uint32 { return c.ranks }
