package vocab

import (
	"fmt"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// section is a range of the file. The zero section is absent: offset 0 is the opening brace.
type section struct{ from, to int }

// sections are the parts of a file that define tokens: three in a tokenizer.json, three in a tekken.json.
type sections struct {
	added, decoder, model  section
	config, vocab, special section
}

// FromTokenizerJSON reads a tokenizer.json of the Hugging Face tokenizers library. The file's decoder turns pieces,
// including added tokens, into bytes; special tokens spell their content.
func FromTokenizerJSON(data []byte, o Options) (*Vocabulary, error) {
	s, parts, err := jsonFile(data)
	if err != nil {
		return nil, err
	}
	return readTokenizerJSON(s, parts, o)
}

// jsonFile returns a scanner of a file, gzipped or not, and the places of its sections.
func jsonFile(data []byte) (*scanner, sections, error) {
	data, err := Unpack(data)
	if err != nil {
		return nil, sections{}, err
	}
	s, err := newScanner(data)
	if err != nil {
		return nil, sections{}, err
	}
	parts, err := findSections(s)
	return s, parts, err
}

func readTokenizerJSON(s *scanner, parts sections, o Options) (*Vocabulary, error) {
	if parts.model.to == 0 || s.data[parts.model.from] != '{' { // in a vocab.json, a piece may be called like a section
		return nil, diag.Errorf(diag.Invalid, source, diag.At("/model"),
			"the JSON has no object `model`: this is not a tokenizer.json")
	}
	dec, err := newDecoder(s.data[parts.decoder.from:parts.decoder.to])
	if err != nil {
		return nil, err
	}
	b, err := newBuilder(0)
	if err != nil {
		return nil, err
	}
	r := jsonReader{scanner: s, b: b, dec: dec}
	if err := r.model(parts.model); err != nil {
		return nil, err
	}
	// Added tokens come second, because they override the piece with the same id.
	if err := r.addedTokens(parts.added); err != nil {
		return nil, err
	}
	return b.build(o)
}

// findSections locates the sections, in any order, without reading them. A section that is null is absent.
func findSections(s *scanner) (sections, error) {
	var p sections
	err := s.object(func(key []byte) error {
		var into *section
		switch string(key) {
		case "added_tokens":
			into = &p.added
		case "decoder":
			into = &p.decoder
		case "model":
			into = &p.model
		case "config":
			into = &p.config
		case "vocab":
			into = &p.vocab
		case "special_tokens":
			into = &p.special
		}
		at := s.pos
		value, err := s.skip()
		if err != nil || into == nil || string(value) == "null" {
			return err
		}
		if into.to > 0 {
			return s.failAt(at, "the section %q occurs twice", key)
		}
		*into = section{s.pos - len(value), s.pos}
		return nil
	})
	if err != nil {
		return p, err
	}
	if s.peek(); s.pos < len(s.data) {
		return p, s.fail("something follows the end of the JSON")
	}
	return p, nil
}

type jsonReader struct {
	*scanner
	b     *builder
	dec   *decoder
	taken []uint64 // ids used by the current section, as a bit set
}

func (r *jsonReader) enter(s section) {
	r.pos = s.from
	r.taken = r.taken[:0]
}

func (r *jsonReader) claim(id uint32) bool {
	for int(id/64) >= len(r.taken) {
		r.taken = append(r.taken, 0)
	}
	free := r.taken[id/64]>>(id%64)&1 == 0
	r.taken[id/64] |= 1 << (id % 64)
	return free
}

// model reads model.vocab: an object piece → id (BPE, WordPiece, WordLevel) or an array of [piece, score] (Unigram).
func (r *jsonReader) model(s section) error {
	r.enter(s)
	found := false
	err := r.object(func(key []byte) error {
		if string(key) != "vocab" {
			_, err := r.skip()
			return err
		}
		if found {
			return r.fail("`vocab` occurs twice in the model")
		}
		found = true
		switch r.peek() {
		case '{':
			return r.object(r.piece)
		case '[':
			return r.array(r.scoredPiece)
		}
		return diag.Errorf(diag.Invalid, source, diag.At("/model/vocab"),
			"must be an object from pieces to ids or an array of pieces with scores")
	})
	if err == nil && !found {
		err = diag.Errorf(diag.Invalid, source, diag.At("/model"), "has no `vocab`: this is not a tokenizer.json")
	}
	return err
}

// piece reads one member of an object piece → id. It decodes the piece before it reads the id, which may overwrite it.
func (r *jsonReader) piece(key []byte) error {
	start := len(r.b.arena)
	arena, err := r.dec.append(r.b.arena, key)
	r.b.arena = arena
	if err != nil {
		return err
	}
	at := r.pos
	id, err := r.id()
	if err != nil {
		return err
	}
	if !r.claim(id) {
		e := diag.Errorf(diag.Invalid, source, textPlace(r.data, at),
			"two pieces of model.vocab have the id %d: what it decodes to would depend on chance", id)
		e.Fragment = fragment(r.data[max(0, at-limits.VocabularyFragment/2):])
		return e
	}
	return r.b.setTail(id, start, 0)
}

// scoredPiece reads one element [piece, score]; its id is its index.
func (r *jsonReader) scoredPiece(index int) error {
	if err := checkID(int64(index)); err != nil {
		return err
	}
	malformed := func() error {
		return diag.Errorf(diag.Invalid, source, diag.At("/model/vocab/"+strconv.Itoa(index)),
			"must be an array of a piece and its score")
	}
	if r.peek() != '[' {
		return malformed()
	}
	found := false
	err := r.array(func(i int) error {
		if i > 0 {
			_, err := r.skip()
			return err
		}
		piece, err := r.str()
		if err != nil {
			return err
		}
		start := len(r.b.arena)
		if r.b.arena, err = r.dec.append(r.b.arena, piece); err != nil {
			return err
		}
		found = true
		return r.b.setTail(uint32(index), start, 0)
	})
	if err == nil && !found {
		err = malformed()
	}
	return err
}

type addedToken struct {
	content    []byte
	id         uint32
	hasID      bool
	hasContent bool
	special    bool
}

func (r *jsonReader) addedTokens(s section) error {
	if s.to == 0 {
		return nil
	}
	r.enter(s)
	if r.peek() != '[' {
		return diag.Errorf(diag.Invalid, source, diag.At("/added_tokens"), "must be an array of tokens")
	}
	return r.array(func(index int) error {
		pointer := fmt.Sprintf("/added_tokens/%d", index)
		if r.peek() != '{' {
			return diag.Errorf(diag.Invalid, source, diag.At(pointer), "must be an object with `id` and `content`")
		}
		var t addedToken
		if err := r.object(func(key []byte) (err error) {
			switch string(key) {
			case "id":
				t.id, err = r.id()
				t.hasID = true
			case "content":
				var text []byte
				text, err = r.str()
				t.content, t.hasContent = append([]byte{}, text...), true
			case "special":
				t.special, err = r.boolean()
			default:
				_, err = r.skip()
			}
			return err
		}); err != nil {
			return err
		}
		return r.addToken(&t, pointer)
	})
}

func (r *jsonReader) addToken(t *addedToken, pointer string) error {
	if !t.hasID || !t.hasContent {
		return diag.Errorf(diag.Invalid, source, diag.At(pointer), "needs both `id` and `content`")
	}
	name := string(t.content)
	if !r.claim(t.id) {
		if old, ok := r.b.names[name]; ok && old == t.id {
			return nil // a repeated token
		}
		return diag.Errorf(diag.Invalid, source, diag.At(pointer+"/id"), "id %d belongs to another added token already",
			t.id)
	}
	start, err := len(r.b.arena), error(nil)
	flags := Added
	if t.special {
		flags |= Special
		r.b.arena = append(r.b.arena, name...)
	} else if r.b.arena, err = r.dec.append(r.b.arena, t.content); err != nil {
		return err
	}
	if err := r.b.setTail(t.id, start, flags); err != nil {
		return err
	}
	r.b.name(name, t.id)
	return nil
}
