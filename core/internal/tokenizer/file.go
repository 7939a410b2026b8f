package tokenizer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// jsonFile is the part of a tokenizer.json, or with Config and Vocab of a tekken.json, that says how text is cut.
type jsonFile struct {
	AddedTokens  []jsonAdded     `json:"added_tokens"`
	Normalizer   json.RawMessage `json:"normalizer"`
	PreTokenizer json.RawMessage `json:"pre_tokenizer"`
	Model        *jsonModel      `json:"model"`

	Config *tekkenConfig  `json:"config"`
	Vocab  []tekkenLetter `json:"vocab"`
}

type jsonAdded struct {
	ID         uint32 `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
}

type jsonModel struct {
	Type         string          `json:"type"`
	Dropout      *float64        `json:"dropout"`
	Prefix       string          `json:"continuing_subword_prefix"`
	Suffix       string          `json:"end_of_word_suffix"`
	ByteFallback bool            `json:"byte_fallback"`
	IgnoreMerges bool            `json:"ignore_merges"`
	Vocab        json.RawMessage `json:"vocab"`
	Merges       json.RawMessage `json:"merges"`
}

// jsonStep is a normalizer or a pre-tokenizer.
type jsonStep struct {
	Type          string            `json:"type"`
	Normalizers   []json.RawMessage `json:"normalizers"`   // Sequence
	PreTokenizers []json.RawMessage `json:"pretokenizers"` // Sequence
	Pattern       struct {          // Replace, Split
		String *string `json:"String"`
		Regex  *string `json:"Regex"`
	} `json:"pattern"`
	Content     string `json:"content"`          // Replace
	Prepend     string `json:"prepend"`          // Prepend
	Behavior    string `json:"behavior"`         // Split
	Invert      bool   `json:"invert"`           // Split
	UseRegex    *bool  `json:"use_regex"`        // ByteLevel
	PrefixSpace *bool  `json:"add_prefix_space"` // ByteLevel
	Replacement string `json:"replacement"`      // Metaspace
	Scheme      string `json:"prepend_scheme"`   // Metaspace
	Split       *bool  `json:"split"`            // Metaspace
}

// stepsDepth bounds sequences within sequences; tokenizers have one level.
const stepsDepth = 8

// gpt2 is the pattern of the pre-tokenizer ByteLevel.
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// Read reads a tokenizer from the file of its vocabulary, gzipped or not. Errors are Syntax and Invalid, and
// Unsupported for a tokenizer whose cut is not known exactly.
func Read(v *vocab.Vocabulary, data []byte) (*Tokenizer, error) {
	data, err := vocab.Unpack(data)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	head := bytes.TrimLeft(data, " \t\r\n")
	switch {
	case vocab.IsSentencePiece(data):
		return sentencePiece(v, data)
	case len(head) == 0 || head[0] != '{':
		return nil, unsupported("", "forced tokens need to know how the tokenizer cuts text, which is read from a "+
			"tokenizer.json, a tekken.json or a SentencePiece model: this file is none of them")
	}
	var f jsonFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, diag.Errorf(diag.Invalid, source, diag.Place{}, "the JSON is no tokenizer.json or tekken.json: %v",
			err)
	}
	if f.Model == nil {
		return f.tekken(v)
	}
	return f.tokenizer(v)
}

func unsupported(pointer, format string, args ...any) error {
	return diag.Errorf(diag.Unsupported, source, diag.At(pointer), format, args...)
}

func (f *jsonFile) tokenizer(v *vocab.Vocabulary) (*Tokenizer, error) {
	t := &Tokenizer{vocabulary: v}
	if err := f.normalizers(t, f.Normalizer, "/normalizer", 0); err != nil {
		return nil, err
	}
	prepended, replaced, byteLevel := t.prefixed, t.spaced, false // by normalizers, which change added tokens too
	if err := f.preTokenizers(t, &byteLevel, f.PreTokenizer, "/pre_tokenizer", 0); err != nil {
		return nil, err
	}
	if !byteLevel && t.split != nil {
		return nil, unsupported("/pre_tokenizer", "a pre-tokenizer with a pattern and without ByteLevel is not supported")
	}
	if byteLevel && t.spaced {
		return nil, unsupported("/pre_tokenizer", "a pre-tokenizer that spells the bytes of ▁ is not supported")
	}
	if err := f.merges(t, byteLevel); err != nil {
		return nil, err
	}
	f.added(t, prepended, replaced)
	if t.split == nil {
		for id := range uint32(v.Size()) {
			t.joins.add(v.Bytes(id))
		}
	}
	return t, nil
}

// none reports whether a section is absent.
func none(section json.RawMessage) bool { return len(section) == 0 || string(section) == "null" }

func (f *jsonFile) normalizers(t *Tokenizer, section json.RawMessage, pointer string, depth int) error {
	if none(section) {
		return nil
	}
	var s jsonStep
	if err := json.Unmarshal(section, &s); err != nil {
		return diag.Errorf(diag.Invalid, source, diag.At(pointer), "is no normalizer: %v", err)
	}
	switch {
	case s.Type == "Sequence" && depth < stepsDepth:
		for i, sub := range s.Normalizers {
			if err := f.normalizers(t, sub, fmt.Sprintf("%s/normalizers/%d", pointer, i), depth+1); err != nil {
				return err
			}
		}
	case s.Type == "NFC" && !t.spaced:
		t.composed = true
	case s.Type == "Prepend" && s.Prepend == "▁" && !t.spaced: // at the start of a text, and behind an added token
		t.prefixed = true
	case s.Type == "Replace" && s.Pattern.String != nil && *s.Pattern.String == " " && s.Content == "▁":
		t.spaced = true
	default:
		return unsupported(pointer, "forced tokens cannot be found for a tokenizer with this normalizer (%s)",
			diag.Shorten(s.Type, limits.VocabularyFragment))
	}
	return nil
}

func (f *jsonFile) preTokenizers(
	t *Tokenizer, byteLevel *bool, section json.RawMessage, pointer string, depth int,
) (err error) {
	if none(section) {
		return nil
	}
	var s jsonStep
	if err := json.Unmarshal(section, &s); err != nil {
		return diag.Errorf(diag.Invalid, source, diag.At(pointer), "is no pre-tokenizer: %v", err)
	}
	refuse := func() error {
		return unsupported(pointer, "forced tokens cannot be found for a tokenizer with this pre-tokenizer (%s)",
			diag.Shorten(s.Type, limits.VocabularyFragment))
	}
	if *byteLevel || depth > stepsDepth {
		return refuse() // it would see the alphabet of bytes
	}
	switch s.Type {
	case "Sequence":
		for i, sub := range s.PreTokenizers {
			at := fmt.Sprintf("%s/pretokenizers/%d", pointer, i)
			if err := f.preTokenizers(t, byteLevel, sub, at, depth+1); err != nil {
				return err
			}
		}
		return nil
	case "ByteLevel":
		*byteLevel = true
		prefixes, splits := s.PrefixSpace == nil || *s.PrefixSpace, s.UseRegex == nil || *s.UseRegex
		if t.split != nil && (prefixes || splits) { // every piece would get a space, or be split again
			return refuse()
		}
		if t.prefixed = t.prefixed || prefixes; !splits {
			return nil
		}
		t.split, err = newSplit(gpt2, pointer)
		return err
	case "Metaspace":
		if t.split != nil || t.spaced || s.Replacement != "▁" || s.Split == nil || *s.Split {
			return refuse()
		}
		t.spaced, t.prefixed = true, t.prefixed || s.Scheme != "first" && s.Scheme != "never"
		return nil
	case "Split":
		// The matches of a pattern that covers every text are the pieces, with either behavior.
		isolated := s.Behavior == "Isolated" && !s.Invert || s.Behavior == "Removed" && s.Invert
		switch {
		case s.Pattern.String != nil && *s.Pattern.String == " " && t.spaced: // the normalizer leaves no space
			return nil
		case s.Pattern.Regex == nil || !isolated || t.split != nil:
			return refuse()
		}
		t.split, err = newSplit(*s.Pattern.Regex, pointer+"/pattern/Regex")
		return err
	}
	return refuse()
}

// added reads the added tokens. The normalizer puts a space before texts (prepended) and writes spaces as ▁ (replaced),
// also in the contents of added tokens that are looked for in normalized text.
func (f *jsonFile) added(t *Tokenizer, prepended, replaced bool) {
	kinds := map[bool]bool{}
	for _, a := range f.AddedTokens {
		kinds[a.Normalized] = true
	}
	var list []addedToken
	lstrip := false
	for _, a := range f.AddedTokens {
		text := a.Content
		if a.Normalized && replaced {
			text = strings.ReplaceAll(text, "▁", " ")
		}
		changed := a.Normalized && (len(kinds) > 1 || t.composed || prepended)
		list = append(list, addedToken{
			text: []byte(text), id: a.ID, rstrip: a.RStrip, unsure: a.SingleWord || a.LStrip || a.RStrip || changed,
		})
		lstrip = lstrip || a.LStrip
		if a.Normalized && prepended {
			text = " " + text
		}
		t.joins.add([]byte(text))
	}
	t.added = newAdded(list)
	t.added.lstrip = lstrip
}

func (f *jsonFile) merges(t *Tokenizer, byteLevel bool) error {
	m := f.Model
	switch {
	case m.Type != "BPE" && m.Type != "":
		return unsupported("/model/type", "forced tokens cannot be found for a model of type %s: it is not BPE",
			diag.Shorten(m.Type, limits.VocabularyFragment))
	case m.Dropout != nil && *m.Dropout != 0:
		return unsupported("/model/dropout", "a tokenizer that drops merges at random has no exact cut")
	case m.Prefix != "" || m.Suffix != "":
		return unsupported("/model", "forced tokens cannot be found for a tokenizer that marks the parts of words")
	}
	var ids map[string]uint32
	if err := json.Unmarshal(m.Vocab, &ids); err != nil {
		return diag.Errorf(diag.Invalid, source, diag.At("/model/vocab"), "is no object from pieces to ids: %v", err)
	}
	out := &merges{pairs: map[uint64]merged{}}
	if err := m.readPairs(out.pairs, ids); err != nil {
		return err
	}
	letters := vocab.ByteLevel()
	for b := range out.bytes {
		out.bytes[b] = -1
		spelled := fmt.Sprintf("<0x%02X>", b)
		if byteLevel {
			spelled = string(letters[b])
		} else if !m.ByteFallback {
			continue
		}
		if id, ok := ids[spelled]; ok {
			out.bytes[b] = int32(id)
		}
	}
	if !byteLevel {
		if !t.spaced {
			return unsupported("/normalizer", "forced tokens cannot be found for a tokenizer that neither spells bytes "+
				"(ByteLevel) nor writes spaces as ▁")
		}
		out.chars = map[rune]uint32{}
		for piece, id := range ids {
			r, n := utf8.DecodeRuneInString(piece)
			switch {
			case n != len(piece) || n == 0:
			case r == '▁':
				out.chars[' '] = id
			case r != ' ':
				out.chars[r] = id
			}
		}
	}
	if m.IgnoreMerges {
		if t.split == nil { // the library looks up whole texts, whose beginnings and ends are not known
			return unsupported("/model/ignore_merges", "forced tokens cannot be found for a tokenizer that ignores merges "+
				"and has no pre-tokenizer with a pattern")
		}
		out.whole = make(map[string]uint32, len(ids))
		var runes []rune
		for piece, id := range ids {
			text, spelled := t.vocabulary.Bytes(id), runes[:0]
			for _, b := range text {
				spelled = append(spelled, letters[b])
			}
			if runes = spelled; string(spelled) == piece { // else the piece has characters that stand for no byte
				out.whole[string(text)] = id
			}
		}
	}
	t.model = out
	return nil
}

// readPairs reads the merges, which are pairs of pieces or two pieces with a space between.
func (m *jsonModel) readPairs(pairs map[uint64]merged, ids map[string]uint32) error {
	invalid := func(i int, format string, args ...any) error {
		return diag.Errorf(diag.Invalid, source, diag.At(fmt.Sprintf("/model/merges/%d", i)), format, args...)
	}
	var list []string
	if inside := bytes.TrimLeft(bytes.TrimPrefix(m.Merges, []byte("[")), " \t\r\n"); bytes.HasPrefix(inside, []byte("[")) {
		var nested [][]string
		if err := json.Unmarshal(m.Merges, &nested); err != nil {
			return diag.Errorf(diag.Invalid, source, diag.At("/model/merges"), "is no list of merges: %v", err)
		}
		list = make([]string, 0, 2*len(nested))
		for i, pair := range nested {
			if len(pair) != 2 {
				return invalid(i, "a merge has two parts, this one has %d", len(pair))
			}
			list = append(list, pair...)
		}
	} else {
		var lines []string
		if err := json.Unmarshal(m.Merges, &lines); err != nil {
			return diag.Errorf(diag.Invalid, source, diag.At("/model/merges"), "is no list of merges: %v", err)
		}
		list = make([]string, 0, 2*len(lines))
		for i, line := range lines {
			a, b, ok := strings.Cut(line, " ")
			if !ok || strings.Contains(b, " ") {
				return invalid(i, "a merge is two parts with a space between")
			}
			list = append(list, a, b)
		}
	}
	for i, pair := range slices.Collect(slices.Chunk(list, 2)) {
		a, okA := ids[pair[0]]
		b, okB := ids[pair[1]]
		id, ok := ids[pair[0]+pair[1]]
		if !okA || !okB || !ok {
			return invalid(i, "the parts and what they become must be in model.vocab")
		}
		key := uint64(a)<<32 | uint64(b)
		pairs[key] = merged{uint32(i), id} // of equal merges the last counts, as in the library
	}
	return nil
}
