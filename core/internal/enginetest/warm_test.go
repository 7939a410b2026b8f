package enginetest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// jsonVocabulary has all bytes and a few tokens of JSON.
func jsonVocabulary(t *testing.T) *vocab.Vocabulary {
	t.Helper()
	c := vocab.Config{EndTokens: []uint32{0}, Tokens: [][]byte{nil}}
	for b := range 256 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	for _, text := range []string{`{"`, `": `, `":`, `", "`, ` "`, "name", "tool", "<to"} {
		c.Tokens = append(c.Tokens, []byte(text))
	}
	v, err := vocab.New(c)
	require.NoError(t, err)
	return v
}

func cold(t *testing.T, kind source.Kind, spec string) *mask.Masks {
	t.Helper()
	g, err := compiler.New(jsonVocabulary(t), compiler.Config{}).Compile(kind, []byte(spec), &source.Options{})
	require.NoError(t, err, spec)
	return g.Current()
}

// The sample text for warming has every key, short values, and the output of a trigger.
func TestWarmSamples(t *testing.T) {
	object := `{"type": "object", "properties": {"name": {"type": "string"}, "n": {"type": "integer"},
		"of": {"enum": ["some", "none"]}, "all": {"type": "array", "items": {"type": "boolean"}}},
		"required": ["name", "n", "of", "all"], "additionalProperties": false}`
	tag := `{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<tool>"], "tags": [
		{"begin": "<tool>", "content": {"type": "json_schema", "json_schema": ` + object + `}, "end": "</tool>"}]}}`
	for _, x := range []struct {
		kind source.Kind
		spec string
		most int
		want string
	}{
		{source.JSONSchema, object, 256, `{"name": "", "n": 1, "of": "none", "all": [false, true]}`},
		{source.JSONSchema, object, 20, `{"name": "", "n": 1,`},
		{source.StructuralTag, tag, 256, `<tool>{"name": "", "n": 1, "of": "none", "all": [false, true]}</tool>`},
		{source.Regex, `[0-9]{4}-[0-9]{2}`, 256, `1000-10`},
		{source.Regex, `(ab|cd)+!`, 256, `ab!`},
		{source.EBNF, `root ::= "é" | "a" root`, 256, `aaaaaaaaaa`},
	} {
		m := cold(t, x.kind, x.spec)
		require.Equal(t, x.want, string(m.Warm(x.most, func() {})), x.spec)
		if strings.HasPrefix(x.want, `{"name"`) {
			require.True(t, m.Known(m.Automaton().StepBytes(m.Automaton().Start(), []byte(`{"name": "`))))
		}
	}
}

// Masks are the same with and without warming, and tokens lead to the states of their bytes.
func TestWarmMasksAreTheSame(t *testing.T) {
	r, compared, made, pauses := testkit.Seeded(t, 31), 0, 0, 0
	v := jsonVocabulary(t)
	c := compiler.New(v, compiler.Config{})
	for range testkit.Rounds(100, 4000) {
		spec := testkit.Schema(r)
		var masks [2]*mask.Masks
		for i := range masks {
			g, err := c.Compile(source.JSONSchema, []byte(spec), &source.Options{})
			if err != nil {
				break
			}
			masks[i] = g.Current()
		}
		if masks[1] == nil {
			continue
		}
		sample := masks[1].Warm(256, func() { pauses++ })
		made += len(sample)
		var at [2]pushdown.StateID
		for i, m := range masks {
			at[i] = m.Automaton().Start()
		}
		for _, c := range sample[:min(len(sample), 60)] {
			var rows [2][]uint32
			for i, m := range masks {
				rows[i] = make([]uint32, v.Words())
				m.Fill(at[i], rows[i], nil)
				at[i] = m.Automaton().Step(at[i], c)
			}
			require.Equal(t, rows[0], rows[1], spec)
			compared++
		}
	}
	require.Greater(t, compared, 200)
	require.Greater(t, pauses, made+made/4) // for each byte of the sample, and for those with a mask
}

// Warming skips expensive masks and keeps nothing of them.
func TestWarmingEnds(t *testing.T) {
	for _, spec := range []string{
		"root ::= s\ns ::= s s s | s s | \"a\" | \"b\"",
		"root ::= " + strings.Repeat(`("a" | "b")* `, 60) + `"c"`,
	} {
		m := cold(t, source.EBNF, spec)
		work, found := m.Engine().Work(), m.Automaton().Work()
		m.Warm(1<<20, func() {})
		require.Less(t, m.Engine().Work()-work, int64(2*limits.WarmMasks), spec)
		require.Less(t, m.Automaton().Work()-found, int64(2*limits.WarmItems), spec)
		require.True(t, m.WithinBudget(m.Automaton().StepBytes(m.Automaton().Start(), []byte("aa"))), spec)
	}
}
