package jsonschema

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Tests and alternatives that nobody wrote as a schema of their own are written as one here: a schema with just one of
// another's keywords, the union of some members of a oneOf. Each is made once, so that goals of it are interned like
// all others, and stands for the node it was made of.

// derivation names a derived schema by the node it stands for.
type derivation struct {
	node jsontext.ID
	what string
}

func (p *planner) derive(node jsontext.ID, what string, build func() jsontext.ID) jsontext.ID {
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

// identity says whether a keyword says what a schema is, not what it demands.
func identity(key string) bool { return key == "$schema" || key == "$id" || key == "id" }

// only returns the schema with no keywords but those.
func (p *planner) only(schema jsontext.ID, keys ...string) jsontext.ID {
	return p.derive(schema, strings.Join(keys, " "), func() jsontext.ID {
		return p.tree.Select(schema, func(key string) bool {
			for _, k := range keys {
				if k == key {
					return true
				}
			}
			return identity(key)
		})
	})
}

// anyOfThese returns the union of the atoms' nodes, whatever their signs.
func (p *planner) anyOfThese(node jsontext.ID, atoms []atom) jsontext.ID {
	if len(atoms) == 1 {
		return atoms[0].node()
	}
	var what strings.Builder
	what.WriteString("anyOf")
	members := make([]jsontext.ID, len(atoms))
	for i, a := range atoms {
		members[i] = a.node()
		what.WriteByte(' ')
		what.WriteString(itoa(int(a.node())))
	}
	return p.derive(node, what.String(), func() jsontext.ID {
		schema := p.tree.NewObject(node)
		p.tree.Put(schema, "anyOf", p.tree.NewArray(node, members...))
		return schema
	})
}

// extrasOnly returns what additionalProperties of the schema says of undeclared keys, without what is said of others.
func (p *planner) extrasOnly(schema jsontext.ID) jsontext.ID {
	return p.derive(schema, "extras", func() jsontext.ID {
		t := p.tree
		only := t.Select(schema, func(key string) bool { return key == "additionalProperties" || identity(key) })
		anything := t.NewBool(schema, true)
		for _, group := range [...]string{"properties", "patternProperties"} {
			c := t.Get(schema, group)
			if c == 0 {
				continue
			}
			var keys []string
			for d := t.Node(c).First; d != 0; d = t.Node(d).Next {
				keys = append(keys, t.Node(d).Key)
			}
			named := t.NewObject(c)
			t.PutAll(named, keys, anything)
			t.Put(only, group, named)
		}
		return only
	})
}

// strings returns a schema that allows just strings. Beside it, what a schema says of other types is never looked at.
func (p *planner) strings(node jsontext.ID) jsontext.ID {
	return p.derive(node, "strings", func() jsontext.ID {
		schema := p.tree.NewObject(node)
		p.tree.Put(schema, "type", p.tree.NewString(node, "string"))
		return schema
	})
}

// enumOf returns a schema that allows just the values.
func (p *planner) enumOf(node jsontext.ID, values []jsontext.ID) jsontext.ID {
	var what strings.Builder
	what.WriteString("enum")
	for _, v := range values {
		what.WriteByte(' ')
		what.WriteString(itoa(int(v)))
	}
	return p.derive(node, what.String(), func() jsontext.ID {
		schema := p.tree.NewObject(node)
		p.tree.Put(schema, "enum", p.tree.NewArray(node, values...))
		return schema
	})
}

// dependencyOnly returns the schema that says of one entry of dependencies what all of them say.
func (p *planner) dependencyOnly(entry jsontext.ID) jsontext.ID {
	return p.derive(entry, "dependency", func() jsontext.ID {
		t := p.tree
		group := t.Node(entry).Parent
		schema, list := t.NewObject(group), t.NewObject(group)
		t.Put(list, t.Node(entry).Key, entry)
		t.Put(schema, t.Node(group).Key, list)
		return schema
	})
}
