package plan

import (
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// unevaluatedProperties and unevaluatedItems see the keywords of the schemas that hold below their own schema, except
// below a negation. A case fixes which schemas hold. If one more schema holds, it can only add evaluated keys and
// items. So anySubset lists the members of an anyOf that hold, and need not exclude the others.

// isSeen reports whether some keyword of f depends on the evaluation at path.
func (p *applier) isSeen(f *Flat, path int32) bool {
	for i := range f.rest {
		if p.sees(f.rest[i].path, path) {
			return true
		}
	}
	return false
}

// evaluatesNothing reports whether a schema has no keyword that evaluates properties or items.
func (p *applier) evaluatesNothing(node jsontext.ID) bool {
	t := p.Tree
	if t.Kind(node) != jsontext.Object {
		return true
	}
	d := p.DialectAt(node)
	for c := range t.Children(node) {
		switch schema.KeywordOf(t.Node(c), d) {
		case schema.Properties, schema.PatternProperties, schema.AdditionalProperties, schema.UnevaluatedProperties,
			schema.Items, schema.PrefixItems, schema.AdditionalItems, schema.UnevaluatedItems, schema.Contains,
			schema.AllOf, schema.AnyOf, schema.OneOf, schema.If, schema.Then, schema.Else,
			schema.Ref, schema.DynamicRef, schema.RecursiveRef, schema.DependentSchemas, schema.Dependencies:
			return false
		}
	}
	return true
}

// applyRest turns the unevaluated properties and items of a case without choices into ordinary facets.
func (p *applier) applyRest(f *Flat) {
	for i := range f.rest {
		u := &f.rest[i]
		if p.trivial(positive(u.node)) == AnyGoal || p.evaluatedBelow(f, u) {
			continue
		}
		if u.items {
			p.applyRestOfItems(f, u)
		} else {
			p.applyRestOfProperties(f, u)
		}
	}
	f.rest = nil
}

// evaluatedBelow reports whether a schema below u's leaves nothing unevaluated.
func (p *applier) evaluatedBelow(f *Flat, u *unevaluated) bool {
	for i := range f.rest {
		if w := &f.rest[i]; w.items == u.items && w.path != u.path && p.sees(u.path, w.path) {
			return true
		}
	}
	return false
}

func (p *applier) applyRestOfProperties(f *Flat, u *unevaluated) {
	rest := facet{additional: u.node, path: noPath}
	for _, fc := range f.facets {
		if fc.path == noPath || !p.sees(u.path, fc.path) {
			continue
		}
		if fc.additional != 0 {
			return
		}
		rest.beside = append(rest.beside, fc)
	}
	f.facets = append(f.facets, rest)
}

func (p *applier) applyRestOfItems(f *Flat, u *unevaluated) {
	rest := listFacet{rest: positive(u.node), path: noPath}
	longest := 0
	for _, l := range f.lists {
		if l.path == noPath || !p.sees(u.path, l.path) {
			continue
		}
		if l.rest != anyItem {
			return
		}
		longest = max(longest, len(l.prefix))
	}
	allowed := []atom{positive(u.node)}
	for _, e := range f.evaluates {
		if p.sees(u.path, e.path) {
			allowed = append(allowed, positive(e.node))
		}
	}
	if len(allowed) > 1 {
		rest.rest = positive(p.AnyOfThese(u.node, nodesOf(allowed)))
	}
	rest.prefix = make([]atom, longest)
	f.lists = append(f.lists, rest)
}
