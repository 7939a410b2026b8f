package rules

import (
	"slices"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"
)

// Character classes are sorted lists of disjoint inclusive ranges lo, hi, lo, hi, …. No range begins or ends at a
// surrogate; ranges may contain surrogates, which no text contains.

// Normal returns the ranges in that form.
func Normal(pairs []rune) []rune {
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
	chars = charclass.Normalize(chars)
	// No character lies between the ranges on either side of the surrogates.
	if i := slices.Index(chars, 0xE000); i > 0 && i%2 == 0 && chars[i-1] == 0xD7FF {
		chars = slices.Delete(chars, i-1, i+1)
	}
	return chars
}

// Complement returns the characters in no range of a normal list.
func Complement(pairs []rune) []rune { return Normal(charclass.Complement(pairs)) }

// apart reports whether spellings of characters of a and b have no byte in common.
func apart(a, b []rune) bool {
	return charclass.Disjoint(a, b) && (highest(a) < utf8.RuneSelf || highest(b) < utf8.RuneSelf)
}

func highest(pairs []rune) rune { return pairs[len(pairs)-1] }
