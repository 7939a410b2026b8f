package format

import (
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// greekMachine reads labels that begin in Greek and consist of Greek letters, digits and hyphens, in any spelling of a
// JSON string. The number of characters that fit into such a label depends on the characters: from 20 to more than 50.
// The state is therefore the text so far, and a label ends when its encoding is full. Other scripts do without: either
// so many of their letters do not fit, or far too many tokens contain them for a state each.
type greekMachine struct {
	characters []rune // the likely ones first
}

type greekState struct {
	text     string
	length   int  // of text, in characters
	last     rune // of text
	spelling spelling
}

const (
	greekFirst, greekLast = 0x3AC, 0x3CE // small letters, with and without accents
	keraia                = 0x375        // the sign of a number: Greek follows it

	// greekFree is how many characters fit whichever they are: two digits each, a third for the first ones and for four
	// more (there are 89 steps from the keraia to the last letter, each of one more than the label has characters).
	greekFree = 20
	// greekEncoded is how long an encoded label may be here: four of them and three dots are a name.
	greekEncoded = encodedLength - 1
)

func newGreekMachine() *greekMachine {
	m := &greekMachine{}
	for r := rune(greekFirst); r <= greekLast; r++ {
		m.characters = append(m.characters, r)
	}
	m.characters = append(m.characters, []rune{keraia, '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'}...)
	return m
}

// First implements terminal.Reading.
func (m *greekMachine) First() greekState { return greekState{} }

// Copy implements terminal.Reading.
func (m *greekMachine) Copy(to, from *greekState) { *to = *from }

// Name implements terminal.Reading.
func (m *greekMachine) Name(s *greekState) string { return string(s.spelling.append(nil)) + s.text }

// Named implements terminal.Reading.
func (m *greekMachine) Named(name string) (s greekState) {
	s.spelling, s.text = spellingOf(name)
	s.last, _ = utf8.DecodeLastRuneInString(s.text)
	s.length = utf8.RuneCountInString(s.text)
	return s
}

// Bytes implements terminal.Reading.
func (m *greekMachine) Bytes() terminal.ByteSet {
	set := terminal.BytesOf("0123456789-\\uabcdefABCDEF")
	set.AddRange(0x80, 0xBF)
	for _, r := range []rune{keraia, greekFirst, greekLast} {
		set.Add(string(r)[0])
	}
	return set
}

// Ends implements terminal.Reading.
func (m *greekMachine) Ends(s *greekState) bool {
	return s.spelling.phase == betweenCharacters && s.text != "" && s.last != '-' && s.last != keraia
}

// Next implements terminal.Reading.
func (m *greekMachine) Next(s *greekState, b byte) (ok bool) {
	*s, ok = m.step(*s, b)
	return ok
}

// Room implements terminal.Reading.
func (m *greekMachine) Room(*greekState) (terminal.ByteSet, int) { return terminal.ByteSet{}, 0 }

func (m *greekMachine) step(s greekState, b byte) (greekState, bool) {
	to, r, done, ok := s.spelling.next(b)
	switch {
	case !ok:
		return s, false
	case done:
		if ok = s.allows(r); ok {
			s = greekState{text: s.text + string(r), length: s.length + 1, last: r}
		}
		return s, ok
	}
	from, last := to.reach()
	for _, r := range m.characters {
		if r >= from && r <= last && s.allows(r) {
			s.spelling = to
			return s, true
		}
	}
	return s, false
}

// allows reports whether the text can continue with r and be completed, which a letter does if anything does.
func (s *greekState) allows(r rune) bool {
	letter := r >= greekFirst && r <= greekLast
	switch {
	case letter, r == keraia:
	case s.last == keraia || s.length == 0 || r != '-' && !isDigit(r), s.length == 3 && r == '-' && s.last == '-':
		return false
	}
	if s.length+2 <= greekFree {
		return true
	}
	label := append([]rune(s.text), r)
	if !letter && !isDigit(r) {
		label = append(label, greekFirst)
	}
	return len(encodePunycode(label)) <= greekEncoded
}

// greekLabels returns the labels of the machine.
func greekLabels(st *terminal.Store) terminal.Expr {
	const name = "json string host label in Greek"
	e, _ := st.Memo(name, func() (terminal.Expr, error) {
		return st.Machine(name, terminal.NewSprawling(newGreekMachine())), nil
	})
	return e
}
