package enginetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/testkit/engine"
)

// In an array of distinct items, a prefix that could only become an existing item is dead. Masks and accept agree on
// that, in every spelling of strings and for every split into tokens.
func TestItemsThatCouldOnlyBeRepeated(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	c := compiler.New(v, compiler.Config{})
	row := make([]uint32, v.Words())
	for _, x := range []struct {
		items string
		texts []string // after which masks are compared with accept
		dead  []string // that are prefixes only of arrays with equal items
		alive []string
	}{
		{
			`{"type":"string","pattern":"^#[0-9a-f]{2}$"}`,
			[]string{
				`["#ff",`, `["#ff","`, `["#ff","#`, `["#ff","#f`, `["#\u0066f","#f`, `["#ff","#\u00`,
				`["#fe","#ff", "#f`,
			},
			[]string{`["#ff","#ff`, `["#\u0066f","#ff`, `["#ff","#f\u0066`},
			[]string{`["#ff","#fe`, `["#ff","#f\u006`, `["#ff","#fe","ff`[:13]},
		},
		{
			`{"type":"string","format":"date"}`,
			[]string{`["2024-01-01", "2024-01-0`, `["2024-01-01",`},
			[]string{`["2024-01-01","2024-01-01`},
			[]string{`["2024-01-01","2024-01-02`},
		},
		{
			`{"type":"string","maxLength":2}`,
			[]string{`["aé","a`, `["a\u00e9","`, `["aé","a` + "\xc3", `["\n","`, `["","a`, `["😀a","\ud83d`},
			[]string{`["aé","aé`, `["a\u00e9","aé`, `["\n\n","\n\n`, `["😀😀","\ud83d\ude00😀`},
			[]string{`["a","a`, `["","`, `["\n","\u000a`, `["aé","a` + "\xc3"},
		},
		{
			`{"anyOf":[{"type":"string","pattern":"^(|x|yy)[ab]$"},{"type":"integer","maximum":99,"minimum":0}]}`,
			[]string{`["a",`, `["a","`, `["xa",`, `["xa","x`, `[10,"a",1`},
			[]string{`["a","a`, `["xa","xa`, `[10,10`},
			[]string{`["a","x`, `["xa","a`, `[10,1`},
		},
	} {
		spec := `{"type":"array","uniqueItems":true,"items":` + x.items + `}`
		g, err := c.Compile(source.JSONSchema, []byte(spec), &source.Options{})
		require.NoError(t, err)
		after := func(text string) *matcher.Matcher {
			m, err := matcher.New(g, matcher.Options{})
			require.NoError(t, err)
			ok, err := m.AcceptBytes([]byte(text))
			require.NoError(t, err)
			if !ok {
				return nil
			}
			return m
		}
		for _, text := range x.texts {
			m := after(text)
			require.NotNil(t, m, "%s: %s", spec, text)
			engine.EveryBit(t, v, m, row, func() string { return spec + " after " + text })
		}
		for _, text := range x.dead {
			require.Nil(t, after(text), "%s: %s", spec, text)
		}
		for _, text := range x.alive {
			require.NotNil(t, after(text), "%s: %s", spec, text)
		}
	}
}
