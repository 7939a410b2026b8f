package matcher

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// fill overwrites row with the set of tokens that may come next; row has at least the vocabulary's words. constrained
// is false if every token is allowed. With an error the row is untouched: no token is allowed (Unsatisfiable), a budget
// is spent (Limit), or stop ended the call (Unfinished).
func (m *Matcher) fill(row []uint32, stop Stop) (constrained bool, err error) {
	if err := m.enter(stop); err != nil {
		return true, err
	}
	defer m.leave()
	return m.fillHere(row, stop)
}

// fillHere is fill for a matcher that is the caller's.
func (m *Matcher) fillHere(row []uint32, stop Stop) (constrained bool, err error) {
	if constrained, err = m.fillLimited(m.top(), len(m.history)-1, row, stop); err == nil {
		m.countMasks(1)
		m.trim()
	}
	return constrained, err
}

// fillAt is fill for a matcher at history entry h.
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
	if !m.masks.Known(s) {
		if stop != nil && stop() {
			return unfinished
		}
		m.worked = true
	}
	return nil
}

// finished reports whether the output has ended, or may end here and cannot continue. The error is Limit if the mask is
// beyond its budget.
func (m *Matcher) finished(stop Stop) (bool, error) {
	if err := m.enter(stop); err != nil {
		return false, err
	}
	defer m.leave()
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
		var err error
		if only, err = m.onlyEnds(stop); err != nil {
			return false, err
		}
	}
	m.trim()
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

// name returns the name of fill's mask. It is the zero Name after the end, in reasoning, and if the mask depends on the
// matcher's own stop tokens. Errors are as for fill.
func (m *Matcher) name(stop Stop) (n mask.Name, err error) {
	if err := m.enter(stop); err != nil {
		return n, err
	}
	defer m.leave()
	return m.nameHere(stop)
}

// nameHere is name for a matcher that is the caller's.
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
	m.countMasks(1)
	m.trim()
	return n, nil
}

// refillHere is fillHere for a row that holds the mask called was; see Held.Refill.
func (m *Matcher) refillHere(row []uint32, was mask.Name, stop Stop) (now mask.Name, constrained bool, err error) {
	now, err = m.nameHere(stop)
	switch {
	case err != nil:
		return was, true, err
	case now == was && now != mask.Name{}:
		return now, !m.masks.All(pushdown.StateID(m.top()), m.stops), nil
	}
	if constrained, err = m.fillHere(row, stop); err != nil {
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
	for _, id := range m.stops.Tokens {
		row[id>>5] |= 1 << (id & 31)
	}
	return true
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
