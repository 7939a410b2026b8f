package jsonschema_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// manyProperties is an object schema with n properties.
func manyProperties(n int) string {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"name%d":{"type":"string","description":"d","maxLength":%d}`, i, 10+i%7)
	}
	b.WriteString(`},"required":[`)
	for i := 0; i < n; i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"name%d"`, i)
	}
	b.WriteString(`]}`)
	return b.String()
}

// timeOf returns the better of two times, since other work on the machine only ever adds to one.
func timeOf(t *testing.T, schema string) time.Duration {
	t.Helper()
	best := time.Hour
	for range 2 {
		start := time.Now()
		_, _, err := jsonschema.Compile(terminal.NewStore(), []byte(schema), nil)
		require.NoError(t, err)
		best = min(best, time.Since(start))
	}
	return best
}

func TestManyPropertiesAreNearLinear(t *testing.T) {
	timeOf(t, manyProperties(5000))
	small, large := timeOf(t, manyProperties(5000)), timeOf(t, manyProperties(50_000))
	t.Log(small, large)
	require.Less(t, large, max(60*small, 5*time.Second)) // ten times the input; quadratic would be a hundred times the work
}

func TestManyMergedPropertiesAreNearLinear(t *testing.T) {
	merged := func(n int) string {
		return `{"allOf":[` + manyProperties(n) + `,` + manyProperties(n) + `]}`
	}
	small, large := timeOf(t, merged(2000)), timeOf(t, merged(20_000))
	t.Log(small, large)
	require.Less(t, large, max(60*small, 5*time.Second))
}

func TestManyValues(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"enum":[`)
	for i := range 100_000 {
		fmt.Fprintf(&b, `"value number %d",`, i*7919%1_000_003)
	}
	b.WriteString(`"x"]}`)
	r, _, err := compile(terminal.NewStore(), b.String(), nil)
	require.NoError(t, err)
	require.True(t, r.accepts(`"value number 7919"`))
	require.False(t, r.accepts(`"value number 1000004"`))
}

func TestNestedAlternativesEnd(t *testing.T) {
	s := `{"type":"null"}`
	for i := range 30 {
		s = fmt.Sprintf(`{"oneOf":[{"type":"object","properties":{"p%d":%s},"required":["p%d"]},%s]}`, i, `{"type":"integer"}`, i, s)
	}
	start := time.Now()
	_, _, err := jsonschema.Compile(terminal.NewStore(), []byte(s), nil)
	t.Log(time.Since(start), err)
	require.Less(t, time.Since(start), 5*time.Second)
	_, notes, err := compile(terminal.NewStore(), s, &source.Options{Lenient: true})
	require.NoError(t, err)
	require.True(t, hasWider(notes))
	r, _, err := compile(terminal.NewStore(), `{"type":"array","items":{"type":"integer"},"maxItems":1000000,"minItems":100000}`, nil)
	require.NoError(t, err)
	require.False(t, r.accepts(`[1]`))
	deep := strings.Repeat(`{"allOf":[`, 4500) + `{"type":"null"}` + strings.Repeat(`]}`, 4500)
	_, _, err = compile(terminal.NewStore(), deep, nil)
	require.ErrorContains(t, err, "levels deep")
}

func TestCheckThenLower(t *testing.T) {
	c, err := jsonschema.Check([]byte(`{"type":"object","properties":{"a":{"type":"string","pattern":"^a+$"}},"patternProperties":{"^b":{"type":"null"}},"required":["a"]}`), &source.Options{})
	require.NoError(t, err)
	for range 2 {
		g, err := c.Lower(terminal.NewStore())
		require.NoError(t, err)
		require.NotZero(t, g.Start)
	}
	_, err = jsonschema.Check([]byte(`{"$ref":"http://example.com/other"}`), nil)
	require.ErrorContains(t, err, "documents")
	_, err = jsonschema.Check([]byte(`{"allOf":[{"type":"array"},{"type":"null"}]}`), nil)
	require.ErrorContains(t, err, "satisfy")
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		`{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`,
		`{"oneOf":[{"type":"integer","minimum":3},{"multipleOf":0.25}],"not":{"const":5}}`,
		`{"patternProperties":{"^a":{"pattern":"b+"},"b$":false},"propertyNames":{"maxLength":4}}`,
		`{"if":{"required":["a"]},"then":{"properties":{"b":{"enum":[1,{}]}}},"dependencies":{"c":["d"]}}`,
		`{"prefixItems":[true,{"type":"null"}],"items":{"anyOf":[{"format":"date"},{"const":[1]}]},"contains":{"const":1},"maxItems":3}`,
		`{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"not":{"$ref":"#/$defs/b"}}]},"b":{"type":["string","null"],"minLength":2}},"$ref":"#/$defs/a"}`,
		`{"$id":"http://a/b","$defs":{"c":{"$id":"d","$anchor":"e"}},"$ref":"d#e"}`,
		`{"exclusiveMinimum":1e-3,"maximum":12345678901234567890.5,"type":"number"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, schema []byte) {
		if len(schema) > 2000 {
			return
		}
		slow := time.AfterFunc(10*time.Second, func() { panic(fmt.Sprintf("more than ten seconds: %q", schema)) })
		defer slow.Stop()
		st := terminal.NewStore()
		g, _, err := jsonschema.Compile(st, schema, nil)
		if err == nil {
			require.NotZero(t, g.Start)
		} else {
			require.NotContains(t, err.Error(), "internal")
		}
		_, _, err = jsonschema.Compile(st, schema, &source.Options{Lenient: true, AllNumberForms: true, Compact: true})
		_ = err
	})
}

func BenchmarkTool(b *testing.B) {
	s := []byte(`{"type":"object","properties":{"city":{"type":"string","description":"The city to look up"},"unit":{"type":"string","enum":["celsius","fahrenheit"]},"days":{"type":"integer","minimum":1,"maximum":14},"tags":{"type":"array","items":{"type":"string"}}},"required":["city"],"additionalProperties":false}`)
	b.Run("compile", func(b *testing.B) {
		st := terminal.NewStore()
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := jsonschema.Compile(st, s, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("check", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := jsonschema.Check(s, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
