package main

import (
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

// Look-aheads, macros and attributes of EBNF, and patterns that begin with any text.
var aheadFamilies = []family{
	{"ebnf look-aheads in a row", core.EBNF, []int{5, 60, 1000}, func(n int) string {
		return "root ::= " + list(n, " ", func(i int) string { return fmt.Sprintf("a%d \"b%d\"", i, i) }) + "\n" +
			list(n, "\n", func(i int) string { return fmt.Sprintf("a%d ::= [ab]* (= \"b\")", i) })
	}, "aabb0abb1b2"},
	{"ebnf look-aheads at patterns", core.EBNF, []int{4, 30}, func(n int) string {
		return "root ::= w+\nw ::= " + list(n, " | ", func(i int) string {
			return fmt.Sprintf("[a-%c]+ (= \"%c\" [a-z]{0,%d} \" \") [a-z]+ \" \"", 'd'+i%20, 'a'+i%20, i)
		})
	}, "abc def ghi "},
	{"ebnf a look-ahead at counted words", core.EBNF, []int{9, 300}, func(n int) string {
		return fmt.Sprintf("root ::= (x y)*\nx ::= [a-z ]{0,%d} (= [a-m]{1,%d})\ny ::= [a-z]{1,%d} \";\"", n, n, n)
	}, "abc def;gh ij;"},
	{"ebnf TagDispatch of many", core.EBNF, []int{10, 1000, 20_000}, func(n int) string {
		return "root ::= TagDispatch(" + list(n, ", ", func(i int) string {
			return fmt.Sprintf("(\"<f%d>\", f%d)", i*7, i%50)
		}) + ")\n" + list(50, "\n", func(i int) string {
			return fmt.Sprintf("f%d ::= [0-9]{1,%d} \"</f>\"", i, i+1)
		})
	}, "text <f7>12</f> more"},
	{"ebnf TagDispatch of overlapping tags", core.EBNF, []int{10, 300}, func(n int) string {
		return "root ::= TagDispatch(" + list(n, ", ", func(i int) string {
			return fmt.Sprintf("(\"%sb\", f)", rep("a", i))
		}) + ", excludes=(\"aca\"), loop_after_dispatch=true)\nf ::= [ab]* \"!\""
	}, rep("aab!", 20)},
	{"ebnf TagDispatch in a tag of TagDispatch", core.EBNF, []int{5, 60, 900}, func(n int) string {
		return "root ::= r0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("r%d ::= TagDispatch((\"<%d>\", e%d), excludes=(\"</%d>\"))\ne%d ::= r%d \"</%d>\"", i,
				i, i,
				i, i, i+1, i+1)
		}) + fmt.Sprintf("\nr%d ::= [a-z ]*", n)
	}, "a <0> b <1> c <2> d"},
	{"ebnf TokenTagDispatch of many", core.EBNF, []int{10, 5000}, func(n int) string {
		return "root ::= TokenTagDispatch(" + list(n, ", ", func(i int) string {
			return fmt.Sprintf("(%d, f%d)", 300+i, i%20)
		}) + ", excludes=(" + list(n, ", ", func(i int) string { return fmt.Sprint(6000 + i) }) + "))\n" +
			list(20, "\n", func(i int) string { return fmt.Sprintf("f%d ::= [a-z]{1,%d} Token(%d)", i, i+1, i) })
	}, "some text here"},
	{"ebnf lazy rules side by side", core.EBNF, []int{4, 40, 400}, func(n int) string {
		return "root ::= (" + list(n, " | ", func(i int) string { return fmt.Sprintf("l%d", i) }) + ")*\n" +
			list(n, "\n", func(i int) string {
				return fmt.Sprintf("l%d[lazy] ::= [a-z ]* \"<%c\" [0-9]{1,%d}", i, 'a'+i%26, i%9+1)
			})
	}, "some <b1 text <c22"},
	{"ebnf stops of many kinds", core.EBNF, []int{5, 60}, func(n int) string {
		return "root ::= (" + list(n, " ", func(i int) string { return fmt.Sprintf("s%d?", i) }) + ")*\n" +
			list(n, "\n", func(i int) string {
				return fmt.Sprintf("s%d[stop=\"%s.\", max_chars=%d] ::= [a-z .]* | [0-9]+", i, rep("a", i%7), i*3+2)
			})
	}, "abc. aa. 123aaa. x"},
	{"ebnf max_chars around alternatives", core.EBNF, []int{10, 500}, func(n int) string {
		return fmt.Sprintf("root[max_chars=%d] ::= (", 10*n) + list(n, " | ", func(i int) string {
			return fmt.Sprintf("\"w%d\" [a-z]{0,%d}", i, i)
		}) + ")*"
	}, "w1aw2bbw3ccc"},
	{"ebnf max_tokens around everything", core.EBNF, []int{10, 2000}, func(n int) string {
		return fmt.Sprintf("root[max_tokens=%d] ::= x*\nx[max_tokens=%d] ::= \"(\" root \")\" | [a-z]+ \",\"", n, n/2)
	}, "(ab,(cd,ef,),)"},
	{"ebnf Substring", core.EBNF, []int{1000, 50_000}, func(n int) string {
		return "root ::= (Substring(" + list(n, ", ", func(i int) string {
			return fmt.Sprintf("\"w%d \"", i%997)
		}) + ") \";\")*"
	}, "w1 w2 ;w5 w6 ;"},
	{"ebnf alternatives of texts in groups", core.EBNF, []int{1000, 20_000, 50_000}, func(n int) string {
		return "root ::= (" + list(n, " | ", func(i int) string {
			return fmt.Sprintf("(\"k%d\" \":\") (v%d \";\")", i, i%3)
		}) + ")*\nv0 ::= [a-z]+\nv1 ::= \"(\" root \")\"\nv2 ::= [0-9]{1,40}"
	}, "k0:abc;k1:(k2:7;);"},
	{"ebnf alternatives of which one is no terminal", core.EBNF, []int{1000, 50_000}, func(n int) string {
		return "root ::= " + list(n, " | ", func(i int) string { return fmt.Sprintf("\"k%d\" [a-z]", i) }) +
			" | \"(\" root \")\""
	}, "((k7a))"},
	{"regex any text before many words", core.Regex, []int{10, 300, 5000}, func(n int) string {
		return `(.|\n)*(` + list(n, "|", func(i int) string { return fmt.Sprintf("w%d", i*7919) }) + `)[a-z]{0,9}`
	}, rep("some w7919a ", 9)},
	{"regex any text before counts", core.Regex, []int{10, 60, 400}, func(n int) string {
		return fmt.Sprintf(`(.|\n)*<[a-z]{1,%d}>(.|\n){0,%d}</[a-z]{1,%d}>`, n, n, n)
	}, "a <b>c</d> e"},
	{"regex any text again and again", core.Regex, []int{5, 60, 900}, func(n int) string {
		return list(n, "", func(i int) string { return fmt.Sprintf(`(.|\n)*?%c%d`, 'a'+i%26, i) })
	}, "xxa0yyb1zzc2"},
	{"regex excluded windows", core.Regex, []int{5, 30, 300}, func(n int) string {
		return fmt.Sprintf(`(?!.*a.{%d}b)(?!.*b.{%d}a)(?!.*c.{0,%d}d)[a-d]{1,400}`, n, n+1, n)
	}, rep("abcd", 40)},
	{"regex excluded windows of words", core.Regex, []int{3, 12, 60}, func(n int) string {
		return list(n, "", func(i int) string {
			return fmt.Sprintf(`(?!.*%c\w{%d,%d}%c)`, 'a'+i%26, i, 2*i+3, 'b'+i%25)
		}) + `\w{5,200}`
	}, rep("acegik", 20)},
	{"regex any text without any of", core.Regex, []int{5, 100}, func(n int) string {
		return `((?!` + list(n, "|", func(i int) string { return fmt.Sprintf("<[a-z]{%d}>", i+1) }) + `)(.|\n))*<end>`
	}, "text <a <b> c"},
	{"regex any text within look-aheads", core.Regex, []int{4, 12, 16, 24}, func(n int) string {
		return list(n, "", func(i int) string { return fmt.Sprintf(`(?=(.|\n)*<%c>(.|\n)*</%c>)`, 'a'+i, 'a'+i) }) +
			`(.|\n){10,4000}`
	}, "<a>x</a><b>"},
}

// Terminals that end nearly everywhere, followed by similar ones: the hardest case for classes of parts of tries.
var wideFamilies = []family{
	{"ebnf wide terminals after one another", core.EBNF, []int{3, 12, 60}, func(n int) string {
		return "root ::= r0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("r%d ::= [^%c]+ \"%c\" r%d | [^%c]+ r%d | \"(\" r%d \")\" | \"\"", i, 'a'+i%26, 'a'+i%26,
				(i+1)%n, 'A'+i%26, i*7%n, i)
		})
	}, "Hello there, (world"},
	{"ebnf wide terminals side by side", core.EBNF, []int{6, 24, 100}, func(n int) string {
		return "root ::= (" + list(n, " | ", func(i int) string { return fmt.Sprintf("r%d", i) }) + ")*\n" +
			list(n, "\n", func(i int) string {
				return fmt.Sprintf("r%d ::= \"(\" root \")\" | [^()%c%c]+ (\"%c\" root \"%c\")?", i, 'a'+i%26, 'A'+i/26,
					'a'+i%26, 'b'+i%25)
			})
	}, "Hello there, (world"},
	{"ebnf words of every kind", core.EBNF, []int{6, 24, 100}, func(n int) string {
		return "root ::= s\ns ::= \"(\" s \")\" | \"\" | " + list(n, " | ", func(i int) string {
			return fmt.Sprintf("[a-%cA-Z0-9 ]+ s | [ ,.;:%c-z]+ s \"%d\"", 'd'+i%20, 'c'+i%20, i)
		})
	}, "Hello there, (world 12"},
	{"lark wide terminals after blanks", core.Lark, []int{6, 24, 100}, func(n int) string {
		return "start: s\ns: \"(\" s \")\" | " + list(n, " | ", func(i int) string {
			return fmt.Sprintf("T%d s? U%d", i, (i+1)%n)
		}) + "\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("T%d: /[^()%c]+/\nU%d: /[ -%c]+[^%c]*/", i, 'a'+i%26, i, 'A'+i%50, 'A'+i%26)
		}) + "\n%ignore / +/"
	}, "Hello there, (world 12"},
}
