package pushdown

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// anyByte returns the set of all bytes.
func anyByte() (set terminal.ByteSet) {
	set.AddRange(0, 0xFF)
	return set
}

// sharing returns n objects with undeclared keys of one value, which so share the position behind their keys, each
// behind a number of three digits.
func sharing(st *terminal.Store, n int) *grammar.Grammar {
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	g := grammar.New()
	g.Start = g.NewRule("s")
	key := st.Star(st.AnyRune(terminal.JSONString))
	for i := range n {
		name := fmt.Sprintf("a_rather_long_name_of_property_%d", i)
		o := g.NewRule(fmt.Sprint(i))
		g.Add(o, g.NewObject(grammar.Object{
			Open: st.Literal("{"), Close: st.Literal("}"), Comma: st.Literal(","), Quote: st.Literal(`"`),
			Colon: st.Literal(":"), MaxMembers: grammar.Unbounded,
			Keys:       st.Keys([]string{name}, terminal.JSONString, st.Literal(`"`)),
			Properties: []grammar.Property{{Value: lit("1"), Name: name}},
			Extra: []grammar.Extra{{
				Key:   st.Concat(st.And(key, st.Not(st.Texts([]string{name}, terminal.JSONString, nil))), st.Literal(`"`)),
				Value: lit("2"),
			}},
		}))
		g.Add(g.Start, lit(fmt.Sprintf("%03d", i)), grammar.N(o))
	}
	return g
}

// Within a key, all spots belong to the object that the output is in. Finding them costs the same if many more objects
// share the position behind the key. It takes no lock, so that other sequences go on meanwhile.
func TestSpotsOfOneOfManyObjects(t *testing.T) {
	var steps []int
	for _, n := range []int{2, 100} {
		st := terminal.NewStore()
		g := sharing(st, n)
		x, err := PlacesOf(st, g, nil)
		require.NoError(t, err)
		a := automaton(t, st, g)
		s := a.StepBytes(a.Start(), []byte(`001{"a_rather_long_name_of`))
		require.Greater(t, s, Over)
		made := st.Made()
		a.mu.Lock()
		a.p.mu.Lock()
		spots, lacks := a.Spots(s, anyByte(), x), a.Lacks(s, x)
		a.p.mu.Unlock()
		a.mu.Unlock()
		require.Len(t, lacks, 1, "the bracket")
		roles := map[Role]int{}
		for _, spot := range spots {
			roles[spot.Role]++
			require.Equal(t, x.rules[spot.Place.rule], spot.Place)
			for _, key := range spot.Keys {
				require.Equal(t, "a_rather_long_name_of_property_1", key.Name)
			}
		}
		require.Equal(t, map[Role]int{Declared: 1, Other: 1}, roles)
		require.Less(t, st.Made()-made, 40)
		w := a.search(x)
		w.next = anyByte()
		for _, it := range a.Items(s) {
			w.item(it, false)
		}
		steps = append(steps, limits.ExplainSteps-w.left)
	}
	require.Equal(t, steps[0], steps[1])
}

// Beyond the bound of work there are neither spots nor lacks.
func TestSpotsAreBounded(t *testing.T) {
	for _, n := range []int{3, 400} {
		st := terminal.NewStore()
		g := grammar.New()
		g.Start = g.NewRule("s")
		key := st.Star(st.AnyRune(terminal.JSONString))
		for i := range n {
			name := fmt.Sprintf("a_rather_long_name_of_property_%d", i)
			e := st.Concat(st.And(key, st.Not(st.Texts([]string{name}, terminal.JSONString, nil))), st.Literal(`"`))
			g.Add(g.Start, grammar.T(st.Literal(fmt.Sprintf("%03d", i))), grammar.T(e), grammar.T(st.Literal(".")))
		}
		x, err := PlacesOf(st, g, nil)
		require.NoError(t, err)
		a := automaton(t, st, g)
		s := a.StepBytes(a.Start(), []byte(`001a_rather_long_name_of_property_1`))
		made := st.Made()
		require.Equal(t, n > 3, len(a.Spots(s, anyByte(), x)) == 0)
		require.Equal(t, n > 3, len(a.Lacks(s, x)) == 0)
		require.Less(t, st.Made()-made, 16_000)
	}
}
