package format

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// hostMachine reads the rest of a host name behind the prefix of its first encoded label, in any spelling of a JSON
// string. The state contains the encoded text, because valid labels have no smaller description. States exist only for
// texts that are read.
//
// Nearly every text can be completed: while there is room, it can be the ASCII part of a label with one more character
// (Lemma 45).
type hostMachine struct {
	left  int
	table *labelTable
}

type hostState struct {
	text    string // of an encoded label, in small letters
	encoded bool
	left    uint8 // characters that still fit into the name

	// About the labels before this one.
	rtl   bool
	loose bool

	// About a label that is not encoded.
	length  uint8
	prefix  uint8 // number of characters of encodedPrefix, if the label is nothing else
	digit   bool
	hyphen  bool
	hyphens bool // its third character is a hyphen

	spelling spelling
}

// newHostMachine returns a machine for the rest of a name behind its first prefix, of at most left characters. The
// labels before it must be allowed beside right-to-left labels.
func newHostMachine(left int) terminal.Sprawling {
	return terminal.NewSprawling(&hostMachine{left, newLabelTable()})
}

func (m *hostMachine) First() hostState { return hostState{encoded: true, left: uint8(m.left)} }

func (m *hostMachine) Copy(to, from *hostState) { *to = *from }

func (m *hostMachine) Name(s *hostState) string {
	name := make([]byte, 0, 10+len(s.text))
	for _, is := range [...]bool{s.encoded, s.rtl, s.loose, s.digit, s.hyphen, s.hyphens} {
		if is {
			name = append(name, 1)
		} else {
			name = append(name, 0)
		}
	}
	name = append(name, s.left, s.length, s.prefix)
	return string(append(s.spelling.append(name), s.text...))
}

func (m *hostMachine) Named(name string) hostState {
	is := func(i int) bool { return name[i] != 0 }
	s := hostState{encoded: is(0), rtl: is(1), loose: is(2), digit: is(3), hyphen: is(4), hyphens: is(5)}
	s.left, s.length, s.prefix = name[6], name[7], name[8]
	s.spelling, s.text = spellingOf(name[9:])
	return s
}

func (m *hostMachine) kind(s *hostState) labelKind {
	if s.encoded {
		return m.judge(s.text)
	}
	return labelKind{valid: s.length > 0 && !s.hyphen, loose: s.digit}
}

const hostCharacters = "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func (m *hostMachine) Bytes() terminal.ByteSet { return terminal.BytesOf(hostCharacters + `\`) }

func (m *hostMachine) Ends(s *hostState) bool {
	return s.spelling.phase == betweenCharacters && s.fits(m.kind(s))
}

func (m *hostMachine) Next(s *hostState, b byte) (ok bool) {
	*s, ok = m.step(*s, b)
	return ok
}

func (m *hostMachine) Room(s *hostState) (letters terminal.ByteSet, n int) {
	return terminal.BytesOf(hostCharacters[2:]), m.room(s)
}

func (m *hostMachine) room(s *hostState) int {
	n := 0
	switch {
	case s.spelling.phase != betweenCharacters:
	case s.encoded:
		n = m.growth(s)
	case s.length > 0:
		n = min(limits.HostLabel-int(s.length), int(s.left))
	}
	return max(n, 0)
}

func (m *hostMachine) step(s hostState, b byte) (hostState, bool) {
	to, r, done, ok := s.spelling.next(b)
	s.spelling = spelling{}
	switch {
	case !ok:
		return s, false
	case done:
		return m.read(s, r)
	}
	from, last := to.reach()
	for i := len(hostCharacters) - 1; i >= 0; i-- {
		if r := rune(hostCharacters[i]); r >= from && r <= last {
			if _, ok := m.read(s, r); ok {
				s.spelling = to
				return s, true
			}
		}
	}
	return s, false
}

func (m *hostMachine) read(s hostState, r rune) (hostState, bool) {
	if r == '.' {
		k := m.kind(&s)
		t := hostState{left: s.left - min(s.left, 1), rtl: s.rtl || k.rtl, loose: s.loose || k.loose}
		return t, s.fits(k) && t.left > 0
	}
	if r >= 'A' && r <= 'Z' {
		r |= 0x20
	}
	if s.left == 0 || r >= utf8.RuneSelf || r != '-' && punyDigit(byte(r)) < 0 {
		return s, false
	}
	s.left--
	c := byte(r)
	if !s.encoded {
		return m.readPlain(s, c)
	}
	if len(s.text) == encodedLength {
		return s, false
	}
	s.text += hostCharacters[strings.IndexByte(hostCharacters, c):][:1]
	return s, m.alive(&s)
}

func (m *hostMachine) readPlain(s hostState, c byte) (hostState, bool) {
	at := int(s.length)
	s.length++
	s.hyphen = c == '-'
	switch {
	case int(s.prefix) == at && at < len(encodedPrefix) && c == encodedPrefix[at]:
		s.prefix++
	case at == 0:
		s.digit = isDigit(rune(c))
	}
	if int(s.prefix) == len(encodedPrefix) {
		s = hostState{encoded: true, left: s.left, rtl: s.rtl, loose: s.loose}
		return s, m.alive(&s)
	}
	if at == 2 {
		s.hyphens = s.hyphen
	}
	switch {
	case at == 0 && s.hyphen, at == 3 && s.hyphen && s.hyphens, int(s.length) > limits.HostLabel, s.rtl && s.digit:
		return s, false
	case s.hyphen:
		return s, s.left > 0 && int(s.length) < limits.HostLabel
	}
	return s, true
}

func (m *hostMachine) judge(text string) labelKind {
	p, ok := m.table.decodePunycode(text)
	if !ok || !p.whole() {
		return labelKind{}
	}
	return m.table.judge(p.label())
}

func (s *hostState) fits(k labelKind) bool {
	return k.valid && !((s.rtl || k.rtl) && (s.loose || k.loose))
}

func (m *hostMachine) roomOf(s *hostState) int {
	return min(encodedLength, len(s.text)+int(s.left))
}

// appended is the character added to an ASCII part: ß, the first that is permitted everywhere. Behind the longest
// label it takes a hyphen and three digits; before and behind them, two more.
const (
	appended       = 0xDF
	appendedDigits = 4
	enclosedDigits = 6
)

// shape says which additions turn an ASCII part into a label.
type shape uint8

const (
	noShape  shape = iota // no addition that is tried, because of hyphens in the first places
	enclosed              // the appended character before and behind it
	ended                 // the appended character behind it
)

// shapeOf returns the shape of an ASCII part. Further letters and digits do not change a shape other than noShape, or
// one that needs nothing at the beginning.
func (s *hostState) shapeOf(ascii string) shape {
	together := func(i int) bool { return i+1 < len(ascii) && ascii[i] == '-' && ascii[i+1] == '-' }
	switch {
	case ascii == "" || ascii[0] != '-' && !together(2) && !(s.rtl && isDigit(rune(ascii[0]))):
		return ended
	case !together(1):
		return enclosed
	}
	return noShape
}

// growth returns how many arbitrary letters and digits may follow the text of s so that it is the ASCII part of a
// label.
func (m *hostMachine) growth(s *hostState) int {
	n := m.roomOf(s) - len(s.text)
	switch s.shapeOf(s.text) {
	case ended:
		if s.text != "" || !s.rtl {
			return n - appendedDigits
		}
		fallthrough
	case enclosed:
		return n - enclosedDigits
	}
	return -1
}

// alive reports whether the text of an encoded label can be completed, by completions that stay valid after each of
// their characters (Lemma 45).
func (m *hostMachine) alive(s *hostState) bool {
	if s.text != "" && m.growth(s) >= 0 {
		return true
	}
	ascii, _, ok := cutPunycode(s.text)
	if !ok || s.shapeOf(ascii) == noShape {
		return false
	}
	p, ok := m.table.decodePunycode(s.text)
	if !ok {
		return false
	}
	room := m.roomOf(s)
	if p.whole() && s.fits(m.table.judge(p.label())) || m.extends(s, ascii, room) {
		return true
	}
	steps := limits.EncodedLabelSteps
	return m.completes(s, &p, room-len(s.text), &steps)
}

// extends reports whether the text of s begins the encoding of the label with that ASCII part and the appended
// characters of its shape.
func (m *hostMachine) extends(s *hostState, ascii string, room int) bool {
	label := insert([]rune(ascii), len(ascii), appended)
	if s.shapeOf(ascii) == enclosed {
		label = insert(label, 0, appended)
	}
	text := encodePunycode(label)
	return len(text) <= room && strings.HasPrefix(text, s.text)
}

// completes searches at most room further digits that complete the label, within so many steps. After reading the
// first of them, the search takes fewer steps.
func (m *hostMachine) completes(s *hostState, p *punycode, room int, steps *int) bool {
	for d := 0; d < punyBase && room > 0; d++ {
		if *steps--; *steps < 0 {
			return false
		}
		q := *p
		inserted, ok := q.digit(d)
		if !ok {
			continue
		}
		if inserted && m.table.class(q.r) == notPermitted {
			continue
		}
		if inserted && s.fits(m.table.judge(q.label())) || m.completes(s, &q, room-1, steps) {
			return true
		}
	}
	return false
}

// encodedNames returns the names with an encoded label among their first three. Labels before it do not begin with a
// digit, so that they are allowed beside right-to-left labels.
func encodedNames(st *terminal.Store) (terminal.Expr, error) {
	const name = "json string host name with encoded labels"
	return st.Memo(name, func() (terminal.Expr, error) {
		const most = 2
		before, err := lowerInner(st, `(?:`+namedLabel+`\.){0,`+strconv.Itoa(most)+`}[Xx][Nn]--`)
		if err != nil {
			return terminal.Empty, err
		}
		left := limits.HostName - most*(limits.HostLabel+1) - len(encodedPrefix)
		return st.Concat(before, st.Machine(name, newHostMachine(left))), nil
	})
}

// WithEncodedLabels returns a format of host names, or of addresses with one, including encoded labels and long labels
// in Greek.
func WithEncodedLabels(st *terminal.Store, format string) (terminal.Expr, error) {
	before, host, idn := "", "", false
	switch format {
	case "hostname":
		host = hostname
	case "idn-hostname":
		host, idn = otherNames, true
	case "email":
		before, host = localPart+"@", mailHost(hostname)
	case "idn-email":
		before, host, idn = idnLocalPart+"@", mailHost(otherNames+`|`+decomposedName), true
	}
	e, err := lowerInner(st, host)
	if err != nil {
		return e, err
	}
	xs := []terminal.Expr{e}
	if idn {
		names, err := unicodeNames(st)
		if err != nil {
			return e, err
		}
		xs = append(xs, names)
	}
	names, err := encodedNames(st)
	if err != nil {
		return e, err
	}
	local, err := lowerWhole(st, before)
	return st.Concat(local, st.Or(append(xs, names)...)), err
}

func unicodeNames(st *terminal.Store) (terminal.Expr, error) {
	other, err := lowerInner(st, otherLabel)
	if err != nil {
		return other, err
	}
	dot, err := lowerInner(st, separator)
	label := st.Or(other, greekLabels(st))
	return st.Concat(label, st.Repeat(st.Concat(dot, label), 0, 3)), err
}

// HasEncodedLabels reports whether a format contains host names with encoded labels.
func HasEncodedLabels(format string) bool {
	switch format {
	case "hostname", "idn-hostname", "email", "idn-email":
		return true
	}
	return false
}

// lowerWhole returns the string bodies that a piece of a format matches as a whole.
func lowerWhole(st *terminal.Store, text string) (terminal.Expr, error) {
	return lowerPiece(st, text, regex.Mode{Encoding: terminal.JSONString})
}

// lowerInner is lowerWhole for a piece within others.
func lowerInner(st *terminal.Store, text string) (terminal.Expr, error) {
	return lowerPiece(st, text, regex.Mode{Encoding: terminal.JSONString, Inner: true})
}

func lowerPiece(st *terminal.Store, text string, m regex.Mode) (terminal.Expr, error) {
	return regex.Lower(st, regex.MustParse(text), m)
}
