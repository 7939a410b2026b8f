package main

import (
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

// Repeats: of optional parts, of counts within counts, of parts that overlap.
var regexFamilies = []family{
	{
		"regex a{n}", core.Regex,
		[]int{1000, 1_000_000, 1_000_000_000},
		func(n int) string { return fmt.Sprintf("a{%d}", n) }, rep("a", 200),
	},
	{
		"regex a{n,}", core.Regex,
		[]int{1000, 1_000_000},
		func(n int) string { return fmt.Sprintf("a{%d,}b", n) },
		rep("a", 200),
	},
	{
		"regex (a{n}){n}", core.Regex,
		[]int{30, 1000},
		func(n int) string { return fmt.Sprintf("(a{%d}){%d}", n, n) },
		rep("a", 200),
	},
	{
		"regex (ab{1,n}){1,n}", core.Regex,
		[]int{30, 300, 3000},
		func(n int) string { return fmt.Sprintf("(ab{1,%d}){1,%d}", n, n) }, rep("abb", 60),
	},
	{
		"regex ((a|ab){1,n}b{1,n}){1,n}", core.Regex,
		[]int{20, 1000},
		func(n int) string { return fmt.Sprintf("((a|ab){1,%d}b{1,%d}){1,%d}", n, n, n) }, rep("abb", 60),
	},
	{"regex nested overlapping counts", core.Regex, []int{20, 60, 200}, func(n int) string {
		return fmt.Sprintf("((a{1,%d}|b{1,%d}|ab){1,%d}x?){1,%d}", n, n, n, n)
	}, rep("ab", 100)},
	{"regex four nested counts", core.Regex, []int{20, 200}, func(n int) string {
		return fmt.Sprintf("(([a-c]{1,%d}[b-d]{1,%d}){1,%d}[a-d]{1,%d}){1,%d}", n, n, n, n, n)
	}, rep("abcd", 50)},
	{
		"regex a? n times", core.Regex,
		[]int{100, 1000, 10_000, 200_000},
		func(n int) string { return rep("a?", n) },
		rep("a", 200),
	},
	{
		"regex a? n times, a n times", core.Regex,
		[]int{100, 500, 2000},
		func(n int) string { return rep("a?", n) + rep("a", n) }, rep("a", 300),
	},
	{
		"regex x* n times", core.Regex,
		[]int{250, 1000, 4000, 10_000},
		func(n int) string { return rep("x*", n) },
		rep("x", 200),
	},
	{
		"regex [ab]?c? n times", core.Regex,
		[]int{250, 1000, 2000, 10_000},
		func(n int) string { return rep("[ab]?c?", n) },
		rep("ac", 100),
	},
	{
		"regex (ab)?(ba)? n times", core.Regex,
		[]int{100, 1000},
		func(n int) string { return rep("(ab)?(ba)?", n) },
		rep("ab", 100),
	},
	{
		"regex [ab]*[bc]*[cd]* n times", core.Regex,
		[]int{20, 60, 400, 1000},
		func(n int) string { return rep("[ab]*[bc]*[cd]*", n) }, rep("abcd", 50),
	},
	{
		"regex [a-c]?b?[b-d]{0,9} n times", core.Regex,
		[]int{30, 300},
		func(n int) string { return rep("[a-c]?b?[b-d]{0,9}", n) }, rep("abcd", 50),
	},
	{"regex (.*a)n times", core.Regex, []int{10, 100, 1000}, func(n int) string { return rep(".*a", n) }, rep("ab",
		100)},
	{"regex .{0,9}x n times", core.Regex, []int{10, 100}, func(n int) string { return rep(".{0,9}x", n) }, rep("abx",
		60)},
	{
		"regex ([a-z ]{1,n})+", core.Regex,
		[]int{20, 1000},
		func(n int) string { return fmt.Sprintf("([a-z ]{1,%d})+", n) },
		rep("ab cde ", 30),
	},
	{
		"regex ([a-z]{1,n} ?)+", core.Regex,
		[]int{15, 300},
		func(n int) string { return fmt.Sprintf("([a-z]{1,%d} ?)+", n) },
		rep("ab cde ", 30),
	},
	{
		"regex plus in plus", core.Regex,
		[]int{20, 900, 20_000},
		func(n int) string { return rep("(", n) + "a" + rep(")+", n) }, rep("a", 200),
	},
	{
		"regex {1,2} in {1,2}", core.Regex,
		[]int{10, 20, 900},
		func(n int) string { return rep("(", n) + "a" + rep("){1,2}", n) }, rep("a", 200),
	},
	{
		"regex (x|y)? in itself", core.Regex,
		[]int{20, 900},
		func(n int) string { return rep("(a", n) + rep("b)?", n) },
		rep("a", 200),
	},
	{"regex groups", core.Regex, []int{1000, 100_000}, func(n int) string { return rep("(a)", n) }, rep("a", 200)},
	{"regex open groups", core.Regex, []int{100_000}, func(n int) string { return rep("(", n) }, ""},
}

// Windows, alternatives, look-arounds, wide classes, odd texts.
var moreRegexFamilies = []family{
	{"regex folded classes of every script", core.Regex, []int{100, 4000}, func(n int) string {
		return "(?i)" + rep(`[\p{L}\P{N}]`, n)
	}, rep("a", 120)},
	{"regex classes of every script", core.Regex, []int{1000, 80_000}, func(n int) string {
		return rep(`[\p{L}\P{N}]`, n)
	}, rep("a", 120)},
	{
		"regex window", core.Regex,
		[]int{12, 18, 60, 400, 4000},
		func(n int) string { return fmt.Sprintf("[ab]*a[ab]{%d}", n) }, rep("abbabaaabbbbabab", 12),
	},
	{
		"regex .*x.{n}", core.Regex, []int{30, 300}, func(n int) string {
			return fmt.Sprintf(".*x.{%d}",
				n)
		}, rep("abx", 60),
	},
	{
		"regex window of words", core.Regex,
		[]int{5, 20},
		func(n int) string { return fmt.Sprintf(`(?:\w+ )*stop(?: \w+){%d}`, n) }, rep("stop it ", 30),
	},
	{"regex passwords", core.Regex, []int{4, 8, 9, 10, 16, 26}, func(n int) string {
		return list(n, "", func(i int) string { return fmt.Sprintf("(?=.*%c)", 'a'+i) }) + `\w{10,40}`
	}, "abcdefghijklmnopqrstuvwxyz"},
	{"regex passwords of classes", core.Regex, []int{6, 12}, func(n int) string {
		return list(n, "", func(i int) string { return fmt.Sprintf("(?=.*[%c%c])", 'a'+i, 'A'+i) }) + `.{10,400}`
	}, "abcdefghijklmnopqrstuvwxyz"},
	{"regex counted look-aheads", core.Regex, []int{3, 6}, func(n int) string {
		return list(n, "", func(i int) string { return fmt.Sprintf("(?=(.*%c){%d})", 'a'+i, i+2) }) + `\w{10,40}`
	}, "aabbccddeeffgghhii"},
	{"regex forbidden words", core.Regex, []int{10, 100, 1000}, func(n int) string {
		return "(?!.*(?:" + list(n, "|", func(i int) string { return fmt.Sprintf("w%dord", i*7919) }) +
			`))[\w ,.]{0,400}`
	}, rep("hello w7919or ", 15)},
	{"regex windows in look-arounds", core.Regex, []int{10, 30}, func(n int) string {
		return fmt.Sprintf(`(?=(a|b|ab)*a.{%d}$)(?=(a|ab)*b.{%d})(?!.*aa.{%d}b).*`, n, n+1, n-1)
	}, rep("aabababbbabaaabb", 10)},
	{
		"regex look-behinds", core.Regex,
		[]int{2, 20},
		func(n int) string { return "(?:" + rep("(?<=a|b)[ab](?<!bb)", n) + ")*" }, rep("ab", 60),
	},
	{"regex a counted group after a look-behind", core.Regex, []int{4, 12}, func(n int) string {
		return fmt.Sprintf(`((?<=0|.)|)((?i:b{13}(?!d)(_\W[^pB]))){%d}`, n)
	}, rep("b", 13) + "_-a"},
	{"regex a counted group with look-arounds", core.Regex, one, constant(
		`(?:\b[0-Ya.]_(?<=0|.a|́K)|)ß|\x09́.(?:(?is:b\t{1,3}(?!0\d\w)(?:b_\W[[:^punct:]9-B]|B))){0,12}`,
	), "\t́."},
	{"regex look-aheads before a counted group", core.Regex, one, constant(
		`(?=.*c)(?=.*c)[ab]{7,}((?:\w{0,42}aa{2,3}ba|[*[ab]*]{67,2}|a|[a-c ]{2,65}){0,42})`,
	), "abababab"},
	{
		"regex word boundaries", core.Regex,
		[]int{10, 300},
		func(n int) string { return rep(`\b\w{1,9}\b\W?`, n) },
		rep("hello ", 30),
	},
	{
		"regex atomic groups", core.Regex,
		[]int{3, 30},
		func(n int) string { return rep("(?>a*b?)", n) + "c" },
		rep("ab", 30),
	},
	{
		"regex possessive counts", core.Regex,
		[]int{3, 30},
		func(n int) string { return rep("(?:a{1,3}b?)++c", n) },
		rep("abac", 30),
	},
	{"regex alternatives", core.Regex, []int{1000, 60_000}, func(n int) string {
		return list(n, "|", func(i int) string { return fmt.Sprintf("word%dx", i*7919) })
	}, "word7919x"},
	{"regex counted alternatives", core.Regex, []int{20, 60, 400}, func(n int) string {
		return list(n, "|", func(i int) string { return fmt.Sprintf("[a-z]{%d,%d}%d", i+1, i+31, i) })
	}, rep("abcd", 10)},
	{"regex counted alternatives in a loop", core.Regex, []int{40, 400}, func(n int) string {
		return "(" + list(n, "|", func(i int) string {
			return fmt.Sprintf("[a-d]{%d}%c[a-d]{%d}", i%37+1, 'a'+i%4, i%53+1)
		}) + ")*"
	}, rep("abcdbcadcbad", 15)},
	{
		"regex long literal", core.Regex,
		[]int{1 << 20, 8 << 20},
		func(n int) string { return rep("ab", n/2) },
		rep("ab", 100),
	},
	{
		"regex literals that ignore case", core.Regex,
		[]int{100, 30_000},
		func(n int) string { return "(?i)" + rep("straße", n) }, rep("STRASSE", 5),
	},
	{"regex class of many ranges", core.Regex, []int{1000, 20_000}, func(n int) string {
		return "[" + list(n, "", func(i int) string {
			return string(rune(0x4e00+2*i%0x5000)) + "-" + string(rune(0x4e00+2*i%0x5000))
		}) + "]{1,300}"
	}, rep("中", 30)},
	{"regex properties", core.Regex, []int{100, 10_000}, func(n int) string {
		return fmt.Sprintf(`(\p{Lu}\p{Ll}{1,%d}[\P{L}&&\p{N}]?){1,%d}`, n, n)
	}, rep("Éa", 40)},
	{
		"regex negated classes of everything", core.Regex,
		[]int{100},
		func(n int) string { return rep(`[^\d\D]|[\s\S]`, n) },
		"ab",
	},
	{"regex NUL", core.Regex, one, constant("a\x00b*"), "a\x00bb"},
	{"regex invalid UTF-8", core.Regex, one, constant("ab\xff+"), "ab"},
	{"regex huge count", core.Regex, one, constant("a{99999999999999999999}"), "ab"},
}
