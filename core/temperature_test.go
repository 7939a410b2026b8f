package core_test

import (
	"fmt"
	rand1 "math/rand"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
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

// newHeated draws an element of at most this depth. scope is "t" or "m".
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

// within is an element with a temperature that a reading has entered, or nil.
type within struct {
	t     float64
	depth int
	outer *within
}

// heat is the temperature there, -1 if there is none.
func (w *within) heat() float64 {
	if w == nil {
		return -1
	}
	return w.t
}

// common is the innermost one that two places are in.
func (w *within) common(other *within) *within {
	for w != other {
		if other == nil || w != nil && w.depth >= other.depth {
			w = w.outer
		} else {
			other = other.outer
		}
	}
	return w
}

// reader follows all readings of a text. It reports the temperatures of the readings that want another character behind
// it, and, if '_' is ignored, the temperature of ignored text before that character.
type reader struct {
	text    string
	ignores bool
	report  func(float64)
}

// read reads an element from place at on, and calls next for each complete reading. in contains the element, last
// contained the character before it.
func (r *reader) read(x *heated, at int, in, last *within, next func(at int, last *within)) {
	switch x.is {
	case "s":
		var follow func(i, at int, last *within)
		follow = func(i, at int, last *within) {
			if i == len(x.subs) {
				next(at, last)
				return
			}
			r.read(x.subs[i], at, in, last, func(at int, last *within) { follow(i+1, at, last) })
		}
		follow(0, at, last)
	case "c":
		for _, sub := range x.subs {
			r.read(sub, at, in, last, next)
		}
	case "r":
		next(at, last)
		r.read(x.subs[0], at, in, last, func(at int, last *within) {
			next(at, last)
			r.read(x.subs[0], at, in, last, next)
		})
	case "t":
		inner := &within{t: x.t, outer: in}
		if in != nil {
			inner.depth = in.depth + 1
		}
		r.read(x.subs[0], at, inner, last, next)
	default:
		switch {
		case at == len(r.text):
			r.report(in.heat())
			if r.ignores {
				r.report(in.common(last).heat())
			}
		case r.text[at:at+1] == x.text:
			for at++; at < len(r.text) && r.text[at] == '_'; at++ {
			}
			next(at, in)
		}
	}
}

// Temperatures of random grammars equal the values of all readings, tried one by one, also after rollbacks and in
// forks. Half of the grammars ignore something.
func TestTemperature(t *testing.T) {
	tokens := [][]byte{[]byte("a"), []byte("b"), []byte("_"), []byte("$")}
	v, err := core.NewVocabulary(core.VocabularyConfig{Tokens: tokens, EndTokens: []uint32{3}})
	require.NoError(t, err)
	c := core.NewCompiler(v, core.CompilerConfig{})
	set := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		x := newHeated(r, 4, "t")
		rules := []string{}
		body := x.lark(&rules)
		spec := "start: " + body + "\n" + strings.Join(rules, "\n")
		if seed%2 == 1 {
			spec += "\n%ignore \"_\""
		}
		g, err := c.Compile(core.Lark, []byte(spec), nil)
		require.NoError(t, err, spec)
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		want := func(text string) (most float64) {
			most = -1
			all := reader{text, seed%2 == 1, func(t float64) { most = max(most, t) }}
			all.read(x, 0, nil, nil, func(int, *within) {})
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
				set++
			}
		}
		text := ""
		for range 12 {
			check(m, text)
			if id := r.IntN(3); len(text) < 8 {
				if n, err := m.Accept([]int32{int32(id)}); err == nil && n == 1 {
					text += "ab_"[id : id+1]
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
	require.Greater(t, set, 500)
}

// Temperatures change no mask: random grammars in Lark, with a temperature on each rule.
func TestTemperatureChangesNoMask(t *testing.T) {
	testkit.Alone(t)
	v := loadCaseVocabulary(t)
	c := core.NewCompiler(v.v, core.CompilerConfig{})
	rule := regexp.MustCompile(`(?m)^([a-z_0-9]+):`)
	ignored := 0
	for seed := range int64(300) {
		r := rand1.New(rand1.NewSource(seed))
		x := testkit.RandomConstraint(r, source.Lark, 2)
		options := core.OptionsOfEngine(x.SourceOptions())
		plain, err := c.Compile(core.Lark, []byte(x.Text), &options)
		if err != nil {
			continue
		}
		hot := rule.ReplaceAllString(x.Text, "$1[temperature=0.5]:")
		g, err := c.Compile(core.Lark, []byte(hot), &options)
		if err != nil {
			continue
		}
		if strings.Contains(x.Text, "%ignore") {
			ignored++
		}
		sameMasks(t, r, v.v, plain, g, false, hot)
	}
	require.Greater(t, ignored, 10)
}
