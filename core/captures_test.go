package core_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

func captured(t *testing.T, m *core.Matcher) string {
	t.Helper()
	all, err := m.Captures()
	require.NoError(t, err)
	parts := make([]string, len(all))
	for i, c := range all {
		parts[i] = c.Name + "=" + string(c.Text)
	}
	return strings.Join(parts, " ")
}

var smallCompiler = sync.OnceValue(func() *core.Compiler {
	return core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
})

func larkMatcher(t *testing.T, spec string) *core.Matcher {
	t.Helper()
	g, err := smallCompiler().Compile(core.Lark, []byte(spec), nil)
	require.NoError(t, err, spec)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	return m
}

func say(t *testing.T, m *core.Matcher, text string) {
	t.Helper()
	ok, err := m.AcceptBytes([]byte(text))
	require.NoError(t, err)
	require.True(t, ok, text)
}

func TestCapturesFollowTheSequence(t *testing.T) {
	m := larkMatcher(t, "start: (v \",\")+\nv[capture]: /[a-z0-9 ]+/")
	const yes, the, twelve, end = 256, 258, 260, 261
	require.Empty(t, captured(t, m))
	n, err := m.Accept([]int32{yes, ',', the})
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.Equal(t, "v=yes v=the ", captured(t, m))

	f, err := m.Fork()
	require.NoError(t, err)
	require.NoError(t, f.Rollback(1))
	say(t, f, "x1,")
	_, err = f.Accept([]int32{twelve, 'z'})
	require.NoError(t, err)
	require.Equal(t, "v=yes v=x1 v=12z", captured(t, f))
	require.Equal(t, "v=yes v=the ", captured(t, m), "a fork changes nothing for who was forked")

	n, err = m.Accept([]int32{twelve, ',', end, 'x', end})
	require.NoError(t, err)
	require.Equal(t, 5, n, "what comes after the end is ignored")
	require.Equal(t, "v=yes v=the 12", captured(t, m))
	require.NoError(t, m.Rollback(4))
	require.Equal(t, "v=yes v=the 12", captured(t, m))
	require.NoError(t, m.Rollback(3))
	require.Equal(t, "v=yes", captured(t, m))
	say(t, m, "no")
	require.Equal(t, "v=yesno", captured(t, m), "text goes on where a token was")
	require.Equal(t, "v=yes v=x1 v=12z", captured(t, f))
	n, err = f.Accept([]int32{'a', '!'})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, "v=yes v=x1 v=12za", captured(t, f), "a token that is rejected is not said")
	require.NoError(t, m.Reset())
	require.Empty(t, captured(t, m))
}

// A grammar without captures keeps no text and answers nothing.
func TestCapturesOfNothing(t *testing.T) {
	m := larkMatcher(t, "start: x\nx[stop=\"!\"]: /[a-z]*/")
	say(t, m, "ab!")
	require.Empty(t, captured(t, m))
}

// Captures stay within bounds for large outputs of grammars with very many readings or deeply nested rules.
func TestCapturesAreBounded(t *testing.T) {
	ab := strings.Repeat("ab", 2_000)
	for _, c := range []struct{ spec, text, want string }{
		{"start: v start | v\nv[capture]: /a+/", strings.Repeat("a", 10_000), "v=" + strings.Repeat("a", 10_000)},
		{"start: x x\nx[capture]: /a*/", strings.Repeat("a", 5_000), "x=" + strings.Repeat("a", 5_000) + " x="},
		{"start: (x | y)* z\nx[capture]: /[ab]/\ny[capture]: /[ab]{2}/\nz[capture]: \"c\"?", ab, ""},
		{"start: e\ne[capture]: e \"+\" T | T\nT: /[0-9]/", "1" + strings.Repeat("+1", 2_000), ""},
		{"start: \"a\" start [x] | \"a\"\nx[capture]: \"a\"", strings.Repeat("a", 3_000), ""},
	} {
		m := larkMatcher(t, c.spec)
		for piece := range slices.Chunk([]byte(c.text), 500) {
			say(t, m, string(piece))
		}
		all, err := m.Captures()
		if err != nil {
			require.Equal(t, core.CodeLimit, core.AsError(err).Code, "%s: %v", c.spec, err)
			require.Empty(t, c.want, c.spec)
			continue
		}
		require.NotEmpty(t, all)
		if c.want != "" {
			require.Equal(t, c.want, captured(t, m), c.spec)
		}
	}
}

// Captures do not depend on questions that other sequences of the grammar have asked before.
func TestCapturesAreTheSameInEveryOrder(t *testing.T) {
	const spec = "start: (x | y | z)*\nx[capture]: /[ab]+/\ny[capture]: /[bc]+ ?/\nz[capture]: (x | y) \"-\" (x | y)"
	rng := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, 60)
	for i := range texts {
		for range 1 + rng.IntN(12) {
			texts[i] += string("abc -"[rng.IntN(4)])
		}
		texts[i] = strings.Trim(strings.ReplaceAll(texts[i], "--", "-"), "- ")
	}
	answer := func(m *core.Matcher, text string) string {
		require.NoError(t, m.Reset())
		if ok, _ := m.AcceptBytes([]byte(text)); !ok {
			return "rejected"
		}
		return captured(t, m)
	}
	shared := larkMatcher(t, spec)
	for _, i := range rng.Perm(len(texts)) {
		require.Equal(t, answer(larkMatcher(t, spec), texts[i]), answer(shared, texts[i]), texts[i])
	}
}

// A second opinion on captures, by trying every derivation.

// part is an element of a small grammar over the letters a and b.
type part struct {
	kind byte   // 't' text, 'r' rule, 's' sequence, 'o' one of, '?', '*'
	text string // 't'
	rule int    // 'r'
	subs []part
}

type smallGrammar struct {
	bodies   []part
	captured []bool
	tried    int
}

// draw returns a part of rule r. It refers to later rules, and to all rules once a letter has been read.
func (g *smallGrammar) draw(rng *rand.Rand, r, depth int, behind bool) part {
	switch k := rng.IntN(10); {
	case k < 3 || depth == 0:
		return part{kind: 't', text: []string{"a", "b", "ab", "ba"}[rng.IntN(4)]}
	case k < 5 && behind:
		return part{kind: 'r', rule: rng.IntN(len(g.bodies))}
	case k < 5 && r+1 < len(g.bodies):
		return part{kind: 'r', rule: r + 1 + rng.IntN(len(g.bodies)-r-1)}
	case k < 7:
		p := part{kind: 's'}
		for range 2 + rng.IntN(2) {
			p.subs = append(p.subs, g.draw(rng, r, depth-1, behind))
			behind = behind || p.subs[len(p.subs)-1].kind == 't'
		}
		return p
	case k < 9:
		return part{kind: 'o', subs: []part{g.draw(rng, r, depth-1, behind), g.draw(rng, r, depth-1, behind)}}
	}
	loop := part{kind: '?', subs: []part{g.draw(rng, r, depth-1, behind)}}
	if loop.subs[0].kind == 't' {
		loop.kind = '*' // of parts that are never empty
	}
	return loop
}

func (p part) String() string {
	subs := make([]string, len(p.subs))
	for i, sub := range p.subs {
		subs[i] = sub.String()
	}
	switch p.kind {
	case 't':
		return fmt.Sprintf("%q", p.text)
	case 'r':
		return fmt.Sprintf("r%d", p.rule)
	case 's':
		return "(" + strings.Join(subs, " ") + ")"
	case 'o':
		return "(" + strings.Join(subs, " | ") + ")"
	}
	return "(" + subs[0] + ")" + string(p.kind)
}

func (g *smallGrammar) String() string {
	var b strings.Builder
	b.WriteString("start: r0\n")
	for i, body := range g.bodies {
		attribute := ""
		if g.captured[i] {
			attribute = "[capture]"
		}
		fmt.Fprintf(&b, "r%d%s: %s\n", i, attribute, body)
	}
	return b.String()
}

// reading is a derivation of a text up to a place: its marks and letters in order.
type reading struct {
	to    int
	signs []int // 0 begins a capture, 1 is a letter, 2+k ends capture k
}

// read calls then with every reading of p from a place on, up to a bound on their number.
func (g *smallGrammar) read(p part, text string, at int, signs []int, then func(reading)) {
	if g.tried++; g.tried > 100_000 {
		return
	}
	switch p.kind {
	case 't':
		if strings.HasPrefix(text[at:], p.text) {
			for range p.text {
				signs = append(slices.Clone(signs), 1)
			}
			then(reading{at + len(p.text), signs})
		}
	case 'r':
		body := g.bodies[p.rule]
		if !g.captured[p.rule] {
			g.read(body, text, at, signs, then)
			return
		}
		g.read(body, text, at, append(slices.Clone(signs), 0), func(r reading) {
			then(reading{r.to, append(slices.Clone(r.signs), 2+p.rule)})
		})
	case 's':
		if len(p.subs) == 0 {
			then(reading{at, signs})
			return
		}
		g.read(p.subs[0], text, at, signs, func(r reading) {
			g.read(part{kind: 's', subs: p.subs[1:]}, text, r.to, r.signs, then)
		})
	case 'o':
		for _, sub := range p.subs {
			g.read(sub, text, at, signs, then)
		}
	default:
		then(reading{at, signs})
		g.read(p.subs[0], text, at, signs, func(r reading) {
			if p.kind == '*' {
				g.read(p, text, r.to, r.signs, then)
			} else {
				then(r)
			}
		})
	}
}

// captures returns the captures that the signs of a reading describe.
func (g *smallGrammar) captures(text string, signs []int) string {
	var open []int
	var parts []string
	at := 0
	for _, s := range signs {
		switch s {
		case 0:
			open = append(open, at)
		case 1:
			at++
		default:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			parts = append(parts, fmt.Sprintf("r%d=%s", s-2, text[from:at]))
		}
	}
	return strings.Join(parts, " ")
}

// Captures equal those in the first of all readings, in the documented order.
func TestCapturesOfRandomGrammars(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 7))
	compared, several := 0, 0
	for range 300 {
		g := &smallGrammar{bodies: make([]part, 2+rng.IntN(3))}
		for i := range g.bodies {
			g.captured = append(g.captured, rng.IntN(2) == 0)
			g.bodies[i] = g.draw(rng, i, 3, false)
		}
		g.captured[rng.IntN(len(g.captured))] = true
		compiled, err := smallCompiler().Compile(core.Lark, []byte(g.String()), nil)
		if err != nil {
			codes := []core.Code{core.CodeUnsatisfiable, core.CodeUnsupported}
			require.Contains(t, codes, core.AsError(err).Code, "%s\n%v", g, err)
			continue
		}
		m, err := core.NewMatcher(compiled, core.MatcherOptions{})
		require.NoError(t, err)
		for range 30 {
			text := ""
			for range rng.IntN(7) {
				text += string("ab"[rng.IntN(2)])
			}
			g.tried = 0
			var best []int
			n := 0
			g.read(part{kind: 'r'}, text, 0, []int{}, func(r reading) {
				if r.to != len(text) {
					return
				}
				if n++; n == 1 || slices.Compare(r.signs, best) < 0 {
					best = r.signs
				}
			})
			if g.tried > 100_000 {
				continue
			}
			require.NoError(t, m.Reset())
			ok, err := m.AcceptBytes([]byte(text))
			require.NoError(t, err)
			require.Equal(t, n > 0, ok && m.Completed(), "%s\n%q", g, text)
			if n > 0 {
				compared++
				if n > 1 {
					several++
				}
				require.Equal(t, g.captures(text, best), captured(t, m), "%s\n%q", g, text)
			}
		}
	}
	require.Greater(t, compared, 200)
	require.Greater(t, several, 20)
}

// BenchmarkCaptures measures the second request for the captures of 10 KB.
func BenchmarkCaptures(b *testing.B) {
	spec := "start: (w N \",\")*\nw[capture]: /[a-z]+/\nN: /[0-9]+/\n%ignore / +/"
	g, err := smallCompiler().Compile(core.Lark, []byte(spec), nil)
	require.NoError(b, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(b, err)
	text := []byte(strings.Repeat("word 1234 , ", 10_000/12))
	ok, err := m.AcceptBytes(text)
	require.NoError(b, err)
	require.True(b, ok)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := m.Captures(); err != nil {
			b.Fatal(err)
		}
	}
}
