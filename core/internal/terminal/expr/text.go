package expr

import (
	"unicode/utf8"
)

// Text is an interned text.
type Text struct {
	Str  string
	hash uint64
	// offsets from which all characters may stand for themselves in a JSON string, and from which all are ASCII
	raw, ascii uint32
}

// NewText returns a text with its hash.
func NewText(t string) Text {
	raw, ascii := len(t), len(t)
	if utf8.ValidString(t) {
		for raw > 0 && RawByte(t[raw-1], JSONString) {
			raw--
		}
	}
	for ascii > 0 && t[ascii-1] < utf8.RuneSelf {
		ascii--
	}
	return Text{t, hashText(t), uint32(raw), uint32(ascii)}
}

// subset returns the encodings in which every spelling of the text from pos on consists of whole code points.
func (t *Text) subset(pos uint32, enc Encoding) (subset uint8) {
	if !utf8.RuneStart(t.Str[pos]) {
		return 0
	}
	ascii := enc.IsASCII() || pos >= t.ascii
	subset = subsetOf(enc, ascii)
	if pos >= t.raw {
		subset |= subsetOf(JSONString, ascii)
	}
	return subset
}

// hashText returns the FNV-1a hash of t.
func hashText(t string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(t) {
		h = (h ^ uint64(t[i])) * 0x100000001b3
	}
	return h
}

func mix(h, v uint64) uint64 {
	h ^= v
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}
