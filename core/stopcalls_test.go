package core_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

func stopped(t *testing.T, m *core.Matcher) core.StopState {
	t.Helper()
	s, err := m.Stopped()
	require.NoError(t, err)
	return s
}

func stopsAt(t *testing.T, g *core.Grammar, o core.MatcherOptions, list ...string) *core.Matcher {
	t.Helper()
	m := newMatcher(t, g, o)
	require.NoError(t, m.SetStopStrings(list))
	return m
}

func byteTokens(text string) (ids []int32) {
	for _, b := range []byte(text) {
		ids = append(ids, int32(b))
	}
	return ids
}

// Tokens that could begin reasoning become output once the sequence goes on otherwise, and then stop strings count.
func TestStopStringsBesideReasoning(t *testing.T) {
	c := core.NewCompiler(stopVocabulary(t), core.CompilerConfig{})
	g, err := c.Compile(core.Regex, []byte("[a-z]*"), nil)
	require.NoError(t, err)
	o := core.MatcherOptions{
		KeepOutput: true,
		Reasoning:  &core.Reasoning{Begin: []uint32{'s', 't', 'u'}, End: []uint32{stopSpecial}},
	}
	for _, x := range []struct {
		list   string
		accept string
		held   int
		want   core.StopState
	}{
		{"sta", "sta", 2, core.StopState{Stopped: true, Behind: 3}},
		{"st", "sta", 2, core.StopState{Stopped: true, Behind: 3}},
		{"s", "sta", 2, core.StopState{Stopped: true, Behind: 3}},
		{"t", "sta", 1, core.StopState{Stopped: true, Behind: 2}},
		{"ax", "sta", 0, core.StopState{HeldBack: 1}},
		{"stu", "stustu", 2, core.StopState{}},
	} {
		m := stopsAt(t, g, o, x.list)
		n, err := m.Accept(byteTokens(x.accept[:2]))
		require.NoError(t, err)
		require.Equal(t, 2, n)
		require.Equal(t, core.StopState{HeldBack: x.held}, stopped(t, m), x.list)
		events, err := m.Events(nil, false)
		require.NoError(t, err)
		require.Empty(t, events, x.list) // reasoning may still begin
		n, err = m.Accept(byteTokens(x.accept[2:]))
		require.NoError(t, err)
		require.Equal(t, len(x.accept)-2, n)
		require.Equal(t, x.want, stopped(t, m), x.list)
		if x.list == "stu" { // all of it was reasoning
			_, err = m.Accept(append([]int32{stopSpecial}, byteTokens("stu")...))
			require.NoError(t, err)
			require.Equal(t, core.StopState{Stopped: true, Behind: 3}, stopped(t, m))
			require.Equal(t, "stu", outputOf(t, m))
		}
	}
	m := newMatcher(t, g, o)
	_, err = m.Accept(byteTokens("s"))
	require.NoError(t, err)
	require.NoError(t, m.SetStopStrings([]string{"st", "ta"})) // the s was before
	_, err = m.Accept(byteTokens("ta"))
	require.NoError(t, err)
	require.Equal(t, core.StopState{Stopped: true, Index: 1, Behind: 2}, stopped(t, m))
}

// A matcher that has stopped stays so when it gets other strings, and captures read its text as without stop strings.
func TestStoppedOutputs(t *testing.T) {
	c := core.NewCompiler(stopVocabulary(t), core.CompilerConfig{})
	g, err := c.Compile(core.EBNF, []byte("root ::= b b\nb[capture] ::= \"a\"+ \"x\""), nil)
	require.NoError(t, err)
	m, plain := stopsAt(t, g, core.MatcherOptions{KeepOutput: true}, "xa"), newMatcher(t, g, core.MatcherOptions{})
	for _, x := range []*core.Matcher{m, plain} {
		_, err := x.Accept(byteTokens("aaxa"))
		require.NoError(t, err)
	}
	want, err := plain.Captures()
	require.NoError(t, err)
	got, err := m.Captures()
	require.NoError(t, err)
	require.Len(t, got, 1)
	require.Equal(t, want, got)
	require.True(t, m.State().Stopped)
	least, err := m.MinTokens()
	require.NoError(t, err)
	require.Zero(t, least)
	for _, list := range [][]string{{"q"}, nil} {
		require.NoError(t, m.SetStopStrings(list))
		require.Equal(t, core.StopState{Stopped: true, Behind: 2}, stopped(t, m))
		n, err := m.Accept(byteTokens("a"))
		require.NoError(t, err)
		require.Zero(t, n)
	}
	require.NoError(t, m.Rollback(1))
	n, err := m.Accept(byteTokens("aaax"))
	require.NoError(t, err)
	require.Equal(t, 4, n) // the strings are gone
	require.Equal(t, core.StopState{}, stopped(t, m))
}

// Text and tokens that need no step of the model end with the stop string, and the matcher accepts them.
func TestForcedTextEndsAtStopStrings(t *testing.T) {
	testkit.Alone(t)
	v := cuttingVocabulary(t)
	c := core.NewCompiler(v, core.CompilerConfig{})
	const text = `{"the": "first of the words", "and": ["more", "of the same"]}`
	spec, err := json.Marshal([]string{text})
	require.NoError(t, err)
	g, err := c.Compile(core.Choice, spec, nil)
	require.NoError(t, err)
	all := forced(t, newMatcher(t, g, core.MatcherOptions{}))
	for from := range text {
		for _, n := range []int{1, 3, 9} {
			stop := text[from:min(from+n, len(text))]
			m := stopsAt(t, g, core.MatcherOptions{KeepOutput: true}, stop)
			end := strings.Index(text, stop) + len(stop)
			raw, err := m.ForcedBytes(nil)
			require.NoError(t, err)
			require.Equal(t, text[:end], string(raw), stop)
			x, err := m.ExplainText(nil)
			require.NoError(t, err)
			require.Equal(t, text[:end], string(x.Forced), stop)
			ids := forced(t, m)
			require.Equal(t, all[:len(ids)], ids, stop)
			require.Equal(t, ids, drafts(t, m, len(text)), stop)
			done, err := m.Accept(append(ids, all[len(ids):]...))
			require.NoError(t, err)
			require.Equal(t, len(ids), done, stop)
			s := stopped(t, m)
			require.Equal(t, core.StopState{Stopped: true, Behind: len(outputOf(t, m)) - end + len(stop)}, s, stop)
			require.Empty(t, forced(t, m))
		}
	}
}

// A call that ends early and is made again stops at the same token.
func TestStopStringsInUnfinishedCalls(t *testing.T) {
	testkit.Alone(t)
	const most = 12000
	ids := byteTokens(strings.Repeat("a", most))
	ids[11500] = 'b'
	long := strings.Repeat("a", 3000) + "b" // the call continues within it
	for _, stop := range []string{long, "ba", "zz"} {
		fresh := func() *core.Matcher {
			c := core.NewCompiler(stopVocabulary(t), core.CompilerConfig{})
			g, err := c.Compile(core.Regex, []byte("[ab]{13000}"), nil)
			require.NoError(t, err)
			return stopsAt(t, g, core.MatcherOptions{KeepOutput: true}, stop)
		}
		calls, asked := 0, 0
		finish := func(m *core.Matcher, call func(core.Until) (int, error)) int {
			until := m.Until(func() bool { asked++; return asked%5000 == 0 })
			for ; ; calls++ {
				n, err := call(until)
				if err == nil {
					return n
				}
				require.Equal(t, core.CodeUnfinished, core.AsError(err).Code)
			}
		}
		m, twin := fresh(), fresh()
		want, err := twin.Accept(ids)
		require.NoError(t, err)
		other := fresh()
		require.NoError(t, other.SetStopStrings([]string{"q"}))
		require.Equal(t, want, finish(other, func(u core.Until) (int, error) {
			if calls == 4 { // the calls before have followed the other string
				require.NoError(t, other.SetStopStrings([]string{stop}))
			}
			return u.Validate(ids)
		}))
		require.Greater(t, calls, 3)
		require.Equal(t, want, finish(m, func(u core.Until) (int, error) { return u.Accept(ids) }))
		require.Greater(t, calls, 7)
		for _, back := range []int{0, 1, 2000, 3000} {
			require.NoError(t, m.Rollback(back))
			require.NoError(t, twin.Rollback(back))
			require.Equal(t, stopped(t, twin), stopped(t, m))
		}
	}
}

func TestExplainStopStrings(t *testing.T) {
	c := core.NewCompiler(stopVocabulary(t), core.CompilerConfig{})
	g, err := c.Compile(core.Regex, []byte("[a-z]+"), nil)
	require.NoError(t, err)
	m := stopsAt(t, g, core.MatcherOptions{}, "ab")
	_, err = m.Accept(byteTokens("a"))
	require.NoError(t, err)
	say := func(id int32) string {
		x, err := m.Explain(id)
		require.NoError(t, err)
		n, err := m.Validate([]int32{id})
		require.NoError(t, err)
		require.Equal(t, n == 1, x.Allowed)
		text, err := m.ExplainText([]byte{byte(id)})
		require.NoError(t, err)
		if id < 256 {
			require.Equal(t, x.Allowed, text.Allowed)
			require.Equal(t, x.Ends, text.Ends)
			require.Equal(t, strings.Contains(x.Sentence, "stop"), strings.Contains(text.Sentence, "stop"))
		}
		return x.Sentence
	}
	require.Equal(t, `token 98 ("b") is allowed, and the output stops at the stop string in it`, say('b'))
	require.Equal(t, `token 99 ("c") is allowed`, say('c'))
	_, err = m.Accept(byteTokens("b"))
	require.NoError(t, err)
	require.Equal(t, `token 98 ("b") is not allowed: the output has stopped at a stop string`, say('b'))
	require.Equal(t, `token 259 is ignored: the output has stopped at a stop string`, say(stopEnd))
}
