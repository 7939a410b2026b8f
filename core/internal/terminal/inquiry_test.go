package terminal

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

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
		world := func() (*Store, []Expr) {
			r, s := rand.New(rand.NewSource(seed)), NewStore()
			var members []Expr
			for range 3 {
				members = append(members, s.plain(s.And(randomBoolean(r, s, 2), s.Not(randomBoolean(r, s, 2)))))
			}
			return s, append(members, s.Or(members...), s.Concat(members[0], s.Or(members[1:]...)))
		}
		used, same := world()
		r := rand.New(rand.NewSource(seed))
		for range 60 {
			x := Expr(r.Intn(used.Len()))
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
			own, asked, question := s.x.RowParts(fresh[i])
			again, askedAgain, sameQuestion := used.x.RowParts(e)
			require.Equal(t, own, again, "seed %d", seed)
			require.Equal(t, asked, askedAgain, "seed %d", seed)
			require.Equal(t, asked, s.x.QuestionCost(question, all()))
			require.Equal(t, asked, used.x.QuestionCost(sameQuestion, all()))
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
	s := NewStore()
	ab, any := s.Bytes(set("ab")), s.x.AnyText[UTF8]
	has := func(text string) Expr { return s.Concat(any, s.Literal(text), any) }
	end := s.And(has("b"), s.Not(has("cc")), s.Star(s.Bytes(set("bcd"))))
	e := s.Concat(s.Star(ab), s.Literal("b"), s.Repeat(ab, 30, 30), end)
	once, each := 0, 0
	first := all()
	for i := range 60 {
		e = s.Delta(e, "abb"[i%3])
		require.NotEqual(t, TooHard, e)
		s.Alive(e)
		_, asked, question := s.x.RowParts(e)
		each += asked
		once += s.x.QuestionCost(question, first)
	}
	require.Positive(t, once)
	require.Greater(t, each, 4*once)
}
