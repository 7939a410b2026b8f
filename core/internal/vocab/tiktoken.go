package vocab

import (
	"bytes"
	"encoding/base64"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// FromTiktoken reads a tiktoken rank file: each line has a token's bytes in base64, a space, and its rank, which is
// its id. The file has no special tokens; o.SpecialTokens names them.
func FromTiktoken(data []byte, o Options) (*Vocabulary, error) {
	data, err := Unpack(data)
	if err != nil {
		return nil, err
	}
	b, err := newBuilder(0)
	if err != nil {
		return nil, err
	}
	seen := map[uint32]bool{}
	for off, line := 0, 1; off < len(data); line++ {
		text := data[off:]
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[:i]
		}
		next := off + len(text) + 1
		if text = bytes.TrimRight(text, "\r"); len(text) > 0 {
			if err := b.rankLine(text, line, off, seen); err != nil {
				return nil, err
			}
		}
		off = next
	}
	return b.build(o)
}

func (b *builder) rankLine(text []byte, line, off int, seen map[uint32]bool) error {
	fail := func(code diag.Code, column int, format string, args ...any) error {
		e := diag.Errorf(code, source, diag.Place{Line: line, Column: column + 1, Offset: off + column}, format,
			args...)
		e.Fragment = fragment(text)
		return e
	}
	encoded, rank, ok := bytes.Cut(text, []byte(" "))
	if !ok {
		return fail(diag.Syntax, 0, "a line of a tiktoken file is a token in base64, a space and a rank")
	}
	if len(encoded) > 2*limits.TokenBytes {
		return fail(diag.Limit, 0, "the token is longer than %d bytes", limits.TokenBytes)
	}
	id, err := strconv.ParseUint(string(rank[:min(len(rank), 20)]), 10, 32)
	if err != nil {
		return fail(diag.Syntax, len(encoded)+1, "the rank must be a whole number from 0 on")
	}
	if id >= limits.VocabularyIDs {
		return fail(diag.Limit, len(encoded)+1, "the rank %d is out of range: ids go from 0 to %d", id,
			limits.VocabularyIDs-1)
	}
	if seen[uint32(id)] {
		return fail(diag.Invalid, len(encoded)+1, "the rank %d belongs to another token already", id)
	}
	seen[uint32(id)] = true
	start := len(b.arena)
	if string(encoded) != emptyToken && !b.appendBase64(encoded) {
		return fail(diag.Syntax, 0, "the token is not valid base64")
	}
	return b.setTail(uint32(id), start, 0)
}

// emptyToken is how the rank file of Whisper writes a token without bytes. Python's decoder of base64 takes it.
const emptyToken = "="

func (b *builder) appendBase64(encoded []byte) (ok bool) {
	var err error
	b.arena, err = base64.StdEncoding.Strict().AppendDecode(b.arena, encoded)
	return err == nil && !bytes.ContainsAny(encoded, "\r\n") // encoding/base64 skips line ends, which are damage here
}

func isTiktoken(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	encoded, rank, ok := bytes.Cut(bytes.TrimRight(line, "\r"), []byte(" "))
	if !ok {
		return false
	}
	if _, err := strconv.ParseUint(string(rank[:min(len(rank), 20)]), 10, 32); err != nil {
		return false
	}
	_, err := base64.StdEncoding.AppendDecode(nil, encoded)
	return err == nil
}
