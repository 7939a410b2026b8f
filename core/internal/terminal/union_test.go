package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
)

// randomRepeats returns a sequence of bounded repetitions of overlapping bodies, the kind of which one may contain
// another.
func randomRepeats(r *rand.Rand, s *terminal.Store) terminal.Expr {
	bodies := []terminal.Expr{s.Literal("a"), s.Literal("b"), s.Or(s.Literal("a"), s.Literal("b")), s.Literal("ab")}
	var parts []terminal.Expr
	for range 1 + r.Intn(3) {
		low := uint32(r.Intn(3))
		high := low + uint32(r.Intn(4))
		if r.Intn(4) == 0 {
			high = terminal.Unbounded
		}
		parts = append(parts, s.Repeat(bodies[r.Intn(len(bodies))], low, high))
		if r.Intn(3) == 0 {
			parts = append(parts, s.Literal("-"))
		}
	}
	return s.Concat(parts...)
}

func accepts(s *terminal.Store, e terminal.Expr, text string) bool {
	for i := range len(text) {
		e = s.Delta(e, text[i])
	}
	return counters.Accepts(s, e, 0)
}

// texts calls f with every text over the alphabet up to a length.
func texts(alphabet string, length int, f func(text string)) {
	var visit func(text string)
	visit = func(text string) {
		f(text)
		if len(text) < length {
			for i := range len(alphabet) {
				visit(text + alphabet[i:i+1])
			}
		}
	}
	visit("")
}

// A union matches the texts of its members, also of members that were dropped as contained. Its intersection with the
// complement of a member matches no text of that member.
func TestUnionsKeepWhatTheirMembersMatch(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 400 {
		s := terminal.NewStore()
		members := make([]terminal.Expr, 2+r.Intn(4))
		for i := range members {
			members[i] = randomRepeats(r, s)
			if r.Intn(3) == 0 {
				members[i] = s.And(s.Star(s.Bytes(set("ab-"))), s.Not(members[i]))
			}
		}
		union := s.Or(members...)
		without := s.And(union, s.Not(members[0]))
		texts("ab-", 6, func(text string) {
			some := false
			for _, x := range members {
				some = some || accepts(s, x, text)
			}
			require.Equal(t, some, accepts(s, union, text), "%q", text)
			require.Equal(t, some && !accepts(s, members[0], text), accepts(s, without, text), "%q without the first",
				text)
		})
	}
}

// A search for a number of characters of one class has a state for each number found, not one for each set of numbers:
// what still needs more of them, and then anything, is part of what needs fewer.
func TestSearchesForRepetitionsKeepTheirBest(t *testing.T) {
	const repeats = 40
	s := terminal.NewStore()
	anyText := s.Star(s.Bytes(set("ab-")))
	letter := s.Bytes(set("ab"))
	e := s.Concat(anyText, s.Repeat(letter, repeats, repeats), anyText, s.Literal("."))
	for i := range repeats {
		n := inspect.Of(s, e)
		if i == 0 {
			require.Equal(t, inspect.OpConcat, n.Op)
		} else {
			require.Equal(t, inspect.OpOr, n.Op)
			require.Len(t, n.Args, 2, "after %d letters", i)
		}
		require.False(t, accepts(s, e, "."))
		e = s.Delta(e, "ab"[i%2])
	}
	require.Equal(t, s.Concat(anyText, s.Literal(".")), e)
}
