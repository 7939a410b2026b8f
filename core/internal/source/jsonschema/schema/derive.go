package schema

import (
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Some tests and alternatives are schemas that no document contains: one keyword of a schema, or the union of some
// members of a oneOf. They are built here, each once, so that their goals are interned. Each has a node as its origin.

type derivation struct {
	node jsontext.ID
	what string
}

// Derive returns the derived schema with that name and origin. build makes it at the first call.
func (p *Reader) Derive(node jsontext.ID, what string, build func() jsontext.ID) jsontext.ID {
	key := derivation{node, what}
	if id, ok := p.made[key]; ok {
		return id
	}
	if p.made == nil {
		p.made = map[derivation]jsontext.ID{}
	}
	id := build()
	p.made[key] = id
	return id
}

func identity(key string) bool { return key == "$schema" || key == "$id" || key == "id" }

// Only returns the schema with only the given keywords.
func (p *Reader) Only(schema jsontext.ID, keys ...string) jsontext.ID {
	return p.Derive(schema, strings.Join(keys, " "), func() jsontext.ID {
		return p.Tree.Select(schema, func(key string) bool {
			for _, k := range keys {
				if k == key {
					return true
				}
			}
			return identity(key)
		})
	})
}

// AnyOfThese returns the union of schemas.
func (p *Reader) AnyOfThese(node jsontext.ID, schemas []jsontext.ID) jsontext.ID {
	if len(schemas) == 1 {
		return schemas[0]
	}
	return p.listing(node, "anyOf", schemas)
}

// EnumOf returns a schema that allows only the values.
func (p *Reader) EnumOf(node jsontext.ID, values []jsontext.ID) jsontext.ID {
	return p.listing(node, "enum", values)
}

// listing returns a schema of one keyword with a list.
func (p *Reader) listing(node jsontext.ID, keyword string, list []jsontext.ID) jsontext.ID {
	var what strings.Builder
	what.WriteString(keyword)
	for _, x := range list {
		what.WriteByte(' ')
		what.WriteString(strconv.Itoa(int(x)))
	}
	return p.Derive(node, what.String(), func() jsontext.ID {
		schema := p.Tree.NewObject(node)
		p.Tree.Put(schema, keyword, p.Tree.NewArray(node, list...))
		return schema
	})
}

// ExtrasOnly returns a schema with the additionalProperties of schema for undeclared keys and no other restriction.
func (p *Reader) ExtrasOnly(schema jsontext.ID) jsontext.ID {
	return p.Derive(schema, "extras", func() jsontext.ID {
		t := p.Tree
		only := t.Select(schema, func(key string) bool { return key == "additionalProperties" || identity(key) })
		anything := t.NewBool(schema, true)
		for _, group := range [...]string{"properties", "patternProperties"} {
			c := t.Get(schema, group)
			if c == 0 {
				continue
			}
			var keys []string
			for d := range t.Children(c) {
				keys = append(keys, t.Node(d).Key)
			}
			named := t.NewObject(c)
			t.PutAll(named, keys, anything)
			t.Put(only, group, named)
		}
		return only
	})
}

// Strings returns a schema that allows only strings. Beside it, restrictions of other types do not matter.
func (p *Reader) Strings(node jsontext.ID) jsontext.ID {
	return p.Derive(node, "strings", func() jsontext.ID {
		schema := p.Tree.NewObject(node)
		p.Tree.Put(schema, "type", p.Tree.NewString(node, "string"))
		return schema
	})
}

// DependencyOnly returns a schema with a single entry of dependencies.
func (p *Reader) DependencyOnly(entry jsontext.ID) jsontext.ID {
	return p.Derive(entry, "dependency", func() jsontext.ID {
		t := p.Tree
		group := t.Node(entry).Parent
		schema, list := t.NewObject(group), t.NewObject(group)
		t.Put(list, t.Node(entry).Key, entry)
		t.Put(schema, t.Node(group).Key, list)
		return schema
	})
}
