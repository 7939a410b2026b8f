package main

import (
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

var ebnfFamilies = []family{
	{"ebnf chain of rules", core.EBNF, []int{1000, 100_000}, func(n int) string {
		return "root ::= r0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("r%d ::= \"a\" r%d", i, i+1)
		}) + fmt.Sprintf("\nr%d ::= \"b\"", n)
	}, rep("a", 200)},
	{"ebnf unit rules", core.EBNF, []int{1000, 100_000}, func(n int) string {
		return "root ::= r0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("r%d ::= r%d", i, i+1)
		}) + fmt.Sprintf("\nr%d ::= \"b\"", n)
	}, "b"},
	{"ebnf circle of unit rules", core.EBNF, []int{100, 3000}, func(n int) string {
		return "root ::= r0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("r%d ::= r%d | \"a\" r%d | "+
				"\"b\"", i, (i+1)%n, (i+7)%n)
		})
	}, rep("a", 100)},
	{"ebnf alternatives", core.EBNF, []int{1000, 10_000, 100_000}, func(n int) string {
		return "root ::= " + list(n, " | ", func(i int) string { return fmt.Sprintf(`"w%dx" [a-z]`, i*7919) })
	}, "w7919xa"},
	{"ebnf alternatives of rules", core.EBNF, []int{1000, 20_000}, func(n int) string {
		return "root ::= " + list(n, " | ", func(i int) string { return fmt.Sprintf("r%d", i) }) + "\n" +
			list(n, "\n", func(i int) string { return fmt.Sprintf(`r%d ::= [a-z]+ "%d"`, i, i) })
	}, "abc123"},
	{"ebnf left recursion through many rules", core.EBNF, []int{10, 100, 3000}, func(n int) string {
		return "root ::= r0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("r%d ::= r%d \"a\" | \"b\"", i, (i+1)%n)
		})
	}, "b" + rep("a", 60)},
	{"ebnf left recursion of all through all", core.EBNF, []int{5, 20, 60}, func(n int) string {
		return "root ::= r0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("r%d ::= ", i) + list(n, " | ", func(k int) string {
				return fmt.Sprintf(`r%d "%c"`, k, 'a'+(i+k)%26)
			}) + ` | "x"`
		})
	}, "x" + rep("ab", 20)},
	{"ebnf many nullable symbols", core.EBNF, []int{16, 200}, func(n int) string {
		return "root ::= r0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("r%d ::= ", i) + list(16, " ", func(k int) string {
				return fmt.Sprintf("r%d?", (i*3+k+1)%n)
			}) + ` "a" | "b"?`
		})
	}, rep("ab", 20)},
	{"ebnf left-recursive rules, megabytes", core.EBNF, []int{1 << 20, 4 << 20, 13 << 20}, func(n int) string {
		line := func(i int) string { return fmt.Sprintf("r%d ::= r%d \"a\" | \"b\" r%d", i, i, i+1) }
		count := n / 32
		return "root ::= r0\n" + list(count, "\n", line) + fmt.Sprintf("\nr%d ::= \"c\"", count)
	}, "bb"},
	{"ebnf nullable recursion", core.EBNF, one, constant(`root ::= root root | "a" | root root root | ""`), rep("a",
		120)},
	{
		"ebnf nullable recursion with counts", core.EBNF, one, constant(`root ::= root{0,} "b" root{3,4} | ` +
			`""`), rep("b", 60),
	},
	{
		"ebnf mutual nullable recursion", core.EBNF, one,
		constant("root ::= r3 r1\nr0 ::= [ab] r1{0,} r1\nr1 ::= | \"cc\" root | \"a\" r3 r3\nr3 ::= | r1 root"),
		"cc" + rep("a", 60),
	},
	{
		"ebnf ambiguous words", core.EBNF, one,
		constant("root ::= x+\nx ::= y y? | y x y | [a-c]{1,9} x?\ny ::= x \"b\" | \"a\" y? | [ab]* "), rep("abacb",
			12),
	},
	{"ebnf counted elements in a loop", core.EBNF, []int{5, 20, 80}, func(n int) string {
		return fmt.Sprintf("root ::= el\nel ::= \"<b>\" (el | text)* \"</b>\"\ntext ::= [^<>]{1,%d}", n)
	}, "<b> Hello world and more</b>"},
	{
		"ebnf lines", core.EBNF,
		[]int{8, 80},
		func(n int) string { return fmt.Sprintf("root ::= line+\nline ::= [^\\n]{0,%d} \"\\n\"?", n) },
		"Hello world\nand more",
	},
	{
		"ebnf ([a-z ]{1,n})+", core.EBNF,
		[]int{10, 20, 100},
		func(n int) string { return fmt.Sprintf("root ::= ([a-z ]{1,%d})+", n) }, "ab cde fgh ij",
	},
	{
		"ebnf words with counts", core.EBNF,
		[]int{15},
		func(n int) string { return fmt.Sprintf("root ::= ([a-z]{1,%d} \" \"?)+", n) }, "ab cde fgh ij",
	},
	{
		"ebnf Regex with counts in a loop", core.EBNF,
		[]int{20},
		func(n int) string { return fmt.Sprintf("root ::= x*\nx ::= Regex(\"[a-z ]{1,%d}\")", n) }, "ab cde fgh ij",
	},
	{
		"ebnf arithmetic with signs", core.EBNF, one,
		constant("root ::= e\ne ::= e (\"+\"|\"-\"|\"*\"|\"/\") e | [0-9]+ | \"(\" e \")\" | \"-\" " +
			"e"), "1+(2*-3)-(4/5)+-6",
	},
	{
		"ebnf regular expressions", core.EBNF, one,
		constant("root ::= r\nr ::= r r | r \"|\" r | r [*+?] | \"(\" r \")\" | [a-z]"), "ab|c*(d|ef)+gh|i",
	},
	{
		"ebnf conditions of SQL", core.EBNF, one,
		constant("root ::= c\nc ::= c \" AND \" c | c \" OR \" c | \"NOT \" c | \"(\" c \")\" | v op v\nop ::= \"=\" " +
			"| " +
			"\"<\" | \" LIKE \"\nv ::= [a-z]+ | [0-9]+ | v \"+\" v"),
		"a=1 AND NOT (b<2 OR c LIKE d)",
	},
	{
		"ebnf LaTeX", core.EBNF, one, constant("root ::= x*\nx ::= [a-z ]+ | \"{\" x* \"}\" | x \"^\" x | x \"_\" x"),
		"a^{b c}_d^e_f",
	},
	{
		"ebnf dangling else", core.EBNF, one, constant("root ::= s\ns ::= \"if c \" s | \"if c \" s \" else \" s | " +
			"\"x\""),
		rep("if c ", 12) + "x" + rep(" else x", 8),
	},
	{"ebnf s s s", core.EBNF, one, constant("root ::= s\ns ::= s s s | s s | [a-z] | \" \""), rep("ab cd ", 10)},
	{
		"ebnf lambda terms", core.EBNF, one,
		constant("root ::= e\ne ::= e \" \" e | \"\\\\\" [a-z] \".\" e | [a-z] | \"(\" e \")\""), rep("\\x.(x y) z ",
			8),
	},
	{"ebnf palindromes", core.EBNF, one, constant(`root ::= "a" root "a" | "b" root "b" | [ab] | ""`), rep("abba", 30)},
	{
		"ebnf nested groups", core.EBNF,
		[]int{900, 9000, 100_000},
		func(n int) string { return "root ::= " + rep("(", n) + `"a"` + rep(")", n) }, "a",
	},
	{
		"ebnf nested options", core.EBNF,
		[]int{100, 3000},
		func(n int) string { return "root ::= " + rep(`("a" `, n) + rep(`"b")?`, n) }, rep("a", 90),
	},
	{
		"ebnf counts of counts", core.EBNF,
		[]int{30, 1000},
		func(n int) string { return fmt.Sprintf(`root ::= ("a" "b"{1,%d}){1,%d}`, n, n) }, rep("abb", 30),
	},
	{
		"ebnf huge count", core.EBNF,
		[]int{1000, 1_000_000},
		func(n int) string { return fmt.Sprintf("root ::= x{%d}\nx ::= \"a\" | \"bb\"", n) }, rep("abb", 30),
	},
	{
		"ebnf count of a recursive rule", core.EBNF,
		[]int{10, 300},
		func(n int) string { return fmt.Sprintf("root ::= \"(\" root{0,%d} \")\"", n) }, rep("(()", 30),
	},
	{
		"ebnf long literal", core.EBNF,
		[]int{1 << 20},
		func(n int) string { return `root ::= "` + rep("ab", n/2) + `"` },
		rep("ab", 90),
	},
	{
		"ebnf x? n times", core.EBNF,
		[]int{100, 1000, 10_000},
		func(n int) string { return "root ::= " + rep("x? ", n) + "\nx ::= \"a\" | \"bc\"" }, rep("abc", 30),
	},
	{
		"ebnf x* n times", core.EBNF,
		[]int{100, 3000},
		func(n int) string { return "root ::= " + rep("x* ", n) + "\nx ::= \"a\" | \"bc\"" }, rep("abc", 30),
	},
	{"ebnf exponential length", core.EBNF, []int{20, 60}, func(n int) string {
		return "root ::= r0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("r%d ::= r%d r%d", i, i+1, i+1)
		}) + fmt.Sprintf("\nr%d ::= \"a\" | \"b\"", n)
	}, rep("ab", 60)},
	{"ebnf invalid UTF-8", core.EBNF, one, constant("root ::= \"a\xff\""), "a"},
	{"ebnf NUL", core.EBNF, one, constant("root ::= \"a\x00b\""), "a"},
	{"ebnf unknown rule", core.EBNF, one, constant("root ::= nothing"), ""},
}
