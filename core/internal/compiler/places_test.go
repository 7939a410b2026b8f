package compiler

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// fewTokens is a vocabulary of some letters.
func fewTokens(t *testing.T) *vocab.Vocabulary {
	v, err := vocab.New(vocab.Config{
		Tokens: [][]byte{
			[]byte("a"), []byte("b"), []byte("ab"), []byte("{"), []byte("\""), []byte("</s>"),
		}, EndTokens: []uint32{5},
	})
	require.NoError(t, err)
	return v
}

// The error of a too hard constraint has its place, for each budget.
func TestPlacesOfWhatIsTooHard(t *testing.T) {
	v := fewTokens(t)
	options := strings.Repeat("a?b?", 60) // a text may begin with each of its parts
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprintf(`{"k%d":[%d]}`, i, i))
	}
	tool := `{"type":"structural_tag","format":{"type":"sequence","elements":[{"type":"const_string","value":"x"},`
	for _, x := range []struct {
		name, spec, place, keyword string
		kind                       source.Kind
		budgets                    func(b *limits.Budgets)
	}{
		{
			"values of a property", `{"properties":{"a":{"type":"string"},"b":{"items":{"enum":[` +
				strings.Join(many, ",") + `]}}}}`,
			"/properties/b/items", "items", source.JSONSchema, func(b *limits.Budgets) { b.Expression = 100 },
		},
		{
			"terminal of a rule", "root ::= \"x\" e\ne ::= \"(\" e \")\" | \"[\" f \"]\"\nf ::= e | " +
				strings.Repeat("\"a\"? \"b\"? ", 60),
			"3:1", "f", source.EBNF, func(b *limits.Budgets) { b.Expression = 100 },
		},
		{"pattern", options, "1:1", "", source.Regex, func(b *limits.Budgets) { b.Expression = 100 }},
		{
			"pattern of a format", tool + `{"type":"regex","pattern":"` + options + `"}]}}`,
			"/format/elements/1/pattern", "", source.StructuralTag, func(b *limits.Budgets) { b.Expression = 100 },
		},
		{
			"first mask of a schema", `{"type":"string","pattern":"^` + options + `$"}`,
			"", "", source.JSONSchema, func(b *limits.Budgets) { b.Mask = 50 },
		},
		{
			"first mask of one side", `{"anyOf":[{"type":"null"},{"type":"string","pattern":"^` + options + `$"}]}`,
			"", "", source.JSONSchema, func(b *limits.Budgets) { b.Mask = 50 },
		},
		{
			"left recursion", "root ::= \"a\" x\n" + manyLeft(200), "2:1", "x", source.EBNF, func(*limits.Budgets) {},
		},
		{
			"compilation, a schema", `{"properties":{"a":{"type":"string"},"b":{"anyOf":[` +
				strings.Repeat(`{"type":"string","minLength":2},`, 400) + `{"type":"null"}]}}}`,
			"/properties/b", "b", source.JSONSchema, func(b *limits.Budgets) { b.Compile = 20_000 },
		},
		{
			"patterns of keys", `{"type":"object","patternProperties":{"a[a-z]{1,9}a":{"type":"null"},` +
				`"b[a-z]{1,9}b":{"type":"string"}}}`,
			"/patternProperties/a[a-z]{1,9}a", "a[a-z]{1,9}a", source.JSONSchema,
			func(b *limits.Budgets) { b.Search = 2000 },
		},
		{
			"planning, patterns of keys", `{"type":"object","patternProperties":{"a.*b":{"type":"null"},` +
				`"c.*d":{"type":"string"},"e.*f":{"type":"integer"}}}`,
			"/patternProperties/e.*f", "e.*f", source.JSONSchema, func(b *limits.Budgets) { b.Compile = 70_000 },
		},
		{
			"rewriting, patterns of keys", `{"type":"object","patternProperties":{"a.*b":{"type":"null"},` +
				`"c.*d":{"type":"string"},"e.*f":{"type":"integer"}}}`,
			"/patternProperties/a.*b", "a.*b", source.JSONSchema, func(b *limits.Budgets) { b.Compile = 400_000 },
		},
		{
			"compilation, a grammar", "root ::= b\nb ::= " + strings.Repeat("[a-f] b | ", 2000) + "\"x\"", "2:1", "b",
			source.EBNF, func(b *limits.Budgets) { b.Compile = 300_000 },
		},
		{
			"compilation, a text", `["` + strings.Repeat(`a","b`, 20_000) + `"]`, "", "",
			source.Choice, func(b *limits.Budgets) { b.Compile = 20_000 },
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := limits.DefaultBudgets()
			x.budgets(&b)
			_, err := New(v, Config{Budgets: &b}).Compile(x.kind, []byte(x.spec), new(source.Options))
			var e *diag.Error
			require.True(t, errors.As(err, &e))
			require.Equal(t, diag.Limit, e.Code, err)
			require.True(t, e.Place.HasPointer || e.Place.Line > 0, err)
			require.Contains(t, err.Error(), strings.TrimSuffix(x.kind.String()+":"+x.place, ":")+": ", err)
			require.Equal(t, x.keyword, e.Keyword, err)
			require.NotEmpty(t, e.Keyword+e.Fragment, err)
		})
	}
}

// A first mask beyond its budget names its most expensive part.
func TestCausesOfLimits(t *testing.T) {
	b := limits.DefaultBudgets()
	b.Mask = 50
	c := New(fewTokens(t), Config{Budgets: &b})
	for _, x := range []struct {
		kind       source.Kind
		spec, says string
	}{
		{
			source.EBNF, "root ::= s s s | t s\ns ::= t? s | \"\" | \"a\"? s t | [a-c]? t\nt ::= s s | [a-f]?",
			"the grammar is ambiguous here",
		},
		{source.Regex, "(?=.*a.{5})(?=.*b.{4}).*", "several patterns apply to one string"},
		{
			source.JSONSchema, `{"type": "array", "uniqueItems": true, "contains": {"type": "integer"}}`,
			"several schemas are tested side by side",
		},
	} {
		_, err := c.Compile(x.kind, []byte(x.spec), new(source.Options))
		require.ErrorContains(t, err, "the first mask takes more than 50 steps, or one byte of it more than ", x.spec)
		require.ErrorContains(t, err, x.says, x.spec)
	}
}

// manyLeft returns n rules that begin with one another.
func manyLeft(n int) string {
	name := func(i int) string { return "x" + strings.Repeat("y", i%n) }
	var b strings.Builder
	for i := range n {
		b.WriteString(name(i) + " ::= " + name(i+1) + " \"a\" | \"b\"\n")
	}
	return b.String()
}
