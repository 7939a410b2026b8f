package relax_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

// analysed returns the analysis of a store that nobody else uses.
func analysed(s *terminal.Store) *analysis.Analysis {
	defer s.Unlock()
	return s.Lock()
}

// randomText returns a language of JSON texts put together from searches, exclusions and classes.
func randomText(r *rand.Rand, s *terminal.Store, depth int) terminal.Expr {
	any := s.Star(s.AnyRune(terminal.JSONString))
	word := func() terminal.Expr {
		return s.Text([]string{"ab", "b", "a", "~", "ba\n"}[r.Intn(5)], terminal.JSONString)
	}
	class := func() terminal.Expr {
		return s.Runes([][]rune{
			{'a', 'b'}, {0, '\t', '\v', 0x10FFFF}, {'b', 'z', 0x400, 0x500}, {0, 0x10FFFF},
		}[r.Intn(4)], terminal.JSONString)
	}
	if depth == 0 {
		switch r.Intn(7) {
		case 0:
			return any
		case 1:
			return word()
		case 2:
			return s.Star(class())
		case 3:
			return s.Plus(class())
		case 4:
			return s.Repeat(class(), uint32(r.Intn(2)), uint32(2+r.Intn(2)))
		case 5:
			return s.Concat(any, word())
		}
		return s.Concat(any, word(), any)
	}
	x, y := randomText(r, s, depth-1), randomText(r, s, depth-1)
	switch r.Intn(7) {
	case 6: // windows at the end
		return s.And(any, s.Not(s.Concat(any, word(), class())), s.Not(s.Concat(x, class())), s.Not(word()))
	case 0:
		return s.And(x, y)
	case 1:
		return s.And(any, s.Not(x))
	case 2:
		return s.And(x, s.Not(y), s.Not(word()))
	case 3:
		return s.Or(x, y)
	case 4:
		return s.Concat(x, y)
	}
	return x
}

// An unanchored state has the transitions of any text, except for the end.
func TestUnanchoredGoesWhereAnyTextGoes(t *testing.T) {
	r := rand.New(rand.NewSource(21))
	found := 0
	for range 800 {
		s := terminal.NewStore()
		e := s.Concat(randomText(r, s, r.Intn(4)), s.Literal(`"`))
		for range r.Intn(4) { // also states after a text
			e = s.Delta(e, "ab~n"[r.Intn(4)])
		}
		base, ok := relax.Unanchored(s, e)
		if !ok {
			continue
		}
		found++
		type pair struct{ e, base terminal.Expr }
		seen := map[pair]bool{{e, base}: true}
		queue := []pair{{e, base}}
		for len(queue) > 0 && len(seen) < 300 {
			p := queue[0]
			queue = queue[1:]
			for b := range 256 {
				next := pair{s.Delta(p.e, byte(b)), s.Delta(p.base, byte(b))}
				if counters.Complete(s, next.base) {
					require.True(t, next.e == terminal.Empty || counters.Complete(s, next.e) &&
						s.Alive(next.e).IsEmpty())
					continue
				}
				require.Equal(t, next.base == terminal.Empty, next.e == terminal.Empty)
				if next.e != terminal.Empty && !seen[next] {
					seen[next] = true
					queue = append(queue, next)
				}
			}
		}
	}
	require.Greater(t, found, 60)
}

// SingleRunes agrees with the lengths.
func TestSingleRunesAreLengths(t *testing.T) {
	r := rand.New(rand.NewSource(27))
	single := 0
	for range 600 {
		s := terminal.NewStore()
		e := randomText(r, s, r.Intn(4))
		if r.Intn(3) == 0 {
			e = s.Or(s.Text("é", terminal.JSONString),
				s.Text([]string{"b", "\n", "ab"}[r.Intn(3)], terminal.JSONString))
		}
		if s.View().Node(e).Flags&expr.FBoolean != 0 {
			continue
		}
		if sp := analysed(s).Spectrum(e, analysis.PhaseBetween, terminal.JSONString); sp.Min == 1 && sp.Max == 1 {
			single++
			require.Equal(t, s.View().Node(e).Kind == expr.KOr || e == analysed(s).AnyRune[terminal.JSONString],
				analysed(s).SingleRunes(e, terminal.JSONString))
		}
	}
	require.Greater(t, single, 20)
}
