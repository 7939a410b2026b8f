package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
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
	testkit.Alone(t)
	v := committedVocabulary(t)
	g, err := core.NewCompiler(v, core.CompilerConfig{MaskBudget: 1_500_000}).Compile(core.Lark, []byte(language), nil)
	require.NoError(t, err)
	for _, program := range []string{
		"import os, sys\nfrom a.b import (c, d)\nx: int = 3\n",
		"for i in range(10): print(i, end='')\nwhile not a and b or c < d: break\n",
		"with open(\"f\") as f: x = f.read()\ntry: x\nexcept E as e: raise X from e\nfinally: pass\n",
		"@wraps\nasync def f(a, *b, c=1) -> int: return await a + b[1:2, ::3] ** -c\n",
		"class A(B, metaclass=M): x = [y for y in z if y is not None]\n",
		"if a if b else c: del x[0]\nelif d: assert x, 'no'\nelse: x <<= {'a': 1, **b} | {1, 2}\n",
		"f = lambda x, y=2: (x, *y) # a comment\n",
	} {
		servedAlong(t, g, v, program)
	}
}

// servedAlong checks that a grammar has a mask before each byte of text and at its end, and accepts the byte.
func servedAlong(t *testing.T, g *core.Grammar, v *core.Vocabulary, text string) {
	t.Helper()
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	row := make([]uint32, v.Words())
	for i := range text {
		_, err := m.Fill(row)
		require.NoError(t, err, "after %q", text[:i])
		ok, err := m.AcceptBytes([]byte{text[i]})
		require.NoError(t, err, "after %q", text[:i])
		require.True(t, ok, "%q after %q", text[i], text[:i])
	}
	_, err = m.Fill(row)
	require.NoError(t, err, "after %q", text)
}

// adjoining is a language whose words need no separator, and whose operators may be letters: "2d6h1" and "x is y" are
// expressions, and so is the name "xisy".
const adjoining = `
start: step (";" step)* [";"]
step: target "=" step | "let" target ("," target)* | "drop" target | "each" NAME "of" step "do" block
    | "when" step "then" block ["otherwise" block] | "repeat" block "until" step | "give" [pick] | "show" pick | pick
block: "open" step (";" step)* [";"] "close" | step
target: place | place ("[" step "]" | "." place)+
pick: times "if" times "else" pick | times
times: times "^" either | either
either: either "or" one | one
one: one "xor" both | both
both: both "and" turned | turned
turned: "not" turned | compared
compared: sum (("<" | ">" | "=>" | "=<" | "is" | "isnt") sum)* | sum "in" sum | sum "not" "in" sum
sum: sum "+" product | sum "-" product | sum "$" product | product
product: product "*" sign | product "/" sign | product "mod" sign | sign
sign: "-" sign | "+" sign | power
power: roll "**" power | roll
roll: roll "d" part | roll "d" part "h" part | roll "d" part "l" part | roll "r" part | roll "r" part "h" part | part
part: part "." place | part "(" [step ("," step)*] ")" | part "[" range "]" | "kind" part | atom "seek" part
    | atom "like" part | atom
range: step | step ":" step | ":" step | step ":"
atom: NUMBER | TEXT | "yes" | "no" | "none" | place | "(" step ")" | "|" step "|" | "[" [step ("," step)*] "]"
    | "[" step "to" step ["by" step] "]" | "{" [step ":" step ("," step ":" step)*] "}"
place: NAME | "my" NAME | "our" NAME | "all" NAME
NAME: /(?!(my|our|all|drop|give|kind|seek|like)\b)[a-zA-Z_]\w*/
NUMBER: /\d+(\.\d+)?/
TEXT: /"[^"\n]*"/
%ignore /[ \t\n]+/
`

// Words that adjoin have states of dozens of items. Their masks take an eighth of the default budget here, since other
// vocabularies are up to eight times as large.
func TestWordsThatAdjoinAreServed(t *testing.T) {
	testkit.Alone(t)
	v := committedVocabulary(t)
	g, err := core.NewCompiler(v, core.CompilerConfig{MaskBudget: 900_000}).Compile(core.Lark, []byte(adjoining), nil)
	require.NoError(t, err)
	for _, text := range []string{
		"roll = 3d6h2 + 4; when roll > 10 then show \"high\" otherwise show \"low\"",
		"each i of [1 to 10 by 2] do open my x = i * 2; show f(i, my x); give x close",
		"hit = (attack d 8) ** 2 if not dead and alive or x in [1, 2, 3] else 0; drop y[0].name",
	} {
		servedAlong(t, g, v, text)
	}
}
