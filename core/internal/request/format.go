package request

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// constraint returns the value id as a constraint: a string's content, or the JSON itself.
func (r *reader) constraint(kind source.Kind, id jsontext.ID) *Constraint {
	c := &Constraint{Kind: kind, pointer: r.tree.Pointer(id)}
	if n := r.tree.Node(id); n.Kind == jsontext.String {
		c.Spec, c.inText = []byte(n.Text), true
	} else {
		c.Spec = []byte(r.tree.Raw(id))
	}
	return c
}

// none is the constraint where something is wrong.
func (r *reader) none(id jsontext.ID, format string, args ...any) *Constraint {
	r.wrong(id, format, args...)
	return &Constraint{}
}

// anyJSON is how SGLang writes that any JSON value will do.
const anyJSON = "$$ANY$$"

// schema reads a JSON Schema: an object, a boolean, or a text that holds one.
func (r *reader) schema(id jsontext.ID) *Constraint {
	switch n := r.tree.Node(id); n.Kind {
	case jsontext.Object, jsontext.True, jsontext.False:
	case jsontext.String:
		if n.Text == anyJSON {
			return r.constraint(source.AnyJSON, id)
		}
	default:
		r.wrong(id, "a JSON Schema is an object, or a text that holds one, not %s", n.Kind)
	}
	return r.constraint(source.JSONSchema, id)
}

func (r *reader) jsonObject(id jsontext.ID) *Constraint {
	if r.tree.Kind(id) != jsontext.True {
		r.wrong(id, "this is true or false")
	}
	return &Constraint{Kind: source.JSONObject, pointer: r.tree.Pointer(id)}
}

// written reads a constraint that is text.
func (r *reader) written(kind source.Kind, id jsontext.ID) *Constraint {
	if n := r.tree.Node(id); n.Kind != jsontext.String {
		r.wrong(id, "this is a string, not %s", n.Kind)
	}
	return r.constraint(kind, id)
}

func (r *reader) regex(id jsontext.ID) *Constraint { return r.written(source.Regex, id) }

func (r *reader) ebnf(id jsontext.ID) *Constraint { return r.written(source.EBNF, id) }

func (r *reader) choice(id jsontext.ID) *Constraint {
	if n := r.tree.Node(id); n.Kind != jsontext.Array {
		r.wrong(id, "this is a list of strings, not %s", n.Kind)
	}
	return r.constraint(source.Choice, id)
}

// grammar reads EBNF or Lark. Hugging Face's servers have an object here.
func (r *reader) grammar(id jsontext.ID) *Constraint {
	n := r.tree.Node(id)
	if n.Kind != jsontext.Object {
		return r.written(source.GrammarText.Resolve([]byte(n.Text)), id)
	}
	kind, value := r.text(id, "type"), r.get(id, "value")
	if value == 0 {
		r.wrong(id, "the field %q is missing here", "value")
	}
	switch kind {
	case "json", "json_object":
		return r.schema(value)
	case "json_schema":
		return r.named(value)
	case "regex":
		return r.regex(value)
	}
	return r.none(r.get(id, "type"), "the type of a grammar is json, json_schema or regex")
}

func (r *reader) structuralTag(id jsontext.ID) *Constraint {
	if n := r.tree.Node(id); n.Kind != jsontext.Object && n.Kind != jsontext.String {
		r.wrong(id, "a structural tag is an object, or a text that holds one, not %s", n.Kind)
	}
	return r.constraint(source.StructuralTag, id)
}

// formatTypes are the types of a response_format, for messages.
const formatTypes = "text, json_object, json_schema, regex, ebnf, lark, grammar, choice, structural_tag"

// responseFormat reads OpenAI's response_format or text.format, and what other servers write in its place.
func (r *reader) responseFormat(id jsontext.ID) *Constraint {
	if n := r.tree.Node(id); n.Kind != jsontext.Object {
		r.wrong(id, `a response format is an object such as {"type": "json_object"}, not %s`, n.Kind)
	}
	name := r.text(id, "type")
	r.onlyOf(id, name)
	switch name {
	case "json_schema":
		return r.named(id)
	case "json_object":
		if schema := r.get(id, "schema"); schema != 0 {
			return r.schema(schema)
		}
		return &Constraint{Kind: source.JSONObject, pointer: r.tree.Pointer(id)}
	case "regex":
		return r.either(id, (*reader).regex, "pattern", "regex")
	case "ebnf", "lark", "choice":
		read := map[string]func(*reader, jsontext.ID) *Constraint{
			"ebnf": (*reader).ebnf, "choice": (*reader).choice,
			"lark": func(r *reader, id jsontext.ID) *Constraint { return r.written(source.Lark, id) },
		}[name]
		return r.either(id, read, name)
	case "grammar":
		if r.get(id, "syntax") != 0 {
			return r.customGrammar(id)
		}
		return r.either(id, (*reader).grammar, "grammar")
	case "structural_tag":
		return r.structuralTag(id)
	}
	return r.none(r.get(id, "type"), "there is no response format of this type; there are %s", formatTypes)
}

// formatFields are the fields of response formats that hold a constraint, and those of each type that has some.
var (
	formatFields = []string{"json_schema", "schema", "pattern", "regex", "ebnf", "lark", "choice", "grammar"}
	formatsOf    = map[string][]string{
		"json_schema": {"json_schema", "schema"}, "json_object": {"schema"}, "regex": {"pattern", "regex"},
		"ebnf": {"ebnf"}, "lark": {"lark"}, "choice": {"choice"}, "grammar": {"grammar"},
	}
)

// onlyOf refuses a response format with two constraints: two fields that hold one, or one that its type does not have.
func (r *reader) onlyOf(id jsontext.ID, typed string) {
	first := ""
	for _, name := range formatFields {
		switch there := r.get(id, name); {
		case there == 0 || formatsOf[typed] == nil:
		case first != "":
			r.wrong(there, "Cannot specify both '%s' and '%s' in the same response format: an output has one constraint",
				first, name)
		case !slices.Contains(formatsOf[typed], name):
			r.wrong(there, "a response format of the type %s has no %s: an output has one constraint", typed, name)
		default:
			first = name
		}
	}
}

// either reads the field that is there.
func (r *reader) either(
	object jsontext.ID, read func(*reader, jsontext.ID) *Constraint, names ...string,
) *Constraint {
	for _, name := range names {
		if id := r.get(object, name); id != 0 {
			return read(r, id)
		}
	}
	return r.none(object, "the field %q is missing here", names[0])
}

// named reads {"json_schema": {"name": …, "schema": …}}, or the inner object itself.
func (r *reader) named(id jsontext.ID) *Constraint {
	inner := r.within(id, "json_schema")
	if schema := r.get(inner, "schema"); schema != 0 {
		return r.schema(schema)
	}
	return r.none(inner, "the field %q is missing here", "schema")
}

// customGrammar reads the grammar of one of OpenAI's custom tools: {"syntax": "lark" | "regex", "definition": …}.
func (r *reader) customGrammar(id jsontext.ID) *Constraint {
	syntax := r.text(id, "syntax")
	r.text(id, "definition")
	switch syntax {
	case "lark":
		return r.constraint(source.Lark, r.get(id, "definition"))
	case "regex":
		return r.constraint(source.Regex, r.get(id, "definition"))
	}
	return r.none(r.get(id, "syntax"), "the syntax of a grammar is lark or regex")
}
