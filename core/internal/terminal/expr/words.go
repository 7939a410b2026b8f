package expr

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/work"
)

// Words is the machine of a long list of texts, each in any spelling of an encoding. It is a radix tree: a trie in
// which nodes with one child are part of the label below them. As expressions, a hundred thousand texts would need as
// many nodes, and a mask would make rows for a thousand of them. Here a state is a place in the tree, and walks along a
// vocabulary's trie make no states.
//
// Each text may carry a tag. Then the texts are spelled in UTF8, and a tag follows each text. Immutable.
type Words struct {
	nodes  []wordNode
	firsts []byte   // by node: the first byte of its label
	labels []byte   // the labels, one after the other
	tags   []uint32 // by node: the tag of the text that ends there; nil: no tags
	enc    Encoding
	bytes  ByteSet
	subset uint8 // encodings in which all texts consist of whole code points
	name   string
}

// wordNode is a label and the children below it. Children are neighbours, in the order of their first bytes.
type wordNode struct {
	label, size uint32 // offset and length of its bytes in labels
	child       uint32 // the first one
	count       uint16 // of children
	ends        bool   // a text ends here
}

// wordNodeBytes is the memory of a node without its label and tag.
const wordNodeBytes = 16 + 1

// The cost of making the tree: 15,000,000 steps for a million texts, which take half a second.
const (
	wordWork     = 4 // a text in one of three passes
	comparedWork = 4 // comparisons of keys for one step
)

// NewWords returns the machine of texts, which are valid UTF-8 unless enc is UTF8. tags may be nil. The first of equal
// texts counts.
func NewWords(texts []string, enc Encoding, tags []uint32, m *work.Meter) *Words {
	order := sortTexts(texts, m)
	order = slices.CompactFunc(order, func(a, b keyed) bool { return texts[a.text] == texts[b.text] })
	b := wordBuilder{w: &Words{enc: enc}, texts: texts, tags: tags, order: order, work: m}
	b.reserve()
	b.add(0)
	b.build(0, 0, len(order), 0)
	b.describe()
	return b.w
}

// keyed is a text's number with eight of its bytes as a big-endian number.
type keyed struct {
	key  uint64
	text uint32
}

// sortTexts returns the texts in order, equal ones in the given order.
//
// PERF: comparing whole texts takes three times as long, because each is a cache miss.
func sortTexts(texts []string, m *work.Meter) []keyed {
	order := make([]keyed, len(texts))
	for i := range order {
		order[i].text = uint32(i)
	}
	sortFrom(texts, order, 0, m)
	return order
}

// sortFrom sorts texts that share their first depth bytes.
func sortFrom(texts []string, order []keyed, depth int, m *work.Meter) {
	var padded [8]byte
	for i := range order {
		t := texts[order[i].text][depth:]
		if len(t) < len(padded) {
			clear(padded[copy(padded[:], t):])
			order[i].key = binary.BigEndian.Uint64(padded[:])
		} else {
			order[i].key = binary.BigEndian.Uint64([]byte(t[:8]))
		}
	}
	compared := 0
	slices.SortFunc(order, func(a, b keyed) int {
		if compared++; compared%comparedWork == 0 {
			m.Spend(1)
		}
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return int(a.text) - int(b.text)
	})
	for lo, hi := 0, 0; lo < len(order); lo = hi {
		for hi = lo + 1; hi < len(order) && order[hi].key == order[lo].key; {
			hi++
		}
		if hi-lo == 1 {
			continue
		}
		// Texts that end within the key come before texts with zeros there.
		same := order[lo:hi]
		slices.SortStableFunc(same, func(a, b keyed) int {
			return min(len(texts[a.text])-depth, 9) - min(len(texts[b.text])-depth, 9)
		})
		more := slices.IndexFunc(same, func(k keyed) bool { return len(texts[k.text]) > depth+8 })
		if more >= 0 && len(same)-more > 1 {
			sortFrom(texts, same[more:], depth+8, m)
		}
	}
}

type wordBuilder struct {
	w     *Words
	texts []string
	tags  []uint32 // of the texts, or nil
	order []keyed  // the texts sorted, all different
	work  *work.Meter
	ends  []int // a stack: the ends of the groups of texts below the nodes under construction
}

func (b *wordBuilder) text(i int) string { return b.texts[b.order[i].text] }

// reserve allocates the tree's tables exactly. Each text adds the bytes after its common prefix with the text before
// it. Nodes are the ends of texts and the places at which neighbours part; those on the way to the current text are on
// a stack.
//
// PERF: with growing tables, a million texts take three times the memory until it is collected.
func (b *wordBuilder) reserve() {
	nodes, bytes, last := 1, 0, ""
	places := []int{0}
	for i := range b.order {
		b.work.Spend(wordWork)
		t := b.text(i)
		common := 0
		for common < len(last) && common < len(t) && last[common] == t[common] {
			common++
		}
		for len(places) > 0 && places[len(places)-1] > common {
			places = places[:len(places)-1]
		}
		for _, at := range [2]int{common, len(t)} {
			if len(places) == 0 || places[len(places)-1] < at {
				places = append(places, at)
				nodes++
			}
		}
		bytes += len(t) - common
		last = t
	}
	b.w.nodes, b.w.firsts = make([]wordNode, 0, nodes), make([]byte, 0, nodes)
	b.w.labels = make([]byte, 0, bytes)
	if b.tags != nil {
		b.w.tags = make([]uint32, 0, nodes)
	}
}

// add adds a node whose label begins with first.
func (b *wordBuilder) add(first byte) {
	b.w.nodes, b.w.firsts = append(b.w.nodes, wordNode{}), append(b.w.firsts, first)
	if b.tags != nil {
		b.w.tags = append(b.w.tags, 0)
	}
}

// build makes the children of a node from the texts lo to hi, which share depth bytes. Its recursion is as deep as
// texts are prefixes of one another.
func (b *wordBuilder) build(node uint32, lo, hi, depth int) {
	w := b.w
	b.work.Spend(wordWork)
	if len(b.text(lo)) == depth {
		if w.nodes[node].ends = true; b.tags != nil {
			w.tags[node] = b.tags[b.order[lo].text]
		}
		lo++
	}
	child, base := uint32(len(w.nodes)), len(b.ends)
	for at := lo; at < hi; {
		c := b.text(at)[depth]
		at += sort.Search(hi-at, func(i int) bool { return b.text(at + i)[depth] > c })
		b.ends = append(b.ends, at)
		b.add(c)
	}
	w.nodes[node].child, w.nodes[node].count = child, uint16(len(b.ends)-base)
	for i := base; i < len(b.ends); i++ {
		first, last := b.text(lo), b.text(b.ends[i]-1)
		end := depth + 1
		for end < len(first) && first[end] == last[end] {
			end++ // last has byte end: it is greater than first, and equal up to here
		}
		n := &w.nodes[child]
		n.label, n.size = uint32(len(w.labels)), uint32(end-depth)
		w.labels = append(w.labels, first[depth:end]...)
		b.build(child, lo, b.ends[i], end)
		lo = b.ends[i]
		child++
	}
	b.ends = b.ends[:base]
}

// describe computes the bytes, the subset and the name of the texts.
func (b *wordBuilder) describe() {
	w := b.w
	for _, c := range w.labels {
		w.bytes.Add(c)
	}
	raw, ascii, valid := true, true, true
	for c := w.bytes.Next(0); c < 256; c = w.bytes.Next(c + 1) {
		raw = raw && RawByte(byte(c), JSONString)
		ascii = ascii && c < utf8.RuneSelf
	}
	if w.enc.HasEscapes() {
		w.bytes.Union(&EscapeBytes)
	}
	hash := sha256.New()
	buf := make([]byte, 0, 1<<12)
	for i := range b.order {
		b.work.Spend(wordWork)
		t := b.text(i)
		valid = valid && (ascii || utf8.ValidString(t))
		buf = binary.AppendUvarint(buf, uint64(len(t)))
		if buf = append(buf, t...); len(buf) >= 1<<11 || i+1 == len(b.order) {
			hash.Write(buf)
			buf = buf[:0]
		}
	}
	for _, t := range w.tags {
		hash.Write(binary.AppendUvarint(buf[:0], uint64(t)))
	}
	if valid {
		if w.subset = subsetOf(w.enc&^written, ascii || w.enc.IsASCII()); raw {
			w.subset |= subsetOf(JSONString, ascii)
		}
	}
	tagged := ""
	if w.tags != nil {
		tagged = "tagged "
	}
	w.name = fmt.Sprintf("%d %stexts in encoding %d, %s", len(b.order), tagged, w.enc, hex.EncodeToString(hash.Sum(nil)))
}

// Name returns a name that only equal machines have.
func (w *Words) Name() string { return w.name }

// Size returns about how many bytes of memory the machine takes.
func (w *Words) Size() int {
	return cap(w.nodes)*wordNodeBytes + cap(w.labels) + cap(w.tags)*4
}

// wordPlace is a place in the tree: a number of bytes of a node's label.
type wordPlace struct{ node, read uint32 }

// step returns the place after byte b of a text.
func (w *Words) step(at wordPlace, b byte) (wordPlace, bool) {
	n := &w.nodes[at.node]
	if at.read < n.size {
		return wordPlace{at.node, at.read + 1}, w.labels[n.label+at.read] == b
	}
	i := bytes.IndexByte(w.firsts[n.child:n.child+uint32(n.count)], b)
	return wordPlace{n.child + uint32(i), 1}, i >= 0
}

// following returns the bytes with which a text continues, in order.
func (w *Words) following(at wordPlace) []byte {
	n := &w.nodes[at.node]
	if at.read < n.size {
		return w.labels[n.label+at.read : n.label+at.read+1]
	}
	return w.firsts[n.child : n.child+uint32(n.count)]
}

// end reports whether a text ends at a place.
func (w *Words) end(at wordPlace) bool {
	n := &w.nodes[at.node]
	return n.ends && at.read == n.size
}

// codePoint returns the least code point with which a text continues at a place, and the place after it. It skips code
// points below low. All are in UTF-8. read has the bytes of the code point read so far; codePoint appends to it.
func (w *Words) codePoint(at wordPlace, low, read []byte) (char []byte, after wordPlace, ok bool) {
	if len(read) > 0 && utf8.FullRune(read) {
		return read, at, true
	}
	for _, c := range w.following(at) {
		rest := low
		switch {
		case len(low) == 0:
		case c < low[0]:
			continue
		case c > low[0]:
			rest = nil
		default:
			rest = low[1:]
		}
		next, _ := w.step(at, c)
		if char, after, ok = w.codePoint(next, rest, append(read, c)); ok {
			return char, after, true
		}
	}
	return nil, at, false
}
