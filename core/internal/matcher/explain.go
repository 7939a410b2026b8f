package matcher

import (
	"fmt"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Explain returns a sentence that says why token id is allowed next, or at which byte of the token the output cannot
// continue, and with which bytes it could. Slow; for debugging a constraint.
func (m *Matcher) Explain(id int32) (string, error) {
	if err := m.enter(nil); err != nil {
		return "", err
	}
	defer m.leave()
	v := m.g.Vocabulary()
	if id < 0 || int(id) >= v.PaddedSize() {
		return "", argument("token %d is outside the vocabulary of %d", id, v.PaddedSize())
	}
	c := m.tally()
	_, allowed, err := m.next(m.top(), id, &c, nil)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("token %d", id)
	text := m.g.Tokens().Text(uint32(id), m.g.TextView())
	if text != nil {
		name += fmt.Sprintf(" (%q)", text)
	}
	h := m.top()
	ends := slices.Contains(m.stops.Tokens, uint32(id))
	switch {
	case h&gated != 0:
		return m.explainGated(h, uint32(id), allowed, name), nil
	case h&ended != 0 && allowed:
		return name + " is ignored: the output has ended", nil
	case h&ended != 0:
		return name + " is not allowed: the output has ended", nil
	case allowed && ends && m.masks.Automaton().Accepts(pushdown.StateID(h)):
		return name + " is allowed: the output may end here, and this token ends it", nil
	case allowed:
		return name + " is allowed", nil
	case ends:
		return name + " is not allowed: it ends the output, which may not end here; " +
			m.goesOn(pushdown.StateID(h)), nil
	case int(id) < v.Size() && v.IsSpecial(uint32(id)) && text == nil:
		return name + " is not allowed: it is a special token, and the grammar does not name it as a token here", nil
	case text == nil:
		return name + " is not allowed: it has no text, and the grammar does not name it as a token here", nil
	}
	return name + " is not allowed: " + m.stuck(pushdown.StateID(h), text), nil
}

// stuck describes how far the text of a token leads from state s.
func (m *Matcher) stuck(s pushdown.StateID, text []byte) string {
	a := m.masks.Automaton()
	for n, b := range text {
		t := a.Step(s, b)
		if t == pushdown.Over {
			return fmt.Sprintf("after %q, finding out what follows takes more than its budget", text[:n+1])
		}
		if t == pushdown.Dead {
			where := ""
			if n > 0 {
				where = fmt.Sprintf("after %q ", text[:n])
			}
			return where + m.goesOn(s) + fmt.Sprintf(", not with %q", text[n:n+1])
		}
		s = t
	}
	return "its text would be allowed, but it is a stop token of this matcher" // the mask leaves these out
}

// goesOn says which bytes may follow state s.
func (m *Matcher) goesOn(s pushdown.StateID) string {
	a := m.masks.Automaton()
	var next terminal.ByteSet
	alive := *a.Alive(s)
	for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
		if a.Step(s, byte(b)) != pushdown.Dead {
			next.Add(byte(b))
		}
	}
	if next.IsEmpty() {
		return "the output can only end here"
	}
	return "the output goes on with one of " + next.String()
}
