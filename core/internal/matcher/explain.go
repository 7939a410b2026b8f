package matcher

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/ending"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/reasons"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// Explanation says whether a token or a text may come next. It describes the place at Offset. A value.
type Explanation struct {
	Allowed bool
	// Offset is the first byte of the token's text, or of the text, that no output has there. It is the length if the
	// whole is allowed, and 0 for a token that is refused for another reason than its text.
	Offset   int
	Ends     bool   // the output may end at the offset
	Bytes    string // the bytes that may come at the offset, as a class in brackets; "" if there are none
	Expected []reasons.Expectation
	Missing  []reasons.Missing
	Forced   []byte // the text that every output continues with at the offset, as ForcedBytes returns it
	Sentence string // all parts in one sentence
}

// Move changes a place in the compiled constraint to the place in the text that the user wrote.
type Move func(p *reasons.Place)

// Explain says why token id is allowed next or why not. The first call for a grammar compiles its constraint again, and
// each call is slow: use it for refusals and for debugging.
func (m *Matcher) Explain(id int32, move Move) (*Explanation, error) {
	if err := m.enter(nil); err != nil {
		return nil, err
	}
	defer m.leave()
	v := m.g.Vocabulary()
	if id < 0 || int(id) >= v.PaddedSize() {
		return nil, argument("token %d is outside the vocabulary of %d", id, v.PaddedSize())
	}
	name := fmt.Sprintf("token %d", id)
	text := spelling.Untext(m.g.Tokens().Text(uint32(id), m.g.TextView()))
	if text != nil {
		name += fmt.Sprintf(" (%q)", text)
	}
	p := m.here()
	if p.node == stopped {
		return m.explainStopped(name, m.afterStop(id), len(text)), nil
	}
	h, short, c := p.h, "", m.tally()
	after, allowed, err := m.next(h, id, &c, nil)
	if err != nil {
		return nil, err
	}
	if allowed {
		if short, err = m.tooShort(h, after, id); err != nil {
			return nil, err
		}
		allowed = short == ""
	}
	x := &Explanation{Allowed: allowed}
	at := p
	if allowed {
		at, x.Offset = m.behindToken(p, after, id), len(text)
	}
	ends := slices.Contains(m.stops.Tokens, uint32(id))
	verdict := " is not allowed: "
	switch {
	case short != "":
		x.Sentence = name + verdict + short
	case h&gated != 0:
		x.Sentence = m.explainGated(h, uint32(id), allowed, name)
		return x, m.describe(x, at, move)
	case h&ended != 0 && allowed:
		x.Sentence = name + " is ignored: the output has ended"
	case h&ended != 0:
		x.Sentence = name + verdict + "the output has ended"
	case allowed && ends && m.masks.Automaton().Accepts(pushdown.StateID(h)):
		x.Sentence = name + " is allowed: the output may end here, and this token ends it"
	case allowed:
		x.Sentence = name + " is allowed" + stops(at)
	case ends:
		x.Sentence = name + verdict + "it ends the output, which may not end here; " + m.goesOn(pushdown.StateID(h))
	case int(id) < v.Size() && v.IsSpecial(uint32(id)) && text == nil:
		x.Sentence = name + verdict + "it is a special token, and the grammar does not name it as a token here"
	case text == nil:
		x.Sentence = name + verdict + "it has no text, and the grammar does not name it as a token here"
	default:
		var why string
		at.h, why = m.stuck(x, pushdown.StateID(h), text)
		at.node = m.behind(p, at.h, text[:x.Offset], nil).node
		x.Sentence = name + verdict + why
	}
	return x, m.describe(x, at, move)
}

// stops returns the words for an output that stops at point p, "" if it does not.
func stops(p point) string {
	if p.node == stopped {
		return ", and the output stops at the stop string in it"
	}
	return ""
}

// explainStopped explains a token or a text of n bytes behind a stop string.
func (m *Matcher) explainStopped(name string, allowed bool, n int) *Explanation {
	if allowed {
		return &Explanation{Allowed: true, Offset: n, Ends: true, Sentence: name + " is ignored: the output has stopped " +
			"at a stop string"}
	}
	return &Explanation{Ends: true, Sentence: name + " is not allowed: the output has stopped at a stop string"}
}

// ExplainText is Explain for a text, of which it says whether AcceptBytes allows it.
func (m *Matcher) ExplainText(text []byte, move Move) (*Explanation, error) {
	if err := m.enter(nil); err != nil {
		return nil, err
	}
	defer m.leave()
	p, name := m.here(), fmt.Sprintf("the text %q", shortened(text))
	if p.node == stopped {
		return m.explainStopped(name, !m.options.RejectAfterEnd && m.options.AllAllowedAfterEnd, len(text)), nil
	}
	h := p.h
	x := &Explanation{Allowed: true, Offset: len(text), Sentence: name + " is allowed"}
	refused := func(at point, why string) (*Explanation, error) {
		x.Allowed, x.Offset, x.Sentence = false, 0, name+" is not allowed: "+why
		return x, m.describe(x, at, move)
	}
	if h&ended != 0 {
		if m.options.RejectAfterEnd {
			return refused(p, "the output has ended")
		}
		x.Sentence = name + " is ignored: the output has ended"
		return x, m.describe(x, p, move)
	}
	if h&gated != 0 {
		after, ok, err := m.textGated(h, nil)
		if err != nil {
			return nil, err
		}
		if !ok {
			return refused(p, "the reasoning ends with a token now, or neither reasoning nor the output begins so")
		}
		if after&gated != 0 {
			if short, err := m.tooShort(h, after, noToken); err != nil {
				return nil, err
			} else if short != "" {
				return refused(p, short)
			}
			x.Sentence += ": it is reasoning"
			return x, m.describe(x, point{h: after}, move)
		}
		h = after
	}
	read := spelling.Text(text)
	t := m.tally()
	s, n, err := t.walk(m.masks.Automaton(), pushdown.StateID(h), read, nil)
	switch {
	case err != nil:
		return nil, err
	case t.spent():
		return nil, m.overText(read, n)
	case s == pushdown.Over:
		return nil, m.overBudget("following this text")
	case s == pushdown.Dead:
		at, why := m.stuck(x, pushdown.StateID(h), text)
		x.Allowed, x.Sentence = false, name+" is not allowed: "+why
		return x, m.describe(x, point{h: at, node: m.behind(p, at, text[:x.Offset], nil).node}, move)
	}
	if m.limited {
		m.worked = true
		s = m.masks.Automaton().Text(s)
	}
	short, err := m.tooShort(m.top(), uint32(s), noToken)
	if err != nil {
		return nil, err
	}
	if short != "" {
		return refused(point{h: h, node: p.node}, short)
	}
	at := m.behind(p, uint32(s), text, nil)
	x.Sentence += stops(at)
	return x, m.describe(x, at, move)
}

// tooShort returns the reason for which the limit of tokens refuses token id, or a text, which leads from entry h to entry
// after. It returns "" if the limit allows it.
func (m *Matcher) tooShort(h, after uint32, id int32) (string, error) {
	if m.limit.steps == 0 {
		return "", nil
	}
	left := m.left(len(m.history))
	if ok, err := m.roomAfter(h, after, id, left, nil); ok || err != nil {
		return "", err
	}
	n := m.toEnd(after)
	switch {
	case n >= ending.Unknown:
		return fmt.Sprintf("max_tokens leaves %d tokens behind it, and no output is known to end with them", left), nil
	case n <= left:
		return fmt.Sprintf("max_tokens leaves %d tokens behind it, and telling all tokens after which an output can end "+
			"with them takes too much here, so only some are allowed", left), nil
	}
	return fmt.Sprintf("max_tokens leaves %d tokens behind it, and the shortest output from there takes %d, the end "+
		"token counted", max(left, 0), n), nil
}

// stuck follows text from state s to the byte that no output has. It returns the state before it, and the reason in
// words.
func (m *Matcher) stuck(x *Explanation, s pushdown.StateID, text []byte) (uint32, string) {
	a := m.masks.Automaton()
	m.worked = true
	for n := range text {
		x.Offset = n
		t := a.StepBytes(s, spelling.Text(text[n:n+1]))
		if t == pushdown.Over {
			return uint32(s), fmt.Sprintf("after %q, finding out what follows takes more than its budget",
				shortened(text[:n+1]))
		}
		if t == pushdown.Dead {
			where := ""
			if n > 0 {
				where = fmt.Sprintf("after %q ", shortened(text[:n]))
			}
			return uint32(s), where + m.goesOn(s) + fmt.Sprintf(", not with %q", text[n:n+1])
		}
		s = t
	}
	x.Offset = 0
	if m.limited {
		return m.top(), "its text would be allowed, but no further token of its rule"
	}
	return m.top(), "its text would be allowed, but it is a stop token of this matcher"
}

// shortenedBytes is the length of the end of a text that a sentence quotes.
const shortenedBytes = 60

func shortened(text []byte) string {
	if len(text) <= shortenedBytes {
		return string(text)
	}
	return "…" + strings.ToValidUTF8(string(text[len(text)-shortenedBytes:]), "")
}

// goesOn returns the bytes that may follow state s, in words.
func (m *Matcher) goesOn(s pushdown.StateID) string {
	if next := m.bytesAfter(s); !next.IsEmpty() {
		return "the output goes on with " + reasons.OneOf(next, m.onlyNames(s))
	}
	return "the output can only end here"
}

// bytesAfter returns the bytes that may follow state s.
func (m *Matcher) bytesAfter(s pushdown.StateID) (next terminal.ByteSet) {
	a := m.masks.Automaton()
	if !a.Steps(s) {
		return next
	}
	alive := *a.Alive(s)
	for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
		if a.Step(s, byte(b)) != pushdown.Dead {
			next.Add(byte(b))
		}
	}
	return next
}

// onlyNames reports whether terminal.TokenMark stands for tokens by name behind state s, and not for the byte 0xFF of a text.
func (m *Matcher) onlyNames(s pushdown.StateID) bool {
	return m.masks.Automaton().StepBytes(s, spelling.Text([]byte{terminal.TokenMark})) == pushdown.Dead
}

// describe adds the parts of an explanation that belong to point p, also to its sentence.
func (m *Matcher) describe(x *Explanation, p point, move Move) (err error) {
	h := p.h
	if h&(ended|gated) != 0 {
		x.Ends = h&ended != 0 || m.accepts(h)
		return nil
	}
	s := pushdown.StateID(h)
	if s <= pushdown.Over {
		return nil
	}
	m.worked = true
	next := m.bytesAfter(s)
	x.Ends = m.masks.Automaton().Accepts(s)
	bytes := next
	if m.onlyNames(s) {
		bytes.Remove(terminal.TokenMark)
	}
	if !bytes.IsEmpty() {
		x.Bytes = bytes.String()
	}
	spent := tally{m: &Matcher{g: m.g}, limit: m.g.Budgets().Text} // these walks are no part of the call
	if x.Forced, _, err = m.forcedAfter(nil, s, &spent, nil); err != nil {
		return err
	}
	x.Forced = x.Forced[:m.untilStop(p.node, x.Forced)]
	places := m.g.Places(m.masks)
	if places == nil {
		return nil
	}
	r := reasons.Of(m.masks.Automaton(), s, next, places, m.g.Whole().Source)
	if move != nil {
		for i := range r.Expected {
			move(&r.Expected[i].Place)
		}
		for i := range r.Missing {
			move(&r.Missing[i].Place)
		}
	}
	x.Expected, x.Missing = r.Expected, r.Missing
	if !x.Allowed {
		x.Sentence += said("; expected: ", x.Expected, func(e reasons.Expectation) string { return with(e.Text, e.Place) })
	}
	lacks := x.Missing
	for len(lacks) > 0 && len(x.Expected) == 1 && !x.Allowed &&
		(lacks[0].Kind == "part" || lacks[0].Text == x.Expected[0].Text) {
		lacks = lacks[1:] // the expectation has it already
	}
	x.Sentence += said("; the output still lacks ", lacks, func(k reasons.Missing) string {
		if k.Kind == "text" {
			return k.Text
		}
		return with(k.Text, k.Place)
	})
	return nil
}

func with(text string, p reasons.Place) string {
	if place := p.String(); place != "" {
		return text + " (" + place + ")"
	}
	return text
}

// saidParts bounds the parts of one list that a sentence names.
const saidParts = 3

func said[T any](intro string, list []T, say func(T) string) string {
	if len(list) == 0 {
		return ""
	}
	var parts []string
	for i, x := range list {
		if i == saidParts {
			parts = append(parts, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		parts = append(parts, say(x))
	}
	return intro + strings.Join(parts, ", ")
}
