package vocab

import (
	"errors"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/wire"
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

// Fields calls f for each field of a message in a SentencePiece model, which begins at offset base of the file.
func Fields(message []byte, base int, f func(*wire.Field) error) error {
	err := wire.Fields(message, base, f)
	if bad, ok := err.(*wire.Error); ok {
		return diag.Errorf(diag.Syntax, source, diag.Place{Offset: bad.At}, "byte %d of the SentencePiece model: %s",
			bad.At, bad.What)
	}
	return err
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
	id := 0
	err = Fields(data, 0, func(x *wire.Field) error {
		switch {
		case x.Type != wire.Bytes:
		case x.Number == modelPieces:
			if err := checkID(int64(id)); err != nil {
				return err
			}
			id++
			return b.sentencePiece(uint32(id-1), x)
		case x.Number == modelDenormalizer:
			return checkDenormalizer(x)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.build(o)
}

var spSpace = replace("▁", " ")

func (b *builder) sentencePiece(id uint32, m *wire.Field) error {
	text, kind, at := []byte(nil), uint64(spNormal), m.At
	err := Fields(m.Bytes, at, func(x *wire.Field) error {
		switch {
		case x.Number == pieceText && x.Type == wire.Bytes:
			text = x.Bytes
		case x.Number == pieceType && x.Type == wire.Varint:
			kind = x.Value
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(text) > limits.TokenBytes {
		return diag.Errorf(diag.Limit, source, diag.Place{Offset: at},
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
			e := diag.Errorf(diag.Invalid, source, diag.Place{Offset: at},
				"piece %d stands for a byte but is not written <0xNN>", id)
			e.Fragment = fragment(text)
			return e
		}
		return b.set(id, []byte{c}, 0)
	}
	return diag.Errorf(diag.Unsupported, source, diag.Place{Offset: at},
		"piece %d has the type %d, which is none of SentencePiece's", id, kind)
}

func (b *builder) setSpaced(id uint32, piece []byte, f Flags) error {
	start := len(b.arena)
	b.arena, _ = spSpace(b.arena, piece)
	return b.setTail(id, start, f)
}

func checkDenormalizer(m *wire.Field) error {
	return Fields(m.Bytes, m.At, func(x *wire.Field) error {
		if x.Number == normalizerCharmap && len(x.Bytes) > 0 {
			return diag.Errorf(diag.Unsupported, source, diag.Place{Offset: x.At},
				"the SentencePiece model rewrites decoded text (denormalizer_spec), so tokens have no exact bytes")
		}
		return nil
	})
}

// errFirst ends a look at the first field of a message.
var errFirst = errors.New("the first field")

// IsSentencePiece reports whether data begins like a SentencePiece model.
func IsSentencePiece(data []byte) (begins bool) {
	_ = wire.Fields(data, 0, func(x *wire.Field) error {
		if x.Number == modelPieces && x.Type == wire.Bytes {
			_ = wire.Fields(x.Bytes, 0, func(y *wire.Field) error {
				begins = y.Number == pieceText && y.Type == wire.Bytes
				return errFirst
			})
		}
		return errFirst
	})
	return begins
}
