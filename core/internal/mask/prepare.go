package mask

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Where a text may go on in many ways, as in the middle of a pattern, the class of a state is a walk through much of the
// vocabulary. Compiling waits for nobody, a mask holds up a batch; so the classes that a generation can hardly get by
// without are found when a grammar is compiled. States that are made by texts alone cost little and wait until they are
// needed.

// Prepare finds the classes of the states that terminals xs are in after their first tokens, as far as a budget goes.
func (e *Engine) Prepare(xs []terminal.Expr) {
	w := e.pool.Get().(*scratch)
	defer e.pool.Put(w)
	w.begin(e, nil)
	w.limit = w.work(e) + limits.PrepareWork
	p := preparation{e: e, w: w, left: limits.PrepareNodes}
	for _, x := range xs {
		if _, _, rest, ok := e.store.Lead(x); ok {
			x = rest
		}
		if x = e.store.AfterText(x); x != terminal.Epsilon {
			p.from(x)
		}
		if p.left <= 0 || e.spent(w) {
			return
		}
	}
}

// preparation is one call of Prepare.
type preparation struct {
	e     *Engine
	w     *scratch
	left  int // trie nodes that may still be visited
	queue []place
}

// place is a state of a terminal and its counter.
type place struct {
	x terminal.Expr
	c terminal.Counter
}

const (
	// preparedStates bounds the states of one terminal that are prepared.
	preparedStates = 16
	// expensiveNodes is from how many trie nodes on a class counts as expensive, so that what comes after it is prepared
	// too: about 20 µs.
	expensiveNodes = 1000
)

// from prepares x and, while classes are expensive, the states that single characters lead to, those first that the most
// characters do.
func (p *preparation) from(x terminal.Expr) {
	p.queue = append(p.queue[:0], place{x, 0})
	for i := 0; i < len(p.queue) && p.left > 0 && !p.e.spent(p.w); i++ {
		at := p.queue[i]
		if !p.e.firstHere(at.x) {
			continue
		}
		before := p.w.visited
		p.class(at.x)
		if low, _, counting := p.e.store.Counting(at.x); counting && low > 0 {
			p.class(p.e.store.WithoutMinimum(at.x))
		}
		spent := p.w.visited - before
		p.left -= spent
		if spent >= expensiveNodes {
			p.follow(at)
		}
	}
}

// class finds the class of x and what masks take from it.
func (p *preparation) class(x terminal.Expr) {
	c := p.e.class(x, p.w)
	if c == nil {
		return
	}
	if c.counted {
		p.e.room(c, ^uint32(0))
	}
	if c.from != nil {
		c = c.from
	}
	if len(c.ends) > 0 {
		p.e.escapesOf(c)
	}
}

// follow appends the states that ASCII characters lead to from a place. Backslashes are left out: what they begin is short.
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
		x, c := p.e.store.Step(from.x, from.c, byte(b))
		if x == terminal.Empty {
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

// firstHere reports whether nobody has come to state x before to prepare it.
func (e *Engine) firstHere(x terminal.Expr) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.prepared[x]; ok {
		return false
	}
	e.prepared[x] = struct{}{}
	return true
}
