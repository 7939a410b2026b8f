package jsonschema_test

import (
	"encoding/json"
	"errors"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// satisfiable reports whether some value satisfies both a schema and the opposite of another one.
func satisfiable(t *testing.T, schema, opposite map[string]any) bool {
	spec, err := json.Marshal(map[string]any{"allOf": []any{schema, map[string]any{"not": opposite}}})
	require.NoError(t, err)
	st := terminal.NewStore()
	g, _, err := jsonschema.Compile(st, spec, &source.Options{})
	if err == nil {
		_, err = pushdown.NewProgram(st, g)
	}
	var d *diag.Error
	if errors.As(err, &d) && d.Code == diag.Unsatisfiable {
		return false
	}
	require.NoError(t, err, "%s", spec)
	return true
}

// A keyword and its opposite share no value: none satisfies the keyword's example and the example's opposite. The
// opposite is not empty: some value satisfies the example without the keyword and the opposite. So nobody can add a
// keyword to the table and forget to apply or negate it.
func TestEveryKeywordHasAnOpposite(t *testing.T) {
	// Of these a mask tells that nothing is left, and no compilation.
	byMasks := map[string]bool{
		"additionalProperties": true, "patternProperties": true, "propertyNames": true, "unevaluatedProperties": true,
		"uniqueItems": true, "minContains": true, "maxContains": true, "unevaluatedItems": true,
	}
	for _, c := range jsonschema.Capabilities() {
		switch c.Name {
		case "$ref", "$recursiveRef": // they mean something else within another schema
			continue
		}
		var with map[string]any
		require.NoError(t, json.Unmarshal([]byte(c.Example), &with))
		without := maps.Clone(with)
		delete(without, c.Name)
		if c.Name == "properties" { // its example forbids all others
			delete(without, "additionalProperties")
		}
		require.True(t, satisfiable(t, without, with), "%s: its example takes nothing away, or has no opposite", c.Name)
		if !byMasks[c.Name] {
			require.False(t, satisfiable(t, with, with), "%s: its example does not exclude its opposite", c.Name)
		}
	}
}
