package matcher

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/capture"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// log is the output of one sequence, which its states do not contain. It takes four bytes a token, and the bytes of the
// texts of acceptBytes.
type log struct {
	keep   bool
	shared bool     // the memory is also a fork's
	steps  []int32  // a token, or ^i for the text with index i
	texts  [][]byte // immutable each
}

// own copies memory that a fork shares.
func (s *log) own() {
	if s.shared {
		s.steps, s.texts, s.shared = slices.Clone(s.steps), slices.Clone(s.texts), false
	}
}

func (s *log) token(id int32) {
	if s.keep {
		s.own()
		s.steps = append(s.steps, id)
	}
}

func (s *log) text(text []byte) {
	if s.keep {
		s.own()
		s.steps = append(s.steps, ^int32(len(s.texts)))
		s.texts = append(s.texts, slices.Clone(text))
	}
}

// backTo leaves the first n steps.
func (s *log) backTo(n int) {
	if !s.keep {
		return
	}
	for i := len(s.steps) - 1; i >= n; i-- {
		if s.steps[i] < 0 {
			s.texts = s.texts[:^s.steps[i]]
		}
	}
	s.steps = s.steps[:n]
}

// Captures returns the texts of captured rules in the order in which the rules ended. If the output may not end here, a
// rule that may end counts with its text so far. Do not change the texts. The error is Busy, or Limit if the search
// exceeds its budget.
func (m *Matcher) Captures() ([]capture.Capture, error) {
	if err := m.claim(); err != nil {
		return nil, err
	}
	defer m.leave()
	f := m.g.Captures()
	if f == nil {
		return nil, nil
	}
	complete := m.standing()&completed != 0
	if p := m.here(); p.node == stopped {
		complete = m.accepts(p.h &^ ended)
	}
	return f.Find(m.pieces(), complete)
}

// Output appends the output so far to dst: the bytes of all tokens and texts accepted since the reasoning, up to the
// end of the sequence. A special token counts with its spelling. The error is Busy, or Argument for a matcher that does
// not keep its output.
func (m *Matcher) Output(dst []byte) ([]byte, error) {
	if err := m.claim(); err != nil {
		return dst, err
	}
	defer m.leave()
	if !m.options.KeepOutput {
		return dst, argument("this matcher does not keep its output: set the option for it when the matcher is made")
	}
	end := m.written()
	return m.textOf(dst, min(m.reasoned(), end), end), nil
}

// Temperature returns the temperature of the next token: the one of the innermost rule that has one, and the greatest
// if the output can be read in several ways. It reports false if no rule sets one, in reasoning or before its possible
// beginning, and after the end. The error is Busy.
func (m *Matcher) Temperature() (t float64, ok bool, err error) {
	if err := m.enter(nil); err != nil {
		return 0, false, err
	}
	defer m.leave()
	t, ok = m.temperatureAt(m.top())
	return t, ok, nil
}

// temperatureAt is Temperature for a matcher at history entry h.
func (m *Matcher) temperatureAt(h uint32) (t float64, ok bool) {
	if h&(ended|gated) != 0 {
		return 0, false
	}
	return m.masks.Automaton().Temperature(pushdown.StateID(h))
}

// textOfStep returns the bytes of a step of the log, none for a special token.
func (m *Matcher) textOfStep(step int32) []byte {
	if step < 0 {
		return spelling.Untext(m.log.texts[^step])
	}
	return m.g.Vocabulary().Bytes(uint32(step))
}

// pieces returns the output up to its end.
func (m *Matcher) pieces() []capture.Piece {
	var out []capture.Piece
	end := m.written()
	for _, step := range m.log.steps[min(m.reasoned(), end):end] {
		if step < 0 {
			if text := m.log.texts[^step]; len(text) > 0 {
				out = append(out, capture.Piece{Text: text, Spell: true})
			}
			continue
		}
		id := uint32(step)
		p := capture.Piece{Text: m.g.Tokens().Text(id, m.g.TextView()), ID: id}
		p.Spell = p.Text != nil && !slices.Contains(m.stops.Text, id)
		p.Named = int(id) < m.g.Vocabulary().Size()
		if !p.Spell {
			p.Text = m.g.Tokens().Text(id, true) // the name of a special token
		}
		out = append(out, p)
	}
	return out
}
