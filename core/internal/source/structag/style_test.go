package structag

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Oracle and automaton agree with the cases of all styles.
func TestOracleOfStyles(t *testing.T) {
	data, err := os.ReadFile("../../../../tests/cases/structural_tag_styles.json")
	require.NoError(t, err)
	var cases []struct {
		Name    string
		Spec    json.RawMessage
		Options struct {
			AnyOrder bool `json:"any_order"`
			Compact  bool `json:"compact"`
		}
		Accept, Reject []string
		Error          any
	}
	require.NoError(t, json.Unmarshal(data, &cases))
	checked := 0
	for _, c := range cases {
		if c.Error != nil {
			continue
		}
		o := &source.Options{AnyOrder: c.Options.AnyOrder, Compact: c.Options.Compact}
		st := terminal.NewStore()
		g, _, err := Compile(st, c.Spec, o)
		require.NoError(t, err, c.Name)
		slow := oracle.New(st, g)
		st = terminal.NewStore()
		g, _, err = Compile(st, c.Spec, o)
		require.NoError(t, err, c.Name)
		fast := engine(t, st, g)
		for accepted, texts := range map[bool][]string{true: c.Accept, false: c.Reject} {
			for _, text := range texts {
				require.Equal(t, accepted, slow.Accepts([]byte(text)), "%s: %q", c.Name, text)
				require.Equal(t, accepted, fast([]byte(text)), "%s, engine: %q", c.Name, text)
				checked++
			}
		}
	}
	require.Greater(t, checked, 100)
}
