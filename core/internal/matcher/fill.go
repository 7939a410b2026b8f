package matcher

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

func (m *Matcher) fill(row []uint32, stop Stop) (constrained bool, err error) {
	if constrained, err = m.fillLimited(m.top(), len(m.history)-1, row, stop); err == nil {
		m.countMasks(1)
	}
	return constrained, err
}

// fillAt is fill for a matcher at history entry h without a limit of tokens.
func (m *Matcher) fillAt(h uint32, row []uint32, stop Stop) (constrained bool, err error) {
	if words := m.g.Vocabulary().Words(); len(row) < words {
		return true, argument("the row has %d words; the vocabulary needs %d", len(row), words)
	}
	if h&ended != 0 {
		return m.fillEnded(row), nil
	}
	if h&gated != 0 {
		return m.fillGated(h, row, stop)
	}
	s := pushdown.StateID(h)
	if err := m.look(s, stop); err != nil {
		return true, err
	}
	some, inBudget := m.masks.FillStops(s, row, m.stops)
	if err := m.noMask(s, some, inBudget); err != nil {
		return true, err
	}
	return !m.masks.All(s, m.stops), nil
}

// look calls stop before an unknown mask of state s.
func (m *Matcher) look(s pushdown.StateID, stop Stop) error {
	if m.masks.Known(s) {
		return nil
	}
	return m.work(stop)
}

func (m *Matcher) finished(stop Stop) (bool, error) {
	h, s := m.top(), pushdown.StateID(m.top())
	if h&ended != 0 {
		return true, nil
	}
	if h&gated != 0 || !m.masks.Automaton().Accepts(s) { // reasoning may still come, or has to end
		return false, nil
	}
	if err := m.look(s, stop); err != nil {
		return false, err
	}
	only, inBudget := m.masks.OnlyEnds(s, m.stops)
	if !inBudget {
		return false, m.noMask(s, false, false)
	}
	if !only && m.limit.steps > 0 {
		return m.onlyEnds(stop)
	}
	return only, nil
}

// noMask returns the error that state s has no mask, or nil if it has one.
func (m *Matcher) noMask(s pushdown.StateID, some, inBudget bool) error {
	switch {
	case s == pushdown.Over:
		return m.overBudget("following the output so far")
	case !inBudget:
		return m.tooHard("finding the tokens that are allowed here", m.g.Budgets().Mask)
	case some:
		return nil
	case m.masks.Automaton().Accepts(s):
		return diag.Errorf(diag.Unsatisfiable, "matcher", diag.Place{},
			"the output is complete here and nothing can follow, but no token ends it: "+
				"the vocabulary has no end tokens, or the matcher was given an empty list of stop tokens")
	}
	return diag.Errorf(diag.Unsatisfiable, "matcher", diag.Place{},
		"no token of the vocabulary can continue here, and the output may not end")
}

func (m *Matcher) name(stop Stop) (n mask.Name, err error) {
	if n, err = m.nameHere(stop); n != (mask.Name{}) {
		m.countMasks(1)
	}
	return n, err
}

// nameHere is name without counting.
func (m *Matcher) nameHere(stop Stop) (n mask.Name, err error) {
	h := m.top()
	if h&(ended|gated) != 0 {
		return n, nil
	}
	s := pushdown.StateID(h)
	if err := m.look(s, stop); err != nil {
		return n, err
	}
	n, some, inBudget := m.masks.Name(s, m.stops, m.options.StopTokens != nil)
	if err := m.noMask(s, some, inBudget); err != nil {
		return mask.Name{}, err
	}
	if m.limit.steps > 0 {
		if near, err := m.near(h, m.left(len(m.history)-1), stop); near || err != nil {
			return mask.Name{}, err
		}
	}
	return n, nil
}

// refill is fill for a row that holds the mask called was; see Held.Refill.
func (m *Matcher) refill(row []uint32, was mask.Name, stop Stop) (now mask.Name, constrained bool, err error) {
	now, err = m.nameHere(stop)
	switch {
	case err != nil:
		return was, true, err
	case now == was && now != mask.Name{}:
		m.countMasks(1)
		return now, !m.masks.All(pushdown.StateID(m.top()), m.stops), nil
	}
	if constrained, err = m.fill(row, stop); err != nil {
		return was, true, err
	}
	return now, constrained, nil
}

func (m *Matcher) fillEnded(row []uint32) (constrained bool) {
	if m.options.AllAllowedAfterEnd {
		m.allowAll(row)
		return false
	}
	clear(row)
	addAll(row, m.stops.Tokens)
	return true
}

func add(row []uint32, id uint32) { row[id>>5] |= 1 << (id & 31) }

func addAll(row, ids []uint32) {
	for _, id := range ids {
		add(row, id)
	}
}

func removeAll(row, ids []uint32) {
	for _, id := range ids {
		row[id>>5] &^= 1 << (id & 31)
	}
}

func isEmpty(row []uint32) bool {
	return !slices.ContainsFunc(row, func(x uint32) bool { return x != 0 })
}

// allowAll overwrites row with the set of all tokens.
func (m *Matcher) allowAll(row []uint32) {
	clear(row)
	n := m.g.Vocabulary().PaddedSize()
	for i := range n / 32 {
		row[i] = ^uint32(0)
	}
	if n%32 != 0 {
		row[n/32] = 1<<(n%32) - 1
	}
}
