package ebnf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// A look-ahead equals the assertion of a regular expression, which is lowered in another way.
func TestLookaheads(t *testing.T) {
	for _, c := range []struct{ grammar, pattern string }{
		{"root ::= a [abc]{1,3}\na ::= [ab]* (= \"b\")", "[ab]*(?=b)[abc]{1,3}"},
		{"root ::= \"a\"? (= [bc]) [abc]+", "a?(?=[bc])[abc]+"},
		{"root ::= x (\"a\" | \"bc\") [abc]*\nx ::= \"a\" | \"b\" (= \"a\" | \"bc\")", "[ab](?=a|bc)(a|bc)[abc]*"},
		{"root ::= x x \"c\"\nx ::= [ab]{0,2} (= [abc])", "[ab]{0,2}(?=[abc])[ab]{0,2}(?=[abc])c"},
		{"root ::= x \"a\" \"b\" [abc]+\nx ::= [abc]? (= \"abc\")", "[abc]?(?=abc)ab[abc]+"},
		{"root ::= (x \"ab\" | \"c\")+\nx ::= [ab]* (= \"a\")", "([ab]*(?=a)ab|c)+"},
		{"root ::= \"c\" x? \"b\" x{0,1} \"c\"\nx ::= \"a\"+ (= [bc])", "c(a+)?b(a+)?c"},
		{"root ::= (x (\"b\" x)*)? \"c\"\nx ::= \"a\"+ (= [bc])", "(a+(ba+)*)?c"},
		{"root ::= ((x | \"b\" y)? \"c\")+\nx ::= y?\ny ::= \"a\"+ (= \"c\")", "((a*|ba+)c)+"},
	} {
		tree, err := Parse(c.grammar, options())
		require.NoError(t, err, c.grammar)
		accepts := func(grammar string) func(text []byte) (bool, bool) {
			st, g := compile(t, grammar)
			return engine(t, st, g)
		}
		want, got, again := accepts(`root ::= Regex("`+c.pattern+`")`), accepts(c.grammar), accepts(printed(t, tree))
		for _, text := range testkit.Strings("abc", 6) {
			yes, _ := want([]byte(text))
			is, _ := got([]byte(text))
			require.Equal(t, yes, is, "%s: %q", c.grammar, text)
			is, _ = again([]byte(text))
			require.Equal(t, yes, is, "%s: %q", printed(t, tree), text)
		}
	}
}
