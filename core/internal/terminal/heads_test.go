package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// An intersection with factored heads matches the texts that all members match.
func TestFactoredIntersectionsMatchWhatTheirMembersDo(t *testing.T) {
	r := rand.New(rand.NewSource(31))
	factored := 0
	for range 1500 {
		s := terminal.NewStore()
		heads := []terminal.Expr{
			s.Bytes(set("a")), s.Bytes(set("ab")), s.Bytes(set("b-")), s.Or(s.Literal("ab"),
				s.Literal("-")), s.Or(s.Literal("a"), s.Literal("ab")),
			s.Concat(s.Bytes(set("ab")), s.Bytes(set("-b"))), s.Star(s.Bytes(set("a"))), s.Optional(s.Bytes(set("a"))),
		}
		head := heads[r.Intn(len(heads))]
		var members []terminal.Expr
		var not []bool
		for range 2 + r.Intn(3) {
			if r.Intn(4) == 0 {
				head = heads[r.Intn(len(heads))]
			}
			x := s.Concat(head, plain(s, randomBoolean(r, s, r.Intn(3))))
			members, not = append(members, x), append(not, r.Intn(3) == 0)
		}
		all := make([]terminal.Expr, len(members))
		for i, x := range members {
			if all[i] = x; not[i] {
				all[i] = s.Not(x)
			}
		}
		e := s.And(all...)
		if inside(s).Node(e).Kind == expr.KConcat {
			factored++
		}
		texts("ab-", 4, func(text string) {
			want := true
			for i, x := range members {
				want = want && accepts(s, x, text) != not[i]
			}
			require.Equal(t, want, accepts(s, e, text), "%q", text)
		})
	}
	require.Greater(t, factored, 200)
}
