// Package limits holds every bound of the engine with the reason for its value.
//
// Invariant: every bound is a count (steps, states, bytes, depth), never a time, because ranks of one model must agree
// on every mask.
package limits

// Bounds of the engine. Each front end has a file of its own.
const (
	// SpecBytes is the length of the longest constraint text, so that one request cannot fill memory. The largest
	// known schema has 900 KB; a million UUIDs as a choice have 39 MB.
	SpecBytes = 64 << 20
	// JSONValues bounds the values of a JSON document: they take 108 MB, and a quarter of a second to read.
	JSONValues = 1_500_000
	// OptionBytes bounds the text of options, including referenced documents and named grammars. It is read before
	// work is counted.
	OptionBytes = 8 << 20
	// Nesting is the deepest nesting of user text. A Go stack overflow cannot be recovered, and 3,000 levels of schema
	// nesting must still compile.
	Nesting = 10_000
)

// Bounds of the automaton.
const (
	// CompletionDepth bounds the stack nodes that complete on one byte. Each takes a few hundred bytes of goroutine
	// stack, and a stack overflow cannot be recovered.
	CompletionDepth = 1 << 16
	// BooleanDepth is the deepest nesting of boolean nodes within sides of boolean nodes. Each level multiplies the
	// cost of a byte; schemas negate within negations twice or three times.
	BooleanDepth = 64
)

// ReasoningTokens bounds the tokens that begin or end reasoning: models use at most a dozen.
const ReasoningTokens = 64

// BatchPlaces bounds the matchers of a call from C or Python: each takes about 300 bytes of scratch that is kept.
// Engines have some hundred sequences in a step.
const BatchPlaces = 1 << 20

// Bounds of caches.
const (
	// GrammarStoreBytes bounds the growth of a grammar's terminals and token sets, beyond twice their size after
	// compilation, before the grammar starts new ones. Real schemas stay below 1 MiB.
	GrammarStoreBytes = 8 << 20
	// TokenSetBytes bounds the token sets that grammars of one vocabulary share: the sets of some thousand patterns.
	TokenSetBytes = 64 << 20
	// TokenSetGrammarBytes bounds the share of one grammar. [ab]*a[ab]{30}, whose states never recur, would take all
	// of it; real schemas stay far below.
	TokenSetGrammarBytes = TokenSetBytes / 16
	// GrammarCacheBytes bounds the grammars that a compiler keeps for equal requests: dozens in use, or hundreds that
	// were only compiled. The process grows by about twice that. A larger cache slows down the rest: masks of
	// MaskBench take 1.1 times as long with 128 MiB.
	GrammarCacheBytes = 16 << 20
	// GrammarStates bounds the states that a grammar keeps before it drops the states without a matcher. Real schemas,
	// walked along their instances, have 240 on average and 2,400 at the 99th percentile.
	GrammarStates = 8192
	// GrammarStateBytes bounds the memory of those states. Most take some dozens of bytes; states of ambiguous grammars
	// and of counts within counts take kilobytes.
	GrammarStateBytes = 32 << 20
	// GrammarMaskBytes bounds the memory of their masks.
	GrammarMaskBytes = 16 << 20
	// MatcherMaskBytes is the part of that bound that each matcher adds at the last drop of states: four masks of a
	// 128k vocabulary, so that a thousand sequences of one grammar do not drop each other's.
	MatcherMaskBytes = 64 << 10
	// ForcedBytes is the longest text that one call reports as forced. ForcedParts bounds the items and parts of
	// expressions of the states along it: 20 ms; most texts have a dozen parts a byte.
	ForcedBytes = 4096
	ForcedParts = 100_000
	// TokenizedBytes bounds how far before a text the place is looked for at which tokens begin in every text: words have
	// some dozens of bytes. SplitSteps bounds the steps of a pre-tokenizer's regular expression on one text, 5 ms; texts
	// take some 30 a character. SplitCode bounds the parts of such an expression: GPT-4o's has 150.
	TokenizedBytes = 1024
	SplitSteps     = 1 << 20
	SplitCode      = 1000
)

// Bounds of all compilations of a process together, in looks at their callers' flags: one for each 20,000 steps, 0.3
// ms.
const (
	// SmallCompilation bounds the looks of a small compilation, which never waits: 5 ms, some megabytes. One in a
	// hundred schemas of MaskBench takes more than 80,000 steps.
	SmallCompilation = 15
	// CompilingAtOnce bounds the looks of larger compilations together, before all but the oldest wait. They hold up to
	// 10 bytes a step, 160 MB, and the oldest 320 MB at the end of its budget; a process that compiles without a pause
	// takes about twice that.
	CompilingAtOnce = 800
	// RequestLook is the number of bytes of a request that count as a look: a document of many values takes up to 36
	// bytes of memory for each.
	RequestLook = 8 << 10
)

// Bounds of warming: one goroutine of the process computes masks along a sample output, for one grammar after the
// other.
const (
	// WarmCompile bounds the cost of the grammar's compilation, in the unit of Budgets.Compile. One in a hundred
	// schemas of MaskBench takes more than 80,000, and none of BFCL 50,000.
	WarmCompile = 100_000
	// WarmBytes is the default length of the sample output.
	WarmBytes = 256
	// WarmMasks bounds the masks, in the unit of Budgets.Mask. The masks of a BFCL schema take 40,000 to 260,000.
	WarmMasks = 300_000
	// WarmItems bounds the work on states along the output, in the unit of Budgets.Transition.
	WarmItems = 20_000
	// WarmMade bounds the new expressions along the output.
	WarmMade = 2_000
	// WarmParts bounds the items of a state and the parts of their terminals.
	WarmParts = 500
	// WarmQueue is the length of the queue. A full queue drops its oldest grammar, which is in use by now.
	WarmQueue = 256
)
