package matcher

import (
	"github.com/sluice-engine/sluice/core/internal/layout"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// laid is the layout of the output up to a step. A matcher keeps two. After an engine has rolled back the drafts that it
// refused, the older one is still valid, and the output is not read again from its start.
type laid struct {
	steps  int
	layout layout.Reader
}

// likely appends the text that is likely to come next, enough for k tokens. It also returns the state after the text.
func (m *Matcher) likely(
	dst []byte, whole bool, s pushdown.StateID, k int, spent *tally, stop Stop,
) ([]byte, pushdown.StateID, error) {
	r := m.layout()
	a, before, parts := m.masks.Automaton(), len(dst), 0
	digits := !m.numberEnds(dst, whole)
	most := min(limits.ForcedBytes, k*m.g.Vocabulary().MaxTokenLen())
	for len(dst)-before < most && parts < limits.ForcedParts {
		parts += a.Parts(s, limits.ForcedParts-parts)
		b, to, err := m.likelyByte(s, &r, digits, spent, stop)
		if err != nil {
			return dst[:before], s, err
		}
		if b < 0 {
			break
		}
		digits = true
		dst = append(dst, byte(b))
		r.Read(dst[len(dst)-1:])
		s = to
	}
	return dst, s, nil
}

// freeBytes is the number of possible bytes above which no gap is looked for, as in strings and free text.
const freeBytes = 24

// numberEnds reports whether the text ends with a number that is complete, since the tokenizer would have joined a further
// digit to it.
func (m *Matcher) numberEnds(text []byte, whole bool) bool {
	n := len(text)
	if n == 0 || text[n-1] < '0' || text[n-1] > '9' {
		return false
	}
	longer := append(text, "0,"...)
	m.text = longer
	return len(m.cutText(longer, n, whole, false)) == 0
}

// likelyByte returns the byte that is likely to follow state s, and the state behind it, or −1. digits: it may be a digit.
func (m *Matcher) likelyByte(
	s pushdown.StateID, r *layout.Reader, digits bool, spent *tally, stop Stop,
) (b int, to pushdown.StateID, err error) {
	if m.masks.Automaton().Accepts(s) {
		return -1, s, nil
	}
	alive, err := m.alive(s, spent, stop)
	switch {
	case alive == nil:
		return -1, s, err
	case alive.Len() > freeBytes: // nothing but a forced byte is likely
		b, to, _, err := m.onlyByte(s, spent, stop)
		return b, to, err
	}
	type way struct {
		b  int
		to pushdown.StateID
	}
	var ways [freeBytes]way
	n, others, other := 0, 0, -1 // the number of ways; of those that are no gap; the last of these
	for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
		one := [1]byte{byte(b)}
		t, _, err := spent.walk(m.masks.Automaton(), s, one[:], stop)
		switch {
		case err != nil:
			return -1, s, spent.ending(err)
		case t == pushdown.Over || b == terminal.TokenMark && t != pushdown.Dead:
			return -1, s, nil
		case t == pushdown.Dead, !digits && '0' <= b && b <= '9':
			continue
		}
		if !layout.IsGap(byte(b)) {
			others, other = others+1, n
		}
		ways[n] = way{b, t}
		n++
	}
	switch {
	case n == 1:
		return ways[0].b, ways[0].to, nil
	case !r.Structural() || n == others:
		return -1, s, nil
	}
	closes := others == 1 && (ways[other].b == '}' || ways[other].b == ']')
	gap, done, ok := r.Next(closes)
	switch {
	case !ok || done && others != 1:
		return -1, s, nil
	case done:
		return ways[other].b, ways[other].to, nil
	}
	for _, w := range ways[:n] {
		if w.b == int(gap) {
			return w.b, w.to, nil
		}
	}
	return -1, s, nil
}

// guess appends a character of the kind that follows the text in state s, so that the tokenizer cuts before it as it
// probably will. It appends none if characters of several kinds may follow.
func (m *Matcher) guess(text []byte, s pushdown.StateID, spent *tally, stop Stop) ([]byte, error) {
	alive, err := m.alive(s, spent, stop)
	if alive == nil {
		return text, err
	}
	if alive.Len() > freeBytes && alive.Has('a') { // within a string: it goes on with a letter
		return append(text, 'a'), nil
	}
	letters, digits, n := 0, 0, alive.Len()
	for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
		switch {
		case 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z':
			letters++
		case '0' <= b && b <= '9', b == '-':
			digits++
		}
	}
	switch n {
	case letters:
		return append(text, 'a'), nil
	case digits:
		return append(text, '1'), nil
	}
	return text, nil
}

// layout returns how the output so far is laid out.
func (m *Matcher) layout() layout.Reader {
	old := &m.layouts[0]
	now := *old
	if now.steps == 0 {
		now.steps = m.reasoned()
	}
	for ; now.steps < len(m.log.steps); now.steps++ {
		now.layout.Read(m.textOfStep(m.log.steps[now.steps]))
	}
	if now.steps > old.steps {
		m.layouts[1], m.layouts[0] = *old, now
	}
	return now.layout
}

// forgetLayouts drops the layouts behind the first n steps.
func (m *Matcher) forgetLayouts(n int) {
	for n < m.layouts[0].steps {
		m.layouts[0], m.layouts[1] = m.layouts[1], laid{}
	}
}
