package expr

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A remembered union equals the union made anew, over another store and alone. A tally's count does not depend on
// earlier unions. Within a tally a union is made once.
func TestKnownUnionsAreNewOnes(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	below := newStore()
	for range 100 {
		below.Or(randomRepeats(r, below), randomRepeats(r, below), randomRepeats(r, below), randomRepeats(r, below))
	}
	below.Seal()
	for _, s := range []*Store{newStore(), newOver(below)} {
		var parts []Expr
		for range 12 {
			parts = append(parts, s.Or(randomRepeats(r, s), randomRepeats(r, s)))
		}
		saved := 0
		for range 3000 {
			l := make([]Expr, 4+r.Intn(3))
			for i := range l {
				l[i] = parts[r.Intn(len(parts))]
			}
			union, first, again := tallied(s, l)
			require.Equal(t, union, s.Or(l...))
			same, second, _ := tallied(s, l)
			require.Equal(t, union, same)
			require.Equal(t, first, second)
			require.LessOrEqual(t, again, first+(internSteps+listSteps*containedMembers)/stepsPerPart)
			saved += max(first-again, 0)
		}
		require.Greater(t, saved, 10_000)
	}
}

// tallied makes the union of l twice within a tally, and returns it with both counts.
func tallied(s *Store, l []Expr) (union Expr, first, again int) {
	x := s.Count(NoBudget)
	defer x.Close()
	union = s.Or(l...)
	first = x.Parts()
	s.Or(l...)
	return union, first, x.Parts() - first
}

// Unions take no more memory than was said, and are right when others have been forgotten.
func TestKnownUnionsAreBounded(t *testing.T) {
	var u unions
	most := 0
	for i := range 4 * unitedMost / unitedLeast {
		l := []Expr{Expr(i), 1, 2, 3}
		h := hashNode(KOr, 0, 0, 0, l)
		u.put(h, l, Expr(i))
		k, ok := u.get(h, l)
		require.True(t, ok)
		require.Equal(t, Expr(i), k)
		_, ok = u.get(h, slices.Concat(l, l))
		require.False(t, ok, "the hash alone does not tell")
		most = max(most, u.size())
	}
	require.Less(t, most, 5<<19)
	require.Greater(t, most, 1<<20)
}
