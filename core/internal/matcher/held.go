package matcher

import (
	"github.com/sluice-engine/sluice/core/internal/mask"
)

// Held is exclusive use of a matcher for several calls, from Hold to Release. Other callers get Busy meanwhile.
type Held struct {
	m    *Matcher
	word uint64 // State after the last call
}

// Hold claims the matcher, and reports false if it is in use.
func (m *Matcher) Hold() (h Held, ok bool) {
	if m.claim() != nil {
		return Held{}, false
	}
	return Held{m, m.word.Load() &^ busy}, true
}

// Release ends the claim of Hold. Without a matcher it does nothing.
func (h *Held) Release() {
	if h.m != nil {
		h.m.word.Store(h.word)
		h.m = nil
	}
}

// OK reports whether there is a matcher.
func (h *Held) OK() bool { return h.m != nil }

// State returns the matcher's state after the last call.
func (h *Held) State() State { return stateOf(h.word) }

// end ends a call, which catchUp began.
func (h *Held) end() {
	h.m.forget()
	h.word = h.m.standing()
}

// Accept is Until.Accept.
func (h *Held) Accept(ids []int32, stop Stop) (int, error) {
	if err := h.m.catchUp(stop); err != nil {
		return 0, err
	}
	defer h.end()
	return h.m.accept(ids, stop)
}

// Validate is Until.Validate.
func (h *Held) Validate(ids []int32, stop Stop) (int, error) {
	if err := h.m.catchUp(stop); err != nil {
		return 0, err
	}
	defer h.end()
	return h.m.validate(ids, stop)
}

// AcceptBytes is Until.AcceptBytes.
func (h *Held) AcceptBytes(text []byte, stop Stop) (bool, error) {
	if err := h.m.catchUp(stop); err != nil {
		return false, err
	}
	defer h.end()
	return h.m.acceptBytes(text, stop)
}

// SetMaxTokens is Matcher.SetMaxTokens.
func (h *Held) SetMaxTokens(n int) error {
	if err := h.m.catchUp(nil); err != nil {
		return err
	}
	defer h.end()
	return h.m.setMaxTokens(n)
}

// SetStopStrings is Matcher.SetStopStrings.
func (h *Held) SetStopStrings(list []string) error {
	defer h.end()
	return h.m.setStopStrings(list)
}

// Stopped is Matcher.Stopped.
func (h *Held) Stopped() StopState { return h.m.stopState() }

// Temperature is Matcher.Temperature.
func (h *Held) Temperature() (t float64, ok bool) { return h.m.temperatureAt(h.m.top()) }

// Rollback is Matcher.Rollback.
func (h *Held) Rollback(n int) error {
	defer h.end()
	return h.m.rollback(n)
}

// Fill is Until.Fill.
func (h *Held) Fill(row []uint32, stop Stop) (constrained bool, err error) {
	if err := h.m.catchUp(stop); err != nil {
		return true, err
	}
	defer h.end()
	return h.m.fill(row, stop)
}

// Name is Until.Name.
func (h *Held) Name(stop Stop) (n mask.Name, err error) {
	if err := h.m.catchUp(stop); err != nil {
		return n, err
	}
	defer h.end()
	return h.m.name(stop)
}

// Refill is Fill for a row that holds the mask called was. It returns the name of the mask that the row holds
// afterwards. If the two are equal and not zero, the row was not written.
func (h *Held) Refill(row []uint32, was mask.Name, stop Stop) (now mask.Name, constrained bool, err error) {
	if err := h.m.catchUp(stop); err != nil {
		return was, true, err
	}
	defer h.end()
	return h.m.refill(row, was, stop)
}

// FillChain overwrites row i with the set of tokens that may come after the first i of ids, for i from 0 to len(ids),
// and returns the number of ids allowed in order. Rows behind the first forbidden id allow every token, since engines
// discard samples there. The matcher does not move. With an error, it returns the number of rows that are
// written. The error is Limit also if the call exceeds the budget for drafts.
func (h *Held) FillChain(ids []int32, rows Rows, stop Stop) (int, error) {
	if err := h.m.catchUp(stop); err != nil {
		return 0, err
	}
	defer h.end()
	return h.m.fillChain(ids, rows, stop)
}

// FillTree overwrites row k with the set of tokens that may come after node k of a draft tree, and returns the number
// of nodes that allowed tokens lead to, the root included. Rows of other nodes allow every token. The matcher does not
// move. With an error some rows are written.
func (h *Held) FillTree(t Tree, rows Rows, stop Stop) (int, error) {
	if err := h.m.catchUp(stop); err != nil {
		return 0, err
	}
	defer h.end()
	return h.m.fillTree(t, rows, stop)
}

// MaskName names a mask.
type MaskName = mask.Name
