package vocab

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// Options holds facts that a tokenizer file does not contain.
type Options struct {
	// EndTokens and PaddedSize are as in Config.
	EndTokens  []uint32
	PaddedSize int
	// SpecialTokens names special tokens that the file omits; a tiktoken file omits all. A name that is also in the
	// file must have the same id there, and becomes special.
	SpecialTokens map[string]uint32
}

// builder collects the tokens of a vocabulary in any order. One goroutine; unusable after build.
type builder struct {
	arena []byte
	spans []span
	flags []Flags
	names map[string]uint32
}

func newBuilder(size int) (*builder, error) {
	if size > limits.VocabularyIDs {
		return nil, checkID(int64(size) - 1)
	}
	return &builder{
		arena: make([]byte, 0, 8*size),
		spans: make([]span, 0, size),
		flags: make([]Flags, 0, size),
		names: map[string]uint32{},
	}, nil
}

func (b *builder) grow(id uint32) error {
	if int64(id) < int64(len(b.spans)) {
		return nil
	}
	if err := checkID(int64(id)); err != nil {
		return err
	}
	n := int(id) + 1
	b.spans = append(b.spans, make([]span, n-len(b.spans))...)
	b.flags = append(b.flags, make([]Flags, n-len(b.flags))...)
	return nil
}

func (b *builder) set(id uint32, text []byte, f Flags) error {
	start := len(b.arena)
	b.arena = append(b.arena, text...)
	return b.setTail(id, start, f)
}

func (b *builder) setTail(id uint32, start int, f Flags) error {
	length := len(b.arena) - start
	if length > limits.TokenBytes {
		return diag.Errorf(diag.Limit, source, diag.Place{}, "token %d has %d bytes: at most %d are allowed", id,
			length, limits.TokenBytes)
	}
	if len(b.arena) > limits.VocabularyBytes {
		return diag.Errorf(diag.Limit, source, diag.Place{}, "the tokens up to id %d have more than %d bytes together",
			id, limits.VocabularyBytes)
	}
	if err := b.grow(id); err != nil {
		return err
	}
	b.spans[id] = span{uint32(start), uint32(length)}
	b.flags[id] |= f
	return nil
}

func (b *builder) text(id uint32) []byte {
	s := b.spans[id]
	return b.arena[s.start : s.start+s.length]
}

// name makes TokenID find id by text. Of several ids the lowest wins, in any order of calls.
func (b *builder) name(text string, id uint32) {
	if text == "" {
		return
	}
	if old, ok := b.names[text]; !ok || id < old {
		b.names[text] = id
	}
}

// build finishes the vocabulary: named special tokens, end tokens, width, digest.
func (b *builder) build(o Options) (*Vocabulary, error) {
	if err := b.addSpecial(o.SpecialTokens); err != nil {
		return nil, err
	}
	size := len(b.spans)
	if size == 0 {
		return nil, diag.Errorf(diag.Invalid, source, diag.Place{},
			"there are no tokens: a vocabulary needs at least one")
	}
	if o.PaddedSize < 0 || o.PaddedSize > limits.VocabularyIDs {
		return nil, diag.Errorf(diag.Argument, source, diag.Place{},
			"padded size %d is out of range: it is the number of logits in a row, from 1 to %d, or 0 for the number "+
				"of token ids (%d)", o.PaddedSize, limits.VocabularyIDs, size)
	}
	ends, err := b.endTokens(o.EndTokens)
	if err != nil {
		return nil, err
	}
	padded := o.PaddedSize
	if padded == 0 {
		padded = size
	}
	if padded < size {
		if n := len(ends); n > 0 && int(ends[n-1]) >= padded {
			return nil, diag.Errorf(diag.Argument, source, diag.Place{},
				"padded size %d cuts off the end token %d: pass the width of the model's logits, which includes added "+
					"tokens, or 0", padded, ends[n-1])
		}
		b.truncate(padded)
	}
	v := &Vocabulary{
		arena: slices.Clip(b.arena), spans: slices.Clip(b.spans), flags: slices.Clip(b.flags),
		padded: padded, ends: ends, names: b.names, alike: map[string][]uint32{},
	}
	for _, id := range ends {
		v.flags[id] |= End
	}
	for id, f := range v.flags {
		if f&Special != 0 {
			v.spec = append(v.spec, uint32(id))
		}
		v.maxLen = max(v.maxLen, int(v.spans[id].length))
		if f&(Special|Added) != 0 {
			text := b.text(uint32(id))
			if first, ok := v.names[string(text)]; ok && first < uint32(id) {
				v.alike[string(text)] = append(v.alike[string(text)], uint32(id))
			}
		}
	}
	v.hash = v.digest()
	return v, nil
}

// addSpecial adds the special tokens that the caller names, sorted by name: neither errors nor the arena may depend on
// the order of a map.
func (b *builder) addSpecial(named map[string]uint32) error {
	seen := make(map[uint32]string, len(named))
	for _, name := range slices.Sorted(maps.Keys(named)) {
		id := named[name]
		if name == "" {
			return diag.Errorf(diag.Argument, source, diag.Place{}, "special token %d has an empty name", id)
		}
		if other, ok := seen[id]; ok {
			return diag.Errorf(diag.Argument, source, diag.Place{},
				"id %d has two names, %q and %q: a special token has one", id, other, name)
		}
		seen[id] = name
		if old, ok := b.names[name]; ok && old != id {
			return diag.Errorf(diag.Argument, source, diag.Place{},
				"special token %q is given as id %d, but the file has it as id %d", name, id, old)
		}
		if err := b.grow(id); err != nil {
			return err
		}
		if old := b.text(id); len(old) > 0 && string(old) != name {
			return diag.Errorf(diag.Argument, source, diag.Place{},
				"special token %q is given as id %d, but the file has %q there", name, id, diag.Shorten(string(old),
					limits.VocabularyFragment))
		}
		if err := b.set(id, []byte(name), Special|Added); err != nil {
			return err
		}
		b.name(name, id)
	}
	return nil
}

func (b *builder) truncate(n int) {
	b.spans, b.flags = b.spans[:n], b.flags[:n]
	for name, id := range b.names {
		if int(id) >= n {
			delete(b.names, name)
		}
	}
}

// digest hashes the finished vocabulary. A length precedes every field, so the encoding is unique. Names are written
// only if they differ from the spelling.
func (v *Vocabulary) digest() [32]byte {
	h := sha256.New()
	buf := make([]byte, 0, 64<<10)
	num := func(x int) { buf = binary.AppendUvarint(buf, uint64(x)) }
	buf = append(buf, "sluice vocabulary 1\x00"...)
	num(len(v.spans))
	num(v.padded)
	for id, s := range v.spans {
		buf = append(buf, byte(v.flags[id]))
		num(int(s.length))
		buf = append(buf, v.arena[s.start:s.start+s.length]...)
		if len(buf) > 32<<10 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	for _, e := range v.named() {
		num(int(e.id))
		num(len(e.name))
		buf = append(buf, e.name...)
	}
	h.Write(buf)
	return [32]byte(h.Sum(nil))
}
