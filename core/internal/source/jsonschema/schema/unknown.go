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

// mostTypos is how many typing errors a long name may have, to be taken for a keyword. A short one may have one, and
// very short names mean too much else.
const mostTypos = 2

func typosIn(name string) int {
	switch {
	case len(name) < 4:
		return 0
	case len(name) < 9:
		return 1
	}
	return mostTypos
}

// meantBy returns the keyword that is most like a key, if any is like it. Of several it is the first of the table.
func meantBy(key string) (meant string, ok bool) {
	var buffer [longestSpelling + mostTypos + 1]byte
	plain := plainName(buffer[:0], key)
	if meant, ok = aliases[string(plain)]; ok {
		return meant, true
	}
	least := mostTypos + 1
	for _, s := range keywordNames() {
		if n := typos(plain, s.plain, min(typosIn(s.plain), least-1)); n < least {
			meant, least, ok = s.name, n, true
		}
	}
	return meant, ok
}

// typos returns how many letters have to be added, left out, replaced or exchanged with their neighbour to make name of
// key: the edit distance, without changing a letter twice. Beyond most it returns a large number.
func typos(key []byte, name string, most int) int {
	const many = 100
	if d := len(key) - len(name); d > most || -d > most {
		return many
	}
	// rows[i%3][j] is the distance of the first i bytes of key from the first j of name, where j is near i.
	var rows [3][longestSpelling + 1]int
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(key); i++ {
		row, last, before := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		*row = [longestSpelling + 1]int{}
		for j := range row {
			row[j] = many
		}
		least := many
		for j := max(0, i-most); j <= min(len(name), i+most); j++ {
			n := last[j] + 1
			if j > 0 {
				n = min(n, row[j-1]+1, last[j-1]+differ(key[i-1], name[j-1]))
			}
			if i > 1 && j > 1 && key[i-1] == name[j-2] && key[i-2] == name[j-1] {
				n = min(n, before[j-2]+1)
			}
			row[j] = n
			least = min(least, n)
		}
		if least > most {
			return many
		}
	}
	if n := rows[len(key)%3][len(name)]; n <= most {
		return n
	}
	return many
}

func differ(a, b byte) int {
	if a == b {
		return 0
	}
	return 1
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
