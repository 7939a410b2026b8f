package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// language is a grammar of statements and expressions like Python's, with blanks and comments between all tokens.
const language = `
start: (_end | statement)*
statement: simple (";" simple)* [";"] _end | compound
simple: assignment | "del" targets | "pass" | "break" | "continue" | "return" [tests] | "raise" [test ["from" test]]
      | "import" dotted ("," dotted)* | "from" dotted "import" names | "global" NAME ("," NAME)*
      | "assert" test ["," test]
assignment: targets | targets ":" test ["=" tests] | targets augmented tests | targets ("=" tests)+
targets: starred ("," starred)* [","]
starred: test | "*" disjunction
augmented: "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | "**=" | "//="
dotted: NAME ("." NAME)* ["as" NAME]
names: "*" | NAME ["as" NAME] ("," NAME ["as" NAME])* | "(" NAME ("," NAME)* ")"
compound: "if" test ":" block ("elif" test ":" block)* ["else" ":" block]
        | "while" test ":" block ["else" ":" block]
        | "for" targets "in" tests ":" block ["else" ":" block]
        | "try" ":" block ("except" [test ["as" NAME]] ":" block)+ ["finally" ":" block]
        | "with" test ["as" NAME] ("," test ["as" NAME])* ":" block
        | ("@" dotted _end)* ["async"] "def" NAME "(" [parameters] ")" ["->" test] ":" block
        | "class" NAME ["(" [arguments] ")"] ":" block
block: simple (";" simple)* _end
parameters: parameter ("," parameter)* [","]
parameter: NAME [":" test] ["=" test] | "*" NAME | "**" NAME
tests: starred ("," starred)* [","]
test: disjunction ["if" disjunction "else" test] | "lambda" [parameters] ":" test | NAME ":=" test
disjunction: conjunction ("or" conjunction)*
conjunction: inversion ("and" inversion)*
inversion: "not" inversion | comparison
comparison: bits (compare bits)*
compare: "<" | ">" | "==" | ">=" | "<=" | "!=" | "in" | "not" "in" | "is" | "is" "not"
bits: xor ("|" xor)*
xor: both ("^" both)*
both: shift ("&" shift)*
shift: sum (("<<" | ">>") sum)*
sum: product (("+" | "-") product)*
product: factor (("*" | "/" | "%" | "//") factor)*
factor: ("+" | "-" | "~") factor | power
power: ["await"] primary ["**" factor]
primary: atom | primary "(" [arguments] ")" | primary "[" slices "]" | primary "." NAME
arguments: argument ("," argument)* [","]
argument: test [loop] | NAME "=" test | "*" test | "**" test
slices: slice ("," slice)* [","]
slice: test | [test] ":" [test] [":" [test]]
atom: NAME | NUMBER | STRING+ | "None" | "True" | "False" | "..." | "(" [items] ")" | "[" [items] "]"
    | "{" [pairs | items] "}"
items: starred loop | starred ("," starred)* [","]
pairs: pair loop | pair ("," pair)* [","]
pair: test ":" test | "**" bits
loop: ["async"] "for" targets "in" disjunction loop? | "if" disjunction loop?
_end: /(\r?\n[\t ]*)+/
NAME: /[^\W\d]\w*/
NUMBER: /\d+(\.\d*)?(e[+-]?\d+)?/i | /0x[\da-f]*/i
STRING: /"(?:[^"\\\n]|\\.)*"/ | /'(?:[^'\\\n]|\\.)*'/
%ignore /[\t \f]+/
%ignore /\\[\t \f]*\r?\n/
%ignore /#[^\n]*/
`

// Programs of an ordinary language have masks within the budget at every byte. Statements begin with a word that is a
// name as well, so states have dozens of items. The budget is less than a third of the default, since larger
// vocabularies have four times as many tokens.
func TestProgramsAreServed(t *testing.T) {
	v := committedVocabulary(t)
	g, err := core.NewCompiler(v, core.CompilerConfig{MaskBudget: 1_500_000}).Compile(core.Lark, []byte(language), nil)
	require.NoError(t, err)
	row := make([]uint32, v.Words())
	for _, program := range []string{
		"import os, sys\nfrom a.b import (c, d)\nx: int = 3\n",
		"for i in range(10): print(i, end='')\nwhile not a and b or c < d: break\n",
		"with open(\"f\") as f: x = f.read()\ntry: x\nexcept E as e: raise X from e\nfinally: pass\n",
		"@wraps\nasync def f(a, *b, c=1) -> int: return await a + b[1:2, ::3] ** -c\n",
		"class A(B, metaclass=M): x = [y for y in z if y is not None]\n",
		"if a if b else c: del x[0]\nelif d: assert x, 'no'\nelse: x <<= {'a': 1, **b} | {1, 2}\n",
		"f = lambda x, y=2: (x, *y) # a comment\n",
	} {
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		for i := range program {
			_, err := m.Fill(row)
			require.NoError(t, err, "after %q", program[:i])
			ok, err := m.AcceptBytes([]byte{program[i]})
			require.NoError(t, err, "after %q", program[:i])
			require.True(t, ok, "%q after %q", program[i], program[:i])
		}
	}
}
