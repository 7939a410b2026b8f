package plan

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// namesOf returns the keys of a class of undeclared ones, if they are few: listed by propertyNames, or the texts that a
// pattern allows.
func (p *validator) namesOf(c *ExtraPlan) (names []string, few bool) {
	var candidates []string
	switch listed, ok := p.listedNames(c.Names); {
	case ok:
		candidates = listed
	case len(c.With) > 0:
		if candidates, ok = p.Patterns.Texts(c.With[0]); !ok {
			return nil, false
		}
	default:
		return nil, false
	}
	for _, name := range candidates {
		if p.inKeyClass(c, name) {
			names = append(names, name)
		}
	}
	return names, true
}

// listedNames returns the strings of a goal whose every case lists its values.
func (p *validator) listedNames(g GoalID) (names []string, ok bool) {
	if g == AnyGoal {
		return nil, false
	}
	p.expandGoal(g)
	for a := range p.CasesOf(g) {
		f := &a.Flat
		if f.Types&jsontype.String == 0 {
			continue
		}
		if !f.HasValues || len(names)+len(f.Values) > limits.SchemaFewNames {
			return nil, false
		}
		for _, v := range f.Values {
			if p.TypeOf(v) == jsontype.String {
				names = append(names, p.Tree.Node(v).Text)
			}
		}
	}
	return names, true
}

// anyPattern reports whether the name matches a key of patternProperties.
func (p *validator) anyPattern(patterns jsontext.ID, name string) bool {
	if patterns == 0 {
		return false
	}
	for c := range p.Tree.Children(patterns) {
		if p.Patterns.Matches(p.Patterns.Of(p.Tree.Node(c).Key, c), name) {
			return true
		}
	}
	return false
}

// schemaOf returns the schema of a property in a facet: its declaration, or additionalProperties if no key or pattern
// declares it. Zero: only patterns declare it, or nothing does, or unevaluatedProperties with facets in beside decides.
func (p *validator) schemaOf(fc *facet, name string) jsontext.ID {
	c := p.Declared(fc.properties, name)
	if c == 0 && fc.additional != 0 && fc.beside == nil && !p.anyPattern(fc.patterns, name) {
		c = fc.additional
	}
	return c
}

// declaresAny reports whether properties or patternProperties of one of the facets declare the name.
func (p *validator) declaresAny(facets []facet, name string) bool {
	for i := range facets {
		if p.Declared(facets[i].properties, name) != 0 || p.anyPattern(facets[i].patterns, name) {
			return true
		}
	}
	return false
}
