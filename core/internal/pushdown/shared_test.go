package pushdown

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Explanations, distances and sizes read the tables of a program while another automaton of it expands rules. The race
// detector fails this test if one of them reads a table that grows.
func TestProgramIsReadWhileItGrows(t *testing.T) {
	const rules = 200
	st := terminal.NewStore()
	lit := func(s string) grammar.Symbol { return grammar.T(st.Literal(s)) }
	object := grammar.Object{
		Open: st.Literal("{"), Close: st.Literal("}"), Comma: st.Literal(","), Quote: st.Literal(`"`),
		Colon: st.Literal(":"), MaxMembers: grammar.Unbounded,
		Keys:       st.Keys([]string{"a"}, terminal.JSONString, st.Literal(`"`)),
		Properties: []grammar.Property{{Value: lit("1"), Required: true}},
	}
	g := grammar.New()
	g.Start = g.NewRule("s")
	for i := range rules {
		lazy := g.NewLazy("inner", func(*terminal.Store) (*grammar.Grammar, error) {
			h := grammar.New()
			h.Start = h.NewRule("o")
			h.Add(h.Start, lit(fmt.Sprint(i)), h.NewObject(object))
			return h, nil
		})
		g.Add(g.Start, lit(fmt.Sprintf("%03d", i)), grammar.N(lazy), lit("."))
	}
	p, err := NewProgram(st, g)
	require.NoError(t, err)
	a, b, c := NewAutomaton(p), NewAutomaton(p), NewAutomaton(p)
	s := a.StepBytes(a.Start(), []byte("000"))
	places, err := PlacesOf(st, g, p.Expanded())
	require.NoError(t, err)
	spots, lacks := a.Spots(s, anyByte(), places), a.Lacks(s, places)
	require.NotEmpty(t, spots)
	require.NotEmpty(t, lacks)
	var all sync.WaitGroup
	all.Go(func() {
		for i := range rules {
			b.StepBytes(b.Start(), fmt.Appendf(nil, "%03d", i))
		}
	})
	all.Go(func() {
		for range 20 {
			if p.Size() < 0 || a.Spots(s, anyByte(), places)[0].Item != spots[0].Item || len(a.Lacks(s, places)) != len(lacks) {
				t.Error("an explanation has changed")
			}
		}
	})
	all.Go(func() {
		var cost int
		if d := NewShortest(c).all(c.Start(), &cost); d.Bytes != uint32(len(`0000{"a":1}.`)) {
			t.Errorf("the shortest output has %d bytes", d.Bytes)
		}
	})
	all.Wait()
}
