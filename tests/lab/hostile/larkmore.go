package main

import (
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

// Lark beyond rules and terminals: numbers of rules, settings, attributes, grammars within and beside it.
var moreLarkFamilies = []family{
	{"lark classes of every script", core.Lark, []int{1000, 60_000}, func(n int) string {
		return "start: " + rep(`/\p{L}+\P{N}/ `, n)
	}, rep("a", 120)},
	{"lark permutations", core.Lark, []int{4, 10, 13, 14, 64}, func(n int) string {
		return fmt.Sprintf("start: perm::0\nperm::_: \"\" %%if is_ones([0:%d])", n) + list(n, "", func(i int) string {
			return fmt.Sprintf("\n  | \"%c%d\" perm::set_bit(%d) %%if bit_clear(%d)", 'a'+i%26, i, i, i)
		})
	}, "a0b1c2d3e4f5"},
	{"lark a number that counts", core.Lark, []int{1000, 9999, 1_000_000}, func(n int) string {
		return fmt.Sprintf("start: count::0\ncount::_: \"\" %%if ge([0:24], %d)\n | \"a\" count::incr([0:24]) "+
			"%%if lt([0:24], %d)", n/2, n)
	}, rep("a", 100)},
	{"lark several numbers in one", core.Lark, []int{3, 10, 40}, func(n int) string {
		return "start: c::0\nc::_: \"x\" " + list(4, "", func(i int) string {
			return fmt.Sprintf("\n | \"%c\" c::incr([%d:%d]) %%if lt([%d:%d], %d)", 'a'+i, 8*i, 8*i+8, 8*i, 8*i+8, n)
		})
	}, "abcdabcdx"},
	{"lark numbers within free text", core.Lark, []int{2, 8, 11}, func(n int) string {
		return fmt.Sprintf("start: c::0\nc::_: TEXT %%if is_ones([0:%d])", n) + list(n, "", func(i int) string {
			return fmt.Sprintf("\n | h%d c::set_bit(%d) %%if bit_clear(%d)", i, i, i)
		}) + "\nTEXT: /(.|\\n)*/" + list(n, "", func(i int) string {
			return fmt.Sprintf("\nh%d[lazy]: TEXT \"<f%d>\"", i, i)
		})
	}, "text <f1> more <f0>"},
	{"lark conditions of conditions", core.Lark, []int{100, 900, 50_000}, func(n int) string {
		return "start: c::7\nc::_: \"a\" %if " + rep("not(", n) + "eq([0:8], 7)" + rep(")", n) +
			"\n | \"b\" %if " + rep("and(is_ones([0:3]), ", n) + "bit_set(0)" + rep(")", n)
	}, "ab"},
	{"lark grammars within grammars that ignore", core.Lark, []int{20, 60}, func(n int) string {
		return rep("start: %lark {\nstart: W x\nW: /[a-z ]+/\n%ignore / +/\nx: %lark {\n", n/2) + `start: "a"` +
			rep("\n}\n}", n/2)
	}, "ab ab ab"},
	{"lark settings and terminals that are ignored", core.Lark, []int{10, 300, 5000}, func(n int) string {
		return "%llguidance {\"allow_initial_skip\": true, \"skip_repetition\": \"once\"}\nstart: (" +
			list(n, " | ", func(i int) string { return fmt.Sprintf("T%d T%d?", i, (i+1)%n) }) + ")*\n" +
			list(n, "\n", func(i int) string { return fmt.Sprintf("T%d: /[a-z]{1,%d}%c/", i, i%9+1, 'a'+i%26) }) +
			"\n%ignore / +/\n%ignore /#[^\\n]*\\n/\n%ignore \"/*\" /(.|\\n)*/ \"*/\""
	}, "  abc # x\n b /* c */ d"},
	{"lark ignored text that may be anything", core.Lark, []int{3, 30}, func(n int) string {
		return "start: " + list(n, " ", func(i int) string { return fmt.Sprintf("T%d*", i) }) + "\n" +
			list(n, "\n", func(i int) string { return fmt.Sprintf("T%d: /[a-z]*%c/", i, 'a'+i%26) }) +
			"\n%ignore /.{0,9}/\n%ignore /[a-z]{2,30}x/"
	}, rep("abc x", 10)},
	{"lark lazy rules in one another", core.Lark, []int{5, 50, 800}, func(n int) string {
		return "start: l0 \"!\"\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("l%d[lazy]: /[a-z]{0,%d}/ (\"%c\" | /[a-z]*%d/)", i, i%40+1, 'a'+i%26, i)
		}) + "\nstop: " + list(n, " ", func(i int) string { return fmt.Sprintf("l%d", i) })
	}, "abcd!"},
	{"lark a chain of lazy rules", core.Lark, []int{5, 60, 1000}, func(n int) string {
		return "start: " + list(n, " ", func(i int) string { return fmt.Sprintf("l%d", i) }) + "\n" +
			list(n, "\n", func(i int) string {
				return fmt.Sprintf("l%d[lazy]: /(.|\\n)*/ \"%c%c\"", i, 'a'+i%26, 'b'+i%25)
			})
	}, "xxab yybc zzcd"},
	{"lark suffixes that overlap", core.Lark, []int{10, 300}, func(n int) string {
		return "start: (" + list(n, " | ", func(i int) string { return fmt.Sprintf("s%d", i) }) + ")*\n" +
			list(n, "\n", func(i int) string {
				return fmt.Sprintf("s%d[suffix=\"%sb\", max_chars=%d]: /[ab ]*/", i, rep("a", i+1), 10+i)
			})
	}, rep("ab aab ", 9)},
	{"lark max_tokens around free text", core.Lark, []int{3, 40}, func(n int) string {
		return "start: (" + list(n, " ", func(i int) string { return fmt.Sprintf("m%d \"%d\"", i, i) }) + ")*\n" +
			list(n, "\n", func(i int) string {
				return fmt.Sprintf("m%d[max_tokens=%d]: /[a-z ]*/", i, i%20+1)
			})
	}, "hello there0 and1 so on2"},
	{"lark max_tokens within max_tokens", core.Lark, []int{5, 60, 900}, func(n int) string {
		return "start: m0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("m%d[max_tokens=%d]: \"(\" m%d \")\" | /[a-z]*/", i, 2*n-i, i+1)
		}) + fmt.Sprintf("\nm%d: \"x\"", n)
	}, rep("(", 40) + "abc" + rep(")", 10)},
	{"lark max_tokens of a recursive rule", core.Lark, []int{10, 1000}, func(n int) string {
		return fmt.Sprintf("start: e\ne[max_tokens=%d]: \"(\" e* \")\" | /[a-z ]{1,9}/", n)
	}, "((ab)(c(d)))"},
	{"lark max_chars of patterns that count", core.Lark, []int{30, 3000}, func(n int) string {
		return fmt.Sprintf("start: x*\nx[max_chars=%d]: (/[a-z]{1,%d}/ \" \"?){1,%d} \";\"", n, n, n)
	}, rep("ab cd;", 12)},
	{"lark captures within captures", core.Lark, []int{20, 900}, func(n int) string {
		return "start: c0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("c%d[capture]: \"a\"* c%d \"b\"*", i, i+1)
		}) + fmt.Sprintf("\nc%d: \"x\"", n)
	}, rep("a", 60) + "x" + rep("b", 30)},
	{"lark temperatures of recursive rules", core.Lark, []int{10, 500}, func(n int) string {
		return "start: t0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("t%d[temperature=0.%d]: \"(\" t%d \")\" | \"[\" t%d \"]\" | \"x\"", i, i%9+1, (i+1)%n,
				i*7%n)
		})
	}, rep("([", 40) + "x"},
	{"lark tokens in every rule", core.Lark, []int{30, 300, 3000}, func(n int) string {
		return "start: (" + list(n, " | ", func(i int) string {
			return fmt.Sprintf("<[%d-%d,%d]> /[a-z]*/ <[^%d]>", 300+i, 900+i*3, 5+i, i)
		}) + ")*"
	}, "abc def"},
	{"lark a schema in every alternative", core.Lark, []int{30, 1000}, func(n int) string {
		return "start: (" + list(n, " | ", func(i int) string {
			return fmt.Sprintf("\"%d:\" %%json {\"type\": \"object\", \"properties\": {\"k%d\": {\"type\": "+
				"\"string\", "+
				"\"pattern\": \"^[ab]*a[ab]{%d}$\"}}}", i, i, i%30)
		}) + ")*\n%ignore / +/"
	}, `7: {"k7": "aabab"} 8: {`},
	{"lark runs of words", core.Lark, []int{1000, 100_000}, func(n int) string {
		return `start: (%regex {"substring_words": "` + list(n, " ", func(i int) string {
			return fmt.Sprintf("w%d", i%7919)
		}) + `"} ";")*`
	}, "w1 w2;w3 w4 w5"},
	{"lark imports", core.Lark, []int{100, 10_000}, func(n int) string {
		return "start: (" + list(n, " | ", func(i int) string { return fmt.Sprintf("T%d", i) }) + ")*\n" +
			list(n, "\n", func(i int) string {
				return fmt.Sprintf("%%import common.%s -> T%d", []string{
					"NUMBER", "CNAME", "ESCAPED_STRING",
					"WS",
				}[i%4], i)
			})
	}, `abc 1.5e3 "x"`},
	{"lark terminals that are not others", core.Lark, []int{10, 100, 1000}, func(n int) string {
		return "start: (NAME | KEY)*\nKEY: " + list(n, " | ", func(i int) string { return fmt.Sprintf(`"k%d"`, i*7) }) +
			"\nNAME: /[a-z][a-z0-9]{0,40}/ & ~KEY & ~(/.*_/ | /k[0-9]*5/)\n%ignore / /"
	}, "k7 abc k8 d"},
}
