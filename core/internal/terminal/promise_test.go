package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// randomPromises returns an intersection of a body that ends in a loop and of what is asked of its strings.
func randomPromises(r *rand.Rand, s *terminal.Store, enc terminal.Encoding) terminal.Expr {
	class := func(set string) terminal.Expr {
		var pairs []rune
		for _, c := range set {
			pairs = append(pairs, c, c)
		}
		return s.Runes(pairs, enc)
	}
	pick := func(list ...string) string { return list[r.Intn(len(list))] }
	word := func() terminal.Expr {
		var parts []terminal.Expr
		for range 1 + r.Intn(3) {
			switch x := class(pick("a", "b", "1", "ab", "b1", "a1", "é")); r.Intn(5) {
			case 0:
				parts = append(parts, s.Repeat(x, uint32(r.Intn(2)), 2))
			case 1:
				parts = append(parts, s.Text(pick("ab", "b1", "1"), enc))
			default:
				parts = append(parts, x)
			}
		}
		return s.Concat(parts...)
	}
	any, some := s.Star(s.AnyRune(enc)), s.Star(class("ab1"))
	body := []terminal.Expr{
		s.Plus(s.Concat(class("ab"), class("1"))), some, any, s.Concat(class("b"), s.Star(class("ab"))),
		s.Concat(s.Optional(class("a")), s.Star(s.Concat(class("a"), class("b1"), class("ab")))),
		s.Star(class("ab1é")),
	}[r.Intn(6)]
	all := []terminal.Expr{body}
	for range 1 + r.Intn(4) {
		before, after := any, any
		if r.Intn(3) == 0 {
			before = some
		}
		if r.Intn(3) == 0 {
			after = some
		}
		asked := s.Concat(before, word(), after)
		switch r.Intn(9) {
		case 0:
			asked = s.Concat(before, word())
		case 1:
			asked = s.Or(s.Concat(word(), after), asked)
		case 2:
			asked = s.Not(s.Concat(s.AnyRune(enc), s.Optional(s.AnyRune(enc))))
		case 3:
			asked = s.Not(s.Concat(word(), after))
		case 4:
			asked = s.Not(s.And(any, s.Not(asked), s.Not(s.Concat(any, word(), any))))
		case 5:
			asked = s.And(asked, s.Concat(before, word(), after))
		}
		all = append(all, asked)
	}
	return s.And(all...)
}

// The lemma of promises claims strings only where there are some, of the lengths that it names, in every state on the
// way; and searches that it ends come to the verdict of those that it does not.
func TestPromisesAreKept(t *testing.T) {
	r := rand.New(rand.NewSource(41))
	claimed, rooms, none := 0, 0, 0
	for range 600 {
		enc := terminal.Encoding(r.Intn(4))
		s := terminal.NewStore()
		x := randomPromises(r, s, enc)
		for _, b := range []byte("ab1ab1"[r.Intn(3):]) {
			if inside(s).Node(x).Flags&expr.FBoolean == 0 {
				break
			}
			q := expr.Inquiry{S: inside(s).Store}
			found := inside(s).SearchFor(x, &q, inside(s).Budgets.Search, func(at terminal.Expr, _ uint32) bool {
				q.Own = 0 // it has no end but the answer
				return inside(s).Maybe(at)
			})
			require.NotEqual(t, expr.GivenUp, found)
			_, some := inside(s).Promises(x, enc, &expr.Inquiry{S: inside(s).Store})
			if some {
				claimed++
				require.Equal(t, expr.Something, found)
			}
			if found == expr.Nothing {
				none++
			}
			require.Equal(t, found, inside(s).Emptiness(x))
			if room := inside(s).RoomOf(x, analysis.PhaseBetween, enc); room.Step > 0 {
				whole := inside(s).Spectrum(x, analysis.PhaseBetween, enc)
				if !whole.TooHard {
					rooms++
				}
				for from := room.Enough; from < room.Enough+20 && !whole.TooHard; from++ {
					bd := expr.Bounds{Min: from, Max: from + room.Step - 1, Enc: enc}
					require.True(t, whole.Allows(0, bd), "%d to %d code points", from, bd.Max)
					require.True(t, room.Fits(0, bd))
				}
			}
			x = inside(s).Delta(x, b)
		}
	}
	require.Greater(t, claimed, 300)
	require.Greater(t, rooms, 300)
	require.Greater(t, none, 50)
}

// Whether there is a shortest length or one that stands for it does not depend on what was searched for before.
func TestLooseLengthsAreFactsOfTheState(t *testing.T) {
	words := []string{"foo", "bar", "baz", "qux", "quux", "corge", "grault", "garply"}
	build := func(s *terminal.Store) terminal.Expr {
		any, all := s.Star(s.AnyRune(terminal.UTF8)), []terminal.Expr{}
		for _, w := range words {
			all = append(all, s.Concat(any, s.Literal(w), any))
		}
		return s.And(all...)
	}
	text := "fobarquxx"
	fresh := func(n int) counters.Shortest {
		s := terminal.NewStore()
		x := s.Counted(build(s), terminal.UTF8, 0, 90)
		for _, b := range []byte(text[:n]) {
			x = s.Delta(x, b)
		}
		least, _ := counters.Least(s, x, 0)
		return least
	}
	s := terminal.NewStore()
	x := s.Counted(build(s), terminal.UTF8, 0, 90)
	var states []terminal.Expr
	for _, b := range []byte(text) {
		states = append(states, x)
		x = s.Delta(x, b)
	}
	loose := 0
	for _, n := range []int{8, 3, 5, 0, 1, 7} {
		// a long search, or one that is given up
		inside(s).Shortest(terminal.Expr(inside(s).CountHead(states[n]).A), analysis.PhaseBetween, terminal.UTF8)
		got, _ := counters.Least(s, states[n], 0)
		require.Equal(t, fresh(n), got, "after %q", text[:n])
		if got.Loose {
			loose++
			require.True(t, got.Known)
			require.LessOrEqual(t, got.N, uint32(40))
		}
	}
	require.Positive(t, loose)
}

// A counted string in quotes, intersected with others or without them, is what it is with its count written out.
func TestQuotedStringsKeepTheirCount(t *testing.T) {
	r := rand.New(rand.NewSource(43))
	kept := 0
	for range 200 {
		s := terminal.NewStore()
		quote := s.Literal(`"`)
		letters := func() terminal.Expr {
			return s.Star(s.Runes([]rune{rune('a' + r.Intn(2)), 'b'},
				terminal.JSONString))
		}
		text := func() terminal.Expr {
			switch r.Intn(4) {
			case 0:
				return s.Text([]string{"", "a", "ab", "bb"}[r.Intn(4)], terminal.JSONString)
			case 1:
				return s.Concat(letters(), s.Text("a", terminal.JSONString), letters())
			case 2:
				return s.Or(s.Text("ab", terminal.JSONString), s.Concat(s.Text("b", terminal.JSONString), letters()))
			}
			return letters()
		}
		low := uint32(r.Intn(3))
		counted := s.Concat(quote, s.Counted(letters(), terminal.JSONString, low, low+uint32(r.Intn(3))), quote)
		xs := []terminal.Expr{counted}
		for range 1 + r.Intn(2) {
			y := s.Concat(quote, text(), quote)
			if r.Intn(2) == 0 {
				y = s.Or(y, s.Literal("null"), s.Concat(quote, text(), quote))
			}
			if r.Intn(2) == 0 {
				y = s.Not(y)
			}
			xs = append(xs, y)
		}
		x := s.And(xs...)
		if inside(s).Node(x).Flags&expr.FCount != 0 {
			kept++
		}
		plain := inside(s).And(plainAll(s, xs)...)
		texts(`ab"\`, 5, func(text string) {
			require.Equal(t, counters.Match(s, plain, []byte(text)), counters.Match(s, x, []byte(text)), "%q", text)
		})
	}
	require.Greater(t, kept, 50)
}

// What the transitions of a state ask is little more than they may, however much the lemma would have to decide.
func TestPromisesTakeLessThanSearches(t *testing.T) {
	s := terminal.NewStore()
	e, err := regex.Lower(s, regex.MustParse(`(?=.*ba)(<]]*b)](b|([a-}]{0,}ab|\w{89})+)`), regex.Mode{})
	require.NoError(t, err)
	for _, b := range []byte("<]]") {
		e = s.Delta(e, b)
		_, asked, _ := prices.RowParts(s, e)
		require.Positive(t, asked)
		require.Less(t, asked, 2*s.Budgets().Search)
	}
}
