package limits

// Budgets bound what finding out one thing may cost: each belongs to something that is kept, and is counted as if
// nothing were known from before, so that who runs out of it does so always. A value; compilers may have lower or
// higher ones.
type Budgets struct {
	// Expression is how many parts a transition of a terminal may look at.
	Expression int
	// Search is how much one search in the states of a terminal may visit: for a string that an intersection matches,
	// or for the lengths that a counted pattern can take. It counts the parts that transitions look at, and something
	// for each state that is visited.
	Search int
	// Row is the same for all searches that the transitions of one state take: one and a half times Search.
	Row int
	// Transition is how many items, frames and predictions one transition of a grammar's state may produce.
	Transition int
	// Booleans is how many states of sides of boolean nodes one byte may step.
	Booleans int
	// Mask is how much finding one mask may cost: trie nodes that are looked at, and parts of expressions and items of
	// states that new transitions look at.
	Mask int
	// Text is how much the transitions of all that is accepted in one call may cost, in the same unit.
	Text int
	// Compile is how much a compilation may do, from reading its text to its first mask: see package work.
	Compile int
}

// Drafts is how much the masks and transitions of one call for draft tokens may cost together before its last draft:
// half as much again as a mask, 60 to 100 ms with the last mask. Windows of 31 masks along outputs of MaskBench take
// 1,700,000 or less in 99 of 100 schemas, and more in one of 2,250.
func (b *Budgets) Drafts() int { return b.Mask + b.Mask/2 }

// DefaultBudgets keep an accepted token and a mask within about 50 ms on a machine of today, a compilation within about
// a second. A mask that is refused may take half as long again, because the row and the search with which it spends its
// budget are finished first: random search found 90 ms.
//
// Of every fourth schema of MaskBench, the heaviest mask takes a thirtieth of what they allow, the heaviest transition a
// twentieth, the heaviest compilation a fifth.
func DefaultBudgets() Budgets {
	return Budgets{
		// Real patterns stay below 1,000. A row of transitions looks at the parts once for each class of bytes, of
		// which heavy expressions have a few dozen.
		Expression: 20_000,
		// A search takes 11 to 20 ms, a row 16 to 30; what real patterns ask is answered in a hundredth of that. One search
		// for an address with a smallest length that must not match a pattern takes more than 500,000, one row of the
		// heaviest string of MaskBench more than 800,000.
		Search: 600_000,
		Row:    900_000,
		// 45 ms. Grammars that settle stay below 1,000. It is what a mask may spend on all its transitions together, so
		// that a mask is refused before it holds a token that takes more than this when it is accepted.
		Transition: 150_000,
		Booleans:   20_000,
		// One takes 5 to 14 ns, in the heaviest masks of real schemas and in what random search found. With less than
		// 5,000,000, masks are refused that take 30 ms: patterns on one string, and what must not match among them.
		Mask: 5_200_000,
		// 40 to 80 ms. The dearest text of MaskBench, of 3 KB with the keys of its objects in any order, takes 5,040,000; the
		// next 4,150,000.
		Text: 5_500_000,
		// 0.5 to 1 s, memory that is made and collected included: a step takes 15 to 30 ns, most where intersections of
		// many patterns are searched. A list of a million UUIDs takes three
		// quarters of it.
		Compile: 32_000_000,
	}
}

// What parts of the work on masks and texts cost, in the unit of Budgets.Mask.
const (
	PartCost = 2  // a part of an expression that a transition looks at
	StepCost = 20 // a transition of an automaton, for each item before and after it
	SideCost = 36 // the same for that of a side of a boolean node, and for the node that comes of it
	// NodeCost is that of a node of a trie that is walked with states of an automaton, or with the states of one terminal
	// in which something is counted: 30 to 70 ns in long walks. With the states of other terminals a node costs one, 10 ns.
	// ItemNodeCost is the one, and what looking for what may follow the terminal takes, 20 ns more.
	NodeCost     = 5
	ItemNodeCost = 3
	// ItemCost is that of an item, frame or prediction of a transition that takes fewer than 64 of them: 100 to 190 ns,
	// and some are charged for more than once.
	ItemCost = 8
	// ClosureCost is that of an item, frame or prediction of a transition that takes more. Times Budgets.Transition it is
	// not less than Budgets.Mask.
	ClosureCost = 40
)

// SearchVisit is what a search for lengths takes for visiting a state, besides its transitions, and what any other
// question about a pattern takes at least, in the unit of Budgets.Search.
const SearchVisit = 100
