package expr

import (
	"unicode/utf8"
)

// Writers of JSON escape more than they must: Python and PHP what is not ASCII, Go <, > and &, .NET quotes, + and more,
// PHP the slash. None escapes letters and digits of ASCII. JSONWritten is for texts that a constraint spells out: what
// some writer escapes may be an escape, every other character has one spelling, and a text of such characters is
// forced. With ASCII, what is not ASCII is an escape.

// Encoding says how one code point is spelled in bytes. It is a set of properties.
type Encoding uint8

// The encodings. Each of UTF8 and JSONString can be restricted to ASCII: a code point beyond it has no spelling as
// itself then. JSONString|ASCII spells it by escapes, and UTF8|ASCII, which is ASCII, not at all.
const (
	UTF8        Encoding = 0      // as itself
	JSONString  Encoding = 1 << 0 // inside the quotes of a JSON string: as itself where allowed, or by any escape
	ASCII       Encoding = 1 << 1
	JSONWritten          = JSONString | written // as JSONString, but plain characters only as themselves

	Encodings Encoding = 1 << 2 // those that a node can have are below it

	written Encoding = 1 << 2 // of texts, which are made of parts in other encodings; see written.go
)

// allEncodings has a bit for each encoding that a node can have.
const allEncodings uint8 = 1<<Encodings - 1

// HasEscapes reports whether a backslash begins a code point.
func (e Encoding) HasEscapes() bool { return e&JSONString != 0 }

// IsASCII reports whether all spellings are in ASCII.
func (e Encoding) IsASCII() bool { return e&ASCII != 0 }

// subsetOf returns the encodings of which a string is made of whole code points if it is made of those of enc: what
// JSON writes is UTF-8, too. ascii says that it is in ASCII.
func subsetOf(enc Encoding, ascii bool) uint8 {
	subset := uint8(1<<UTF8 | 1<<(enc&^ASCII))
	if ascii {
		subset |= subset << ASCII
	}
	return subset
}

// ByteSubset returns the encodings of which every byte of the set is a whole code point.
func ByteSubset(s ByteSet) uint8 {
	if s[2]|s[3] != 0 {
		return 0
	}
	sub := subsetOf(UTF8, true)
	if s[0]&0xFFFFFFFF == 0 && !s.Has('"') && !s.Has('\\') {
		sub |= subsetOf(JSONString, true)
	}
	return sub
}

// RawByte reports whether byte b of a text may stand for itself in enc.
func RawByte(b byte, enc Encoding) bool {
	return (b < utf8.RuneSelf || !enc.IsASCII()) && (!enc.HasEscapes() || b >= 0x20 && b != '"' && b != '\\')
}

// isPlain reports whether a byte is of a character that JSONWritten spells in one way.
func isPlain(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c == ' ' || c == '_' || c == '-' || c == '.'
}

// HasPlain reports whether a text has a character that JSONWritten spells in fewer ways than JSONString.
func HasPlain(text string) bool {
	for i := range len(text) {
		if isPlain(text[i]) {
			return true
		}
	}
	return false
}
