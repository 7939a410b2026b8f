package schema

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// A keyword that the dialect does not know is ignored, as the specification says. If its author expects an effect, a
// note says so: for a keyword of OpenAPI or of another dialect, or a misspelled one.

// foreign holds keywords of other vocabularies and engines that restrict values there, with the spelling to use
// instead.
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

// aliases are the names, as plainName writes them, that are used instead of a keyword and are too far from it to be
// found as misspelled.
var aliases = map[string]string{
	"property": "properties", "requires": "required", "inclusiveminimum": "minimum", "inclusivemaximum": "maximum",
}

// annotations are names that the specifications know and that restrict nothing. They are most of the keys that are no
// keywords, so they are not looked up further.
var annotations = map[string]bool{
	"title": true, "description": true, "default": true, "example": true, "examples": true, "deprecated": true,
	"readOnly": true, "writeOnly": true, "id": true, "$id": true, "$schema": true, "$comment": true, "$anchor": true,
	"$dynamicAnchor": true, "$recursiveAnchor": true, "$vocabulary": true, "$defs": true, "definitions": true,
	"contentEncoding": true, "contentMediaType": true, "contentSchema": true,
}

// keywordName is the name of a keyword, and how plainName writes it.
type keywordName struct{ plain, name string }

// keywordNames are the names of all keywords.
var keywordNames = sync.OnceValue(func() []keywordName {
	var list []keywordName
	for _, c := range Capabilities() {
		list = append(list, keywordName{string(plainName(nil, c.Name)), c.Name})
	}
	return list
})

const longestSpelling = len("unevaluatedproperties")

// plainName appends the letters and digits of a key, in lower case, as far as a keyword can be long.
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

// mostTypos is how many letters more than the longest keyword a key may have, to be taken for it.
const mostTypos = 2

// meantBy returns the keyword that is most like a key, if any is like it. Of several it is the first of the table.
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

// NoteKeys is noteUnknown for all keys of a schema.
func (p *Reader) NoteKeys(node jsontext.ID, d Dialect) {
	for c := range p.Tree.Children(node) {
		if KeywordOf(p.Tree.Node(c), d) == Other {
			p.NoteUnknown(c, d)
		}
	}
}

// isBoolean reports whether a value is true or false. As a value of required that is draft-03's, which says so of one
// property, where it is declared.
func isBoolean(n *jsontext.Node) bool { return n.Kind == jsontext.True || n.Kind == jsontext.False }

// NoteUnknown adds a note about a key that is no keyword of the dialect, if it looks like one.
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

// NoteBesideRef adds a note about a keyword that stands beside a $ref in a dialect in which that has no effect.
func (p *Reader) NoteBesideRef(node jsontext.ID, d Dialect) {
	for c := range p.Tree.Children(node) {
		if k := KeywordOf(p.Tree.Node(c), d); k != Other && k != Ref {
			p.Note(c, p.Tree.Node(c).Key, diag.Ignored,
				"keywords beside $ref are ignored up to draft-07; put the two into allOf")
		}
	}
}
