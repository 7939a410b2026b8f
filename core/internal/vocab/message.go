package vocab

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/wire"
)

// Field numbers of sluice.v1.Vocabulary and of its Name.
const (
	storedPadded  = 1
	storedText    = 2
	storedLengths = 3
	storedFlags   = 4
	storedEnds    = 5
	storedNames   = 6

	nameID   = 1
	nameText = 2
)

// Message returns the vocabulary as a message sluice.v1.Vocabulary.
func (v *Vocabulary) Message() wire.Message {
	var m wire.Message
	text, lengths, flags := make([]byte, 0, len(v.arena)), make([]uint32, v.Size()), make([]byte, v.Size())
	for id, s := range v.spans {
		text = append(text, v.spelling(uint32(id))...)
		lengths[id], flags[id] = s.length, byte(v.flags[id])
	}
	m.Number(storedPadded, uint64(v.padded))
	m.Bytes(storedText, text)
	wire.Packed(&m, storedLengths, lengths)
	m.Bytes(storedFlags, flags)
	wire.Packed(&m, storedEnds, v.ends)
	for _, e := range v.named() {
		var name wire.Message
		name.Number(nameID, uint64(e.id))
		name.Bytes(nameText, []byte(e.name))
		m.Bytes(storedNames, name)
	}
	return m
}

// fromMessage reads the vocabulary in field x, a message sluice.v1.Vocabulary. It copies the bytes. End tokens and padded
// size of o override the message's.
func fromMessage(x *wire.Field, o Options) (*Vocabulary, error) {
	b := &builder{names: map[string]uint32{}}
	ends := []uint32{}
	var lengths []uint32
	var names []wire.Field
	err := wire.Fields(x.Bytes, x.At, func(x *wire.Field) (err error) {
		switch {
		case x.Number == storedPadded && x.Type == wire.Varint:
			o.PaddedSize = cmp.Or(o.PaddedSize, int(min(x.Value, limits.VocabularyIDs+1)))
		case x.Type != wire.Bytes:
		case x.Number == storedText:
			b.arena = bytes.Clone(x.Bytes)
		case x.Number == storedLengths:
			lengths, err = x.Numbers(lengths, limits.VocabularyIDs)
		case x.Number == storedFlags:
			b.flags = make([]Flags, len(x.Bytes))
			for id, f := range x.Bytes {
				b.flags[id] = Flags(f) & (Special | Added)
			}
		case x.Number == storedEnds:
			ends, err = x.Numbers(ends, limits.VocabularyIDs)
		case x.Number == storedNames:
			names = append(names, *x)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := b.measure(lengths, x.At); err != nil {
		return nil, err
	}
	for i := range names {
		if err := b.readName(&names[i]); err != nil {
			return nil, err
		}
	}
	if o.EndTokens == nil {
		o.EndTokens = ends
	}
	return b.build(o)
}

// measure cuts the arena into the spellings of all ids.
func (b *builder) measure(lengths []uint32, at int) error {
	b.spans = make([]span, len(lengths))
	from := uint32(0)
	for id, n := range lengths {
		if n > limits.TokenBytes || int(n) > len(b.arena)-int(from) {
			return &wire.Error{At: at, What: "the lengths of the tokens do not fit their text"}
		}
		b.spans[id] = span{from, n}
		from += n
	}
	if len(b.flags) != len(lengths) || int(from) != len(b.arena) || from > limits.VocabularyBytes {
		return &wire.Error{At: at, What: "the texts, lengths and flags of the tokens do not fit one another"}
	}
	return nil
}

func (b *builder) readName(x *wire.Field) error {
	id, name := uint64(0), ""
	err := wire.Fields(x.Bytes, x.At, func(x *wire.Field) error {
		switch {
		case x.Number == nameID && x.Type == wire.Varint:
			id = x.Value
		case x.Number == nameText && x.Type == wire.Bytes:
			name = string(x.Bytes)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if id >= uint64(len(b.flags)) || b.flags[id]&(Special|Added) == 0 {
		return &wire.Error{At: x.At, What: "a name belongs to no special or added token"}
	}
	b.name(name, uint32(id))
	return nil
}

// entry is a name and the id that it finds.
type entry struct {
	name string
	id   uint32
}

// named returns the names of special and added tokens, by id, then by name.
func (v *Vocabulary) named() []entry {
	list := make([]entry, 0, len(v.names))
	for name, id := range v.names {
		list = append(list, entry{name, id})
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.name, b.name)) })
	return list
}
