package main

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-engine/sluice/core"
)

// kind is a constraint with ever new texts, and the options that it is compiled with. Immutable.
type kind struct {
	constraint
	options core.Options
}

type constraint struct {
	name string
	kind core.Kind
	spec string
	text func(r *rand.Rand) string
}

// word returns n letters, digits and spaces.
func word(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyz0123456789 "[r.Intn(37)]
	}
	return string(b)
}

// nested returns a JSON value of some depth.
func nested(r *rand.Rand, depth int) string {
	switch {
	case depth > 0 && r.Intn(3) > 0:
		return "[" + nested(r, depth-1) + "]"
	case depth > 0:
		return `{"` + word(r, 6) + `": ` + nested(r, depth-1) + "}"
	}
	return strconv.Itoa(r.Intn(1e9))
}

func multiples(d int64) func(r *rand.Rand) string {
	return func(r *rand.Rand) string { return strconv.FormatInt(d*r.Int63n((1<<62)/d), 10) }
}

func expression(r *rand.Rand, depth int) string {
	switch n := r.Intn(4); {
	case depth == 0 || n == 0:
		return strconv.Itoa(r.Intn(1000))
	case n == 1:
		return "(" + expression(r, depth-1) + ")"
	}
	return expression(r, depth-1) + "+-*/"[r.Intn(4):][:1] + expression(r, depth-1)
}

// sqlGrammar is a part of SQL, its conditions written without levels.
const sqlGrammar = "start: \"SELECT \" names \" FROM \" NAME (\" WHERE \" cond)?\nnames: NAME (\", \" NAME)*\n" +
	"cond: cond (\" AND \" | \" OR \") cond | \"NOT \" cond | \"(\" cond \")\" | NAME (\" = \" | \" < \") value\n" +
	"value: NAME | /[0-9]+/ | /'[^'\\n]*'/\nNAME: /[a-z_][a-z0-9_]{0,30}/"

// name returns a name of a column or a table.
func name(r *rand.Rand) string { return "c" + strings.ReplaceAll(word(r, 1+r.Intn(12)), " ", "_") }

// condition returns a condition of sqlGrammar.
func condition(r *rand.Rand, depth int) string {
	switch n := r.Intn(5); {
	case depth == 0 || n == 0:
		return name(r) + " = '" + word(r, r.Intn(20)) + "'"
	case n == 1:
		return "NOT " + condition(r, depth-1)
	case n == 2:
		return "(" + condition(r, depth-1) + ")"
	}
	return condition(r, depth-1) + []string{" AND ", " OR "}[r.Intn(2)] + condition(r, depth-1)
}

func keys(n int) (all []string) {
	for i := range n {
		all = append(all, string(rune('a'+i)))
	}
	return all
}

// members writes members of an object that have the same value.
func members(keys []string, value string) string {
	return `"` + strings.Join(keys, `": `+value+`, "`) + `": ` + value
}

func (k kind) compile(c *core.Compiler) (*core.Grammar, error) {
	return c.Compile(k.kind, []byte(k.spec), &k.options)
}

var kinds = append(with(core.Options{}, constraints), with(core.Options{AnyOrder: true}, inAnyOrder)...)

func with(o core.Options, all []constraint) (kinds []kind) {
	for _, c := range all {
		kinds = append(kinds, kind{c, o})
	}
	return kinds
}

var inAnyOrder = []constraint{
	{"any order", core.JSONSchema, `{"type": "object", "properties": {` + members(keys(26), "{}") + `}, ` +
		`"minProperties": 3, "maxProperties": 15}`, func(r *rand.Rand) string {
		some := keys(26)
		r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		return `{"` + word(r, 5) + `": 2, ` + members(some[:12], "1") + `, "` + word(r, 5) + `": [3]}`
	}},
}

var constraints = []constraint{
	{"multipleOf 7", core.JSONSchema, `{"type": "integer", "multipleOf": 7}`, multiples(7)},
	{"multipleOf 3600", core.JSONSchema, `{"type": "integer", "multipleOf": 3600}`, multiples(3600)},
	{"multipleOf 1000000", core.JSONSchema, `{"type": "integer", "multipleOf": 1000000}`, multiples(1_000_000)},
	{"multipleOf a prime", core.JSONSchema, `{"type": "integer", "multipleOf": 982451653}`, multiples(982_451_653)},
	{"multipleOf 0.01", core.JSONSchema, `{"type": "number", "multipleOf": 0.01, "minimum": 0, "maximum": ` +
		`123456789}`, func(r *rand.Rand) string {
		return fmt.Sprintf("%d.%02d", r.Intn(123456788), r.Intn(100))
	}},
	{
		"not multipleOf", core.JSONSchema, `{"type": "integer", "not": {"multipleOf": 982451653}}`,
		func(r *rand.Rand) string { return strconv.FormatInt(r.Int63n(1<<60), 10) },
	},
	{"bounds", core.JSONSchema, `{"type": "number", "minimum": 0.123456789, "maximum": ` +
		`98765432.1}`, func(r *rand.Rand) string {
		return fmt.Sprintf("%d.%d", 1+r.Intn(98765430), r.Int63())
	}},
	{"pattern", core.JSONSchema, `{"type": "string", "pattern": "^([a-z0-9 ]*(foo|bar|ba[rz]x)[a-z0-9 ` +
		`]*){1,3}$|[a-z]{5}[0-9]", "maxLength": 4000}`, func(r *rand.Rand) string {
		return `"` + word(r, 40) + "foo" + word(r, 10) + `abcde9"`
	}},
	{"look-around", core.JSONSchema, `{"type": "string", "pattern": ` +
		`"^(?=.*[A-Z0-9])(?=.*[a-z])(?!.*\\s\\s\\s)[a-z0-9 ` +
		`]{8,200}$"}`, func(r *rand.Rand) string {
		return `"a9` + strings.ReplaceAll(word(r, 60), "   ", "xyz") + `"`
	}},
	{"window", core.JSONSchema, `{"type": "string", "pattern": "^[ab]*a[ab]{30}$"}`, func(r *rand.Rand) string {
		return `"` + strings.Map(func(c rune) rune { return 'a' + c%2 }, word(r, 80)) + `"`
	}},
	{"two windows", core.JSONSchema, `{"type": "string", "allOf": [{"pattern": "^[ab]*a[ab]{9}$"}, {"pattern": ` +
		`"^[ab]*b[ab]{12}$"}]}`, func(r *rand.Rand) string {
		return `"` + strings.Map(func(c rune) rune { return 'a' + c%2 }, word(r, 80)) + `"`
	}},
	{"any value, nested", core.JSONSchema, `{}`, func(r *rand.Rand) string { return nested(r, 60) }},
	{"patternProperties", core.JSONSchema, `{"type": "object", "patternProperties": {"^a": {"type": "integer"}, ` +
		`"z$": ` +
		`{"type": "integer", "multipleOf": 3}}, "additionalProperties": {"type": ` +
		`"string"}}`, func(r *rand.Rand) string {
		return `{"b` + word(r, 8) + `y": "` + word(r, 8) + `", "q` + word(r, 8) + `z": ` + strconv.Itoa(3*r.Intn(1e8)) +
			"}"
	}},
	{"uniqueItems", core.JSONSchema, `{"type": "array", "uniqueItems": true}`, func(r *rand.Rand) string {
		var items []string
		for range 20 {
			items = append(items, strconv.Itoa(r.Intn(1e9)))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}},
	{"contains", core.JSONSchema, `{"type": "array", "contains": {"type": "integer", "multipleOf": 3}, ` +
		`"minContains": ` +
		`3}`, func(r *rand.Rand) string {
		return fmt.Sprintf(`[%d, "%s", %d, %d]`, 3*r.Intn(1e8), word(r, 9), r.Intn(1e9), 3*r.Intn(1e8))
	}},
	{"unevaluatedProperties", core.JSONSchema, `{"type": "object", "anyOf": [{"properties": {"a": {"type": ` +
		`"integer"}}}, {"properties": {"b": {"type": "string"}}}], "unevaluatedProperties": {"type": ` +
		`"number"}}`, func(r *rand.Rand) string {
		return fmt.Sprintf(`{"c%s": %d, "d%s": %d}`, word(r, 8), r.Intn(1e8), word(r, 8), r.Intn(1e8))
	}},
	{"date-time", core.JSONSchema, `{"type": "string", "format": "date-time"}`, func(r *rand.Rand) string {
		return time.Unix(r.Int63n(4e9), r.Int63n(1e9)).UTC().Format(`"2006-01-02T15:04:05.000000000Z"`)
	}},
	{"idn-hostname", core.JSONSchema, `{"type": "string", "format": "idn-hostname"}`, func(r *rand.Rand) string {
		return `"` + strings.ReplaceAll(word(r, 20), " ", "ü") + `.de"`
	}},
	{"regex of counts", core.Regex, `((\w{1,12}|\d+) ?){1,40}`, func(r *rand.Rand) string { return word(r, 60) }},
	{
		"overlapping loops", core.Regex, strings.Repeat("[a-f0-9 ]*[d-m]*[k-z ]*", 20),
		func(r *rand.Rand) string { return word(r, 60) },
	},
	{
		"ebnf expressions", core.EBNF, "root ::= e\ne ::= e [-+*/] t | t\nt ::= [0-9]+ | \"(\" e \")\"",
		func(r *rand.Rand) string { return expression(r, 7) },
	},
	{
		"ebnf ambiguous expressions", core.EBNF, "root ::= e\ne ::= e [-+*/] e | [0-9]+ | \"(\" e \")\"",
		func(r *rand.Rand) string { return expression(r, 6) },
	},
	{"ebnf nested lists", core.EBNF, "root ::= \"[\" (root | [a-z0-9 ]+)* \"]\"", func(r *rand.Rand) string {
		depth := 1 + r.Intn(40)
		return strings.Repeat("["+word(r, 3), depth) + strings.Repeat("]", depth)
	}},
	{"tags", core.StructuralTag, `{"structures": [{"begin": "<f=a>", "schema": {"type": "object", "properties": ` +
		`{"x": ` +
		`{"type": "string", "maxLength": 40}}}, "end": "</f>"}], "triggers": ["<f="]}`, func(r *rand.Rand) string {
		return word(r, 40) + `<f=a>{"x": "` + word(r, 12) + `"}</f>` + word(r, 20)
	}},
	{
		"lark, like SQL", core.Lark, sqlGrammar,
		func(r *rand.Rand) string {
			columns := name(r)
			for range r.Intn(6) {
				columns += ", " + name(r)
			}
			return "SELECT " + columns + " FROM " + name(r) + " WHERE " + condition(r, 4)
		},
	},
	{
		"triggers and budgets", core.StructuralTag, `{"type": "structural_tag", "format": {"type": "sequence", ` +
			`"elements": [{"type": "tag", "begin": "<think>", "content": {"type": "any_text", "max_chars": 400}, ` +
			`"end": "</think>"}, {"type": "triggered_tags", "triggers": ["<f="], "excludes": ["<x>"], "tags": ` +
			`[{"type": "tag", "begin": "<f=a>", "content": {"type": "regex", "pattern": "[a-z0-9 ]{1,60}"}, ` +
			`"end": "</f>"}]}]}}`,
		func(r *rand.Rand) string {
			return "<think>" + word(r, r.Intn(200)) + "</think>" + word(r, 30) + "<f=a>" + word(r, 30) + "</f>" +
				word(r, 30)
		},
	},
	{
		"tags of a family", core.StructuralTag, `{"type": "structural_tag", "format": {"type": "triggered_tags", ` +
			`"triggers": ["<function="], "tags": [{"type": "tag", "begin": "<function=f>", "end": "</function>", ` +
			`"content": {"type": "qwen_xml_parameter", "json_schema": {"type": "object", "properties": {"a": ` +
			`{"type": "string"}, "b": {"type": "integer"}}, "required": ["a", "b"]}}}]}}`,
		func(r *rand.Rand) string {
			return word(r, 30) + "<function=f><parameter=a>" + word(r, 60) + "</parameter><parameter=b>" +
				strconv.Itoa(r.Intn(1e9)) + "</parameter></function>" + word(r, 20)
		},
	},
	{
		"max_tokens", core.Lark, "start: x+\nx[max_tokens=90]: \"(\" (/[a-z0-9 ]*/ | x) \")\"",
		func(r *rand.Rand) string { return "(" + word(r, 40) + ")((" + word(r, r.Intn(30)) + "))" },
	},
	{
		"recursive anyOf", core.JSONSchema, `{"$ref": "#/$defs/e", "$defs": {"e": {"anyOf": [{"type": "integer"}, ` +
			`{"type": "string", "pattern": "^[a-z0-9 ]+$"}, {"type": "array", "items": {"$ref": "#/$defs/e"}}, ` +
			`{"type": "object", "additionalProperties": {"$ref": "#/$defs/e"}}]}}}`,
		func(r *rand.Rand) string { return nested(r, 30) },
	},
	{
		"choice", core.Choice, `["yes", "no", "perhaps"]`,
		func(r *rand.Rand) string { return []string{"yes", "no", "perhaps"}[r.Intn(3)] },
	},
}
