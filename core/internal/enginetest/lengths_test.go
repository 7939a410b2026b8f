package enginetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Patterns of alternatives of different lengths, with bounds on the length, decide every short string as Go's regexp
// and a count of characters do. A constraint that is refused as unsatisfiable has no such string.
func TestLengthsOfPatterns(t *testing.T) {
	r := testkit.Seeded(t, 71)
	c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	parts := []string{".", "a", "aa", "ab", "[ab]", "[^a]", "bba", "é", "(ab?)", "a{2}", "[bé]{1,3}", "b+", ""}
	texts := testkit.Strings("abc", 4)
	for i, text := range texts {
		texts[i] = strings.ReplaceAll(text, "c", "é")
	}
	refused, accepted := 0, 0
	for range testkit.Rounds(300, 20_000) {
		var members []string
		for range 1 + r.Intn(4) {
			members = append(members, parts[r.Intn(len(parts))]+parts[r.Intn(len(parts))])
		}
		schema := fmt.Sprintf(`{"type": "string", "pattern": "^(%s)$", "minLength": %d`, strings.Join(members, "|"),
			r.Intn(5))
		if r.Intn(2) == 0 {
			schema += fmt.Sprintf(`, "maxLength": %d`, r.Intn(6))
		}
		schema += "}"
		v := testkit.NewValidator(schema)
		g, err := c.Compile(source.JSONSchema, []byte(schema), &source.Options{})
		var e *diag.Error
		if errors.As(err, &e) {
			require.Equal(t, diag.Unsatisfiable, e.Code, schema)
			refused++
		}
		for _, text := range texts {
			said, _ := json.Marshal(text)
			got := false
			if e == nil {
				a := g.Current().Automaton()
				got = a.Accepts(a.StepBytes(a.Start(), said))
			}
			require.Equal(t, v.Valid(text), got, "%s by %s", said, schema)
			if got {
				accepted++
			}
		}
	}
	require.Positive(t, refused)
	require.Greater(t, accepted, 100)
}
