package schema

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Some clients write every field of a type, or an empty map as a list: "required": null, "properties": []. That is
// invalid. With the option lenient such a keyword counts as absent, with a note.

// saysNothing reports whether a keyword has such a value. A null of const, enum, type and references may have or hide
// a meaning.
func saysNothing(k Keyword, n *jsontext.Node) bool {
	switch k {
	case Other, Type, Enum, Const, Ref, DynamicRef, RecursiveRef:
		return false
	case Properties, PatternProperties, AdditionalProperties, PropertyNames, Dependencies, DependentRequired,
		DependentSchemas, AdditionalItems, Contains, Not, If, Then, Else, UnevaluatedProperties, UnevaluatedItems:
		if n.Kind == jsontext.Array && n.Count == 0 {
			return true
		}
	case Required:
		if n.Kind == jsontext.Object && n.Count == 0 {
			return true
		}
	}
	return n.Kind == jsontext.Null
}

// leaveOutNothings removes such keywords from a schema and the schemas within it.
func (p *Reader) leaveOutNothings(root jsontext.ID) {
	t := p.Tree
	schemas := []jsontext.ID{root}
	for len(schemas) > 0 {
		s := schemas[len(schemas)-1]
		schemas = schemas[:len(schemas)-1]
		for c := range t.Children(s) {
			n := t.Node(c)
			k := KeywordOf(n, p.refs.main)
			switch {
			case saysNothing(k, n):
				p.Note(c, n.Key, diag.Ignored, n.Kind.String()+" is not a value of this keyword, so the keyword counts as absent")
				t.Remove(c)
			case k == Properties || k == PatternProperties || k == Dependencies || k == DependentSchemas ||
				n.Key == "$defs" || n.Key == "definitions" || n.Kind == jsontext.Array && k != Enum && k != Other:
				schemas = appendObjects(schemas, t, c)
			case k != Other && k != Const && n.Kind == jsontext.Object:
				schemas = append(schemas, c)
			}
		}
	}
}

func appendObjects(to []jsontext.ID, t *jsontext.Tree, of jsontext.ID) []jsontext.ID {
	for c := range t.Children(of) {
		if t.Kind(c) == jsontext.Object {
			to = append(to, c)
		}
	}
	return to
}
