package node

import (
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Follow returns the schema that a node stands for by references and lists of one member. It stops before a list of
// false, so that errors point at the list. The result is cached for each node on the way.
func (r *Reader) Follow(node jsontext.ID) jsontext.ID {
	target, listed := r.sameAs(node)
	if target == 0 {
		return node
	}
	list := jsontext.ID(0)
	if listed {
		list = node
	}
	var way []jsontext.ID
	for range limits.SchemaDepth { // expanding a cycle reports it
		if known, ok := r.same[target]; ok {
			target = known
			break
		}
		next, listed := r.sameAs(target)
		if next == 0 {
			break
		}
		if listed && list == 0 {
			list = target
		}
		r.Options.Work.Spend(nameWork)
		way = append(way, target)
		target = next
	}
	if list != 0 && r.IsFalse(target) {
		target = list
	}
	for _, n := range way {
		r.same[n] = target
	}
	return target
}

// sameAs returns the target of a node whose one effective keyword is a reference, or the one member (listed) of its
// allOf or anyOf. It returns zero for other nodes.
func (r *Reader) sameAs(node jsontext.ID) (target jsontext.ID, listed bool) {
	if ref := r.OnlyRef(node); ref != 0 {
		return r.Resolve(ref), false
	}
	n := r.Tree.Node(node)
	if n.Kind != jsontext.Object {
		return 0, false
	}
	var only jsontext.ID
	var keyword schema.Keyword
	d := r.DialectAt(node)
	for c := range r.Tree.From(n.First) {
		switch k := schema.KeywordOf(r.Tree.Node(c), d); k {
		case schema.Other:
		case schema.DynamicRef, schema.RecursiveRef, schema.AllOf, schema.AnyOf:
			if only != 0 {
				return 0, false
			}
			only, keyword = c, k
		default:
			return 0, false
		}
	}
	switch list := r.Tree.Node(only); {
	case only == 0:
	case keyword == schema.DynamicRef || keyword == schema.RecursiveRef:
		target = r.ResolveDynamic(only, keyword)
	case list.Kind == jsontext.Array && list.Count == 1:
		target, listed = list.First, true
	}
	if target != 0 {
		r.NoteKeys(node, d)
	}
	return target, listed
}

// OnlyRef returns the $ref of a schema without other effective keywords, or zero.
func (r *Reader) OnlyRef(node jsontext.ID) jsontext.ID {
	n := r.Tree.Node(node)
	if n.Kind != jsontext.Object {
		return 0
	}
	var ref jsontext.ID
	others := false
	d := r.DialectAt(node)
	for c := range r.Tree.From(n.First) {
		switch schema.KeywordOf(r.Tree.Node(c), d) {
		case schema.Other:
		case schema.Ref:
			ref = c
		default:
			others = true
		}
	}
	if others && d > schema.Draft7 {
		return 0
	}
	if ref != 0 {
		r.NoteKeys(node, d)
		if others {
			r.NoteBesideRef(node, d)
		}
	}
	return ref
}

// Unions returns a union, which is the list of an anyOf, and the unions that its members stand for, each once.
func (r *Reader) Unions(of jsontext.ID) []jsontext.ID {
	lists := []jsontext.ID{of}
	var met map[jsontext.ID]bool
	for i := 0; i < len(lists) && r.Err == nil; i++ {
		r.unionsIn(lists[i], func(inner jsontext.ID) {
			if met == nil {
				met = map[jsontext.ID]bool{of: true}
			}
			if !met[inner] {
				met[inner] = true
				lists = append(lists, inner)
			}
		})
	}
	return lists
}

// unionsIn calls visit with the unions that members of a union stand for.
func (r *Reader) unionsIn(list jsontext.ID, visit func(inner jsontext.ID)) {
	for s := range r.Tree.Children(list) {
		r.Options.Work.Spend(nameWork)
		if inner := r.OnlyList(r.Follow(s), schema.AnyOf); inner != 0 {
			visit(inner)
		}
	}
}

// OnlyList returns the list of schemas under a keyword, if the schema has no other, or zero.
func (r *Reader) OnlyList(node jsontext.ID, keyword schema.Keyword) (list jsontext.ID) {
	n := r.Tree.Node(node)
	if n.Kind != jsontext.Object {
		return 0
	}
	d := r.DialectAt(node)
	for c := range r.Tree.From(n.First) {
		switch schema.KeywordOf(r.Tree.Node(c), d) {
		case schema.Other:
		case keyword:
			list = c
		default:
			return 0
		}
	}
	if l := r.Tree.Node(list); list == 0 || l.Kind != jsontext.Array || l.Count == 0 {
		return 0
	}
	r.NoteKeys(node, d)
	return list
}

// fewNames is how many names are compared one by one; beyond it a map is cheaper.
const fewNames = 24

// Declared returns the schema of a property of one properties object (zero: none), or zero.
func (r *Reader) Declared(properties jsontext.ID, name string) jsontext.ID {
	n := r.Tree.Node(properties)
	if n.Count <= fewNames {
		return r.Tree.Get(properties, name)
	}
	index, ok := r.declared[properties]
	if !ok {
		index = make(map[string]jsontext.ID, n.Count)
		for c := range r.Tree.Children(properties) {
			index[r.Tree.Node(c).Key] = c
		}
		r.declared[properties] = index
	}
	return index[name]
}

// Trivial reports whether a schema allows every value (truth) or none. Known is false for other schemas.
func (r *Reader) Trivial(node jsontext.ID) (truth, known bool) {
	switch n := r.Tree.Node(node); n.Kind {
	case jsontext.True, jsontext.False:
		return n.Kind == jsontext.True, true
	case jsontext.Object:
		d := r.DialectAt(node)
		for c := range r.Tree.From(n.First) {
			if schema.KeywordOf(r.Tree.Node(c), d) != schema.Other {
				return false, false
			}
		}
		r.NoteKeys(node, d)
		return true, true
	}
	return false, false
}

// IsFalse reports whether a schema is trivial and allows no value.
func (r *Reader) IsFalse(node jsontext.ID) bool {
	truth, known := r.Trivial(node)
	return known && !truth
}

// Typed returns a schema that allows the values of some types.
func (r *Reader) Typed(types jsontype.Set) jsontext.ID {
	return r.Derive(r.Root, "types "+strconv.Itoa(int(types)), func() jsontext.ID {
		var names []jsontext.ID
		for _, name := range [...]string{"null", "boolean", "number", "string", "array", "object"} {
			if jsontype.ByName(name)&types != 0 {
				names = append(names, r.Tree.NewString(r.Root, name))
			}
		}
		typed := r.Tree.NewObject(r.Root)
		r.Tree.Put(typed, "type", r.Tree.NewArray(r.Root, names...))
		return typed
	})
}
