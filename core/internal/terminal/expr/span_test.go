package expr

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// No string is shorter or longer than its expression's span says.
func TestSpans(t *testing.T) {
	r := rand.New(rand.NewSource(15))
	known := 0
	for range 1500 {
		s := newStore()
		e := s.Or(randomRepeats(r, s), s.Concat(randomRepeats(r, s), s.Star(s.Bytes(set("ab")))))
		switch r.Intn(4) {
		case 0:
			e = s.And(e, s.Not(randomRepeats(r, s)))
		case 1:
			e = s.Or(randomRepeats(r, s), randomRepeats(r, s))
		}
		span := s.Node(e).span
		if e == Empty || span.least == spanUnknown {
			continue
		}
		known++
		short, long := false, false
		texts("ab-", 5, func(text string) {
			if accepts(s, e, text) {
				require.GreaterOrEqual(t, len(text), int(span.least))
				require.LessOrEqual(t, len(text), int(span.most))
				short, long = short || len(text) == int(span.least), long || len(text) == int(span.most)
			}
		})
		require.True(t, short || span.least > 5)
		require.True(t, long || span.most > 5)
	}
	require.Greater(t, known, 100)
}
