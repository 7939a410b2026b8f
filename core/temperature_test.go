package core_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// heated is a random element of a grammar: a character, or a sequence ("s"), a choice ("c") or a repetition ("r") of
// elements, or an element with a temperature ("t") or a limit of tokens ("m").
type heated struct {
	is   string
	text string
	t    float64
	most int
	subs []*heated
}

// newHeated draws an element that is so deep at most. scope is "t" or "m".
func newHeated(r *rand.Rand, depth int, scope string) *heated {
	x := &heated{is: []string{"", "s", "c", "r", scope, scope}[r.IntN(6)]}
	if depth == 0 {
		x.is = ""
	}
	n := 1
	switch x.is {
	case "":
		x.text = string("ab"[r.IntN(2)])
		return x
	case "s", "c":
		n = 2 + r.IntN(2)
	case "t":
		x.t = float64(r.IntN(5)) / 4
	case "m":
		x.most = 1 + r.IntN(3)
		if r.IntN(3) == 0 { // a body of one character, up to the other
			x.is = "k"
			x.subs = []*heated{newHeated(r, 2, "c").only("a"), {text: "b"}}
			return x
		}
	}
	for range n {
		x.subs = append(x.subs, newHeated(r, depth-1, scope))
	}
	return x
}

// only returns the element with that character everywhere.
func (x *heated) only(text string) *heated {
	if x.is == "" {
		x.text = text
	}
	for _, sub := range x.subs {
		sub.only(text)
	}
	return x
}

// lark writes the element, and the rules that it needs.
func (x *heated) lark(rules *[]string) string {
	var subs []string
	for _, sub := range x.subs {
		subs = append(subs, sub.lark(rules))
	}
	switch x.is {
	case "s":
		return "(" + strings.Join(subs, " ") + ")"
	case "c":
		return "(" + strings.Join(subs, " | ") + ")"
	case "r":
		return "(" + subs[0] + ")~0..2"
	case "t":
		name := fmt.Sprintf("r%d", len(*rules))
		*rules = append(*rules, fmt.Sprintf("%s[temperature=%v]: %s", name, x.t, subs[0]))
		return name
	case "m":
		name := fmt.Sprintf("r%d", len(*rules))
		*rules = append(*rules, fmt.Sprintf("%s[max_tokens=%d]: %s", name, x.most, subs[0]))
		return name
	case "k":
		name := fmt.Sprintf("r%d", len(*rules))
		*rules = append(*rules, fmt.Sprintf("%s[max_tokens=%d, suffix=%s]: %s", name, x.most, subs[1], subs[0]))
		return name
	}
	return `"` + x.text + `"`
}

// read follows all readings of text from place at on, calls next for each that is complete, and reports the temperature
// of those that want another character behind the text.
func (x *heated) read(text string, at int, t float64, report func(float64), next func(at int)) {
	switch x.is {
	case "s":
		var follow func(i, at int)
		follow = func(i, at int) {
			if i == len(x.subs) {
				next(at)
				return
			}
			x.subs[i].read(text, at, t, report, func(at int) { follow(i+1, at) })
		}
		follow(0, at)
	case "c":
		for _, sub := range x.subs {
			sub.read(text, at, t, report, next)
		}
	case "r":
		next(at)
		x.subs[0].read(text, at, t, report, func(at int) {
			next(at)
			x.subs[0].read(text, at, t, report, next)
		})
	case "t":
		x.subs[0].read(text, at, x.t, report, next)
	default:
		switch {
		case at == len(text):
			report(t)
		case text[at:at+1] == x.text:
			next(at + 1)
		}
	}
}

// TestTemperature compares the temperatures of random grammars with those of all readings, one by one, also after
// steps back and in forks.
func TestTemperature(t *testing.T) {
	tokens := [][]byte{[]byte("a"), []byte("b"), []byte("$")}
	v, err := core.NewVocabulary(core.VocabularyConfig{Tokens: tokens, EndTokens: []uint32{2}})
	require.NoError(t, err)
	c := core.NewCompiler(v, core.CompilerConfig{})
	told := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		x := newHeated(r, 4, "t")
		rules := []string{}
		body := x.lark(&rules)
		spec := "start: " + body + "\n" + strings.Join(rules, "\n")
		g, err := c.Compile(core.Lark, []byte(spec), nil)
		require.NoError(t, err, spec)
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		want := func(text string) (most float64) {
			most = -1
			x.read(text, 0, -1, func(t float64) { most = max(most, t) }, func(int) {})
			return most
		}
		check := func(m *core.Matcher, text string) {
			got, ok, err := m.Temperature()
			require.NoError(t, err)
			if !ok {
				got = -1
			}
			require.Equal(t, want(text), got, "seed %d, behind %q of\n%s", seed, text, spec)
			if ok {
				told++
			}
		}
		text := ""
		for range 12 {
			check(m, text)
			if id := r.IntN(2); len(text) < 8 {
				if n, err := m.Accept([]int32{int32(id)}); err == nil && n == 1 {
					text += "ab"[id : id+1]
					continue
				}
			}
			f, err := m.Fork()
			require.NoError(t, err)
			back := r.IntN(len(text) + 1)
			require.NoError(t, m.Rollback(back))
			check(f, text)
			text = text[:len(text)-back]
		}
	}
	require.Greater(t, told, 500)
}
