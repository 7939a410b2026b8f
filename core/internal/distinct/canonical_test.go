package distinct

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Equal values have one canonical text, different ones have different texts. A text that is not a whole value has
// none.
func TestCanonical(t *testing.T) {
	for _, same := range [][]string{
		{`1`, `1.0`, `10e-1`, `0.1E1`},
		{`-0`, `0`, `0e7`},
		{`"a"`, `"\u0061"`},
		{`[1, "a"]`, "[1.0,\n\"\\u0061\"]"},
		{`{"a": 1, "b": [true, null]}`, `{"b":[true,null],"a":1e0}`, `{"a": 2, "b": [true, null], "a": 1}`},
		{`[[], {}, [{}]]`, `[[],{},[{}]]`},
		{`{"a": {"b": {}, "c": 1}}`, `{"a": {"c": 1, "b": {}}}`},
	} {
		for _, text := range same {
			a, ok := canonical([]byte(same[0]))
			require.True(t, ok)
			b, ok := canonical([]byte(text))
			require.True(t, ok, text)
			require.Equal(t, a, b, text)
		}
	}
	texts := []string{
		`1`, `"1"`, `[]`, `{}`, `[[]]`, `[{}]`, `[[],[]]`, `[[[]]]`, `null`, `true`, `"null"`, `[1]`, `[1,1]`, `["1,` +
			`1"]`, `{"a":1}`,
		`{"a":[1]}`, `{"a":{}}`, `{"a":1,"b":2}`, `{"b":1,"a":2}`, `["a",1]`, `[["a"],1]`, `[["a",1]]`,
	}
	known := map[string]string{}
	for _, text := range texts {
		c, ok := canonical([]byte(text))
		require.True(t, ok, text)
		require.Empty(t, known[c], text)
		known[c] = text
	}
	for _, text := range []string{``, `[`, `[1`, `{"a"`, `{"a":`, `[1]]`, `[1] `, `tru`, `"a`, `{"a":1}x`} {
		_, ok := canonical([]byte(text))
		require.False(t, ok, text)
	}
}

// Values may nest deeper than the 10,000 levels of encoding/json.
func TestCanonicalOfDeepValues(t *testing.T) {
	const depth = 30_000
	deep := func(inside string) string {
		return strings.Repeat(`[{"a":`, depth) + inside + strings.Repeat(`}]`, depth)
	}
	a, ok := canonical([]byte(deep("1")))
	require.True(t, ok)
	b, ok := canonical([]byte(deep("1.0")))
	require.True(t, ok)
	require.Equal(t, a, b)
	c, ok := canonical([]byte(deep("2")))
	require.True(t, ok)
	require.NotEqual(t, a, c)
}
