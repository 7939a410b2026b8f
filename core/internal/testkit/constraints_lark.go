package testkit

import (
	"fmt"
	"strings"
)

// lark returns a grammar whose rules call one another freely, some with a terminal, an attribute, a parameter or
// ignored text.
func (g *constraintGen) lark() string {
	names := []string{"start", "x", "y", "z"}[:1+g.r.Intn(4)]
	var b strings.Builder
	b.WriteString(g.rules(names, ":", g.larkElement, func() string {
		return "/" + g.pick("[ab]*", `(.|\n)*`, "[^<]*", g.regex(1)) + "/"
	}))
	if strings.Contains(b.String(), "pair{") {
		b.WriteString("pair{p, q}: p (q p)" + g.pick("*", "+", g.counts()) + "\n")
	}
	if strings.Contains(b.String(), "count::") {
		b.WriteString(g.numbered(names))
	}
	fmt.Fprintf(&b, "TERM: %s\n", g.term(2))
	if g.chance(4) {
		b.WriteString(g.pick("%ignore / {0,2}/\n", "%ignore / +/\n", "%ignore TERM\n") +
			g.pick("", `%llguidance {"allow_initial_skip": true, "ignore_once": true}`+"\n"))
	}
	return b.String()
}

func (g *constraintGen) term(depth int) string {
	if depth > 0 {
		a, b := g.term(depth-1), g.term(depth-1)
		switch g.r.Intn(5) {
		case 0:
			return "(" + a + ") & (" + b + ")"
		case 1:
			return "(" + a + ") & ~(" + b + ")"
		case 2:
			return "(" + a + ") | (" + b + ")"
		case 3:
			return "(" + a + ") (" + b + ")" + g.pick("", "?", "~2..4")
		}
	}
	return g.pick(`/[ab]+/`, `/[a-c]+/`, `/.{2,5}/`, `"a"i "0".."9"`, `/(ab)*/`, "/"+g.regex(1)+"/", `"`+g.word()+`"`)
}

// numbered returns a rule whose parameter records earlier elements: a set of letters, or their number.
func (g *constraintGen) numbered(names []string) string {
	body := func() string { return g.larkElement(names, 0) }
	n := 1 + g.r.Intn(3*g.size)
	if g.chance(2) {
		return fmt.Sprintf("count::_: %s count::incr(_) %%if lt(_, %d)\n | %s %%if ge(_, %d)\n", body(), n, body(), n/2)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "count::_: \"\" %%if is_ones([0:%d])\n", n)
	for i := range n {
		fmt.Fprintf(&b, " | %s count::set_bit(%d) %%if bit_clear(%d)\n", body(), i, i)
	}
	return b.String()
}

func (g *constraintGen) larkElement(names []string, depth int) string {
	text := `"` + g.word() + `"`
	switch n := g.r.Intn(18); {
	case n < 4:
		text = g.pick(names...)
	case n < 6:
		text = "TERM"
	case n == 6:
		text = g.pick("text_rule", "text_rule", "<t>", "<[0-3]>", "<[^2]>", `""`)
	case n == 7:
		text = "%json " + g.schema(1)
	case n < 10:
		text = "/" + g.regex(1) + "/"
	case n < 14 && depth > 0:
		text = "(" + g.alternatives(g.larkElement, names, depth-1) + ")"
	case n == 14:
		text = g.larkInline()
	case n == 15:
		text = g.pick("count::0", "pair{TERM, \",\"}", "pair{"+g.pick(names...)+", "+g.pick(names...)+"}", "@g", "@j")
	}
	switch g.r.Intn(7) {
	case 0:
		return text + g.pick("*", "+", "?")
	case 1:
		return text + g.counts()
	}
	return text
}

// larkInline are elements that Lark takes from other languages.
func (g *constraintGen) larkInline() string {
	switch g.r.Intn(3) {
	case 0:
		return "%regex {\"substring_chunks\": [" + g.words() + "]}"
	case 1:
		return `%regex {"substring_words": "` + g.word() + " " + g.word() + " " + g.word() + `"}`
	}
	return "%lark {\nstart: A+ | \"(\" start \")\"\nA: " + g.term(1) + "\n}"
}
