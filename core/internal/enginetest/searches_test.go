package enginetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// searches returns a schema of strings, or of the keys of an object, with required and forbidden parts.
func searches(r *rand.Rand) map[string]any {
	patterns := []string{
		"ab", "a.*b", "^a", "b$", `\d`, "^[a-z]+$", "^.+$", "^[a-z]{1,40}$", "^(x-)?[0-9]", "e.?$", `"`, "^[^e]*$",
	}
	pattern := func() string { return patterns[r.Intn(len(patterns))] }
	words := []string{"a", "ab", "name", "no", `"`, "x-1"}
	if r.Intn(2) == 0 {
		keys := map[string]any{}
		for range 1 + r.Intn(2) {
			keys[pattern()] = map[string]any{"type": "string"}
		}
		known := map[string]any{}
		for _, w := range words[:r.Intn(len(words))] {
			known[w] = map[string]any{"type": "integer"}
		}
		return map[string]any{"type": "object", "properties": known, "patternProperties": keys}
	}
	all := []any{}
	for range 1 + r.Intn(3) {
		switch one := map[string]any{"type": "string", "pattern": pattern()}; r.Intn(4) {
		case 0:
			all = append(all, one)
		case 1:
			all = append(all, map[string]any{"not": one})
		case 2:
			all = append(all, map[string]any{"not": map[string]any{"enum": words[:1+r.Intn(len(words)-1)]}})
		case 3:
			all = append(all, map[string]any{"oneOf": []any{
				one, map[string]any{"type": "string", "pattern": pattern()},
			}})
		}
	}
	return map[string]any{"type": "string", "allOf": all}
}

// While a search or an exclusion continues, the mask of a string differs from the mask of any text only in tokens with
// a quote: each of these is in the mask exactly if it is accepted.
func TestMasksOfSearches(t *testing.T) {
	r := testkit.Seeded(t, 47)
	v := testkit.CommittedTokenizer(t)
	var quotes []int32
	for id := range v.Size() {
		if bytes.IndexByte(v.Bytes(uint32(id)), '"') >= 0 {
			quotes = append(quotes, int32(id))
		}
	}
	require.NotEmpty(t, quotes)
	c := compiler.New(v, compiler.Config{})
	row := make([]uint32, v.Words())
	for range testkit.Rounds(60, 4000) {
		text, err := json.Marshal(searches(r))
		require.NoError(t, err)
		g, err := c.Compile(source.JSONSchema, text, &source.Options{})
		if err != nil {
			continue // nothing satisfies it
		}
		m, err := matcher.New(g, matcher.Options{})
		require.NoError(t, err)
		for range 10 {
			_, err := m.Fill(row)
			require.NoError(t, err)
			for _, id := range quotes {
				n, err := m.Validate([]int32{id})
				require.Equal(t, row[id>>5]>>(id&31)&1 == 1, err == nil && n == 1, "token %d %q\n%s", id,
					v.Bytes(uint32(id)), text)
			}
			checkSome(t, r, m, row, text)
			if m.Terminated() {
				break
			}
		}
	}
}

// Keys without the declared ones may be finite: after the only beginning of a declared key no token continues it a
// second time.
func TestMasksWhereUndeclaredKeysEnd(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	c := compiler.New(v, compiler.Config{})
	row := make([]uint32, v.Words())
	for _, x := range []struct{ declared, pattern, text string }{
		{"a", "^(a|[b-z].*)$", `{"a":1,"`},
		{"xa", "^x(a|[b-z].*)$", `{"xa":1,"x`},
		{"an", "^(an|as|[b-z].*)$", `{"an":1,"a`},
		{"a", "^(a+|[b-z].*)$", `{"a":1,"`},
	} {
		schema := fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"integer"}},`+
			`"patternProperties":{%q:{"type":"integer"}},"additionalProperties":false}`, x.declared, x.pattern)
		g, err := c.Compile(source.JSONSchema, []byte(schema), &source.Options{})
		require.NoError(t, err)
		m, err := matcher.New(g, matcher.Options{})
		require.NoError(t, err)
		ok, err := m.AcceptBytes([]byte(x.text))
		require.NoError(t, err)
		require.True(t, ok)
		_, err = m.Fill(row)
		require.NoError(t, err)
		for id := range v.Size() {
			n, err := m.Validate([]int32{int32(id)})
			require.Equal(t, row[id>>5]>>(id&31)&1 == 1, err == nil && n == 1, "token %q after %s in %s",
				v.Bytes(uint32(id)), x.text, schema)
		}
	}
}
