package vocab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

type decoderSpec struct {
	Type     string            `json:"type"`
	Decoders []json.RawMessage `json:"decoders"` // Sequence
	Pattern  struct {          // Replace
		String *string `json:"String"`
	} `json:"pattern"`
	Content     string  `json:"content"`     // Replace
	Replacement *string `json:"replacement"` // Metaspace
	Prefix      *string `json:"prefix"`      // WordPiece
	Cleanup     *bool   `json:"cleanup"`     // WordPiece
	Stop        int     `json:"stop"`        // Strip
}

// decoder turns pieces into their bytes in the middle of a text. One goroutine: it has scratch space.
//
// The tokenizers library decodes a list of pieces in steps, which handle single pieces until the pieces are joined.
// INVARIANT: newDecoder accepts only such steps, so the bytes of a piece do not depend on its neighbours. Effects on
// the first piece, or on the beginning of the joined text, are omitted: generated text continues a prompt.
type decoder struct {
	steps     []step
	joined    bool // while reading: later steps see bytes instead of pieces
	from, tmp []byte
}

// step appends the result for a piece to dst. done says that the result is final bytes rather than a piece.
type step func(dst, piece []byte) (out []byte, done bool)

func newDecoder(section []byte) (*decoder, error) {
	d := &decoder{}
	if len(section) == 0 {
		return nil, diag.Errorf(diag.Unsupported, source, diag.At("/decoder"),
			"the tokenizer has no decoder, so its text is pieces with spaces between: give the bytes of each id as an "+
				"array instead")
	}
	return d, d.read(section, "/decoder", 0)
}

func (d *decoder) read(section []byte, pointer string, depth int) error {
	var spec decoderSpec
	if err := json.Unmarshal(section, &spec); err != nil {
		e := diag.Errorf(diag.Invalid, source, diag.At(pointer), "is no decoder of the tokenizers library: %v", err)
		e.Fragment = fragment(section)
		return e
	}
	if spec.Type == "Sequence" {
		// INVARIANT: the scanner has bounded the nesting, and so depth.
		for i, sub := range spec.Decoders {
			if err := d.read(sub, fmt.Sprintf("%s/decoders/%d", pointer, i), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if len(d.steps) >= limits.DecoderSteps {
		return diag.Errorf(diag.Limit, source, diag.At(pointer), "a decoder may have %d steps at most",
			limits.DecoderSteps)
	}
	return d.add(&spec, pointer)
}

func (d *decoder) add(spec *decoderSpec, pointer string) error {
	unsupported := func(why string) error {
		e := diag.Errorf(diag.Unsupported, source, diag.At(pointer),
			"%s: give the bytes of each id as an array instead", why)
		e.Keyword = spec.Type
		return e
	}
	switch spec.Type {
	case "Fuse":
		d.joined = true
		return nil
	case "Strip":
		if !d.joined {
			return unsupported("stripping each piece before they are joined is not supported")
		}
		if spec.Stop != 0 {
			return unsupported("a decoder that strips the end of a text makes the last token mean something else than " +
				"the others")
		}
		return nil
	case "ByteLevel", "ByteFallback", "Replace", "Metaspace", "WordPiece":
	case "BPEDecoder":
		return unsupported("a decoder that treats the last piece of a text differently gives no exact bytes")
	case "":
		return diag.Errorf(diag.Invalid, source, diag.At(pointer), "a decoder needs a `type`")
	default:
		return unsupported("this kind of decoder is not supported")
	}
	if d.joined {
		return unsupported("a step after the pieces have become bytes may act across their borders")
	}
	switch spec.Type {
	case "ByteLevel":
		d.joined = true
		d.steps = append(d.steps, byteLevel)
	case "ByteFallback":
		d.joined = true
		d.steps = append(d.steps, byteFallback)
	case "Replace":
		if spec.Pattern.String == nil || *spec.Pattern.String == "" {
			return unsupported("only a `pattern` of the form {\"String\": …} has a meaning that does not depend on a " +
				"regular expression engine")
		}
		if len(spec.Content) > limits.DecoderContent {
			return diag.Errorf(diag.Limit, source, diag.At(pointer+"/content"), "may have %d bytes, has %d",
				limits.DecoderContent, len(spec.Content))
		}
		d.steps = append(d.steps, replace(*spec.Pattern.String, spec.Content))
	case "Metaspace":
		mark := "▁"
		if spec.Replacement != nil {
			mark = *spec.Replacement
		}
		if utf8.RuneCountInString(mark) != 1 {
			return diag.Errorf(diag.Invalid, source, diag.At(pointer+"/replacement"), "must be one character, got %q",
				diag.Shorten(mark, limits.VocabularyFragment))
		}
		d.steps = append(d.steps, replace(mark, " "))
	case "WordPiece":
		prefix, clean := "##", true
		if spec.Prefix != nil {
			prefix = *spec.Prefix
		}
		if spec.Cleanup != nil {
			clean = *spec.Cleanup
		}
		d.steps = append(d.steps, wordPiece(prefix, clean))
	}
	return nil
}

func (d *decoder) append(dst, piece []byte) ([]byte, error) {
	if len(piece) > limits.TokenBytes {
		e := diag.Errorf(diag.Limit, source, diag.Place{}, "a piece has %d bytes: at most %d are allowed", len(piece),
			limits.TokenBytes)
		e.Fragment = fragment(piece)
		return dst, e
	}
	last := len(d.steps) - 1
	for i, s := range d.steps {
		if i == last {
			out, _ := s(dst, piece)
			return out, nil
		}
		out, done := s(d.tmp[:0], piece)
		if len(out) > 4*limits.TokenBytes {
			return dst, diag.Errorf(diag.Limit, source, diag.Place{},
				"the decoder turns a piece into more than %d bytes", 4*limits.TokenBytes)
		}
		d.tmp, d.from = d.from, out
		if piece = out; done {
			break
		}
	}
	return append(dst, piece...), nil
}

// replace returns the step that replaces every pattern by content. Metaspace is replace("▁", " ").
func replace(pattern, content string) step {
	old := []byte(pattern)
	return func(dst, piece []byte) ([]byte, bool) {
		for {
			i := bytes.Index(piece, old)
			if i < 0 {
				return append(dst, piece...), false
			}
			dst = append(append(dst, piece[:i]...), content...)
			piece = piece[i+len(old):]
		}
	}
}

// byteFallback is the step that reads the piece <0xNN> as one byte. The decoder joins such bytes with their neighbours
// before it reads UTF-8, so the byte is exact.
func byteFallback(dst, piece []byte) ([]byte, bool) {
	if b, ok := fallbackByte(piece); ok {
		return append(dst, b), true
	}
	return append(dst, piece...), false
}

func fallbackByte(piece []byte) (byte, bool) {
	if len(piece) != 6 || string(piece[:3]) != "<0x" || piece[5] != '>' {
		return 0, false
	}
	hi, lo := hexDigit(piece[3]), hexDigit(piece[4])
	if hi < 0 || lo < 0 {
		return 0, false
	}
	return byte(hi<<4 | lo), true
}

// wordPiece returns the step of BERT's pieces: a piece without the prefix begins a word and gets a space before it.
func wordPiece(prefix string, clean bool) step {
	return func(dst, piece []byte) ([]byte, bool) {
		start := len(dst)
		if rest, ok := bytes.CutPrefix(piece, []byte(prefix)); ok {
			dst = append(dst, rest...)
		} else {
			dst = append(append(dst, ' '), piece...)
		}
		if !clean {
			return dst, false
		}
		text := dst[start:]
		for _, r := range wordPieceCleanup {
			if bytes.Contains(text, []byte(r[0])) {
				text = bytes.ReplaceAll(text, []byte(r[0]), []byte(r[1]))
			}
		}
		return append(dst[:start], text...), false
	}
}

var wordPieceCleanup = [...][2]string{
	{" .", "."},
	{" ?", "?"},
	{" !", "!"},
	{" ,", ","},
	{" ' ", "'"},
	{" n't", "n't"},
	{" 'm", "'m"},
	{" do not", " don't"},
	{" 's", "'s"},
	{" 've", "'ve"},
	{" 're", "'re"},
}
