package vocab

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/wire"
)

// Field numbers of sluice.v1.Compiler.
const (
	savedFormat     = 1
	savedHash       = 2
	savedVocabulary = 3
	savedOrder      = 4
	savedTokenSets  = 5
	savedChecksum   = 15
)

// SavedFormat counts the changes of a file's meaning: of its fields, of the digests that name states of terminals, and of
// token sets. Files of another format are refused. TestSavedFormat of package compiler tells when to raise it.
const SavedFormat = 1

// checksumBytes is the size of the field savedChecksum, the last one.
const checksumBytes = 5

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Saved is the content of a file with a compiler, a message sluice.v1.Compiler. Its parts share the file's memory.
type Saved struct {
	Hash       [32]byte      // of the vocabulary
	Vocabulary wire.Field    // what Vocabulary.Message returned
	Order      wire.Field    // packed: the ids of the vocabulary's trie, sorted by their bytes
	TokenSets  []*wire.Field // each of one terminal state
}

// Save returns a file. sets appends the token sets under the field number that it is given.
func Save(v *Vocabulary, order []uint32, sets func(m *wire.Message, field protowire.Number)) []byte {
	var m wire.Message
	m.Number(savedFormat, SavedFormat)
	m.Bytes(savedHash, v.hash[:])
	m.Bytes(savedVocabulary, v.Message())
	wire.Packed(&m, savedOrder, order)
	sets(&m, savedTokenSets)
	sum := crc32.Checksum(m, castagnoli)
	return protowire.AppendFixed32(protowire.AppendTag(m, savedChecksum, protowire.Fixed32Type), sum)
}

// OpenSaved reads a file, without looking into its parts. Errors are Syntax for bytes that are no such file, Invalid for a
// damaged one, Unsupported for one of another format.
func OpenSaved(data []byte) (*Saved, error) {
	f, err := parseSaved(data)
	if err != nil {
		return nil, err
	}
	body := len(data) - checksumBytes
	if crc32.Checksum(data[:body], castagnoli) != binary.LittleEndian.Uint32(data[body+1:]) {
		return nil, savedError(diag.Invalid, body, "the checksum differs: the file is damaged")
	}
	return f, nil
}

// isSaved reports whether data begins like a file with a compiler.
func isSaved(data []byte) bool {
	return len(data) > 4 && data[0] == savedFormat<<3 && data[2] == savedHash<<3|2 && data[3] == 32
}

// FromSaved reads the vocabulary of a file with a compiler. The file has its end tokens and padded size; o may have
// others.
func FromSaved(data []byte, o Options) (*Vocabulary, error) {
	f, err := OpenSaved(data)
	if err != nil {
		return nil, err
	}
	return f.vocabulary(o)
}

func (f *Saved) vocabulary(o Options) (*Vocabulary, error) {
	v, err := fromMessage(&f.Vocabulary, o)
	if bad, ok := err.(*wire.Error); ok {
		return nil, savedError(diag.Syntax, bad.At, bad.Error())
	}
	if err != nil {
		return nil, err
	}
	if own := o.EndTokens == nil && o.PaddedSize == 0 && o.SpecialTokens == nil; own && v.hash != f.Hash {
		return nil, savedError(diag.Invalid, f.Vocabulary.At, "the vocabulary does not have the hash that the file states")
	}
	return v, nil
}

func savedError(code diag.Code, at int, what string) error {
	return diag.Errorf(code, source, diag.Place{Offset: at}, "the file of a saved compiler: %s", what)
}

// parseSaved is OpenSaved without the checksum.
func parseSaved(data []byte) (*Saved, error) {
	if !isSaved(data) {
		return nil, savedError(diag.Syntax, 0, "the bytes do not begin as in such a file")
	}
	if data[1] != SavedFormat {
		return nil, savedError(diag.Unsupported, 1, fmt.Sprintf("it has format %d, and this version of Sluice reads "+
			"format %d: save the compiler again", data[1], SavedFormat))
	}
	f, last := &Saved{}, protowire.Number(0)
	err := wire.Fields(data, 0, func(x *wire.Field) error {
		last = x.Number
		if x.Type != wire.Bytes {
			return nil
		}
		own := *x
		switch x.Number {
		case savedHash:
			copy(f.Hash[:], x.Bytes)
		case savedVocabulary:
			f.Vocabulary = own
		case savedOrder:
			f.Order = own
		case savedTokenSets:
			f.TokenSets = append(f.TokenSets, &own)
		}
		return nil
	})
	if err != nil {
		bad := err.(*wire.Error) //nolint:errorlint // Fields returns no other, since the function fails with none
		return nil, savedError(diag.Syntax, bad.At, bad.Error())
	}
	if last != savedChecksum || f.Vocabulary.Bytes == nil || data[len(data)-checksumBytes] != savedChecksum<<3|5 {
		return nil, savedError(diag.Syntax, len(data), "it is cut off")
	}
	return f, nil
}
