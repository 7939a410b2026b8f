package matcher

import "github.com/sluice-engine/sluice/core/internal/pushdown"

// State is where a matcher stands. Plain data.
type State struct {
	Completed  bool // the output may end here
	Terminated bool // the output has ended
	Length     int  // steps that can be taken back
}

// State answers Completed, Terminated and Len in one call, and says if it cannot: they have no way to tell Busy.
func (m *Matcher) State() (State, error) {
	if err := m.enter(); err != nil {
		return State{}, err
	}
	defer m.leave()
	h := m.top()
	over := h&ended != 0
	return State{
		Completed:  over || m.masks.Automaton().Accepts(pushdown.StateID(h)),
		Terminated: over,
		Length:     len(m.history) - 1,
	}, nil
}
