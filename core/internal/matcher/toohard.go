package matcher

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// tooHard returns the error of a budget that was spent on some work. The cause in it depends on the state.
func (m *Matcher) tooHard(work string, most int) error {
	s, steps := m.lastState()
	return m.exceeded("after %d accepted tokens or texts, %s takes more than %d steps: %s", steps, work, most,
		m.masks.Cause(s))
}

// exceeded returns a Limit error. Its place is the whole constraint, since states do not know their place in it.
func (m *Matcher) exceeded(format string, args ...any) error {
	whole := m.g.Whole()
	e := diag.Errorf(diag.Limit, whole.Source, whole.Place, format, args...)
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
