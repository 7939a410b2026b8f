package limits

// Bounds of grammars that users write as rules: EBNF and Lark.
const (
	// RuleElements is how many names, strings, classes, operators and brackets a grammar may have. A rule has five or
	// six, so that 80,000 rules or 150,000 alternatives fit, in 2 MB of text or more; grammars that programs make of
	// large schemas have a tenth of it. Reading and lowering so many takes about half a second and 300 MB.
	RuleElements = 500_000
	// RuleNesting is how deep parentheses may nest. Peers refuse beyond 1,000 levels, so every grammar in use fits, and
	// the recursive passes over the tree stay within a few hundred KiB of stack.
	RuleNesting = 1_000
	// RuleRepeat is the largest bound in {n,m}. It is more characters than any model writes, and small enough for a
	// counter to share a 32-bit word with the place within an escape.
	RuleRepeat = 1 << 24
	// RuleFold is how many positions a sub-expression may have to become one terminal. A JSON string, a number or a
	// date has fewer than 100; a union of more than a thousand positions makes each of its states costly to derive.
	RuleFold = 1_024
	// RuleRepeatFold is how many positions a counted group may have, written out, to become part of a terminal. Beyond
	// it the count goes into a register, where it does not multiply states; but for groups of which each text is read in
	// one way, as the characters and escapes of a string: these have one state for each count as a terminal, too, and a
	// terminal's masks are found in a tenth of the time.
	RuleRepeatFold = 128
	// RuleCounter is the count up to which X{m,n} of one character class is written out. "Four hexadecimal digits"
	// shares its states with other terminals then; longer counts are kept beside the state.
	RuleCounter = 8
	// RuleNarrow is how many characters a class may have to be written out up to RuleNarrowCounter times: digits,
	// hexadecimal or not. A number with {0,15} digits then stays one terminal, and its masks hold few tokens anyway.
	RuleNarrow = 24
	// RuleNarrowCounter is the count up to which X{m,n} of a narrow class is written out: the 64 digits of the longest
	// numbers that are in use.
	RuleNarrowCounter = 64
	// RuleTokenCounter is the largest bound on the characters of a rule within which tokens of the vocabulary stand.
	// The count is written out, and after each other number of characters a mask takes some milliseconds.
	RuleTokenCounter = 256
	// RuleFoldWork is how many positions all folding of one grammar may copy, beyond a fixed share for each node of the
	// text. It keeps the cost linear when thousands of rules repeat one large regular rule.
	RuleFoldWork = 1 << 16
	// RuleTriggers is how many strings may end one free text before it is no longer a scan. RuleHeads is how deep rules
	// are followed to find the free text that alternatives begin with, and its square how many elements are looked at.
	// Calls of tools are three or four rules deep.
	RuleTriggers = 1_000
	RuleHeads    = 32
	// LookAheadPlaces is how many places are looked at to prove that a look-ahead always holds. Those that xgrammar
	// prints take some hundreds, with a hundred functions some ten thousand.
	LookAheadPlaces = 1 << 16
	// RuleCaptures is how many elements of a grammar may be captured, what is ignored behind tokens among them. A
	// number of a mark has room for some more.
	RuleCaptures = 50_000
	// RuleCaptureName is how many bytes the name of a capture may have: a word or two.
	RuleCaptureName = 128
	// RuleTemperature is the largest temperature of a rule. Providers' requests go up to 2; far beyond, all tokens that
	// are allowed are about as likely as each other.
	RuleTemperature = 100
	// RuleLazyEnds is how many strings may end a lazy rule that ends without them where its tokens are spent. More are
	// seldom, and each is compared with all others.
	RuleLazyEnds = 16
	// RuleNotes is how many notes one grammar may cause. They repeat themselves.
	RuleNotes = 32
	// RuleFragment is how many bytes of a long line an error shows around its caret: one line of a terminal.
	RuleFragment = 72
)
