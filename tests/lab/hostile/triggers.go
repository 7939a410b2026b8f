package main

import (
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

const anyText = `{"type": "any_text"}`

// growing lists "a", "aa", "aaa" …: each begins with the one before it.
func growing(n int) string {
	return list(n, ", ", func(i int) string { return `"` + rep("a", i+1) + `"` })
}

// Structural tags with overlapping strings, choices among tags, tokens, and nested or odd documents.
var triggerFamilies = []family{
	tagFamily("triggers that begin with one another", "b"+rep("a", 100), []int{10, 300, 2000}, func(n int) string {
		return `{"type": "triggered_tags", "triggers": [` + growing(n) + `], "tags": [{"begin": "a", "content": ` +
			`{"type": "regex", "pattern": "[0-9]*"}, "end": "b"}]}`
	}),
	tagFamily("triggers that contain one another", "xyx"+rep("a", 50)+"b", []int{10, 300}, func(n int) string {
		return `{"type": "triggered_tags", "triggers": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"%sb%s"`, rep("a", i), rep("a", n-i))
		}) + `], "tags": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"begin": "%sb%s!", "content": %s, "end": "."}`, rep("a", i), rep("a", n-i), toolSchema)
		}) + "]}"
	}),
	tagFamily("ends that begin with one another", "<t>"+rep("ba", 50), []int{10, 1000}, func(n int) string {
		return `{"type": "tag", "begin": "<t>", "content": ` + anyText + `, "end": [` + growing(n) + "]}"
	}),
	tagFamily("excluded strings that begin with one another", rep("ba", 50), []int{10, 2000}, func(n int) string {
		return `{"type": "any_text", "excludes": [` + list(n, ", ", func(i int) string {
			return `"b` + rep("a", n-i) + `c"`
		}) + "]}"
	}),
	tagFamily("choices among tags", "<t7919>abc</t", []int{100, 10_000}, func(n int) string {
		return `{"type": "or", "elements": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "tag", "begin": "<t%d>", "content": {"type": "regex", "pattern": `+
				`"[a-z]{1,%d}"}, `+
				`"end": "</t%d>"}`, i*7919, i%50+1, i)
		}) + "]}"
	}),
	tagFamily("choices among choices", "b", []int{8, 80, 250}, func(n int) string {
		return rep(`{"type": "or", "elements": [{"type": "const_string", "value": "a"}, {"type": "sequence", `+
			`"elements": [`+
			`{"type": "const_string", "value": "b"}, `, n/2) + `{"type": "const_string", "value": "c"}` +
			rep("]}]}", n/2)
	}),
	tagFamily("choices among schemas", `{"x": 1`, []int{50, 2000}, func(n int) string {
		return `{"type": "or", "elements": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "json_schema", "json_schema": {"type": "object", "properties": {"x": `+
				`{"type": `+
				`"integer"}, "k%d": {"type": "string"}}, "required": ["k%d"]}}`, i, i)
		}) + "]}"
	}),
	tagFamily("a star of choices among free texts", "hello <t>a</t> world", []int{3, 30}, func(n int) string {
		return `{"type": "star", "content": {"type": "or", "elements": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "tag", "begin": "<t%s", "content": {"type": "any_text", "excludes": `+
				`["x%d"]}, `+
				`"end": "</t>"}`, rep(">", i%3), i)
		}) + ", " + anyText + "]}}"
	}),
	tagFamily("separated tags of many kinds", "<t0>ab</t>, <t7919>", []int{100, 5000}, func(n int) string {
		return `{"type": "tags_with_separator", "separator": ", ", "at_least_one": true, "tags": [` +
			list(n, ", ", func(i int) string {
				return fmt.Sprintf(`{"begin": "<t%d>", "content": {"type": "regex", "pattern": "[a-z]*"}, "end": `+
					`"</t>"}`, i*7919)
			}) + "]}"
	}),
	tagFamily("tags that are met once", "x<f=tool0>{\"x\": 1}</f>", []int{100, 5000}, func(n int) string {
		return `{"type": "triggered_tags", "triggers": ["<f="], "at_least_one": true, "stop_after_first": true, ` +
			`"tags": [` +
			list(n, ", ", func(i int) string {
				return fmt.Sprintf(`{"begin": "<f=tool%d>", "content": %s, "end": "</f>"}`, i, toolSchema)
			}) + "]}"
	}),
	tagFamily("tools with hostile patterns", `<f=t0>{"x": "aab`, []int{20, 300}, func(n int) string {
		return `{"type": "triggered_tags", "triggers": ["<f="], "tags": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"begin": "<f=t%d>", "content": {"type": "json_schema", "json_schema": {"type": `+
				`"object", `+
				`"properties": {"x": {"type": "string", "pattern": "^[ab]*a[ab]{%d}$"}}, "required": ["x"]}}, `+
				`"end": "</f>"}`,
				i, 10+i%20)
		}) + "]}"
	}),
	tagFamily("grammars in tags", "<g0>aab", []int{20, 500}, func(n int) string {
		return `{"type": "or", "elements": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "tag", "begin": "<g%d>", "content": {"type": "grammar", "grammar": "root ::= `+
				`\"a\" root | root \"b\" | \"c%d\""}, "end": "</g>"}`, i, i)
		}) + "]}"
	}),
	tagFamily("a sequence of tags", rep("<t>a</t>", 20), []int{100, 20_000}, func(n int) string {
		return `{"type": "sequence", "elements": [` + list(n, ", ",
			constant(`{"type": "tag", "begin": "<t>", "content": `+
				`{"type": "regex", "pattern": "a"}, "end": "</t>"}`)) + "]}"
	}),
	tagFamily("tokens", "abc", []int{10, 20_000}, func(n int) string {
		return `{"type": "sequence", "elements": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "optional", "content": {"type": "token", "token": %d}}`, i%200)
		}) + `, {"type": "exclude_token", "exclude_tokens": [` + list(n, ", ", func(i int) string {
			return fmt.Sprint(i % 200)
		}) + `]}, {"type": "any_tokens"}]}`
	}),
	tagFamily("repeat beyond all bounds", rep("ab", 60), []int{1_000_000, 2_000_000_000}, func(n int) string {
		return fmt.Sprintf(`{"type": "repeat", "min": %d, "max": -1, "content": {"type": "regex", "pattern": `+
			`"a?b?"}}`, n)
	}),
	tagFamily("a trigger of megabytes", rep("ab", 60), []int{1 << 20}, func(n int) string {
		return `{"type": "triggered_tags", "triggers": ["` + rep("ab", n/2) + `"], "tags": [{"begin": "` +
			rep("ab", n/2) +
			`", "content": ` + anyText + `, "end": "x"}]}`
	}),
	tagFamily("unknown fields", "a", []int{100, 100_000}, func(n int) string {
		return `{"type": "const_string", "value": "a", ` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"field%d": %d`, i, i)
		}) + "}"
	}),
	tagFamily("empty strings", "abc", one,
		constant(`{"type": "triggered_tags", "triggers": [""], "tags": [{"begin": "", `+
			`"content": {"type": "any_text"}, "end": ""}]}`)),
	tagFamily("invalid UTF-8", "a", one, constant("{\"type\": \"const_string\", \"value\": \"a\xc3\"}")),
	tagFamily("NUL", "a\x00b", one,
		constant(`{"type": "tag", "begin": "a\u0000", "content": `+anyText+`, "end": "\u0000"}`)),
	{"older document of many structures", core.StructuralTag, []int{100, 10_000}, func(n int) string {
		return `{"structures": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"begin": "<f=t%d>", "schema": {"type": "object", "properties": {"x": {"type": `+
				`"integer"}}}, `+
				`"end": "</f>"}`, i)
		}) + `], "triggers": ["<f="]}`
	}, `text <f=t7>{"x": 1}</f>`},
	{"choice of strings that begin with one another", core.Choice, []int{100, 3000}, func(n int) string {
		return "[" + growing(n) + "]"
	}, rep("a", 120)},
	{"choice of one string again and again", core.Choice, []int{300_000}, func(n int) string {
		return "[" + list(n, ", ", constant(`"word"`)) + "]"
	}, "word"},
	{"choice of escapes", core.Choice, one, constant(`["\u0000", "\ud83d\ude00", "", "\n", "ß"]`), "😀"},
	{"choice of half a surrogate pair", core.Choice, one, constant(`["\ude00"]`), "a"},
	{"choice of numbers", core.Choice, []int{100_000}, func(n int) string {
		return "[" + list(n, ", ", func(i int) string { return fmt.Sprint(i) }) + "]"
	}, "1"},
}
