package main

import (
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

var larkFamilies = []family{
	{"lark brackets", core.Lark, []int{900, 1_000_000}, func(n int) string {
		return "start: " + rep("(", n) + `"a"` +
			rep(")", n)
	}, "a"},
	{"lark grammars within grammars", core.Lark, []int{300, 100_000}, func(n int) string {
		return rep("start: %lark {\n", n) + `start: "a"` + rep("\n}", n)
	}, "a"},
	{"lark chain of terminals", core.Lark, []int{1000, 30_000}, func(n int) string {
		return "start: T0\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("T%d: \"a\" T%d | /b+/", i, i+1)
		}) + fmt.Sprintf("\nT%d: /c*/\n%%ignore \" \"", n)
	}, rep("a", 100) + "b"},
	{"lark alternatives of terminals", core.Lark, []int{1000, 100_000}, func(n int) string {
		return "start: (" + list(n, " | ", func(i int) string { return fmt.Sprintf("\"k%d\" N", i) }) +
			")+\nN: /[a-z]+/\n%ignore \" \""
	}, "k7 abc k8 d"},
	{"lark instances of a template", core.Lark, []int{1000, 9000, 100_000}, func(n int) string {
		return "start: " + list(n, " | ", func(i int) string { return fmt.Sprintf(`t{"a%d", "b"}`, i) }) +
			"\nt{x, y}: x (y x)* u{y}\nu{z}: z | \"(\" u{z} \")\""
	}, "a7ba7b"},
	{"lark templates that double", core.Lark, []int{10, 60}, func(n int) string {
		return "start: t0{\"a\"}\n" + list(n, "\n", func(i int) string {
			return fmt.Sprintf("t%d{x}: t%d{(x \"b\")} t%d{(x \"c\")}", i, i+1, i+1)
		}) + fmt.Sprintf("\nt%d{x}: x", n)
	}, "ab"},
	{"lark intersections within intersections", core.Lark, []int{30, 900}, func(n int) string {
		return "start: " + rep("(", n) + `/[a-z]+/` + rep(" & /.*[a-y]/)", n)
	}, "abc"},
	{"lark complements of complements", core.Lark, []int{20, 900}, func(n int) string {
		return "start: T\nT: " + rep(`~("a" `, n) + `"b"` + rep(")", n)
	}, "cc"},
	{"lark tools in free text", core.Lark, []int{10, 300, 3000}, func(n int) string {
		return "start: (" + list(n, " | ", func(i int) string { return fmt.Sprintf("f%d", i) }) +
			")* TEXT\nTEXT: /(.|\\n)*/\n" +
			list(n, "\n", func(i int) string {
				return fmt.Sprintf("f%d: h%d %%json {\"const\": %d} \";\"\nh%d[lazy]: TEXT \"<f%d>\"", i, i, i, i, i)
			})
	}, "text <f7>7; more <f3>3;"},
	{"lark lazy patterns side by side", core.Lark, []int{3, 30}, func(n int) string {
		return "start: (" + list(n, " | ", func(i int) string { return fmt.Sprintf("h%d \"%d;\"", i, i) }) +
			")* TEXT\nTEXT: /(.|\\n)*/\n" +
			list(n, "\n", func(i int) string { return fmt.Sprintf("h%d[lazy]: TEXT /<[a-z]*%c+>/", i, 'a'+i%26) })
	}, "text <xb>1; more"},
	{"lark runs of a text", core.Lark, []int{1000, 200_000}, func(n int) string {
		return `start: %regex {"substring_chars": "` + rep("ab", n/2) + `"} ";"`
	}, rep("ab", 100) + ";"},
	{"lark heads that are none", core.Lark, []int{1000, 100_000}, func(n int) string {
		return "start: \"a\"\n" + rep("x [b, c,\n", n)
	}, "a"},
	{
		"lark ambiguous ignoring", core.Lark, one,
		constant("start: (A | B | start start)*\nA: /a*/\nB: \"a\" \" \"\n%ignore \" \"\n%ignore / +a/"), rep("a ",
			60),
	},
}
