package tokenset

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"sync/atomic"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/wire"
)

// Field numbers of sluice.v1.TokenSet and of its Group. For a state that needs no class, only the first two are
// written.
const (
	setState     = 1
	setPlace     = 2
	setCost      = 3
	setRanks     = 4 // each number is the distance from the one before
	setPartial   = 5
	setEnds      = 6 // of the ends of the terminal: node as a distance, count, tag + 1, index into the bytes that go on
	setGoesOn    = 7
	setCounted   = 8
	setGroups    = 9
	setOrder     = 10
	setUpTo      = 11
	setIrregular = 12 // token, code points
	setExits     = 13 // token, code points

	groupBeyond = 1 // zigzag
	groupBitmap = 2
)

// AppendShared appends the classes that grammars share to m, each as a message sluice.v1.TokenSet, in the order of
// their names.
func (t *Tokens) AppendShared(m *wire.Message, field protowire.Number) {
	t.sets.mu.RLock()
	all := maps.Clone(t.sets.older)
	if all == nil {
		all = map[setKey]*Class{}
	}
	maps.Copy(all, t.sets.recent)
	t.sets.mu.RUnlock()
	keys := slices.SortedFunc(maps.Keys(all), func(a, b setKey) int {
		if c := bytes.Compare(a.state[:], b.state[:]); c != 0 {
			return c
		}
		return bytes.Compare(a.place[:], b.place[:])
	})
	for _, k := range keys {
		m.Bytes(field, all[k].message(k))
	}
}

func (c *Class) message(k setKey) (m wire.Message) {
	m.Bytes(setState, k.state[:])
	if k.place != (terminal.Digest{}) {
		m.Bytes(setPlace, k.place[:])
	}
	if c.narrow {
		return m
	}
	m.Number(setCost, uint64(c.walked))
	wire.Packed(&m, setRanks, distances(c.ranks))
	m.Number(setPartial, number(c.partial))
	ends, node := make([]uint32, 0, 4*len(c.Ends)), uint32(0)
	for _, x := range c.Ends {
		ends = append(ends, x.node-node, x.count, x.tag+1, x.goesOn)
		node = x.node
	}
	wire.Packed(&m, setEnds, ends)
	var sets []byte
	for i := range c.goesOn {
		for _, word := range c.goesOn[i] {
			sets = binary.LittleEndian.AppendUint64(sets, word)
		}
	}
	if sets != nil {
		m.Bytes(setGoesOn, sets)
	}
	if !c.Counted {
		return m
	}
	m.Number(setCounted, 1)
	for _, g := range c.groups {
		var group wire.Message
		group.Number(groupBeyond, protowire.EncodeZigZag(int64(g.beyond)))
		var bitmap []byte
		for _, word := range g.bitmap {
			bitmap = binary.LittleEndian.AppendUint32(bitmap, word)
		}
		group.Bytes(groupBitmap, bitmap)
		m.Bytes(setGroups, group)
	}
	wire.Packed(&m, setOrder, c.order)
	wire.Packed(&m, setUpTo, c.upTo)
	var irregular, exits []uint32
	for _, x := range c.Irregular {
		irregular = append(irregular, x.Token, x.N)
	}
	for _, x := range c.Exits {
		exits = append(exits, x.Token, x.N)
	}
	wire.Packed(&m, setIrregular, irregular)
	wire.Packed(&m, setExits, exits)
	return m
}

// distances returns the distance of each number from the one before it.
func distances(list []uint32) []uint32 {
	out, before := make([]uint32, len(list)), uint32(0)
	for i, x := range list {
		out[i], before = x-before, x
	}
	return out
}

func number(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// ReadShared adds a class that AppendShared wrote for an equal vocabulary to those that grammars share. Fails with
// *wire.Error; a class that it accepts names only tokens and nodes of this vocabulary.
func (t *Tokens) ReadShared(x *wire.Field) error {
	r := setReader{t: t, at: x.At, c: &Class{isShared: true}}
	if err := wire.Fields(x.Bytes, x.At, r.field); err != nil {
		return err
	}
	if !r.named {
		return r.fail("a token set has no name")
	}
	if !r.whole {
		t.sets.keep(r.key, narrowClass)
		return nil
	}
	if err := r.finish(); err != nil {
		return err
	}
	t.sets.keep(r.key, r.c)
	return nil
}

// setReader reads one class.
type setReader struct {
	t            *Tokens
	at           int
	c            *Class
	key          setKey
	named, whole bool // it has a name, and a cost
	ends         []uint32
	irregular    []uint32
	exits        []uint32
}

func (r *setReader) fail(what string) error { return &wire.Error{At: r.at, What: what} }

func (r *setReader) field(x *wire.Field) (err error) {
	c, tokens := r.c, len(r.t.Trie.Order)
	if x.Type == wire.Varint {
		switch x.Number {
		case setCost:
			c.walked, r.whole = int(min(x.Value, 1<<40)), true
		case setPartial:
			c.partial = x.Value != 0
		case setCounted:
			c.Counted = x.Value != 0
		}
		return nil
	}
	switch x.Number {
	case setState:
		if len(x.Bytes) != len(r.key.state) {
			return r.fail("the name of a token set has the wrong length")
		}
		r.key.state, r.named = terminal.Digest(x.Bytes), true
	case setPlace:
		if len(x.Bytes) != len(r.key.place) {
			return r.fail("the name of a token set has the wrong length")
		}
		r.key.place = terminal.Digest(x.Bytes)
	case setRanks:
		c.ranks, err = x.Numbers(c.ranks, 2*tokens)
	case setEnds:
		r.ends, err = x.Numbers(r.ends, 4*len(r.t.Trie.Nodes)*classTags)
	case setGoesOn:
		if len(x.Bytes)%32 != 0 {
			return r.fail("the bytes that go on with a terminal have the wrong length")
		}
		for b := x.Bytes; len(b) > 0; b = b[32:] {
			var set terminal.ByteSet
			for i := range set {
				set[i] = binary.LittleEndian.Uint64(b[8*i:])
			}
			c.goesOn = append(c.goesOn, set)
		}
	case setGroups:
		return r.group(x)
	case setOrder:
		c.order, err = x.Numbers(c.order, tokens)
	case setUpTo:
		c.upTo, err = x.Numbers(c.upTo, 1<<20)
	case setIrregular:
		r.irregular, err = x.Numbers(r.irregular, 2*tokens)
	case setExits:
		r.exits, err = x.Numbers(r.exits, 2*tokens)
	}
	return err
}

func (r *setReader) group(x *wire.Field) error {
	g := group{bitmap: make([]uint32, 0, r.t.words)}
	err := wire.Fields(x.Bytes, x.At, func(x *wire.Field) error {
		switch {
		case x.Number == groupBeyond && x.Type == wire.Varint:
			g.beyond = int(protowire.DecodeZigZag(x.Value))
		case x.Number == groupBitmap && x.Type == wire.Bytes && len(x.Bytes) == 4*r.t.words:
			for b := x.Bytes; len(b) > 0; b = b[4:] {
				g.bitmap = append(g.bitmap, binary.LittleEndian.Uint32(b))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(g.bitmap) != r.t.words || len(r.c.groups) == classGroups || g.beyond < -maxBeyond || g.beyond > maxBeyond {
		return r.fail("a group of a token set does not fit the vocabulary")
	}
	for i, word := range g.bitmap {
		if word&^r.t.All[i] != 0 {
			return r.fail("a group of a token set has tokens that are no text")
		}
	}
	r.c.groups = append(r.c.groups, g)
	return nil
}

// maxBeyond bounds the code points that a group needs.
const maxBeyond = 1 << 30

// finish checks the fields and computes the rest of the class.
func (r *setReader) finish() error {
	c, nodes, n := r.c, r.t.Trie.Nodes, uint32(len(r.t.Trie.Order))
	at := uint64(0)
	for i, d := range c.ranks {
		if at += uint64(d); at > uint64(n) || d == 0 && i > 0 {
			return r.fail("a range of tokens does not fit the vocabulary")
		}
		c.ranks[i] = uint32(at)
	}
	if len(c.ranks)%2 != 0 || len(r.ends)%4 != 0 || len(r.irregular)%2 != 0 || len(r.exits)%2 != 0 {
		return r.fail("a list of a token set is incomplete")
	}
	node := uint32(0)
	for p := r.ends; len(p) > 0; p = p[4:] {
		node += p[0] // may wrap around: nodes need not ascend
		if int(node) >= len(nodes)-1 || int(p[3]) >= len(c.goesOn) {
			return r.fail("an end of a token set is not in the vocabulary")
		}
		c.Ends = append(c.Ends, ending{node, p[1], p[2] - 1, p[3]})
	}
	if !c.Counted {
		r.t.spell(c)
		return nil
	}
	return r.counted()
}

// counted computes the rest of a counted class.
func (r *setReader) counted() error {
	c := r.c
	for i, to := range c.upTo {
		if i > 0 && to < c.upTo[i-1] {
			return r.fail("a counted token set is out of order")
		}
	}
	if len(c.upTo) == 0 || int(c.upTo[len(c.upTo)-1]) != len(c.order) {
		return r.fail("a counted token set lacks tokens")
	}
	for _, id := range c.order {
		if !r.t.inTrie(id) {
			return r.fail("a token of a token set is not in the vocabulary")
		}
	}
	for p := r.irregular; len(p) > 0; p = p[2:] {
		if !r.t.inTrie(p[0]) {
			return r.fail("a token of a token set is not in the vocabulary")
		}
		c.Irregular = append(c.Irregular, irregular{Token: p[0], N: p[1]})
	}
	for p := r.exits; len(p) > 0; p = p[2:] {
		if !r.t.inTrie(p[0]) {
			return r.fail("a token of a token set is not in the vocabulary")
		}
		c.Exits = append(c.Exits, exit{p[0], p[1]})
	}
	c.Rooms = make([]atomic.Pointer[[]uint32], len(c.upTo))
	return nil
}

// inTrie reports whether a token is in the trie.
func (t *Tokens) inTrie(id uint32) bool { return id < t.Count && t.All[id>>5]>>(id&31)&1 != 0 }
