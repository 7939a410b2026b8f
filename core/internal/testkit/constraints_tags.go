package testkit

import "fmt"

// tag is a format of a structural tag.
func (g *constraintGen) tag(depth int) string {
	sub := func() string { return g.tag(depth - 1) }
	if depth > 0 {
		switch g.r.Intn(10) {
		case 0:
			return fmt.Sprintf(`{"type": "sequence", "elements": [%s, %s]}`, sub(), sub())
		case 1:
			return fmt.Sprintf(`{"type": "or", "elements": [%s, %s]}`, sub(), sub())
		case 2:
			return fmt.Sprintf(`{"type": %q, "content": %s}`, g.pick("star", "plus", "optional"), sub())
		case 3:
			lo := g.r.Intn(3)
			return fmt.Sprintf(`{"type": "repeat", "content": %s, "min": %d, "max": %d}`, sub(), lo, lo+1+g.count())
		case 4:
			return g.begun(g.pick("<t>", "a", "<t"), sub())
		case 5, 6:
			return fmt.Sprintf(`{"type": "triggered_tags", "triggers": ["<t"], "tags": [%s, %s], "at_least_one": %t, `+
				`"stop_after_first": %t%s}`,
				g.begun("<t>", sub()), g.begun("<ta", sub()), g.chance(4), g.chance(4),
				g.pick("", "", `, "excludes": ["bb", "</x"]`))
		case 7:
			return fmt.Sprintf(`{"type": "tags_with_separator", "separator": %q, "tags": [%s, `+
				`%s]}`, g.pick(",", "ab", ""), g.begun("<t>", sub()), g.begun("a", sub()))
		case 8:
			return g.dispatched(sub)
		}
	}
	switch g.r.Intn(6) {
	case 0:
		return `{"type": "any_text"` + g.pick("", `, "excludes": ["ab"]`, `, "excludes": ["<t", "b"]`,
			fmt.Sprintf(`, "excludes": [%s]`, g.words())) + g.pick("", "", g.budget()) + "}"
	case 1:
		return g.styled()
	case 2:
		if g.chance(2) {
			return fmt.Sprintf(`{"type": "grammar", "grammar": %s, "syntax": "lark"}`, g.quoted(g.lark()))
		}
		return fmt.Sprintf(`{"type": "grammar", "grammar": %s}`, g.quoted(g.ebnf()))
	case 3:
		return fmt.Sprintf(`{"type": "const_string", "value": %q}`, g.word())
	}
	return fmt.Sprintf(`{"type": "regex", "pattern": %s}`, g.quoted(g.regex(1+g.r.Intn(2))))
}

func (g *constraintGen) begun(begin, content string) string {
	return fmt.Sprintf(`{"type": "tag", "begin": %q, "content": %s, "end": `+
		`%s}`, begin, content, g.pick(`"</t>"`, `"b"`, `["</t>", "</"]`))
}

// budget bounds free text.
func (g *constraintGen) budget() string {
	return fmt.Sprintf(`, %q: %d`, g.pick("max_tokens", "max_chars"), g.count()+g.r.Intn(2)*g.r.Intn(100))
}

// Styles are the styles of a call's arguments in random tags.
var Styles = []string{
	"qwen_xml", "mimo_xml", "minimax_xml", "minimax_m3_xml", "deepseek_xml", "deepseek_v4_1_xml", "glm_xml", "cohere_xml",
	"kimi_k3_xml", "python", "gemma_4", "function_gemma",
}

// styled is a value of a schema, as JSON or as a model writes arguments.
func (g *constraintGen) styled() string {
	more := g.pick("", "", `, "any_order": true`, `, "max_whitespace_cnt": 3`, `, "excludes": ["ab", "</t"]`)
	if g.chance(2) {
		return fmt.Sprintf(`{"type": "json_schema", "json_schema": %s%s}`, g.schema(1), more)
	}
	return fmt.Sprintf(`{"type": "json_schema", "json_schema": %s, "style": %q%s}`, g.parameters(), g.pick(Styles...),
		more)
}

// parameters is the schema of an object with a few properties.
func (g *constraintGen) parameters() string {
	return fmt.Sprintf(`{"type": "object", "properties": {"a": %s, "b": %s}%s%s}`, g.schema(1), g.schema(1),
		g.pick("", `, "required": ["b"]`, `, "required": ["a"]`),
		g.pick("", `, "additionalProperties": false`, `, "minProperties": 3, "additionalProperties": `+
			`{"type": "string"}`))
}

// dispatched returns a format in which texts or tokens open other formats, or one of several formats.
func (g *constraintGen) dispatched(sub func() string) string {
	token := func() string { return g.pick(`"<t>"`, `"<s>"`, "0", "7") }
	switch g.r.Intn(4) {
	case 0:
		return fmt.Sprintf(`{"type": "dispatch", "rules": [["<t", %s], [%q, %s]], "loop": %t%s}`, sub(), g.word(),
			sub(), g.chance(2), g.pick("", `, "excludes": ["bb"]`))
	case 1:
		return fmt.Sprintf(`{"type": "token_dispatch", "rules": [[%s, %s]], "loop": %t}`, token(), sub(), g.chance(2))
	case 2:
		return fmt.Sprintf(`{"type": "token_triggered_tags", "trigger_tokens": ["<t>"], "tags": [{"begin": {"type": `+
			`"token", "token": "<t>"}, "content": %s, "end": "</t>"}], "at_least_one": %t}`, sub(), g.chance(3))
	}
	return g.pick(fmt.Sprintf(`{"type": "any_tokens", "exclude_tokens": [%s]}`, token()),
		fmt.Sprintf(`{"type": "exclude_token", "exclude_tokens": [%s]}`, token()),
		fmt.Sprintf(`{"type": "token", "token": %s}`, token()),
		fmt.Sprintf(`{"type": "any_tokens", "max_tokens": %d}`, g.count()),
		`{"type": "any_text"`+g.budget()+"}")
}
