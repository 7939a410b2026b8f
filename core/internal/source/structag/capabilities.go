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
	loop := func(name, times string) source.Capability {
		return exact(name, `{"type": "`+name+`", "content": {"type": "const_string", "value": "a"}}`, "the content "+times)
	}
	list := []source.Capability{
		source.Does("structures and triggers", `{"structures": [{"begin": "<f=", "schema": {"type": "integer"}, `+
			`"end": "</f>"}], "triggers": ["<f"]}`,
			"the older document: free text in which triggers open structures"),
		exact("const_string", `{"type": "const_string", "value": "a"}`, "exactly this text"),
		exact("json_schema", `{"type": "json_schema", "json_schema": {"type": "integer"}}`,
			"as in the kind json_schema; also max_whitespace_cnt, any_order, closed, excludes (texts that occur in no "+
				"string without pattern or format) and arguments (those of a call, as readers find them)"),
		exact("any_text", `{"type": "any_text", "excludes": ["end"]}`,
			"free text: any bytes without the excluded strings and the end of the region around it. max_chars bounds "+
				"code points of UTF-8, max_tokens the tokens that begin in the text").
			But("max_tokens, if an excluded string ends as the end of the region begins",
				`{"type": "structural_tag", "format": {"type": "tag", "begin": "a", "end": "bab", "content": `+
					`{"type": "any_text", "max_tokens": 1}}}`),
		exact("grammar", `{"type": "grammar", "grammar": "root ::= \"a\""}`,
			"as in the kind grammar; syntax says ebnf or lark"),
		exact("regex", `{"type": "regex", "pattern": "a+"}`, "as in the kind regex"),
		exact("sequence", `{"type": "sequence", "elements": [{"type": "const_string", "value": "a"}]}`,
			"all elements, one after the other"),
		exact("or", `{"type": "or", "elements": [{"type": "const_string", "value": "a"}]}`, "one of the elements"),
		loop("optional", "at most once"), loop("plus", "at least once"), loop("star", "any number of times"),
		exact("repeat", `{"type": "repeat", "content": {"type": "const_string", "value": "a"}, "min": 1, "max": 3}`,
			"the content min to max times; counts below 4,294,967,295"),
		exact("tag", tag, "begin, content, end; begin and end are strings or tokens, end may be a list"),
		exact("triggered_tags", withTags("triggered_tags", `, "triggers": ["<f"]`),
			"free text in which triggers open tags; at_least_one, stop_after_first, excludes. The trigger that begins "+
				"first wins, an excluded string wins over a trigger around it"),
		exact("token_triggered_tags", `{"type": "token_triggered_tags", "trigger_tokens": [0], "tags": [`+tokenTag+`]}`,
			"any tokens, until a trigger opens a tag; at_least_one, stop_after_first, exclude_tokens"),
		exact("dispatch", `{"type": "dispatch", "rules": [["<f>", {"type": "const_string", "value": "a"}]]}`,
			"free text in which each string is followed by its format; loop, excludes; overlaps as in triggered_tags"),
		exact("token_dispatch", `{"type": "token_dispatch", "rules": [[0, {"type": "const_string", "value": "a"}]]}`,
			"any tokens; each of these tokens is followed by its format; loop, exclude_tokens"),
		exact("tags_with_separator", withTags("tags_with_separator", `, "separator": ","`),
			"tags with the separator between them; at_least_one, stop_after_first"),
		exact("token", `{"type": "token", "token": 0}`, "exactly one token, by id or text"),
		exact("exclude_token", `{"type": "exclude_token", "exclude_tokens": [0]}`,
			"exactly one token that is none of these and no end token"),
		exact("any_tokens", `{"type": "any_tokens", "exclude_tokens": [0]}`,
			"any number of tokens that are none of these and no end token"),
	}
	for _, style := range jsonschema.Styles() {
		const schema = `{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}`
		what := "an object as parameters in tags; strings stand there unquoted"
		switch style {
		case "python":
			what = "an object as keyword arguments of a Python call; values are Python literals"
		case "gemma_4", "function_gemma":
			what = "an object as named arguments; strings stand unescaped between two equal marks"
		}
		list = append(list, exact("json_schema, style "+style,
			`{"type": "json_schema", "json_schema": `+schema+`, "style": "`+style+`"}`, what))
	}
	return append(list, exact("qwen_xml_parameter", `{"type": "qwen_xml_parameter", "json_schema": {"type": "object"}}`,
		"json_schema with the style qwen_xml"))
}
