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

// Words is the machine of a long list of texts, each in any spelling of an encoding. It is a radix tree: a trie in which
// nodes with one child are part of the run of bytes below them. As expressions, a list of a hundred thousand texts would
// be as many nodes of 40 bytes, and a mask would make a row of transitions for each of a thousand of them that its
// tokens lead to. Here a state is a place in the tree, a transition is a look at the first bytes of some siblings, and
// walks along the trie of a vocabulary make no states at all.
//
// Each text may carry a tag. Then the texts are spelled as they are, and tags stand where a text ends. Immutable.
type Words struct {
	nodes  []wordNode
	firsts []byte   // by node: the first byte of its label
	labels []byte   // the labels, one after the other
	tags   []uint32 // by node: the tag of the text that ends there; nil: no text carries one
	enc    Encoding
	bytes  ByteSet
	subset uint8 // the encodings of which all texts are made of whole code points
	name   string
}

// wordNode is a run of bytes, and what may follow it. Children are neighbours, in the order of their first bytes.
type wordNode struct {
	label, size uint32 // its bytes in labels
	child       uint32 // the first child
	count       uint16 // of children
	ends        bool   // a text ends here
}

// wordNodeBytes is what a node takes, without its label and tag.
const wordNodeBytes = 16 + 1

// What making the tree counts for: a million texts take half a second and 15,000,000 steps.
const (
	wordWork     = 4 // a text, each of the three times that it is looked at
	comparedWork = 4 // so many comparisons of keys are a step
)

// NewWords returns the machine of texts that are valid UTF-8, or of any texts if enc is UTF8. tags may be nil. Of equal
// texts the first counts.
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

// keyed is a text by its number, and eight of its bytes as a number.
type keyed struct {
	key  uint64
	text uint32
}

// sortTexts returns the texts in order, equal ones in the order in which they were given.
//
// PERF: comparing whole texts takes three times as long, because each is a miss of the caches.
func sortTexts(texts []string, m *work.Meter) []keyed {
	order := make([]keyed, len(texts))
	for i := range order {
		order[i].text = uint32(i)
	}
	sortFrom(texts, order, 0, m)
	return order
}

// sortFrom is sortTexts for texts that begin with the same depth bytes.
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
		// A text that ends within the key stands before those that have zeros there.
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
	tags  []uint32 // theirs, or nil
	order []keyed  // the texts sorted, all different
	work  *work.Meter
	ends  []int // a stack: where the groups of texts end that are the children of the nodes being built
}

func (b *wordBuilder) text(i int) string { return b.texts[b.order[i].text] }

// reserve makes room for the tree. Each text adds the bytes that it does not begin with in common with the one before
// it. A node is where a text ends or where two neighbours part: these places, on the way to the text, are on a stack.
//
// PERF: with tables that grow, a million texts take three times the memory until it is collected.
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

// add adds a node whose label begins with a byte.
func (b *wordBuilder) add(first byte) {
	b.w.nodes, b.w.firsts = append(b.w.nodes, wordNode{}), append(b.w.firsts, first)
	if b.tags != nil {
		b.w.tags = append(b.w.tags, 0)
	}
}

// build makes the children of a node, below which are the texts from lo to hi, which share depth bytes. The recursion
// goes as deep as texts begin with one another.
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
			end++ // last is not shorter: it begins with as many bytes of first, or is above it
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

// describe finds out what the texts have in common, and the name that says all there is to know of them.
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
		escapes := BytesOf("\\\"/bfnrtu0123456789abcdefABCDEF")
		w.bytes.Union(&escapes)
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

// Name says all that there is to know of the machine.
func (w *Words) Name() string { return w.name }

// Size returns how many bytes of memory the machine takes, about.
func (w *Words) Size() int {
	return cap(w.nodes)*wordNodeBytes + cap(w.labels) + cap(w.tags)*4
}

// wordPlace is a place in the tree: so many bytes of a node's label.
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

// following returns the bytes with which a text may go on, in their order.
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

// codePoint returns the least code point, not below low in UTF-8, with which a text goes on from a place, and the place
// after it. It appends its bytes to those of read, which have led there.
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
