package request

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/request/family"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Tools is the part of a request about tools, in any of its shapes. Immutable.
type Tools struct {
	List     []family.Tool // the ones that may be called
	Choice   family.Choice
	Parallel bool // more than one call may be made

	at     jsontext.ID // the tools in the request, 0 if there are none
	forced jsontext.ID // the choice, if it forces a call
}

// ReadTools reads the tools of a request, and nothing else of it.
func ReadTools(body []byte) (*Tools, error) {
	r := &reader{}
	root, err := r.root(body)
	if err != nil {
		return nil, err
	}
	t := r.tools(root)
	if r.err != nil {
		return nil, r.err
	}
	if t.Choice == family.None {
		t.List = nil
	}
	return t, nil
}

// offered is a tool as it stands in a request.
type offered struct {
	family.Tool
	typed string // its type
}

// freeArguments is the schema of arguments of which only the type is known.
const freeArguments = `{"type":"object"}`

// tools reads the tools of a request and the choice among them.
func (r *reader) tools(root jsontext.ID) *Tools {
	t := &Tools{Parallel: true}
	all := r.offered(root)
	t.at = r.get(root, "tools")
	t.Parallel = r.flag(root, "parallel_tool_calls", true)
	t.List = make([]family.Tool, len(all))
	for i := range all {
		t.List[i] = all[i].Tool
	}
	choice := r.get(root, "tool_choice")
	if choice == 0 {
		return t
	}
	r.choose(t, all, choice)
	if t.Choice == family.Required || t.Choice == family.Named {
		t.forced = choice
		if len(t.List) == 0 {
			r.wrong(choice, "tool_choice requires a call, but the request has no tools; add them")
		}
	}
	return t
}

// offered reads the list of tools.
func (r *reader) offered(root jsontext.ID) (all []offered) {
	list := r.get(root, "tools")
	switch n := r.tree.Node(list); {
	case list == 0:
		return nil
	case n.Kind != jsontext.Array:
		r.wrong(list, "tools must be a list, not %s", n.Kind)
	case n.Count > limits.RequestTools:
		r.failure(diag.Limit, list, "the list has %d tools, more than the limit of %d; offer fewer", n.Count,
			limits.RequestTools)
	}
	known := map[string]bool{}
	for c := range r.tree.Children(list) {
		if r.err != nil {
			break
		}
		t := r.tool(c)
		if known[t.Name] {
			r.wrong(c, "another tool has the name %q, too; rename one", diag.Shorten(t.Name, 40))
		}
		known[t.Name] = true
		t.Index = len(all)
		all = append(all, t)
	}
	return all
}

// within returns an object member of an object, or the object itself without such a member.
func (r *reader) within(object jsontext.ID, name string) jsontext.ID {
	return cmp.Or(r.object(object, name), object)
}

// tool reads one tool, in the shapes of OpenAI's two interfaces, of Anthropic and of MCP.
func (r *reader) tool(id jsontext.ID) offered {
	if k := r.tree.Kind(id); k != jsontext.Object {
		r.wrong(id, "a tool must be an object, not %s", k)
	}
	t := offered{typed: "function"}
	if r.get(id, "type") != 0 {
		t.typed = r.text(id, "type")
	}
	inner := id
	switch {
	case r.get(id, "input_schema") != 0 || r.get(id, "inputSchema") != 0:
		t.typed = "function" // Anthropic calls its functions custom
	case t.typed == "function" || t.typed == "custom":
		inner = r.within(id, t.typed)
	default:
		t.Kind = family.Builtin
	}
	t.Name = r.toolName(inner, &t)
	if t.typed == "custom" {
		r.customTool(&t, inner)
	} else {
		r.arguments(&t, inner)
		t.Closed = t.Closed || r.flag(id, "strict", false)
	}
	for _, object := range []jsontext.ID{id, r.get(id, "function"), r.get(id, "custom")} {
		read := schemaFields
		switch {
		case object != inner:
			read = nil
		case t.typed == "custom":
			read = []string{"format"}
		case t.typed == "image_generation":
			read = []string{"output_format"} // of the image
		}
		r.unread(object, slices.Concat(read, resultFields)...)
		if x := r.get(object, "parameters"); r.tree.Kind(x) == jsontext.Object && !slices.Contains(read, "parameters") {
			r.wrong(x, "parameters are not read here and would not be enforced; put them beside the name of a function")
		}
		if t.Kind != family.Builtin {
			r.misnamed(object)
		}
	}
	return t
}

// misnamed refuses the schema of a function's arguments under a name that no interface has.
func (r *reader) misnamed(object jsontext.ID) {
	for _, name := range []string{"params", "args", "arguments", "properties"} {
		x := r.get(object, name)
		switch n := r.tree.Node(x); {
		case n.Kind == jsontext.Object, n.Kind == jsontext.Array, n.Kind == jsontext.String && n.Text != "":
			r.wrong(x, "%s are not read here and would not be enforced; name the schema of the arguments parameters",
				name)
		}
	}
}

func (r *reader) toolName(id jsontext.ID, t *offered) string {
	at := r.get(id, "name")
	if at == 0 && t.Kind == family.Builtin {
		return t.typed
	}
	name := r.text(id, "name")
	if wrong := family.CheckName(name); wrong != "" {
		r.wrong(at, "%s", wrong)
	}
	return name
}

// schemaFields are the fields with the schema of a function's arguments, resultFields those with one of its results.
var (
	schemaFields = []string{"parameters", "input_schema", "inputSchema"}
	resultFields = []string{"output_schema", "outputSchema"}
)

// arguments reads the schema of a function's arguments. strict false asks the engine not to enforce it, and strict true
// to forbid undeclared members. A schema that is not enforced still tells texts from numbers, and may have errors.
func (r *reader) arguments(t *offered, id jsontext.ID) {
	t.Schema = freeArguments
	x := jsontext.ID(0)
	for _, name := range schemaFields {
		switch there := r.get(id, name); {
		case there == 0:
		case x != 0:
			r.wrong(there, "a tool must have one schema; remove %s or %s", r.tree.Node(x).Key, name)
		default:
			x = there
		}
	}
	strict := r.flag(id, "strict", true)
	t.Closed = r.flag(id, "strict", false)
	if x == 0 {
		return
	}
	n := r.tree.Node(x)
	if n.Kind != jsontext.Object && n.Kind != jsontext.True && n.Kind != jsontext.False {
		r.wrong(x, "%s must be a JSON Schema, which is an object or a boolean, not %s", n.Key, n.Kind)
	}
	if !strict {
		t.Schema, t.Free = r.tree.Raw(x), true
		return
	}
	if n.Count == 0 && n.Kind != jsontext.False {
		return
	}
	r.wrapped(x)
	t.Schema, t.Pointer = r.tree.Raw(x), r.tree.Pointer(x)
	switch typed := r.tree.Get(x, "type"); {
	case n.Kind != jsontext.Object:
	case typed == 0: // readers of calls expect an object
		t.Schema = `{"type":"object",` + t.Schema[1:]
	case !r.onlyObjects(typed):
		r.wrong(typed, `the arguments of a tool must be an object; write "type": "object", and this schema as one of `+
			"its properties")
	}
}

// onlyObjects reports whether a type, or a list of types, means objects alone.
func (r *reader) onlyObjects(typed jsontext.ID) bool {
	if n := r.tree.Node(typed); n.Kind == jsontext.Array && n.Count == 1 {
		typed = n.First
	}
	return r.tree.Node(typed).Text == "object"
}

// customTool reads the format of a custom tool's input.
func (r *reader) customTool(t *offered, id jsontext.ID) {
	t.Kind = family.Raw
	t.Schema = `{"properties":{"input":{"type":"string"}}}` // for families that write all tools as functions
	t.Format = &family.Format{Type: "any_text"}
	format := r.object(id, "format")
	if format == 0 {
		return
	}
	switch name := r.text(format, "type"); name {
	case "text":
		r.unread(format)
	case "grammar":
		r.unread(format, "grammar")
		if c := r.customGrammar(r.within(format, "grammar")); r.err == nil {
			t.Format, r.err = r.embedded(c)
		}
	default:
		r.wrong(r.get(format, "type"), `the format of a custom tool must have the type "text" or "grammar"`)
	}
}

// embedded returns a constraint as a format of a structural tag.
func (r *reader) embedded(c *Constraint) (*family.Format, error) {
	quoted := func(kind, field string) (*family.Format, error) {
		text, err := json.Marshal(string(c.Spec))
		return &family.Format{Type: kind, Field: field, Value: string(text), Pointer: c.pointer, Opaque: true}, err
	}
	switch c.Kind {
	case source.JSONSchema:
		if c.inText && !json.Valid(c.Spec) {
			return nil, diag.Errorf(diag.Syntax, sourceName, diag.At(c.pointer), "the string must "+
				"contain a JSON Schema, but it is not valid JSON")
		}
		return &family.Format{
			Type: "json_schema", Field: "json_schema", Value: string(c.Spec), Pointer: c.pointer, Opaque: c.inText,
			Closed: c.closed,
		}, nil
	case source.JSONObject:
		return &family.Format{Type: "json_schema", Field: "json_schema", Value: freeArguments, Pointer: c.pointer}, nil
	case source.AnyJSON:
		return &family.Format{Type: "json_schema", Field: "json_schema", Value: "true", Pointer: c.pointer}, nil
	case source.Regex:
		return quoted("regex", "pattern")
	case source.EBNF:
		return quoted("grammar", "grammar")
	case source.Lark:
		f, err := quoted("grammar", "grammar")
		f.Syntax = "lark"
		return f, err
	case source.Choice:
		return r.alternatives(c)
	}
	return r.inner(c)
}

// alternatives returns a choice of texts as a format.
func (r *reader) alternatives(c *Constraint) (*family.Format, error) {
	var texts []*string // nil: null, which is no string
	if json.Unmarshal(c.Spec, &texts) != nil || len(texts) == 0 || slices.Contains(texts, nil) {
		return nil, diag.Errorf(diag.Invalid, sourceName, diag.At(c.pointer),
			"a choice must be a list of at least one string")
	}
	elements := make([]map[string]string, len(texts))
	for i, text := range texts {
		elements[i] = map[string]string{"type": "const_string", "value": *text}
	}
	value, err := json.Marshal(elements)
	return &family.Format{Type: "or", Field: "elements", Value: string(value), Pointer: c.pointer, Opaque: true}, err
}

// inner returns the format of a structural tag.
func (r *reader) inner(c *Constraint) (*family.Format, error) {
	var tag map[string]json.RawMessage // a struct would also take a member "FORMAT"
	if json.Unmarshal(c.Spec, &tag) != nil || tag["format"] == nil {
		return nil, diag.Errorf(diag.Unsupported, sourceName, diag.At(c.pointer),
			`with tools or reasoning, a structural tag must have a "format"; write one instead of "structures"`)
	}
	return &family.Format{Value: string(tag["format"]), Pointer: c.pointer + "/format", Opaque: c.inText}, nil
}

// choiceForms lists the values of tool_choice.
const choiceForms = `tool_choice must be "none", "auto", "required", or an object that names a tool`

// choose reads a tool_choice and keeps the tools that may be called.
func (r *reader) choose(t *Tools, all []offered, choice jsontext.ID) {
	n := r.tree.Node(choice)
	if n.Kind == jsontext.String {
		r.choiceNamed(t, choice, n.Text)
		return
	}
	if n.Kind != jsontext.Object {
		r.wrong(choice, choiceForms+", not %s", n.Kind)
	}
	typed := r.text(choice, "type")
	single := r.flag(choice, "disable_parallel_tool_use", false)
	t.Parallel = t.Parallel && !single
	switch typed {
	case "auto", "none", "required", "any":
		r.choiceNamed(t, choice, typed)
	case "allowed_tools":
		r.allowed(t, all, r.within(choice, "allowed_tools"))
	default:
		t.Choice = family.Named
		t.List = []family.Tool{r.referred(all, choice, typed).Tool}
	}
}

func (r *reader) choiceNamed(t *Tools, at jsontext.ID, name string) {
	switch name {
	case "auto":
		t.Choice = family.Auto
	case "required", "any":
		t.Choice = family.Required
	case "none":
		t.Choice = family.None
	default:
		r.wrong(at, choiceForms)
	}
}

// referred returns the tool that an object names, directly or in a member named after its type. Without a name, it is
// the only tool of that type.
func (r *reader) referred(all []offered, object jsontext.ID, typed string) *offered {
	ref := r.within(object, typed)
	if r.get(ref, "name") == 0 && typed != "function" && typed != "custom" && typed != "tool" {
		found := slices.DeleteFunc(slices.Clone(all), func(t offered) bool { return t.typed != typed })
		if len(found) == 1 {
			return &found[0]
		}
		r.wrong(ref, "without a name, %q must be the type of exactly one tool, not of %d; add the name",
			diag.Shorten(typed, 40), len(found))
	}
	name := r.text(ref, "name")
	names := make([]string, len(all))
	for i := range all {
		if names[i] = all[i].Name; names[i] == name {
			return &all[i]
		}
	}
	hint := "add it to tools"
	if len(names) > 0 {
		hint = diag.Shorten(diag.Choices(name, names), 200)
	}
	r.wrong(r.get(ref, "name"), "the request has no tool of the name %q; %s", diag.Shorten(name, 40), hint)
	return &offered{}
}

// allowed reads "mode" and "tools" of allowed tools.
func (r *reader) allowed(t *Tools, all []offered, choice jsontext.ID) {
	mode := r.text(choice, "mode")
	if mode != "auto" && mode != "required" {
		r.wrong(r.get(choice, "mode"), `the mode of allowed tools must be "auto" or "required"`)
	}
	r.choiceNamed(t, choice, mode)
	list := r.get(choice, "tools")
	if r.tree.Kind(list) != jsontext.Array {
		r.wrong(choice, `allowed tools must have a list "tools"; add it`)
	}
	if r.tree.Node(list).Count == 0 {
		if t.Choice == family.Required {
			r.wrong(list, `the mode "required" needs at least one allowed tool; list one, or write "auto"`)
		}
		t.Choice = family.None // the tools stay: text is kept apart from their calls
		return
	}
	keep := map[string]bool{}
	for c := range r.tree.Children(list) {
		if k := r.tree.Kind(c); k != jsontext.Object {
			r.wrong(c, "an allowed tool must be an object that names it, not %s", k)
		}
		keep[r.referred(all, c, r.text(c, "type")).Name] = true
	}
	t.List = slices.DeleteFunc(t.List, func(x family.Tool) bool { return !keep[x.Name] })
}
