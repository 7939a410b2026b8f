package lark

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Blanks only at places of the grammar; a block is indented by four of them.
const script = `
start: line+
line: simple NEWLINE | compound
?simple: NAME "=" expr | "return " expr | expr | "pass"
compound: ("if" | "while") " " expr ":" NEWLINE block | "def" " " NAME "(" [NAME ("," NAME)*] "):" NEWLINE block
block: (INDENT line)+
INDENT: "    "
?expr: expr OP unary | unary
?unary: "-" unary | "not " unary | atom
?atom: NAME | NUMBER | STRING | atom "(" [expr ("," expr)*] ")" | "[" [expr ("," expr)*] "]" | "(" expr ")"
OP: " "? ("+" | "-" | "*" | "/" | "==" | "<" | ">" | "and" | "or") " "?
STRING: /"[^"\n]*"/
NEWLINE: /\n+/
%import common.CNAME -> NAME
%import common.NUMBER
`

// TestExamples reads outputs of some kilobytes with grammars as people write them, by the engine alone: the oracle's
// time grows with the cube of a text.
func TestExamples(t *testing.T) {
	query := "select a, b+1 as x from t where a <> 'x y' and not (b >= 1.5 or c is not null) order by a desc limit 10"
	lines := "x=1\ndef f(a,b):\n    return f(a + 1,b) < -2\n    pass\nprint(\"hi\",[1,2])\n"
	for _, c := range []struct{ grammar, yes, no string }{
		{testkit.SQLLark, strings.Repeat(query+";\n", 40), query + " limit"},
		{script, strings.Repeat(lines, 60), lines + "    pass"},
		{arithmetic, strings.Repeat("(x*-3.5e1 / (y - 2)) + ", 150) + "1", "1 + + 2"},
		{jsonGrammar, "[" + strings.Repeat(`{"k": [1, -1.5e3, null, "\" é"]}, `, 100) + "1]", "[1 2]"},
	} {
		st, g, _ := compile(t, c.grammar)
		accepts := engine(t, st, g)
		require.True(t, accepts([]byte(c.yes)), "%s", c.grammar)
		require.False(t, accepts([]byte(c.no)), "%s", c.grammar)
	}
}
