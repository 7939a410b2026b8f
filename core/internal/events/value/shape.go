package value

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Shape is the types of a schema's values, and of their members. It may contain itself. nil is any value. Immutable.
type Shape struct {
	set     jsontype.Set
	members map[string]*Shape
	others  *Shape
	item    *Shape
}

func (s *Shape) types() jsontype.Set {
	if s == nil || s.set == 0 {
		return jsontype.All
	}
	return s.set
}

func (s *Shape) has(name string) bool { return s != nil && s.members[name] != nil }

func (s *Shape) member(name string) *Shape {
	if s == nil {
		return nil
	}
	if m, ok := s.members[name]; ok {
		return m
	}
	return s.others
}

func (s *Shape) items() *Shape {
	if s == nil {
		return nil
	}
	return s.item
}

// ShapeOf returns the shape of a schema. Its types are a superset of those that the keywords allow, except that a member
// which only some alternatives of anyOf declare has the types declared there. It is nil for a text that is no JSON.
func ShapeOf(schema []byte) *Shape {
	b := shaper{made: map[jsontext.ID]*Shape{}}
	root, err := b.tree.Read(schema, "schema")
	if err != nil {
		return nil
	}
	return b.shape(root)
}

type shaper struct {
	tree jsontext.Tree
	made map[jsontext.ID]*Shape
}

func (b *shaper) shape(id jsontext.ID) *Shape {
	if s, ok := b.made[id]; ok {
		return s
	}
	s := &Shape{set: jsontype.All}
	b.made[id] = s
	if b.tree.Kind(id) != jsontext.Object {
		return s
	}
	if n := b.tree.Node(id); n.Count == 1 && b.tree.Node(n.First).Key == "$ref" {
		if to := b.referred(id, n.First); to != 0 { // may be a schema around this one, whose shape is incomplete so far
			b.made[id] = b.shape(to)
			return b.made[id]
		}
	}
	for c := range b.tree.Children(id) {
		b.keyword(s, id, b.tree.Node(c).Key, c)
	}
	for c := range b.tree.Children(id) {
		switch b.tree.Node(c).Key {
		case "patternProperties":
			s.others = b.besides(s.others, c)
		case "prefixItems":
			s.item = b.besides(s.item, c)
		}
	}
	return s
}

// besides returns a shape of the values of s and of the schemas in c.
func (b *shaper) besides(s *Shape, c jsontext.ID) *Shape {
	for v := range b.tree.Children(c) {
		switch x := b.shape(v); {
		case s == nil:
			return nil
		case s.set == 0:
			s = x
		case s != x:
			s = &Shape{set: s.set | x.set}
		}
	}
	return s
}

func (b *shaper) referred(at, c jsontext.ID) jsontext.ID {
	pointer, local := strings.CutPrefix(b.tree.Node(c).Text, "#")
	if !local {
		return 0
	}
	return b.tree.Resolve(b.tree.Root(at), pointer)
}

func (b *shaper) keyword(s *Shape, at jsontext.ID, key string, c jsontext.ID) {
	switch key {
	case "type":
		s.set &= b.named(c)
	case "const":
		s.set &= b.typeOf(c)
	case "enum":
		var set jsontype.Set
		for v := range b.tree.Children(c) {
			set |= b.typeOf(v)
		}
		s.set &= set
	case "$ref":
		if to := b.referred(at, c); to != 0 {
			s.both(b.shape(to))
		}
	case "allOf":
		for v := range b.tree.Children(c) {
			s.both(b.shape(v))
		}
	case "anyOf", "oneOf":
		one := &Shape{}
		for v := range b.tree.Children(c) {
			one.either(b.shape(v))
		}
		s.both(one)
	case "properties":
		for v := range b.tree.Children(c) {
			s.put(b.tree.Node(v).Key, b.shape(v))
		}
	case "additionalProperties":
		s.others = b.rest(c)
	case "items":
		if b.tree.Kind(c) != jsontext.Array {
			s.item = b.rest(c)
		}
	}
}

// rest returns the shape of the schema for all other members or items.
func (b *shaper) rest(c jsontext.ID) *Shape {
	if b.tree.Kind(c) == jsontext.False {
		return &Shape{} // there are none
	}
	return b.shape(c)
}

func (s *Shape) put(name string, m *Shape) {
	if s.members == nil {
		s.members = map[string]*Shape{}
	}
	if old := s.members[name]; old != nil && old != m { // a superset of both
		m = &Shape{set: old.types() | m.types()}
	}
	s.members[name] = m
}

// both adds the conditions of t.
func (s *Shape) both(t *Shape) {
	s.set &= t.set
	s.nested(t)
}

// either allows the values of t, too.
func (s *Shape) either(t *Shape) {
	s.set |= t.set
	s.nested(t)
}

func (s *Shape) nested(t *Shape) {
	for name, m := range t.members {
		s.put(name, m)
	}
	if s.others == nil {
		s.others = t.others
	}
	if s.item == nil {
		s.item = t.item
	}
}

func (b *shaper) named(c jsontext.ID) (set jsontype.Set) {
	if b.tree.Kind(c) == jsontext.String {
		return jsontype.ByName(b.tree.Node(c).Text)
	}
	for v := range b.tree.Children(c) {
		set |= jsontype.ByName(b.tree.Node(v).Text)
	}
	return set
}

func (b *shaper) typeOf(c jsontext.ID) jsontype.Set {
	switch b.tree.Kind(c) {
	case jsontext.Object:
		return jsontype.Object
	case jsontext.Array:
		return jsontype.Array
	case jsontext.String:
		return jsontype.String
	case jsontext.True, jsontext.False:
		return jsontype.Bool
	case jsontext.Null:
		return jsontype.Null
	}
	return jsontype.Number
}
