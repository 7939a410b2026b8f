package structag

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/work"
)

func TestErrors(t *testing.T) {
	tag := func(begin, content string) string {
		return `{"begin": "` + begin + `", "content": ` + content + `, "end": "."}`
	}
	triggered := func(fields string) string { return format(`{"type": "triggered_tags", ` + fields + `}`) }
	for _, c := range []struct {
		spec, pointer, want string
		code                diag.Code
	}{
		{`[]`, "", "a structural tag must be a JSON object, not an array", diag.Invalid},
		{`{}`, "", `a structural tag has a "format", or "structures" and "triggers"; this document has ` +
			`neither`, diag.Invalid},
		{`{"type": 1, "format": {}}`, "/type", `the type of the document must be "structural_tag"`, diag.Invalid},
		{`{"format": {}, "structures": []}`, "", "both structures and format", diag.Invalid},
		{format(`[]`), "/format", "a format must be an object with a type, not an array", diag.Invalid},
		{format(`{}`), "/format", `the field "type" is missing here`, diag.Invalid},
		{format(`{"type": 1}`), "/format/type", "the type of a format must be a string, not a number", diag.Invalid},
		{format(`{"type": "text"}`), "/format/type", `there is no format "text"`, diag.Invalid},
		{
			format(`{"type": "any text"}`),
			"/format/type", `there is no format "any text"; known are const_string, json_schema, any_text, `,
			diag.Invalid,
		},
		{
			format(`{"type": "any_text", "exclude": ["x"]}`),
			"/format/exclude", `there is no field "exclude" here; known are type, excludes, max_chars`, diag.Invalid,
		},
		{format(`{"type": "dispatch"}`), "/format", `the field "rules" is missing here`, diag.Invalid},
		{
			format(`{"type": "dispatch", "rules": []}`),
			"/format/rules", "rules must have at least one element", diag.Invalid,
		},
		{
			format(`{"type": "dispatch", "rules": [["a"]]}`),
			"/format/rules/0", "a rule is a list of two elements", diag.Invalid,
		},
		{
			format(`{"type": "dispatch", "rules": [["", ` + number + `]]}`),
			"/format/rules/0/0", "a rule must begin with a string of at least one character", diag.Invalid,
		},
		{
			format(`{"type": "dispatch", "rules": [["a", 5]]}`),
			"/format/rules/0/1", "a format must be an object", diag.Invalid,
		},
		{
			format(`{"type": "dispatch", "rules": [["a", ` + number + `]], "loop": 1}`),
			"/format/loop", "loop must be true or false, not a number", diag.Invalid,
		},
		{
			format(`{"type": "dispatch", "rules": [["ab", ` + number + `]], "excludes": ["a"]}`),
			"/format/excludes/0", `the trigger "ab" begins with this excluded string`, diag.Invalid,
		},
		{
			format(`{"type": "token_dispatch", "rules": [["x", ` + number + `]]}`),
			"/format/rules/0/0", `the vocabulary has no special or added token "x"`, diag.Invalid,
		},
		{
			format(`{"type": "token_dispatch", "rules": [[7, ` + number + `]], "exclude_tokens": [5, 7]}`),
			"/format/exclude_tokens/1", "excluded token number 2 opens tags", diag.Invalid,
		},
		{
			format(`{"type": "token_triggered_tags", "tags": []}`),
			"/format", `the field "trigger_tokens" is missing here`, diag.Invalid,
		},
		{
			format(`{"type": "token_triggered_tags", "trigger_tokens": []}`),
			"/format/trigger_tokens", "trigger_tokens must have at least one element", diag.Invalid,
		},
		{
			format(`{"type": "token_triggered_tags", "trigger_tokens": [7]}`),
			"/format", `the field "tags" is missing here`, diag.Invalid,
		},
		{
			format(`{"type": "token_triggered_tags", "trigger_tokens": [7], "tags": [` + tag("x", number) + `]}`),
			"/format/tags/0/begin", "a begin must be one of trigger_tokens here", diag.Invalid,
		},
		{
			format(`{"type": "token_triggered_tags", "trigger_tokens": [7], "tags": [{"begin": {"token": 8},
				"content": ` + number + `, "end": ""}]}`),
			"/format/tags/0/begin", "a begin must be one of trigger_tokens here", diag.Invalid,
		},
		{format(`{"type": "qwen_xml_parameter"}`), "/format", "is missing", diag.Invalid},
		{format(`{"type": "const_string"}`), "/format", `the field "value" is missing here`, diag.Invalid},
		{format(`{"type": "const_string", "value": 1}`), "/format/value", "value must be a string, not a " +
			"number", diag.Invalid},
		{format(`{"type": "any_text", "max_tokens": -5}`), "/format/max_tokens", "0 or more", diag.Invalid},
		{
			format(`{"type": "any_text", "max_chars": -1}`),
			"/format/max_chars", "max_chars must be 0 or more, or null", diag.Invalid,
		},
		{
			format(`{"type": "any_text", "max_chars": 1.5}`),
			"/format/max_chars", "max_chars must be a whole number", diag.Invalid,
		},
		{
			format(`{"type": "any_text", "max_chars": 16777217}`),
			"/format/max_chars", "at most 16777216 characters", diag.Limit,
		},
		{format(`{"type": "any_text", "excludes": "x"}`), "/format/excludes", "excludes must be a list of strings, not a " +
			"string", diag.Invalid},
		{format(`{"type": "any_text", "excludes": ["x", ""]}`), "/format/excludes/1", "every element of excludes must be a " +
			"string with at least one character", diag.Invalid},
		{format(`{"type": "json_schema"}`), "/format", `the field "json_schema" is missing here`, diag.Invalid},
		{format(`{"type": "json_schema", "json_schema": {"type": 5}}`), "/format/json_schema/type", "", diag.Invalid},
		{
			format(`{"type": "json_schema", "json_schema": true, "style": "nope"}`), "/format/style",
			`there is no style "nope"; known are json, qwen_xml, `, diag.Invalid,
		},
		{
			format(`{"type": "json_schema", "json_schema": {"type": "integer"}, "style": "qwen_xml"}`),
			"/format/json_schema", "the style qwen_xml writes objects only", diag.Unsatisfiable,
		},
		{format(`{"type": "json_schema", "json_schema": true, "any_order": 1}`), "/format/any_order", "any_order must be " +
			"true or false, not a number", diag.Invalid},
		{format(`{"type": "json_schema", "json_schema": true, "max_whitespace_cnt": ` +
			`-1}`), "/format/max_whitespace_cnt", "max_whitespace_cnt must be 0 or more, or null", diag.Invalid},
		{format(`{"type": "json_schema", "json_schema": true, "max_whitespace_cnt": ` +
			`1.5}`), "/format/max_whitespace_cnt", "must be a whole number below 4294967295, not 1.5", diag.Invalid},
		{
			format(`{"type": "json_schema", "json_schema": true, "excludes": [""]}`), "/format/excludes/0",
			"must be a string with at least one character", diag.Invalid,
		},
		{format(`{"type": "regex", "pattern": "a("}`), "/format/pattern", "line 1, column", diag.Syntax},
		{format(`{"type": "regex", "pattern": "(a)\\1"}`), "/format/pattern", "", diag.Unsupported},
		{
			format(`{"type": "json_schema", "json_schema": {"properties": {"x": {"multipleOf": ` +
				`99999999999999999989}}}}`),
			"/format/json_schema/properties/x/multipleOf", "a divisor may have at most 18 digits", diag.Unsupported,
		},
		{format(`{"type": "grammar", "grammar": "root ::= x"}`), "/format/grammar", "line 1, column 10: rule \"x\" is " +
			"not defined; define it with x ::= …\n    root ::= x\n             ^", diag.Invalid},
		{format(`{"type": "sequence"}`), "/format", `the field "elements" is missing here`, diag.Invalid},
		{format(`{"type": "or", "elements": []}`), "/format/elements", "elements must have at least one " +
			"element", diag.Invalid},
		{format(`{"type": "or", "elements": [{"type": "any_text"}, 5]}`), "/format/elements/1", "a format must be an " +
			"object", diag.Invalid},
		{format(`{"type": "optional"}`), "/format", `the field "content" is missing here`, diag.Invalid},
		{format(`{"type": "repeat", "content": {"type": "any_text"}, "min": 1}`), "/format", `the field "max" is ` +
			`missing here`, diag.Invalid},
		{format(`{"type": "repeat", "content": {"type": "any_text"}, "min": -1, "max": 2}`), "/format/min", "min " +
			"must be a whole number of 0 or more", diag.Invalid},
		{format(`{"type": "repeat", "content": {"type": "any_text"}, "min": 3, "max": 2}`), "/format", "min 3 is " +
			"above max 2", diag.Invalid},
		{format(`{"type": "tag", "begin": "a", "content": {"type": "any_text"}}`), "/format", `the field "end" is ` +
			`missing here`, diag.Invalid},
		{format(`{"type": "tag", "begin": 1, "content": {"type": "any_text"}, "end": "x"}`), "/format/begin", "begin " +
			"must be a string or a token format, not a number", diag.Invalid},
		{format(`{"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": []}`), "/format/end", "end " +
			"must be a string, a list of at least one string, or a token format", diag.Invalid},
		{format(`{"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": ["x", ` +
			`1]}`), "/format/end/1", "every end in the list must be a string, not a number", diag.Invalid},
		{format(`{"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": {"type": ` +
			`"any_text"}}`), "/format/end", "a begin or end must be a string or", diag.Invalid},
		{format(`{"type": "tag", "begin": {"type": "token", "token": "x"}, "content": {"type": "any_text"}, "end": ` +
			`""}`), "/format/begin/token", `the vocabulary has no special or added token "x"`, diag.Invalid},
		{format(`{"type": "token", "token": 1000}`), "/format/token", "token id 1000 does not exist; the vocabulary " +
			"has ids below 1000", diag.Invalid},
		{format(`{"type": "token", "token": -1}`), "/format/token", "a token id must be a whole number of 0 or " +
			"more", diag.Invalid},
		{format(`{"type": "token", "token": []}`), "/format/token", "a token is given by its id or its text, not by " +
			"an array", diag.Invalid},
		{format(`{"type": "any_tokens", "exclude_tokens": 5}`), "/format/exclude_tokens", "exclude_tokens must be a list " +
			"of token ids or texts, not a number", diag.Invalid},
		{format(`{"type": "any_tokens", "exclude_tokens": [5, 7000]}`), "/format/exclude_tokens/1", "token id 7000 " +
			"does not exist", diag.Invalid},
		{triggered(`"triggers": ["<"]`), "/format", `the field "tags" is missing here`, diag.Invalid},
		{triggered(`"triggers": ["<"], "tags": []`), "/format/tags", "tags must have at least one " +
			"element", diag.Invalid},
		{triggered(`"triggers": [], "tags": [` + tag("<a", number) +
			`]`), "/format/triggers", "triggers must have at least one element", diag.Invalid},
		{triggered(`"triggers": [""], "tags": [` + tag("<a", number) +
			`]`), "/format/triggers/0", "every element of triggers must be a string with at least one " +
			"character", diag.Invalid},
		{triggered(`"triggers": ["<"], "tags": [` + number + `]`), "/format/tags/0", "every element of tags must " +
			"be a format of type tag", diag.Invalid},
		{triggered(`"triggers": ["<"], "tags": [` + tag("<a", number) + "," + tag("a", number) +
			`]`), "/format/tags/1/begin", "this begin starts with none of the triggers; add a trigger with which " +
			"it starts", diag.Invalid},
		{triggered(`"triggers": ["<"], "at_least_one": "yes", "tags": [` + tag("<a", number) +
			`]`), "/format/at_least_one", "at_least_one must be true or false, not a string", diag.Invalid},
		{
			triggered(`"triggers": ["<"], "tags": [{"begin": {"token": 5}, "content": ` + number + `, "end": ""}]`),
			"/format/tags/0/begin", "a tag that begins with a token cannot have a string as its trigger", diag.Invalid,
		},
		{triggered(`"triggers": ["<"], "tags": [` + tag("<a", `{"type": "json_schema", "json_schema": {"properties": `+
			`{"a": {"uniqueItems": `+
			`5}}}}`) + `]`), "/format/tags/0/content/json_schema/properties/a/uniqueItems", "", diag.Invalid},
		{format(`{"type": "tags_with_separator", "tags": [` + tag("a", number) +
			`]}`), "/format", `the field "separator" is missing here`, diag.Invalid},
		{`{"structures": [{"begin": "a", "end": "b"}], "triggers": ["a"]}`, "/structures/0", `the field "schema" is ` +
			`missing here`, diag.Invalid},
		{`{"structures": [], "triggers": ["a"]}`, "/structures", "structures must have at least one " +
			"element", diag.Invalid},
		{`{"structures": [5], "triggers": ["a"]}`, "/structures/0", "a structure must be an object with begin, schema and " +
			"end, not a number", diag.Invalid},
		{`{"structures": [{"begin": "a", "schema": {}, "end": "b"}]}`, "", `the field "triggers" is missing ` +
			`here`, diag.Invalid},
		{`{"structures": [{"begin": "a", "schema": {}, "end": "b"}], "triggers": ` +
			`["b"]}`, "/structures/0/begin", "this begin starts with none of the triggers", diag.Invalid},
		{`{"structures": [{"begin": "a", "schema": "{", "end": "b"}], "triggers": ` +
			`["a"]}`, "/structures/0/schema", "line 1, column 2: ", diag.Syntax},
		{format(strings.Repeat(`{"type": "optional", "content": `, 300) + `{"type": "any_text"}` +
			strings.Repeat("}", 300)), "", "formats nest deeper than 256 levels", diag.Limit},
	} {
		t.Run(fmt.Sprintf("%.60s", c.spec), func(t *testing.T) {
			_, _, err := Compile(terminal.NewStore(), []byte(c.spec), options())
			var e *diag.Error
			require.True(t, errors.As(err, &e), "%v", err)
			require.Contains(t, err.Error(), c.want)
			require.Equal(t, c.code, e.Code, "%v", err)
			require.Equal(t, "structural_tag", e.Source)
			require.True(t, e.Place.HasPointer)
			if c.code != diag.Limit {
				require.Equal(t, c.pointer, e.Place.Pointer)
			}
		})
	}
}

func TestNoJSON(t *testing.T) {
	_, _, err := Compile(terminal.NewStore(), []byte("{\n\"type\": }"), options())
	require.ErrorContains(t, err, "structural_tag:2:9: ")
}

// Every format has a line in the table of capabilities, whose example a test of package core compiles.
func TestCapabilitiesNameEveryFormat(t *testing.T) {
	var names []string
	for _, c := range Capabilities() {
		names = append(names, c.Name)
	}
	for _, s := range shapes() {
		require.Contains(t, names, s.name)
	}
}

func TestTokensWithoutVocabulary(t *testing.T) {
	_, _, err := Compile(terminal.NewStore(), []byte(format(`{"type": "token", "token": "<|call|>"}`)),
		&source.Options{})
	require.ErrorContains(t, err, "can only be looked up in a vocabulary; write its id")
}

// TestNotes: fields without effect are notes; empty fields are not.
func TestNotes(t *testing.T) {
	_, _, notes := compile(t, `{"type": "structural_tag", "version/1": 2, "name": "x", "format": {"type": "sequence",
		"elements": [
		{"type": "json_schema", "json_schema": true, "style": "json", "any_order": false, "max_whitespace_cnt": null,
			"excludes": []},
		{"type": "any_text", "excludes": [], "max_tokens": null, "max_chars": null, "style": "json"}]}}`)
	var pointers []string
	for _, n := range notes {
		require.Equal(t, diag.Ignored, n.Effect)
		pointers = append(pointers, n.Pointer)
	}
	require.Equal(t, []string{"/version~11", "/name"}, pointers)
}

func TestNotesOfSchemasHaveTheirPlace(t *testing.T) {
	_, _, notes := compile(t, format(`{"type": "tag", "begin": "", "end": "", "content": {"type": "json_schema", `+
		`"json_schema": {"properties": {"a": {"type": "string", "format": "no-such-format"}}}}}`))
	require.NotEmpty(t, notes)
	require.True(t, strings.HasPrefix(notes[0].Pointer, "/format/content/json_schema/"), notes[0].Pointer)
}

// TestEqualSchemasAreOne: many tools share a schema; it is checked once and becomes one rule.
func TestEqualSchemasAreOne(t *testing.T) {
	_, g, _ := compile(t, format(tools+`, "excludes": []}`))
	lazy := func() (n int) {
		for _, r := range g.Rules {
			if r.Lazy != nil {
				n++
			}
		}
		return n
	}
	require.Equal(t, 2, lazy())
	_, g, _ = compile(t, format(`{"type": "sequence", "elements": [`+number+`, `+number+`, {"type": "json_schema", `+
		`"json_schema": {"type": "integer"}, "max_whitespace_cnt": 3}]}`))
	require.Equal(t, 2, lazy())
}

// TestEqualListsAreOne: a repeated list of tags makes no more rules, and continues as each place does.
func TestEqualListsAreOne(t *testing.T) {
	const list = `{"type": "tags_with_separator", "separator": ",", "at_least_one": true, "tags": [{"type": "tag", ` +
		`"begin": "<f>", "content": ` + number + `, "end": "."}]}`
	text := func(s string) string { return `{"type": "const_string", "value": "` + s + `"}` }
	sequence := func(of ...string) string {
		return format(`{"type": "sequence", "elements": [` + strings.Join(of, ", ") + `]}`)
	}
	_, once, _ := compile(t, sequence(list, text("x")))
	st, twice, _ := compile(t, sequence(list, text("x"), list, text("y")))
	require.Len(t, twice.Rules, len(once.Rules))
	accepts := engine(t, st, twice)
	require.True(t, accepts([]byte("<f>1.x<f>2.,<f>3.y")))
	require.False(t, accepts([]byte("<f>1.y<f>2.x")))
	require.False(t, accepts([]byte("<f>1.x<f>2.x")))
}

// TestManyTriggers: a document may have a trigger for each of a thousand tools.
func TestManyTriggers(t *testing.T) {
	var triggers, tags []string
	for i := range 1000 {
		triggers = append(triggers, fmt.Sprintf(`"<f%d>"`, i))
		tags = append(tags, fmt.Sprintf(`{"begin": "<f%d>", "content": %s, "end": "</f>"}`, i, number))
	}
	spec := format(`{"type": "triggered_tags", "triggers": [` + strings.Join(triggers, ",") + `], "tags": [` +
		strings.Join(tags, ",") + `]}`)
	m := work.New(0, nil)
	st := terminal.NewStore()
	st.SetWork(m)
	o := options()
	o.Work = m
	g, _, err := Compile(st, []byte(spec), o)
	require.NoError(t, err)
	require.Less(t, math.MaxInt-m.Left(), 100*len(spec))
	accepts := engine(t, st, g)
	require.True(t, accepts([]byte("a<f999>5</f> <f1000 <f0>1</f>")))
	require.False(t, accepts([]byte("<f999>x")))
}

// FuzzStructuralTag checks that no document makes the reader or the lowering panic, and that errors have a place.
func FuzzStructuralTag(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.spec), []byte(c.yes[0]))
	}
	f.Add([]byte(`{"structures": [5], "triggers": ["a"]}`), []byte(""))
	f.Add([]byte(format(`{"type": "any_text", "max_tokens": 5}`)), []byte("x"))
	f.Fuzz(func(t *testing.T, spec, text []byte) {
		if len(spec) > 1<<12 || len(text) > 40 {
			return
		}
		st := terminal.NewStore()
		g, _, err := Compile(st, spec, options())
		if err != nil {
			var e *diag.Error
			require.True(t, errors.As(err, &e))
			require.NotEmpty(t, e.Error())
			return
		}
		defer func() {
			if r := recover(); r != nil {
				if _, ok := r.(oracle.TooBig); !ok {
					panic(r)
				}
			}
		}()
		if len(spec) < 400 {
			oracle.New(st, g).Accepts(text)
		}
	})
}
