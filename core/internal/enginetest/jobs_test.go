package enginetest

import "github.com/sluice-engine/sluice/core/internal/testkit"

// builtinJobs are constraints of every kind with outputs, chosen to reach every way to compute a mask: wide terminals
// and their escapes, counters near and far from their bounds, key tries, registers, free text, recursion.
func builtinJobs() []testkit.Job {
	job := func(id, kind, spec string, accept ...string) testkit.Job {
		j := testkit.Job{ID: id, Kind: kind, Spec: []byte(spec)}
		for _, s := range accept {
			j.Accept = append(j.Accept, []byte(s))
		}
		return j
	}
	return []testkit.Job{
		job("any object", "json_object", "", `{"name": "hello world", "list": [1, 2.5e3, null], "é": {"\u00e9": `+
			`true}}`),
		job("typed object", "json_schema", `{"type": "object", "properties": {"name": {"type": "string"}, "age": `+
			`{"type": "integer", "minimum": 0, "maximum": 150}, "tags": {"type": "array", "items": {"type": "string", `+
			`"maxLength": 12}, "minItems": 1, "maxItems": 3}}, "required": ["name", "tags"], `+
			`"additionalProperties": false}`,
			`{"name": "Someone with a name", "age": 42, "tags": ["one", "two words", "ééé"]}`),
		job("open object", "json_schema", `{"type": "object", "properties": {"id": {"type": "string", "format": `+
			`"uuid"}, "when": {"type": "string", "format": "date-time"}}, "required": ["id"], "additionalProperties": `+
			`{"type": "number"}}`,
			`{"id": "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "when": "2024-01-02T03:04:05Z", "x": 1.5}`),
		job("lengths", "json_schema", `{"type": "array", "items": {"type": "string", "minLength": 5, "maxLength": 40, `+
			`"pattern": "^[A-Za-z ]*$"}, "minItems": 2, "maxItems": 3}`,
			`["hello world", "the quick brown fox jumps"]`),
		job("long string", "json_schema", `{"type": "string", "minLength": 100, "maxLength": 300}`,
			`"`+"Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore "+
				"et dolore magna aliqua."+`"`),
		job("enum and union", "json_schema", `{"anyOf": [{"enum": ["red", "green", "blue", 1, null]}, {"type": `+
			`"object", "properties": {"kind": {"const": "a"}, "v": {"type": "boolean"}}, "required": ["kind", "v"]}, `+
			`{"type": "array", "prefixItems": [{"type": "integer"}], "items": {"enum": ["x", "y"]}, "minItems": `+
			`1}]}`,
			`{"kind": "a", "v": true, "more": []}`, `[1, "x", "y"]`),
		job("tree", "json_schema", `{"$defs": {"t": {"type": "object", "properties": {"v": {"type": "integer"}, `+
			`"kids": {"type": "array", "items": {"$ref": "#/$defs/t"}, "maxItems": 2}}, "required": ["v"], `+
			`"additionalProperties": false}}, "$ref": "#/$defs/t"}`,
			`{"v": 1, "kids": [{"v": 2, "kids": []}, {"v": 33}]}`),
		job("many keys", "json_schema", `{"type": "object", "properties": {"alpha": {"type": "string"}, "alphabet": `+
			`{"type": "string"}, "beta": {"type": "integer"}, "be": {"type": "null"}, "gamma": {"type": "boolean"}, `+
			`"delta": {"type": "array"}}, "minProperties": 2, "maxProperties": 4}`,
			`{"alpha": "a", "beta": 5, "gamma": true}`),
		job("words", "regex", `(\S+\s+){0,9}\S+`, "one two three  four five"),
		job("identifiers", "regex", `[a-z_][a-z0-9_]{0,20}(\.[a-z_][a-z0-9_]{0,20}){1,3}`, "some_name.other2.third"),
		job("dates", "regex", `(?=.{10,30})\d{4}-\d\d-\d\d( at .*)?`, "2024-01-02 at five"),
		job("arithmetic", "ebnf", "root ::= expr\nexpr ::= expr (\"+\" | \"-\") term | term\nterm ::= term (\"*\" | "+
			"\"/\") factor | factor\nfactor ::= [0-9]+ | \"(\" expr \")\"", "(1+23)*4-5/(6)"),
		job("lists", "ebnf", "root ::= \"[\" ws (item (\",\" ws item)*)? \"]\"\nitem ::= [a-z]+ ws | root ws\nws ::= "+
			"[ \\n]*", "[a, b , [c, [ ]]]"),
		job("tool call", "structural_tag", `{"structures": [{"begin": "<tool>", "schema": {"type": "object", `+
			`"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}, "end": `+
			`"</tool>"}, {"begin": "<tool2>", "schema": {"type": "array", "items": {"type": "number"}}, "end": `+
			`"</tool2>"}], "triggers": ["<tool"]}`,
			`Let me see. <tool>{"city": "Paris", "days": 3}</tool> and <tool2>[1, 2.5]</tool2> done`),
		job("thinking", "structural_tag", `{"type": "structural_tag", "format": {"type": "sequence", "elements": `+
			`[{"type": "tag", "begin": "<think>", "content": {"type": "any_text"}, "end": "</think>"}, {"type": `+
			`"json_schema", "json_schema": {"type": "object", "properties": {"answer": {"type": "string", `+
			`"maxLength": 20}}, "required": ["answer"], "additionalProperties": false}}]}}`,
			`<think>Hmm, what < is it?</think>{"answer": "forty-two"}`),
		job("choice", "choice", `["yes", "no", "maybe", "maybe not", "yesterday"]`, "maybe not"),
	}
}
