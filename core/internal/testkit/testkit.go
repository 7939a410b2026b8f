// Package testkit makes the inputs of tests: random expressions, grammars, regular expressions and EBNF texts, small
// vocabularies, walks that follow masks, and the real data beside the checkout if it exists.
//
// Invariant: everything random comes from a seed that the test prints, so that a failure can be repeated. The package
// is for tests only and must not know how the engine or the oracle answers. Start reading at Seeded, then expr.go and
// grammars.go.
package testkit

import (
	"math/rand"
	"os"
	"strconv"
	"testing"
)

// SeedVariable is the environment variable that sets the seed of every random test.
const SeedVariable = "SLUICE_TEST_SEED"

// LongVariable is the environment variable that, with any value, makes random tests run for minutes instead of seconds.
const LongVariable = "SLUICE_TEST_LONG"

// Seeded returns a source of random numbers and prints its seed, which is fixed unless the environment sets one.
func Seeded(t testing.TB, seed int64) *rand.Rand {
	t.Helper()
	if v := os.Getenv(SeedVariable); v != "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			t.Fatalf("%s=%q is not a number", SeedVariable, v)
		}
		seed = n
	}
	t.Logf("seed %d (set %s to change it)", seed, SeedVariable)
	return rand.New(rand.NewSource(seed))
}

// Rounds returns short, or long if the environment demands long runs; with -short an eighth of short, since the race
// detector makes everything ten times slower.
func Rounds(short, long int) int {
	switch {
	case os.Getenv(LongVariable) != "":
		return long
	case testing.Short():
		return (short + 7) / 8
	}
	return short
}

// Alone skips a long test with -short. Those runs look for races or do without cgo, which does not affect single
// goroutines.
func Alone(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: it takes long, and -short asks for what several goroutines do")
	}
}

// Step returns short, the distance between the jobs of a file that a test takes, or 1 if the environment demands long
// runs.
func Step(short int) int {
	if os.Getenv(LongVariable) != "" {
		return 1
	}
	return short
}

// Strings returns every string of at most maxLen bytes of the alphabet, the empty one first, shorter ones before
// longer.
func Strings(alphabet string, maxLen int) []string {
	out := []string{""}
	level := out
	for range maxLen {
		var next []string
		for _, s := range level {
			for i := range len(alphabet) {
				next = append(next, s+alphabet[i:i+1])
			}
		}
		out = append(out, next...)
		level = next
	}
	return out
}

// RandomString returns up to maxLen bytes of the alphabet.
func RandomString(r *rand.Rand, alphabet string, maxLen int) string {
	b := make([]byte, r.Intn(maxLen+1))
	for i := range b {
		b[i] = alphabet[r.Intn(len(alphabet))]
	}
	return string(b)
}
