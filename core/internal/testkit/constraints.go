package testkit

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Constraint is the text of a constraint with its kind and options. Immutable.
type Constraint struct {
	Kind    source.Kind
	Text    string
	Options string // a source.Options as JSON; "" for the defaults
}

// ConstraintKinds are the kinds of RandomConstraint, besides requests, which contain constraints of these kinds.
var ConstraintKinds = []source.Kind{
	source.Regex, source.EBNF, source.JSONSchema, source.StructuralTag,
	source.Choice, source.Lark,
}

// RandomConstraint returns a constraint of the given kind from shapes that strain an engine: counts, nesting,
// ambiguity, nullable recursion, several patterns on one string, large divisors, look-arounds, distinct items. size,
// from 1, bounds counts and nesting. Some constraints are wrong or have an empty language: errors are answers too.
func RandomConstraint(r *rand.Rand, kind source.Kind, size int) Constraint {
	g := &constraintGen{r: r, size: max(size, 1)}
	c := Constraint{Kind: kind}
	switch kind {
	case source.Regex:
		c.Text = g.regex(2 + r.Intn(2))
	case source.EBNF:
		c.Text = g.ebnf()
	case source.JSONSchema:
		c.Text = g.schema(2)
	case source.StructuralTag:
		c.Text = `{"type": "structural_tag", "format": ` + g.tag(2) + "}"
	case source.Lark:
		c.Text = g.lark()
	case source.Request:
		c.Text = g.request()
	default:
		c.Kind, c.Text = source.Choice, g.choice()
	}
	c.Options = g.options(c.Kind, c.Text)
	return c
}

// ConstraintVocabulary returns a vocabulary for random constraints, small enough to try every token: pieces of their
// texts, single bytes, parts of characters, ids with equal bytes and without any, special tokens, two end tokens. wide
// adds some hundred words, so that token sets pay.
func ConstraintVocabulary(wide bool) (*vocab.Vocabulary, error) {
	texts := Strings("ab", 3)[1:]
	texts = append(texts, strings.Split(`c d x 1 2 0 00 60 . - + * ( ) [ ] [] { } {" "a" "b" " \ , : ": " ", " true `+
		`false null cc ca bc abc <t> </t> <t < > é`, " ")...)
	texts = append(texts, " ", "\n", "a ", " b", ", ", "\": ", "\xc3", "\xa9", "\x80", "aaaaaa", "abababab", "", "a",
		"ab")
	if wide {
		texts = append(texts, Strings("abx1 ", 4)[100:]...)
	}
	var c vocab.Config
	for _, s := range texts {
		c.Tokens = append(c.Tokens, []byte(s))
	}
	n := uint32(len(c.Tokens))
	for _, s := range []string{"<t>", "<s>", "</s>", "<end>"} {
		c.Tokens = append(c.Tokens, []byte(s))
	}
	c.Special, c.EndTokens = []uint32{n, n + 1, n + 2, n + 3}, []uint32{n + 2, n + 3}
	return vocab.New(c)
}

// constraintGen makes the texts. One goroutine.
type constraintGen struct {
	r    *rand.Rand
	size int
}

func (g *constraintGen) chance(n int) bool { return g.r.Intn(n) == 0 }

func (g *constraintGen) pick(list ...string) string { return list[g.r.Intn(len(list))] }

// count returns a small number mostly, now and then one as large as size allows.
func (g *constraintGen) count() int {
	if g.chance(4) {
		return g.r.Intn(6*g.size + 1)
	}
	return g.r.Intn(4)
}

// counts is a quantifier with bounds.
func (g *constraintGen) counts() string {
	lo := g.count()
	switch g.r.Intn(4) {
	case 0:
		return fmt.Sprintf("{%d}", lo)
	case 1:
		return fmt.Sprintf("{%d,}", lo)
	}
	return fmt.Sprintf("{%d,%d}", lo, lo+1+g.count())
}

func (g *constraintGen) class() string {
	return g.pick("[ab]", "[^a]", "[abc]", "[a-c ]", "[b-d]", `\w`, `\d`, ".", "[^<]", "[a-z0-9]")
}

func (g *constraintGen) word() string { return RandomString(g.r, "ab", 2) + g.pick("a", "b", "c") }

// regex returns a regular expression, a third of the time of a shape that is hard for engines.
func (g *constraintGen) regex(depth int) string {
	if depth == 0 {
		if g.chance(2) {
			return g.class()
		}
		return g.word()
	}
	sub := func() string { return g.regex(depth - 1) }
	switch g.r.Intn(16) {
	case 0, 1, 2:
		return sub() + sub()
	case 3, 4:
		return "(?:" + sub() + "|" + sub() + ")"
	case 5:
		return "(" + sub() + ")" + g.pick("*", "+", "?", "*?", "++")
	case 6, 7, 8:
		return "(" + sub() + ")" + g.counts()
	case 9:
		return g.class() + g.counts() + sub()
	case 10: // a window: which letter was it, n letters ago
		return fmt.Sprintf("[ab]*%s[ab]{%d}", g.pick("a", "b"), g.count()+2)
	case 11:
		return strings.Repeat(g.pick("a?", "[ab]*", "[ab]?c?", "(?:ab)?", "[ab]*[bc]*"), 1+g.r.Intn(2*g.size+2)) + sub()
	case 12:
		return g.pick("(?=", "(?!") + g.pick(".*", "", "[ab]*") + sub() + ")" + sub()
	case 13:
		return fmt.Sprintf("(?=.*%s)(?=.*%s)%s%s", g.word(), g.word(), g.class(), g.counts())
	case 14: // alternatives whose counts overlap
		var parts []string
		for i := range 2 + g.r.Intn(2*g.size+1) {
			parts = append(parts, fmt.Sprintf("%s{%d,%d}%s", g.class(), i, i+g.count(), g.word()))
		}
		return "(?:" + strings.Join(parts, "|") + ")" + g.pick("", "*", "+")
	}
	return sub() + g.pick(`\b`, "^", "$", "(?<=a)", "(?<!ab)", "") + sub()
}

// choice is a list of strings with common beginnings.
func (g *constraintGen) choice() string {
	var list []string
	for range 1 + g.r.Intn(4*g.size) {
		list = append(list, g.word()+RandomString(g.r, "ab1 ", 6))
	}
	text, _ := json.Marshal(list)
	return string(text)
}
