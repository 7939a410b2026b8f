package jsonschema

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// A keyword that the dialect does not know is ignored, as the specification says. Where its author expects it to bite,
// a note says so: a keyword of OpenAPI or of another dialect, or one that is misspelled.

// foreign are keywords of other vocabularies that restrict values there, with what to write instead.
var foreign = map[string]string{
	"nullable":    `this is a keyword of OpenAPI 3.0 and ignored; list "null" among the types`,
	"divisibleBy": "this is a keyword of draft-03 and ignored; write multipleOf",
	"disallow":    "this is a keyword of draft-03 and ignored; write not",
	"extends":     "this is a keyword of draft-03 and ignored; write allOf",
}

// spellings are the keywords by their names without capitals and hyphens; longestSpelling is the length of the longest.
var spellings = sync.OnceValue(func() map[string]string {
	m := map[string]string{
		"require": "required", "requires": "required", "enums": "enum", "maxlenght": "maxLength",
		"minlenght": "minLength",
	}
	for _, c := range Capabilities() {
		m[string(plainName(nil, c.Name))] = c.Name
	}
	return m
})

const longestSpelling = len("unevaluatedproperties")

// plainName appends a key without capitals and hyphens. It is asked for every key of a schema that is no keyword, so it
// allocates nothing.
func plainName(to []byte, key string) []byte {
	for i := 0; i < len(key) && len(to) <= longestSpelling; i++ {
		switch c := key[i]; {
		case c == '_' || c == '-' || c == ' ':
		case c >= 'A' && c <= 'Z':
			to = append(to, c|0x20)
		default:
			to = append(to, c)
		}
	}
	return to
}

// noteKeys is noteUnknown for all keys of a schema.
func (p *planner) noteKeys(node jsontext.ID, d dialect) {
	for c := p.tree.Node(node).First; c != 0; c = p.tree.Node(c).Next {
		if keywordOf(p.tree.Node(c).Key, d) == kwOther {
			p.noteUnknown(c, d)
		}
	}
}

// noteUnknown adds a note about a key that is no keyword of the dialect, if it looks like one.
func (p *planner) noteUnknown(c jsontext.ID, d dialect) {
	n := p.tree.Node(c)
	if text, ok := foreign[n.Key]; ok {
		if n.Kind != jsontext.False {
			p.note(c, n.Key, diag.Ignored, text)
		}
		return
	}
	switch k, since := lookup(n.Key); {
	case k != kwOther && d < since:
		p.note(c, n.Key, diag.Ignored, "this keyword is younger than the dialect "+Dialects()[d.age()]+
			", in which the schema is written, and ignored")
	case k == kwOther:
		var plain [longestSpelling + 1]byte
		if meant, ok := spellings()[string(plainName(plain[:0], n.Key))]; ok {
			p.note(c, n.Key, diag.Ignored, "there is no such keyword, so this is ignored; probably "+meant+" is meant")
		}
	}
}

// noteBesideRef adds a note about a keyword that stands beside a $ref in a dialect in which that has no effect.
func (p *planner) noteBesideRef(node jsontext.ID, d dialect) {
	for c := p.tree.Node(node).First; c != 0; c = p.tree.Node(c).Next {
		if k := keywordOf(p.tree.Node(c).Key, d); k != kwOther && k != kwRef {
			p.note(c, p.tree.Node(c).Key, diag.Ignored,
				"up to draft-07 what stands beside $ref is ignored; put the two into allOf")
		}
	}
}
