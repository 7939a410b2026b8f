package mask

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/metrics"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// record returns the mask of state s.
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

// find computes the mask of s within a budget. It works on the state like, which has the same mask (canonical). r is
// nil if that mask is known already; then s has it, too.
func (m *Masks) find(s pushdown.StateID, w *scratch, budget int) (like pushdown.StateID, r *record) {
	w.start(budget)
	w.Shares = m.a.Program().Joins()
	like = m.canonical(s, w)
	if i := m.a.Aux(like); like != s && i != 0 {
		m.a.SetAux(s, i)
		return like, nil
	}
	if !w.Over && len(m.a.BooleanItems(like)) > 0 {
		r = m.booleanRecord(like, w)
	} else if !w.Over {
		r = m.compute(like, w)
	}
	if w.Spent() {
		r = &record{over: true}
	} else if m.e.nothing(r) {
		r = &record{end: r.end}
	}
	r.all = r.end && m.e.everything(r, m.text)
	if r.cost = w.Total(); w.Shares {
		r.parts = w.partsOf(r.cost)
	}
	m.e.work.Add(int64(r.cost - w.others))
	m.e.visited.Add(int64(w.Visited))
	return like, r
}

// keep publishes r as the mask of s and of the state like, which has the same.
func (m *Masks) keep(s, like pushdown.StateID, r *record) *record {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.a.Aux(like)
	if i == 0 {
		i = m.records.Append(r) + 1
		m.bytes.Add(int64(r.size()))
		m.a.SetAux(like, i)
	}
	m.a.SetAux(s, i)
	return *m.records.At(i - 1)
}

// canonical returns a state that has the mask of s and differs from s in counters alone. A count far from its bounds
// can change, since no token reaches them. So can a rule's count of tokens, which no mask depends on.
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

// The mask of a state inside boolean nodes is computed from states inside fewer. A Without node excludes texts only at
// its end. So an upper bound of its tokens is its left side with the continuation, and a lower bound is its left side
// alone. A Both node has these bounds for the tokens that its sides share. Tokens between the bounds cross the node's
// end and are tried one by one. If a state is inside many alternative nodes, their left sides are merged into one
// state.

// booleanRecord finds the mask of state s, which is in the middle of boolean nodes.
func (m *Masks) booleanRecord(s pushdown.StateID, w *scratch) *record {
	plain := m.a.Items(s)
	var without, apart []pushdown.BooleanItem
	for _, it := range m.a.BooleanItems(s) {
		if m.a.Boolean(it).Is == grammar.Without {
			without = append(without, it)
		} else {
			apart = append(apart, it)
		}
	}
	var r *record
	if len(plain)+len(without) > 0 {
		r = m.withoutRecord(plain, without, w)
	}
	for _, it := range apart {
		if w.Over {
			return nil
		}
		var x *record
		if m.a.Boolean(it).Is == grammar.Distinct {
			x = m.side(m.unfold(nil, []pushdown.BooleanItem{it}, pushdown.LeftSide, false, w), w)
			if !w.Over {
				x = m.distinctRecord(it, x, w)
			}
		} else {
			x = m.bothRecord(it, w)
		}
		if !w.Over {
			r = m.either(r, x)
		}
	}
	if w.Over {
		return nil
	}
	r.end = m.a.Accepts(s)
	return r
}

// withoutRecord finds what plain items and Without items let through.
func (m *Masks) withoutRecord(plain []pushdown.Item, nodes []pushdown.BooleanItem, w *scratch) *record {
	upper := m.unfold(plain, nodes, pushdown.LeftSide, false, w)
	all := m.side(upper, w)
	if w.Over || len(nodes) == 0 {
		return all
	}
	row := m.e.Tokens().TakeRow()
	defer m.e.Tokens().GiveRow(row)
	m.e.emit(all, row, m.text)
	if len(plain) > 0 || !m.few(row) { // trying asks the nodes alone, and would deny tokens of plain items
		sure := m.side(m.unfold(plain, nodes, pushdown.LeftSide, true, w), w)
		if w.Over {
			return nil
		}
		m.takeAway(row, sure)
	}
	return m.without(all, m.denied(nodes, row, m.a.Names(upper), w))
}

// bothRecord returns the mask of a Both item: the tokens that its sides share, without those that cross the end of one
// side alone.
func (m *Masks) bothRecord(it pushdown.BooleanItem, w *scratch) *record {
	row, inside := m.e.Tokens().TakeRow(), m.e.Tokens().TakeRow()
	defer m.e.Tokens().GiveRow(row)
	defer m.e.Tokens().GiveRow(inside)
	node := []pushdown.BooleanItem{it}
	left := m.common(node, row, false, w)
	if w.Over {
		return nil
	}
	all := m.like(left, row)
	if !m.few(row) {
		if m.common(node, inside, true, w); w.Over {
			return nil
		}
		for i, v := range inside[:len(row)] {
			row[i] &^= v
		}
	}
	return m.without(all, m.denied(node, row, m.a.Names(m.a.Boolean(it).Left), w))
}

// common writes to row what both sides of a node let through, and returns the left side's mask.
func (m *Masks) common(node []pushdown.BooleanItem, row []uint32, alone bool, w *scratch) *record {
	left := m.side(m.unfold(nil, node, pushdown.LeftSide, alone, w), w)
	if w.Over {
		return left // the right side would spend another budget, and sides nest
	}
	right := m.side(m.unfold(nil, node, pushdown.RightSide, alone, w), w)
	other := m.e.Tokens().TakeRow()
	m.e.emit(left, row, m.text)
	m.e.emit(right, other, m.text)
	for i, v := range other[:len(row)] {
		row[i] &= v
	}
	m.e.Tokens().GiveRow(other)
	return left
}

// side returns the mask of a side, an empty one if it has no future. The result borrows its lists from the side's mask.
func (m *Masks) side(s pushdown.StateID, w *scratch) *record {
	if s == pushdown.Dead {
		return &record{}
	}
	if s == pushdown.Over {
		w.Over = true
		return &record{}
	}
	r := m.record(s)
	w.Charge(m.e.Tokens().Words() / wordsAtOne)
	w.side(r)
	return &record{base: r.base, clear: r.clear, list: r.list, set: r.set, borrowed: true}
}

// unfold is pushdown.Automaton.Unfold, and charges its cost.
func (m *Masks) unfold(
	plain []pushdown.Item, nodes []pushdown.BooleanItem, which pushdown.Side, alone bool, w *scratch,
) pushdown.StateID {
	s, cost := m.a.Unfold(plain, nodes, which, alone, w.parts.Add)
	w.Charge(cost)
	return s
}
