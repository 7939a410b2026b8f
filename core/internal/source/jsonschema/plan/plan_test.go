package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/work"
)

func planned(t *testing.T, spec string) *Plan {
	t.Helper()
	r, err := schema.Read([]byte(spec), &source.Options{})
	require.NoError(t, err)
	p, err := New(r, nil, Writing{})
	require.NoError(t, err)
	return p
}

// Places that have to satisfy the same subschemas have the same goal, so recursion through merged schemas ends.
func TestGoalsAreInterned(t *testing.T) {
	p := planned(t, `{
		"$defs": {"tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}, "required": ["next"]},
			"named": {"properties": {"next": {"$ref": "#/$defs/named"}}, "additionalProperties": false}},
		"anyOf": [{"type": "null"}, {"allOf": [{"$ref": "#/$defs/named"}, {"type": "array", "items": {"$ref": "#"}}]}]
	}`)
	require.LessOrEqual(t, len(p.Reached), 4)
	require.Contains(t, p.Reached, p.Start)
	again := p.Planner.goalOf(p.Planner.Goals[p.Start].Atoms...)
	require.Equal(t, p.Start, again)
}

// A goal that contradicts itself has no cases, and says why.
func TestContradictionsAreErrors(t *testing.T) {
	r, err := schema.Read([]byte(`{"type": "string", "allOf": [{"type": "integer"}]}`), &source.Options{})
	require.NoError(t, err)
	_, err = New(r, nil, Writing{})
	require.ErrorContains(t, err, "type")
}

// Names separate keys of patternProperties that match a few names each, so work grows with the number of names.
func TestPatternsOfFewNamesAreToldApartByThem(t *testing.T) {
	spent := func(n int) int {
		var keys []string
		for i := range n {
			keys = append(keys, fmt.Sprintf(`"^(a|b|c)(d|e|f)(g|h)%d$": {"minimum": %d}`, i, i))
		}
		m := work.New(1<<40, nil)
		text := `{"type": "object", "patternProperties": {` + strings.Join(keys, ",") + `}}`
		r, err := schema.Read([]byte(text), &source.Options{Work: m})
		require.NoError(t, err)
		_, err = New(r, nil, Writing{})
		require.NoError(t, err)
		return 1<<40 - m.Left()
	}
	require.Less(t, spent(60), 2_000_000)
}

// A discriminator separates the members of a oneOf, so each is a case of its own without the opposites of others.
func TestDiscriminatorsSeparateMembers(t *testing.T) {
	for _, spec := range []string{
		`{"type": "object", "required": ["k"], "oneOf": [{"properties": {"k": {"const": 1}, "a": {"minimum": 1}}},
			{"properties": {"k": {"enum": [2, 3]}, "a": {"minimum": 2}}}]}`,
		`{"oneOf": [{"type": "object", "required": ["k"], "properties": {"k": {"type": "array"}, "a": {"minimum": 1}}},
			{"type": "object", "required": ["k"], "properties": {"k": {"type": ["string", "null"]}}}]}`,
		`{"type": "object", "oneOf": [{"required": ["k"], "properties": {"k": {"type": "string"}}},
			{"additionalProperties": {"type": "boolean"}, "minProperties": 1}]}`,
		`{"type": "object", "oneOf": [{"required": ["k"], "properties": {"k": {}}}, {"properties": {"a": {"minimum": 1}},
			"additionalProperties": false}]}`,
	} {
		p := planned(t, spec)
		cases := p.Planner.Goals[p.Start].Cases
		require.Len(t, cases, 2, spec)
		for i := range cases {
			f := &cases[i].Flat
			require.Empty(t, f.forbidden, spec)
			require.Empty(t, f.named, spec)
			require.Empty(t, cases[i].Tests, spec)
		}
	}
}
