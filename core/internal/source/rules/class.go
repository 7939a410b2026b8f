package rules

import (
	"slices"
	"unicode/utf8"
)

// Character classes are sorted lists of disjoint inclusive ranges lo, hi, lo, hi, …. None begins or ends at a surrogate;
// a range may run across them, for no text contains them.

// Normal returns the ranges in that form.
func Normal(pairs []rune) []rune {
	type span struct{ lo, hi rune }
	var spans []span
	for i := 0; i+1 < len(pairs); i += 2 {
		lo, hi := pairs[i], pairs[i+1]
		if lo < 0xD800 {
			spans = append(spans, span{lo, min(hi, 0xD7FF)})
		}
		if hi > 0xDFFF {
			spans = append(spans, span{max(lo, 0xE000), hi})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return int(a.lo - b.lo) })
	var out []rune
	for _, s := range spans {
		// Ranges on either side of the surrogates are neighbours: nothing lies between them.
		if n := len(out); n > 0 && (s.lo <= out[n-1]+1 || out[n-1] == 0xD7FF && s.lo == 0xE000) {
			out[n-1] = max(out[n-1], s.hi)
			continue
		}
		out = append(out, s.lo, s.hi)
	}
	return out
}

// Complement returns the characters that are in no range of the normal list.
func Complement(pairs []rune) []rune {
	var out []rune
	next := rune(0)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] > next {
			out = append(out, next, pairs[i]-1)
		}
		next = pairs[i+1] + 1
	}
	if next <= utf8.MaxRune {
		out = append(out, next, utf8.MaxRune)
	}
	return Normal(out)
}

// disjoint reports whether two normal lists share no character.
func disjoint(a, b []rune) bool {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i+1] < b[j]:
			i += 2
		case b[j+1] < a[i]:
			j += 2
		default:
			return false
		}
	}
	return true
}

// apart reports whether no byte of a character of a occurs in the spelling of a character of b.
func apart(a, b []rune) bool {
	return disjoint(a, b) && (highest(a) < utf8.RuneSelf || highest(b) < utf8.RuneSelf)
}

// highest returns the last character of a class that is not empty.
func highest(pairs []rune) rune { return pairs[len(pairs)-1] }

// width returns the number of characters of a class, surrogates included.
func width(pairs []rune) int {
	n := 0
	for i := 0; i < len(pairs); i += 2 {
		n += int(pairs[i+1]-pairs[i]) + 1
	}
	return n
}
