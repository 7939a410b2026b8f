package vocab

import (
	"fmt"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

var oldTekkenSpecials = []string{
	"<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
	"[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]",
	"[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]",
}

var oldTekkenVersions = []string{"v1", "v2", "v3", "v7"}

// FromTekken reads a tekken.json of mistral-common. Special tokens have the first ids. Tokens of the vocabulary follow
// by rank, up to the model's size. Unnamed special tokens are called <SPECIAL_20> and so on, as in mistral-common.
func FromTekken(data []byte, o Options) (*Vocabulary, error) {
	s, parts, err := jsonFile(data)
	if err != nil {
		return nil, err
	}
	return readTekken(s, parts, o)
}

type tekkenReader struct {
	jsonReader
	size, special uint32
	version       string
	names         map[string]uint32
}

func readTekken(s *scanner, parts sections, o Options) (*Vocabulary, error) {
	if parts.vocab.to == 0 || parts.config.to == 0 {
		return nil, diag.Errorf(diag.Invalid, source, diag.At(""),
			"the JSON has not both sections `config` and `vocab`: this is not a tekken.json")
	}
	r := tekkenReader{jsonReader: jsonReader{scanner: s}, names: map[string]uint32{}}
	if err := r.config(parts.config); err != nil {
		return nil, err
	}
	var err error
	if r.b, err = newBuilder(0); err != nil {
		return nil, err
	}
	if err := r.specials(parts.special); err != nil {
		return nil, err
	}
	if err := r.ranks(parts.vocab); err != nil {
		return nil, err
	}
	return r.b.build(o)
}

func (r *tekkenReader) config(s section) error {
	r.enter(s)
	if r.peek() != '{' {
		return diag.Errorf(diag.Invalid, source, diag.At("/config"), "must be an object")
	}
	has := 0
	err := r.object(func(key []byte) (err error) {
		switch string(key) {
		case "default_vocab_size":
			r.size, err = r.id()
			has |= 1
		case "default_num_special_tokens":
			r.special, err = r.id()
			has |= 2
		case "version":
			var text []byte
			text, err = r.str()
			r.version = string(text)
		default:
			_, err = r.skip()
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case has != 3:
		return diag.Errorf(diag.Invalid, source, diag.At("/config"),
			"needs both `default_vocab_size` and `default_num_special_tokens`")
	case r.special > limits.TekkenSpecials:
		return diag.Errorf(diag.Limit, source, diag.At("/config/default_num_special_tokens"),
			"is %d: there may be %d special tokens", r.special, limits.TekkenSpecials)
	case r.special > r.size:
		return diag.Errorf(diag.Invalid, source, diag.At("/config/default_num_special_tokens"),
			"is %d, more than the %d tokens of `default_vocab_size`", r.special, r.size)
	}
	return nil
}

func (r *tekkenReader) specials(list section) error {
	if list.to == 0 {
		if !slices.Contains(oldTekkenVersions, r.version) {
			return diag.Errorf(diag.Invalid, source, diag.At(""), "a file of version %q must have `special_tokens`",
				r.version)
		}
		for id, name := range oldTekkenSpecials[:min(len(oldTekkenSpecials), int(r.special))] {
			if err := r.addSpecial(uint32(id), name); err != nil {
				return err
			}
		}
		return r.nameSpecials()
	}
	r.enter(list)
	if r.peek() != '[' {
		return diag.Errorf(diag.Invalid, source, diag.At("/special_tokens"), "must be an array of tokens")
	}
	err := r.array(func(index int) error {
		at := element{"special_tokens", index}
		rank, name, err := r.token(at, "token_str")
		switch {
		case err != nil:
			return err
		case rank >= r.special:
			return at.fail("/rank", "is %d, but there are %d special tokens", rank, r.special)
		case !r.claim(rank):
			return at.fail("/rank", "rank %d belongs to another special token already", rank)
		}
		if other, ok := r.names[string(name)]; ok {
			return at.fail("/token_str", "%q is the name of special token %d already", name, other)
		}
		return r.addSpecial(rank, string(name))
	})
	if err != nil {
		return err
	}
	return r.nameSpecials()
}

func (r *tekkenReader) addSpecial(id uint32, name string) error {
	if err := r.b.set(id, []byte(name), Special); err != nil {
		return err
	}
	r.b.name(name, id)
	r.names[name] = id
	return nil
}

func (r *tekkenReader) nameSpecials() error {
	for id := range r.special {
		if int(id) < len(r.b.spans) && r.b.flags[id]&Special != 0 {
			continue
		}
		name := fmt.Sprintf("<SPECIAL_%d>", id)
		if other, ok := r.names[name]; ok {
			return diag.Errorf(diag.Invalid, source, diag.At("/special_tokens"),
				"token %d has no name and would be called %q, which is the name of token %d", id, name, other)
		}
		if err := r.addSpecial(id, name); err != nil {
			return err
		}
	}
	return nil
}

func (r *tekkenReader) ranks(list section) error {
	r.enter(list)
	if r.peek() != '[' {
		return diag.Errorf(diag.Invalid, source, diag.At("/vocab"), "must be an array of tokens")
	}
	n := 0
	err := r.array(func(index int) error {
		if uint32(index) >= r.size-r.special {
			_, err := r.skip()
			return err
		}
		at := element{"vocab", index}
		rank, encoded, err := r.token(at, "token_bytes")
		switch start := len(r.b.arena); {
		case err != nil:
			return err
		case int(rank) != index:
			return at.fail("/rank", "is %d: tokens come in the order of their ranks, so it must be %d", rank, index)
		case len(encoded) > 2*limits.TokenBytes:
			return diag.Errorf(diag.Limit, source, at.place("/token_bytes"), "the token is longer than %d bytes",
				limits.TokenBytes)
		case !r.b.appendBase64(encoded):
			return at.fail("/token_bytes", "is not valid base64")
		default:
			n++
			return r.b.setTail(r.special+rank, start, 0)
		}
	})
	if err != nil {
		return err
	}
	if want := int(r.size - r.special); n < want {
		return diag.Errorf(diag.Invalid, source, diag.At("/vocab"),
			"has %d tokens, but `default_vocab_size` needs %d", n, want)
	}
	return nil
}

type element struct {
	list  string
	index int
}

func (e element) place(member string) diag.Place {
	return diag.At(fmt.Sprintf("/%s/%d%s", e.list, e.index, member))
}

func (e element) fail(member, format string, args ...any) error {
	return diag.Errorf(diag.Invalid, source, e.place(member), format, args...)
}

func (r *tekkenReader) token(at element, member string) (rank uint32, text []byte, err error) {
	if r.peek() != '{' {
		return 0, nil, at.fail("", "must be an object with `rank` and `%s`", member)
	}
	hasRank, hasText := false, false
	err = r.object(func(key []byte) (err error) {
		switch string(key) {
		case "rank":
			rank, err = r.id()
			hasRank = true
		case member:
			text, err = r.str()
			text, hasText = slices.Clone(text), true
		default:
			_, err = r.skip()
		}
		return err
	})
	if err == nil && (!hasRank || !hasText) {
		err = at.fail("", "needs both `rank` and `%s`", member)
	}
	return rank, text, err
}
