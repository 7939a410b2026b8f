package matcher

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// tooHard returns the error of a budget that was spent on `what`. Its place is the whole constraint, since states do
// not know their place in it. The cause depends on the state.
func (m *Matcher) tooHard(what string, most int) error {
	whole := m.g.Whole()
	s, steps := m.lastState()
	e := diag.Errorf(diag.Limit, whole.Source, whole.Place, "after %d accepted tokens or texts, %s takes more than %d "+
		"steps: %s", steps, what, most, m.masks.Cause(s))
	e.Keyword, e.Fragment = whole.Keyword, whole.Fragment
	return e
}

// lastState returns the last state of the history that is within budgets, and the number of steps to it.
func (m *Matcher) lastState() (s pushdown.StateID, steps int) {
	steps = len(m.history) - 1
	for steps > 0 && pushdown.StateID(m.history[steps]) == pushdown.Over {
		steps--
	}
	return m.stateOf(m.history[steps]), steps
}
