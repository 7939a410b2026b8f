package main

import (
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

func tagFamily(name, text string, sizes []int, format func(n int) string) family {
	return family{name: "tag " + name, kind: core.StructuralTag, sizes: sizes, text: text, spec: func(n int) string {
		return `{"type": "structural_tag", "format": ` + format(n) + "}"
	}}
}

const toolSchema = `{"type": "json_schema", "json_schema": {"type": "object", "properties": {"x": {"type": ` +
	`"integer"}}, "required": ["x"]}}`

// Structural tags, and lists of choices.
var tagFamilies = []family{
	{"tag sequence of many texts", core.StructuralTag, []int{10_000, 800_000}, func(n int) string {
		return `{"type": "structural_tag", "format": {"type": "sequence", "elements": [` +
			list(n, ",", constant(`{"type": "const_string", "value": "a"}`)) + "]}}"
	}, rep("a", 120)},
	tagFamily("many tools", `text <f=tool7919>{"x": 1}</f>`, []int{500, 20_000}, func(n int) string {
		return `{"type": "triggered_tags", "triggers": ["<f="], "tags": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"begin": "<f=tool%d>", "content": %s, "end": "</f>"}`, i*7919, toolSchema)
		}) + "]}"
	}),
	tagFamily("many triggers", "text <f7919>1</f>", []int{1000, 10_000}, func(n int) string {
		return `{"type": "triggered_tags", "triggers": ` +
			`[` + list(n, ", ", func(i int) string { return fmt.Sprintf(`"<f%d>"`, i*7919) }) + `], "tags": [` +
			list(n, ", ", func(i int) string {
				return fmt.Sprintf(`{"begin": "<f%d>", "content": {"type": "regex", "pattern": "[0-9]+"}, "end": `+
					`"</f>"}`, i*7919)
			}) + "]}"
	}),
	tagFamily("many excluded strings", "hello word7919 and", []int{1000, 30_000}, func(n int) string {
		return `{"type": "any_text", "excludes": ` +
			`[` + list(n, ", ", func(i int) string { return fmt.Sprintf(`"word%d"`, i*7919) }) + "]}"
	}),
	tagFamily("a begin of megabytes", rep("a", 200), []int{1 << 20}, func(n int) string {
		return `{"type": "tag", "begin": "` + rep("a", n) + `", "content": {"type": "any_text"}, "end": "x"}`
	}),
	tagFamily("many ends", "<a>hello", []int{1000}, func(n int) string {
		return `{"type": "tag", "begin": "<a>", "content": {"type": "any_text"}, "end": ` +
			`[` + list(n, ", ", func(i int) string { return fmt.Sprintf(`"end%d."`, i) }) + "]}"
	}),
	tagFamily("star of star", "aab", []int{20, 900}, func(n int) string {
		return rep(`{"type": "star", "content": `, n) + `{"type": "regex", "pattern": "a|b"}` + rep("}", n)
	}),
	tagFamily("sequences of options", "aaaa", []int{60, 2000}, func(n int) string {
		return `{"type": "sequence", "elements": [` + list(n, ", ", constant(`{"type": "optional", "content": `+
			`{"type": `+
			`"const_string", "value": "a"}}`)) + "]}"
	}),
	tagFamily("sequences of free texts", "hello world", []int{10, 200}, func(n int) string {
		return `{"type": "sequence", "elements": [` + list(n, ", ", constant(`{"type": "any_text", "excludes": `+
			`["x"]}`)) + "]}"
	}),
	tagFamily("free text around an optional tag, again and again", "hello <t>a</t> world", one, constant(
		`{"type": "star", "content": {"type": "sequence", "elements": [{"type": "any_text"}, {"type": "optional", `+
			`"content": {"type": "tag", "begin": "<t>", "content": {"type": "regex", "pattern": "a"}, "end": `+
			`"</t>"}}, `+
			`{"type": "any_text"}]}}`,
	)),
	tagFamily("counted text or a tag, again and again", "Hi there<t>abc</t> and", []int{10, 30}, func(n int) string {
		return fmt.Sprintf(`{"type": "star", "content": {"type": "or", "elements": [{"type": "regex", "pattern": `+
			`"[^<]{1,%d}"}, {"type": "tag", "begin": "<t>", "content": {"type": "regex", "pattern": "[a-z]*"}, "end": `+
			`"</t>"}]}}`, n)
	}),
	tagFamily("counted texts of two lengths, again and again", "ab cd ef gh", one, constant(
		`{"type": "plus", "content": {"type": "or", "elements": [{"type": "regex", "pattern": "[a-z ]{1,5}"}, `+
			`{"type": `+
			`"regex", "pattern": "[a-z ]{1,10}"}]}}`,
	)),
	tagFamily("plus of a counted text", "ab cd ef gh", []int{5, 20, 200}, func(n int) string {
		return fmt.Sprintf(`{"type": "plus", "content": {"type": "regex", "pattern": "[a-z ]{1,%d}"}}`, n)
	}),
	tagFamily("repeat of a repeat", rep("ab", 60), []int{30, 1000}, func(n int) string {
		return fmt.Sprintf(`{"type": "repeat", "min": 1, "max": %d, "content": {"type": "repeat", "min": 1, "max": `+
			`%d, `+
			`"content": {"type": "regex", "pattern": "a|ab|b"}}}`, n, n)
	}),
	tagFamily("separated tags", "<a>hello</a>, <a>world", []int{40, 400}, func(n int) string {
		return fmt.Sprintf(`{"type": "tags_with_separator", "separator": ", ", "tags": [{"begin": "<a>", "content": `+
			`{"type": "regex", "pattern": "[^<]{0,%d}"}, "end": "</a>"}]}`, n)
	}),
	tagFamily("a tool without a schema that can be met", "x<f=a>1", one, constant(
		`{"type": "triggered_tags", "triggers": ["<f="], "tags": [{"begin": "<f=a>", "content": {"type": `+
			`"json_schema", `+
			`"json_schema": {"multipleOf": 99999999999999999989}}, "end": "</f>"}]}`,
	)),
	tagFamily("a tool with a hostile grammar", "x<f=a>aaaaaaaaaaaa", one, constant(
		`{"type": "triggered_tags", "triggers": ["<f="], "tags": [{"begin": "<f=a>", "content": {"type": "grammar", `+
			`"grammar": "root ::= root root | \"a\" | root root root | \"\""}, "end": "</f>"}]}`,
	)),
	tagFamily("nested tags", rep("<t>", 30), []int{100, 3000}, func(n int) string {
		return rep(`{"type": "tag", "begin": "<t>", "content": `, n) + `{"type": "any_text"}` +
			rep(`, "end": "</t>"}`, n)
	}),
	{"choice of many", core.Choice, []int{50_000, 1_000_000}, func(n int) string {
		return "[" + list(n, ", ", func(i int) string { return fmt.Sprintf(`"word%d"`, i*7919) }) + "]"
	}, "word7919"},
	{"choice with long beginnings in common", core.Choice, []int{1000, 30_000}, func(n int) string {
		return "[" + list(100, ", ", func(i int) string { return fmt.Sprintf(`"%s%d"`, rep("ab", n/2), i) }) + "]"
	}, rep("ab", 90)},
	{
		"choice of megabytes", core.Choice,
		[]int{16 << 20},
		func(n int) string { return `["` + rep("a", n) + `"]` },
		rep("a", 90),
	},
}
