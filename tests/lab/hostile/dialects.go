package main

import (
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

// Patterns and grammars with the rarer constructs of their languages: set operations, names, flags, macros, comments.
var dialectFamilies = []family{
	{"regex alternatives that begin with one another", core.Regex, []int{100, 1000}, func(n int) string {
		return list(n, "|", func(i int) string { return rep("a", i+1) })
	}, rep("a", 150)},
	{"regex loop of alternatives that begin with one another", core.Regex, []int{20, 300}, func(n int) string {
		return "(" + list(n, "|", func(i int) string { return rep("a", i+1) + "b?" }) + ")*"
	}, rep("aab", 60)},
	{"regex empty alternatives", core.Regex, []int{1000, 200_000}, func(n int) string {
		return "(a" + rep("|", n) + "b)*"
	}, rep("ab", 60)},
	{"regex classes repeated", core.Regex, []int{100, 5000}, func(n int) string {
		return rep(`[\p{L}\p{N}_-]`, n)
	}, rep("ab1", 60)},
	{"regex optional properties", core.Regex, []int{30, 1000}, func(n int) string {
		return rep(`\p{Lu}?\p{Greek}*[^\p{L}]?`, n)
	}, rep("AαBβ1", 20)},
	{"regex properties of every script", core.Regex, []int{1, 200}, func(n int) string {
		return rep(`[\p{Script=Han}\p{scx=Deva}&&\p{ID_Start}]{1,9}|\P{Lu}+|\p{Emoji}?`, n)
	}, "中文A"},
	{"regex set operations in one another", core.Regex, []int{10, 900, 5000}, func(n int) string {
		return rep("[a-z&&", n) + "[b-y]" + rep("]", n)
	}, "b"},
	{"regex open classes", core.Regex, []int{5000, 200_000}, func(n int) string { return rep("[", n) + "a" }, "a"},
	{"regex classes that ignore case", core.Regex, []int{10, 2000}, func(n int) string {
		return "(?i)" + rep(`[a-zà-ÿα-ω\u{10400}-\u{1044f}]{1,9}-?`, n)
	}, rep("AbÀ-", 30)},
	{"regex flags that change", core.Regex, []int{100, 20_000}, func(n int) string {
		return rep(`(?i)a(?-i)b(?s:.)`, n)
	}, rep("Abx", 60)},
	{"regex named groups", core.Regex, []int{1000, 40_000}, func(n int) string {
		return list(n, "", func(i int) string { return fmt.Sprintf("(?<name%d>a?)", i) })
	}, rep("a", 150)},
	{"regex a name of a megabyte", core.Regex, []int{900_000}, func(n int) string {
		return "(?<" + rep("n", n) +
			">a)"
	}, "a"},
	{"regex references back", core.Regex, []int{1, 10_000}, func(n int) string { return `(a+)` + rep(`\1`, n) }, "aa"},
	{"regex comments", core.Regex, []int{1 << 19}, func(n int) string {
		return "(?x) a " + rep("#", n) + "\n b (?#" + rep("c", n-100) + ")"
	}, "ab"},
	{"regex anchors", core.Regex, []int{1000, 100_000}, func(n int) string {
		return rep("^", n) + "a*" + rep("$",
			n)
	}, "aa"},
	{"regex anchors within", core.Regex, []int{10, 1000}, func(n int) string {
		return rep(`(^|a)*(b|$)*`, n)
	}, rep("ab", 60)},
	{"regex lazy loops in one another", core.Regex, []int{10, 300}, func(n int) string {
		return rep("(?:a*?", n) + rep("b??)*?", n)
	}, rep("ab", 60)},
	{"regex {0}", core.Regex, []int{1000, 100_000}, func(n int) string { return rep("a{0}", n) + "b" }, "b"},
	{"regex look-aheads in one another", core.Regex, []int{5, 40, 400}, func(n int) string {
		return rep("(?=a.*", n) + "b" + rep(")", n) + "[ab]*"
	}, rep("ab", 60)},
	{"regex negative look-aheads in one another", core.Regex, []int{5, 40}, func(n int) string {
		return rep("(?!a.*", n) + "b" + rep(")", n) + "[ab]*"
	}, rep("ab", 60)},
	{"regex half a surrogate pair", core.Regex, one, constant(`\ud800|[\udc00-\udfff]`), "a"},
	{"regex characters beyond Unicode", core.Regex, one, constant(`\u{110000}|\x{ffffffff}`), "a"},
	{"ebnf words that begin with one another", core.EBNF, []int{100, 2000}, func(n int) string {
		return "root ::= (" + list(n, " | ", func(i int) string { return `"` + rep("a", i+1) + `"` }) + ")*"
	}, rep("a", 150)},
	{"ebnf words with tails of their own", core.EBNF, []int{1000, 50_000}, func(n int) string {
		return "root ::= " + list(n, " | ", func(i int) string {
			return fmt.Sprintf(`"w%dx" r%d`, i*7919, i%50)
		}) + "\n" + list(50, "\n", func(i int) string { return fmt.Sprintf(`r%d ::= [a-z]{%d} | "(" root ")"`, i, i) })
	}, "w7919x(w0x"},
	{"ebnf tails with words of their own", core.EBNF, []int{1000, 100_000}, func(n int) string {
		return "root ::= " + list(n, " | ", func(i int) string { return fmt.Sprintf(`[a-z] "w%d"`, i*7919) })
	}, "aw7919"},
	{"ebnf as large as may be", core.EBNF, []int{80_000, 124_000}, func(n int) string {
		return "root ::= r0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("r%d ::= \"a\" r%d", i, i+1)
		}) + fmt.Sprintf("\nr%d ::= \"b\"", n)
	}, rep("a", 100)},
	{"ebnf names of a megabyte", core.EBNF, []int{1 << 20}, func(n int) string {
		return "root ::= " + rep("x", n) + " \"b\"\n" + rep("x", n) + " ::= [a-z] " + rep("y", n)
	}, "ab"},
	{"ebnf unknown rule among many", core.EBNF, []int{80_000}, func(n int) string {
		return "root ::= nothing\n" + list(n, "\n", func(i int) string { return fmt.Sprintf(`rule_%d ::= "a"`, i) })
	}, "a"},
	{"ebnf a rule twice", core.EBNF, []int{80_000}, func(n int) string {
		return list(n, "\n", func(i int) string { return fmt.Sprintf(`root%d ::= "a"`, i%(n-1)) })
	}, "a"},
	{"ebnf tokens", core.EBNF, []int{100, 20_000}, func(n int) string {
		return "root ::= (Token(" + list(n, ", ", func(i int) string { return fmt.Sprint(i % 250) }) +
			") | ExcludeToken(" +
			list(n, ", ", func(i int) string { return fmt.Sprint(i % 250) }) + ") \"x\")*"
	}, "abc"},
	{"ebnf many regular expressions", core.EBNF, []int{100, 5000}, func(n int) string {
		return "root ::= (" + list(n, " | ", func(i int) string {
			return fmt.Sprintf(`Regex("[a-z]{1,%d}[0-9]+x%d")`, i%40+1, i)
		}) + ")+"
	}, "abc123x7"},
	{"ebnf classes", core.EBNF, []int{100, 20_000}, func(n int) string {
		return "root ::= " + list(n, " ", func(i int) string {
			return fmt.Sprintf("[a-z%c-%c]?", rune(0x4e00+i), rune(0x4e10+i))
		})
	}, rep("a中", 40)},
	{"ebnf counts in one another", core.EBNF, []int{3, 30, 900}, func(n int) string {
		return "root ::= " + rep("(", n) + `"a"` + rep(` "b"?){0,9}`, n)
	}, rep("ab", 60)},
	{"ebnf empty strings", core.EBNF, []int{1000, 100_000}, func(n int) string {
		return "root ::= x*\nx ::= \"a\" | " + rep(`"" `, n)
	}, rep("a", 90)},
	{"ebnf comments", core.EBNF, []int{30 << 20}, func(n int) string { return "root ::= \"a\" #" + rep("#", n) }, "a"},
	{"ebnf half a surrogate pair", core.EBNF, one, constant(`root ::= "\ud800"`), "a"},
	{"ebnf macros that are not built", core.EBNF, one, constant(`root ::= TagDispatch(("<t>", x))` +
		"\nx ::= \"a\""), "a"},
}
