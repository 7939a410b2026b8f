package request

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
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

// none records an error and returns no constraint.
func (r *reader) none(id jsontext.ID, format string, args ...any) *Constraint {
	r.wrong(id, format, args...)
	return &Constraint{}
}

// anyJSON is how SGLang writes that any JSON value will do.
const anyJSON = "$$ANY$$"

// schema reads a JSON Schema: an object, a boolean, or a text that holds one.
func (r *reader) schema(id jsontext.ID) *Constraint {
	switch n := r.tree.Node(id); n.Kind {
	case jsontext.Object:
		r.wrapped(id)
	case jsontext.True, jsontext.False:
	case jsontext.String:
		if n.Text == anyJSON {
			return r.constraint(source.AnyJSON, id)
		}
		r.wrappedText(id)
	default:
		r.wrong(id, "a JSON Schema must be an object, a boolean, or a string with one as JSON, not %s", n.Kind)
	}
	return r.constraint(source.JSONSchema, id)
}

// wrapped refuses a schema in a member of an object that should be the schema. As a schema, the object would have an
// unknown keyword and allow everything.
func (r *reader) wrapped(id jsontext.ID) {
	if name := wrapper(&r.tree, id); name != "" {
		r.wrong(r.get(id, name), noKeyword, name)
	}
}

const noKeyword = "JSON Schema has no keyword %s, so this would not be enforced; if this is the schema, remove the " +
	"object around it"

// wrappedText is wrapped for a text that holds an object. A text that holds none fails when it is compiled.
func (r *reader) wrappedText(id jsontext.ID) {
	var t jsontext.Tree
	if root, err := t.Read([]byte(r.tree.Node(id).Text), sourceName); err == nil {
		if name := wrapper(&t, root); name != "" {
			r.wrong(id, "at /%s: "+noKeyword, name, name)
		}
	}
}

// wrapper returns the member in which an object holds a schema, as an object or as a text with one; "" without any.
func wrapper(t *jsontext.Tree, object jsontext.ID) string {
	for _, name := range []string{"schema", "json_schema", "jsonSchema", "json"} {
		x := t.Get(object, name)
		if k := t.Kind(x); k == jsontext.Object || k == jsontext.String && holdsObject(t.Node(x).Text) {
			return name
		}
	}
	return ""
}

func holdsObject(text string) bool {
	var t jsontext.Tree
	root, err := t.Read([]byte(text), sourceName)
	return err == nil && t.Kind(root) == jsontext.Object
}

func (r *reader) jsonObject(id jsontext.ID) *Constraint {
	if n := r.tree.Node(id); n.Kind != jsontext.True {
		r.wrong(id, "%s must be true or false, not %s", n.Key, n.Kind)
	}
	return &Constraint{Kind: source.JSONObject, pointer: r.tree.Pointer(id)}
}

func (r *reader) written(kind source.Kind, id jsontext.ID) *Constraint {
	if n := r.tree.Node(id); n.Kind != jsontext.String {
		r.wrong(id, "%s must be a string, not %s", n.Key, n.Kind)
	}
	return r.constraint(kind, id)
}

func (r *reader) regex(id jsontext.ID) *Constraint { return r.written(source.Regex, id) }

func (r *reader) ebnf(id jsontext.ID) *Constraint { return r.written(source.EBNF, id) }

func (r *reader) lark(id jsontext.ID) *Constraint { return r.written(source.Lark, id) }

func (r *reader) choice(id jsontext.ID) *Constraint {
	if n := r.tree.Node(id); n.Kind != jsontext.Array {
		r.wrong(id, "%s must be a list of strings, not %s", n.Key, n.Kind)
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
		r.wrong(id, "the field %q is missing here; add it", "value")
	}
	r.unread(id, "value")
	switch kind {
	case "json", "json_object":
		return r.schema(value)
	case "json_schema":
		return r.named(value)
	case "regex":
		return r.regex(value)
	}
	return r.none(r.get(id, "type"), `the type of a grammar must be "json", "json_schema" or "regex"`)
}

func (r *reader) structuralTag(id jsontext.ID) *Constraint {
	if n := r.tree.Node(id); n.Kind != jsontext.Object && n.Kind != jsontext.String {
		r.wrong(id, "a structural tag must be an object, or a string with one as JSON, not %s", n.Kind)
	}
	return r.constraint(source.StructuralTag, id)
}

// formatTypes are the types of response formats, each with the fields that may hold its constraint. Text Generation
// Inference has "value", TensorRT-LLM the type "json", LiteLLM "response_schema".
var formatTypes = map[string][]field{
	"text": nil,
	"json": {
		{"schema", (*reader).schema, never},
		{"value", (*reader).schema, never},
		{"response_schema", (*reader).schema, never},
	},
	"json_object": {
		{"schema", (*reader).schema, never},
		{"value", (*reader).schema, never},
		{"response_schema", (*reader).schema, never},
	},
	"json_schema": {
		{"json_schema", (*reader).named, never}, {"schema", (*reader).schema, never}, {"value", (*reader).named, never},
	},
	"regex": {
		{"pattern", (*reader).regex, never}, {"regex", (*reader).regex, never}, {"value", (*reader).regex, never},
	},
	"ebnf":           {{"ebnf", (*reader).ebnf, never}},
	"lark":           {{"lark", (*reader).lark, never}},
	"choice":         {{"choice", (*reader).choice, never}},
	"grammar":        {{"grammar", (*reader).grammar, never}},
	"structural_tag": nil,
}

// formatNames are the names of formatTypes in the order of messages.
const formatNames = "text, json_object, json_schema, regex, ebnf, lark, grammar, choice, structural_tag"

// formatSettings are fields of response formats that constrain nothing, or only together with another one.
var formatSettings = []string{"type", "name", "description", "strict", "enforce_validation", "syntax", "definition"}

// responseFormat reads OpenAI's response_format or text.format, and other servers' formats in its place.
func (r *reader) responseFormat(id jsontext.ID) *Constraint {
	if n := r.tree.Node(id); n.Kind != jsontext.Object {
		r.wrong(id, `a response format must be an object such as {"type": "json_object"}, not %s`, n.Kind)
	}
	typed := r.text(id, "type")
	if typed == "structural_tag" {
		r.unread(id, "format", "structures", "triggers")
		return r.structuralTag(id)
	}
	fields, ok := formatTypes[typed]
	if !ok {
		return r.none(r.get(id, "type"), "there is no response format of this type; %s",
			diag.Choices(typed, strings.Split(formatNames, ", ")))
	}
	if typed == "grammar" && r.get(id, "syntax") != 0 {
		c := r.customGrammar(id)
		r.formatOf(id, typed, nil)
		return c
	}
	f, strict := r.formatOf(id, typed, fields), r.flag(id, "strict", false)
	switch {
	case f != nil:
		c := f.read(r, f.at)
		c.closed = c.closed || strict
		return c
	case typed == "json_object":
		return &Constraint{Kind: source.JSONObject, pointer: r.tree.Pointer(id)}
	case typed == "json":
		return &Constraint{Kind: source.AnyJSON, pointer: r.tree.Pointer(id)}
	}
	return r.none(id, "the field %q is missing here; add it", fields[0].name)
}

// formatOf returns the field of a response format that holds its constraint, or nil. A second one is an error, and so
// is a field that its type does not have, since it would not be enforced.
func (r *reader) formatOf(id jsontext.ID, typed string, fields []field) (first *found) {
	for c := range r.tree.Children(id) {
		n := r.tree.Node(c)
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == n.Key })
		switch {
		case n.Kind == jsontext.Null || slices.Contains(formatSettings, n.Key):
		case i < 0 && (n.Kind == jsontext.Object || n.Kind == jsontext.Array || r.constrains(c)):
			r.wrong(c, "a response format of type %s has no field %s, so this would not be enforced; remove it",
				typed, diag.Shorten(n.Key, 40))
		case i >= 0 && first != nil:
			r.wrong(c, "Cannot specify both '%s' and '%s' in the same response format; an output has one "+
				"constraint, so remove one", first.name, n.Key)
		case i >= 0:
			first = &found{fields[i], c}
		}
	}
	return first
}

// ollama reads Ollama's format: "json", which means any object, or a schema.
func (r *reader) ollama(id jsontext.ID) *Constraint {
	switch n := r.tree.Node(id); {
	case n.Kind == jsontext.String && n.Text == "json":
		return &Constraint{Kind: source.JSONObject, pointer: r.tree.Pointer(id)}
	case n.Kind != jsontext.Object:
		return r.none(id, `format must be "json" or a JSON Schema, not %s`, diag.Shorten(r.tree.Raw(id), fragment))
	}
	return r.schema(id)
}

var guideTypes = []string{"json", "json_schema", "regex", "ebnf_grammar", "structural_tag"}

// guide appends a guide of TensorRT-LLM, whose kind is in a field of its own.
func (r *reader) guide(all []found, object jsontext.ID, typeName, guideName string) []found {
	typed, guide := r.get(object, typeName), r.get(object, guideName)
	if typed == 0 {
		if guide != 0 {
			r.wrong(guide, "the field %q is missing here; add it", typeName)
		}
		return all
	}
	return append(all, found{field{name: typeName, read: func(r *reader, id jsontext.ID) *Constraint {
		kind := strings.ToLower(r.text(object, typeName))
		if kind == "json" && guide == 0 {
			return &Constraint{Kind: source.AnyJSON, pointer: r.tree.Pointer(id)}
		}
		read := map[string]func(*reader, jsontext.ID) *Constraint{
			"json_schema": (*reader).schema, "regex": (*reader).regex, "ebnf_grammar": (*reader).ebnf,
			"structural_tag": (*reader).structuralTag,
		}[kind]
		switch {
		case read == nil && kind == "json":
			return r.none(guide, `a guide of type "json" takes no %s; for a schema, write the type "json_schema"`,
				guideName)
		case read == nil:
			return r.none(id, "there is no guide of this type; %s", diag.Choices(kind, guideTypes))
		case guide == 0:
			return r.none(id, "the field %q is missing here; add it", guideName)
		}
		return read(r, guide)
	}}, typed})
}

// named reads {"name": …, "schema": …, "strict": …}, or a text that holds a schema.
func (r *reader) named(id jsontext.ID) *Constraint {
	if n := r.tree.Node(id); n.Kind != jsontext.Object {
		return r.none(id, "%s must be an object with a schema, not %s", n.Key, n.Kind)
	}
	r.unread(id, "schema")
	schema := r.get(id, "schema")
	if schema == 0 {
		return r.none(id, "the field %q is missing here; add it", "schema")
	}
	c := r.schema(schema)
	c.closed = r.flag(id, "strict", false)
	return c
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
	return r.none(r.get(id, "syntax"), `the syntax of a grammar must be "lark" or "regex"`)
}
