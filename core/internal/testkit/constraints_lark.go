package testkit

import (
	"fmt"
	"strings"
)

// lark is a grammar whose rules call one another freely, some with a terminal, an attribute or something ignored.
func (g *constraintGen) lark() string {
	names := []string{"start", "x", "y", "z"}[:1+g.r.Intn(4)]
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "%s: %s\n", n, g.alternatives(g.larkElement, names, 2))
	}
	if strings.Contains(b.String(), "lazy_text") {
		fmt.Fprintf(&b, "lazy_text[%s]: /%s/\n",
			g.pick("lazy", `stop="b"`, `suffix="ab"`, `capture, suffix="</t>"`, "max_tokens=3", "max_chars=4",
				"temperature=0.5", "capture"), g.pick("[ab]*", `(.|\n)*`, "[^<]*", g.regex(1)))
	}
	fmt.Fprintf(&b, "TERM: %s\n", g.pick(`/[ab]+/`, `/[a-c]+/ & /.{2,5}/`, `~/(ab)*/ & /[ab]{1,6}/`, `"a"i "0".."9"`))
	if g.chance(4) {
		b.WriteString("%ignore / {0,2}/\n")
	}
	return b.String()
}

func (g *constraintGen) larkElement(names []string, depth int) string {
	text := `"` + g.word() + `"`
	switch n := g.r.Intn(14); {
	case n < 4:
		text = g.pick(names...)
	case n < 6:
		text = "TERM"
	case n == 6:
		text = g.pick("lazy_text", "lazy_text", "<t>", "<[0-3]>", `""`)
	case n == 7:
		text = "%json " + g.schema(1)
	case n < 10:
		text = "/" + g.regex(1) + "/"
	case n < 13 && depth > 0:
		text = "(" + g.alternatives(g.larkElement, names, depth-1) + ")"
	}
	switch g.r.Intn(7) {
	case 0:
		return text + g.pick("*", "+", "?")
	case 1:
		return text + g.counts()
	}
	return text
}

// dispatched is a format in which texts or tokens open others, or one of what may stand there.
func (g *constraintGen) dispatched(sub func() string) string {
	token := func() string { return g.pick(`"<t>"`, `"<s>"`, "0", "7") }
	switch g.r.Intn(5) {
	case 0:
		return fmt.Sprintf(`{"type": "dispatch", "rules": [["<t", %s], [%q, %s]], "loop": %t%s}`, sub(), g.word(),
			sub(), g.chance(2), g.pick("", `, "excludes": ["bb"]`))
	case 1:
		return fmt.Sprintf(`{"type": "token_dispatch", "rules": [[%s, %s]], "loop": %t}`, token(), sub(), g.chance(2))
	case 2:
		return fmt.Sprintf(`{"type": "token_triggered_tags", "trigger_tokens": ["<t>"], "tags": [{"begin": {"type": `+
			`"token", "token": "<t>"}, "content": %s, "end": "</t>"}], "at_least_one": %t}`, sub(), g.chance(3))
	case 3:
		return fmt.Sprintf(`{"type": "json_schema", "json_schema": {"type": "object", "properties": {"a": %s}}, `+
			`"style": %q}`, g.schema(1), g.pick("qwen_xml", "minimax_xml", "glm_xml", "deepseek_xml", "python",
			"gemma_4"))
	}
	return g.pick(fmt.Sprintf(`{"type": "any_tokens", "exclude_tokens": [%s]}`, token()),
		fmt.Sprintf(`{"type": "exclude_token", "exclude_tokens": [%s]}`, token()),
		fmt.Sprintf(`{"type": "token", "token": %s}`, token()),
		fmt.Sprintf(`{"type": "any_text", "max_tokens": %d}`, g.count()),
		fmt.Sprintf(`{"type": "any_text", "max_chars": %d}`, g.count()))
}
