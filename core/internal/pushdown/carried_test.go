package pushdown_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// carrier follows texts in automata that it keeps, and now and then carries its state over to an empty one, with
// terminals of its own or the same.
type carrier struct {
	r *rand.Rand
	a *pushdown.Automaton
	s pushdown.StateID
}

func (c *carrier) move() {
	p := c.a.Program()
	if c.r.Intn(2) == 0 {
		p = p.Renew(terminal.NewStore())
	}
	to := pushdown.NewAutomaton(p)
	c.a, c.s = to, pushdown.NewMover(c.a, to).Move(c.s)
}

// transition holds the observable properties of one.
type transition struct {
	items, cost, charge, price int
	dead, over, accepts        bool
}

// take returns the state after byte b and the properties of its transition.
func take(a *pushdown.Automaton, s pushdown.StateID, b byte) (to pushdown.StateID, x transition) {
	to = a.Step(s, b)
	x.dead, x.over = to == pushdown.Dead, to == pushdown.Over
	if to > pushdown.Over {
		x.items, x.accepts = len(a.Items(to)), a.Accepts(to)
		x.charge = a.Charge(s, b, to, firstOf[pushdown.Counted]())
		x.cost = a.Cost(s, b, to, firstOf[pushdown.Counted]())
		_, _, x.price = a.StepKnown(s, []byte{b})
	}
	return to, x
}

// firstOf returns a function that reports whether it has not seen x.
func firstOf[T comparable]() func(x T) bool {
	seen := map[T]bool{}
	return func(x T) bool {
		known := seen[x]
		seen[x] = true
		return !known
	}
}

// Transitions and their prices are the same in an empty automaton and after states were carried to a used one.
func TestCarriedStatesCostTheSame(t *testing.T) {
	shapes := []testkit.GrammarShape{
		{Alphabet: "ab", Rules: 3, ExprDepth: 2, Ambiguous: true},
		{Alphabet: "ab", Rules: 4, Nodes: true, Scans: true, Ambiguous: true},
		{Alphabet: "ab", Rules: 3, ExprDepth: 1, Nodes: true, Counted: true, Ambiguous: true},
		{Alphabet: "ab", Rules: 3, ExprDepth: 1, Nodes: true, Spans: true, Ambiguous: true},
	}
	r := testkit.Seeded(t, 14)
	dear := 0
	for _, shape := range shapes {
		bytes := "ab"
		if shape.Spans {
			bytes = "ab()"
		}
		for range testkit.Rounds(100, 20_000) {
			st := terminal.NewStore()
			g := testkit.Grammar(r, st, shape)
			p, err := pushdown.NewProgram(st, g)
			if err != nil {
				continue
			}
			c := carrier{r: r, a: pushdown.NewAutomaton(p)}
			for range 6 {
				c.s = c.a.Start()
				fresh := pushdown.NewAutomaton(p.Renew(terminal.NewStore()))
				s, text := fresh.Start(), ""
				for s > pushdown.Over && len(text) < 12 {
					if r.Intn(3) == 0 {
						c.move()
					}
					var next []byte
					for i := range len(bytes) {
						to, x := take(fresh, s, bytes[i])
						_, y := take(c.a, c.s, bytes[i])
						if x != y {
							require.Failf(t, "another transition", "%q and then %q: fresh %+v, carried %+v in\n%s",
								text, bytes[i], x, y, oracle.DescribeGrammar(st, g))
						}
						if to > pushdown.Over {
							next = append(next, bytes[i])
						}
						if x.charge > 0 {
							dear++
						}
					}
					if len(next) == 0 {
						break
					}
					b := next[r.Intn(len(next))]
					s, c.s, text = fresh.Step(s, b), c.a.Step(c.s, b), text+string(b)
				}
			}
		}
	}
	if testing.Short() {
		require.Greater(t, dear, 500)
	} else {
		require.Greater(t, dear, 3000)
	}
}
