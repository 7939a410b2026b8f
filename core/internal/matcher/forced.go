package matcher

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenizer"
)

func (m *Matcher) forcedBytes(dst []byte, stop Stop) ([]byte, error) {
	h := m.top()
	if h&(ended|gated) != 0 { // the tokens that end the reasoning have no text
		return dst, nil
	}
	spent, before := m.tally(), len(dst)
	dst, _, err := m.forcedAfter(dst, pushdown.StateID(h), &spent, stop)
	dst = dst[:before+m.untilStop(m.here().node, dst[before:])]
	m.counted.forced += uint64(len(dst) - before)
	return dst, err
}

// forcedAfter is forcedBytes from state s. It also returns the state after the text.
func (m *Matcher) forcedAfter(
	dst []byte, s pushdown.StateID, spent *tally, stop Stop,
) ([]byte, pushdown.StateID, error) {
	a, before, parts := m.masks.Automaton(), len(dst), 0
	for n := 0; n < limits.ForcedBytes && parts < limits.ForcedParts && !a.Accepts(s); n++ {
		parts += a.Parts(s, limits.ForcedParts-parts)
		only, to, _, err := m.onlyByte(s, spent, stop)
		if err != nil {
			return dst[:before], s, err
		}
		if only < 0 {
			break
		}
		dst = append(dst, byte(only))
		s = to
	}
	return dst, s, nil
}

// onlyByte returns the only byte of text that may follow state s, and the state behind it. It returns −1 if there is no
// such byte. none: no byte may follow.
func (m *Matcher) onlyByte(
	s pushdown.StateID, spent *tally, stop Stop,
) (only int, to pushdown.StateID, none bool, err error) {
	a := m.masks.Automaton()
	alive, err := m.alive(s, spent, stop)
	if alive == nil {
		return -1, s, false, err
	}
	only, to = -1, pushdown.Dead
	for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
		one := [1]byte{byte(b)}
		t, _, err := spent.walk(a, s, one[:], stop)
		switch {
		case err != nil:
			return -1, s, false, spent.ending(err)
		case t == pushdown.Dead:
			continue
		case only >= 0 || t == pushdown.Over:
			return -1, s, false, nil
		}
		only, to = b, t
	}
	if only == terminal.TokenMark {
		return -1, s, false, nil
	}
	return only, to, only < 0, nil
}

// alive returns the bytes that may follow state s, or nil if its transitions are beyond the bounds.
func (m *Matcher) alive(s pushdown.StateID, spent *tally, stop Stop) (*terminal.ByteSet, error) {
	a := m.masks.Automaton()
	if alive := a.AliveKnown(s); alive != nil {
		return alive, nil
	}
	if err := m.work(stop); err != nil {
		return nil, spent.ending(err)
	}
	if !a.Steps(s) {
		return nil, nil
	}
	return a.Alive(s), nil
}

// ahead appends to dst up to k tokens of the text that comes next: the forced text, or the likely one.
func (m *Matcher) ahead(dst []int32, k int, likely bool, stop Stop) (ids []int32, err error) {
	defer func() {
		if n := uint64(len(ids) - len(dst)); likely {
			m.counted.drafts += n
		} else {
			m.counted.tokens += n
		}
	}()
	h := m.top()
	switch {
	case m.options.Tokenizer == nil:
		return dst, argument("the vocabulary was read without its tokenizer, which cuts text into tokens: set the option " +
			"`keep_tokenizer` when the vocabulary is read from its file")
	case h&(ended|gated) != 0 || k <= 0:
		return dst, nil
	}
	k = min(k, limits.ForcedBytes)
	text, whole := m.tail()
	from, s, spent, err := len(text), pushdown.StateID(h), m.tally(), error(nil)
	if likely {
		text, s, err = m.likely(text, whole, s, k, &spent, stop)
	} else {
		text, s, err = m.forcedAfter(text, s, &spent, stop)
	}
	if err != nil || len(text) == from {
		return dst, err
	}
	ends, err := m.endsAfter(s, &spent, stop)
	if err == nil && likely && !ends {
		text, err = m.guess(text, s, &spent, stop)
	}
	if err != nil {
		return dst, err
	}
	return m.cut(dst, text, from, whole, ends, k, &spent, stop)
}

// endsAfter reports whether the output ends after state s, and nothing but a special token follows.
func (m *Matcher) endsAfter(s pushdown.StateID, spent *tally, stop Stop) (bool, error) {
	a := m.masks.Automaton()
	if !a.Accepts(s) || len(m.stops.Text) > 0 {
		return false, nil
	}
	_, _, none, err := m.onlyByte(s, spent, stop)
	return none, err
}

// cut appends at most k tokens of text behind the offset `from`, up to the first one that the matcher does not accept.
// whole and ends are as for tokenizer.Cutter.Cut.
func (m *Matcher) cut(
	dst []int32, text []byte, from int, whole, ends bool, k int, spent *tally, stop Stop,
) ([]int32, error) {
	m.text = text // it may have grown
	before, p, steps := len(dst), m.here(), len(m.history)-1
	for i, t := range m.cutText(text, from, whole, ends) {
		if i == k {
			break
		}
		spent.later = true // beyond the budget the tokens end
		to, ok, err := m.step(p, int32(t.ID), steps+i, spent, stop)
		if err == error(unfinished) {
			return dst[:before], spent.ending(err)
		}
		if !ok {
			break
		}
		if dst, p = append(dst, int32(t.ID)), to; p.node == stopped {
			break
		}
	}
	return dst, nil
}

func (m *Matcher) cutText(text []byte, from int, whole, ends bool) []tokenizer.Token {
	if m.cutter == nil {
		m.cutter = tokenizer.New(m.options.Tokenizer)
	}
	return m.cutter.Cut(text, from, whole, ends)
}

// shortTail is the length of the tail that is tried first. Most words are shorter.
const shortTail = 64

// tail returns an end of the output in which some token surely starts. whole: the tokenizer cannot join it with text
// before, because the output begins there, or a special token ends there.
func (m *Matcher) tail() (text []byte, whole bool) {
	text, whole = m.lastText(shortTail)
	if !whole && !m.options.Tokenizer.Begins(text) {
		text, whole = m.lastText(limits.TokenizedBytes)
	}
	return text, whole
}

// lastText is tail with at least so many bytes.
func (m *Matcher) lastText(least int) (text []byte, whole bool) {
	i, n := len(m.log.steps), 0
	for ; i > 0 && n < least; i-- {
		if m.history[i-1]&(gated|undecided) == gated { // reasoning ends with this step
			break
		}
		step := m.log.steps[i-1]
		if step >= 0 && m.g.Vocabulary().IsSpecial(uint32(step)) {
			break
		}
		n += len(m.textOfStep(step))
	}
	text = slices.Grow(m.text[:0], n)
	whole = i == 0 || n < least
	for _, step := range m.log.steps[i:] {
		text = append(text, m.textOfStep(step)...)
	}
	m.text = text
	return text, whole
}
