package plan

import "github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"

// With the option closed, keys and items that no schema declares are forbidden, where some schema of the value declares
// any and none says what becomes of the others. All schemas of one case of a value declare together: what allOf, $ref
// and the branch of an anyOf add belongs to the same object.
//
// What is accepted so is accepted without the option too. Therefore the opposite of a schema, and a schema that a value
// is tested by, are read as they are written: a goal for that is open, and so are the goals that it leads to. Keys that
// are required are declared by that; those that only an opposite or a dependency names are not.

// closesObjects says whether undeclared keys of a case are forbidden. Values that are listed are all declared.
func (p *Planner) closesObjects(f *Flat) bool {
	if !p.Options.Closed || p.open || f.HasValues || f.said&jsontype.Object != 0 {
		return false
	}
	declares := false
	for i := range f.facets {
		fc := &f.facets[i]
		if fc.path == noPath { // of an opposite
			continue
		}
		if fc.additional != 0 {
			return false
		}
		declares = declares || fc.properties != 0 || fc.patterns != 0
	}
	return declares
}

// closedItems returns how many items schemas declare, and whether those beyond are forbidden.
func (p *Planner) closedItems(f *Flat) (declared int, closed bool) {
	if !p.Options.Closed || p.open || f.HasValues || f.said&jsontype.Array != 0 {
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
