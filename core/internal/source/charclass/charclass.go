// Package charclass computes with character classes: sets of code points as lists of ranges.
//
// Invariant: a class is ascending inclusive ranges lo, hi, lo, hi, … of which no two touch, so equal sets are equal
// lists. Start reading at Normalize.
package charclass

import (
	"slices"
	"sort"
	"unicode/utf8"
)

// Normalize sorts the pairs and joins those that touch, in place.
func Normalize(r []rune) []rune {
	ordered := true
	for i := 2; i < len(r); i += 2 {
		if r[i] <= r[i-1]+1 {
			ordered = false
			break
		}
	}
	if ordered {
		return r
	}
	if len(r) <= 32 {
		insertionSort(r)
	} else {
		pairs := make([][2]rune, len(r)/2)
		for i := range pairs {
			pairs[i] = [2]rune{r[2*i], r[2*i+1]}
		}
		slices.SortFunc(pairs, func(a, b [2]rune) int { return int(a[0]) - int(b[0]) })
		for i, p := range pairs {
			r[2*i], r[2*i+1] = p[0], p[1]
		}
	}
	w := 2
	for i := 2; i < len(r); i += 2 {
		if r[i] <= r[w-1]+1 {
			r[w-1] = max(r[w-1], r[i+1])
			continue
		}
		r[w], r[w+1] = r[i], r[i+1]
		w += 2
	}
	return r[:w]
}

func insertionSort(r []rune) {
	for i := 2; i < len(r); i += 2 {
		lo, hi := r[i], r[i+1]
		j := i
		for ; j > 0 && r[j-2] > lo; j -= 2 {
			r[j], r[j+1] = r[j-2], r[j-1]
		}
		r[j], r[j+1] = lo, hi
	}
}

// Complement returns the code points outside of a class.
func Complement(r []rune) []rune {
	out := make([]rune, 0, len(r)+2)
	next := rune(0)
	for i := 0; i < len(r); i += 2 {
		if r[i] > next {
			out = append(out, next, r[i]-1)
		}
		next = r[i+1] + 1
	}
	if next <= utf8.MaxRune {
		out = append(out, next, utf8.MaxRune)
	}
	return out
}

// Intersect returns the common code points of two classes.
func Intersect(a, b []rune) []rune {
	var out []rune
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if lo, hi := max(a[i], b[j]), min(a[i+1], b[j+1]); lo <= hi {
			out = append(out, lo, hi)
		}
		if a[i+1] < b[j+1] {
			i += 2
		} else {
			j += 2
		}
	}
	return out
}

// Union returns the code points of all classes.
func Union(classes ...[]rune) []rune {
	var out []rune
	for _, c := range classes {
		out = append(out, c...)
	}
	return Normalize(out)
}

// Has reports whether c is in a class.
func Has(r []rune, c rune) bool {
	i := sort.Search(len(r)/2, func(i int) bool { return c <= r[2*i+1] })
	return 2*i < len(r) && c >= r[2*i]
}

// Disjoint reports whether two classes have no common code point.
func Disjoint(a, b []rune) bool {
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

// Len returns the number of code points of a class.
func Len(r []rune) int {
	n := 0
	for i := 0; i < len(r); i += 2 {
		n += int(r[i+1]-r[i]) + 1
	}
	return n
}
