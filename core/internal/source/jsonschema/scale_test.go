package jsonschema_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/work"
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

// workOf compiles a schema and returns how much work was counted.
func workOf(t *testing.T, schema string) int {
	t.Helper()
	m := work.New(0, nil)
	st := terminal.NewStore()
	st.SetWork(m)
	_, _, err := jsonschema.Compile(st, []byte(schema), &source.Options{Work: m})
	require.NoError(t, err)
	return math.MaxInt - m.Left()
}

func TestManyPropertiesAreNearLinear(t *testing.T) {
	small, large := workOf(t, manyProperties(5000)), workOf(t, manyProperties(50_000))
	t.Log(small, large)
	require.Less(t, large, 20*small) // ten times the input
}

func TestManyMergedPropertiesAreNearLinear(t *testing.T) {
	merged := func(n int) string {
		return `{"allOf":[` + manyProperties(n) + `,` + manyProperties(n) + `]}`
	}
	small, large := workOf(t, merged(2000)), workOf(t, merged(20_000))
	t.Log(small, large)
	require.Less(t, large, 20*small)
}

func TestManyValues(t *testing.T) {
	r, _, err := compile(terminal.NewStore(), `{"enum":[`+list(100_000, `"value number %d"`)+`,"x"]}`, nil)
	require.NoError(t, err)
	require.True(t, r.accepts(`"value number 7919"`))
	require.False(t, r.accepts(`"value number 100001"`))
}

// list is n pieces of text, the number of each in it, with commas.
func list(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, strings.ReplaceAll(format, "%d", "%[1]d"), i)
	}
	return b.String()
}

func nested(n int, before, inside, after string) string {
	return strings.Repeat(before, n) + inside + strings.Repeat(after, n)
}

// grown puts a schema n times into another.
func grown(n int, format string) string {
	s := `{"type":"null"}`
	for i := range n {
		s = strings.NewReplacer("$SCHEMA", s, "$N", fmt.Sprint(i)).Replace(format)
	}
	return s
}

// TestScale compiles schemas that are large, deep, or have many alternatives. Each compiles or spends a budget, within
// 512 MiB. The log says how long that took and how much work was counted.
func TestScale(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds; run without -short")
	}
	const memory = 512 << 20
	inOrder, anyOrder := source.Options{}, source.Options{AnyOrder: true}
	allForms := source.Options{AllNumberForms: true}
	for _, c := range []struct {
		name, schema string
		o            source.Options
	}{
		{"900 KB of properties", manyProperties(13_500), inOrder},
		{"900 KB of definitions", `{"$defs":{` + list(9_000,
			`"d%d":{"properties":{"all":{"$ref":"#"},"v":{"minimum":%d}}}`) + `},"properties":{` +
			list(9_000, `"p%d":{"$ref":"#/$defs/d%d"}`) + `}}`, inOrder},
		{"900 KB of alternatives", `{"anyOf":[` + list(9_000,
			`{"type":"object","properties":{"k":{"const":"v%d"},"x":{"type":"integer"}},"required":["k"]}`) +
			`]}`, inOrder},
		{"900 KB of description", `{"description":"` + strings.Repeat("x ", 450_000) + `","type":"object"}`, inOrder},
		{"50,000 properties", manyProperties(50_000), inOrder},
		{"50,000 properties in any order", manyProperties(50_000), anyOrder},
		{"50,000 required names", `{"type":"object","required":[` + list(50_000, `"name%d"`) + `]}`, inOrder},
		{"2,000 dependencies", `{"type":"object","dependentRequired":{` + list(2000, `"a%d":["b%d"]`) + `}}`, inOrder},
		{"100,000 strings", `{"enum":[` + list(100_000, `"value %d"`) + `]}`, inOrder},
		{"100,000 strings beside keywords", `{"minLength":3,"pattern":"^v","enum":[` + list(100_000,
			`"value %d"`) + `]}`, inOrder},
		{"100,000 strings excluded", `{"type":"string","not":{"enum":[` + list(100_000, `"value %d"`) + `]}}`, inOrder},
		{"100,000 strings, each once", `{"type":"array","uniqueItems":true,"items":{"enum":[` + list(100_000,
			`"value %d"`) + `]}}`, inOrder},
		{"100,000 integers", `{"enum":[` + list(100_000, `%d`) + `]}`, inOrder},
		{"100,000 integers in all forms", `{"enum":[` + list(100_000, `%d`) + `]}`, allForms},
		{"50,000 fractions", `{"enum":[` + list(50_000, `%d.5`) + `]}`, inOrder},
		{"20,000 objects", `{"enum":[` + list(20_000, `{"a":%d,"b":"x"}`) + `]}`, inOrder},
		{"3,000 levels of properties", nested(3000, `{"type":"object","required":["a"],"properties":{"a":`, "true",
			`}}`), inOrder},
		{"3,000 levels of items", nested(3000, `{"type":"array","items":`, "true", `}`), inOrder},
		{"3,000 levels of allOf", nested(3000, `{"allOf":[`, "true", `]}`), inOrder},
		{"3,000 levels of anyOf", nested(3000, `{"anyOf":[{"type":"null"},`, `{"type":"string"}`, `]}`), inOrder},
		{"3,000 levels of oneOf", nested(3000, `{"oneOf":[{"type":"null"},`, `{"type":"string"}`, `]}`), inOrder},
		{"3,000 levels of not", nested(3000, `{"not":`, `{"type":"string"}`, `}`), inOrder},
		{"3,000 levels of else", nested(3000, `{"if":{"type":"null"},"else":`, `{"type":"string"}`, `}`), inOrder},
		{"3,000 levels of a value", `{"const":` + nested(3000, `[`, `1`, `]`) + `}`, inOrder},
		{
			"a million items", `{"type":"array","items":{"type":"integer"},"maxItems":1000000,"minItems":500000}`,
			inOrder,
		},
		{"a million items, one of them " +
			"known", `{"type":"array","prefixItems":[{"type":"string"}],"contains":{"const":5},` +
			`"maxItems":1000000}`, inOrder},
		{"a million matching items", `{"type":"array","contains":{"const":5},"minContains":1000000}`, inOrder},
		{
			"a million characters", `{"type":"string","pattern":"^[ab]*c","minLength":999999,"maxLength":1000000}`,
			inOrder,
		},
		{"a million members", `{"type":"object","minProperties":999999,"maxProperties":1000000}`, inOrder},
		{"30 levels of oneOf, " +
			"objects", grown(30, `{"oneOf":[{"type":"object","properties":{"p$N":{"type":"integer"}},`+
			`"required":["p$N"]},$SCHEMA]}`), inOrder},
		{"30 levels of oneOf, " +
			"properties", grown(30, `{"oneOf":[{"properties":{"p$N":$SCHEMA}},`+
			`{"properties":{"q$N":{"type":"integer"}}}]}`), inOrder},
		{"30 levels of oneOf, lengths", grown(30, `{"oneOf":[{"minLength":$N},{"maxLength":1$N},$SCHEMA]}`), inOrder},
		{"30 levels of oneOf, items", grown(30, `{"oneOf":[$SCHEMA,{"items":{"maximum":$N}}]}`), inOrder},
		{"30 levels of not and " +
			"anyOf", grown(30, `{"not":{"anyOf":[$SCHEMA,{"minimum":$N,"required":["a$N"]}]}}`), inOrder},
		{"oneOf of 4,000 objects", `{"oneOf":[` + list(4000,
			`{"type":"object","properties":{"k":{"const":"v%d"},"x":{"type":"integer"}},"required":["k"]}`) +
			`]}`, inOrder},
		{"oneOf of 5,000 strings", `{"oneOf":[` + list(5000, `{"const":"v%d"}`) + `]}`, inOrder},
		{"oneOf of 200 that overlap", `{"oneOf":[` + list(200,
			`{"type":"object","properties":{"k%d":{"type":"integer"}}}`) + `]}`, inOrder},
		{"allOf of 1,000 anyOf", `{"allOf":[` + list(1000,
			`{"anyOf":[{"required":["a%d"]},{"required":["b%d"]}]}`) + `]}`, inOrder},
		{
			"1,000 conditions",
			`{"type":"object","properties":{"t":{"type":"string"}},"required":["t"],"allOf":[` +
				list(1000, `{"if":{"properties":{"t":{"const":"v%d"}}},"then":{"required":["b%d"]}}`) + `]}`,
			inOrder,
		},
		{"60 patterns of names", `{"type":"object","patternProperties":{` + list(60,
			`"^a%d_":{"type":"integer"}`) + `}}`, inOrder},
		{"40 patterns that overlap", `{"type":"object","patternProperties":{` + list(40,
			`"a%d":{"maximum":%d}`) + `}}`, inOrder},
		{"200 patterns of one string", `{"type":"string","allOf":[` + list(200, `{"pattern":"a%d"}`) + `]}`, inOrder},
	} {
		t.Run(c.name, func(t *testing.T) {
			took, counted, peak, err := measure(c.schema, c.o)
			t.Logf("%d KB: %v, work %d, %d MiB, %v", len(c.schema)>>10, took, counted, peak>>20, err)
			var d *diag.Error
			if errors.As(err, &d) {
				require.Contains(t, []diag.Code{diag.Limit, diag.Unsupported}, d.Code, d.Message)
				err = nil
			}
			require.NoError(t, err)
			require.Less(t, peak, uint64(memory))
		})
	}
}

// measure compiles a schema as far as its first state, and returns how long that took, how much work was counted and
// how much memory was in use.
func measure(schema string, o source.Options) (took time.Duration, counted int, peak uint64, err error) {
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	stop, top := make(chan bool), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			select {
			case <-stop:
				top <- most
				return
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&now)
				most = max(most, now.HeapAlloc)
			}
		}
	}()
	budget := limits.DefaultBudgets().Compile
	m := work.New(budget, nil)
	st := terminal.NewStore()
	st.SetWork(m)
	o.Work = m
	start := testkit.CPUTime()
	func() {
		defer func() {
			switch r := recover(); r.(type) {
			case nil:
			case work.Ended:
				err = &diag.Error{Code: diag.Limit, Message: "the work of a compilation"}
			default:
				panic(r)
			}
		}()
		_, _, err = compile(st, schema, &o)
	}()
	took = testkit.CPUTime() - start
	close(stop)
	peak = <-top
	return took, budget - m.Left(), max(peak, before.HeapAlloc) - before.HeapAlloc, err
}

func TestTooManyAlternatives(t *testing.T) {
	r, notes, err := compile(terminal.NewStore(), grown(30,
		`{"oneOf":[{"type":"object","properties":{"p$N":{"type":"integer"}},"required":["p$N"]},`+
			`$SCHEMA]}`), &source.Options{AnyOrder: true})
	require.NoError(t, err)
	require.False(t, hasWider(notes))
	for text, valid := range map[string]bool{
		`null`: true, `{}`: false, `{"p5":1}`: true, `{"p5":1,"p6":1}`: false, `{"p5":1,"p6":1,"p7":1}`: true,
		`{"p5":1,"p6":true}`: true, `{"p5":""}`: false,
	} {
		require.Equal(t, valid, r.accepts(text), text)
	}
	s := grown(250, `{"oneOf":[$SCHEMA,{"type":"object","required":["p$N"]}]}`)
	_, _, err = compile(terminal.NewStore(), s, nil)
	require.ErrorContains(t, err, "alternatives")
	_, notes, err = compile(terminal.NewStore(), s, &source.Options{Lenient: true})
	require.NoError(t, err)
	require.True(t, hasWider(notes))
	r, _, err = compile(terminal.NewStore(), `{"type":"array","items":{"type":"integer"},"maxItems":1000000,`+
		`"minItems":100000}`, nil)
	require.NoError(t, err)
	require.False(t, r.accepts(`[1]`))
	_, _, err = compile(terminal.NewStore(), nested(4500, `{"minimum":0,"allOf":[`, `{"type":"null"}`, `]}`), nil)
	require.ErrorContains(t, err, "one through the other")
}

// A schema that is only another one has no rules of its own, whichever keyword says so.
func TestOnlyOthers(t *testing.T) {
	rules := map[string]int{}
	for _, only := range []string{
		`{"$ref":"d0"}`, `{"$dynamicRef":"#x","title":"x"}`, `{"allOf":[{"$ref":"d0"}]}`,
		`{"anyOf":[{"allOf":[{"$dynamicRef":"#x"}]}]}`,
	} {
		for _, n := range []int{10, 40} {
			var defs []string
			for i := range n {
				defs = append(defs, fmt.Sprintf(`"d%d":{"$id":"d%[1]d","$dynamicAnchor":"x","anyOf":[`+
					`{"type":"integer"},{"items":%s},{"$ref":"d%d"}]}`, i, only, (i+1)%n))
			}
			text := `{"$id":"https://example.com/root","$ref":"d0","$defs":{` + strings.Join(defs, ",") + `}}`
			g, _, err := jsonschema.Compile(terminal.NewStore(), []byte(text), nil)
			require.NoError(t, err)
			rules[fmt.Sprint(only, n)] = len(g.Rules)
		}
	}
	for only, count := range rules {
		require.Equal(t, rules[`{"$ref":"d0"}`+only[len(only)-2:]], count, only)
	}
}

// What several members of an anyOf have as members is planned once.
func TestMembersInCommon(t *testing.T) {
	var refs, defs, unions []string
	for i := range 50 {
		refs = append(refs, fmt.Sprintf(`{"$ref":"#/$defs/m%d"}`, i))
		defs = append(defs, fmt.Sprintf(`"m%d":{"required":["p%[1]d"]}`, i))
	}
	members := `{"anyOf":[` + strings.Join(refs, ",") + `]}`
	for range 50 {
		unions = append(unions, members)
	}
	spent := func(schema string) int {
		budget := limits.DefaultBudgets().Compile
		m := work.New(budget, nil)
		_, _, err := jsonschema.Compile(terminal.NewStore(), []byte(`{"type":"object","allOf":[`+schema+`],"$defs":{`+
			strings.Join(defs, ",")+`}}`), &source.Options{Work: m})
		require.NoError(t, err)
		return budget - m.Left()
	}
	require.Less(t, spent(`{"anyOf":[`+strings.Join(unions, ",")+`]}`), 20*spent(members))
}

// The members of an anyOf or an allOf are analysed once, however many schemas refer to it.
func TestMembersAreLookedAtOnce(t *testing.T) {
	spent := func(n int, keyword, member string) int {
		var properties, members []string
		for i := range n {
			properties = append(properties, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/u"}`, i))
			members = append(members, strings.ReplaceAll(member, "NUMBER", strconv.Itoa(i)))
		}
		budget := 1 << 40
		m := work.New(budget, nil)
		_, _, err := jsonschema.Compile(terminal.NewStore(), []byte(`{"type":"object","properties":{`+
			strings.Join(properties, ",")+`},"$defs":{"x":{"type":"string"},"u":{"`+keyword+`":[`+
			strings.Join(members, ",")+`]}}}`), &source.Options{Work: m})
		require.NoError(t, err)
		return budget - m.Left()
	}
	for keyword, member := range map[string]string{"anyOf": `{"const":NUMBER}`, "allOf": `{"$ref":"#/$defs/x"}`} {
		require.Less(t, spent(2000, keyword, member), 3*spent(1000, keyword, member), keyword)
	}
}

// A chain of bare references is followed once, for all schemas that refer to any part of it.
func TestChainOfReferences(t *testing.T) {
	var defs, properties []string
	const n = 3000
	for i := range n {
		defs = append(defs, fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1))
		properties = append(properties, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/d%d"}`, i, i))
	}
	defs = append(defs, fmt.Sprintf(`"d%d":{"type":"integer"}`, n))
	budget := limits.DefaultBudgets().Compile
	m := work.New(budget, nil)
	_, _, err := jsonschema.Compile(terminal.NewStore(), []byte(`{"properties":{`+strings.Join(properties, ",")+
		`},"$defs":{`+strings.Join(defs, ",")+`}}`), &source.Options{Work: m})
	require.NoError(t, err)
	require.Less(t, budget-m.Left(), 1000*n)
}

// A oneOf whose members overlap in too many pairs is refused before the pairs are compared. Any number of members
// compiles if a constant distinguishes them.
func TestOverlappingMembers(t *testing.T) {
	overlapping := func(n int) string {
		return `{"properties":{"x":{"oneOf":[` + list(n, `{"properties":{"k%d":{"type":"integer"}}}`) + `]}}}`
	}
	_, _, err := jsonschema.Compile(terminal.NewStore(), []byte(overlapping(40)), nil)
	require.NoError(t, err)
	var allocated [2]uint64
	for i, n := range []int{1000, 20_000} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err = jsonschema.Compile(terminal.NewStore(), []byte(overlapping(n)), nil)
		runtime.ReadMemStats(&after)
		require.ErrorContains(t, err, "/properties/x/oneOf: more than 8192 pairs of its "+fmt.Sprint(n)+" members "+
			"overlap")
		allocated[i] = after.TotalAlloc - before.TotalAlloc
	}
	require.Less(t, allocated[1], 25*allocated[0])

	_, notes, err := jsonschema.Compile(terminal.NewStore(), []byte(overlapping(1000)), &source.Options{Lenient: true})
	require.NoError(t, err)
	require.NotEmpty(t, notes)

	told := `{"oneOf":[` + list(2000, `{"type":"object","properties":{"k":{"const":%d}},"required":["k"]}`) + `]}`
	_, _, err = jsonschema.Compile(terminal.NewStore(), []byte(told), nil)
	require.NoError(t, err)
}

// Members that constants distinguish compile in any number, also without a type and as members of members.
func TestMembersOfWideOneOf(t *testing.T) {
	const member = `{"properties":{"k":{"const":%d}},"required":["k"],"additionalProperties":false}`
	r, _, err := compile(terminal.NewStore(), `{"oneOf":[{"oneOf":[`+list(100, member)+`]},{"type":"object",`+
		`"properties":{"k":{"const":"x"}},"required":["k"]}]}`, &source.Options{Compact: true})
	require.NoError(t, err)
	for text, valid := range map[string]bool{
		`{"k":7}`: true, `{"k":"x"}`: true, `{"k":"x","l":1}`: true, `{"k":100}`: false, `{"k":7,"l":1}`: false,
		`{}`: false, `""`: false, `1`: false,
	} {
		require.Equal(t, valid, r.accepts(text), text)
	}

	var events []string
	for i := range 40 {
		events = append(events, fmt.Sprintf(`{"oneOf":[%s]}`, list(10, `{"type":"object","properties":{`+
			`"action":{"const":%d},"p`+strconv.Itoa(i)+`":{}},"required":["action","p`+strconv.Itoa(i)+`"],`+
			`"additionalProperties":false}`)))
	}
	m := work.New(limits.DefaultBudgets().Compile, nil)
	_, notes, err := jsonschema.Compile(terminal.NewStore(), []byte(`{"oneOf":[`+strings.Join(events, ",")+`]}`),
		&source.Options{Work: m})
	require.NoError(t, err)
	require.Empty(t, notes)
	require.Less(t, limits.DefaultBudgets().Compile-m.Left(), 10_000_000)

	var defs []string
	for i := range 12 {
		defs = append(defs, strings.ReplaceAll(`"dN":{"oneOf":[{"allOf":[{"$ref":"#/$defs/d`+strconv.Itoa(i+1)+`"}],`+
			`"required":["xN"]},{"allOf":[{"$ref":"#/$defs/d`+strconv.Itoa(i+1)+`"}],"required":["yN"]}]}`, "N",
			strconv.Itoa(i)))
	}
	m = work.New(limits.DefaultBudgets().Compile, nil)
	_, _, err = jsonschema.Compile(terminal.NewStore(), []byte(`{"$ref":"#/$defs/d0","$defs":{`+
		strings.Join(defs, ",")+`,"d12":{"type":"object","required":["z"]}}}`), &source.Options{Work: m})
	require.NoError(t, err)
}

func TestCheckThenLower(t *testing.T) {
	c, err := jsonschema.Check([]byte(`{"type":"object","properties":{"a":{"type":"string","pattern":"^a+$"}},`+
		`"patternProperties":{"^b":{"type":"null"}},"required":["a"]}`), &source.Options{})
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
		`{"prefixItems":[true,{"type":"null"}],"items":{"anyOf":[{"format":"date"},{"const":[1]}]},` +
			`"contains":{"const":1},"maxItems":3}`,
		`{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"not":{"$ref":"#/$defs/b"}}]},"b":{"type":["string","null"],` +
			`"minLength":2}},"$ref":"#/$defs/a"}`,
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
	s := []byte(`{"type":"object","properties":{"city":{"type":"string","description":"The city to look ` +
		`up"},"unit":{"type":"string","enum":["celsius","fahrenheit"]},"days":{"type":"integer","minimum":1,` +
		`"maximum":14},"tags":{"type":"array","items":{"type":"string"}}},"required":["city"],` +
		`"additionalProperties":false}`)
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

func TestTooManyProperties(t *testing.T) {
	_, _, err := jsonschema.Compile(terminal.NewStore(), []byte(manyProperties(limits.SchemaGoals+1)), nil)
	var e *diag.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, diag.Limit, e.Code)
	require.Regexp(t, "^/properties/name[0-9]+$", e.Place.Pointer)
	require.Contains(t, e.Message, "combinations of subschemas")
}
