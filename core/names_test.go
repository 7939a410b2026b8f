package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Most tokens within encoded labels are allowed without being read byte by byte: the mask equals a trial of every
// token.
func TestMasksOfEncodedLabels(t *testing.T) {
	testkit.Alone(t)
	v := committedVocabulary(t)
	c := core.NewCompiler(v, core.CompilerConfig{})
	row := make([]uint32, v.Words())
	for format, texts := range map[string][]string{
		"hostname": {
			`"xn-`, `"xn--`, `"xn--9`, `"xn--9n2bp8q`, `"xn--9n2bp8q.`, `"xn--4dbc5h.`, `"xn--4dbc5h.xn--`, `"xn--a-`, `"xn---`, `"xn--a--`, `"xn--\`, `"xn--\u00`, `"www.xn--mnchen-3ya.d`,
			`"xn--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`, `"xn--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-`,
		},
		"idn-hostname": {`"α`, `"www.παράδ`, `"αβ-`, `"παράδειγμαπαράδειγμαπαράδειγμαπαράδειγμαπαράδειγμ`, `"xn--ih`},
	} {
		g, err := c.Compile(core.JSONSchema, []byte(`{"type":"string","format":"`+format+`"}`), nil)
		require.NoError(t, err)
		for _, text := range texts {
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(t, err)
			ok, err := m.AcceptBytes([]byte(text))
			require.NoError(t, err)
			require.True(t, ok, text)
			_, err = m.Fill(row)
			require.NoError(t, err)
			for id := range v.Size() {
				n, _ := m.Validate([]int32{int32(id)})
				if want := row[id>>5]>>(id&31)&1 == 1; want != (n == 1) {
					b, _ := v.Token(uint32(id))
					require.Equal(t, n == 1, want, "%s%q", text, b)
				}
			}
		}
	}
}
