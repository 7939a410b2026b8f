package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// The meaning of a $dynamicRef or $recursiveRef depends on the resources on the path to it: the outermost one with the
// anchor counts. So a path is represented by its environment, which binds each name to an anchor. A resource that a
// path enters with other bindings than the document around it gives is copied. The copy's root records its environment,
// and the rest of the package sees ordinary schemas.

// binding is a dynamic anchor: a name and its schema. Recursive anchors have the empty name.
type binding struct {
	name string
	node jsontext.ID
}

// environment holds the bindings of names, sorted by name. Immutable.
type environment []binding

// scopes holds the facts about dynamic anchors. It ignores those that no reference names.
type scopes struct {
	asked   map[string]bool // names of $dynamicRef, and the empty one of $recursiveRef
	names   map[string]int
	matter  bool // references can depend on the path
	anchors map[jsontext.ID][]binding
	of      map[jsontext.ID]environment // by root of a resource or of a copy
	copies  map[string]jsontext.ID
}

func (s *scopes) count(name string) {
	if s.names == nil {
		s.names = map[string]int{}
	}
	s.names[name]++
}

func (s *scopes) ask(name string) {
	if s.asked == nil {
		s.asked = map[string]bool{}
	}
	s.asked[name] = true
}

func (s *scopes) several() bool {
	for name := range s.asked {
		if s.names[name] > 1 {
			return true
		}
	}
	return false
}

func nameIn(text string) string { return text[strings.IndexByte(text, '#')+1:] }

func (s *scopes) anchor(resource jsontext.ID, name string, node jsontext.ID) {
	if s.asked[name] {
		s.anchors[resource] = append(s.anchors[resource], binding{name, node})
	}
}

func (e environment) find(name string) (jsontext.ID, bool) {
	i, ok := slices.BinarySearchFunc(e, name, func(b binding, name string) int { return strings.Compare(b.name, name) })
	if !ok {
		return 0, false
	}
	return e[i].node, true
}

// enter binds the anchors of a resource, except names that are already bound.
func (e environment) enter(anchors []binding) environment {
	entered := slices.Clone(e)
	for _, b := range anchors {
		i, bound := slices.BinarySearchFunc(entered, b.name,
			func(b binding, name string) int { return strings.Compare(b.name, name) })
		if !bound {
			entered = slices.Insert(entered, i, b)
		}
	}
	return entered
}

// environmentOf returns the environment of a resource: its copy's, or the one of its place in its document.
func (p *Reader) environmentOf(resource jsontext.ID) environment {
	s := &p.refs.scopes
	if e, ok := s.of[resource]; ok {
		return e
	}
	var outer environment
	if up := p.Tree.Node(resource).Parent; up != 0 {
		outer = p.environmentOf(p.resourceOf(up))
	}
	e := outer.enter(s.anchors[p.Tree.Origin(resource)])
	if s.of == nil {
		s.of = map[jsontext.ID]environment{}
	}
	s.of[resource] = e
	return e
}

// place returns the schema target, a node of a document, entered from an environment.
func (p *Reader) place(target jsontext.ID, from environment) jsontext.ID {
	s := &p.refs.scopes
	resource := p.resourceOf(target)
	inside := from.enter(s.anchors[resource])
	if slices.Equal(p.environmentOf(resource), inside) {
		return target
	}
	key := make([]byte, 0, 64)
	key = strconv.AppendUint(key, uint64(resource), 10)
	for _, b := range inside {
		key = append(key, ' ')
		key = strconv.AppendUint(key, uint64(b.node), 10)
	}
	root, ok := s.copies[string(key)]
	if !ok {
		if p.Tree.Len() > limits.SchemaNodes || len(s.copies) >= limits.SchemaCopies {
			p.Fail(p.ErrorAt(diag.Limit, resource, "", "the schemas here are reached in more than %d ways that "+
				"give $dynamicRef or $recursiveRef different meanings; use $ref where one meaning is enough",
				limits.SchemaCopies))
			return target
		}
		root, _ = p.Tree.Clone(resource)
		if s.copies == nil {
			s.copies = map[string]jsontext.ID{}
		}
		s.copies[string(key)] = root
		s.of[root] = inside
	}
	return root + (target - resource)
}

// ResolveDynamic returns the schema of a $dynamicRef or $recursiveRef, or zero. A $dynamicRef whose static target is
// no dynamic anchor is a plain reference.
func (p *Reader) ResolveDynamic(ref jsontext.ID, k Keyword) jsontext.ID {
	if !p.IsString(ref) {
		return 0
	}
	s := &p.refs.scopes
	first := p.followed(ref)
	if first == 0 || !s.matter {
		return first
	}
	p.buildIndexes()
	resource := p.resourceOf(first)
	name := ""
	if k == DynamicRef {
		name = nameIn(p.Tree.Node(ref).Text)
	}
	from := p.environmentOf(p.resourceOf(ref)).enter(s.anchors[resource])
	if slices.Contains(s.anchors[resource], binding{name, first}) {
		if bound, ok := from.find(name); ok {
			return p.place(bound, from)
		}
	}
	return p.place(first, from)
}
