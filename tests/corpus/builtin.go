package corpus

import (
	"fmt"
	"strings"

	"github.com/sluice-engine/sluice/core"
)

// Builtin returns constraints of every kind except JSON Schema, of which the collections have enough: grammars, regular
// expressions and tags from practice, ambiguous ones, and some near the limits.
func Builtin(take func(*Job)) error {
	for _, list := range []struct {
		name string
		kind core.Kind
		jobs [][]string
	}{
		{"ebnf", core.EBNF, builtinEBNF},
		{"regex", core.Regex, builtinRegex},
		{"schema", core.JSONSchema, builtinSchemas},
		{"tag", core.StructuralTag, builtinTags},
	} {
		for i, spec := range list.jobs {
			take(ownJob(fmt.Sprintf("%s#%d", list.name, i), list.kind, spec[0], spec[1:]...))
		}
	}
	return nil
}

// ownJob returns a constraint of this package's own, with outputs that begin in its language.
func ownJob(id string, kind core.Kind, spec string, texts ...string) *Job {
	x := &Job{ID: id, Kind: kind, Spec: []byte(spec)}
	for k, text := range texts {
		x.Tests = append(x.Tests, Test{k, []string{text}, true})
	}
	return x
}

// Each constraint comes with outputs that begin in its language; some leave it.

var builtinEBNF = [][]string{
	{
		"root ::= expr\nexpr ::= expr (\"+\" | \"-\") term | term\nterm ::= term (\"*\" | \"/\") factor | " +
			"factor\nfactor " +
			"::= [0-9]+ | \"(\" expr \")\"",
		"(1+23)*4-5/(6)", "1++",
	},
	{"root ::= e\ne ::= e (\"+\"|\"-\"|\"*\"|\"/\") e | [0-9]+ | \"(\" e \")\"", "1+(2*34)-5"},
	{"root ::= e\ne ::= e (\"+\"|\"-\"|\"*\"|\"/\") e | [0-9]+ | \"(\" e \")\" | \"-\" e", "1+(2"},
	{"root ::= r\nr ::= r r | r \"|\" r | r [*+?] | \"(\" r \")\" | [a-z]", "ab|c*(d"},
	{"root ::= c\nc ::= c \" AND \" c | c \" OR \" c | \"NOT \" c | \"(\" c \")\" | v op v\nop ::= \"=\" | \"<\" | \" " +
		"LIKE \"\nv ::= [a-z]+ | [0-9]+ | v \"+\" v", "a=1 AND NOT (b<2 OR c LIKE d)"},
	{"root ::= s\ns ::= s s s | s s | [a-z] | \" \"", "ab cd"},
	{"root ::= s\ns ::= \"if c \" s | \"if c \" s \" else \" s | \"x\"", "if c if c x else x"},
	{"root ::= e\ne ::= e \" \" e | \"\\\\\" [a-z] \".\" e | [a-z] | \"(\" e \")\"", "\\x.(x y) z"},
	{"root ::= x*\nx ::= [a-z ]+ | \"{\" x* \"}\" | x \"^\" x | x \"_\" x", "a^{b c}_d"},
	{"root ::= ([a-z ]{1,20})+", "ab cde"},
	{"root ::= line+\nline ::= [^\\n]{0,8} \"\\n\"?", "Hello\nworld"},
	{"root ::= x*\nx ::= \"a\"{2,5} | \"ab\"{1,3} \"c\"", "aaababcaa"},
	{"root ::= root{0,} \"b\" root{3,4} | \"\"", "bbbb"},
	{"root ::= \"[\" ws (item (\",\" ws item)*)? \"]\"\nitem ::= [a-z]+ ws | root ws\nws ::= [ " +
		"\\n]*", "[a, b , [c, [ ]]]"},
	{"root ::= object\nvalue ::= object | array | string | number | (\"true\" | \"false\" | \"null\") ws\nobject ::= " +
		"\"{\" ws (string \":\" ws value (\",\" ws string \":\" ws value)*)? \"}\" ws\narray ::= \"[\" ws (value " +
		"(\",\" " +
		"ws value)*)? \"]\" ws\nstring ::= \"\\\"\" ([^\"\\\\\\x7F\\x00-\\x1F] | \"\\\\\" ([\"\\\\bfnrt] | \"u\" " +
		"[0-9a-fA-F]{4}))* \"\\\"\" ws\nnumber ::= (\"-\"? ([0-9] | [1-9] [0-9]{0,15})) (\".\" [0-9]+)? ([eE] [-+]? " +
		"[0-9] " +
		"[1-9]{0,15})? ws\nws ::= | \" \" | \"\\n\" [ \\t]{0,20}", `{"name": "a\u00e9 b", "list": [1, -2.5e3, null, ` +
		`true], "o": {}}`},
	{"root ::= (word \" \")* word \".\"\nword ::= [A-Z]? [a-z]{1,12}", "Hello this is fine."},
}

var builtinRegex = [][]string{
	{`(\S+\s+){0,9}\S+`, "one two three  four five"},
	{`[a-z_][a-z0-9_]{0,20}(\.[a-z_][a-z0-9_]{0,20}){1,3}`, "some_name.other2.third"},
	{`(?=.{10,30})\d{4}-\d\d-\d\d( at .*)?`, "2024-01-02 at five"},
	{`(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[A-Za-z\d]{8,20}`, "abcDEF123", "short"},
	{`(?!.*(?:foo|bar))[\w ,.]{0,40}`, "hello, world", "a fo bar"},
	{`[ab]*a[ab]{8}`, "abababbbab"},
	{`([a-z ]{1,20})+`, "hello world again and again"},
	{`.*x.{30}`, "hello x world"},
	{`\p{Lu}\p{Ll}*( \p{Lu}\p{Ll}*){0,3}`, "Émile Zola", "Иван"},
	{`(a?){12}a{12}`, "aaaaaaaaaaaaaa"},
	{`([ab]*[bc]*[cd]*){4}`, "abcdbcda"},
	{`[a-z]{1,7}1|[a-z]{2,8}2|[a-z]{3,9}3|[a-z]{4,10}4`, "abcdef4"},
	{`"(?:[^"\\]|\\.)*"`, `"quoted \" text"`},
	{`(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}`, "192.168.0.255"},
	{`((a{1,6}|b{1,6}|ab){1,6}x?){1,6}`, "aabxabab"},
	{`\bfoo\b.*(?<!bar)`, "foo and"},
}

var builtinSchemas = [][]string{
	{`{"type": "integer", "multipleOf": 60, "minimum": 0, "maximum": 86400}`, "3600", "3601"},
	{`{"type": "number", "multipleOf": 0.01, "minimum": 0}`, "12.34", "12.345"},
	{`{"type": "integer", "multipleOf": 1440}`, "14400"},
	{`{"type": "string", "allOf": [{"pattern": "[A-Z]"}, {"pattern": "[a-z]"}, {"pattern": "[0-9]"}, {"pattern": ` +
		`"[!@#$%]"}], "minLength": 8, "maxLength": 64}`, `"abC1!xyz9"`},
	{`{"type": "string", "allOf": [{"pattern": "^[ab]*a[ab]{6}$"}, {"pattern": "^[ab]*b[ab]{7}$"}]}`, `"abbabababab"`},
	{`{"type": "string", "not": {"pattern": "a[ab]{10}$"}}`, `"aabababbbabaaabb"`},
	{`{"type": "array", "uniqueItems": true, "minItems": 2, "items": {"anyOf": [{"enum": ["a", "b", 1, 1.0, null]}, ` +
		`{"type": "boolean"}]}}`, `["a", 1, true]`},
	{`{"type": "array", "contains": {"type": "integer"}, "minContains": 2, "maxContains": 3}`, `["a", 1, 2, "x"]`},
	{`{"type": "object", "anyOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"b": {"type": ` +
		`"string"}}}], "unevaluatedProperties": {"type": "number"}}`, `{"a": 1, "c": 2.5}`},
	{`{"type": "string", "format": "idn-hostname"}`, `"bücher.example"`},
	{`{"type": "string", "format": "email"}`, `"someone@example.com"`},
	{`{"type": "string", "format": "date-time"}`, `"2024-02-29T12:30:00Z"`},
}

var builtinTags = [][]string{
	{`{"structures": [{"begin": "<tool>", "schema": {"type": "object", "properties": {"city": {"type": "string"}, ` +
		`"days": {"type": "integer"}}, "required": ["city"]}, "end": "</tool>"}, {"begin": "<tool2>", "schema": ` +
		`{"type": ` +
		`"array", "items": {"type": "number"}}, "end": "</tool2>"}], "triggers": ["<tool"]}`, `Let me see. ` +
		`<tool>{"city": ` +
		`"Paris", "days": 3}</tool> and <tool2>[1, 2.5]</tool2> done`},
	{`{"type": "structural_tag", "format": {"type": "sequence", "elements": [{"type": "tag", "begin": "<think>", ` +
		`"content": {"type": "any_text"}, "end": "</think>"}, {"type": "json_schema", "json_schema": {"type": ` +
		`"object", ` +
		`"properties": {"answer": {"type": "string", "maxLength": 20}}, "required": ["answer"], ` +
		`"additionalProperties": ` +
		`false}}]}}`, `<think>Hmm, what < is it?</think>{"answer": "forty-two"}`},
	{`{"type": "structural_tag", "format": {"type": "plus", "content": {"type": "regex", "pattern": "[a-z ` +
		`]{1,5}"}}}`, "ab cd ef"},
	{`{"type": "structural_tag", "format": {"type": "star", "content": {"type": "or", "elements": [{"type": "regex", ` +
		`"pattern": "[^<]{1,4}"}, {"type": "tag", "begin": "<t>", "content": {"type": "regex", "pattern": "[a-z]*"}, ` +
		`"end": "</t>"}]}}}`, "Hi there<t>abc</t>x"},
	{`{"type": "structural_tag", "format": {"type": "tags_with_separator", "separator": ", ", "tags": [{"begin": ` +
		`"<a>", "content": {"type": "regex", "pattern": "[^<]{0,40}"}, "end": "</a>"}]}}`, "<a>hello</a>, " +
		"<a>world</a>"},
	{`{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<f="], "tags": [{"begin": ` +
		`"<f=a>", ` +
		`"content": {"type": "json_schema", "json_schema": {"type": "object", "properties": {"x": {"enum": ` +
		`["` + strings.Repeat("y", 30) + `", "z"]}}, "required": ["x"]}}, "end": "</f>"}], "at_least_one": true, ` +
		`"stop_after_first": true}}`, `text <f=a>{"x": "z"}</f>`},
}
