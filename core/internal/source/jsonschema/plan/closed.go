package plan

import "github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"

// The option closed forbids undeclared keys of a case if its schemas declare keys, and none of them has
// additionalProperties or unevaluatedProperties. It treats items alike. All schemas of the case declare together: those
// of allOf, of $ref and of the chosen branch of an anyOf.
//
// The option only narrows schemas. So schemas that a test reads, and the goals below them, stay open, and a keyword in an
// opposite declares nothing. An opposite may apply a schema as it is, such as the if of a negated condition; its keywords
// declare. Names in required are allowed but do not close an object. Names in dependentRequired are not allowed.

// closesObjects reports whether undeclared keys of a case are forbidden. If values are listed, their keys count as
// declared.
func (p *Planner) closesObjects(f *Flat) bool {
	if !p.Options.Closed || p.open || f.HasValues || f.restTypes&jsontype.Object != 0 {
		return false
	}
	declares := false
	for i := range f.facets {
		fc := &f.facets[i]
		if fc.additional != 0 {
			return false
		}
		declares = declares || fc.properties != 0 || fc.patterns != 0
	}
	return declares
}

// closedItems returns how many items schemas declare, and whether those beyond are forbidden.
func (p *Planner) closedItems(f *Flat) (declared int, closed bool) {
	if !p.Options.Closed || p.open || f.HasValues || f.restTypes&jsontype.Array != 0 {
		return 0, false
	}
	for i := range f.lists {
		l := &f.lists[i]
		if l.path == noPath { // of an opposite
			continue
		}
		if l.rest != anyItem {
			return 0, false
		}
		declared = max(declared, len(l.prefix))
	}
	return declared, declared > 0
}
