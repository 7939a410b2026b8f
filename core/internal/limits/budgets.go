package limits

// Budgets bound the cost of single computations whose results are kept. A computation is charged as if nothing were
// cached, so it exceeds its budget always or never. A value; compilers may change it.
type Budgets struct {
	// Expression bounds the parts of an expression that one transition of a terminal examines.
	Expression int
	// Search bounds the exploration of the graph of a terminal, which says which of its states match anything, and of
	// which lengths. A step takes about 25 ns.
	Search int
	// Transition bounds the items, frames and predictions of one transition of a grammar's state, and the work of their
	// comparisons.
	Transition int
	// Booleans bounds the states of sides of boolean nodes that one byte steps.
	Booleans int
	// Mask bounds one mask: the trie nodes that it visits, and the parts of expressions and items of states that new
	// transitions examine.
	Mask int
	// Ending bounds how a call with a limit of tokens finds the tokens to the end, from a state and from all states
	// behind its tokens.
	Ending int
	// Text bounds the transitions of everything that one call accepts, in the same unit.
	Text int
	// Compile bounds a compilation, from reading its text to its first mask; see package work.
	Compile int
}

// Drafts bounds the masks and transitions of one call for draft tokens, before its last draft: half as much again as a
// mask, 80 to 130 ms with the last mask. Windows of 31 masks along outputs of MaskBench take 1,700,000 or less in 99 of
// 100 schemas, and more than this in one of 2,250.
func (b *Budgets) Drafts() int { return b.Mask + b.Mask/2 }

// DefaultBudgets keep an accepted token and a mask within about 70 ms on a current machine, and a compilation within
// about a second. A refused mask may take half as long again, because it finishes the row and the search in which its
// budget ends: random search found 100 ms.
//
// On every fourth schema of MaskBench, the heaviest mask takes a thirtieth of its budget, the heaviest transition a
// twentieth, the heaviest compilation a fifth.
func DefaultBudgets() Budgets {
	return Budgets{
		// Real patterns stay below 1,000. A row of transitions examines the parts once for each class of bytes; heavy
		// expressions have a few dozen classes.
		Expression: 20_000,
		// 0.15 s: what limits.GraphStates states take if their parts are small.
		Search: 6_000_000,
		// 45 to 90 ms. Grammars with a bounded number of states stay below 1,000. A mask may spend this on all its
		// transitions together, so a token whose transition exceeds it when it is accepted ends its mask first.
		Transition: 590_000,
		Booleans:   20_000,
		// A unit takes 5 to 14 ns, in the heaviest masks of real schemas and of random search. A budget below 5,000,000
		// refuses masks that take 30 ms: several patterns on one string, negated ones among them.
		// Grammars whose words may adjoin are the heaviest: along ordinary texts, six real ones need 4,500,000 with the
		// 128,000 tokens of Llama 3.1, and 6,700,000 with 255,000 tokens.
		Mask: 7_000_000,
		// 0.1 s. In a sample of MaskBench the heaviest state, a completion of 185 tokens, takes a third of it.
		Ending: 10_400_000,
		// 40 to 80 ms. The heaviest text of MaskBench, 3 KB with the keys of its objects in any order, takes 5,040,000;
		// the next 4,150,000.
		Text: 5_500_000,
		// 0.5 to 1 s, allocation and garbage collection included: a step takes 15 to 30 ns, most in searches of
		// intersections of many patterns. A list of a million UUIDs takes three quarters.
		Compile: 32_000_000,
	}
}

// Costs of parts of the work on masks and texts, in the unit of Budgets.Mask.
const (
	PartCost  = 2  // a part of an expression that a transition examines
	StepCost  = 10 // a transition of an automaton, for each item before and after it
	AlikeCost = 4  // finding a transition of a like byte, for each item
	SideCost  = 36 // the same for a side of a boolean node, and for the resulting node
	// NodeCost is the cost of a trie node in a walk with states of an automaton, or with counting states of one
	// terminal: 30 to 70 ns in long walks. In a walk with other states of a terminal a node costs 1, 10 ns.
	// ItemNodeCost adds the search for continuations of the terminal, 20 ns more.
	NodeCost     = 5
	ItemNodeCost = 3
	// ItemCost is the cost of an item, frame or prediction of a transition with fewer than 64 of them: 100 to 190 ns;
	// some are charged more than once.
	ItemCost = 8
	// ClosureCost is the cost of an item, frame or prediction of a larger transition, 60 to 150 ns. Multiplied by
	// Budgets.Transition it is at least Budgets.Mask.
	ClosureCost = 12
)
