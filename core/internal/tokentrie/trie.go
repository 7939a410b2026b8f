// Package tokentrie lays a vocabulary's byte strings out as a trie in preorder. A walk skips a subtree by one index,
// and a set of tokens is a few ranges.
//
// Invariant: nodes are in preorder and tokens in the order of their bytes; a subtree is a range of both. The package
// knows bytes and ids only. Start reading at Trie.
package tokentrie

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// Node is one byte of some token. 16 bytes.
type Node struct {
	End   uint32 // index after the last node of the subtree
	Token uint32 // index into Order of the subtree's first token; the node's own tokens come first
	Big   int32  // index into Bigs, -1 for a small subtree
	Depth uint16 // number of bytes up to and including this one
	Byte  byte
	Kinds Kinds // of the bytes below the node
}

// Kinds is a set of kinds of bytes: lower-case letters, upper-case letters, digits, the space, the double quote, the
// backslash, other printable ASCII, and all others.
type Kinds uint8

// otherKind is the kind of bytes that are not printable ASCII.
const otherKind Kinds = 1 << 7

// kindOf holds the kind of each byte.
var kindOf = func() (kinds [256]Kinds) {
	for b := range kinds {
		switch {
		case 'a' <= b && b <= 'z':
			kinds[b] = 1 << 0
		case 'A' <= b && b <= 'Z':
			kinds[b] = 1 << 1
		case '0' <= b && b <= '9':
			kinds[b] = 1 << 2
		case b == ' ':
			kinds[b] = 1 << 3
		case b == '"':
			kinds[b] = 1 << 4
		case b == '\\':
			kinds[b] = 1 << 5
		case '!' <= b && b <= '~':
			kinds[b] = 1 << 6
		default:
			kinds[b] = otherKind
		}
	}
	return kinds
}()

// KindsOf returns in `all` the kinds of printable ASCII of which a set has every byte, and in `none` the kinds of which
// it has no byte. others: the set also contains bytes beyond ASCII.
func KindsOf(ascii [2]uint64, others bool) (all, none Kinds) {
	var some Kinds
	all = ^otherKind
	for b := range 128 {
		if ascii[b>>6]>>(b&63)&1 != 0 {
			some |= kindOf[b]
		} else {
			all &^= kindOf[b]
		}
	}
	if others {
		some |= otherKind
	}
	return all, ^some
}

// Big summarises a large subtree, so that a state that loops on all of it need not walk it.
type Big struct {
	ASCII      [2]uint64 // ASCII bytes below the node
	Leads      uint64    // first bytes, from 0xC0 on, of the other code points below the node
	WellFormed bool      // the node is between code points, and every path below it is a prefix of valid UTF-8
	MaxRunes   uint16    // most code points on a path below the node
}

// bigNodes is the size from which a subtree has a summary. For smaller ones the walk is as fast as the look-up.
const bigNodes = 4

// Trie holds the text tokens of a vocabulary. Immutable, safe for concurrent use.
type Trie struct {
	Nodes  []Node   // Nodes[0] is the root; a sentinel comes last
	Order  []uint32 // token ids in the order of their bytes
	Rank   []uint32 // by token id: index into Order, NoToken if the token is not in the trie
	Bigs   []Big
	Root   [256]uint32 // node of each first byte, 0 if there is none
	Bytes  [][]byte    // by token id; nil if the token is not in the trie
	MaxLen int
}

// NoToken marks a token that is not in the trie.
const NoToken = ^uint32(0)

// MaxTokenBytes bounds the tokens taken into the trie. The longest known is 512 bytes of spaces.
const MaxTokenBytes = 1<<16 - 1

// New builds the trie of the tokens, given by id. It omits empty and overlong tokens, and tokens with the byte 0xFF,
// which spells tokens named by id.
func New(tokens [][]byte) *Trie {
	var order []uint32
	for id, b := range tokens {
		if belongs(b) {
			order = append(order, uint32(id))
		}
	}
	sortTokens(tokens, order)
	t, _ := Ordered(tokens, order)
	return t
}

// belongs reports whether a token with text b is in the trie.
func belongs(b []byte) bool {
	return len(b) > 0 && len(b) <= MaxTokenBytes && bytes.IndexByte(b, 0xFF) < 0
}

// sortTokens sorts ids by their bytes, then by id. Most comparisons look at the first eight bytes alone, which lie
// beside the ids.
func sortTokens(tokens [][]byte, order []uint32) {
	type key struct {
		head uint64
		id   uint32
	}
	keys := make([]key, len(order))
	for i, id := range order {
		var head [8]byte
		copy(head[:], tokens[id])
		keys[i] = key{binary.BigEndian.Uint64(head[:]), id}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return compare(tokens, a.id, b.id)
	})
	for i := range keys {
		order[i] = keys[i].id
	}
}

// compare compares two tokens by their bytes, then by id.
func compare(tokens [][]byte, a, b uint32) int {
	return cmp.Or(bytes.Compare(tokens[a], tokens[b]), cmp.Compare(a, b))
}

// Ordered builds the trie that New builds, from its Order. ok is false if order is another list.
func Ordered(tokens [][]byte, order []uint32) (_ *Trie, ok bool) {
	t := &Trie{Order: order, Rank: make([]uint32, len(tokens)), Bytes: make([][]byte, len(tokens))}
	n := 0
	for id, b := range tokens {
		t.Rank[id] = NoToken
		if belongs(b) {
			t.Bytes[id] = b
			t.MaxLen = max(t.MaxLen, len(b))
			n++
		}
	}
	if n != len(order) {
		return nil, false
	}
	for i, id := range order {
		if int64(id) >= int64(len(tokens)) || t.Bytes[id] == nil || i > 0 && compare(tokens, order[i-1], id) >= 0 {
			return nil, false
		}
		t.Rank[id] = uint32(i)
	}
	t.Nodes = NodesOf(len(t.Order), func(i int) []byte { return t.Bytes[t.Order[i]] })
	for i := uint32(1); i < t.Nodes[0].End; i = t.Nodes[i].End {
		t.Root[t.Nodes[i].Byte] = i
	}
	t.summarise()
	return t, true
}

// NodesOf returns the trie of n sorted texts in preorder, root first and a sentinel last. A node's tokens are indexes
// of texts.
func NodesOf(n int, text func(i int) []byte) []Node {
	nodes := append(make([]Node, 0, n+2), Node{Big: -1})
	path := []uint32{0} // path[d] is the open node of depth d
	var prev []byte
	for i := range n {
		b := text(i)
		common := 0
		for common < len(prev) && common < len(b) && prev[common] == b[common] {
			common++
		}
		for _, k := range path[common+1:] {
			nodes[k].End = uint32(len(nodes))
		}
		path = path[:common+1]
		for d := common; d < len(b); d++ {
			path = append(path, uint32(len(nodes)))
			nodes = append(nodes, Node{Token: uint32(i), Big: -1, Depth: uint16(d + 1), Byte: b[d]})
		}
		prev = b
	}
	for _, k := range path {
		nodes[k].End = uint32(len(nodes))
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		for c := uint32(i + 1); c < nodes[i].End; c = nodes[c].End {
			nodes[i].Kinds |= nodes[c].Kinds | kindOf[nodes[c].Byte]
		}
	}
	return slices.Clone(append(nodes, Node{Token: uint32(n), Big: -1})) // a copy without spare capacity
}

// Each calls f with every token of exactly these bytes.
func (t *Trie) Each(text []byte, f func(id uint32)) {
	compare := func(id uint32, text []byte) int { return bytes.Compare(t.Bytes[id], text) }
	for i, _ := slices.BinarySearchFunc(t.Order, text, compare); i < len(t.Order); i++ {
		if !bytes.Equal(t.Bytes[t.Order[i]], text) {
			return
		}
		f(t.Order[i])
	}
}

// Tokens returns the range of Order with node i's own tokens.
func (t *Trie) Tokens(i uint32) (from, to uint32) { return t.Nodes[i].Token, t.Nodes[i+1].Token }

// Below returns the range of Order with the tokens below node i, excluding its own.
func (t *Trie) Below(i uint32) (from, to uint32) {
	return t.Nodes[i+1].Token, t.Nodes[t.Nodes[i].End].Token
}

// Size returns the bytes that the trie holds, excluding the tokens' own bytes.
func (t *Trie) Size() int {
	return len(t.Nodes)*16 + len(t.Order)*4 + len(t.Rank)*4 + len(t.Bigs)*32 + len(t.Bytes)*24
}

// summarise computes the summaries of all large subtrees from the leaves up.
func (t *Trie) summarise() {
	last := len(t.Nodes) - 1
	below := make([]Big, last)
	for i := last - 1; i >= 0; i-- {
		b := &below[i]
		b.WellFormed = true
		for c := uint32(i + 1); c < t.Nodes[i].End; c = t.Nodes[c].End {
			t.addChild(b, below, c)
		}
		if int(t.Nodes[i].End)-i >= bigNodes {
			t.Nodes[i].Big = int32(len(t.Bigs))
			t.Bigs = append(t.Bigs, *b)
		}
	}
}

// Summary returns the summary of a small subtree, which has none in Bigs. It is well-formed only if all bytes below the
// node are ASCII. MaxRunes is the number of nodes below, an upper bound.
func (t *Trie) Summary(i uint32) Big {
	b := Big{WellFormed: true, MaxRunes: uint16(t.Nodes[i].End - i - 1)}
	for _, n := range t.Nodes[i+1 : t.Nodes[i].End] {
		if b.WellFormed = b.WellFormed && n.Byte < 0x80; b.WellFormed {
			b.ASCII[n.Byte>>6] |= 1 << (n.Byte & 63)
		}
	}
	return b
}

// addChild adds to b the code points that begin with node c, and the summaries below them.
func (t *Trie) addChild(b *Big, below []Big, c uint32) {
	lead := t.Nodes[c].Byte
	need, lo, hi := uint8(0), byte(0x80), byte(0xBF)
	switch {
	case lead < 0x80:
		b.ASCII[lead>>6] |= 1 << (lead & 63)
	case lead >= 0xC2 && lead <= 0xDF:
		need = 1
	case lead >= 0xE0 && lead <= 0xEF:
		need = 2
		if lead == 0xE0 {
			lo = 0xA0
		} else if lead == 0xED {
			hi = 0x9F
		}
	case lead >= 0xF0 && lead <= 0xF4:
		need = 3
		if lead == 0xF0 {
			lo = 0x90
		} else if lead == 0xF4 {
			hi = 0x8F
		}
	default:
		b.WellFormed = false
	}
	if lead >= 0xC0 {
		b.Leads |= 1 << (lead - 0xC0)
	}
	b.MaxRunes = max(b.MaxRunes, 1)
	t.addTail(b, below, c, need, lo, hi)
}

// addTail adds the paths below node n that need more continuation bytes, the next of them from lo to hi.
func (t *Trie) addTail(b *Big, below []Big, n uint32, need uint8, lo, hi byte) {
	if need == 0 {
		x := &below[n]
		b.ASCII[0] |= x.ASCII[0]
		b.ASCII[1] |= x.ASCII[1]
		b.Leads |= x.Leads
		b.WellFormed = b.WellFormed && x.WellFormed
		b.MaxRunes = max(b.MaxRunes, x.MaxRunes+1)
		return
	}
	for c := n + 1; c < t.Nodes[n].End; c = t.Nodes[c].End {
		if x := t.Nodes[c].Byte; x < lo || x > hi {
			b.WellFormed = false
			return
		}
		t.addTail(b, below, c, need-1, 0x80, 0xBF)
	}
}
