package vocab

import (
	"encoding/binary"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// Field numbers of the protobuf messages in a SentencePiece model.
const (
	modelPieces       = 1 // ModelProto.pieces: one message a piece; its id is its index
	modelDenormalizer = 5 // ModelProto.denormalizer_spec: rewriting of decoded text
	pieceText         = 1 // SentencePiece.piece
	pieceType         = 3 // SentencePiece.type
	normalizerCharmap = 2 // NormalizerSpec.precompiled_charsmap
)

// Values of SentencePiece.type.
const (
	spNormal      = 1
	spUnknown     = 2
	spControl     = 3
	spUserDefined = 4
	spUnused      = 5
	spByte        = 6
)

type wireReader struct {
	data []byte
	pos  int
	base int // offset of data in the file, for errors
}

type field struct {
	number uint64
	wire   byte
	value  uint64
	bytes  []byte
	base   int
}

func (r *wireReader) fail(what string) error {
	return diag.Errorf(diag.Syntax, source, diag.Place{Offset: r.base + r.pos},
		"byte %d of the SentencePiece model: %s", r.base+r.pos, what)
}

func (r *wireReader) varint() (uint64, error) {
	x, n := binary.Uvarint(r.data[r.pos:])
	if n <= 0 {
		return 0, r.fail("a number is cut off or longer than 64 bits")
	}
	r.pos += n
	return x, nil
}

func (r *wireReader) next() (f field, ok bool, err error) {
	if r.pos >= len(r.data) {
		return f, false, nil
	}
	key, err := r.varint()
	if err != nil {
		return f, false, err
	}
	f.number, f.wire = key>>3, byte(key&7)
	if f.number == 0 || f.number > 1<<29-1 {
		return f, false, r.fail("there is no field of that number: this is no SentencePiece model")
	}
	size := uint64(0)
	switch f.wire {
	case 0:
		f.value, err = r.varint()
		return f, err == nil, err
	case 1:
		size = 8
	case 2:
		if size, err = r.varint(); err != nil {
			return f, false, err
		}
	case 5:
		size = 4
	default:
		return f, false, r.fail("a field has an unknown wire type: this is no SentencePiece model")
	}
	if size > uint64(len(r.data)-r.pos) {
		return f, false, r.fail("a field reaches beyond the end: the file is cut off")
	}
	f.base = r.base + r.pos
	f.bytes = r.data[r.pos : r.pos+int(size)]
	r.pos += int(size)
	return f, true, nil
}

// Fields calls f for each field of a protobuf message: its number, the value of a varint, and the bytes of other kinds.
func Fields(message []byte, f func(number, value uint64, bytes []byte) error) error {
	r := wireReader{data: message}
	for {
		x, ok, err := r.next()
		if err != nil || !ok {
			return err
		}
		if err := f(x.number, x.value, x.bytes); err != nil {
			return err
		}
	}
}

// FromSentencePiece reads a SentencePiece model (tokenizer.model, spiece.model). Pieces write spaces as U+2581. A
// piece at the beginning of a text keeps its leading space, because generated text continues a prompt. Control pieces
// and the unknown piece are special, user-defined ones are added tokens.
func FromSentencePiece(data []byte, o Options) (*Vocabulary, error) {
	data, err := Unpack(data)
	if err != nil {
		return nil, err
	}
	b, err := newBuilder(0)
	if err != nil {
		return nil, err
	}
	r := wireReader{data: data}
	for id := 0; ; {
		f, ok, err := r.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		switch {
		case f.number == modelPieces && f.wire == 2:
			if err := checkID(int64(id)); err != nil {
				return nil, err
			}
			if err := b.sentencePiece(uint32(id), &f); err != nil {
				return nil, err
			}
			id++
		case f.number == modelDenormalizer && f.wire == 2:
			if err := checkDenormalizer(&f); err != nil {
				return nil, err
			}
		}
	}
	return b.build(o)
}

var spSpace = replace("▁", " ")

func (b *builder) sentencePiece(id uint32, m *field) error {
	text, kind := []byte(nil), uint64(spNormal)
	r := wireReader{data: m.bytes, base: m.base}
	for {
		f, ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		switch {
		case f.number == pieceText && f.wire == 2:
			text = f.bytes
		case f.number == pieceType && f.wire == 0:
			kind = f.value
		}
	}
	if len(text) > limits.TokenBytes {
		return diag.Errorf(diag.Limit, source, diag.Place{Offset: m.base},
			"piece %d has %d bytes: at most %d are allowed", id, len(text), limits.TokenBytes)
	}
	switch kind {
	case spNormal, spUnused:
		// The tokenizer never produces unused pieces, but a model may choose them, and they are decoded like others.
		return b.setSpaced(id, text, 0)
	case spUnknown, spControl:
		b.name(string(text), id)
		return b.set(id, text, Special)
	case spUserDefined:
		b.name(string(text), id)
		return b.setSpaced(id, text, Added)
	case spByte:
		c, ok := fallbackByte(text)
		if !ok {
			e := diag.Errorf(diag.Invalid, source, diag.Place{Offset: m.base},
				"piece %d stands for a byte but is not written <0xNN>", id)
			e.Fragment = fragment(text)
			return e
		}
		return b.set(id, []byte{c}, 0)
	}
	return diag.Errorf(diag.Unsupported, source, diag.Place{Offset: m.base},
		"piece %d has the type %d, which is none of SentencePiece's", id, kind)
}

func (b *builder) setSpaced(id uint32, piece []byte, f Flags) error {
	start := len(b.arena)
	b.arena, _ = spSpace(b.arena, piece)
	return b.setTail(id, start, f)
}

func checkDenormalizer(m *field) error {
	r := wireReader{data: m.bytes, base: m.base}
	for {
		f, ok, err := r.next()
		if err != nil || !ok {
			return err
		}
		if f.number == normalizerCharmap && len(f.bytes) > 0 {
			return diag.Errorf(diag.Unsupported, source, diag.Place{Offset: f.base},
				"the SentencePiece model rewrites decoded text (denormalizer_spec), so tokens have no exact bytes")
		}
	}
}

// IsSentencePiece reports whether data begins like a SentencePiece model.
func IsSentencePiece(data []byte) bool {
	r := wireReader{data: data}
	f, ok, err := r.next()
	if err != nil || !ok || f.number != modelPieces || f.wire != 2 {
		return false
	}
	inner := wireReader{data: f.bytes}
	g, ok, err := inner.next()
	return err == nil && ok && g.number == pieceText && g.wire == 2
}
