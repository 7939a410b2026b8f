package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
	"github.com/stretchr/testify/require"
)

// A search that has found its text equals its rest after any text.
func TestSearchesEndWithWhatTheyFind(t *testing.T) {
	s := terminal.NewStore()
	anyText, quote := s.Star(s.AnyRune(terminal.JSONString)), s.Literal(`"`)
	for _, found := range []terminal.Expr{s.Text("x", terminal.JSONString), s.Text("found",
		terminal.JSONString), s.Repeat(s.Bytes(set("0123456789")), 3, 5)} {
		e := s.Concat(anyText, found, anyText, quote)
		for _, text := range []string{"x", "a found b", "12345", "1\\n234 567"} {
			y := e
			for i := range len(text) {
				y = s.Delta(y, text[i])
			}
			require.Equal(t, counters.Match(s, s.Concat(anyText, found, anyText), []byte(text)),
				y == s.Concat(anyText, quote),
				text)
		}
	}
}

// A union whose members extend each other matches the texts of its members.
func TestExtendedMembers(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	dropped := 0
	for range 1000 {
		s := terminal.NewStore()
		bodies := []terminal.Expr{s.Bytes(set("a")), s.Bytes(set("ab")), s.Bytes(set("ab-")), s.Literal("ab")}
		body := func() terminal.Expr { return bodies[r.Intn(len(bodies))] }
		rest := s.Concat(s.Bytes(set("-b")), s.Optional(body()))
		var members []terminal.Expr
		for range 2 + r.Intn(3) {
			var parts []terminal.Expr
			for range r.Intn(4) {
				if x := body(); r.Intn(2) == 0 {
					parts = append(parts, s.Star(x))
				} else {
					parts = append(parts, x)
				}
			}
			members = append(members, s.Concat(append(parts, rest)...))
		}
		union := s.Or(members...)
		if n := inspect.Of(s, union); n.Op != inspect.OpOr || len(n.Args) < len(members) {
			dropped++
		}
		texts("ab-", 6, func(text string) {
			some := false
			for _, x := range members {
				some = some || accepts(s, x, text)
			}
			require.Equal(t, some, accepts(s, union, text), "%q", text)
		})
	}
	require.Greater(t, dropped, 100)
}
