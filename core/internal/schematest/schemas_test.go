package schematest

import (
	"encoding/json"
	"errors"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/testkit/engine"
)

// Random schemas and a validator that follows the specification and knows no grammar: generated and accepted texts are
// valid, and valid values are accepted in some order of their keys.
func TestRandomSchemas(t *testing.T) {
	r := testkit.Seeded(t, 12)
	c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	counts := map[string]int{}
	wrong := map[string]string{} // by kind of mistake, the shortest
	for range testkit.Rounds(200, 40_000) {
		schema := testkit.Schema(r)
		mistake, what := checkSchema(t, r, c, schema, counts)
		if old, ok := wrong[mistake]; mistake != "" && (!ok || len(what)+len(schema) < len(old)) {
			wrong[mistake] = what + "\n" + schema
		}
		if mistake != "" {
			counts[mistake]++
		}
	}
	t.Log(counts)
	for mistake, what := range wrong {
		t.Errorf("%s: %s", mistake, what)
	}
}

// checkSchema returns the kind of the first mistake found, and the text that shows it.
func checkSchema(
	t *testing.T, r *rand.Rand, c *compiler.Compiler, schema string, counts map[string]int,
) (mistake, what string) {
	t.Helper()
	v := testkit.NewValidator(schema)
	g, err := c.Compile(source.JSONSchema, []byte(schema), &source.Options{})
	var e *diag.Error
	if errors.As(err, &e) {
		counts[e.Code.String()]++
		for range 100 {
			x := testkit.Value(r, 2)
			if e.Code == diag.Unsatisfiable && v.Valid(testkit.Decode([]byte(x))) {
				return "refused as unsatisfiable", x + " is valid, but: " + err.Error()
			}
		}
		if !slices.Contains([]diag.Code{diag.Unsupported, diag.Unsatisfiable, diag.Invalid, diag.Limit}, e.Code) {
			return "unexpected error", err.Error()
		}
		return "", ""
	}
	require.NoError(t, err, schema)
	counts["compiled"]++
	narrower, wider := false, false
	for _, n := range g.Notes() {
		narrower, wider = narrower || n.Effect == diag.Narrower, wider || n.Effect == diag.Wider
	}
	o := ordering{g.Current().Automaton()}
	for range 60 {
		text := testkit.Value(r, 2)
		value := testkit.Decode([]byte(text))
		accepted, valid := o.acceptsSome(value), v.Valid(value)
		if valid {
			counts["valid"]++
		}
		switch {
		case valid && !accepted && !narrower:
			return "valid, but not accepted in any order of its keys", text
		case !valid && accepted && !wider:
			return "accepted, but not valid", text
		}
	}
	// Without whitespace the nearest end is found sooner.
	compact, err := c.Compile(source.JSONSchema, []byte(schema), &source.Options{Compact: true})
	require.NoError(t, err, schema)
	for range 4 {
		text := generate(t, r, compact, schema)
		if text == nil {
			counts["too far from an end"]++
			continue
		}
		counts["generated"]++
		switch {
		case !json.Valid(text):
			return "generated, but not JSON", string(text)
		case !wider && !v.Valid(testkit.Decode(text)) && !testkit.RepeatsKey(text):
			return "generated, but not valid", string(text)
		}
	}
	return "", ""
}

// ordering follows values through an automaton with the keys of their objects in every order at once.
type ordering struct{ a *pushdown.Automaton }

// acceptsSome reports whether some order of the keys is accepted.
func (o ordering) acceptsSome(value any) bool {
	return slices.ContainsFunc(o.after([]pushdown.StateID{o.a.Start()}, value), o.a.Accepts)
}

func (o ordering) text(from []pushdown.StateID, text string) (to []pushdown.StateID) {
	for _, s := range from {
		if s = o.a.StepBytes(s, []byte(text)); s > pushdown.Over && !slices.Contains(to, s) {
			to = append(to, s)
		}
	}
	return to
}

// after returns the states in which the value may leave the automaton.
func (o ordering) after(from []pushdown.StateID, value any) []pushdown.StateID {
	switch x := value.(type) {
	case []any:
		from = o.text(from, "[")
		for i, item := range x {
			if i > 0 {
				from = o.text(from, ", ")
			}
			from = o.after(from, item)
		}
		return o.text(from, "]")
	case map[string]any:
		return o.object(o.text(from, "{"), x)
	}
	text, _ := json.Marshal(value)
	return o.text(from, string(text))
}

// object visits the sets of members that may have been written: 1<<n for n members.
func (o ordering) object(from []pushdown.StateID, x map[string]any) []pushdown.StateID {
	var keys []string
	for k := range x {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	at := make([][]pushdown.StateID, 1<<len(keys))
	at[0] = from
	for written := range at {
		for i, k := range keys {
			if written>>i&1 == 1 || len(at[written]) == 0 {
				continue
			}
			name, _ := json.Marshal(k)
			before := string(name) + ": "
			if written != 0 {
				before = ", " + before
			}
			for _, s := range o.after(o.text(at[written], before), x[k]) {
				if next := &at[written|1<<i]; !slices.Contains(*next, s) {
					*next = append(*next, s)
				}
			}
		}
	}
	return o.text(at[len(at)-1], "}")
}

// generate takes random bytes that the grammar allows and then the nearest end; nil if that is too far.
func generate(t *testing.T, r *rand.Rand, g *compiled.Grammar, schema string) []byte {
	t.Helper()
	a := g.Current().Automaton()
	s := a.Start()
	var text []byte
	for range r.Intn(60) {
		// Printable ASCII keeps outputs legible; anything else is another test's business.
		var allowed []byte
		alive := a.Alive(s)
		for b := byte(' '); b < 0x7F; b++ {
			if alive.Has(b) && a.Step(s, b) > 1 {
				allowed = append(allowed, b)
			}
		}
		if len(allowed) == 0 || a.Accepts(s) && r.Intn(8) == 0 {
			break
		}
		b := allowed[r.Intn(len(allowed))]
		if k := strings.IndexAny(string(allowed), `"ab]},:{`); k >= 0 && r.Intn(2) == 0 {
			b = allowed[k]
		}
		text, s = append(text, b), a.Step(s, b)
	}
	rest := engine.Completion(t, g, text, schema)
	if rest == nil {
		return nil
	}
	return append(text, rest...)
}
