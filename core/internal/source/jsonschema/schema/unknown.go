package schema

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Unknown keywords are ignored, as the specification says. A note reports those that their author probably expects to
// have an effect: keywords of OpenAPI or of another dialect, and misspelled ones.

// foreign maps restricting keywords of other vocabularies and engines to a replacement.
var foreign = map[string]string{
	"nullable":    `this keyword of OpenAPI 3.0 is ignored; list "null" among the types`,
	"divisibleBy": "this keyword of draft-03 is ignored; write multipleOf",
	"disallow":    "this keyword of draft-03 is ignored; write not",
	"extends":     "this keyword of draft-03 is ignored; write allOf",
	"schema":      "there is no such keyword, so this is ignored; if it holds the schema, pass that alone",
	"json_schema": "there is no such keyword, so this is ignored; if it holds the schema, pass that alone",
	"propertyOrdering": "this keyword of Gemini is ignored; write properties in that order, or send the schema as " +
		"responseJsonSchema in a request",
	guidanceKey: "settings of LLGuidance are ignored except at the root of a schema; move them there",
}

// aliases maps names, in the form of plainName, to the keywords they probably mean. They are too different for Typos.
var aliases = map[string]string{
	"property": "properties", "requires": "required", "inclusiveminimum": "minimum", "inclusivemaximum": "maximum",
}

// annotations are standard names that restrict nothing. Most unknown keys are annotations, so they are checked first.
var annotations = map[string]bool{
	"title": true, "description": true, "default": true, "example": true, "examples": true, "deprecated": true,
	"readOnly": true, "writeOnly": true, "id": true, "$id": true, "$schema": true, "$comment": true, "$anchor": true,
	"$dynamicAnchor": true, "$recursiveAnchor": true, "$vocabulary": true, "$defs": true, "definitions": true,
	"contentEncoding": true, "contentMediaType": true, "contentSchema": true,
}

type keywordName struct{ plain, name string }

var keywordNames = sync.OnceValue(func() []keywordName {
	var list []keywordName
	for _, c := range Capabilities() {
		list = append(list, keywordName{string(plainName(nil, c.Name)), c.Name})
	}
	return list
})

const longestSpelling = len("unevaluatedproperties")

// plainName appends the letters and digits of a key in lower case, as many as a keyword can have.
func plainName(to []byte, key string) []byte {
	for i := 0; i < len(key) && len(to) <= longestSpelling+mostTypos; i++ {
		switch c := key[i]; {
		case c >= 'A' && c <= 'Z':
			to = append(to, c|0x20)
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80:
			to = append(to, c)
		}
	}
	return to
}

// mostTypos is the number of additional letters that a misspelling of the longest keyword may have.
const mostTypos = 2

// meantBy returns the keyword most similar to a key, the first in the table of several.
func meantBy(key string) (meant string, ok bool) {
	var buffer [longestSpelling + mostTypos + 1]byte
	plain := plainName(buffer[:0], key)
	if meant, ok = aliases[string(plain)]; ok {
		return meant, true
	}
	least := mostTypos + 1
	for _, s := range keywordNames() {
		if n := diag.Typos(plain, s.plain, min(diag.TyposIn(s.plain), least-1)); n < least {
			meant, least, ok = s.name, n, true
		}
	}
	return meant, ok
}

// NoteKeys is NoteUnknown for all keys of a schema.
func (p *Reader) NoteKeys(node jsontext.ID, d Dialect) {
	for c := range p.Tree.Children(node) {
		if KeywordOf(p.Tree.Node(c), d) == Other {
			p.NoteUnknown(c, d)
		}
	}
}

// isBoolean reports whether a value is true or false. A boolean required is draft-03's, which belongs to one property.
func isBoolean(n *jsontext.Node) bool { return n.Kind == jsontext.True || n.Kind == jsontext.False }

// NoteUnknown adds a note about an unknown key that looks like a keyword.
func (p *Reader) NoteUnknown(c jsontext.ID, d Dialect) {
	n := p.Tree.Node(c)
	text, ok := foreign[n.Key]
	if n.Key == "required" && isBoolean(n) {
		text, ok = "a boolean is the required of draft-03 and is ignored; list the property in required of the "+
			"object", true
	}
	if ok {
		if n.Kind != jsontext.False && (n.Key != guidanceKey || p.Tree.Origin(n.Parent) != p.Root) {
			p.Note(c, n.Key, diag.Ignored, text)
		}
		return
	}
	switch k, since := lookup(n.Key); {
	case k != Other && d < since:
		p.Note(c, n.Key, diag.Ignored, "the dialect of this schema, "+Dialects()[d.age()]+
			", does not have this keyword yet, so it is ignored")
	case k == Other && !annotations[n.Key]:
		meant, known := p.meant[n.Key]
		if !known {
			if p.meant == nil {
				p.meant = map[string]string{}
			}
			meant, _ = meantBy(n.Key)
			p.meant[n.Key] = meant
		}
		if meant != "" {
			p.Note(c, n.Key, diag.Ignored, "there is no such keyword, so this is ignored; did you mean "+meant+"?")
		}
	}
}

// NoteBesideRef adds a note about a keyword beside a $ref in a dialect that ignores it.
func (p *Reader) NoteBesideRef(node jsontext.ID, d Dialect) {
	for c := range p.Tree.Children(node) {
		if k := KeywordOf(p.Tree.Node(c), d); k != Other && k != Ref {
			p.Note(c, p.Tree.Node(c).Key, diag.Ignored,
				"keywords beside $ref are ignored up to draft-07; put the two into allOf")
		}
	}
}
