package matcher

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/capture"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// said is the output of one sequence. States do not tell it, so matchers keep it for captures and for the output: four
// bytes a token, and the bytes of text that was accepted as text.
type said struct {
	keep   bool
	shared bool     // the memory is also a fork's
	steps  []int32  // a token, or ^i for the text with index i
	texts  [][]byte // immutable each
}

// own sees that nobody else appends to the same memory.
func (s *said) own() {
	if s.shared {
		s.steps, s.texts, s.shared = slices.Clone(s.steps), slices.Clone(s.texts), false
	}
}

func (s *said) token(id int32) {
	if s.keep {
		s.own()
		s.steps = append(s.steps, id)
	}
}

func (s *said) text(text []byte) {
	if s.keep {
		s.own()
		s.steps = append(s.steps, ^int32(len(s.texts)))
		s.texts = append(s.texts, slices.Clone(text))
	}
}

// backTo leaves the first n steps.
func (s *said) backTo(n int) {
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

// Captures returns what captured rules have spelled, in the order in which they ended; none if the grammar captures
// nothing. Texts are not to be changed. Where the output may not end, a rule that might counts with its text so far.
// The error is Busy, or Limit if a budget ended the search.
func (m *Matcher) Captures() ([]capture.Capture, error) {
	if err := m.claim(); err != nil {
		return nil, err
	}
	defer m.leave()
	f := m.g.Captures()
	if f == nil {
		return nil, nil
	}
	return f.Find(m.pieces(), m.standing()&completed != 0)
}

// Output appends the output so far to dst: the bytes of all tokens and texts that were accepted since the reasoning, up
// to the end of the sequence. A special token counts with the text that it spells. The error is Busy, or Argument for a
// matcher that does not keep its output.
func (m *Matcher) Output(dst []byte) ([]byte, error) {
	if err := m.claim(); err != nil {
		return dst, err
	}
	defer m.leave()
	if !m.options.KeepOutput {
		return dst, argument("this matcher does not keep its output: set the option for it when the matcher is made")
	}
	for i := m.reasoned(); i < len(m.said.steps) && m.history[i+1]&ended == 0; i++ {
		switch step := m.said.steps[i]; {
		case step < 0:
			dst = append(dst, spelling.Untext(m.said.texts[^step])...)
		default: // one of the two is nil
			v, id := m.g.Vocabulary(), uint32(step)
			dst = append(append(dst, v.Bytes(id)...), v.SpecialBytes(id)...)
		}
	}
	return dst, nil
}

// Temperature returns the temperature at which the next token is to be sampled: that of the innermost rule that has
// one, and the greatest of those if the output can be read in several ways. It reports false if there is none, where
// reasoning goes on or may begin, and after the end. The error is Busy.
func (m *Matcher) Temperature() (t float64, ok bool, err error) {
	if err := m.enter(nil); err != nil {
		return 0, false, err
	}
	defer m.leave()
	if h := m.top(); h&(ended|gated) == 0 {
		t, ok = m.masks.Automaton().Temperature(pushdown.StateID(h))
	}
	return t, ok, nil
}

// pieces returns the output up to its end.
func (m *Matcher) pieces() []capture.Piece {
	var out []capture.Piece
	before := m.reasoned()
	for i, step := range m.said.steps {
		if i < before {
			continue
		}
		if m.history[i+1]&ended != 0 {
			break
		}
		if step < 0 {
			if text := m.said.texts[^step]; len(text) > 0 {
				out = append(out, capture.Piece{Text: text, Spell: true})
			}
			continue
		}
		id := uint32(step)
		p := capture.Piece{Text: m.g.Tokens().Text(id, m.g.TextView()), ID: id}
		p.Spell = p.Text != nil && !slices.Contains(m.stops.Text, id)
		p.Named = int(id) < m.g.Vocabulary().Size()
		if !p.Spell {
			p.Text = m.g.Tokens().Text(id, true) // how a special token reads that is named as a token
		}
		out = append(out, p)
	}
	return out
}
