package value

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"sync"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Shape is the schemas of a value: one schema, all of a list or one of a list. It reads their keywords for types, listed
// values, members and items, and ignores the others, so a shape allows more than its schemas or the same. nil is any
// value. Immutable, and safe for concurrent use.
type Shape struct {
	of     *schemas
	schema jsontext.ID // 0: a list
	list   []*Shape
	either bool // one of the list, not all
	size   int
	set    jsontype.Set // the types of the values
}

// ShapeOf returns the shape of a schema. It is nil for a text that is no schema. Set free if values need not satisfy the
// schema: one that does not is a string.
func ShapeOf(text []byte, free bool) *Shape {
	r, err := schema.Read(text, &source.Options{Lenient: true})
	if err != nil {
		return nil
	}
	s := &schemas{r: r, t: r.Tree, free: free, shapes: map[jsontext.ID]*Shape{}, patterns: map[string]*regexp.Regexp{}}
	s.typed = s.ask(func(id jsontext.ID) *Shape { return s.types(id, nil) })
	return s.shape(r.Root)
}

// types returns the types that values may have. If no value is allowed, the text is not of the grammar, and may be anything.
func (s *Shape) types() jsontype.Set {
	if s == nil || s.set == 0 {
		return jsontype.All
	}
	if s.of != nil && s.of.free {
		return s.set | jsontype.String
	}
	return s.set
}

// typesAs is types of the values that a text of JSON spells. For the text [] it returns the types of all empty values.
func (s *Shape) typesAs(text string) jsontype.Set {
	is := &spelled{text: text}
	is.known = json.Unmarshal([]byte(text), &is.value) == nil
	x := s.each(func(id jsontext.ID) *Shape { return s.of.types(id, is) })
	if x == nil || s.set == 0 {
		return jsontype.All
	}
	return x.set
}

func (s *Shape) member(name string) *Shape {
	return s.each(func(id jsontext.ID) *Shape { return s.of.member(id, name) })
}

func (s *Shape) item(i int) *Shape {
	return s.each(func(id jsontext.ID) *Shape { return s.of.item(id, i) })
}

// has reports whether some schema declares a member.
func (s *Shape) has(name string) (found bool) {
	s.each(func(id jsontext.ID) *Shape {
		found = found || s.of.t.Get(s.of.t.Get(id, "properties"), name) != 0
		return nil
	})
	return found
}

// each returns the shape that has `one` of each schema in the place of the schema.
func (s *Shape) each(one func(jsontext.ID) *Shape) *Shape {
	if s == nil || s.of == nil {
		return nil
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	return s.of.ask(one).shape(s)
}

// schemas is the document of a shape.
type schemas struct {
	mu       sync.Mutex // the reader and the maps grow
	r        *schema.Reader
	t        *jsontext.Tree
	free     bool
	shapes   map[jsontext.ID]*Shape
	patterns map[string]*regexp.Regexp // nil: unknown to package regexp
	typed    *question
}

// shape returns the shape of one schema.
func (s *schemas) shape(id jsontext.ID) *Shape {
	n := s.t.Node(id)
	switch {
	case n.Kind == jsontext.False:
		return never
	case n.Kind != jsontext.Object || n.Count == 0:
		return nil
	}
	x, ok := s.shapes[id]
	if !ok {
		x = &Shape{of: s, schema: id, size: 1, set: jsontype.All}
		if typed := s.typed.schema(id); typed != nil {
			x.set = typed.set
		}
		s.shapes[id] = x
	}
	return x
}

// never is the shape of no value.
var never = &Shape{either: true}

// all is the shape of values that all shapes of a list allow.
func all(list []*Shape) *Shape {
	return combined(slices.DeleteFunc(list, func(x *Shape) bool { return x == nil }), false)
}

// either is the shape of values that some shape of a list allows.
func either(list []*Shape) *Shape {
	if slices.Contains(list, nil) {
		return nil
	}
	some := slices.DeleteFunc(slices.Clone(list), func(x *Shape) bool { return x.set == 0 })
	if len(some) == 0 {
		return never
	}
	return combined(some, true)
}

func combined(list []*Shape, either bool) *Shape {
	x := &Shape{either: either, set: jsontype.All, size: 1}
	if either {
		x.set = 0
	}
	seen := map[*Shape]bool{}
	for _, y := range list {
		if seen[y] {
			continue
		}
		seen[y] = true
		x.list, x.size = append(x.list, y), x.size+y.size
		if y.of != nil {
			x.of = y.of
		}
		if either {
			x.set |= y.set
		} else {
			x.set &= y.set
		}
	}
	switch {
	case len(x.list) == 1:
		return x.list[0]
	case len(x.list) == 0 || x.size > limits.EventShape:
		return nil
	}
	return x
}

// question replaces each schema by `one` of it and of the schemas that it applies to the same value.
type question struct {
	*schemas
	one  func(jsontext.ID) *Shape
	seen map[jsontext.ID]*Shape
}

func (s *schemas) ask(one func(jsontext.ID) *Shape) *question {
	return &question{s, one, map[jsontext.ID]*Shape{}}
}

func (q *question) shape(s *Shape) *Shape {
	if s.schema != 0 {
		return q.schema(s.schema)
	}
	list := make([]*Shape, len(s.list))
	for i, x := range s.list {
		list[i] = q.shape(x)
	}
	if s.either {
		return either(list)
	}
	return all(list)
}

func (q *question) schema(id jsontext.ID) *Shape {
	if k := q.t.Kind(id); id == 0 || k != jsontext.Object {
		if id != 0 && k == jsontext.False {
			return never
		}
		return nil
	}
	if x, ok := q.seen[id]; ok {
		return x
	}
	q.seen[id] = nil // a schema within itself may allow any value
	var list []*Shape
	d := q.r.DialectAt(id)
	alone := d <= schema.Draft7 && q.t.Kind(q.t.Get(id, "$ref")) == jsontext.String
	if !alone {
		list = append(list, q.one(id))
	}
	for c := range q.t.Children(id) {
		if k := schema.KeywordOf(q.t.Node(c), d); !alone || k == schema.Ref {
			list = append(list, q.applied(id, c, k))
		}
	}
	x := all(list)
	q.seen[id] = x
	return x
}

// applied answers for the schemas in one keyword.
func (q *question) applied(id, c jsontext.ID, k schema.Keyword) *Shape {
	var list []*Shape
	switch k {
	case schema.Ref:
		return q.schema(q.r.Resolve(c))
	case schema.DynamicRef, schema.RecursiveRef:
		return q.schema(q.r.ResolveDynamic(c, k))
	case schema.If:
		then := all([]*Shape{q.schema(c), q.schema(q.t.Get(id, "then"))})
		return either([]*Shape{then, q.schema(q.t.Get(id, "else"))})
	case schema.AllOf, schema.AnyOf, schema.OneOf, schema.DependentSchemas, schema.Dependencies:
		for v := range q.t.Children(c) {
			list = append(list, q.schema(v))
		}
	}
	switch k {
	case schema.AllOf:
		return all(list)
	case schema.AnyOf, schema.OneOf:
		return either(list)
	}
	return nil // a schema that depends on a member need not hold
}

// member is the shape of a member by the keywords of one schema.
func (s *schemas) member(id jsontext.ID, name string) *Shape {
	var list, maybe []*Shape
	declared := false
	if c := s.t.Get(s.t.Get(id, "properties"), name); c != 0 {
		list, declared = append(list, s.shape(c)), true
	}
	for c := range s.t.Children(s.t.Get(id, "patternProperties")) {
		switch p := s.pattern(s.t.Node(c).Key); {
		case p == nil:
			maybe = append(maybe, s.shape(c))
		case p.MatchString(name):
			list, declared = append(list, s.shape(c)), true
		}
	}
	if declared {
		return all(list)
	}
	rest := s.t.Get(id, "additionalProperties")
	if c := s.t.Get(id, "unevaluatedProperties"); c != 0 && rest == 0 && !s.evaluates(id, name) {
		rest = c
	}
	if rest == 0 {
		return nil
	}
	return either(append(maybe, s.shape(rest)))
}

// evaluates reports whether a schema that id applies may have a keyword for a member.
func (s *schemas) evaluates(id jsontext.ID, name string) (found bool) {
	s.ask(func(x jsontext.ID) *Shape {
		found = found || s.t.Get(s.t.Get(x, "properties"), name) != 0 || s.t.Get(x, "patternProperties") != 0 ||
			x != id && (s.t.Get(x, "additionalProperties") != 0 || s.t.Get(x, "unevaluatedProperties") != 0)
		return nil
	}).schema(id)
	return found
}

func (s *schemas) pattern(text string) *regexp.Regexp {
	p, ok := s.patterns[text]
	if !ok {
		p, _ = regexp.Compile(text) // nil if it fails
		s.patterns[text] = p
	}
	return p
}

// item is the shape of an item by the keywords of one schema.
func (s *schemas) item(id jsontext.ID, i int) *Shape {
	first, rest := s.t.Get(id, "prefixItems"), s.t.Get(id, "items")
	if s.t.Kind(rest) == jsontext.Array {
		first, rest = rest, s.t.Get(id, "additionalItems")
	}
	if c := s.t.At(first, i); c != 0 {
		rest = c
	}
	if rest == 0 {
		return nil
	}
	return s.shape(rest)
}

// spelled is a text and its value. The value is not known if it has a number beyond a float's.
type spelled struct {
	text  string
	value any
	known bool
}

// empty stands for all empty values.
const empty = "[]"

func (is *spelled) empty() bool { return is != nil && is.text == empty }

// types is the types of the values by the keywords of one schema: of all, or of the value that a text spells.
func (s *schemas) types(id jsontext.ID, is *spelled) *Shape {
	set, d := jsontype.All, s.r.DialectAt(id)
	for c := range s.t.Children(id) {
		n := s.t.Node(c)
		switch k := schema.KeywordOf(n, d); k {
		case schema.Type:
			set &= s.named(c)
		case schema.Const:
			set &= s.listed(c, is)
		case schema.Enum:
			var some jsontype.Set
			for v := range s.t.Children(c) {
				some |= s.listed(v, is)
			}
			set &= some
		case schema.Not:
			if inner := s.t.Node(n.First); n.Count == 1 && inner.Key == "type" {
				set &^= s.named(n.First)
			}
		case schema.MinLength, schema.MinItems, schema.MinProperties:
			if is.empty() && n.Text != "0" {
				set &^= map[schema.Keyword]jsontype.Set{
					schema.MinLength: jsontype.String, schema.MinItems: jsontype.Array, schema.MinProperties: jsontype.Object,
				}[k]
			}
		case schema.Required:
			if is.empty() && n.Count > 0 {
				set &^= jsontype.Object
			}
		}
	}
	if set == jsontype.All {
		return nil
	}
	return &Shape{set: set}
}

func (s *schemas) named(c jsontext.ID) (set jsontype.Set) {
	if s.t.Kind(c) == jsontext.String {
		return jsontype.ByName(s.t.Node(c).Text)
	}
	for v := range s.t.Children(c) {
		set |= jsontype.ByName(s.t.Node(v).Text)
	}
	return set
}

// listed returns the type of a value in a schema, or none if a text surely spells another value.
func (s *schemas) listed(c jsontext.ID, is *spelled) jsontype.Set {
	n := s.t.Node(c)
	if is.empty() {
		if n.Count > 0 || n.Text != "" {
			return 0
		}
	} else if is != nil && is.known {
		var listed any
		if json.Unmarshal([]byte(s.t.Raw(c)), &listed) == nil && !reflect.DeepEqual(is.value, listed) {
			return 0
		}
	}
	switch n.Kind {
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
