package testkit

import (
	"fmt"
	"math/rand"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source"
)

// ebnf returns a grammar whose rules call one another freely, to the left and to the right, and may be empty. Some
// rules have options.
func (g *constraintGen) ebnf() string {
	names := []string{"root", "x", "y", "z", "w"}[:1+g.r.Intn(4)]
	return g.rules(names, " ::=", g.element, func() string {
		return g.pick("[ab]*", "[^<]*", `Regex("(.|\\n)*")`, "Regex("+g.quoted(g.regex(1))+")",
			"[a-z]+ (\",\" [a-z]+)*")
	})
}

// rules returns rules with these names, in the syntax common to EBNF and Lark, with sign after each name. The first has
// no options. If elements refer to "text_rule", there is a rule of that name with the body of text.
func (g *constraintGen) rules(
	names []string, sign string, element func([]string, int) string, text func() string,
) string {
	var b strings.Builder
	for i, n := range names {
		if i > 0 && g.chance(12) {
			n += "[" + g.ruleOptions() + "]"
		}
		fmt.Fprintf(&b, "%s%s %s\n", n, sign, g.alternatives(element, names, 2))
	}
	if strings.Contains(b.String(), "text_rule") {
		fmt.Fprintf(&b, "text_rule[%s]%s %s\n", g.ruleOptions(), sign, text())
	}
	return b.String()
}

// ruleOptions returns options of a rule, in the syntax common to EBNF and Lark.
func (g *constraintGen) ruleOptions() string {
	one := func() string {
		return g.pick("lazy", `stop="b"`, `suffix="ab"`, `suffix="</t>"`, fmt.Sprintf("max_tokens=%d", g.count()),
			fmt.Sprintf("max_chars=%d", g.count()), "temperature=0.5", "capture", `capture="x"`)
	}
	if g.chance(3) {
		return one() + ", " + one()
	}
	return one()
}

// alternatives returns sequences of such elements, in the syntax common to EBNF and Lark.
func (g *constraintGen) alternatives(element func([]string, int) string, names []string, depth int) string {
	var out []string
	for range 1 + g.r.Intn(3) {
		var words []string
		for range 1 + g.r.Intn(3) {
			words = append(words, element(names, depth))
		}
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, " | ")
}

func (g *constraintGen) element(names []string, depth int) string {
	text := `"` + g.word() + `"`
	switch n := g.r.Intn(14); {
	case n < 5:
		text = names[g.r.Intn(len(names))]
	case n == 5:
		text = `""`
	case n < 8:
		text = g.pick("[ab]", "[^a]", "[a-c ]", "[b-d]", "[^<]")
	case n == 8:
		text = "Regex(" + g.quoted(g.regex(1)) + ")"
	case n < 11 && depth > 0:
		text = "(" + g.alternatives(g.element, names, depth-1) + ")"
	case n == 11:
		text = g.macro(names)
	}
	switch g.r.Intn(7) {
	case 0:
		return text + g.pick("*", "+", "?")
	case 1:
		return text + g.counts()
	}
	return text
}

// macro returns the use of a rule with options, in the form of a call in EBNF.
func (g *constraintGen) macro(names []string) string {
	rule := func() string { return g.pick(append(names, "text_rule")...) }
	switch g.r.Intn(8) {
	case 0, 1:
		return "text_rule"
	case 2:
		return g.pick("Token(7)", "<[9]>", "ExcludeToken(7, 8)", "!<[9]>")
	case 3:
		return "Substring(" + g.words() + ")"
	case 4:
		return `(= "` + g.word() + `")`
	case 5:
		return fmt.Sprintf("TokenTagDispatch((%d, %s), loop_after_dispatch=%t, excludes=(%d))", g.r.Intn(9), rule(),
			g.chance(2), 9+g.r.Intn(9))
	}
	return fmt.Sprintf(`TagDispatch(("<t", %s), (%q, %s), loop_after_dispatch=%t%s)`, rule(), g.word(), rule(),
		g.chance(2), g.pick("", `, excludes=("bb", "<s")`))
}

// words is some short texts in quotes, with commas between them.
func (g *constraintGen) words() string {
	list := make([]string, 2+g.r.Intn(6*g.size))
	for i := range list {
		list[i] = g.quoted(g.word() + g.pick("", " ", "ab"))
	}
	return strings.Join(list, ", ")
}

// ManyRules returns a constraint of many rules of kind EBNF or Lark, or a structural tag with one in it.
func ManyRules(r *rand.Rand, kind source.Kind) Constraint {
	g := &constraintGen{r: r, size: 1}
	if kind != source.StructuralTag {
		return Constraint{Kind: kind, Text: g.manyRules(kind)}
	}
	return Constraint{Kind: kind, Text: fmt.Sprintf(`{"type": "structural_tag", "format": {"type": "star", "content": `+
		`{"type": "grammar", "grammar": %s}}}`, g.quoted(g.manyRules(source.EBNF)))}
}

// manyRules returns a grammar of 30 rules and more, some with dozens of alternatives, with loops within loops and many
// nullable parts, from elements common to EBNF and Lark. Few rules call earlier ones, since left recursion throughout
// is refused.
func (g *constraintGen) manyRules(kind source.Kind) string {
	start, sign, class := "root", "::=", "[%s]"
	if kind == source.Lark {
		start, sign, class = "start", ":", "/[%s]/"
	}
	n := 30 + g.r.Intn(20)
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("r%d", i)
	}
	names[0] = start
	var b strings.Builder
	rule := 0
	var alternatives func(n, depth int) string
	element := func(depth int) string {
		out := `"` + RandomString(g.r, "abcd<>", 3) + `x"`
		switch k := g.r.Intn(8); {
		case k == 0 && g.chance(4):
			out = g.pick(names...)
		case k < 4 && rule+1 < n:
			out = g.pick(names[rule+1:]...)
		case k == 4 && depth > 0:
			out = "(" + alternatives(1+g.r.Intn(4), depth-1) + ")"
		case k == 5:
			out = fmt.Sprintf(class, g.pick("ab", "a-z", "^<", " ", "0-9"))
		}
		return out + g.pick("", "", "", "*", "?", "+")
	}
	alternatives = func(n, depth int) string {
		out := make([]string, n)
		for i := range out {
			for out[i] = element(depth); g.chance(2); {
				out[i] += " " + element(depth)
			}
		}
		return strings.Join(out, " | ")
	}
	for ; rule < n; rule++ {
		some := 1 + g.r.Intn(4)
		if g.chance(6) {
			some *= 15
		}
		fmt.Fprintf(&b, "%s %s %s\n", names[rule], sign, alternatives(some, 2))
	}
	return b.String()
}
