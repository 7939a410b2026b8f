package expr

import (
	"unicode/utf8"
)

// Encoding is a set of properties of the spelling of code points in bytes.
type Encoding uint8

// The encodings. UTF8|ASCII has no spelling of code points beyond ASCII, JSONString|ASCII spells them by escapes.
// Writers of JSON escape more than they must: Python and PHP escape code points beyond ASCII, Go <, > and &, .NET
// quotes and +, PHP the slash. None escapes letters and digits of ASCII. In JSONWritten these and a few more have one
// spelling, so that the engine can force them.
const (
	UTF8        Encoding = 0      // as itself
	JSONString  Encoding = 1 << 0 // inside the quotes of a JSON string: as itself if allowed, or by any escape
	ASCII       Encoding = 1 << 1
	JSONWritten          = JSONString | written // JSONString with plain characters only as themselves

	Encodings Encoding = 1 << 2 // number of encodings that a node can have

	written Encoding = 1 << 2 // only of whole texts, see concatWritten: no node has it
)

// allEncodings has a bit for each encoding that a node can have.
const allEncodings uint8 = 1<<Encodings - 1

// HasEscapes reports whether a backslash begins a code point.
func (e Encoding) HasEscapes() bool { return e&JSONString != 0 }

// IsASCII reports whether all spellings are in ASCII.
func (e Encoding) IsASCII() bool { return e&ASCII != 0 }

// subsetOf returns the encodings that read every spelling of a code point in enc as whole code points. UTF8 is one of
// them, since an escape is a sequence of ASCII characters. ascii says that all bytes are ASCII.
func subsetOf(enc Encoding, ascii bool) uint8 {
	subset := uint8(1<<UTF8 | 1<<(enc&^ASCII))
	if ascii {
		subset |= subset << ASCII
	}
	return subset
}

// ByteSubset returns the encodings in which every byte of the set is a whole code point.
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

// isPlain reports whether a byte is a character that JSONWritten spells in one way.
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
