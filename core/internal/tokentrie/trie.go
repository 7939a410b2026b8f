// Package tokentrie lays a vocabulary's byte strings out as a trie in preorder, so that a walk that meets a dead end
// skips the whole subtree by one index, and a set of tokens is a few ranges.
//
// Invariant: nodes are in preorder and tokens in the order of their bytes; a subtree is a range of both. The package
// knows bytes and ids only, no grammar. Start reading at Trie.
package tokentrie

import (
	"bytes"
	"slices"
)

// Node is one byte of some token. 16 bytes.
type Node struct {
	End   uint32 // index after the last node of the subtree
	Token uint32 // index into Order of the first token of the subtree; the node's own tokens come first
	Big   int32  // index into Bigs, -1 for a small subtree
	Depth uint16 // number of bytes up to and including this one
	Byte  byte
}

// Big summarises a large subtree, so that a state in which all of it loops need not walk it.
type Big struct {
	ASCII      [2]uint64 // ASCII bytes below the node
	NonASCII   bool      // other code points occur below the node
	WellFormed bool      // every path below the node is a prefix of valid UTF-8, the node being between code points
	MaxRunes   uint16    // most code points that begin on a path below the node
}

// bigNodes is the size from which a subtree has a summary: below it, looking at the summary costs what the walk does.
const bigNodes = 8

// Trie holds the tokens of a vocabulary that are text. Immutable, safe for concurrent use.
type Trie struct {
	Nodes  []Node // Nodes[0] is the root; a sentinel comes last
	Order  []uint32
	Rank   []uint32 // by token id: index into Order, NoToken if the token is not in the trie
	Bigs   []Big
	Root   [256]uint32 // node of each first byte, 0 if there is none
	Bytes  [][]byte    // by token id; nil if the token is not in the trie
	MaxLen int
}

// NoToken marks a token that is not in the trie.
const NoToken = ^uint32(0)

// maxTokenBytes bounds the tokens taken into the trie. The longest known is 512 bytes of spaces.
const maxTokenBytes = 1<<16 - 1

// New builds the trie of the tokens with bytes, by id. Empty and overlong ones are left out, and so are those with a
// byte that no text contains (0xFF), which marks tokens spelled as tokens.
func New(tokens [][]byte) *Trie {
	t := &Trie{Rank: make([]uint32, len(tokens)), Bytes: make([][]byte, len(tokens))}
	for id, b := range tokens {
		t.Rank[id] = NoToken
		if len(b) > 0 && len(b) <= maxTokenBytes && bytes.IndexByte(b, 0xFF) < 0 {
			t.Order = append(t.Order, uint32(id))
			t.Bytes[id] = b
			t.MaxLen = max(t.MaxLen, len(b))
		}
	}
	slices.SortFunc(t.Order, func(a, b uint32) int {
		if c := bytes.Compare(tokens[a], tokens[b]); c != 0 {
			return c
		}
		return int(a) - int(b)
	})
	for i, id := range t.Order {
		t.Rank[id] = uint32(i)
	}
	t.build()
	for i := range t.Nodes[:len(t.Nodes)-1] {
		if int(t.Nodes[i].End)-i >= bigNodes {
			t.summarise(i)
		}
	}
	return t
}

// build makes the nodes from the sorted tokens: a token shares its prefix's nodes with the one before it.
func (t *Trie) build() {
	t.Nodes = append(make([]Node, 0, len(t.Order)*2), Node{Big: -1})
	path := make([]uint32, 1, t.MaxLen+1) // path[d] is the open node of depth d
	var prev []byte
	for i, id := range t.Order {
		b := t.Bytes[id]
		common := 0
		for common < len(prev) && common < len(b) && prev[common] == b[common] {
			common++
		}
		for _, n := range path[common+1:] {
			t.Nodes[n].End = uint32(len(t.Nodes))
		}
		path = path[:common+1]
		for d := common; d < len(b); d++ {
			n := uint32(len(t.Nodes))
			if d == 0 {
				t.Root[b[0]] = n
			}
			path = append(path, n)
			t.Nodes = append(t.Nodes, Node{Token: uint32(i), Big: -1, Depth: uint16(d + 1), Byte: b[d]})
		}
		prev = b
	}
	for _, n := range path {
		t.Nodes[n].End = uint32(len(t.Nodes))
	}
	t.Nodes = append(t.Nodes, Node{Token: uint32(len(t.Order)), Big: -1})
}

// Tokens returns the range of Order that is node i's own tokens.
func (t *Trie) Tokens(i uint32) (from, to uint32) { return t.Nodes[i].Token, t.Nodes[i+1].Token }

// Below returns the range of Order that is the tokens of node i's subtree, i's own left out.
func (t *Trie) Below(i uint32) (from, to uint32) {
	return t.Nodes[i+1].Token, t.Nodes[t.Nodes[i].End].Token
}

// Size returns how many bytes the trie holds, the tokens' own bytes left out.
func (t *Trie) Size() int {
	return len(t.Nodes)*16 + len(t.Order)*4 + len(t.Rank)*4 + len(t.Bigs)*24 + len(t.Bytes)*24
}

// utf8State follows one path below a node.
type utf8State struct {
	need  uint8 // continuation bytes to come
	lead  byte  // lead byte whose next byte is restricted
	runes uint16
}

func (t *Trie) summarise(i int) {
	b := Big{WellFormed: true}
	base := int(t.Nodes[i].Depth)
	states := make([]utf8State, t.MaxLen-base+2)
	for j := i + 1; j < int(t.Nodes[i].End); j++ {
		n := &t.Nodes[j]
		d := int(n.Depth) - base
		s, ok := states[d-1].next(n.Byte, &b)
		if !ok {
			b.WellFormed = false
			break
		}
		b.MaxRunes = max(b.MaxRunes, s.runes)
		states[d] = s
	}
	t.Nodes[i].Big = int32(len(t.Bigs))
	t.Bigs = append(t.Bigs, b)
}

func (s utf8State) next(c byte, b *Big) (utf8State, bool) {
	if s.need > 0 {
		lo, hi := byte(0x80), byte(0xBF)
		switch s.lead {
		case 0xE0:
			lo = 0xA0
		case 0xED:
			hi = 0x9F
		case 0xF0:
			lo = 0x90
		case 0xF4:
			hi = 0x8F
		}
		return utf8State{need: s.need - 1, runes: s.runes}, c >= lo && c <= hi
	}
	r := utf8State{runes: s.runes + 1}
	switch {
	case c < 0x80:
		b.ASCII[c>>6] |= 1 << (c & 63)
		return r, true
	case c >= 0xC2 && c <= 0xDF:
		r.need = 1
	case c >= 0xE0 && c <= 0xEF:
		r.need, r.lead = 2, c
	case c >= 0xF0 && c <= 0xF4:
		r.need, r.lead = 3, c
	default:
		return r, false
	}
	b.NonASCII = true
	return r, true
}
