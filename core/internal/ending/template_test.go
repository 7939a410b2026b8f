package ending

import (
	"math/bits"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// endsOf returns the tokens to the end behind each token of the vocabulary, by classes; 0 for a token of no class.
func (f *Finder) endsOf(t *testing.T, p *Profile) []int {
	ends := make([]int, f.lexicon.Tokens.Words()*32)
	set := func(id uint32, n int) {
		if ends[id] != 0 {
			require.Fail(t, "a token of two classes", "%d", id)
		}
		ends[id] = n
	}
	for i := range p.classes {
		c := &p.classes[i]
		n := f.Tokens(c.state)
		for _, id := range c.ids {
			set(id, n)
		}
		for w, word := range c.bits {
			for ; word != 0; word &= word - 1 {
				set(uint32(w*32+bits.TrailingZeros32(word)), n)
			}
		}
	}
	return ends
}

// Classes of a template and of a walk have the same tokens to the end for each token of a mask.
func TestTemplatesAreWalks(t *testing.T) {
	comp := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	r := testkit.Seeded(t, 5)
	constraints := []testkit.Constraint{
		{Kind: source.JSONSchema, Text: `{"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}, "required": ["a"]}`},
		{Kind: source.JSONSchema, Text: `{"type": "string", "minLength": 3, "maxLength": 30}`},
		{Kind: source.JSONSchema, Text: `{"type": "string", "minLength": 7, "maxLength": 900}`},
		{Kind: source.JSONSchema, Text: `{"type": "string", "minLength": 8}`},
		{Kind: source.Regex, Text: `[^;]{5,};([^!]{9,}!)*`},
		{Kind: source.JSONSchema, Text: `{"type": "array", "items": {"type": "string", "pattern": "^x.*y$", "minLength": 6}}`},
		{Kind: source.Regex, Text: `"([^"\\]|\\["nu]){2,7}";(a{3,5}b|[0-9]{2,90})*`},
		{Kind: source.Regex, Text: `(\w{2,4}-[^"]{3,8})+!`},
		{Kind: source.EBNF, Text: `root ::= "<" [^<]{0,12} ">" root? | [é-ü]{2,5} "."`},
		{Kind: source.Regex, Text: `[^)]{4,70}\);x`},
		{Kind: source.EBNF, Text: "root ::= [a-z]{4,70} rest\nrest ::= [A-Z.] root | \"!\""},
	}
	for _, kind := range testkit.ConstraintKinds {
		for range testkit.Rounds(4, 60) {
			constraints = append(constraints, testkit.RandomConstraint(r, kind, 2))
		}
	}
	states, shared := 0, 0
	for _, c := range constraints {
		g, err := comp.Compile(c.Kind, []byte(c.Text), c.SourceOptions())
		if err != nil {
			continue
		}
		f := New(g.Current(), Stops{})
		seen := map[pushdown.StateID]bool{}
		for range 3 {
			s := f.a.Start()
			for range 12 {
				if s <= pushdown.Over || !f.a.Steps(s) {
					break
				}
				if !seen[s] {
					seen[s] = true
					states++
					shared += f.compareTemplate(t, s, c.Text)
				}
				s = f.randomStep(r, s)
			}
		}
	}
	t.Logf("%d of %d states by templates", shared, states)
	require.Greater(t, shared, 40)
}

func (f *Finder) randomStep(r *rand.Rand, s pushdown.StateID) pushdown.StateID {
	alive := f.a.Alive(s)
	var bytes []byte
	for b := alive.Next(0); b < 255; b = alive.Next(b + 1) {
		bytes = append(bytes, byte(b))
	}
	if len(bytes) == 0 {
		return pushdown.Dead
	}
	return f.a.Step(s, bytes[r.Intn(len(bytes))])
}

// compareTemplate compares both ways to make the classes of state s, and returns 1 if there is a template.
func (f *Finder) compareTemplate(t *testing.T, s pushdown.StateID, where string) int {
	var byTemplate, byWalk Profile
	found := false
	ok := f.ask(0, func() {
		if _, found = f.fromTemplate(s, &byTemplate); found {
			f.sort(f.walkOf(s), &byWalk)
		}
	})
	if !ok || !found {
		return 0
	}
	words := f.lexicon.Tokens.Words()
	row := make([]uint32, words)
	if _, within := f.masks.Fill(s, row, nil); !within {
		return 0
	}
	got, want := f.endsOf(t, &byTemplate), f.endsOf(t, &byWalk)
	for id := range f.lexicon.Count {
		if row[id>>5]>>(id&31)&1 != 0 && f.usable(id) && want[id] != got[id] {
			require.Equal(t, want[id], got[id], "%s: token %d %q", where, id, f.lexicon.trie.Bytes[id])
		}
	}
	return 1
}

// A question pays for the transitions that its template makes, in a pattern of which almost each token leads to another
// state.
func TestTemplatesPayForTransitions(t *testing.T) {
	comp := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	for _, pattern := range []string{`.*[aeionrtls ].{25}b`, `(.*[a-l].{20}b){9}`} {
		g, err := comp.Compile(source.Regex, []byte(pattern), &source.Options{})
		require.NoError(t, err)
		f := New(g.Current(), Stops{})
		st := f.masks.Engine().Store()
		s := f.a.StepBytes(f.a.Start(), []byte("some text without one"))
		row, before := limits.PartCost*prices.Row(st, f.a.Items(s)[0].Terminal), st.Size().Rows
		require.False(t, f.profileOf(s).whole, pattern)
		made := row * (st.Size().Rows - before)
		require.Greater(t, made, st.Budgets().Ending/2, pattern)
		require.Less(t, made, st.Budgets().Ending*3/2, pattern)
	}
}

// All templates of a vocabulary together cost no more than templatesKept, so that they take bounded memory.
func TestTemplatesAreDropped(t *testing.T) {
	var all templates
	for i := range 20 {
		key, cost := templateKey{counter: counters.Counter(i)}, templatesKept/4-i
		all.keep(key, &template{cost: cost})
		require.Equal(t, cost, all.found[key].cost)
		require.LessOrEqual(t, len(all.found), 4)
	}
}
