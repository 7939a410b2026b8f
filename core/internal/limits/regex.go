package limits

// Bounds of the regular-expression front end.
const (
	// RegexBytes is the length of the longest pattern. The longest known one has 11 KB. A megabyte leaves room for
	// generated alternations and keeps a pattern's tree below 100 MB.
	RegexBytes = 1 << 20
	// RegexFragment is the number of bytes of a pattern that an error quotes: one line of a terminal.
	RegexFragment = 60
	// RegexNesting is the deepest nesting of groups. The reader and the lowering recurse once or twice a level, and a
	// Go stack overflow cannot be recovered. Generated patterns stay below 50 levels.
	RegexNesting = 1000
	// RegexNodes bounds the nodes of a pattern's tree: enough for a pattern of RegexBytes with short alternatives,
	// about 60 MB.
	RegexNodes = 400_000
	// RegexRepeat is the largest count of a quantifier: one below terminal.Unbounded ("no upper bound"), and one more
	// below, so that a minimum plus one still fits.
	RegexRepeat = 1<<32 - 3
	// RegexClassRanges bounds the ranges of one character class. All general categories together have 3,300.
	RegexClassRanges = 100_000
	// RegexClassScan bounds the bytes that the parser reads, over a whole pattern, to distinguish a literal [ inside a
	// class from a nested class. Each such bracket may read to the end of the pattern: 64 can in the longest pattern,
	// thousands in one of ten kilobytes. It takes about 50 ms.
	RegexClassScan = 64 << 20
	// RegexCounterFrom is the largest upper bound of a repeated character class that the expression writes out. A
	// larger one becomes a counter beside the state. Below it, the unrolled states cost no more than the counter, which
	// takes up to a millisecond when it is created.
	RegexCounterFrom = 16
	// RegexGroupCounterFrom is the same for a repeated group: the lengths of its texts have gaps, which take the
	// counter 0.3 ms to record.
	RegexGroupCounterFrom = 64
	// RegexCountedNesting is the deepest nesting of counted repetitions, after directly nested ones are merged. A text
	// stands in one round of each, and each has a way to end, so transitions grow with the square of the depth: with 24
	// they take a millisecond. Real patterns stay below 5.
	RegexCountedNesting = 24
	// RegexContexts bounds the distinct pasts: the prefixes of look-behinds that the text may have matched. Anchors
	// and word boundaries need at most 4; a look-behind for a literal needs as many as the literal has letters.
	RegexContexts = 128
	// RegexLookStates bounds the states of the automaton of one look-around, or of a loop that contains one. Solving a
	// loop takes the cube of it in expressions.
	RegexLookStates = 48
	// RegexLookNodes bounds the positions of a look-around's automaton after its counts are written out.
	RegexLookNodes = 500
	// RegexLookSteps bounds the resolution of the look-arounds of one pattern, in visits of tree nodes. Real patterns
	// take a few hundred.
	RegexLookSteps = 50_000
	// RegexLookPaths bounds the ways in which a text may begin in the expression of a pattern with assertions inside
	// loops. A transition follows all of them. Real patterns stay below 100.
	RegexLookPaths = 1000
	// RegexUnroll bounds the copies of the body of a counted group that contains a look-around, whose rounds differ.
	RegexUnroll = 64
	// RegexUnrollTotal bounds all such copies in a pattern: nested loops multiply.
	RegexUnrollTotal = 256
	// RegexLookLoops bounds the loops with assertions in one pattern that are solved. Each solution has a hundred parts
	// and contains its continuation several times.
	RegexLookLoops = 8
	// RegexUnrollEmpty bounds the copies of all bodies of a pattern that may be empty: the continuation of such a round
	// is reached with and without it, so paths through the expression double with each round.
	RegexUnrollEmpty = 8
)
