// Package mask finds and keeps the sets of tokens that keep a state alive.
//
// Invariant: a mask equals the result of trying every token, bit by bit; tests compare the two. The package knows
// states and token bytes, and nothing of how constraints are written.
//
// Start reading at Masks.Fill. A mask that is not known yet is computed from token sets of the terminals that the state
// is in the middle of (package tokenset, compute.go), else by walking the token trie (walk.go).
package mask

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/metrics"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// Engine computes masks for one vocabulary and one store of terminals. Shared and growing; safe for concurrent use.
//
// As a store can lie over another one, an engine can: it begins with the token sets of that one.
type Engine struct {
	*tokenset.Sets
	metrics *metrics.Metrics
	visited atomic.Int64
	work    atomic.Int64
}

// NewEngine returns an engine without any token sets.
func NewEngine(t *tokenset.Tokens, st *terminal.Store) *Engine {
	return &Engine{Sets: tokenset.New(t, st), metrics: new(metrics.Metrics)}
}

// NewEngineOver returns an engine over below, which must not be used any more.
func NewEngineOver(below *Engine, b limits.Budgets) *Engine {
	return &Engine{Sets: tokenset.NewOver(below.Sets, b), metrics: below.metrics}
}

// Metrics returns the counters of the engine, which all engines over it share.
func (e *Engine) Metrics() *metrics.Metrics { return e.metrics }

// Recount starts to count from 0, for the engine and those made over it from now on.
func (e *Engine) Recount() { e.metrics = new(metrics.Metrics) }

// take returns a scratch that knows nothing of other stores.
func (e *Engine) take() *scratch {
	inner := e.Sets.Take()
	w, ok := inner.Outer.(*scratch)
	if !ok {
		w = &scratch{Scratch: inner, trie: e.Tokens().Trie, stack: make([]walkFrame, e.Tokens().Trie.MaxLen+2)}
		inner.Outer = w
	}
	return w
}

// give returns a scratch. It keeps neither the automaton nor classes alive.
func (e *Engine) give(w *scratch) {
	w.a = nil
	w.crossing, w.sided = emptied(w.crossing), emptied(w.sided)
	clear(w.sides)
	e.Sets.Give(w.Scratch)
}

// Visited returns the number of trie nodes that all masks so far have visited, a measure of cold masks.
func (e *Engine) Visited() int64 { return e.visited.Load() }

// Work returns what all masks so far cost from scratch, in the unit of limits.Budgets.Mask.
func (e *Engine) Work() int64 { return e.work.Load() }

// Masks holds the masks of one automaton's states. Shared and growing; safe for concurrent use.
type Masks struct {
	e        *Engine
	a        *pushdown.Automaton
	text     bool
	number   uint64 // no other Masks over the same Tokens has it
	mu       sync.Mutex
	records  arena.Table[*record]
	bytes    atomic.Int64
	followed followed
	beside   beside
}

// NewMasks returns an empty store of masks. text: special tokens count as the text they spell.
func NewMasks(e *Engine, a *pushdown.Automaton, text bool) *Masks {
	return &Masks{e: e, a: a, text: text, number: e.Tokens().NextNumber()}
}

// Engine returns the engine that computes the masks.
func (m *Masks) Engine() *Engine { return m.e }

// Walk computes the masks along text, a longest token at a time, as far as it leads.
func (m *Masks) Walk(text []byte) {
	for s := m.a.Start(); s > pushdown.Over; {
		m.record(s)
		if len(text) == 0 {
			return
		}
		_, n := m.e.Longest(string(text))
		if n == 0 {
			return
		}
		s = m.a.StepBytes(s, text[:n])
		text = text[n:]
	}
}

// Automaton returns the automaton whose states the masks are of.
func (m *Masks) Automaton() *pushdown.Automaton { return m.a }

// Size returns the approximate bytes of the masks, without shared parts.
func (m *Masks) Size() int { return int(m.bytes.Load()) }

// Fill writes the mask of state s to row, which has at least the vocabulary's words, and clears the words beyond them.
// end lists the end tokens. It returns some = false if no token is allowed, end tokens included, and inBudget = false
// if the mask exceeds its budget; the row is then untouched.
func (m *Masks) Fill(s pushdown.StateID, row []uint32, end []uint32) (some, inBudget bool) {
	return m.FillStops(s, row, Stops{Tokens: end})
}

// some reports whether the record allows a token other than the end tokens. A base is never empty.
func (r *record) some() bool { return r.base != nil || len(r.list)+len(r.set) > 0 }

// WithinBudget reports whether the mask of state s can be found within the budget of one.
func (m *Masks) WithinBudget(s pushdown.StateID) bool { return !m.record(s).over }

// Known reports whether the mask of state s is there already.
func (m *Masks) Known(s pushdown.StateID) bool { return s == pushdown.Over || m.a.Aux(s) != 0 }

// Has reports whether the mask of state s has the bit of token id, leaving aside what ends a sequence, and whether the
// mask can be found within its budget.
func (m *Masks) Has(s pushdown.StateID, id uint32) (has, inBudget bool) {
	r := m.record(s)
	return !r.over && m.e.has(r, id, m.text), !r.over
}

// beyond is the record of Over.
var beyond = &record{over: true}

func (m *Masks) record(s pushdown.StateID) *record {
	if s == pushdown.Over {
		return beyond
	}
	if i := m.a.Aux(s); i != 0 {
		return *m.records.At(i - 1)
	}
	begin := metrics.Now()
	w := m.e.take()
	defer m.e.give(w)
	w.text = m.text
	like, r := m.find(s, w, m.e.Store().Budgets().Mask)
	if r == nil {
		return *m.records.At(m.a.Aux(like) - 1)
	}
	r = m.keep(s, like, r)
	m.e.metrics.Made.Since(begin)
	return r
}

// keep publishes r as the mask of s and of the state like, which has the same.
func (m *Masks) keep(s, like pushdown.StateID, r *record) *record {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.a.Aux(like)
	if i == 0 {
		i = m.records.Append(r) + 1
		size := r.size()
		if r.base != nil {
			size += m.ownBase(r)
		}
		m.bytes.Add(int64(size))
		m.a.SetAux(like, i)
	}
	m.a.SetAux(s, i)
	return *m.records.At(i - 1)
}

// find computes the mask of s within a budget, or rather of the state like, which has the same; r is nil if that is
// known already.
func (m *Masks) find(s pushdown.StateID, w *scratch, budget int) (like pushdown.StateID, r *record) {
	w.a = m.a
	w.start(budget)
	like = m.canonical(s, w)
	if i := m.a.Aux(like); like != s && i != 0 {
		m.a.SetAux(s, i)
		return like, nil
	}
	if !w.Over {
		r = m.compute(like, w)
	}
	if w.Spent() {
		r = &record{over: true}
	} else if m.e.nothing(r) {
		r = &record{end: r.end}
	}
	r.all = r.end && m.e.everything(r, m.text)
	if r.cost = w.Total(); len(w.sides) > 0 {
		r.sides = &sides{r.cost - w.others, slices.Clone(w.sides)}
	}
	m.e.work.Add(int64(r.cost - w.others))
	m.e.visited.Add(int64(w.Visited))
	return like, r
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

func (m *Masks) ownBase(r *record) int {
	if r.owned {
		return len(r.base) * 4
	}
	return 0
}

// canonical returns a state that differs from s in counters alone and has the same mask: no token reaches the bounds of
// a count that is far from them. Numbers of tokens never matter.
func (m *Masks) canonical(s pushdown.StateID, w *scratch) pushdown.StateID {
	items := m.a.Items(s)
	changed := false
	w.counts = w.counts[:0]
	for _, it := range items {
		if w.Spent() {
			return s
		}
		if c := m.e.farCounter(m.a, it, w); c != it.Counter {
			it.Counter = c
			changed = true
		}
		w.counts = append(w.counts, it)
	}
	if !changed && !m.a.Program().Limited() {
		return s
	}
	like, cost := m.a.InternLike(s, w.counts, w.parts.Add)
	w.Charge(cost)
	if like <= pushdown.Over {
		return s
	}
	return like
}

// farCounter returns the counter that stands for all counters as far from both bounds as it.Counter.
func (e *Engine) farCounter(a *pushdown.Automaton, it pushdown.Item, w *scratch) counters.Counter {
	lo, hi, counting := counters.Bounds(e.Store(), it.Terminal)
	if !counting || !it.Counter.Between() {
		return it.Counter
	}
	c := e.itemClass(a, it, w)
	if c == nil || len(c.Irregular) > 0 {
		return it.Counter
	}
	n := it.Counter.Count()
	reach := uint32(max(len(c.Rooms), e.Tokens().Runes+1))
	if hi != terminal.Unbounded && hi-n < reach {
		return it.Counter
	}
	switch {
	case n >= lo:
		return counters.Make(lo)
	case lo-n > reach:
		return counters.Make(0)
	}
	return it.Counter
}

// Cost returns the cost of the mask of state s as if no result were known before, in the unit of limits.Budgets.Mask.
func (m *Masks) Cost(s pushdown.StateID) int { return m.record(s).cost }
