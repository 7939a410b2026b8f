package mask

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Where a text may go on in many ways, as in the middle of a pattern, the class of a state is a walk through much of
// the vocabulary. Compiling waits for nobody, a mask holds up a batch; so the classes that a generation can hardly get
// by without are found when a grammar is compiled. States that are made by texts alone cost little and wait until they
// are needed.

// PrepareTerminals finds the classes of the states that terminals xs are in after their first tokens, as far as a
// budget goes.
func (e *Engine) PrepareTerminals(xs []terminal.Expr) {
	w := e.take()
	defer e.give(w)
	p := preparation{e: e, w: w, left: limits.PrepareNodes}
	for _, x := range xs {
		if _, _, rest, ok := e.store.Lead(x); ok {
			x = rest
		}
		if x = e.store.AfterText(x); x != terminal.Epsilon {
			p.from(x)
		}
		if p.left <= 0 {
			return
		}
	}
}

// Prepare computes the mask of the first state, which every generation asks for, and that of the first key of an object
// if one may begin there: the tokens for it are in all vocabularies, and few objects begin otherwise.
func (m *Masks) Prepare() {
	s := m.a.Start()
	m.record(s)
	if key := m.a.StepBytes(s, []byte(`{"`)); key > pushdown.Over {
		m.record(key)
	}
	m.prepareTriggers(s)
}

// preparedTriggers bounds the triggers of free text on the way through which masks are prepared, and preparedBytes how
// far that goes: "<|tool_call_begin|>" has 20.
const (
	preparedTriggers = 4
	preparedBytes    = 64
)

// prepareTriggers computes the masks on the way through the triggers that may begin in state s, a longest token at a
// time, as most tokenizers cut them: every call of a tool passes there.
func (m *Masks) prepareTriggers(s pushdown.StateID) {
	var texts []string
	for _, it := range m.a.Items(s) {
		if !it.IsBoolean() {
			texts = append(texts, m.e.store.Triggers(it.Terminal)...)
		}
	}
	for _, text := range texts[:min(len(texts), preparedTriggers)] {
		text = text[:min(len(text), preparedBytes)]
		for at := s; len(text) > 0; {
			n := m.e.longest(text)
			if at = m.a.StepBytes(at, []byte(text[:n])); n == 0 || at <= pushdown.Over {
				break
			}
			m.record(at)
			text = text[n:]
		}
	}
}

// longest returns how long the longest token is that text begins with, 0 if there is none.
func (e *Engine) longest(text string) (n int) {
	trie := e.tokens.Trie
	for i, d := trie.Root[text[0]], 1; i != 0; d++ {
		if from, to := trie.Tokens(i); from < to {
			n = d
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
	return n
}

// ManyKeys is the number of declared keys from which on those of an object are prepared.
const ManyKeys = 64

// PrepareKeys makes the transitions of the states in which it is open which of several declared keys it will be, and
// those of what other keys must not be: where a common beginning is over, one mask may ask for thousands of them.
func (e *Engine) PrepareKeys(sets []pushdown.KeySet) {
	w := e.take()
	defer e.give(w)
	w.prepare(limits.PrepareKeysWork)
	type both struct{ declared, excluded terminal.Expr }
	var open []both
	for _, k := range sets {
		first := both{declared: k.Declared}
		for _, x := range k.Others {
			if _, texts, ok := e.store.ExcludedTexts(x); ok {
				first.excluded = texts
			}
		}
		for open = append(open[:0], first); len(open) > 0 && !w.spent(); {
			at := open[len(open)-1]
			open = open[:len(open)-1]
			if !e.firstHere(prepared{at.declared, true}) || len(e.store.ReachableTags(at.declared)) < 2 {
				continue
			}
			alive := e.store.Alive(at.declared)
			w.term(e.store, at.declared)
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
		low, _, counting := p.e.store.Counting(at.x)
		if !counting || low != 1 { // see itemClass
			p.class(at.x)
		}
		if counting && low > 0 {
			p.class(p.e.store.WithoutMinimum(at.x))
		}
		spent := p.w.total()
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
		p.e.escapesOf(c, false)
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
		x, c := p.e.store.Step(from.x, from.c, byte(b))
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

// firstHere reports whether x has not been prepared before, and notes that now it has.
func (e *Engine) firstHere(x prepared) bool {
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
	return true
}

// prepare begins a computation that no answer depends on.
func (w *scratch) prepare(limit int) {
	w.start(limit)
	w.preparing, w.ahead = true, true
}
