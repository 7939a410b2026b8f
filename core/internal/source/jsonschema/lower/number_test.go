package lower

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

func TestNumerals(t *testing.T) {
	st := terminal.NewStore()
	r, err := schema.Read([]byte(`{}`), &source.Options{AllNumberForms: true})
	require.NoError(t, err)
	c, err := plan.New(r, nil, plan.Writing{})
	require.NoError(t, err)
	var l speller
	l.st, l.p = st, c.Planner
	for text, spellings := range map[string][2][]string{
		"10":    {{"10", "1e1", "0.1e2", "100e-1", "10.00", "1.0E+1"}, {"1", "100", "1e2", "-10", "10.01"}},
		"2.5":   {{"2.5", "25e-1", "0.25E1", "2.500"}, {"25", "2.51", "2.4"}},
		"0":     {{"0", "-0", "0e5", "0.00", "-0.0E-3"}, {"1", "0.1"}},
		"-1e-3": {{"-0.001", "-1e-3", "-0.1e-2"}, {"0.001", "-1e-2"}},
	} {
		e := l.numeral(text)
		for _, s := range spellings[0] {
			require.True(t, counters.Match(st, e, []byte(s)), "%s is %s", s, text)
		}
		for _, s := range spellings[1] {
			require.False(t, counters.Match(st, e, []byte(s)), "%s is not %s", s, text)
		}
	}
}
