package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// all counts every question once.
func all() func(uint32) bool {
	var met expr.Numbers
	return met.Add
}

// What a row asks takes the same for all, whatever has been asked before and in which order.
func TestQuestionsCostTheSameForAll(t *testing.T) {
	dear := 0
	for seed := range int64(400) {
		world := func() (*terminal.Store, []terminal.Expr) {
			r, s := rand.New(rand.NewSource(seed)), terminal.NewStore()
			var members []terminal.Expr
			for range 3 {
				members = append(members, plain(s, s.And(randomBoolean(r, s, 2), s.Not(randomBoolean(r, s, 2)))))
			}
			return s, append(members, s.Or(members...), s.Concat(members[0], s.Or(members[1:]...)))
		}
		used, same := world()
		r := rand.New(rand.NewSource(seed))
		for range 60 {
			x := terminal.Expr(r.Intn(used.Size().Expressions))
			switch r.Intn(3) {
			case 0:
				used.Alive(x)
			case 1:
				used.IsEmpty(x)
			default:
				used.Delta(same[r.Intn(len(same))], "ab-"[r.Intn(3)])
			}
		}
		for i, e := range same {
			s, fresh := world()
			s.Alive(fresh[i])
			used.Alive(e)
			own, asked, question := inside(s).RowParts(fresh[i])
			again, askedAgain, sameQuestion := inside(used).RowParts(e)
			require.Equal(t, own, again, "seed %d", seed)
			require.Equal(t, asked, askedAgain, "seed %d", seed)
			require.Equal(t, asked, inside(s).QuestionCost(question, all()))
			require.Equal(t, asked, inside(used).QuestionCost(sameQuestion, all()))
			if asked > 1000 {
				dear++
			}
		}
	}
	require.Greater(t, dear, 50)
}

// A union that has one more member with every byte asks about each of them in every state. Who is charged for all of
// it pays for each once.
func TestMembersAreAskedAboutOnce(t *testing.T) {
	s := terminal.NewStore()
	ab, any := s.Bytes(set("ab")), inside(s).AnyText[terminal.UTF8]
	has := func(text string) terminal.Expr { return s.Concat(any, s.Literal(text), any) }
	end := s.And(has("b"), s.Not(has("cc")), s.Star(s.Bytes(set("bcd"))))
	e := s.Concat(s.Star(ab), s.Literal("b"), s.Repeat(ab, 30, 30), end)
	once, each := 0, 0
	first := all()
	for i := range 60 {
		e = s.Delta(e, "abb"[i%3])
		require.NotEqual(t, terminal.TooHard, e)
		s.Alive(e)
		_, asked, question := inside(s).RowParts(e)
		each += asked
		once += inside(s).QuestionCost(question, first)
	}
	require.Positive(t, once)
	require.Greater(t, each, 4*once)
}
