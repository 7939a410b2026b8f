package tokenset

import (
	"slices"
	"sync"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// The walk for a class is the most expensive part of a mask, and many grammars contain the same formats and patterns. So
// all grammars of a vocabulary share classes, by the content of the terminal's state.
//
// PERF: 361 constraints without shared classes: masks 1.4 times as much in all, p50 of compilations 2.2 times.

// tokenSets keeps classes by content. It forgets the older half when it has grown too large. Safe for concurrent use.
type tokenSets struct {
	mu            sync.RWMutex
	recent, older map[setKey]*Class
	bytes         int // of recent, and parts added later to classes of either
	olderBytes    int // of older, as it was when it was recent
}

// setKey names the class of a terminal state, at the root or in some places.
type setKey struct {
	state terminal.Digest
	place terminal.Digest
}

// keyOf returns the name of the class of x in some places. ok is false if it has none.
func (e *Sets) keyOf(x terminal.Expr, p *places) (k setKey, ok bool) {
	k.state, ok = e.store.Digest(x)
	if p != nil {
		k.place = p.digest
	}
	return k, ok
}

// narrowClass stands for states that need no class.
var narrowClass = &Class{found: found{narrow: true, walked: narrowCost}}

func (t *tokenSets) find(k setKey) *Class {
	t.mu.RLock()
	c, older := t.recent[k], false
	if c == nil {
		c, older = t.older[k], true
	}
	t.mu.RUnlock()
	if c != nil && older {
		t.keep(k, c)
	}
	return c
}

// keep adds c.
func (t *tokenSets) keep(k setKey, c *Class) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.recent[k] != nil {
		return
	}
	t.forgetOlder()
	if t.recent == nil {
		t.recent = map[setKey]*Class{}
	}
	if old := t.older[k]; old != nil {
		delete(t.older, k)
		t.olderBytes -= old.size() + setKeyBytes
	}
	t.recent[k] = c
	t.bytes += c.size() + setKeyBytes
}

// mayGive reports whether the grammar of e may still add to what all grammars share.
func (e *Sets) mayGive() bool { return e.given.Load() <= limits.TokenSetGrammarBytes }

// give keeps c for all grammars.
func (e *Sets) give(k setKey, c *Class) {
	e.given.Add(int64(c.size() + setKeyBytes))
	e.tokens.sets.keep(k, c)
}

// forgetOlder makes room if the recent ones have grown too large.
func (t *tokenSets) forgetOlder() {
	if t.bytes > limits.TokenSetBytes/2 {
		t.older, t.recent, t.olderBytes, t.bytes = t.recent, nil, t.bytes, 0
	}
}

// Forget drops the token sets that grammars of the vocabulary share, so that masks take as long as at first.
func (t *Tokens) Forget() {
	t.sets.mu.Lock()
	defer t.sets.mu.Unlock()
	t.sets.recent, t.sets.older, t.sets.bytes, t.sets.olderBytes = nil, nil, 0, 0
}

// withStates returns c, which may have been found with another store, as the class of x in this one: the states that
// irregular tokens lead to are expressions of this store.
func (e *Sets) withStates(c *Class, x terminal.Expr) *Class {
	if len(c.Irregular) == 0 {
		return c
	}
	return &Class{found: c.found, like: c, of: x}
}

// IrregularOf returns the irregular tokens of c with the states after them. For a class of another store, the first call
// follows the tokens.
func (e *Sets) IrregularOf(c *Class) []counted {
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
