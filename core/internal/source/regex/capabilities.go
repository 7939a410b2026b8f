package regex

import (
	"unicode"

	"github.com/sluice-engine/sluice/core/internal/source"
)

// Capabilities lists the constructs of regular expressions and their support.
func Capabilities() []source.Capability {
	return []source.Capability{
		source.Does("characters", `aé\t\x41\u{1F600}`, "code points; all escapes of ECMA-262 and PCRE for single "+
			"characters"),
		source.Does(".", `.`,
			`any character except the line ends of ECMA-262: \n \r U+2028 U+2029; with the flag s any character`),
		source.Does("classes", `[a-c_][[:alpha:]][^\s]`,
			"ranges, negation, class escapes and POSIX classes; a [ that opens no class is the character").
			But("a ] directly after the bracket, which dialects read differently", `[]a]`),
		source.Does("set operations in classes", `[a-c\d&&[^b]][[a-z]--[aeiou]][[a-c]x]`,
			"nested classes (union), && (intersection) and -- (difference), as ECMA-262's flag v and Java read them; "+
				"negation applies last. JSON Schema's dialect has none and refuses them").
			But("~~, && beside --, and -- or -[ that other dialects read as a range", `[a~~b]`),
		source.Does(`\d \w \s`, `\d\D\w\W\s\S`, "ASCII digits, word characters and whitespace, and their complements"),
		source.Does(`\p{…}`, `\p{Lu}\P{Greek}\p{scx=Latin}\p{Emoji}`,
			"of Unicode "+unicode.Version+": general categories (with PCRE's L&), Script, Script_Extensions, and binary "+
				"properties of ECMA-262 except Changes_When_…, by long and short names").
			But("other properties", `\p{Block=Basic_Latin}`),
		source.Does("groups", `(a)(?:b)(?<name>c)(?P<other>d)(?#comment)`, "groups capture nothing"),
		source.Does("alternatives", `a|b|`, "one of them; one may be empty"),
		source.Does("quantifiers", `a*b+c?d{2}e{2,}f{2,5}g*?`, "greedy and lazy ones match the same texts; counts up to "+
			"4,294,967,293"),
		source.Does("anchors", `^a$|\Ab\z`,
			"enforced, and redundant at the ends of the output. $ and \\Z are the very end of the text, not before a "+
				"last line end"),
		source.Does("word boundaries", `.*\bfoo\b.*`, "between ASCII word characters and others"),
		source.Does("flags", `(?i)a(?s:.)(?x: b # comment`+"\n"+`)(?-i)c`,
			"i m s u x, for the rest of a group or for one group. i folds case as Unicode's simple folding: k matches "+
				"U+212A, ß matches ẞ but not ss; \\d \\w \\s stay ASCII"),
		source.Does("look-ahead", `(?=.*\d)(?!x)\w+`, "the text after it must match, or must not").
			But("one inside another in a loop", `(?:(?=(?=b))a)+`),
		source.Does("look-behind", `\w+(?<=ab)(?<!cab)`, "the text before it must match, or must not").
			But("assertions inside it", `a(?<=(?=a)a)b`),
		source.Does("atomic groups", `(?>ab|cd)e`, "atomic groups and possessive quantifiers, if the texts that they "+
			"exclude are regular").But("others", `(?>(?:a|ab)*)b`),
		source.DoesNot("back-references", `(a)\1`, "not regular: write out the texts that the group may match"),
		source.DoesNot("recursion", `(a(?1)?b)`, "not regular: use a grammar"),
		source.DoesNot("conditions", `(a)?(?(1)b|c)`, "not regular: write the cases as alternatives"),
		source.DoesNot("flag xx", `(?xx)a`, "use x, and leave spaces out of classes"),
	}
}
