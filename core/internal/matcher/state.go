package matcher

// State is the position of a matcher. Plain data.
type State struct {
	Completed  bool // the output may end here
	Terminated bool // the output has ended
	Stopped    bool // it has ended at a stop string
	Length     int  // steps that can be taken back
}

// Bits of Matcher.word; the bits above are the number of steps.
const (
	busy = 1 << iota
	completed
	terminated
	atString
	stepsShift = iota
)

// standing returns State as the word of an idle matcher, which any thread may read at any time.
func (m *Matcher) standing() uint64 {
	w, h := uint64(len(m.history)-1)<<stepsShift, m.top()
	switch {
	case h&ended != 0:
		w |= completed | terminated
		if m.stopping != nil && m.stopping.at > 0 {
			w |= atString
		}
	case m.accepts(h):
		w |= completed
	}
	return w
}

// State returns the position after the last finished call. It never fails and never waits.
func (m *Matcher) State() State { return stateOf(m.word.Load()) }

func stateOf(w uint64) State {
	return State{Completed: w&completed != 0, Terminated: w&terminated != 0, Stopped: w&atString != 0, Length: int(w >> stepsShift)}
}

// Completed reports whether the output may end here, or has.
func (m *Matcher) Completed() bool { return m.State().Completed }

// Terminated reports whether the output has ended.
func (m *Matcher) Terminated() bool { return m.State().Terminated }

// Len returns how many steps Rollback can take back.
func (m *Matcher) Len() int { return m.State().Length }
