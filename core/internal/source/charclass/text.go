package charclass

import "slices"

// OfText returns the class of some ranges for texts, which contain no surrogates: no range begins or ends at one, but
// ranges may contain them.
func OfText(pairs []rune) []rune {
	var chars []rune
	for i := 0; i+1 < len(pairs); i += 2 {
		lo, hi := pairs[i], pairs[i+1]
		if lo < 0xD800 {
			chars = append(chars, lo, min(hi, 0xD7FF))
		}
		if hi > 0xDFFF {
			chars = append(chars, max(lo, 0xE000), hi)
		}
	}
	chars = Normalize(chars)
	// No character lies between the ranges on either side of the surrogates.
	if i := slices.Index(chars, 0xE000); i > 0 && i%2 == 0 && chars[i-1] == 0xD7FF {
		chars = slices.Delete(chars, i-1, i+1)
	}
	return chars
}

// OthersOfText returns the characters outside of a class of OfText.
func OthersOfText(pairs []rune) []rune { return OfText(Complement(pairs)) }
