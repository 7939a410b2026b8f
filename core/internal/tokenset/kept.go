package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Values of an expression's Aux.
const (
	auxUnknown = 0
	auxNarrow  = 1
	auxClass   = 2 // plus the index of the class
)

func (e *Sets) keepClass(x terminal.Expr, c *Class, cost int) *Class {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch v := e.store.Aux(x); {
	case v >= auxClass:
		return e.classes.At(v - auxClass).c // another thread was faster
	case c == nil:
		e.store.SetAux(x, auxNarrow)
		return nil
	}
	e.bytes.Add(int64(c.size()) + keptBytes)
	e.store.SetAux(x, e.classes.Append(keptClass{c, cost})+auxClass)
	return c
}

// knownPlaced returns a class that keepPlaced has kept.
func (e *Sets) knownPlaced(key placedKey) (k keptClass, ok bool) {
	if e.below != nil {
		if k, ok := e.below.placed[key]; ok {
			return k, true
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	k, ok = e.placed[key]
	return k, ok
}

// keepPlaced keeps a class, and returns the one that is kept.
func (e *Sets) keepPlaced(key placedKey, k keptClass) *Class {
	e.mu.Lock()
	defer e.mu.Unlock()
	if other, ok := e.placed[key]; ok {
		return other.c // another thread was faster
	}
	e.placed[key] = k
	e.bytes.Add(placedBytes)
	if k.c != nil {
		e.bytes.Add(int64(k.c.size()))
	}
	return k.c
}

// keyOf returns the name of the class of x in some places. ok is false if it has none.
func (e *Sets) keyOf(x terminal.Expr, p *places) (k setKey, ok bool) {
	k.state, ok = e.store.Digest(x)
	if p != nil {
		k.place = p.digest
	}
	return k, ok
}

// mayGive reports whether the grammar of e may still add to what all grammars share.
func (e *Sets) mayGive() bool { return e.given.Load() <= limits.TokenSetGrammarBytes }

// give keeps c for all grammars.
func (e *Sets) give(k setKey, c *Class) {
	e.given.Add(int64(c.size() + setKeyBytes))
	e.tokens.sets.keep(k, c)
}

// grew counts bytes that were added to class c.
func (e *Sets) grew(c *Class, bytes int) {
	e.bytes.Add(int64(bytes))
	if c.like != nil {
		c = c.like
	}
	if !c.isShared {
		return
	}
	e.given.Add(int64(bytes))
	t := &e.tokens.sets
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes += bytes
	t.forgetOlder()
}

// RunsOf returns the runs that gap matches (relax.Gap).
func (e *Sets) RunsOf(gap terminal.Expr) *Runs {
	if e.below != nil {
		if r, ok := e.below.runs[gap]; ok {
			return r
		}
	}
	e.mu.Lock()
	r := e.runs[gap]
	e.mu.Unlock()
	if r != nil {
		return r
	}
	found := e.tokens.findRuns(e.store, gap) // outside the lock, which others need; all goroutines find equal runs
	e.mu.Lock()
	defer e.mu.Unlock()
	if r = e.runs[gap]; r == nil {
		r = found
		e.runs[gap] = r
		e.bytes.Add(int64(r.bytes))
	}
	return r
}
