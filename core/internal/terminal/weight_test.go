package terminal

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a row of an expression that repeats something costs is what making it takes, whatever rows there are already of
// its parts and of what it leads to.
func TestRowsCostTheSameForAll(t *testing.T) {
	dear := 0
	for seed := range int64(300) {
		world := func() (*Store, []Expr) {
			r, s := rand.New(rand.NewSource(seed)), NewStore()
			var all []Expr
			for range 3 {
				all = append(all, s.Or(randomRepeats(r, s), randomRepeats(r, s)))
			}
			return s, append(all, s.Concat(all...))
		}
		used, same := world()
		r := rand.New(rand.NewSource(seed))
		for range 60 {
			used.Alive(Expr(r.Intn(used.Len())))
			used.Delta(same[r.Intn(len(same))], "ab"[r.Intn(2)])
		}
		for i, e := range same {
			s, fresh := world()
			s.Alive(fresh[i])
			used.Alive(e)
			require.Equal(t, s.RowCost(fresh[i]), used.RowCost(e), "seed %d", seed)
			if s.node(fresh[i]).flags&fRepeat != 0 && s.RowCost(fresh[i]) > 100 {
				dear++
			}
		}
	}
	require.Greater(t, dear, 300)
}

// No string is shorter or longer than its expression's span says.
func TestSpans(t *testing.T) {
	r := rand.New(rand.NewSource(15))
	known := 0
	for range 1500 {
		s := NewStore()
		e := s.plain(randomBoolean(r, s, 3))
		span := s.node(e).span
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
