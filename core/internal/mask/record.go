package mask

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// A record is a mask at rest: a shared bitmap or none, tokens to take out of it, and tokens to put in. Immutable.
type record struct {
	base  []uint32 // nil: no token
	clear []uint32
	list  []uint32 // tokens to put in that belong to a class
	set   []uint32 // others
	end   bool     // the output may end here
	all   bool     // every token that is text is allowed, and the output may end here
	over  bool     // finding the mask took too much
	cost  int      // of finding it, see meter
	parts *parts   // of that cost, if others may share some; nil: none
	owned bool     // base belongs to this record alone
	// clear and set belong to the mask of a side, which counts them
	borrowed bool
}

// parts divides the cost of a mask: masks of sides, classes of terminals with their escapes, and transitions of
// terminals. A mask of several sides counts each part once, even if several sides have it.
type parts struct {
	own     int // cost without the others
	sides   []*record
	classes []tokenset.Paid
	escapes []paidEscapes
	terms   []terminal.Expr
}

// crossingPart is a part of the escapes of a class.
type crossingPart struct {
	c      *tokenset.Class
	within bool
}

// paidEscapes is a part of the escapes of a class and its cost.
type paidEscapes struct {
	part crossingPart
	cost int
}

func (r *record) size() int {
	n := 88
	if !r.borrowed {
		n += (len(r.clear) + len(r.set)) * 4
	}
	if r.owned {
		n += len(r.base) * 4
	}
	if r.parts != nil {
		n += 104 + len(r.parts.sides)*8 + len(r.parts.classes)*16 + len(r.parts.escapes)*24 + len(r.parts.terms)*4
	}
	return n
}

// some reports whether the record allows a token other than the end tokens. A base is never empty.
func (r *record) some() bool { return r.base != nil || len(r.list)+len(r.set) > 0 }

// beyond is the record of Over.
var beyond = &record{over: true}

// emit writes the mask to row, which has at least the vocabulary's words.
func (e *Engine) emit(r *record, row []uint32, text bool) {
	words := row[:e.Tokens().Words()]
	if r.base != nil {
		copy(words, r.base)
		if !text {
			for _, m := range e.Tokens().Clear {
				words[m.Word] &^= m.Bits
			}
		}
	} else {
		clear(words)
	}
	for _, id := range r.clear {
		words[id>>5] &^= 1 << (id & 31)
	}
	put(words, r.list)
	put(words, r.set)
	clear(row[e.Tokens().Words():])
}

// put adds tokens to a set.
func put(words, ids []uint32) {
	// PERF: neighbours in the list are often in one word, and each write would wait for the one before. Tokens from
	// four quarters of the list are seldom in one word.
	n := len(ids) / 4
	a, b, c, d := ids[:n], ids[n:][:n], ids[2*n:][:n], ids[3*n:][:n]
	for i, id := range a {
		words[id>>5] |= 1 << (id & 31)
		id = b[i]
		words[id>>5] |= 1 << (id & 31)
		id = c[i]
		words[id>>5] |= 1 << (id & 31)
		id = d[i]
		words[id>>5] |= 1 << (id & 31)
	}
	for _, id := range ids[4*n:] {
		words[id>>5] |= 1 << (id & 31)
	}
}

// has reports whether emit sets the bit of token id.
func (e *Engine) has(r *record, id uint32, text bool) bool {
	if slices.Contains(r.set, id) || slices.Contains(r.list, id) {
		return true
	}
	if r.base == nil || r.base[id>>5]>>(id&31)&1 == 0 || slices.Contains(r.clear, id) {
		return false
	}
	if !text {
		for _, c := range e.Tokens().Clear {
			if c.Word == id>>5 && c.Bits>>(id&31)&1 != 0 {
				return false
			}
		}
	}
	return true
}

// nothing reports whether r has a base of which it takes every token away again.
func (e *Engine) nothing(r *record) bool {
	if r.base == nil || len(r.list)+len(r.set) > 0 || len(r.clear) == 0 {
		return false
	}
	row := e.Tokens().TakeRow()
	defer e.Tokens().GiveRow(row)
	e.emit(r, row, true)
	return !slices.ContainsFunc(row, func(x uint32) bool { return x != 0 })
}

// everything reports whether r allows every token that is text.
func (e *Engine) everything(r *record, text bool) bool {
	if !text && len(e.Tokens().Clear) > 0 {
		return false
	}
	row := e.Tokens().TakeRow()
	defer e.Tokens().GiveRow(row)
	e.emit(r, row, text)
	for i, all := range e.Tokens().All {
		if row[i]&all != all {
			return false
		}
	}
	return !slices.ContainsFunc(e.Tokens().Marked, func(m tokenset.MarkedToken) bool {
		return row[m.ID>>5]>>(m.ID&31)&1 == 0
	})
}
