// Package regex turns regular expressions into terminal expressions. It is the only regular-expression parser of the
// engine: regex constraints, JSON Schema's pattern and format, and the regex literals of EBNF, Lark and structural
// tags use it.
//
// Invariant: the expression that Lower returns matches exactly the texts of the pattern. A pattern without such an
// expression (a back-reference, a look-around inside some loops) is an error with its place. Texts are valid UTF-8,
// characters are code points. Start reading at Node, then parse.go (text to tree), lower.go (tree to expression) and
// look.go (look-arounds).
package regex

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Op is the kind of a Node.
type Op uint8

// The kinds of Node. Those from Begin on are assertions, which match the empty string if their condition holds.
const (
	OpEmpty     Op = iota // the empty string
	OpLiteral             // Text
	OpClass               // one code point of Ranges; without ranges nothing
	OpConcat              // Subs in order
	OpAlternate           // one of Subs
	OpRepeat              // Subs[0], Min to Max times
	OpAtomic              // the first match of Subs[0] that a backtracking matcher finds, without backtracking into it
	OpLook                // Subs[0] matches the text that follows; see Behind and Negative
	OpBegin               // ^ \A: at the start of the text
	OpEnd                 // $ \z \Z: at the end of the text
	OpLineBegin           // ^ under flag m: at the start or after a line terminator
	OpLineEnd             // $ under flag m: at the end or before a line terminator
	OpWord                // \b: between a word character and something else
	OpNotWord             // \B: anywhere else
)

// Unbounded is the Max of a repetition without an upper bound, and the length of texts without a longest one.
const Unbounded = terminal.Unbounded

// Node is a pattern's syntax tree. Immutable after Parse; safe for concurrent use.
type Node struct {
	Op       Op
	Behind   bool // OpLook: Subs[0] matches before the assertion, not after it
	Negative bool // OpLook: Subs[0] does not match
	Lazy     bool // OpRepeat: prefers fewer rounds; matters only inside OpAtomic
	asserts  bool // contains an assertion or an atomic group: its matches depend on the surrounding text
	back     bool // contains an assertion about the text before
	Pos      int  // byte offset in the pattern, for errors
	Min, Max uint32
	Text     string
	Ranges   []rune // pairs lo, hi; ascending, not touching, surrogates included
	Subs     []*Node

	shortest, longest uint32 // length of matches in code points; longest saturates at Unbounded
	pattern           string // root only: the pattern's text, for errors of Lower
}

// Length returns bounds on the number of code points of a match; longest may be Unbounded. Assertions count as true,
// so matches may not reach the bounds.
func (n *Node) Length() (shortest, longest uint32) { return n.shortest, n.longest }

func addLength(a, b uint32) uint32 {
	if uint64(a)+uint64(b) >= Unbounded {
		return Unbounded
	}
	return a + b
}

func mulLength(a, b uint32) uint32 {
	if p := uint64(a) * uint64(b); p < Unbounded {
		return uint32(p)
	}
	return Unbounded
}

func (n *Node) measure() *Node {
	switch n.Op {
	case OpLiteral:
		n.shortest = runeCount(n.Text)
		n.longest = n.shortest
	case OpClass:
		n.shortest, n.longest = 1, 1
	case OpConcat, OpAtomic:
		n.asserts = n.Op == OpAtomic
		for _, s := range n.Subs {
			n.shortest, n.longest = addLength(n.shortest, s.shortest), addLength(n.longest, s.longest)
			n.inherit(s)
		}
	case OpAlternate:
		n.shortest = Unbounded
		for _, s := range n.Subs {
			n.shortest, n.longest = min(n.shortest, s.shortest), max(n.longest, s.longest)
			n.inherit(s)
		}
	case OpRepeat:
		n.shortest, n.longest = mulLength(n.Min, n.Subs[0].shortest), mulLength(n.Max, n.Subs[0].longest)
		n.inherit(n.Subs[0])
	case OpLook:
		n.asserts, n.back = true, n.Behind || n.Subs[0].back
	case OpBegin, OpLineBegin, OpWord, OpNotWord:
		n.asserts, n.back = true, true
	case OpEnd, OpLineEnd:
		n.asserts = true
	}
	return n
}

func (n *Node) inherit(sub *Node) {
	n.asserts = n.asserts || sub.asserts
	n.back = n.back || sub.back
}

// fixed reports whether all matches of n have one length, and returns it.
func (n *Node) fixed() (length uint32, ok bool) {
	return n.shortest, n.shortest == n.longest && n.longest != Unbounded
}

func runeCount(s string) uint32 {
	n := uint32(0)
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// concat and alternate flatten nested nodes and unwrap single ones.
func concat(pos int, subs ...*Node) *Node { return sequence(OpConcat, pos, subs) }

func alternate(pos int, subs ...*Node) *Node { return sequence(OpAlternate, pos, subs) }

func sequence(op Op, pos int, subs []*Node) *Node {
	flat := subs
	for i, s := range subs {
		if s.Op == op || s.Op == OpEmpty && op == OpConcat {
			flat = append([]*Node(nil), subs[:i]...)
			for _, t := range subs[i:] {
				switch {
				case t.Op == op:
					flat = append(flat, t.Subs...)
				case t.Op != OpEmpty || op != OpConcat:
					flat = append(flat, t)
				}
			}
			break
		}
	}
	switch len(flat) {
	case 0:
		return (&Node{Op: OpEmpty, Pos: pos}).measure()
	case 1:
		return flat[0]
	}
	return (&Node{Op: op, Pos: pos, Subs: flat}).measure()
}

func repeat(pos int, x *Node, minimum, maximum uint32) *Node {
	if minimum == 1 && maximum == 1 {
		return x
	}
	if maximum == 0 {
		return concat(pos)
	}
	return (&Node{Op: OpRepeat, Pos: pos, Subs: []*Node{x}, Min: minimum, Max: maximum}).measure()
}

// Same reports whether two patterns have the same tree, places aside.
func Same(a, b *Node) bool {
	return a.Op == b.Op && a.Behind == b.Behind && a.Negative == b.Negative && a.Lazy == b.Lazy && a.Min == b.Min &&
		a.Max == b.Max && a.Text == b.Text && slices.Equal(a.Ranges, b.Ranges) && slices.EqualFunc(a.Subs, b.Subs, Same)
}

// Size estimates the number of states of n after counts are written out; saturating.
func (n *Node) Size() uint32 {
	sum := uint32(0)
	switch n.Op {
	case OpLiteral, OpClass:
		return n.shortest
	case OpRepeat:
		times := n.Max
		if times == Unbounded {
			times = max(n.Min, 1)
		}
		return mulLength(n.Subs[0].Size(), times)
	}
	for _, s := range n.Subs {
		sum = addLength(sum, s.Size())
	}
	return sum
}

func class(pos int, ranges []rune) *Node {
	return (&Node{Op: OpClass, Pos: pos, Ranges: ranges}).measure()
}

func look(pos int, behind, negative bool, x *Node) *Node {
	return (&Node{Op: OpLook, Pos: pos, Behind: behind, Negative: negative, Subs: []*Node{x}}).measure()
}
