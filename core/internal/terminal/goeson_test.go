package terminal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Whether an expression goes on, and what it may begin with, is what its transitions say, though they are not made.
func TestGoesOnIsWhatTransitionsSay(t *testing.T) {
	r := testkit.Seeded(t, 31)
	on, ends, spared := 0, 0, 0
	for range testkit.Rounds(4000, 200_000) {
		s := terminal.NewStore()
		x := testkit.Expr(r, s, testkit.ExprShape{Alphabet: "ab", Depth: 4, Boolean: true, Counted: r.Intn(4) == 0})
		if b := r.Intn(4); b < 2 && x != terminal.Empty {
			x = s.Delta(x, "ab"[b]) // as an item is come to
		}
		goes, may, before := s.GoesOn(x), s.MayBegin(x, 'a'), s.Size().Rows
		alive := s.Alive(x)
		require.Equal(t, !alive.IsEmpty(), goes)
		require.True(t, may || !alive.Has('a'))
		if goes {
			on++
		} else {
			ends++
		}
		if s.Size().Rows > before {
			spared++
		}
	}
	require.Greater(t, on, 100)
	require.Greater(t, ends, 10)
	require.Greater(t, spared, 100)
}

// That one of several patterns goes on takes no transitions of theirs, which are dear where they overlap.
func TestGoesOnMakesNoTransitions(t *testing.T) {
	s := terminal.NewStore()
	any := s.Star(s.AnyRune(terminal.JSONString))
	var members []terminal.Expr
	for _, text := range strings.Split("ab cd ef gh", " ") {
		members = append(members, s.Concat(any, s.Text(text, terminal.JSONString), any, s.Literal(`"`)))
	}
	x := s.And(members[0], members[1], s.Not(members[2]), s.Not(members[3]))
	require.False(t, s.IsEmpty(x))
	before := s.Size().Rows
	require.True(t, s.GoesOn(x))
	require.False(t, s.MayBegin(x, terminal.TokenMark))
	require.Equal(t, before, s.Size().Rows)
	require.False(t, s.Alive(x).IsEmpty())
	require.Greater(t, s.Size().Rows, before)
}
