package core_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/events/value"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// The texts of testdata/families that are accepted have events: calls with their tools' arguments, an answer with its
// schema's value, and nothing is left open.
func TestEventsOfFamilies(t *testing.T) {
	testkit.Alone(t)
	calls, answers := 0, 0
	for _, c := range loadFamilyCases(t) {
		var tokens []string
		for _, f := range core.Families() {
			if f.Name == c.Family {
				tokens = f.Tokens
			}
		}
		v := familyVocabulary(t, tokens, true)
		compiler := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
		for _, x := range c.Cases {
			g, err := compiler.Compile(core.Request, merged(t, x.Request), &core.Options{Family: c.Family, Reasoning: x.Reasoning})
			require.NoError(t, err)
			for _, text := range x.Accept {
				m, err := core.NewMatcher(g, core.MatcherOptions{KeepOutput: true})
				require.NoError(t, err)
				var list []core.Event
				for _, id := range encode(v, tokens, text) {
					_, err := m.Accept([]int32{id})
					require.NoError(t, err)
					list, err = m.Events(list, false)
					require.NoError(t, err, "%s %s: %s", c.Family, x.Name, text)
				}
				list, err = m.Events(list, true)
				require.NoError(t, err)
				written, open := map[int]string{}, 0
				for _, e := range list {
					require.NotEqual(t, core.RewindEvent, e.Kind)
					written[e.Call] += e.JSON
					if e.Begins {
						open++
					}
					if e.Ends {
						open--
					}
					if e.Kind == core.CallEvent && e.Ends {
						calls++
						if written[e.Call] != "" {
							var arguments map[string]any
							require.NoError(t, json.Unmarshal([]byte(written[e.Call]), &arguments))
							require.False(t, e.Text == "f" && arguments["q"] == nil, text)
						}
					}
				}
				require.Zero(t, open, "%s %s: %s", c.Family, x.Name, text)
				if answer := written[-1]; answer != "" {
					answers++
					require.Contains(t, strings.ReplaceAll(text, " ", ""), answer)
				}
			}
		}
	}
	require.Greater(t, calls, 300)
	require.Greater(t, answers, 20)
}

// The numbers of kinds are also these of package value, and of sluice.h.
func TestKindsOfEvents(t *testing.T) {
	require.Equal(t, core.EventKind(value.Object), core.ObjectEvent)
	require.Equal(t, core.EventKind(value.Null), core.NullEvent)
	require.Equal(t, core.EventKind(value.Text), core.TextEvent)
	require.Equal(t, core.EventKind(value.Rewind), core.RewindEvent)
}

// Reasoning of the matcher is no part of the events, and a rollback into it starts them again.
func TestEventsAfterReasoning(t *testing.T) {
	v := familyVocabulary(t, []string{"</think>"}, true)
	end, _ := v.TokenID("</think>")
	c := core.NewCompiler(v, core.CompilerConfig{})
	g, err := c.Compile(core.AnyJSON, nil, nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{KeepOutput: true, Reasoning: &core.Reasoning{End: []uint32{end}}})
	require.NoError(t, err)
	accept := func(ids ...int32) {
		n, err := m.Accept(ids)
		require.NoError(t, err)
		require.Len(t, ids, n)
	}
	joined := func() (json string, kept []int) {
		list, err := m.Events(nil, false)
		require.NoError(t, err)
		for _, e := range list {
			if e.Kind == core.RewindEvent {
				kept = append(kept, e.Kept)
			}
			json += e.JSON
		}
		return json, kept
	}
	accept('[', '1')
	json, _ := joined()
	require.Empty(t, json)
	accept(int32(end), '[', '2')
	json, _ = joined()
	require.Equal(t, "[2", json)
	require.NoError(t, m.Rollback(3))
	accept('x', int32(end), '7')
	json, kept := joined()
	require.Equal(t, "7", json)
	require.Equal(t, []int{0}, kept)
	list, err := m.Events(nil, true)
	require.NoError(t, err)
	require.True(t, len(list) == 1 && list[0].Ends)
	accept('1')
	json, kept = joined()
	require.Equal(t, "1", json) // only the end of 7 is void
	require.Equal(t, []int{1}, kept)
}

// Steps with which reasoning may still begin have no events, also if the output may end after them. They have once the
// output goes on without reasoning, or ends.
func TestEventsBeforeReasoningIsDecided(t *testing.T) {
	c := core.NewCompiler(familyVocabulary(t, nil, true), core.CompilerConfig{})
	g, err := c.Compile(core.Regex, []byte(".*"), nil)
	require.NoError(t, err)
	for text, want := range map[string]string{"(t)abc!def": "def", "(tx)!": "(tx)!", "(t": "(t", "(t)!(t)": "(t)"} {
		m, err := core.NewMatcher(g, core.MatcherOptions{
			KeepOutput: true, Reasoning: &core.Reasoning{Begin: []uint32{'(', 't', ')'}, End: []uint32{'!'}},
		})
		require.NoError(t, err)
		got := ""
		read := func(final bool) {
			list, err := m.Events(nil, final)
			require.NoError(t, err)
			for _, e := range list {
				require.Equal(t, core.TextEvent, e.Kind)
				got += e.Text
			}
		}
		for _, id := range text {
			_, err := m.Accept([]int32{id})
			require.NoError(t, err)
			read(false)
		}
		read(true)
		require.Equal(t, want, got, text)
		output, err := m.Output(nil)
		require.NoError(t, err)
		require.Equal(t, want, string(output))
	}
}

// Events that take refuses come again, and memory does not grow with the output.
func TestEventsAreKeptUntilTaken(t *testing.T) {
	c := core.NewCompiler(familyVocabulary(t, nil, true), core.CompilerConfig{})
	g, err := c.Compile(core.JSONObject, nil, nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{KeepOutput: true})
	require.NoError(t, err)
	whole := ""
	for i, piece := range []string{`{"a"`, `: [1, `, `"x`, `y"]`, `}`} {
		ok, err := m.AcceptBytes([]byte(piece))
		require.NoError(t, err)
		require.True(t, ok)
		require.NoError(t, m.TakeEvents(false, func(list []core.Event) bool {
			for _, e := range list {
				if i%2 == 0 {
					whole += e.JSON
				}
			}
			return i%2 == 0
		}))
	}
	require.Equal(t, `{"a":[1,"xy"]}`, whole)

	plain, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	_, err = plain.Events(nil, false)
	require.Equal(t, core.CodeArgument, core.AsError(err).Code)
}

// A rollback of the end token alone voids the end that it caused, also if other tokens follow and are taken back.
func TestEventsOfAnEndTakenBack(t *testing.T) {
	v := familyVocabulary(t, []string{"</s>"}, true)
	end, _ := v.TokenID("</s>")
	for _, kind := range []core.Kind{core.AnyJSON, core.Regex} {
		g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(kind, []byte("1+"), nil)
		require.NoError(t, err)
		m, err := core.NewMatcher(g, core.MatcherOptions{KeepOutput: true, StopTokens: []uint32{end}})
		require.NoError(t, err)
		events := func() []core.Event {
			list, err := m.Events(nil, false)
			require.NoError(t, err)
			return list
		}
		_, err = m.Accept([]int32{'1', int32(end), int32(end)})
		require.NoError(t, err)
		list := events()
		require.True(t, len(list) == 2 && list[1].Ends)
		require.NoError(t, m.Rollback(1))
		require.Empty(t, events())
		require.NoError(t, m.Rollback(1))
		list = events()
		require.True(t, len(list) == 1 && list[0].Kind == core.RewindEvent && list[0].Kept == 1, "%v: %+v", kind, list)
		_, err = m.Accept([]int32{int32(end)})
		require.NoError(t, err)
		list = events()
		require.True(t, len(list) == 1 && list[0].Ends)
	}
}

// Text that waited for a stop string comes once the string is removed, and not twice after the end.
func TestEventsAfterStopStringsAreRemoved(t *testing.T) {
	c := core.NewCompiler(familyVocabulary(t, nil, true), core.CompilerConfig{})
	g, err := c.Compile(core.Regex, []byte("[ab]*"), nil)
	require.NoError(t, err)
	for _, final := range []bool{false, true} {
		m, err := core.NewMatcher(g, core.MatcherOptions{KeepOutput: true})
		require.NoError(t, err)
		require.NoError(t, m.SetStopStrings([]string{"ab"}))
		_, err = m.AcceptBytes([]byte("ba"))
		require.NoError(t, err)
		text := ""
		read := func(final bool) {
			list, err := m.Events(nil, final)
			require.NoError(t, err)
			for _, e := range list {
				text += e.Text
			}
		}
		read(final)
		require.NoError(t, m.SetStopStrings(nil))
		read(final)
		require.Equal(t, "ba", text)
	}
}

// A document that is cut off within its number has the events so far.
func TestEventsOfACutNumber(t *testing.T) {
	g, err := core.NewCompiler(familyVocabulary(t, nil, true), core.CompilerConfig{}).Compile(core.AnyJSON, nil, nil)
	require.NoError(t, err)
	for _, text := range []string{"-", "1.", "1e", "-0.5E+", "[-", `{"a":1.`} {
		m, err := core.NewMatcher(g, core.MatcherOptions{KeepOutput: true})
		require.NoError(t, err)
		_, err = m.AcceptBytes([]byte(text))
		require.NoError(t, err)
		list, err := m.Events(nil, true)
		require.NoError(t, err, text)
		json := ""
		for _, e := range list {
			json += e.JSON
		}
		require.Equal(t, text, json)
		require.False(t, list[len(list)-1].Ends, text)
	}
}
