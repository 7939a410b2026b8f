package table_test

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/table"
)

// member is a random language, as a function of the encoding it is spelled in.
type member func(s *terminal.Store, enc terminal.Encoding) terminal.Expr

func randomMember(r *rand.Rand) member {
	classes := [][]rune{{'a', 'c'}, {'b', 'd', '"', '"'}, {0, 0x10FFFF}, {'/', '/', 0x80, 0x7FF}, {0x1F600, 0x1F64F, 'a', 'a'}}
	var parts []member
	for range 1 + r.Intn(3) {
		class, low, more := classes[r.Intn(len(classes))], uint32(r.Intn(3)), uint32(r.Intn(3))
		text, counted := []string{"", "a", "é\n", "\U0001F600"}[r.Intn(4)], r.Intn(2) == 0
		parts = append(parts, func(s *terminal.Store, enc terminal.Encoding) terminal.Expr {
			high := low + more
			if more == 2 {
				high = terminal.Unbounded
			}
			if text == "" && counted {
				return s.Counted(s.Star(s.Runes(class, enc)), enc, low, high)
			}
			return s.Concat(s.Repeat(s.Runes(class, enc), low, high), s.Text(text, enc))
		})
	}
	union := r.Intn(2) == 0
	return func(s *terminal.Store, enc terminal.Encoding) terminal.Expr {
		var xs []terminal.Expr
		for _, p := range parts {
			xs = append(xs, p(s, enc))
		}
		if union {
			return s.Or(xs...)
		}
		return s.Concat(xs...)
	}
}

func of(t *testing.T, members ...member) *table.Table {
	t.Helper()
	s, x, ok := terminal.NewStore(), table.Anything(), false
	for _, m := range members {
		x, ok = x.And(s, m(s, terminal.UTF8), false)
		require.True(t, ok)
	}
	return x
}

// A product of tables matches the texts of the intersection of the expressions, byte by byte, in every spelling. It has
// no state that cannot be completed.
func TestProductsAreIntersections(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	pieces := []string{
		"a", "b", "d", "é", "/", "z", "\n", `"`, `\"`, `\n`, `\/`, `\u0061`, `\u00E9`, `\u00`, `\`, `\ud83d\ude00`, `\uD83D`,
		`\ude00`, `\ud`, `\u2`, "\xc3", "\xf0\x9f", "\U0001F600", "\U0001F601",
	}
	empty, ended := 0, 0
	for round := range 150 {
		x, y, not := randomMember(r), randomMember(r), r.Intn(2) == 0
		u := terminal.NewStore()
		both, ok := of(t, x).And(u, y(u, terminal.UTF8), not)
		require.True(t, ok)
		enc := []terminal.Encoding{
			terminal.UTF8, terminal.JSONString, terminal.UTF8 | terminal.ASCII, terminal.JSONString | terminal.ASCII,
		}[round%4]
		s := terminal.NewStore()
		other := y(s, enc)
		if not {
			other = s.Not(other)
		}
		want, got := s.And(x(s, enc), other), both.Expr(s, enc)
		require.Equal(t, s.IsEmpty(want), got == terminal.Empty)
		if got == terminal.Empty {
			empty++
			continue
		}
		for range 60 {
			w, g := want, got
			for range 8 {
				for _, b := range []byte(pieces[r.Intn(len(pieces))]) {
					w, g = s.Delta(w, b), s.Delta(g, b)
					require.Equal(t, w == terminal.Empty, g == terminal.Empty)
				}
				if g == terminal.Empty {
					break
				}
				require.Equal(t, s.View().Nullable(w), s.View().Nullable(g))
				if s.View().Nullable(g) {
					ended++
				}
			}
		}
	}
	require.Greater(t, empty, 5)
	require.Greater(t, ended, 200)
}

// A counter beside a table allows a character exactly as long as the rest fits.
func TestCountedTables(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	for round := range 100 {
		x, most := randomMember(r), uint32(1+r.Intn(4))
		s := terminal.NewStore()
		any := s.AnyRune(terminal.JSONString)
		want := s.And(x(s, terminal.JSONString), s.Repeat(any, 0, most))
		got := s.Counted(of(t, x).Expr(s, terminal.JSONString), terminal.JSONString, 0, most)
		require.Equal(t, s.IsEmpty(want), got == terminal.Empty)
		if got == terminal.Empty {
			continue
		}
		if round%2 == 0 { // beside another count, which writes both out
			y := randomMember(r)
			other := s.Counted(of(t, y).Expr(s, terminal.JSONString), terminal.JSONString, 0, most+1)
			got = s.Or(got, other)
			want = s.Or(want, s.And(y(s, terminal.JSONString), s.Repeat(any, 0, most+1)))
			require.False(t, counters.Inside(s, got) && other != terminal.Empty)
		}
		for range 40 {
			w, g, c := want, got, counters.Counter(0)
			for range 12 {
				b := []byte("abcdé\U0001F600\\u0061n\"")[r.Intn(18)]
				w = s.Delta(w, b)
				g, c = counters.Step(s, g, c, b)
				require.Equal(t, w == terminal.Empty, g == terminal.Empty)
				if g == terminal.Empty {
					break
				}
				require.Equal(t, s.View().Nullable(w), counters.Accepts(s, g, c))
			}
		}
	}
}

// Equal constructions have equal states. Other data in the stores does not matter.
func TestEqualTablesAreOneMachine(t *testing.T) {
	x := func(s *terminal.Store, enc terminal.Encoding) terminal.Expr { return s.Star(s.AnyRune(enc)) }
	y := func(s *terminal.Store, enc terminal.Encoding) terminal.Expr { return s.Text("é", enc) }
	first, second := of(t, x, y), of(t, x, y)
	s := terminal.NewStore()
	require.Equal(t, first.Expr(s, terminal.UTF8), second.Expr(s, terminal.UTF8))
	require.NotEqual(t, first.Expr(s, terminal.UTF8), second.Expr(s, terminal.JSONString))
}

// Languages of too many states have no table, but their intersection with a small one has.
func TestLargeTablesAreRefused(t *testing.T) {
	s := terminal.NewStore()
	a, b := s.Literal("a"), s.Runes([]rune{'a', 'b'}, terminal.UTF8)
	large := s.Concat(s.Star(b), a, s.Repeat(b, 16, 16))
	_, ok := table.Anything().And(s, large, false)
	require.False(t, ok)
	small, ok := table.Anything().And(s, s.Repeat(a, 20, 20), false)
	require.True(t, ok)
	small, ok = small.And(s, large, false)
	require.True(t, ok)
	require.False(t, small.IsEmpty())
	require.Equal(t, 21, small.States())
}

// A state of a long chain allocates a few small objects. Compilations with many patterns and lengths on one string
// explore half a million states.
func TestAllocationsOfStates(t *testing.T) {
	const states = 400
	s := terminal.NewStore()
	e := s.Concat(s.Text(strings.Repeat("ab", states/2), terminal.UTF8), s.Star(s.AnyRune(terminal.UTF8)))
	explore := func() {
		x, ok := table.Anything().And(s, e, false)
		require.True(t, ok)
		require.GreaterOrEqual(t, x.States(), states)
	}
	explore()
	require.Less(t, testing.AllocsPerRun(5, explore)/states, 5.0)
}
