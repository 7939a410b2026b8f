package ending

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// shortThenLong returns properties, the first n of which have short values and the others long ones.
func shortThenLong(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"a%d": {"const": 1}`, i))
	}
	for i := range n {
		list = append(list, fmt.Sprintf(`"z%d": {"$ref": "#/$defs/z"}`, i))
	}
	return strings.Join(list, ", ")
}

// No text of a few bytes leads to a state that is farther from its end than the bound says, and no profile says more
// than the bound.
func TestBoundsHold(t *testing.T) {
	comp := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	r := testkit.Seeded(t, 227)
	constraints := []testkit.Constraint{
		{Kind: source.JSONSchema, Text: `{"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "properties": {"n": ` +
			`{"type": "string", "minLength": 9}, "c": {"type": "array", "items": {"$ref": "#/$defs/t"}}}, ` +
			`"required": ["n", "c"]}}}`},
		{Kind: source.JSONSchema, Text: `{"type": "array", "minItems": 3, "items": {"enum": ["a", "bbbbbbbbbbbb", [1, 2, 3]]}}`},
		{Kind: source.EBNF, Text: `root ::= "(" root ")))" | "[" root root "]" | "x"`},
		{Kind: source.EBNF, Text: `root ::= root "+" root | "a" ("b" root)?`},
		{Kind: source.EBNF, Text: `root ::= [A-Y] [a-z]{30} root "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" | "z"`},
		{Kind: source.JSONSchema, Text: `{"type": "array", "items": {"type": "string", "minLength": 300}}`},
		{Kind: source.JSONSchema, Text: `{"properties": {"a": {"type": "array", "items": {"enum": [1, 2, 3]}}, "b": true, "` +
			strings.Repeat("z", 200) + `": {"const": 1}}, "required": ["` + strings.Repeat("z", 200) + `"]}`},
		{Kind: source.Regex, Text: `(ab{3,9}|c(d{40})?)*e`},
		{Kind: source.JSONSchema, Text: `{"type": "array", "items": {"type": "string"}, "uniqueItems": true}`},
		{Kind: source.JSONSchema, Text: `{"type": "object", "properties": {"a": {"type": "array", "uniqueItems": true, "items": ` +
			`{"type": "string", "minLength": 3}, "minItems": 1}, "b": {"enum": ["` + strings.Repeat("z", 50) + `"]}}, ` +
			`"required": ["a", "b"]}`},
		{Kind: source.Choice, Text: `["a", "about a long choice", "another"]`},
		{Kind: source.JSONSchema, Text: `{"type": "object", "minProperties": 8, "additionalProperties": false, "properties": {` +
			shortThenLong(8) + `}, "$defs": {"z": {"type": "array", "items": {"const": 1}, ` +
			`"minItems": 600}}}`},
		{Kind: source.JSONSchema, Text: `{"minProperties": 9, "additionalProperties": {"const": 12345}, "properties": ` +
			`{"a": {"const": 1}, "b": {"const": 2}}, "required": ["b"]}`},
		{Kind: source.EBNF, Text: "root ::= a\na[suffix=\"<end>\"] ::= [^]*"},
		{Kind: source.EBNF, Text: "root ::= a \"abc\"\na[suffix=\"<end>\"] ::= ([a-z] | \"<\")*"},
		{Kind: source.Lark, Text: "start: head \"x\"\nhead[lazy]: /(.|\\n)*/ \"<end>\""},
		{Kind: source.JSONSchema, Text: `{"type": "object", "additionalProperties": false, "properties": {` + manyKeys(400) +
			`}, "required": ["k1` + strings.Repeat("z", 90) + `"]}`},
	}
	compiled, bounded, states := 0, 0, 0
	far := len(constraints) // these are followed farther
	for _, kind := range testkit.ConstraintKinds {
		for range testkit.Rounds(12, 400) {
			constraints = append(constraints, testkit.RandomConstraint(r, kind, 2))
		}
	}
	for i, c := range constraints {
		g, err := comp.Compile(c.Kind, []byte(c.Text), c.SourceOptions())
		if err != nil {
			continue
		}
		f := New(g.Current(), Stops{})
		if f.Compares() || f.limited {
			continue
		}
		compiled++
		if f.bound(f.a.Start()) < Unknown {
			bounded++
		}
		for range 4 {
			s := f.a.Start()
			for n := 0; (n < 20 || n < 200 && i < far) && s > pushdown.Over && f.a.Steps(s); n++ {
				if n < 20 || n%8 == 0 {
					states += f.checkBound(t, r, s, c.Text)
				}
				s = f.randomStep(r, s)
			}
		}
	}
	t.Logf("%d states; %d of %d constraints have bounds", states, bounded, compiled)
	require.Greater(t, bounded*2, compiled)
}

// manyKeys returns properties of which the last ones have long keys with the beginnings of others.
func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d": {"const": 1}, `, i)
	}
	z := strings.Repeat("z", 90)
	fmt.Fprintf(&b, `"k1%s": {"const": 1}, "k2%s": {"const": 1}`, z, z)
	return b.String()
}

// checkBound compares the bound of state s with the states behind a few texts. It returns 1 if there is a bound.
func (f *Finder) checkBound(t *testing.T, r *rand.Rand, s pushdown.StateID, where string) int {
	n := f.bound(s)
	if n >= Unknown {
		return 0
	}
	for range 3 {
		u := s
		for k := 1; k < 30 && u > pushdown.Over && f.a.Steps(u); k++ {
			if u = f.randomStep(r, u); u <= pushdown.Over {
				break
			}
			var bytes uint32
			require.True(t, f.ask(0, func() { bytes = f.toEndBytes(u) }))
			if compares, _ := f.shortest.Compares(); compares && bytes == never {
				break // an item that cannot differ from an earlier one
			}
			require.LessOrEqual(t, bytes, f.highest.Of(s, k), "%d bytes in %s", k, where)
		}
	}
	if p := f.profileOf(s); p.whole {
		require.LessOrEqual(t, p.far, n+1, where)
	}
	return 1
}
