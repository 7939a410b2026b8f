package ending

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// brute returns how few tokens complete the output from state s, by following all tokens from all states that they lead
// to, breadth first. ok is false if these are more than most.
func (f *Finder) brute(s pushdown.StateID, most int) (n int, ok bool) {
	seen := map[pushdown.StateID]bool{s: true}
	now := []pushdown.StateID{s}
	for n := f.end; len(now) > 0; n++ {
		var next []pushdown.StateID
		for _, s := range now {
			if f.a.Accepts(s) {
				return n, true
			}
			for id := range f.lexicon.Count {
				if t := f.after(s, id); t > pushdown.Over && !seen[t] {
					if len(seen) >= most {
						return 0, false
					}
					seen[t], next = true, append(next, t)
				}
			}
		}
		now = next
	}
	return Unknown, true
}

// after returns the state behind token id in state s, as a matcher follows it.
func (f *Finder) after(s pushdown.StateID, id uint32) pushdown.StateID {
	t, name := pushdown.Dead, spelling.Token(id)
	if text := f.lexicon.Text(id, f.masks.TextView()); text != nil && f.usable(id) {
		t = f.a.StepBytes(s, text)
	}
	if n := f.a.StepBytes(s, name[:]); n != pushdown.Dead && t != pushdown.Over {
		if t = f.a.Union(t, n); n == pushdown.Over {
			t = n
		}
	}
	if f.limited {
		t = f.a.Token(t)
	}
	return t
}

// The fewest tokens are the ones that trying all outputs finds, if the search is not given up; and it does so for
// nearly all constraints.
func TestFewestTokensAreThoseOfBruteForce(t *testing.T) {
	rounds := int64(40)
	if testing.Short() {
		rounds = 8
	}
	compared, gaveUp := 0, 0
	for _, wide := range []bool{false, true} {
		v, err := testkit.ConstraintVocabulary(wide)
		require.NoError(t, err)
		comp := compiler.New(v, compiler.Config{})
		for _, kind := range testkit.ConstraintKinds {
			for seed := range rounds {
				c := testkit.RandomConstraint(rand.New(rand.NewSource(seed)), kind, 2)
				g, err := comp.Compile(c.Kind, []byte(c.Text), c.SourceOptions())
				if err != nil {
					continue
				}
				var stops Stops // they do not count as text, even if no other token spells it
				for r := rand.New(rand.NewSource(seed)); len(stops.Text) < int(seed%8); {
					stops.Text = append(stops.Text, uint32(r.Intn(v.Size())))
				}
				f := New(g.Current(), stops)
				s := f.a.Start()
				want, ok := f.brute(s, 300)
				if !ok {
					continue
				}
				compared++
				f.gaveUp = 0
				if got := f.Tokens(s); f.gaveUp > 0 {
					gaveUp++
					assert.GreaterOrEqual(t, got, want, "%v %d %s %s", kind, seed, c.Text, c.Options)
				} else {
					assert.Equal(t, want, got, "%v %d %s %s", kind, seed, c.Text, c.Options)
				}
				for s := range f.searched {
					cost := f.facts[pushdown.FactOf(factSearch, s)].cost
					assert.True(t, 0 < cost && cost <= fewerCost, "a search costs %d", cost)
				}
			}
		}
	}
	t.Logf("%d constraints; for %d the search took too much", compared, gaveUp)
	require.Less(t, gaveUp*20, compared)
	require.True(t, gaveUp > 0 || testing.Short())
}
