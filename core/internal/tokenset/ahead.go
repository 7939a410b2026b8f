package tokenset

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// PrepareTerminals finds the classes of the states that terminals xs are in after their first tokens, as far as a
// budget goes.
func (e *Sets) PrepareTerminals(xs []terminal.Expr) {
	w := e.Take()
	defer e.Give(w)
	p := preparation{e: e, w: w, left: limits.PrepareNodes}
	for _, x := range xs {
		if _, _, rest, ok := relax.Lead(e.store, x); ok {
			x = rest
		}
		if x = relax.AfterText(e.store, x); x != terminal.Epsilon {
			p.from(x)
		}
		if p.left <= 0 {
			return
		}
	}
}

// Longest returns the longest token that text begins with, and how long it is, 0 if there is none.
func (e *Sets) Longest(text string) (id uint32, n int) {
	trie := e.tokens.Trie
	for i, d := trie.Root[text[0]], 1; i != 0; d++ {
		if from, to := trie.Tokens(i); from < to {
			id, n = trie.Order[from], d
		}
		if d == len(text) {
			break
		}
		c, end := i+1, trie.Nodes[i].End
		for c < end && trie.Nodes[c].Byte != text[d] {
			c = trie.Nodes[c].End
		}
		if i = c; c == end {
			break
		}
	}
	return id, n
}

// Keys is what the keys of an object can be: one of those declared, or one that the others allow.
type Keys struct {
	Declared terminal.Expr
	Others   []terminal.Expr
}

// PrepareKeys makes the transitions of the states in which it is open which of several declared keys it will be, and
// those of what other keys must not be: where a common beginning is over, one mask may ask for thousands of them.
func (e *Sets) PrepareKeys(sets []Keys) {
	w := e.Take()
	defer e.Give(w)
	w.prepare(limits.PrepareKeysWork)
	type both struct{ declared, excluded terminal.Expr }
	var open []both
	for _, k := range sets {
		first := both{declared: k.Declared}
		for _, x := range k.Others {
			if _, texts, ok := relax.ExcludedTexts(e.store, x); ok {
				first.excluded = texts
			}
		}
		for open = append(open[:0], first); len(open) > 0 && !w.Spent(); {
			at := open[len(open)-1]
			open = open[:len(open)-1]
			if !e.firstHere(prepared{at.declared, true}) || len(e.store.ReachableTags(at.declared)) < 2 {
				continue
			}
			alive := e.store.Alive(at.declared)
			w.Term(e.store, at.declared)
			for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
				if b != '\\' {
					open = append(open, both{e.store.Delta(at.declared, byte(b)), e.store.Delta(at.excluded, byte(b))})
				}
			}
		}
	}
}

// preparation is one call of PrepareTerminals.
type preparation struct {
	e     *Sets
	w     *Scratch
	left  int // trie nodes that may still be visited
	queue []place
}

// place is a state of a terminal and its counter.
type place struct {
	x terminal.Expr
	c counters.Counter
}

const (
	// preparedStates bounds the states of one terminal that are prepared.
	preparedStates = 16
	// firstStates is how many of them may take more than the others: where the terminal begins, and where most of its
	// characters lead from there.
	firstStates = 2
	// expensiveNodes is from how many trie nodes on a class counts as expensive, so that what comes after it is
	// prepared too: about 20 µs.
	expensiveNodes = 1000
)

// from prepares x and, while classes are expensive, the states that single characters lead to, those first that the
// most characters do.
func (p *preparation) from(x terminal.Expr) {
	p.queue = append(p.queue[:0], place{x, 0})
	for i := 0; i < len(p.queue) && p.left > 0; i++ {
		at := p.queue[i]
		work := limits.PrepareWork
		if i < firstStates {
			work = limits.PrepareFirstWork
		}
		p.w.prepare(min(work, p.left))
		if !p.e.firstHere(prepared{at.x, false}) {
			continue
		}
		low, _, counting := counters.Bounds(p.e.store, at.x)
		if !counting || low != 1 { // see itemClass
			p.class(at.x)
		}
		if counting && low > 0 {
			p.class(relax.WithoutMinimum(p.e.store, at.x))
		}
		spent := p.w.Total()
		p.left -= spent
		if spent >= expensiveNodes {
			p.follow(at)
		}
	}
}

// class finds the class of x and what masks take from it.
func (p *preparation) class(x terminal.Expr) {
	c := p.e.Class(x, p.w)
	if c == nil {
		return
	}
	if c.Counted {
		p.e.Room(c, ^uint32(0))
	}
	if c.From != nil {
		c = c.From
	}
	if len(c.Ends) > 0 {
		p.e.EscapesOf(c, false)
	}
}

// follow appends the states that ASCII characters lead to from a place. Backslashes are left out: what they begin is
// short.
func (p *preparation) follow(from place) {
	type target struct {
		place
		n int
	}
	var found []target
	alive := p.e.store.Alive(from.x)
	for b := alive.Next(' '); b < 0x80; b = alive.Next(b + 1) {
		if b == '\\' {
			continue
		}
		x, c := counters.Step(p.e.store, from.x, from.c, byte(b))
		if x == terminal.Empty || x == terminal.TooHard {
			continue
		}
		k := slices.IndexFunc(found, func(t target) bool { return t.x == x })
		if k < 0 {
			k, found = len(found), append(found, target{place{x, c}, 0})
		}
		found[k].n++
	}
	slices.SortStableFunc(found, func(a, b target) int { return b.n - a.n })
	for _, t := range found {
		if len(p.queue) < preparedStates && !slices.ContainsFunc(p.queue, func(q place) bool { return q.x == t.x }) {
			p.queue = append(p.queue, t.place)
		}
	}
}

// prepared is a state that has been prepared, as one of a terminal or as one of keys.
type prepared struct {
	x   terminal.Expr
	key bool
}

// preparedBytes is what noting that a state has been prepared takes.
const preparedBytes = 24

// firstHere reports whether x has not been prepared before, and notes that now it has.
func (e *Sets) firstHere(x prepared) bool {
	if e.below != nil {
		if _, ok := e.below.prepared[x]; ok {
			return false
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.prepared[x]; ok {
		return false
	}
	e.prepared[x] = struct{}{}
	e.bytes.Add(preparedBytes)
	return true
}

// prepare begins a computation that no answer depends on.
func (w *Scratch) prepare(limit int) {
	w.Start(limit)
	w.preparing, w.ahead = true, true
}
