package structag

import (
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
)

// Capabilities lists the formats of structural tags with their support.
func Capabilities() []source.Capability {
	const tag = `{"type": "tag", "begin": "<f>", "content": {"type": "json_schema", "json_schema": {"type": ` +
		`"integer"}}, "end": "</f>"}`
	const tokenTag = `{"begin": {"type": "token", "token": 0}, "content": {"type": "any_text"}, "end": "."}`
	document := func(format string) string { return `{"type": "structural_tag", "format": ` + format + `}` }
	exact := func(name, format, sentence string) source.Capability {
		return source.Does(name, document(format), sentence)
	}
	withTags := func(name, more string) string { return `{"type": "` + name + `", "tags": [` + tag + `]` + more + `}` }
	loop := func(name string) source.Capability {
		return exact(name, `{"type": "`+name+`", "content": {"type": "const_string", "value": "a"}}`, "")
	}
	list := []source.Capability{
		source.Does("structures and triggers", `{"structures": [{"begin": "<f=", "schema": {"type": "integer"}, `+
			`"end": "</f>"}], "triggers": ["<f"]}`,
			"the older document: free text in which triggers open structures"),
		exact("const_string", `{"type": "const_string", "value": "a"}`, "exactly this text"),
		exact("json_schema", `{"type": "json_schema", "json_schema": {"type": "integer"}}`,
			"as of kind json_schema, with max_whitespace_cnt, any_order, closed, and excludes: texts that strings "+
				"without pattern or format do not contain as they are written; with arguments they are those of a call, "+
				"as readers of calls find them"),
		exact("any_text", `{"type": "any_text", "excludes": ["end"]}`,
			"free text, which may be any bytes, without the excluded strings "+
				"and without the end of the region around it; max_chars counts code points, and the text "+
				"is UTF-8 then; of max_tokens tokens the last is the last that begins in the text").
			But("max_tokens, where an excluded string ends as the end of the region begins",
				`{"type": "structural_tag", "format": {"type": "tag", "begin": "a", "end": "bab", "content": `+
					`{"type": "any_text", "max_tokens": 1}}}`),
		exact("grammar", `{"type": "grammar", "grammar": "root ::= \"a\""}`,
			"as of kind grammar; syntax says that it is ebnf or lark"),
		exact("regex", `{"type": "regex", "pattern": "a+"}`, "as of kind regex"),
		exact("sequence", `{"type": "sequence", "elements": [{"type": "const_string", "value": "a"}]}`,
			"one after the other"),
		exact("or", `{"type": "or", "elements": [{"type": "const_string", "value": "a"}]}`, "one of them"),
		loop("optional"), loop("plus"), loop("star"),
		exact("repeat", `{"type": "repeat", "content": {"type": "const_string", "value": "a"}, "min": 1, "max": 3}`,
			"counts of any size"),
		exact("tag", tag, "begin and end are strings or tokens; end may be a list"),
		exact("triggered_tags", withTags("triggered_tags", `, "triggers": ["<f"]`),
			"free text; at_least_one, stop_after_first, excludes. Of triggers that overlap the one that begins first "+
				"wins; an excluded string wins over a trigger that contains it; where an end lies inside a trigger, "+
				"the "+
				"text may go on as the trigger or as what follows the end"),
		exact("token_triggered_tags", `{"type": "token_triggered_tags", "trigger_tokens": [0], "tags": [`+tokenTag+`]}`,
			"any tokens, until one of the triggers opens a tag; at_least_one, stop_after_first, exclude_tokens"),
		exact("dispatch", `{"type": "dispatch", "rules": [["<f>", {"type": "const_string", "value": "a"}]]}`,
			"free text in which a string must be followed by its format; loop, excludes. Overlaps as in "+
				"triggered_tags"),
		exact("token_dispatch", `{"type": "token_dispatch", "rules": [[0, {"type": "const_string", "value": "a"}]]}`,
			"any tokens, some of which must be followed by their format; loop, exclude_tokens"),
		exact("tags_with_separator", withTags("tags_with_separator", `, "separator": ","`),
			"at_least_one, stop_after_first"),
		exact("token", `{"type": "token", "token": 0}`, "exactly one token, by id or text"),
		exact("exclude_token", `{"type": "exclude_token", "exclude_tokens": [0]}`,
			"exactly one token that is none of these and ends nothing"),
		exact("any_tokens", `{"type": "any_tokens", "exclude_tokens": [0]}`, "any number of such tokens"),
	}
	for _, style := range jsonschema.Styles() {
		const schema = `{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}`
		what := "an object as parameters in tags; strings stand in them as they are"
		switch style {
		case "python":
			what = "an object as arguments with names in a call of Python; values are its literals"
		case "gemma_4", "function_gemma":
			what = "an object as arguments with names; strings stand as they are between two equal marks"
		}
		list = append(list, exact("json_schema, style "+style,
			`{"type": "json_schema", "json_schema": `+schema+`, "style": "`+style+`"}`, what))
	}
	return append(list, exact("qwen_xml_parameter", `{"type": "qwen_xml_parameter", "json_schema": {"type": "object"}}`,
		"json_schema with the style qwen_xml"))
}
