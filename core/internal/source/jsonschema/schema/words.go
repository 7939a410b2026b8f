package schema

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// said are the keywords that constrain a value, in the order in which an explanation prefers them.
var said = []string{
	"const", "enum", "pattern", "format", "multipleOf", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum",
	"minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "contains", "minProperties", "maxProperties",
	"required", "properties", "patternProperties", "additionalProperties", "propertyNames", "prefixItems", "items",
	"anyOf", "oneOf", "allOf", "not", "if", "$ref", "type",
}

// saidBytes is the length to which an explanation shortens the value of a keyword.
const saidBytes = 60

// Keywords returns the keywords that constrain the value of a place, those first that say most.
func (p *Reader) Keywords(at uint32) []grammar.Keyword {
	var out []grammar.Keyword
	node := jsontext.ID(at)
	if p.Tree.Kind(node) != jsontext.Object {
		return nil
	}
	for c := range p.Tree.Children(node) {
		if n := p.Tree.Node(c); slices.Contains(said, n.Key) {
			out = append(out, grammar.Keyword{Name: n.Key, Value: diag.Shorten(p.Tree.Raw(c), saidBytes)})
		}
	}
	slices.SortStableFunc(out, func(a, b grammar.Keyword) int {
		return slices.Index(said, a.Name) - slices.Index(said, b.Name)
	})
	return out
}
