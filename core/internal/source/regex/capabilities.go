package regex

import (
	"unicode"

	"github.com/sluice-engine/sluice/core/internal/source"
)

// Capabilities lists the constructs of regular expressions and what becomes of them.
func Capabilities() []source.Capability {
	return []source.Capability{
		source.Does("characters", `aé\t\x41\u{1F600}`, "characters are code points; all escapes of ECMA-262 and PCRE "+
			"for single characters"),
		source.Does(".", `.`,
			`any character but a line end, which are \n \r U+2028 U+2029 as in ECMA-262; with the flag s any `+
				`character`),
		source.Does("classes", `[a-c_][[:alpha:]][^\s]`,
			"ranges, negation, class escapes and POSIX classes; a [ that opens no class is the character").
			But("a ] directly after the bracket, about which dialects differ", `[]a]`),
		source.Does("set operations in classes", `[a-c\d&&[^b]][[a-z]--[aeiou]][[a-c]x]`,
			"classes inside classes (union), && (intersection) and -- (difference), as ECMA-262's flag v and Java "+
				"read them; negation applies last. In JSON Schema, whose dialect has no sets, they are refused").
			But("~~, && beside --, and -- or -[ where other dialects read a range", `[a~~b]`),
		source.Does(`\d \w \s`, `\d\D\w\W\s\S`, "ASCII, and their complements"),
		source.Does(`\p{…}`, `\p{Lu}\P{Greek}\p{scx=Latin}\p{Emoji}`,
			"of Unicode "+unicode.Version+": general categories (with PCRE's L&), Script, Script_Extensions and the "+
				"binary properties of ECMA-262 but Changes_When_…, under their long and short names").
			But("other properties", `\p{Block=Basic_Latin}`),
		source.Does("groups", `(a)(?:b)(?<name>c)(?P<other>d)(?#comment)`, "capturing ones capture nothing"),
		source.Does("alternatives", `a|b|`, ""),
		source.Does("quantifiers", `a*b+c?d{2}e{2,}f{2,5}g*?`, "greedy and lazy ones match the same; counts of any "+
			"size are not unrolled"),
		source.Does("anchors", `^a$|\Ab\z`,
			"at the ends of the output they mean nothing; elsewhere they are enforced. $ and \\Z are the very end, "+
				"not before a last line end"),
		source.Does("word boundaries", `.*\bfoo\b.*`, "between ASCII word characters and others"),
		source.Does("flags", `(?i)a(?s:.)(?x: b # comment`+"\n"+`)(?-i)c`,
			"i m s u x, for the rest of a group or for one group. i is Unicode's simple folding: k matches U+212A, ß "+
				"matches ẞ but not ss; \\d \\w \\s stay ASCII"),
		source.Does("look-ahead", `(?=.*\d)(?!x)\w+`, "by intersection").But("one inside another in a loop",
			`(?:(?=(?=b))a)+`),
		source.Does("look-behind", `\w+(?<=ab)(?<!cab)`, "by intersection").But("assertions inside it",
			`a(?<=(?=a)a)b`),
		source.Does("atomic groups", `(?>ab|cd)e`, "atomic groups and possessive quantifiers where what they give up "+
			"is regular").But("the others", `(?>(?:a|ab)*)b`),
		source.DoesNot("back-references", `(a)\1`, "not regular: write out the texts that the group may match"),
		source.DoesNot("recursion", `(a(?1)?b)`, "not regular: use a grammar"),
		source.DoesNot("conditions", `(a)?(?(1)b|c)`, "not regular: write the cases as alternatives"),
		source.DoesNot("flag xx", `(?xx)a`, "use x, and leave spaces out of classes"),
	}
}
