package corpus

import (
	"fmt"
	"strings"

	"github.com/sluice-engine/sluice/core"
)

// Slow returns constraints that were slow once: ambiguous grammars, counted groups that follow themselves, large
// divisors, many patterns, alternatives, look-aheads and forbidden words on one string. Their outputs are prefixes of
// accepted texts.
func Slow(take func(*Job)) error {
	for _, x := range slow() {
		take(x)
	}
	return nil
}

func slow() []*Job {
	of := func(kind core.Kind) func(name, spec string, texts ...string) *Job {
		return func(name, spec string, texts ...string) *Job { return ownJob(name, kind, spec, texts...) }
	}
	ebnf, regex, schema := of(core.EBNF), of(core.Regex), of(core.JSONSchema)
	tag := func(name, format string, texts ...string) *Job {
		return ownJob(name, core.StructuralTag, `{"type": "structural_tag", "format": `+format+`}`, texts...)
	}
	return []*Job{
		ebnf("elements", "root ::= el\nel ::= \"<b>\" (el | text)* \"</b>\"\ntext ::= [^<>]{1,20}",
			"<b> Hello world, this is a longer text <b>inner</b> and more</b>"),
		ebnf("lines", "root ::= line+\nline ::= [^\\n]{0,80} \"\\n\"?",
			"Hello there\nthis is a line that is a bit longer than the others are\n\nend\n"),
		ebnf("words of a counted class", "root ::= ([a-z ]{1,20})+", "ab cde fgh ij hello world again and again"),
		ebnf("counted rule", "root ::= x*\nx ::= Regex(\"[a-z ]{1,20}\")", "ab cde fgh ij hello world again and again"),
		ebnf("words and blanks", "root ::= ([a-z]{1,15} \" \"?)+", "ab cde fgh ij hello world"),
		ebnf("recursion on both sides", `root ::= "(" root ")" | [a-z] root? | root [a-z]`, strings.Repeat("a", 1500)),
		ebnf("words", "root ::= ([a-z]{1,10})+", "abcdefghhelloworldagain"),
		tag("texts and tags, 10", `{"type": "star", "content": {"type": "or", "elements": [{"type": "regex", "pattern": `+
			`"[^<]{1,10}"}, {"type": "tag", "begin": "<t>", "content": {"type": "regex", "pattern": "[a-z]*"}, "end": `+
			`"</t>"}]}}`, "Hi there, this is text<t>abc</t> and more<t>x</t>"),
		tag("texts and tags, 30", `{"type": "star", "content": {"type": "or", "elements": [{"type": "regex", "pattern": `+
			`"[^<]{1,30}"}, {"type": "tag", "begin": "<t>", "content": {"type": "regex", "pattern": "[a-z]*"}, "end": `+
			`"</t>"}]}}`, "Hi there, this is text<t>abc</t> and more<t>x</t>"),
		tag("two counted patterns", `{"type": "plus", "content": {"type": "or", "elements": [{"type": "regex", "pattern": `+
			`"[a-z ]{1,5}"}, {"type": "regex", "pattern": "[a-z ]{1,10}"}]}}`, "ab cde fgh ij hello world"),
		tag("counted pattern, 20", `{"type": "plus", "content": {"type": "regex", "pattern": "[a-z ]{1,20}"}}`,
			"ab cde fgh ij hello world"),
		tag("counted pattern, 5", `{"type": "plus", "content": {"type": "regex", "pattern": "[a-z ]{1,5}"}}`,
			"ab cde fgh ij hello world"),
		ebnf("expressions", "root ::= e\ne ::= e (\"+\"|\"-\"|\"*\"|\"/\") e | [0-9]+ | \"(\" e \")\" | \"-\" e",
			"1+(2*34)-5/(-6+7*(8-9))", "--1+-2*((3))"),
		ebnf("regular expressions", `root ::= r`+"\n"+`r ::= r r | r "|" r | r [*+?] | "(" r ")" | [a-z0-9.] | "[" [a-z]+ `+
			`"]" | "\\" [dws]`, `ab|c*(d[xyz]+|e\d)?.(((a|b)c)*d)`, `(foo|bar)+[abc]?\w*hello|world(again(and(again)))`),
		ebnf("SQL conditions", "root ::= c\nc ::= c \" AND \" c | c \" OR \" c | \"NOT \" c | \"(\" c \")\" | v op v\n"+
			"op ::= \"=\" | \"<\" | \" LIKE \"\nv ::= [a-z]+ | [0-9]+ | v \"+\" v | \"'\" [a-z ]* \"'\"",
			"a=1 AND NOT (bcd<2+3 OR c LIKE 'some text') OR x+y=z"),
		ebnf("LaTeX", "root ::= x*\nx ::= [a-z ]+ | \"{\" x* \"}\" | x \"^\" x | x \"_\" x | \"\\\\frac{\" x \"}{\" x \"}\"",
			`a^{b c}_d hello \frac{a}{b^c}_x{y{z}}`),
		ebnf("dangling else", "root ::= s\ns ::= \"if c \" s | \"if c \" s \" else \" s | \"x\"",
			"if c if c x else if c x else x else x"),
		ebnf("sss", "root ::= s\ns ::= s s s | s s | [a-z] | \" \"", "ab cd hello world again"),
		ebnf("lambda terms", "root ::= e\ne ::= e \" \" e | \"\\\\\" [a-z] \".\" e | [a-z] | \"(\" e \")\"",
			`\x.(x y) z (\y.\z.y (z z)) `+strings.Repeat(`(\x.x x) `, 40)+"y"),
		tag("any text, a tag, any text", `{"type": "star", "content": {"type": "sequence", "elements": [{"type": `+
			`"any_text"}, {"type": "optional", "content": {"type": "tag", "begin": "<t>", "content": {"type": "any_text"}, `+
			`"end": "</t>"}}, {"type": "any_text"}]}}`, "Some text <t>in a tag</t> and more <t>again</t> end"),
		schema("multiple of 1440", `{"type":"integer","multipleOf":1440,"minimum":0,"maximum":1000000000000}`,
			"144000", "999999999360"),
		schema("multiple of 86400", `{"type":"integer","multipleOf":86400}`, "8640000", "-1036800000"),
		schema("multiple of a prime", `{"type":"integer","multipleOf":9973,"minimum":1000}`, "99730000", "1000002722892"),
		schema("multiple of a million", `{"type":"integer","multipleOf":1000000}`, "123000000", "-7000000"),
		schema("eight patterns", `{"type":"string","minLength":8,"maxLength":64,"allOf":[{"pattern":"[A-Z]"},`+
			`{"pattern":"[a-z]"},{"pattern":"[0-9]"},{"pattern":"[!@#$%]"},{"pattern":"[xyz]"},{"pattern":"q"},`+
			`{"pattern":"[pP]"},{"pattern":"[5-9]"}]}`, `"Password 7! xq and more text"`, `"zzzzzzzzqqqqqpppp77!!A"`),
		schema("a value twice", `{"type":"array","uniqueItems":true,"minItems":2,"items":{"anyOf":[{"enum":["a","b",1,1.0,`+
			`null]},{"type":"boolean"}]}}`, `["a", 1, true, null]`, `[false, "b", "a"]`),
		regex("60 counted alternatives", alternatives(60), "hello", "abcdefghijklmnopqrstu7"),
		regex("forbidden words", `(?!.*(?:foo|bar|baz|qux|quux|corge|grault|garply|waldo|fred))[\w ,.]{0,400}`,
			"Hello world, this is some text. fo ba wald fre and so on, until it ends."),
		regex("ten look-aheads", `(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*e)(?=.*f)(?=.*g)(?=.*h)(?=.*i)(?=.*j)\w{10,40}`,
			"abcdefghijkl", "zzzjihgfedcba"),
		regex("twelve look-aheads", `(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*e)(?=.*f)(?=.*g)(?=.*h)(?=.*i)(?=.*j)(?=.*k)(?=.*l)`+
			`\w{12,40}`, "abcdefghijkl", "zzzlkjihgfedcba"),
		regex("password", `(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?=.*[!@#$%^&*])[A-Za-z\d!@#$%^&*]{8,64}`, "Passw0rd!xyz"),
		tag("counted text in tags", `{"type": "tags_with_separator", "separator": ", ", "tags": [{"begin": "<a>", `+
			`"content": {"type": "regex", "pattern": "[^<]{0,40}"}, "end": "</a>"}]}`,
			"<a>hello world, this is an item</a>, <a>world</a>"),
	}
}

// alternatives returns n alternatives of which each counts letters and ends in its number.
func alternatives(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("[a-z]{%d,%d}%d", i+1, i+31, i+1)
	}
	return strings.Join(list, "|")
}
