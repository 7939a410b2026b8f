package limits

// Bounds of the regular-expression front end.
const (
	// RegexBytes is the longest pattern. The longest one known from practice is 11 KB; a megabyte leaves room for
	// generated alternations while one pattern's tree stays below 100 MB.
	RegexBytes = 1 << 20
	// RegexFragment is how many bytes of a pattern an error quotes: one line of a terminal.
	RegexFragment = 60
	// RegexNesting is how deep groups may nest. The reader and the lowering recurse once or twice per level, and a Go
	// stack overflow cannot be recovered; generated patterns stay below 50 levels.
	RegexNesting = 1000
	// RegexNodes is how many nodes a pattern's tree may have: what a pattern of RegexBytes that is made of short
	// alternatives needs, and about 60 MB.
	RegexNodes = 400_000
	// RegexRepeat is the largest count of a quantifier: one below terminal.Unbounded, which means "no upper bound", and
	// one more below so that a minimum plus one still fits.
	RegexRepeat = 1<<32 - 3
	// RegexClassRanges is how many ranges one character class may list. All general categories together have 3,300.
	RegexClassRanges = 100_000
	// RegexClassScan is how many bytes may be looked at, over a whole pattern, to tell a literal [ inside a class from
	// a class inside a class. Each such bracket may look to the end of the pattern: 64 can in the longest one,
	// thousands in a pattern of ten kilobytes. It takes some 50 ms.
	RegexClassScan = 64 << 20
	// RegexCounterFrom is the largest upper bound that a repeated character class has before it becomes a counter
	// beside the state instead of a repetition inside the expression: below it the unrolled states are as few as
	// a counter's own bookkeeping, which takes up to a millisecond when it is first made.
	RegexCounterFrom = 16
	// RegexGroupCounterFrom is the same for a repeated group: the lengths of its texts have gaps, which take the counter
	// 0.3 ms to note down.
	RegexGroupCounterFrom = 64
	// RegexCountedNesting is how deep counted repetitions may be within each other, once those that directly repeat
	// each other are one. A text stands in one round of each, with a way to end for each, so that transitions grow with
	// the square of the depth: with 24 they take a millisecond. Patterns from practice stay below 5.
	RegexCountedNesting = 24
	// RegexContexts is how many different pasts (what the look-behinds of one pattern have seen so far) are told
	// apart. Anchors and word boundaries need at most 4; a look-behind for a literal needs as many as it has letters.
	RegexContexts = 128
	// RegexLookStates is how many states the automaton of one look-around, or of a loop that contains one, may have.
	// Solving a loop costs the cube of it in expressions.
	RegexLookStates = 48
	// RegexLookNodes is how many positions a look-around's own automaton may have after its counts are written out.
	RegexLookNodes = 500
	// RegexLookSteps bounds the work of resolving the look-arounds of one pattern, in visits of tree nodes; patterns
	// from practice take a few hundred.
	RegexLookSteps = 50_000
	// RegexLookPaths is in how many ways a text may begin in the expression of a pattern with assertions inside loops.
	// A transition follows them all. Patterns from practice stay below 100.
	RegexLookPaths = 1000
	// RegexUnroll is how often the body of a counted group is written out when it contains a look-around, so that its
	// repetitions are not all alike.
	RegexUnroll = 64
	// RegexUnrollTotal bounds all rounds of a pattern that are written out so: loops inside loops multiply.
	RegexUnrollTotal = 256
	// RegexLookLoops is how many loops with assertions inside are solved for in one pattern. Each solution is a
	// tangle of a hundred parts that contains what follows it several times.
	RegexLookLoops = 8
	// RegexUnrollEmpty is the same for all bodies of a pattern together that may also be empty: what follows such a
	// round is reached with and without it, so paths through the expression double with every round.
	RegexUnrollEmpty = 8
)
