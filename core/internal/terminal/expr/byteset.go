package expr

import (
	"fmt"
	"math/bits"
	"strings"
)

// ByteSet is a set of bytes. A value; the zero value is empty.
type ByteSet [4]uint64

// Has reports whether b is in the set.
func (s *ByteSet) Has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

// Add puts b into the set.
func (s *ByteSet) Add(b byte) { s[b>>6] |= 1 << (b & 63) }

// Remove removes one byte.
func (s *ByteSet) Remove(b byte) { s[b>>6] &^= 1 << (b & 63) }

// AddRange puts lo to hi into the set, both included.
func (s *ByteSet) AddRange(lo, hi byte) {
	for b := int(lo); b <= int(hi); b = (b | 63) + 1 {
		last := min(int(hi), b|63)
		s[b>>6] |= ^uint64(0) << (b & 63) & (^uint64(0) >> (63 - (last & 63)))
	}
}

// Union puts all of t into the set.
func (s *ByteSet) Union(t *ByteSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

// Intersect keeps the bytes that are in t too.
func (s *ByteSet) Intersect(t *ByteSet) {
	for i := range s {
		s[i] &= t[i]
	}
}

// IsEmpty reports whether the set has no byte.
func (s *ByteSet) IsEmpty() bool { return *s == ByteSet{} }

// Len returns the number of bytes in the set.
func (s *ByteSet) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Intersects reports whether the sets share a byte.
func (s *ByteSet) Intersects(t *ByteSet) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0
}

// Contains reports whether all of t is in the set.
func (s *ByteSet) Contains(t *ByteSet) bool {
	return t[0]&^s[0]|t[1]&^s[1]|t[2]&^s[2]|t[3]&^s[3] == 0
}

// Next returns the smallest member ≥ from, or 256.
func (s *ByteSet) Next(from int) int {
	if from > 255 {
		return 256
	}
	w := from >> 6
	x := s[w] >> (from & 63) << (from & 63)
	for x == 0 {
		if w++; w == 4 {
			return 256
		}
		x = s[w]
	}
	return w<<6 | bits.TrailingZeros64(x)
}

// String returns the set as ranges in brackets. It writes bytes that are no letter, digit or punctuation of ASCII as \x
// and two digits, and escapes backslash, bracket and hyphen.
func (s *ByteSet) String() string {
	var out strings.Builder
	out.WriteString("[")
	for lo := s.Next(0); lo < 256; {
		hi := lo
		for hi < 255 && s.Has(byte(hi+1)) {
			hi++
		}
		out.WriteString(byteText(byte(lo)))
		if hi > lo+1 {
			out.WriteString("-")
		}
		if hi > lo {
			out.WriteString(byteText(byte(hi)))
		}
		lo = s.Next(hi + 1)
	}
	out.WriteString("]")
	return out.String()
}

func byteText(b byte) string {
	switch {
	case strings.IndexByte(`\]-`, b) >= 0:
		return `\` + string(rune(b))
	case b > ' ' && b < 0x7F:
		return string(rune(b))
	}
	return fmt.Sprintf(`\x%02x`, b)
}

// BytesOf returns the bytes of a text.
func BytesOf(text string) (set ByteSet) {
	for i := range len(text) {
		set.Add(text[i])
	}
	return set
}
