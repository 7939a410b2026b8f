package tokenset

import (
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// A class divides the tokens in which one terminal state goes on. Tokens inside the terminal are allowed in every
// context. Escapes leave it part of the way, so each mask checks their suffix against the text behind the terminal.
// Grammars share the class of a state, such as "inside a JSON string".
//
// A counted state is in the middle of a body: an expression whose number of code points the terminal bounds. One class
// serves all bounds and counts. It stores how many code points each token needs: its own, and the fewest that complete
// the body after it. A mask selects the tokens for which there is room. States that still lack their minimum share a
// second class, which also asks whether the body can become long enough.

const (
	// narrowNodes is how many trie nodes a walk may visit before its state deserves a class. A shorter walk costs less
	// than looking a class up and merging it.
	narrowNodes = 100
	// SparseTokens is the size up to which a class keeps a list instead of a bitmap.
	SparseTokens = 2000
	// escapeEntries bounds each of the two parts of a class's escapes (EscapesOf). A state with more can end nearly
	// everywhere, and its masks are found by walking.
	escapeEntries = 8_000
	// escapeBytes bounds the suffixes of one part behind the terminal: each byte may be a node of their trie. Real
	// vocabularies have 15,000 at most; random tokens of a kilobyte took gigabytes.
	escapeBytes = 128_000
	// classTags bounds the tags of a terminal that has a class: escapes are kept by tag.
	classTags = 16
	// classGroups bounds the groups of a counted class; tokens of further ones are judged one by one. Most classes have
	// one or two.
	classGroups = 64
)

// Class is immutable, except for parts that it fills in on first use.
type Class struct {
	found
	like    *Class                      // the shared class that this one copies, see withStates; nil: none
	of      terminal.Expr               // with like: the state of this store
	states  atomic.Pointer[[]irregular] // with like: the irregular tokens, see IrregularOf
	escapes [2]atomic.Pointer[Escapes]  // by whether the terminal could have gone on, see EscapesOf
	closing atomic.Pointer[closing]     // see closingNodes

	isShared bool // all grammars share it
}

// found is the result of a walk for a class.
type found struct {
	List    []uint32 // the tokens inside, if they are few
	Special bool     // some token of List is a special one
	Bitmap  []uint32 // the tokens inside, if they are many
	ranks   ranges   // the tokens inside as ranges of the trie's order

	From    *Class // of a difference: the class that has more tokens
	Removed ranges // of a difference: tokens of From that it lacks; List has their ids

	Counted   bool
	groups    []group                    // counted: tokens inside by group.beyond
	order     []uint32                   // counted: tokens of small groups by the code points that they need
	upTo      []uint32                   // counted: order[:upTo[n]] need at most n code points
	Rooms     []atomic.Pointer[[]uint32] // results of Sets.Room
	Irregular []irregular                // tokens inside for which need alone does not decide, or beyond classGroups
	Exits     []exit                     // tokens that end behind the counted body

	walked  int                // cost of the walk
	narrow  bool               // the state needs no class, and nothing else is known
	Ends    []ending           // nodes at which the terminal may be complete
	goesOn  []terminal.ByteSet // bytes that go on there, by ending.goesOn
	partial bool               // Ends lacks some nodes below a loop
}

// group holds the tokens that need as many code points as begin in them, plus beyond. It keeps them as ranges during a
// walk, then as a bitmap or a part of Class.order.
type group struct {
	beyond int
	ranks  ranges
	bitmap []uint32
}

// irregular is a token of a counted class, with the state behind it. N code points of the body have begun.
type irregular struct {
	Token uint32
	N     uint32
	State terminal.Expr
	C     counters.Counter
}

// exit is a token that leaves the counted body after n code points.
type exit struct{ Token, N uint32 }

// ending is a trie node at which the terminal is complete with a tag, after count code points of a counted body.
type ending struct {
	node   uint32
	count  uint32
	tag    uint32
	goesOn uint32 // index in Class.goesOn
}

// NoTag marks an ending without a tag.
const NoTag = ^uint32(0)

// Escapes are tokens that leave a terminal part of the way: tries of their suffixes behind its end, one for each tag. A
// class has two such parts (EscapesOf). Many tokens share a suffix: Llama 3.1 has 1,345 tokens with a quote and 581
// distinct suffixes. Immutable.
type Escapes struct {
	Tries   []EscapeTrie
	Wide    []WideEnd        // of the first part: the tries of both parts omit the tokens that pass these ends
	TooMany bool             // no tries: there are too many escapes, or the class lacks some ends (partial)
	GoesOn  terminal.ByteSet // bytes that the terminal can go on with at some end
	Cost    int              // of finding the tries
}

// EscapeTrie is a trie of the tokens that leave a terminal with one tag, without their bytes inside the terminal.
type EscapeTrie struct {
	tokentrie.Trie // with Nodes and Order alone
	Tag            uint32
	Counts         []uint32 // by index of Order: code points of the counted body in the token
}

// WideEnd is a trie node at which a terminal is complete with a tag and many tokens leave it. An example is a blank,
// since nearly any text may follow one. A mask unites the classes of the terminals that begin below the node
// (BelowClass).
type WideEnd struct{ Node, Tag uint32 }

// closing lists the trie nodes at which a terminal is complete, in order. The terminal is any text up to a closing
// byte.
type closing struct {
	nodes []uint32
	cost  int // of the walk
}

// narrowClass stands for states that need no class.
var narrowClass = &Class{found: found{narrow: true, walked: narrowCost}}

// goesOnWith returns the index of a set in goesOn. Most states of a walk go on with the same bytes as the last.
func (c *Class) goesOnWith(set *terminal.ByteSet) uint32 {
	for i := len(c.goesOn) - 1; i >= max(0, len(c.goesOn)-goesOnLook); i-- {
		if c.goesOn[i] == *set {
			return uint32(i)
		}
	}
	c.goesOn = append(c.goesOn, *set)
	return uint32(len(c.goesOn) - 1)
}

// goesOnLook is how many sets goesOnWith compares.
const goesOnLook = 16

// group returns the ranges of a group, which the first call for a number adds. It returns nil if there are too many
// groups.
func (c *Class) group(beyond int) *ranges {
	for i := range c.groups {
		if c.groups[i].beyond == beyond {
			return &c.groups[i].ranks
		}
	}
	if len(c.groups) == classGroups {
		return nil
	}
	c.groups = append(c.groups, group{beyond: beyond})
	return &c.groups[len(c.groups)-1].ranks
}
