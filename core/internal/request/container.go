package request

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// contained is a grammar of LLGuidance's container.
type contained struct {
	at         jsontext.ID
	name       string
	constraint *Constraint
}

// container reads LLGuidance's list of grammars. The output starts at the first one. @name in Lark refers to the
// others, and to the option grammars.
func (r *reader) container(id jsontext.ID) *Constraint {
	n := r.tree.Node(id)
	if n.Kind != jsontext.Array || n.Count == 0 {
		return r.none(id, "grammars must be a list with at least one grammar")
	}
	if n.Count > limits.RequestTools {
		r.failure(diag.Limit, id, "the list has %d grammars, more than the limit of %d; remove some", n.Count,
			limits.RequestTools)
	}
	var all []contained
	for c := range r.tree.Children(id) {
		all = append(all, r.contained(c))
	}
	first := &all[0]
	if len(all) > 1 && first.constraint.Kind != source.Lark {
		r.wrong(all[1].at, "the output starts at the first grammar, a JSON schema, which refers to no other; "+
			"remove this grammar, or put it first")
	}
	// Another grammar may refer to the first one, too.
	again := first.name != "" && slices.ContainsFunc(all, func(g contained) bool {
		return g.constraint.Kind == source.Lark && strings.Contains(string(g.constraint.Spec), "@"+first.name)
	})
	named := maps.Clone(r.o.Grammars)
	for i, g := range all {
		if i == 0 && !again {
			continue
		}
		r.name(&named, g)
	}
	r.o.Grammars = named
	return first.constraint
}

func (r *reader) contained(id jsontext.ID) contained {
	g := contained{at: id}
	if k := r.tree.Kind(id); k != jsontext.Object {
		r.wrong(id, "a grammar must be an object with lark_grammar or json_schema, not %s", k)
	}
	known := []string{"lark_grammar", "json_schema", "name"}
	for c := range r.tree.Children(id) {
		if m := r.tree.Node(c); !slices.Contains(known, m.Key) && m.Kind != jsontext.Null {
			r.failure(diag.Unsupported, c, "a grammar has no field %s; it takes name, and lark_grammar or json_schema",
				diag.Shorten(m.Key, 40))
		}
	}
	if r.get(id, "name") != 0 {
		g.name = r.text(id, "name")
	}
	lark, schema := r.get(id, "lark_grammar"), r.get(id, "json_schema")
	switch {
	case lark != 0 && schema != 0:
		g.constraint = r.none(id, "Cannot specify both 'lark_grammar' and 'json_schema' in the same "+
			"request; remove one")
	case lark != 0:
		g.constraint = r.written(source.Lark, lark)
	case schema != 0:
		g.constraint = r.schema(schema)
	default:
		g.constraint = r.none(id, "a grammar must have lark_grammar or json_schema; add one")
	}
	return g
}

// name adds a grammar under its name.
func (r *reader) name(named *map[string]source.NamedGrammar, g contained) {
	if g.name == "" {
		r.wrong(g.at, "every grammar after the first must have a name, by which Lark refers to it; add the field name")
	}
	if _, ok := (*named)[g.name]; ok {
		r.wrong(g.at, "another grammar has the name %q, too; rename one", diag.Shorten(g.name, 40))
	}
	if *named == nil {
		*named = map[string]source.NamedGrammar{}
	}
	x := source.NamedGrammar{Lark: string(g.constraint.Spec)}
	switch g.constraint.Kind {
	case source.JSONSchema:
		x = source.NamedGrammar{Schema: g.constraint.Spec}
	case source.AnyJSON:
		x = source.NamedGrammar{Schema: []byte("true")}
	}
	(*named)[g.name] = x
}
