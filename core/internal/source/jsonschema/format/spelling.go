package format

import (
	"strings"
	"unicode/utf8"
)

// spelling is a position within a character of a JSON string: one of at most two bytes, or an escape of four digits.
// The zero value is between characters.
type spelling struct {
	phase spellingPhase
	value uint16 // of the digits or bits so far
}

type spellingPhase uint8

const (
	betweenCharacters spellingPhase = iota
	afterLead
	afterBackslash
	afterU
	afterHex1
	afterHex2
	afterHex3
)

// append adds s to the name of a state; spellingOf reads it back.
func (s spelling) append(name []byte) []byte {
	return append(name, byte(s.phase), byte(s.value), byte(s.value>>8))
}

func spellingOf(name string) (s spelling, rest string) {
	return spelling{spellingPhase(name[0]), uint16(name[1]) | uint16(name[2])<<8}, name[3:]
}

// next reads one more byte; r is the character that it ends, if done.
func (s spelling) next(b byte) (to spelling, r rune, done, ok bool) {
	switch s.phase {
	case betweenCharacters:
		switch {
		case b == '\\':
			return spelling{phase: afterBackslash}, 0, false, true
		case b >= 0xC2 && b <= 0xDF:
			return spelling{afterLead, uint16(b & 0x1F)}, 0, false, true
		}
		return spelling{}, rune(b), true, b >= ' ' && b != '"' && b < utf8.RuneSelf
	case afterLead:
		return spelling{}, rune(s.value)<<6 | rune(b&0x3F), true, b&0xC0 == 0x80
	case afterBackslash:
		return spelling{phase: afterU}, 0, false, b == 'u'
	}
	d := strings.IndexByte("0123456789abcdef", b|0x20)
	if d < 0 || b < '0' {
		return s, 0, false, false
	}
	s.value = s.value<<4 | uint16(d)
	if s.phase == afterHex3 {
		return spelling{}, rune(s.value), true, true
	}
	s.phase++
	return s, 0, false, true
}

// reach returns the first and last character that the text can continue with.
func (s spelling) reach() (from, to rune) {
	v := rune(s.value)
	switch s.phase {
	case afterLead:
		return v << 6, v<<6 | 0x3F
	case afterHex1, afterHex2, afterHex3:
		free := 4 * (4 - int(s.phase-afterU))
		return v << free, (v+1)<<free - 1
	}
	return 0, 0xFFFF
}
