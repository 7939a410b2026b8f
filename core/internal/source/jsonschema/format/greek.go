package format

import (
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// greekMachine reads labels of Greek letters, digits and hyphens that begin in Greek, in any spelling of a JSON
// string. From 20 to more than 50 characters fit into such a label, depending on them. So the state is the text so
// far, and a label ends when its encoding is full. Other scripts have no machine: either more of their letters fit
// than a pattern allows, or too many tokens contain them for a state each.
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
	keraia                = 0x375        // the numeral sign, before Greek letters

	// greekFree is the number of arbitrary characters that fit: each takes two digits, the first ones and four others
	// three. (There are 89 steps from the keraia to the last letter, each of one more than the label has characters.)
	greekFree = 20
	// greekEncoded is the length of an encoded label: four labels and three dots make a name.
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

func (m *greekMachine) First() greekState { return greekState{} }

func (m *greekMachine) Copy(to, from *greekState) { *to = *from }

func (m *greekMachine) Name(s *greekState) string { return string(s.spelling.append(nil)) + s.text }

func (m *greekMachine) Named(name string) (s greekState) {
	s.spelling, s.text = spellingOf(name)
	s.last, _ = utf8.DecodeLastRuneInString(s.text)
	s.length = utf8.RuneCountInString(s.text)
	return s
}

func (m *greekMachine) Bytes() terminal.ByteSet {
	set := terminal.BytesOf("0123456789-\\uabcdefABCDEF")
	set.AddRange(0x80, 0xBF)
	for _, r := range []rune{keraia, greekFirst, greekLast} {
		set.Add(string(r)[0])
	}
	return set
}

func (m *greekMachine) Ends(s *greekState) bool {
	return s.spelling.phase == betweenCharacters && s.text != "" && s.last != '-' && s.last != keraia
}

func (m *greekMachine) Next(s *greekState, b byte) (ok bool) {
	*s, ok = m.step(*s, b)
	return ok
}

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

// allows reports whether the text can continue with r and be completed. If any character completes it, a letter does.
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

func greekLabels(st *terminal.Store) terminal.Expr {
	const name = "json string host label in Greek"
	e, _ := st.Memo(name, func() (terminal.Expr, error) {
		return st.Machine(name, terminal.NewSprawling(newGreekMachine())), nil
	})
	return e
}
