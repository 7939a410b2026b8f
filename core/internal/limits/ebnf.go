package limits

// Bounds of EBNF grammars.
const (
	// EBNFNesting is how deep parentheses may nest. Peers refuse beyond 1,000 levels, so every grammar in use fits, and
	// the recursive passes over the tree stay within a few hundred KiB of stack.
	EBNFNesting = 1_000
	// EBNFRepeat is the largest bound in {n,m}. It is more characters than any model writes, and small enough for a
	// counter to share a 32-bit word with the place within an escape.
	EBNFRepeat = 1 << 24
	// EBNFFold is how many positions a sub-expression may have to become one terminal. A JSON string, a number or a date
	// has fewer than 100; a union of more than a thousand positions makes each of its states costly to derive.
	EBNFFold = 1_024
	// EBNFRepeatFold is how many positions a counted group may have, written out, to become part of a terminal. Beyond
	// it the count goes into a register, where it does not multiply states.
	EBNFRepeatFold = 128
	// EBNFCounter is the count up to which X{m,n} of one character class is written out. "Four hexadecimal digits"
	// shares its states with other terminals then; longer counts are kept beside the state.
	EBNFCounter = 8
	// EBNFNarrow is how many characters a class may have to be written out up to EBNFNarrowCounter times: digits,
	// hexadecimal or not. A number with {0,15} digits then stays one terminal, and its masks hold few tokens anyway.
	EBNFNarrow = 24
	// EBNFNarrowCounter is the count up to which X{m,n} of a narrow class is written out: the 64 digits of the longest
	// numbers that are in use.
	EBNFNarrowCounter = 64
	// EBNFFoldWork is how many positions all folding of one grammar may copy, beyond a fixed share for each node of the
	// text. It keeps the cost linear when thousands of rules repeat one large regular rule.
	EBNFFoldWork = 1 << 16
	// EBNFFragment is how many bytes of a long line an error shows around its caret: one line of a terminal.
	EBNFFragment = 72
)
