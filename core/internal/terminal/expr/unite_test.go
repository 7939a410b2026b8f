package expr

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/work"
)

// A union that was made before is what it is when it is made anew, and counts for as many steps, over another store and
// alone, for a compilation and after it.
func TestKnownUnionsAreNewOnes(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	below := newStore()
	for range 100 {
		below.Or(randomRepeats(r, below), randomRepeats(r, below), randomRepeats(r, below), randomRepeats(r, below))
	}
	below.Seal()
	for _, s := range []*Store{newStore(), newOver(below)} {
		const budget = 1 << 40
		m := work.New(budget, nil)
		s.Work = m
		var parts []Expr
		for range 12 {
			parts = append(parts, s.Or(randomRepeats(r, s), randomRepeats(r, s)))
		}
		known, saved := 0, 0
		for range 3000 {
			l := make([]Expr, 4+r.Intn(3))
			for i := range l {
				l[i] = parts[r.Intn(len(parts))]
			}
			all := s.unions
			s.unions = unions{}
			steps, pairs := s.steps, s.pairs
			want := s.Or(l...)
			fresh, compared := s.steps-steps, s.pairs-pairs
			s.unions = all
			nodes, steps, left := int(s.Made.Load()), s.steps, m.Left()
			hits := len(s.unions.known)
			require.Equal(t, want, s.Or(l...))
			require.Equal(t, fresh, s.steps-steps)
			require.Equal(t, compared, left-m.Left(), "charged to the compilation")
			require.Equal(t, nodes, int(s.Made.Load()))
			if fresh > 0 && len(s.unions.known) == hits {
				known++
				saved += fresh
			}
		}
		require.Greater(t, known, 100)
		require.Greater(t, saved, 10_000)
	}
}

// Unions take no more memory than was said, and are right when others have been forgotten.
func TestKnownUnionsAreBounded(t *testing.T) {
	var u unions
	most := 0
	for i := range 4 * unitedMost / unitedLeast {
		l := []Expr{Expr(i), 1, 2, 3}
		h := hashNode(KOr, 0, 0, 0, l)
		u.put(h, l, i, i, Expr(i))
		k, ok := u.get(h, l)
		require.True(t, ok)
		require.Equal(t, Expr(i), k.union)
		_, ok = u.get(h, slices.Concat(l, l))
		require.False(t, ok, "the hash alone does not tell")
		most = max(most, u.size())
	}
	require.Less(t, most, 5<<19)
	require.Greater(t, most, 1<<20)
}
