package charclass_test

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

func Example() {
	letters := charclass.Normalize([]rune{'k', 'z', 'a', 'f', 'e', 'j'})
	fmt.Printf("%c %c\n", letters, charclass.Intersect(letters, []rune{'0', 'c', 'x', 'x'}))
	// Output: [a z] [a c x x]
}

// Every operation equals the one on written-out sets, and its result is a class.
func TestOperations(t *testing.T) {
	const most = 40
	r := testkit.Seeded(t, 1)
	draw := func() (pairs []rune, set [most]bool) {
		for range r.Intn(5) + 20*(r.Intn(8)/7) {
			lo := rune(r.Intn(most))
			hi := min(lo+rune(r.Intn(6)), most-1)
			pairs = append(pairs, lo, hi)
			for c := lo; c <= hi; c++ {
				set[c] = true
			}
		}
		return charclass.Normalize(pairs), set
	}
	same := func(class []rune, has func(c int) bool) {
		for i := 2; i < len(class); i += 2 {
			require.Greater(t, class[i], class[i-1]+1, "%v", class)
		}
		for c := range most {
			require.Equal(t, has(c), charclass.Has(class, rune(c)), "%v %d", class, c)
		}
	}
	for range testkit.Rounds(2000, 100_000) {
		a, inA := draw()
		b, inB := draw()
		same(a, func(c int) bool { return inA[c] })
		same(charclass.Intersect(a, b), func(c int) bool { return inA[c] && inB[c] })
		same(charclass.Union(a, b), func(c int) bool { return inA[c] || inB[c] })
		other := charclass.Complement(a)
		same(other, func(c int) bool { return !inA[c] })
		require.Equal(t, int(utf8.MaxRune)+1, charclass.Len(a)+charclass.Len(other))
		require.Equal(t, len(charclass.Intersect(a, b)) == 0, charclass.Disjoint(a, b))
	}
}
