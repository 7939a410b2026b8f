package mask

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// vocabulary returns tokens that are frequent in JSON: letters, escapes, punctuation, digits, fragments of UTF-8.
func vocabulary(r *rand.Rand, n int) [][]byte {
	pieces := []string{
		"a", "b", "ab", `"`, `\`, `\n`, `\u00`, "61", "{", "}", "[", "]", ":", ",", " " +
			"", "\n", "0", "1", "23", "-", ".", "e", "null", "true", "name", "é", "\xc3", "\xa9", "😀", "\xf0\x9f",
		"<", "tool", ">", "/",
		`": "`, `", "`, "x",
	}
	tokens := make([][]byte, 0, n)
	for _, p := range pieces {
		tokens = append(tokens, []byte(p))
	}
	for b := 0; b < 256; b++ {
		tokens = append(tokens, []byte{byte(b)})
	}
	for len(tokens) < n {
		var t []byte
		for range 1 + r.Intn(6) {
			t = append(t, pieces[r.Intn(len(pieces))]...)
		}
		tokens = append(tokens, t)
	}
	return tokens
}

func jsonValue(st *terminal.Store, g *grammar.Grammar, str terminal.Expr, extra bool) grammar.RuleID {
	set := func(s string) terminal.Expr {
		var b terminal.ByteSet
		for _, c := range []byte(s) {
			b.Add(c)
		}
		return st.Bytes(b)
	}
	ws := st.Repeat(set(" \n"), 0, 8)
	digit := set("0123456789")
	num := st.Concat(st.Optional(st.Literal("-")), st.Or(st.Literal("0"),
		st.Concat(set("123456789"), st.Repeat(digit, 0, 10))), st.Optional(st.Concat(st.Literal("."),
		st.Repeat(digit, 1, 10))))
	v := g.NewRule("value")
	t := func(e terminal.Expr) grammar.Symbol { return grammar.T(st.Concat(ws, e)) }
	g.Add(v, t(str))
	g.Add(v, t(st.Or(num, st.Literal("null"), st.Literal("true"))))
	g.Add(v, t(st.Literal("[")), t(st.Literal("]")))
	g.Add(v, t(st.Literal("[")), grammar.N(v), g.NewRepeat(0, 3, t(st.Literal(",")), grammar.N(v)), t(st.Literal("]")))
	names := []string{"name", "a", "ab", "nametool", "é"}
	quote := st.Literal(`"`)
	o := grammar.Object{
		Keys: st.Keys(names, terminal.JSONString, quote), Open: st.Concat(ws, st.Literal("{")), Close: st.Concat(ws,
			st.Literal("}")),
		Comma: st.Concat(ws, st.Literal(",")), Quote: st.Concat(ws, quote), Colon: st.Concat(ws,
			st.Literal(":")), MaxMembers: grammar.Unbounded,
	}
	for i := range names {
		o.Properties = append(o.Properties, grammar.Property{Value: grammar.N(v), Required: i == 1})
	}
	if extra {
		body := st.Star(st.AnyRune(terminal.JSONString))
		key := st.And(st.Concat(body, quote), st.Not(st.Concat(st.Texts(names, terminal.JSONString, nil), quote)))
		o.Extra = []grammar.Extra{{Key: key, Value: grammar.N(v)}}
	}
	g.Add(v, g.NewObject(o))
	return v
}

// grammars are worlds in which every short cut of the package is taken.
func grammars(st *terminal.Store) map[string]*grammar.Grammar {
	body := st.Star(st.AnyRune(terminal.JSONString))
	quote := st.Literal(`"`)
	quoted := func(x terminal.Expr) terminal.Expr { return st.Concat(quote, x, quote) }
	ab := st.Runes([]rune{'a', 'b', 'x', 'x'}, terminal.JSONString)
	out := map[string]*grammar.Grammar{}
	json := func(name string, str terminal.Expr, extra bool) {
		g := grammar.New()
		g.Start = jsonValue(st, g, str, extra)
		out[name] = g
	}
	json("any string", quoted(body), true)
	json("counted string", quoted(st.Counted(body, terminal.JSONString, 2, 9)), true)
	json("long counted string", quoted(st.Counted(body, terminal.JSONString, 40, 200)), false)
	json("class run", quoted(st.Counted(st.Star(ab), terminal.JSONString, 1, 30)), false)
	json("pattern with length", quoted(st.Counted(st.Concat(st.Star(ab), st.Text("-", terminal.JSONString),
		st.Star(st.Concat(ab, ab))), terminal.JSONString, 3, 12)), false)
	words := st.Concat(st.Repeat(st.Concat(st.Plus(ab), st.Plus(st.Text(" ", terminal.JSONString))), 0, 60),
		st.Plus(ab))
	json("repeated words", quoted(words), false)
	json("repeated words with length", quoted(st.Counted(words, terminal.JSONString, 0, 90)), false)
	json("search", quoted(st.Or(st.Concat(body, st.Text("ab", terminal.JSONString), body),
		st.Text("name", terminal.JSONString), st.Concat(body, st.Text("x", terminal.JSONString)))), true)
	json("excluded words", quoted(st.And(body, st.Not(st.Texts([]string{"ab", "name", "tool"},
		terminal.JSONString, nil)))), true)
	json("several conditions", quoted(st.And(body, st.Not(st.Texts([]string{"ab", "name"}, terminal.JSONString, nil)),
		st.Not(st.Concat(st.Text("na", terminal.JSONString), st.Plus(ab))),
		st.Not(st.Concat(st.Text("{", terminal.JSONString), body)))), true)
	g := grammar.New()
	g.Start = g.NewRule("text")
	inner := jsonValue(st, g, quoted(body), true)
	scan := st.Scan([]terminal.ScanPattern{{Text: "<tool>", Tag: 1}, {Text: "<x", Tag: 2}}, false)
	g.Add(g.Start, g.NewSwitch(scan, grammar.Case{Tag: terminal.ScanEnd},
		grammar.Case{
			Tag: 1, Then: grammar.Sequence{grammar.N(inner), grammar.T(st.Literal("</tool>")), grammar.N(g.Start)},
		},
		grammar.Case{Tag: 2, Then: grammar.Sequence{grammar.T(spelling.Tokens(st,
			spelling.Singles(3, 260))), grammar.N(g.Start)}}))
	out["tags"] = g
	namedTokens(st, out)
	kills := []terminal.ScanPattern{
		{Text: "</tool>", Tag: 1}, {Text: "x1", Tag: 2, Kill: true}, {Text: "né", Tag: 3, Kill: true},
	}
	for name, text := range map[string]terminal.Expr{
		"Unicode that must end":                 st.Scan(kills, false),
		"text with an end that nothing follows": st.Scan(append(kills, terminal.ScanPattern{Text: "ab", Tag: 4}), true),
	} {
		g := grammar.New()
		g.Start = g.NewRule("text")
		g.Add(g.Start, grammar.T(st.Literal("<")), g.NewSwitch(text, grammar.Case{
			Tag: 1, Then: grammar.Sequence{grammar.T(quoted(body)), grammar.N(g.Start)},
		}))
		g.Add(g.Start)
		out[name] = g
	}
	return out
}

// namedTokens adds worlds in which tokens are named, ends of which lead to many states, to others and to dead ends.
func namedTokens(st *terminal.Store, out map[string]*grammar.Grammar) {
	word := st.Plus(st.Bytes(terminal.BytesOf("abx")))
	for name, joined := range map[string]bool{"tokens in one terminal": true, "tokens in many rules": false} {
		g := grammar.New()
		g.Start = g.NewRule("text")
		var all []terminal.Expr
		for i := range uint32(9) {
			some := spelling.Tokens(st, [][2]uint32{{250 + i, 260 + 3*i}, {5*i + 1, 5*i + 1}, {5000, 5900 + i}})
			others := spelling.TokensBut(st, spelling.Singles(i, 300))
			if joined {
				all = append(all, st.Concat(some, word, others), st.Concat(some, st.Literal("x")))
				continue
			}
			g.Add(g.Start, grammar.T(some), grammar.T(word), grammar.T(others), grammar.N(g.Start))
			g.Add(g.Start, grammar.T(st.Counted(st.Or(some, st.Literal("ab")), terminal.UTF8, 1, 3)), grammar.T(word))
		}
		if joined {
			g.Add(g.Start, grammar.T(st.Or(all...)), grammar.N(g.Start))
		}
		g.Add(g.Start)
		out[name] = g
	}
}

func TestMaskEqualsTryingEveryToken(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	tokens := vocabulary(r, 6000)
	special := []uint32{300, 301, 5000}
	tk := tokenset.NewTokens(tokenset.Config{Bytes: tokens, Special: special, End: []uint32{5999}, Words: (len(tokens) +
		31) / 32})
	for _, warm := range []bool{false, true} {
		st := terminal.NewStore()
		e := NewEngine(tk, st)
		for name, g := range grammars(st) {
			for _, text := range []bool{false, true} {
				t.Run(fmt.Sprint(name, warm, text), func(t *testing.T) {
					p, err := pushdown.NewProgram(st, g)
					require.NoError(t, err)
					m := NewMasks(e, pushdown.NewAutomaton(p), text)
					if warm {
						m.Warm(64, func() {})
					}
					walkRandomly(t, r, m, tokens, text)
				})
			}
		}
	}
}

func walkRandomly(t *testing.T, r *rand.Rand, m *Masks, tokens [][]byte, text bool) {
	row, want := make([]uint32, m.e.Tokens().Words()+2), make([]uint32, m.e.Tokens().Words()+2)
	after := make([]pushdown.StateID, len(tokens))
	for range 12 {
		s, before := m.a.Start(), ""
		for range 60 {
			clear(want)
			var can []int
			for id := range tokens {
				after[id] = pushdown.Dead
				if b := m.e.Tokens().Text(uint32(id), text); b != nil {
					after[id] = m.a.StepBytes(s, b)
				}
				name := spelling.Token(uint32(id))
				after[id] = m.a.Union(after[id], m.a.StepBytes(s, name[:]))
				if after[id] > pushdown.Over {
					want[id>>5] |= 1 << (id & 31)
					can = append(can, id)
				}
			}
			if m.a.Accepts(s) {
				want[5999>>5] |= 1 << (5999 & 31)
			}
			for i := range row {
				row[i] = 0xDEADBEEF
			}
			some, inBudget := m.Fill(s, row, []uint32{5999})
			require.True(t, some && inBudget)
			for i := range row {
				require.Equal(t, want[i], row[i], "after %q, token sets %s: wrongly allowed: %s; wrongly denied: %s", before,
					forms(m, s), differing(row[i]&^want[i], i, tokens), differing(want[i]&^row[i], i, tokens))
			}
			if len(can) == 0 {
				break
			}
			// Prefer what does not end things, so that walks go deep.
			id := can[r.Intn(len(can))]
			s, before = after[id], before+string(tokens[id])
		}
	}
}

// forms returns the forms of the token sets of a state's items, as make dump calls them.
func forms(m *Masks, s pushdown.StateID) (list []string) {
	for _, set := range m.Describe(s) {
		list = append(list, set.How)
	}
	return list
}

func differing(x uint32, word int, tokens [][]byte) string {
	out := ""
	for b := range 32 {
		if x>>b&1 != 0 && word*32+b < len(tokens) {
			out += fmt.Sprintf("%q ", tokens[word*32+b])
		}
	}
	return out
}

func TestTriggersAreWarmed(t *testing.T) {
	st := terminal.NewStore()
	tokens := [][]byte{
		[]byte("<"), []byte("<to"), []byte("to"), []byte("ol"), []byte(">"), []byte("ol>{"), []byte("x"), []byte("{"),
		[]byte("}"),
	}
	e := NewEngine(tokenset.NewTokens(tokenset.Config{Bytes: tokens, Words: 1}), st)
	for text, want := range map[string]string{"<tool>": "<to", "<-": "<", "ol>": "ol", "yx": ""} {
		id, n := e.Longest(text)
		require.Equal(t, len(want), n, text)
		require.True(t, n == 0 || string(tokens[id]) == want, text)
	}
	g := grammar.New()
	g.Start = g.NewRule("text")
	scan := st.Scan([]terminal.ScanPattern{{Text: "<tool>", Tag: 1}, {Text: "y", Tag: 2}}, false)
	g.Add(g.Start, g.NewSwitch(scan, grammar.Case{Tag: terminal.ScanEnd},
		grammar.Case{Tag: 1, Then: grammar.Sequence{grammar.T(st.Literal("{}"))}}, grammar.Case{Tag: 2}))
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	m := NewMasks(e, pushdown.NewAutomaton(p), true)
	m.Warm(64, func() {})
	for _, text := range []string{"<to", "<tool>", "<tool>{", "<tool>{}"} {
		require.True(t, m.Known(m.a.StepBytes(m.a.Start(), []byte(text))), text)
	}
	require.False(t, m.Known(m.a.StepBytes(m.a.Start(), []byte("<t"))), "no token ends there")
}

// A mask beyond the budget of warming may be within the budget of masks.
func TestWarmMasksKeepNoBudgets(t *testing.T) {
	st := terminal.NewStore()
	tokens := [][]byte{[]byte("a"), []byte("ab"), []byte("b"), []byte("ba")}
	e := NewEngine(tokenset.NewTokens(tokenset.Config{Bytes: tokens, Words: 1}), st)
	g := grammar.New()
	g.Start = g.NewRule("texts")
	g.Add(g.Start, grammar.T(st.Star(st.Or(st.Literal("ab"), st.Literal("ba")))))
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	m := NewMasks(e, pushdown.NewAutomaton(p), true)
	s := m.a.Step(m.a.Start(), 'a')
	_, ok := m.recordWithin(s, 1)
	require.False(t, ok)
	require.False(t, m.Known(s))
	cost, ok := m.recordWithin(s, 100_000)
	require.True(t, ok)
	require.Greater(t, cost, 1)
	require.True(t, m.Known(s) && m.WithinBudget(s))
}
