package tokenset

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// Escapes are the tokens that leave a terminal part of the way, as tries of what follows its end, one for each tag.
// Many tokens share a suffix: Llama 3.1 has 1,345 tokens with a quote and 581 distinct suffixes. Immutable.
type Escapes struct {
	Tries   []EscapeTrie
	Wide    []WideEnd // where so many leave it that they are not in the tries
	TooMany bool
	GoesOn  terminal.ByteSet // what the terminal can go on with in places where it may end
	Cost    int              // of finding them
}

// EscapeTrie is what follows the end of a terminal in tokens that leave it with one tag.
type EscapeTrie struct {
	tokentrie.Trie // its nodes and their tokens alone, which are ids, or ranks in the trie that it is of a part of
	Tag            uint32
	Counts         []uint32    // by token: code points begun when the counted body was left
	in             *EscapeTrie // of a part of which it is, nil: of the vocabulary
	left           []uint16    // by token: bytes before what follows; nil: none, this is the vocabulary's trie
}

// textOf returns what trie t has of its token k: all of it, or what follows the end of a terminal.
func (e *Sets) textOf(t *EscapeTrie, k uint32) []byte {
	if t.left == nil {
		return e.tokens.Trie.Bytes[t.Order[k]]
	}
	return e.outsideOf(t.in, t.Order[k], t.left[k])
}

// outsideOf returns what follows the first so many bytes of a token of trie in, or of the vocabulary.
func (e *Sets) outsideOf(in *EscapeTrie, token uint32, left uint16) []byte {
	if in == nil {
		return e.tokens.Trie.Bytes[token][left:]
	}
	return e.textOf(in, token)[left:]
}

// WideEnd is a node of the trie after which a terminal is complete, with tag, and below which everything may follow, as
// it does after a blank. Its escapes are walked where they are.
type WideEnd struct{ Node, Tag uint32 }

// wideTokens is how many escapes an ending has that is wide.
const wideTokens = 2000

// escapeEntry is a token and where in it the terminal is left.
type escapeEntry struct {
	token uint32 // an id, or a rank in the trie that the class is of a part of
	count uint32
	tag   uint32
	depth uint16 // bytes of the token before that
}

// A class keeps its escapes in two parts: those that leave the terminal with a byte that it could not have gone on
// with, and those where it could have. Nearly every token leaves "[a-z]+" in the second way, after each of its letters,
// and what comes after it can rarely begin with a letter.

// EscapesOf returns one part of the class's escapes, finding them the first time somebody needs them.
func (e *Sets) EscapesOf(c *Class, within bool) *Escapes {
	if c.like != nil {
		c = c.like
	}
	p := &c.escapes[0]
	if within {
		p = &c.escapes[1]
	}
	if x := p.Load(); x != nil {
		return x
	}
	x := e.findEscapes(c, within)
	if !p.CompareAndSwap(nil, x) {
		return p.Load()
	}
	e.grew(c, x.size())
	return x
}

func (e *Sets) findEscapes(c *Class, within bool) *Escapes {
	out := &Escapes{TooMany: within && c.partial}
	for i := range c.goesOn {
		out.GoesOn.Union(&c.goesOn[i])
	}
	if out.TooMany {
		return out
	}
	f := escapeFinder{e: e, c: c, within: within}
	if !f.find() {
		out.TooMany, out.Cost = true, escapeEntries*escapeCost
		return out
	}
	f.sort()
	out.Cost, out.Wide = len(f.entries)*escapeCost, slices.Clone(f.wide)
	for i := 0; i < len(f.entries); {
		j := i
		for j < len(f.entries) && f.entries[j].tag == f.entries[i].tag {
			j++
		}
		out.Tries = append(out.Tries, f.trie(f.entries[i:j]))
		i = j
	}
	return out
}

// escapeFinder gathers one part of a class's escapes.
type escapeFinder struct {
	e       *Sets
	c       *Class
	within  bool
	entries []escapeEntry
	bytes   int // of the suffixes
	wide    []WideEnd
}

// full reports whether there are too many.
func (f *escapeFinder) full() bool { return len(f.entries) > escapeEntries || f.bytes > escapeBytes }

// find fills entries. It returns false if there are too many.
func (f *escapeFinder) find() bool {
	trie := f.e.trieOf(f.c)
	for k := range f.c.Ends {
		end := &f.c.Ends[k]
		alive := &f.c.goesOn[end.goesOn]
		if f.isWide(end, alive) {
			if !f.within {
				f.wide = append(f.wide, WideEnd{end.node, end.tag})
			}
			continue
		}
		for i := end.node + 1; i < trie.Nodes[end.node].End; i = trie.Nodes[i].End {
			if alive.Has(trie.Nodes[i].Byte) != f.within {
				continue
			}
			from, to := trie.Nodes[i].Token, trie.Nodes[trie.Nodes[i].End].Token
			if !f.within && f.c.single {
				if len(f.entries)+int(to-from) > escapeEntries {
					return false
				}
				f.append(end, from, to)
			} else {
				f.appendOutside(end, from, to)
			}
			if f.full() {
				return false
			}
		}
	}
	return true
}

// isWide reports whether the terminal is left by so many tokens at an ending that what follows is better walked where
// it is. Where code points are counted, each token has its count.
func (f *escapeFinder) isWide(end *ending, alive *terminal.ByteSet) bool {
	nodes, n := f.e.trieOf(f.c).Nodes, uint32(0)
	from, to := nodes[end.node+1].Token, nodes[nodes[end.node].End].Token
	if f.c.Counted || to-from <= wideTokens {
		return false
	}
	for i := end.node + 1; i < nodes[end.node].End; i = nodes[i].End {
		if !alive.Has(nodes[i].Byte) {
			n += nodes[nodes[i].End].Token - nodes[i].Token
		}
	}
	return n > wideTokens
}

// appendOutside appends the tokens from to to in the trie's order, unless they are inside the terminal all the way.
func (f *escapeFinder) appendOutside(end *ending, from, to uint32) {
	ranks := f.c.ranks
	r, _ := slices.BinarySearch(ranks, from)
	r &^= 1 // the range that from is in, or the next one
	for from < to && !f.full() {
		for r < len(ranks) && ranks[r+1] <= from {
			r += 2
		}
		if r == len(ranks) || ranks[r] >= to {
			f.append(end, from, to)
			return
		}
		if ranks[r] > from {
			f.append(end, from, ranks[r])
		}
		from = ranks[r+1] // what is inside is so however it goes on
	}
}

func (f *escapeFinder) append(end *ending, from, to uint32) {
	trie := f.e.trieOf(f.c)
	for k := from; k < to; k++ {
		token := k
		if f.c.in == nil {
			token = trie.Order[k]
		}
		f.entries = append(f.entries, escapeEntry{token, end.count, end.tag, trie.Nodes[end.node].Depth})
		f.bytes += len(f.suffix(&f.entries[len(f.entries)-1]))
	}
}

// suffix returns what follows the terminal in a token.
func (f *escapeFinder) suffix(x *escapeEntry) []byte { return f.e.outsideOf(f.c.in, x.token, x.depth) }

// suffixKey is an entry by how its suffix begins, in bytes: the order of keys is that of the suffixes, but for those of
// which both are longer than headBytes.
type suffixKey struct {
	head uint64 // the first bytes, and below them how many there are
	at   uint32
}

// headBytes is how much of a suffix is in its key. Hardly any is longer.
const headBytes = 7

func keyOfSuffix(suffix []byte, at int) suffixKey {
	head := uint64(min(len(suffix), headBytes+1))
	for i, b := range suffix[:min(len(suffix), headBytes)] {
		head |= uint64(b) << (56 - 8*i)
	}
	return suffixKey{head, uint32(at)}
}

// sort sorts the entries by tag, then by suffix, then by token.
//
// PERF: without keys, finding the escapes of the class of \w+ takes 320 µs instead of 140, and the walk for it 70.
func (f *escapeFinder) sort() {
	keys := make([]suffixKey, len(f.entries))
	for i := range f.entries {
		keys[i] = keyOfSuffix(f.suffix(&f.entries[i]), i)
	}
	f.sortKeys(keys, func(x, y suffixKey) int {
		a, b := &f.entries[x.at], &f.entries[y.at]
		if byte(x.head) > headBytes {
			if c := bytes.Compare(f.suffix(a), f.suffix(b)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.token, b.token)
	})
	sorted := make([]escapeEntry, len(keys))
	for i, k := range keys {
		sorted[i] = f.entries[k.at]
	}
	f.entries = sorted
	if slices.ContainsFunc(sorted, func(x escapeEntry) bool { return x.tag != NoTag }) {
		slices.SortStableFunc(sorted, func(x, y escapeEntry) int { return cmp.Compare(x.tag, y.tag) })
	}
}

// manyKeys is from how many keys on they are sorted byte by byte.
const manyKeys = 512

// sortKeys sorts keys by their heads, and by less where those are the same.
//
// PERF: comparing the keys of 8,000 escapes takes 160 ns for each, going over them once for each byte a fifth of it.
func (f *escapeFinder) sortKeys(keys []suffixKey, less func(x, y suffixKey) int) {
	if len(keys) < manyKeys {
		slices.SortFunc(keys, func(x, y suffixKey) int {
			if x.head != y.head {
				return cmp.Compare(x.head, y.head)
			}
			return less(x, y)
		})
		return
	}
	sortByHead(keys)
	for i := 0; i < len(keys); {
		j := i + 1
		for j < len(keys) && keys[j].head == keys[i].head {
			j++
		}
		if j > i+1 {
			slices.SortFunc(keys[i:j], less)
		}
		i = j
	}
}

// sortByHead sorts keys by the bytes of their heads, the lowest first.
func sortByHead(keys []suffixKey) {
	var counts [8][256]uint32
	for i := range keys {
		for k := range counts {
			counts[k][byte(keys[i].head>>(8*k))]++
		}
	}
	from, to := keys, make([]suffixKey, len(keys))
	for k := range counts {
		at := uint32(0)
		for b := range counts[k] {
			n := counts[k][b]
			counts[k][b], at = at, at+n
		}
		for i := range from {
			place := &counts[k][byte(from[i].head>>(8*k))]
			to[*place] = from[i]
			*place++
		}
		from, to = to, from
	}
	// The last round has put them back into keys: the number of rounds is even.
}

// trie returns the trie of sorted entries, which have one tag.
func (f *escapeFinder) trie(entries []escapeEntry) EscapeTrie {
	n := len(entries)
	t := EscapeTrie{Tag: entries[0].tag, in: f.c.in, left: make([]uint16, n)}
	t.Order, t.Counts = make([]uint32, n), make([]uint32, n)
	for i := range entries {
		t.left[i], t.Order[i], t.Counts[i] = entries[i].depth, entries[i].token, entries[i].count
	}
	t.Nodes = tokentrie.NodesOf(n, func(i int) []byte { return f.suffix(&entries[i]) })
	return t
}
