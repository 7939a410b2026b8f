package mask

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// The first sequence of a grammar computes most of its masks while a batch waits. Nearly all outputs share these masks:
// at brackets, keys and separators. So they can be computed earlier, along a sample output: every key, short values,
// spaces as writers of JSON put them.

// Warm computes masks along a sample output of at most so many bytes, and returns the sample. The masks are those after
// each longest token and after punctuation, since shorter tokens often end there. Warm stops at states with boolean
// nodes or many parts, and at the bounds limits.WarmMasks, WarmItems and WarmMade. It changes no answer. It calls pause
// before every byte.
func (m *Masks) Warm(most int, pause func()) (sample []byte) {
	sample = m.sample(most, pause)
	s, left := m.a.Start(), limits.WarmMasks
	end := 0 // of the token that the output is in the middle of
	for i, b := range sample {
		pause()
		if i == end {
			_, n := m.e.Longest(string(sample[i:]))
			if n == 0 {
				break
			}
			end += n
		}
		whole := i+1 == end
		s = m.a.Step(s, b)
		if whole && m.a.Program().Limited() {
			s = m.a.Token(s)
		}
		if s <= pushdown.Over {
			break
		}
		if !whole && !punctuation(b) {
			continue
		}
		cost, ok := m.recordWithin(s, left)
		if left -= cost; !ok || left <= 0 {
			break
		}
	}
	return sample
}

func punctuation(b byte) bool { return strings.IndexByte(`{}[]":,<>=`, b) >= 0 }

// recordWithin computes the mask of s if it is not known, and returns the cost. Beyond budget it returns false and
// keeps nothing.
func (m *Masks) recordWithin(s pushdown.StateID, budget int) (cost int, ok bool) {
	if m.Known(s) {
		return 0, true
	}
	w := m.e.take()
	defer m.e.give(w)
	w.text = m.text
	like, r := m.find(s, w, min(budget, m.e.Store().Budgets().Mask))
	switch {
	case r == nil:
		return 0, true
	case r.over:
		return r.cost, false
	}
	m.e.metrics.WarmedMasks.Add(1)
	return m.keep(s, like, r).cost, true
}

// sample returns an output, or the beginning of one. It enters each state once if possible, so lists stay short. Free
// text ends at once, in its first trigger.
func (m *Masks) sample(most int, pause func()) (text []byte) {
	seen, found, made := map[pushdown.StateID]bool{}, m.a.Work(), m.e.Store().Made()
	for s, again := m.a.Start(), 0; s > pushdown.Over && len(text) < most && again <= seenMost; {
		pause()
		if again++; !seen[s] {
			again = 0
		}
		triggers := m.triggers(s)
		switch {
		case !m.plain(s) || m.a.Work()-found > limits.WarmItems || m.e.Store().Made()-made > limits.WarmMade:
			return text
		case len(triggers) > 0 && seen[s]: // free text again
			return text
		case len(triggers) > 0:
			seen[s] = true
			trigger := triggers[0][:min(len(triggers[0]), most-len(text))]
			s, text = m.a.StepBytes(s, []byte(trigger)), append(text, trigger...)
			continue
		}
		seen[s] = true
		var last, b byte
		if len(text) > 0 {
			last = text[len(text)-1]
		}
		if b, s = m.step(s, m.likely(s, last), seen); s != pushdown.Dead {
			text = append(text, b)
		}
	}
	return text
}

// triggers returns the triggers of the free text that state s is in the middle of.
func (m *Masks) triggers(s pushdown.StateID) (texts []string) {
	for _, it := range m.a.Items(s) {
		texts = append(texts, relax.Triggers(m.e.Store(), it.Terminal)...)
	}
	return texts
}

// plain reports whether state s has few parts, and no boolean nodes, whose sides have masks of their own.
func (m *Masks) plain(s pushdown.StateID) bool {
	return m.a.Parts(s, limits.WarmParts) <= limits.WarmParts && m.a.Steps(s) && len(m.a.BooleanItems(s)) == 0
}

// step returns the likeliest character that leads to a new state, and that state. If there is none, a closing character
// is preferred to others. It returns Dead if no character can follow.
func (m *Masks) step(s pushdown.StateID, likely []int, seen map[pushdown.StateID]bool) (b byte, to pushdown.StateID) {
	for _, x := range likely {
		t := m.a.Step(s, byte(x))
		switch {
		case t <= pushdown.Over:
		case !seen[t]:
			return byte(x), t
		case to == pushdown.Dead || !closes(b) && closes(byte(x)):
			b, to = byte(x), t
		}
	}
	return b, to
}

func closes(b byte) bool { return b == '"' || b == '}' || b == ']' }

// saysLittle is the number of possible next bytes from which a terminal is no hint. A string goes on with nearly any
// byte, a declared key with one.
const saysLittle = 40

// seenMost bounds the consecutive characters of a sample that lead to states seen before.
const seenMost = 8

// tried is the number of characters that are tried in a state. If there are more, most lead to the same state.
const tried = 8

// likely returns the printable ASCII characters that may come next in state s behind the byte last, as their rank
// followed by the character in the low byte, likely ones first.
func (m *Masks) likely(s pushdown.StateID, last byte) (out []int) {
	var narrow, all terminal.ByteSet
	for _, it := range m.a.Items(s) {
		alive := m.e.Store().Alive(it.Terminal)
		if all.Union(alive); alive.Len() < saysLittle {
			narrow.Union(alive)
		}
	}
	for b := all.Next(' '); b <= '~'; b = all.Next(b + 1) {
		if b != '\\' && (b != ' ' || last != ' ') {
			out = append(out, rank(byte(b), last, narrow.Has(byte(b)))<<8|b)
		}
	}
	slices.Sort(out)
	return out[:min(len(out), tried)]
}

// rank orders characters: the smaller, the likelier. narrow says that some terminal waits for few, this one among them.
func rank(b, last byte, narrow bool) int {
	const digits = "0123456789"
	switch {
	case b == ' ' && (last == ',' || last == ':'):
		return 0
	case b == ' ':
		return 7
	case strings.IndexByte(digits, b) >= 0 && strings.IndexByte(digits, last) >= 0:
		return 6 // numbers are short
	case b == '}' || b == ']':
		return 5 // all members come, and some items
	case b == '0' || b == '-':
		return 4
	case narrow && strings.IndexByte(`",{[`, b) >= 0:
		return 1
	case narrow:
		return 2
	case b == '"':
		return 3 // texts are short
	}
	return 4
}
