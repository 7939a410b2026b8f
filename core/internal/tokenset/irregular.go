package tokenset

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// withStates returns c as the class of x in this store. c may be a class of another store; then IrregularOf finds the
// states behind its irregular tokens anew.
func (e *Sets) withStates(c *Class, x terminal.Expr) *Class {
	if len(c.Irregular) == 0 {
		return c
	}
	return &Class{found: c.found, like: c, of: x}
}

// IrregularOf returns the irregular tokens of c with the states behind them, as expressions of this store. For a class
// of another store, the first call follows the tokens.
func (e *Sets) IrregularOf(c *Class) []irregular {
	if c.like == nil {
		return c.Irregular
	}
	if p := c.states.Load(); p != nil {
		return *p
	}
	own := slices.Clone(c.Irregular)
	path, text := []place{{c.of, 0}}, []byte(nil)
	for i := range own {
		t := &own[i]
		before := text
		text = e.tokens.Trie.Bytes[t.Token]
		shared := 0
		for shared < min(len(before), len(text)) && before[shared] == text[shared] {
			shared++
		}
		path = path[:shared+1]
		for _, b := range text[shared:] {
			last := &path[len(path)-1]
			y, n, _ := counters.StepFree(e.store, last.x, last.c, b)
			path = append(path, place{y, n})
		}
		t.State, t.C = path[len(path)-1].x, path[len(path)-1].c
	}
	if c.states.CompareAndSwap(nil, &own) {
		e.bytes.Add(int64(cap(own) * 16))
	}
	return own
}

// place is a state of a terminal and its counter.
type place struct {
	x terminal.Expr
	c counters.Counter
}
