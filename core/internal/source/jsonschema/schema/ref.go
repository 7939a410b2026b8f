package schema

import (
	"net/url"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// refs resolves references. Most documents have no $id, $anchor or further documents, and never need the indexes.
type refs struct {
	targets   map[jsontext.ID]jsontext.ID // by node of the reference; zero: not found
	byText    map[string]jsontext.ID      // "#/…" references of the main resource
	documents []document
	nested    bool // there are resources inside documents
	resources map[string]jsontext.ID
	anchors   map[anchorKey]jsontext.ID
	dialects  map[jsontext.ID]Dialect
	rootOf    map[jsontext.ID]jsontext.ID // caches of resourceOf and baseURI, for nested resources
	baseOf    map[jsontext.ID]string
	scopes    scopes

	main Dialect
}

type document struct {
	uri  string
	root jsontext.ID
}

type anchorKey struct {
	resource jsontext.ID
	name     string
}

func (r *refs) documentURI(root jsontext.ID) string {
	for _, d := range r.documents {
		if d.root == root { // of a document, not of a copy of it
			return d.uri
		}
	}
	return ""
}

func (p *Reader) setDialect() error {
	p.refs.main = Draft2020
	if p.Options.Dialect != "" {
		d, ok := dialectNames[p.Options.Dialect]
		if !ok {
			if d, ok = dialectOf(p.Options.Dialect); !ok {
				return diag.Errorf(diag.Argument, SourceName, diag.Place{},
					"the option dialect is %s; known are draft-04, draft-06, draft-07, 2019-09 and "+
						"2020-12", Quote(p.Options.Dialect))
			}
		}
		p.refs.main = d
	}
	p.refs.main = p.ownDialect(p.Root, p.refs.main)
	return nil
}

// ownDialect returns the dialect that the resource at root declares, or the given one.
func (p *Reader) ownDialect(root jsontext.ID, otherwise Dialect) Dialect {
	if s := p.Tree.Get(root, "$schema"); s != 0 && p.Tree.Kind(s) == jsontext.String {
		if d, ok := dialectOf(p.Tree.Node(s).Text); ok {
			return d
		}
		if d, ok := p.customDialect(p.Tree.Node(s).Text); ok {
			return d
		}
		p.Note(s, "$schema", diag.Ignored,
			"this dialect is unknown; the schema is read as "+Dialects()[otherwise.age()])
	}
	return otherwise
}

// customDialect returns the dialect of schemas whose $schema is one of the given documents: the dialect of that
// document, without assertions if its vocabulary excludes them.
func (p *Reader) customDialect(uri string) (Dialect, bool) {
	uri = strings.TrimSuffix(uri, "#")
	for _, doc := range p.refs.documents {
		if strings.TrimSuffix(doc.uri, "#") != uri {
			continue
		}
		s := p.Tree.Get(doc.root, "$schema")
		if s == 0 || p.Tree.Kind(s) != jsontext.String {
			return 0, false
		}
		d, ok := dialectOf(p.Tree.Node(s).Text)
		if v := p.Tree.Get(doc.root, "$vocabulary"); ok && v != 0 && p.Tree.Kind(v) == jsontext.Object {
			for c := range p.Tree.Children(v) {
				if strings.HasSuffix(p.Tree.Node(c).Key, "/vocab/validation") {
					return d, true
				}
			}
			d = d.bare()
		}
		return d, ok
	}
	return 0, false
}

// DialectAt returns the dialect of a schema node.
func (p *Reader) DialectAt(node jsontext.ID) Dialect {
	if !p.refs.nested && len(p.refs.documents) == 0 {
		return p.refs.main
	}
	root := p.resourceOf(node)
	if d, ok := p.refs.dialects[root]; ok {
		return d
	}
	otherwise := p.refs.main
	if up := p.Tree.Node(root).Parent; up != 0 {
		otherwise = p.DialectAt(up)
	}
	d := p.ownDialect(root, otherwise)
	if p.refs.dialects == nil {
		p.refs.dialects = map[jsontext.ID]Dialect{}
	}
	p.refs.dialects[root] = d
	return d
}

func (p *Reader) idOf(node jsontext.ID) string {
	t := p.Tree
	if t.Kind(node) != jsontext.Object {
		return ""
	}
	for _, key := range [...]string{"$id", "id"} {
		if c := t.Get(node, key); c != 0 && t.Kind(c) == jsontext.String {
			text := t.Node(c).Text
			d := p.ownDialect(t.Root(node), p.refs.main)
			if (key == "id") != (d == draft4) {
				continue
			}
			if t.Get(node, "$ref") != 0 && d <= Draft7 {
				continue // siblings of $ref have no effect there, even $id
			}
			if i := strings.IndexByte(text, '#'); i >= 0 {
				text = text[:i]
			}
			return text
		}
	}
	return ""
}

func (p *Reader) resourceOf(node jsontext.ID) jsontext.ID {
	if !p.refs.nested {
		return p.Tree.Root(node)
	}
	r := &p.refs
	if r.rootOf == nil {
		r.rootOf, r.baseOf = map[jsontext.ID]jsontext.ID{}, map[jsontext.ID]string{}
	}
	first, root := node, jsontext.ID(0)
	for root == 0 {
		up := p.Tree.Node(node).Parent
		switch known := r.rootOf[node]; {
		case known != 0:
			root = known
		case up == 0 || p.idOf(node) != "" && p.isSchemaPlace(node):
			root = node
		default:
			node = up
		}
	}
	for at := first; at != node; at = p.Tree.Node(at).Parent {
		r.rootOf[at] = root
	}
	r.rootOf[node] = root
	return root
}

// isSchemaPlace reports whether an object can be a schema: an "$id" inside enum, const or default is data.
func (p *Reader) isSchemaPlace(node jsontext.ID) bool {
	t := p.Tree
	for up := t.Node(node).Parent; up != 0; node, up = up, t.Node(up).Parent {
		n := t.Node(node)
		if t.Kind(up) == jsontext.Object && (n.Key == "enum" || n.Key == "const" || n.Key == "default" ||
			n.Key == "examples") {
			// Unless that key is a name: a property may be called enum.
			if holder := t.Node(up).Key; holder != "properties" && holder != "definitions" && holder != "$defs" &&
				holder != "patternProperties" {
				return false
			}
		}
	}
	return true
}

func (p *Reader) baseURI(resource jsontext.ID) string {
	id := p.idOf(resource)
	up := p.Tree.Node(resource).Parent
	if up != 0 {
		base, known := p.refs.baseOf[resource]
		if !known {
			base = resolveURI(p.baseURI(p.resourceOf(up)), id)
			if p.refs.baseOf != nil {
				p.refs.baseOf[resource] = base
			}
		}
		return base
	}
	return resolveURI(p.refs.documentURI(p.Tree.Origin(resource)), id)
}

func resolveURI(base, ref string) string {
	if ref == "" {
		return base
	}
	b, err := url.Parse(base)
	r, refErr := url.Parse(ref)
	if err != nil || refErr != nil || b.Opaque != "" && !r.IsAbs() {
		return ref
	}
	return b.ResolveReference(r).String() // net/url begins relative paths with a slash, here in every identifier
}

// scan looks for identifiers in the documents. It must run before the first question about dialects if there may be
// any.
func (p *Reader) scan() {
	t := p.Tree
	for i := 1; i < t.Len(); i++ {
		switch n := t.Node(jsontext.ID(i)); n.Key {
		case "$id", "id":
			if n.Kind == jsontext.String && n.Parent != 0 && t.Node(n.Parent).Parent != 0 &&
				!strings.HasPrefix(n.Text, "#") {
				p.refs.nested = p.refs.nested || (n.Key == "id") == (p.refs.main == draft4) || len(p.refs.documents) > 0
			}
		case "$recursiveAnchor":
			if n.Kind == jsontext.True {
				p.refs.scopes.count("")
			}
		case "$dynamicAnchor":
			if n.Kind == jsontext.String {
				p.refs.scopes.count(n.Text)
			}
		case "$recursiveRef":
			p.refs.scopes.ask("")
		case "$dynamicRef":
			p.refs.scopes.ask(nameIn(n.Text))
		}
	}
	s := &p.refs.scopes
	resources := p.refs.nested || len(p.refs.documents) > 0
	if s.several() || s.asked[""] && s.names[""] > 0 && resources {
		s.matter, p.refs.nested = true, true
	}
}

func (p *Reader) buildIndexes() {
	r, t := &p.refs, p.Tree
	if r.resources != nil {
		return
	}
	r.resources, r.anchors = map[string]jsontext.ID{}, map[anchorKey]jsontext.ID{}
	r.scopes.anchors = map[jsontext.ID][]binding{}
	r.resources[p.baseURI(p.Root)] = p.Root
	for _, d := range r.documents {
		r.resources[resolveURI("", d.uri)] = d.root
		r.resources[p.baseURI(d.root)] = d.root
	}
	for i := 1; i < t.Len(); i++ {
		n := t.Node(jsontext.ID(i))
		if n.Parent == 0 || t.Origin(jsontext.ID(i)) != jsontext.ID(i) {
			continue
		}
		if n.Key == "$recursiveAnchor" && n.Kind == jsontext.True {
			r.scopes.anchor(n.Parent, "", n.Parent)
		}
		if n.Kind != jsontext.String {
			continue
		}
		switch n.Key {
		case "$anchor", "$dynamicAnchor":
			r.anchors[anchorKey{p.resourceOf(n.Parent), n.Text}] = n.Parent
			if n.Key == "$dynamicAnchor" {
				r.scopes.anchor(p.resourceOf(n.Parent), n.Text, n.Parent)
			}
		case "$id", "id":
			if strings.HasPrefix(n.Text, "#") {
				r.anchors[anchorKey{p.resourceOf(n.Parent), n.Text[1:]}] = n.Parent
			} else if p.idOf(n.Parent) != "" && p.isSchemaPlace(n.Parent) {
				r.resources[p.baseURI(n.Parent)] = n.Parent
			}
		}
	}
}

// Resolve returns the schema of the $ref at node, or zero.
func (p *Reader) Resolve(ref jsontext.ID) jsontext.ID {
	if !p.IsString(ref) {
		return 0
	}
	target := p.followed(ref)
	if target == 0 || !p.refs.scopes.matter {
		return target
	}
	p.buildIndexes()
	return p.place(target, p.environmentOf(p.resourceOf(ref)))
}

// followed returns the target of a reference, or zero. A target missing in a known document is an error.
func (p *Reader) followed(ref jsontext.ID) jsontext.ID {
	ref = p.Tree.Origin(ref)
	if target, ok := p.refs.targets[ref]; ok {
		return target
	}
	target, document := p.follow(ref, p.Tree.Node(ref).Text)
	if target == 0 && document {
		p.Invalid(ref, p.Tree.Node(ref).Key, "nothing is at "+Quote(p.Tree.Node(ref).Text)+"; correct the reference")
	}
	if p.refs.targets == nil {
		p.refs.targets = map[jsontext.ID]jsontext.ID{}
	}
	p.refs.targets[ref] = target
	return target
}

// follow returns the target of a reference, and whether its document is known.
func (p *Reader) follow(ref jsontext.ID, text string) (target jsontext.ID, document bool) {
	resource := p.resourceOf(ref)
	uri, fragment := text, ""
	if i := strings.IndexByte(text, '#'); i >= 0 {
		uri, fragment = text[:i], text[i+1:]
	}
	if strings.IndexByte(fragment, '%') >= 0 {
		if s, err := url.PathUnescape(fragment); err == nil {
			fragment = s
		}
	}
	if uri != "" {
		p.buildIndexes()
		absolute := resolveURI(p.baseURI(resource), uri)
		var ok bool
		if resource, ok = p.refs.resources[absolute]; !ok {
			if resource, ok = p.refs.resources[strings.TrimSuffix(absolute, "/")]; !ok {
				return 0, false
			}
		}
	}
	if fragment == "" {
		return resource, true
	}
	if fragment[0] == '/' {
		if resource != p.Root {
			return p.Tree.Resolve(resource, fragment), true
		}
		// Many references share few targets, and a search takes time linear in the definitions before it.
		target, ok := p.refs.byText[fragment]
		if !ok {
			target = p.Tree.Resolve(resource, fragment)
			if p.refs.byText == nil {
				p.refs.byText = map[string]jsontext.ID{}
			}
			p.refs.byText[fragment] = target
		}
		return target, true
	}
	p.buildIndexes()
	return p.refs.anchors[anchorKey{resource, fragment}], true
}
