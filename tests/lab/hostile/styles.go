package main

import (
	"encoding/json"
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

// configured are families with options of their compilation.
type configured struct {
	family
	options *core.Options
}

// styles are the styles of tags' values that differ the most.
var styles = []string{
	"python", "gemma_4", "function_gemma", "kimi_k3_xml", "minimax_xml", "minimax_m3_xml", "qwen_xml", "glm_xml",
	"deepseek_v4_1_xml", "cohere_xml",
}

func styled(name, text string, sizes []int, schema func(n int) string) (all []family) {
	for _, style := range styles {
		all = append(all, tagFamily(name+" in "+style, text, sizes, func(n int) string {
			return fmt.Sprintf(`{"type": "tag", "begin": "<f>", "content": {"type": "json_schema", "style": "%s", `+
				`"json_schema": %s}, "end": "</f>"}`, style, schema(n))
		}))
	}
	return all
}

func wideObject(n int) string {
	return `{"type": "object", "properties": {` + list(n, ", ", func(i int) string {
		return fmt.Sprintf(`"k%d": {"type": ["string", "integer", "object", "array"], "maxLength": %d, "items": `+
			`{"type": "number"}}`, i, i+1)
	}) + `}, "required": ["k1"]}`
}

func deepObject(n int) string {
	return rep(`{"type": "object", "properties": {"a": `, n) + `{"type": "string"}` +
		rep(`, "b": {"type": "array", "items": {"type": "string"}}}, "required": ["a"]}`, n)
}

func recursiveAnyOf(n int) string {
	return `{"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {` +
		list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"d%d": {"anyOf": [{"type": "string", "pattern": "^[a-z]{1,%d}$"}, {"$ref": `+
				`"#/$defs/d%d"}, `+
				`{"type": "object", "properties": {"x%d": {"$ref": "#/$defs/d%d"}}}, {"type": "array", "items": `+
				`{"$ref": "#/$defs/d%d"}}]}`, i, i+1, (i+1)%n, i, i*7%n, i*3%n)
		}) + "}}"
}

func hostileStrings(n int) string {
	return `{"type": "object", "properties": {` + list(n, ", ", func(i int) string {
		return fmt.Sprintf(`"p%d": {"type": "string", "allOf": [{"pattern": "^[ab<]*a[ab<]{%d}$"}, {"pattern": `+
			`"[a-z]*b"}, {"not": {"pattern": "aa.{%d}b"}}], "maxLength": %d}`, i, i%30+1, i%20, 40+i)
	}) + `}, "required": ["p0"]}`
}

func styleFamilies() (all []family) {
	all = append(all, styled("a wide object", "<f>", []int{30, 1000}, wideObject)...)
	all = append(all, styled("a deep object", "<f>", []int{50, 900}, deepObject)...)
	all = append(all, styled("recursive alternatives", "<f>", []int{5, 40}, recursiveAnyOf)...)
	return append(all, styled("hostile strings", "<f>", []int{1, 30}, hostileStrings)...)
}

func request(n int, parameters func(i int) string) string {
	return `{"messages": [], "tools": [` + list(n, ", ", func(i int) string {
		return fmt.Sprintf(`{"type": "function", "function": {"name": "tool%d", "parameters": %s}}`, i, parameters(i))
	}) + `]}`
}

// familyRequests makes requests of many tools for families of models.
func familyRequests() (all []configured) {
	for _, name := range []string{
		"hermes", "llama", "qwen3_coder", "kimi_k3", "minimax", "gemma_4", "function_gemma", "pythonic", "harmony",
		"deepseek_v3_1",
	} {
		options := &core.Options{Family: name}
		all = append(all, configured{family{
			"request tools with strings for " + name, core.Request,
			[]int{20, 500},
			func(n int) string { return request(n, func(i int) string { return hostileStrings(i%3 + 1) }) },
			"Some text first, then ",
		}, options}, configured{family{
			"request tools with objects for " + name, core.Request,
			[]int{20, 500},
			func(n int) string { return request(n, func(i int) string { return wideObject(i%30 + 1) }) },
			"Some text first, then ",
		}, options})
	}
	return all
}

// namedGrammars are Lark grammars beside others.
func namedGrammars() (all []configured) {
	for _, n := range []int{10, 300} {
		beside := map[string]core.NamedGrammar{}
		for i := range n {
			lark := fmt.Sprintf("start: \"a%d\" @g%d | /[a-z]{1,%d}/\n%%ignore / +/", i, i+1, i%40+1)
			beside[fmt.Sprintf("g%d", i)] = core.NamedGrammar{Lark: lark}
		}
		beside[fmt.Sprintf("g%d", n)] = core.NamedGrammar{Schema: json.RawMessage(hostileStrings(3))}
		all = append(all, configured{family{
			fmt.Sprintf("lark a chain of named grammars, %d", n), core.Lark, one,
			constant("start: (@g0 | @g1 \"x\")*"), "a0 a1 a2 abc",
		}, &core.Options{Grammars: beside}})
	}
	return all
}

// combined are documents that hold grammars of several kinds.
var combinedFamilies = []family{
	{"request of many messages", core.Request, []int{1_000_000, 10_000_000}, func(n int) string {
		return `{"messages": [` + rep("[],", n) + `0], "response_format": {"type": "json_object"}}`
	}, `{"a": 1}`},
	tagFamily("Lark in tags", "text <g7>k1 abc", []int{10, 300}, func(n int) string {
		return `{"type": "triggered_tags", "triggers": ["<g"], "tags": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"begin": "<g%d>", "content": {"type": "grammar", "syntax": "lark", "grammar": `+
				`"start: `+
				`(\"k%d\" N | x)*\nx[lazy]: /[a-z ]*/ \"%d\"\nN: /[a-z]{1,%d}/\n%%ignore / +/"}, "end": "</g>"}`,
				i, i, i, i+1)
		}) + "]}"
	}),
	tagFamily("Lark after Lark", "aab b ab", []int{5, 60}, func(n int) string {
		return `{"type": "sequence", "elements": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"type": "grammar", "syntax": "lark", "grammar": "start: A* x?\nA: /[ab]{1,%d}/\n`+
				`x[max_tokens=%d]: /[ab ]*/\n%%ignore / /"}`, i+1, i+1)
		}) + "]}"
	}),
	tagFamily("a union of grammars of both kinds", "aab", []int{10, 300}, func(n int) string {
		return `{"type": "or", "elements": [` + list(n, ", ", func(i int) string {
			if i%2 == 0 {
				return fmt.Sprintf(`{"type": "grammar", "grammar": "root ::= \"a\" root | [ab]{1,%d} \"%d\""}`, i+1, i)
			}
			return fmt.Sprintf(`{"type": "grammar", "syntax": "lark", "grammar": "start: (\"a\" | \"b\" `+
				`start)~1..%d \"%d\""}`,
				i+1, i)
		}) + "]}"
	}),
	tagFamily("recursive alternatives of schemas in tags", `x<f=1>{"a": [{"x0": `, []int{5, 40}, func(n int) string {
		return `{"type": "triggered_tags", "triggers": ["<f="], "tags": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"begin": "<f=%d>", "content": {"type": "json_schema", "json_schema": %s}, `+
				`"end": "</f>"}`,
				i, recursiveAnyOf(i%20+2))
		}) + "]}"
	}),
}

func configuredFamilies() []configured { return append(familyRequests(), namedGrammars()...) }
