package mask

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// smallWorld returns masks of a grammar over tokens whose ids begin at 70, so that they are not in the first words of a
// row.
func smallWorld(t *testing.T, tokens []string, build func(st *terminal.Store, g *grammar.Grammar) grammar.Sequence) *Masks {
	texts := make([][]byte, 70, 70+len(tokens))
	for _, x := range tokens {
		texts = append(texts, []byte(x))
	}
	st, g := terminal.NewStore(), grammar.New()
	g.Start = g.NewRule("start")
	g.Add(g.Start, build(st, g)...)
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	tk := tokenset.NewTokens(tokenset.Config{Bytes: texts, Words: (len(texts) + 31) / 32})
	return NewMasks(NewEngine(tk, st), pushdown.NewAutomaton(p), false)
}

// Stop tokens that are text are taken out of a mask, unless the output may end or the grammar names them; the name of a
// mask says so.
func TestStopsThatAreText(t *testing.T) {
	const s, ab = 70, 71
	literal := func(texts ...string) func(*terminal.Store, *grammar.Grammar) grammar.Sequence {
		return func(st *terminal.Store, _ *grammar.Grammar) grammar.Sequence {
			var all []terminal.Expr
			for _, x := range texts {
				all = append(all, st.Literal(x))
			}
			return grammar.Sequence{grammar.T(st.Or(all...))}
		}
	}
	named := func(st *terminal.Store, _ *grammar.Grammar) grammar.Sequence {
		return grammar.Sequence{grammar.T(spelling.Tokens(st, spelling.Singles(s)))}
	}
	stops := Stops{Tokens: []uint32{s}, Text: []uint32{s}}
	for _, x := range []struct {
		name    string
		build   func(*terminal.Store, *grammar.Grammar) grammar.Sequence
		text    string // before the mask
		stops   Stops
		allowed []uint32
		isNamed bool
	}{
		{"text and others", literal("s", "ab"), "", stops, []uint32{ab}, false},
		{"text alone", literal("s"), "", stops, nil, false},
		{"not allowed", literal("ab"), "", stops, []uint32{ab}, true},
		{"named", named, "", stops, []uint32{s}, true},
		{"end", literal("s", "ab"), "ab", stops, []uint32{s}, true},
		{"end without stops", literal("s", "ab"), "ab", Stops{}, nil, true},
		{"no token", literal("z"), "", stops, nil, true},
		{"no stop is text", literal("s", "ab"), "", Stops{Tokens: []uint32{s}}, []uint32{s, ab}, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			m := smallWorld(t, []string{"s", "ab"}, x.build)
			state := m.a.StepBytes(m.a.Start(), []byte(x.text))
			row := []uint32{1, 2, 3}
			some, inBudget := m.FillStops(state, row, x.stops)
			require.True(t, inBudget)
			require.Equal(t, len(x.allowed) > 0, some)
			want := []uint32{1, 2, 3}
			if some {
				want = []uint32{0, 0, 0}
				for _, id := range x.allowed {
					want[id>>5] |= 1 << (id & 31)
				}
			}
			require.Equal(t, want, row)
			name, some, inBudget := m.Name(state, x.stops, false)
			require.True(t, inBudget)
			require.Equal(t, len(x.allowed) > 0, some)
			require.Equal(t, x.isNamed, name != Name{})
			if m.a.Accepts(state) {
				name, some, inBudget = m.Name(state, x.stops, true)
				require.True(t, inBudget)
				require.Equal(t, len(x.allowed) > 0, some)
				require.Equal(t, Name{}, name)
			}
		})
	}
}

// Every token that would make two items of an array equal is denied, with escapes or without.
func TestDistinctStringsOfFewTexts(t *testing.T) {
	tokens := []string{
		"[", `["`, `"`, `",`, `","`, "]", `"]`, ",", `,"`, "a", "b", "ab", `\n`, `a\n`, `\u0061`, `\u0061b`, `\u0061\n`,
		`"ab`, `,"ab`, `,"a\n`, `,"\u0061b`, `,"\u0061`, `,"ab"`, `","ab`, `","\u0061b`, `b"`, `\n"`, "n", `\`, `u0061`,
	}
	m := smallWorld(t, tokens, func(st *terminal.Store, g *grammar.Grammar) grammar.Sequence {
		array, quote := g.NewRule("array"), st.Literal(`"`)
		item := grammar.T(st.Concat(quote, st.Texts([]string{"ab", "a\n"}, terminal.JSONString, nil), quote))
		g.Add(array, grammar.T(st.Literal("[")), item, g.NewRepeat(0, 3, grammar.T(st.Literal(",")), item),
			grammar.T(st.Literal("]")))
		return grammar.Sequence{g.NewBoolean(grammar.Boolean{Left: grammar.N(array), Is: grammar.Distinct})}
	})
	row, denied := make([]uint32, m.e.Tokens().Words()), 0
	for _, text := range []string{
		"", `["ab"`, `["ab",`, `["ab","`, `["ab","a`, `["ab","\u0061`, `["a\n"`, `["a\n",`, `["a\n","`, `["a\n","a`,
		`["\u0061b"`, `["\u0061b","`, `["ab","a\n"`,
	} {
		s := m.a.StepBytes(m.a.Start(), []byte(text))
		require.Greater(t, s, pushdown.Over, text)
		_, inBudget := m.Fill(s, row, nil)
		require.True(t, inBudget)
		for i, token := range tokens {
			id := uint32(70 + i)
			want := m.a.StepBytes(s, []byte(token)) > pushdown.Over
			require.Equal(t, want, row[id>>5]>>(id&31)&1 == 1, "%s after %s", token, text)
			if !want {
				denied++
			}
		}
	}
	require.Greater(t, denied, 100)
}
