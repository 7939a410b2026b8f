package limits

// Bounds of grammars that users write as rules: EBNF and Lark.
const (
	// RuleElements bounds the names, strings, classes, operators and brackets of a grammar. A rule has five or six, so
	// 80,000 rules or 150,000 alternatives fit, in 2 MB of text or more; grammars generated from large schemas have a
	// tenth of it. Reading and lowering this many takes about half a second and 300 MB.
	RuleElements = 500_000
	// RuleNesting is the deepest nesting of parentheses. Peers refuse beyond 1,000 levels, so every grammar in use
	// fits, and the recursive passes over the tree stay within a few hundred KiB of stack.
	RuleNesting = 1_000
	// RuleRepeat is the largest bound in {n,m}. It is more characters than any model writes, and small enough for a
	// counter to share a 32-bit word with the place within an escape.
	RuleRepeat = 1 << 24
	// RuleFold bounds the positions of a sub-expression that becomes one terminal. A JSON string, a number or a date
	// has fewer than 100; with more than a thousand positions, each state of a union is expensive to derive.
	RuleFold = 1_024
	// RuleRepeatFold bounds the positions of a counted group, written out, that becomes part of a terminal. The count
	// of a larger group goes into a register, so it does not multiply states. The exception are groups that read each
	// text in one way, such as the characters and escapes of a string: as a terminal they also have one state a count,
	// and masks of terminals take a tenth of the time.
	RuleRepeatFold = 128
	// RuleCounter is the largest count of X{m,n} over one character class that is written out. "Four hexadecimal
	// digits" then shares its states with other terminals; longer counts are kept beside the state.
	RuleCounter = 8
	// RuleNarrow is the largest number of characters of a class that is written out up to RuleNarrowCounter times:
	// digits, hexadecimal or not. A number with {0,15} digits then stays one terminal with small masks.
	RuleNarrow = 24
	// RuleNarrowCounter is the largest count of X{m,n} over a narrow class that is written out: the 64 digits of the
	// longest numbers in use.
	RuleNarrowCounter = 64
	// RuleTokenCounter is the largest bound on the characters of a rule that contains tokens of the vocabulary. The
	// count is written out, and a mask after each new number of characters takes some milliseconds.
	RuleTokenCounter = 256
	// RuleFoldWork bounds the positions that all folding of one grammar copies, beyond a fixed share for each node of
	// the text. It keeps the cost linear if thousands of rules repeat one large regular rule.
	RuleFoldWork = 1 << 16
	// RuleTriggers bounds the strings that end one free text; with more it is no longer a scan. RuleHeads bounds the
	// depth of rules that are followed to find the free text that alternatives begin with; its square bounds the
	// elements. Tool calls are three or four rules deep.
	RuleTriggers = 1_000
	RuleHeads    = 32
	// LookAheadPlaces bounds the places that are examined to prove that a look-ahead always holds. Grammars printed by
	// xgrammar take some hundreds, with a hundred functions some ten thousand.
	LookAheadPlaces = 1 << 16
	// RuleCaptures bounds the captured elements of a grammar, ignored text behind tokens included. The number of a mark
	// could be somewhat larger.
	RuleCaptures = 50_000
	// RuleCaptureName bounds the bytes of the name of a capture: a word or two.
	RuleCaptureName = 128
	// RuleTemperature is the largest temperature of a rule. Providers accept up to 2; far beyond it, all allowed tokens
	// are about equally likely.
	RuleTemperature = 100
	// RuleLazyEnds bounds the strings that end a lazy rule with a token limit. More are rare, and each is compared with
	// all others.
	RuleLazyEnds = 16
	// RuleNotes bounds the notes of one grammar. They repeat.
	RuleNotes = 32
	// RuleFragment is the number of bytes of a long line that an error shows around its caret: one line of a terminal.
	RuleFragment = 72
)
