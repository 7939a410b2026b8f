// Package limits holds every bound of the engine with the reason for its value, so that a reader finds in one place
// what can run out. Invariant: every limit is a count (steps, states, bytes, depth), never a time, because ranks of one
// model must agree on every mask.
package limits

// Bounds of the engine itself; front ends keep theirs in a file of their own.
const (
	// SpecBytes is the longest constraint text. The largest schema known from practice is 900 KB; a million UUIDs as a
	// choice are 39 MB. A single request cannot fill memory.
	SpecBytes = 64 << 20
	// JSONValues is how many values a JSON document may have: they take 108 MB, and a quarter of a second to read.
	JSONValues = 1_500_000
	// OptionBytes is how long the text of options may be, documents for references and named grammars among them. They
	// are read before anything is counted.
	OptionBytes = 8 << 20
	// Nesting is how deep a user's text may nest before a reader refuses it. A Go stack overflow cannot be
	// recovered, and 3,000 levels of schema nesting must still compile.
	Nesting = 10_000
)

// Bounds of the automaton.
const (
	// CompletionDepth is how many stack nodes may complete on one byte. Each costs a few hundred bytes of goroutine
	// stack, and a stack overflow cannot be recovered.
	CompletionDepth = 1 << 16
	// BooleanDepth is how deep boolean nodes may be within the sides of boolean nodes. Each level multiplies what a
	// byte costs; schemas negate within negations twice or three times.
	BooleanDepth = 64
)

// ReasoningTokens is how many tokens may begin or end reasoning: what models write has at most a dozen.
const ReasoningTokens = 64

// BatchPlaces is how many matchers a call of C or Python may name: each takes about 300 bytes of scratch that is kept.
// Engines have some hundred sequences in a step.
const BatchPlaces = 1 << 20

// Bounds of what is kept between calls.
const (
	// GrammarStoreBytes is how much the terminals and token sets of a grammar may grow, beyond twice what they took
	// when it was compiled, before they are begun anew. Real schemas stay below 1 MiB.
	GrammarStoreBytes = 8 << 20
	// TokenSetBytes is how much the token sets of terminals may take that grammars of one vocabulary share: those of
	// some thousand patterns.
	TokenSetBytes = 64 << 20
	// TokenSetGrammarBytes is how much of that one grammar adds. One whose states never come back, as that of
	// [ab]*a[ab]{30}, would fill the room of all; real schemas stay far below.
	TokenSetGrammarBytes = TokenSetBytes / 16
	// GrammarCacheBytes is how much the grammars may take that a compiler keeps for those who ask for them again: some
	// dozens of those that are in use, or some hundred that were only compiled. The process grows by about twice that.
	// What is kept costs the rest time: masks of MaskBench take 1.1 times as long with 128 MiB.
	GrammarCacheBytes = 16 << 20
	// GrammarStates is how many states a grammar keeps before it drops those that no matcher is in. Real schemas that
	// were walked along their instances have 240 on average and 2,400 at the 99th percentile.
	GrammarStates = 8192
	// GrammarStateBytes is the same for the memory of those states. Most take some dozens of bytes; those of ambiguous
	// grammars and of counts within counts take kilobytes.
	GrammarStateBytes = 32 << 20
	// GrammarMaskBytes is the same for the masks of those states.
	GrammarMaskBytes = 16 << 20
	// MatcherMaskBytes is what each matcher adds to that which was there when the states were last dropped: four masks
	// of a 128k vocabulary, so that a thousand sequences of one grammar don't drop each other's.
	MatcherMaskBytes = 64 << 10
	// ForcedBytes is the longest text that one call reports as forced, and ForcedParts how many items and parts of
	// expressions the states along it may have together: 20 ms, where most texts have a dozen parts a byte.
	ForcedBytes = 4096
	ForcedParts = 100_000
)

// Bounds of the compilations of a process, together, in looks at their callers' flags: one for each 20,000 steps, 0.3 ms.
const (
	// SmallCompilation is how many those of small compilations are, which wait for nobody: 5 ms, some megabytes. One in
	// a hundred schemas of MaskBench takes more than 80,000 steps.
	SmallCompilation = 15
	// CompilingAtOnce is how many those that are larger may have taken together, before all but the oldest wait. They
	// hold up to 10 bytes a step, 160 MB, and the oldest 320 MB at the end of its budget; a process that compiles
	// without a pause takes about twice that.
	CompilingAtOnce = 800
	// RequestLook is how many bytes of a request that is read count for a look: as a document of many values it takes
	// up to 36 bytes of memory for each.
	RequestLook = 8 << 10
)

// Bounds of what compiling a grammar prepares for its masks: some milliseconds, which one in a hundred real schemas
// takes.
const (
	// PrepareNodes is how many nodes of the vocabulary's trie it may visit.
	PrepareNodes = 30_000
	// PrepareFirstWork is the same for transitions that nobody has taken before, in derivatives of parts of
	// expressions, to the first states within a terminal, which every generation comes to.
	PrepareFirstWork = 120_000
	// PrepareWork is the same for the states after those.
	PrepareWork = 4_000
	// PrepareKeysWork is the same for the declared keys of objects: enough for 5,000 keys.
	PrepareKeysWork = 200_000
	// PrepareMasks is how much preparing masks may take, in the unit of Budgets.Mask: no other is begun once they have
	// taken more. The first is prepared whatever it takes, since every grammar needs it. One in a thousand real schemas
	// and tags takes 290,000.
	PrepareMasks = 500_000
)

// What computing masks along an output that is made up may take: it is done by one goroutine of the process, for one
// grammar after the other.
const (
	// WarmCompile is what the compilation of the grammar may have taken, in the unit of Budgets.Compile. One in a hundred
	// schemas of MaskBench takes more than 80,000, and none of BFCL 50,000.
	WarmCompile = 100_000
	// WarmBytes is how long that output is, if the compiler says nothing else.
	WarmBytes = 256
	// WarmMasks is how much the masks may take, in the unit of Budgets.Mask. Those of a schema of BFCL take 20,000.
	WarmMasks = 300_000
	// WarmItems is how much may be found out about states on the way, in the unit of Budgets.Transition, before no other
	// is looked at.
	WarmItems = 20_000
	// WarmMade is how many expressions may have been made on the way before no other state is looked at.
	WarmMade = 2_000
	// WarmParts is how many items, and parts of their terminals, a state may have.
	WarmParts = 500
	// WarmQueue is how many grammars may wait. Those that have waited longest are left out then: somebody uses them.
	WarmQueue = 256
)
