package request

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/request/family"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Tools is what a request says of tools, whatever shape it has. Immutable.
type Tools struct {
	List     []family.Tool // those that may be called
	Choice   family.Choice
	Parallel bool // more than one call may be made

	at     jsontext.ID // the tools in the request, 0 if there are none
	forced jsontext.ID // the choice, where it forces a call
}

// ReadTools reads what a request says of tools, and nothing else of it.
func ReadTools(body []byte) (*Tools, error) {
	r := &reader{}
	root, err := r.root(body)
	if err != nil {
		return nil, err
	}
	t, err := r.tools(root)
	if err == nil && t.Choice == family.None {
		t.List = nil
	}
	return t, err
}

// offered is a tool as it stands in a request.
type offered struct {
	family.Tool
	typed string // its type
}

// freeArguments are the arguments of a tool of which nothing is known but that they are an object.
const freeArguments = `{"type":"object"}`

// tools reads the tools of a request and the choice among them.
func (r *reader) tools(root jsontext.ID) (*Tools, error) {
	t := &Tools{Parallel: true}
	all, err := r.offered(root)
	if err != nil {
		return nil, err
	}
	t.at = r.get(root, "tools")
	if t.Parallel, err = r.flag(root, "parallel_tool_calls", true); err != nil {
		return nil, err
	}
	t.List = make([]family.Tool, len(all))
	for i := range all {
		t.List[i] = all[i].Tool
	}
	choice := r.get(root, "tool_choice")
	if choice == 0 {
		return t, nil
	}
	if err := r.choose(t, all, choice); err != nil {
		return nil, err
	}
	if t.Choice == family.Required || t.Choice == family.Named {
		t.forced = choice
		if len(t.List) == 0 {
			return nil, r.wrong(choice, "a call is required, but the request has no tools")
		}
	}
	return t, nil
}

// offered reads the list of tools.
func (r *reader) offered(root jsontext.ID) (all []offered, err error) {
	list := r.get(root, "tools")
	if list == 0 {
		return nil, nil
	}
	n := r.tree.Node(list)
	if n.Kind != jsontext.Array {
		return nil, r.wrong(list, "tools must be a list, not %s", n.Kind)
	}
	if n.Count > limits.RequestTools {
		return nil, r.failure(diag.Limit, list, "there are %d tools; at most %d are read", n.Count, limits.RequestTools)
	}
	known := map[string]bool{}
	for c := n.First; c != 0; c = r.tree.Node(c).Next {
		t, err := r.tool(c)
		if err != nil {
			return nil, err
		}
		if known[t.Name] {
			return nil, r.wrong(c, "there is another tool of the name %q", diag.Shorten(t.Name, 40))
		}
		known[t.Name] = true
		t.Index = len(all)
		all = append(all, t)
	}
	return all, nil
}

// tool reads one tool, in the shapes of OpenAI's two interfaces, of Anthropic and of MCP.
func (r *reader) tool(id jsontext.ID) (t offered, err error) {
	if k := r.tree.Kind(id); k != jsontext.Object {
		return t, r.wrong(id, "a tool is an object, not %s", k)
	}
	t.typed = "function"
	if x := r.get(id, "type"); x != 0 {
		if t.typed, err = r.text(id, "type"); err != nil {
			return t, err
		}
	}
	inner := id
	switch {
	case r.get(id, "input_schema") != 0 || r.get(id, "inputSchema") != 0:
		t.typed = "function" // Anthropic calls its functions custom
	case t.typed == "function" || t.typed == "custom":
		if x, err := r.object(id, t.typed); err != nil {
			return t, err
		} else if x != 0 {
			inner = x
		}
	default:
		t.Kind = family.Builtin
	}
	if t.Name, err = r.toolName(inner, &t); err != nil {
		return t, err
	}
	if t.typed == "custom" {
		return t, r.customTool(&t, inner)
	}
	return t, r.arguments(&t, inner)
}

func (r *reader) toolName(id jsontext.ID, t *offered) (string, error) {
	at := r.get(id, "name")
	if at == 0 && t.Kind == family.Builtin {
		return t.typed, nil
	}
	name, err := r.text(id, "name")
	if err != nil {
		return "", err
	}
	if wrong := family.CheckName(name); wrong != "" {
		return "", r.wrong(at, "%s", wrong)
	}
	return name, nil
}

// arguments reads the schema of a function's arguments. Where strict is false the engine was asked not to enforce it.
func (r *reader) arguments(t *offered, id jsontext.ID) error {
	t.Schema = freeArguments
	strict, err := r.flag(id, "strict", true)
	if err != nil {
		return err
	}
	for _, name := range []string{"parameters", "input_schema", "inputSchema"} {
		x := r.get(id, name)
		if x == 0 {
			continue
		}
		if k := r.tree.Kind(x); k != jsontext.Object && k != jsontext.True && k != jsontext.False {
			return r.wrong(x, "%s is a JSON Schema, not %s", name, k)
		}
		if strict && r.tree.Node(x).Count > 0 {
			t.Schema, t.Pointer = r.tree.Raw(x), r.tree.Pointer(x)
		}
		return nil
	}
	return nil
}

// customTool reads the format of a custom tool's input.
func (r *reader) customTool(t *offered, id jsontext.ID) error {
	t.Kind = family.Raw
	t.Format = &family.Format{Type: "any_text"}
	format, err := r.object(id, "format")
	if err != nil || format == 0 {
		return err
	}
	name, err := r.text(format, "type")
	switch {
	case err != nil:
		return err
	case name == "text":
		return nil
	case name != "grammar":
		return r.wrong(r.get(format, "type"), "the format of a custom tool is text or grammar")
	}
	if inner, err := r.object(format, "grammar"); err != nil {
		return err
	} else if inner != 0 {
		format = inner
	}
	c, err := r.customGrammar(format)
	if err != nil {
		return err
	}
	t.Format, err = r.embedded(c)
	return err
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
			return nil, diag.Errorf(diag.Syntax, sourceName, diag.At(c.pointer), "the text of the schema is no JSON")
		}
		return &family.Format{
			Type: "json_schema", Field: "json_schema", Value: string(c.Spec), Pointer: c.pointer, Opaque: c.inText,
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
	var texts []string
	if json.Unmarshal(c.Spec, &texts) != nil || len(texts) == 0 {
		return nil, diag.Errorf(diag.Invalid, sourceName, diag.At(c.pointer),
			"a choice is a list of at least one string")
	}
	elements := make([]map[string]string, len(texts))
	for i, text := range texts {
		elements[i] = map[string]string{"type": "const_string", "value": text}
	}
	value, err := json.Marshal(elements)
	return &family.Format{Type: "or", Field: "elements", Value: string(value), Pointer: c.pointer, Opaque: true}, err
}

// inner returns the format of a structural tag.
func (r *reader) inner(c *Constraint) (*family.Format, error) {
	var document struct {
		Format json.RawMessage `json:"format"`
	}
	if json.Unmarshal(c.Spec, &document) != nil || len(document.Format) == 0 {
		return nil, diag.Errorf(diag.Unsupported, sourceName, diag.At(c.pointer),
			`beside tools or reasoning a structural tag has a "format"`)
	}
	return &family.Format{Value: string(document.Format), Pointer: c.pointer + "/format", Opaque: c.inText}, nil
}

// choose reads a tool_choice and leaves the tools that may be called.
func (r *reader) choose(t *Tools, all []offered, choice jsontext.ID) error {
	n := r.tree.Node(choice)
	if n.Kind == jsontext.String {
		return r.choiceNamed(t, choice, n.Text)
	}
	if n.Kind != jsontext.Object {
		return r.wrong(choice, "a tool_choice is none, auto, required, or an object that names a tool, not %s", n.Kind)
	}
	typed, err := r.text(choice, "type")
	if err != nil {
		return err
	}
	single, err := r.flag(choice, "disable_parallel_tool_use", false)
	if err != nil {
		return err
	}
	t.Parallel = t.Parallel && !single
	switch typed {
	case "auto", "none", "required", "any":
		return r.choiceNamed(t, choice, typed)
	case "allowed_tools":
		return r.allowed(t, all, choice)
	}
	t.Choice = family.Named
	ref := choice
	if inner, err := r.object(choice, typed); err != nil {
		return err
	} else if inner != 0 {
		ref = inner
	}
	found, err := r.referred(all, ref, typed)
	if err != nil {
		return err
	}
	t.List = []family.Tool{found.Tool}
	return nil
}

func (r *reader) choiceNamed(t *Tools, at jsontext.ID, name string) error {
	switch name {
	case "auto":
		t.Choice = family.Auto
	case "required", "any":
		t.Choice = family.Required
	case "none":
		t.Choice = family.None
	default:
		return r.wrong(at, "a tool_choice is none, auto, required, or an object that names a tool")
	}
	return nil
}

// referred returns the tool that a choice means: by its name, or by its type if it has no name and there is one.
func (r *reader) referred(all []offered, ref jsontext.ID, typed string) (*offered, error) {
	if r.get(ref, "name") == 0 && typed != "function" && typed != "custom" && typed != "tool" {
		var found []int
		for i := range all {
			if all[i].typed == typed {
				found = append(found, i)
			}
		}
		if len(found) != 1 {
			return nil, r.wrong(ref, "there must be exactly one tool of the type %q, but there are %d",
				diag.Shorten(typed, 40), len(found))
		}
		return &all[found[0]], nil
	}
	name, err := r.text(ref, "name")
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
	}
	names := make([]string, 0, len(all))
	for i := range all {
		names = append(names, all[i].Name)
	}
	return nil, r.wrong(r.get(ref, "name"), "there is no tool of the name %q; there are %s", diag.Shorten(name, 40),
		diag.Shorten(strings.Join(names, ", "), 200))
}

// allowed reads {"type": "allowed_tools", "mode": …, "tools": […]}; an object may stand around the latter two.
func (r *reader) allowed(t *Tools, all []offered, choice jsontext.ID) error {
	if inner, err := r.object(choice, "allowed_tools"); err != nil {
		return err
	} else if inner != 0 {
		choice = inner
	}
	mode, err := r.text(choice, "mode")
	if err != nil {
		return err
	}
	if mode != "auto" && mode != "required" {
		return r.wrong(r.get(choice, "mode"), "the mode of allowed tools is auto or required")
	}
	if err := r.choiceNamed(t, choice, mode); err != nil {
		return err
	}
	list := r.get(choice, "tools")
	if list == 0 || r.tree.Kind(list) != jsontext.Array {
		return r.wrong(choice, "allowed tools have a list of tools")
	}
	keep := map[string]bool{}
	for c := r.tree.Node(list).First; c != 0; c = r.tree.Node(c).Next {
		if k := r.tree.Kind(c); k != jsontext.Object {
			return r.wrong(c, "an allowed tool is an object that names it, not %s", k)
		}
		typed, err := r.text(c, "type")
		if err != nil {
			return err
		}
		ref := c
		if inner, err := r.object(c, typed); err != nil {
			return err
		} else if inner != 0 {
			ref = inner
		}
		found, err := r.referred(all, ref, typed)
		if err != nil {
			return err
		}
		keep[found.Name] = true
	}
	t.List = slices.DeleteFunc(t.List, func(x family.Tool) bool { return !keep[x.Name] })
	return nil
}
