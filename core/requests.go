package core

import (
	"encoding/json"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/request"
	"github.com/sluice-engine/sluice/core/internal/request/family"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// Family is how the models of one family write tool calls and reasoning; docs/families.md explains it. Immutable.
type Family = family.Family

// Families returns the families of the library, by name. They must not be changed.
func Families() []*Family { return family.List() }

// ParseFamily reads the content of a family's file, which Options.Family takes too, and checks it.
func ParseFamily(text []byte) (_ *Family, err error) {
	defer caught(&err)
	return family.Read(text)
}

// RequestConstraint is what a request asks for, as Compile takes it; its Kind is 0 if it asks for nothing. Immutable.
type RequestConstraint = request.Constraint

// ReadRequest reads a request without compiling what it asks for. Options are those of Compile. v is the vocabulary
// that the constraint is meant for; without one, marks of models are text even where they are special tokens.
func ReadRequest(body []byte, o *Options, v *Vocabulary) (_ *RequestConstraint, err error) {
	defer caught(&err)
	if o == nil {
		o = new(Options)
	}
	t := flightTurn{stop: o.Stop}
	defer compilations.leave(&t)
	if !t.look(len(body) / limits.RequestLook) {
		return nil, notBegun(Request)
	}
	if v == nil {
		return request.Read(body, o, nil)
	}
	return request.Read(body, o, tokenTexts{v})
}

// RequestJSON is ReadRequest for programs that read JSON: an object with the members "kind" (null: the request asks for
// nothing), "spec" and "options", as Compile takes them; "tools", the numbers of those that may be called;
// "tool_choice": "auto", "required", "named" or "none"; and "parallel", whether there may be more than one call.
func RequestJSON(body, options []byte, v *Vocabulary) (_ []byte, err error) {
	defer caught(&err)
	o, err := ParseOptions(options)
	if err != nil {
		return nil, err
	}
	c, err := ReadRequest(body, o, v)
	if err != nil {
		return nil, err
	}
	out, err := toolsJSON(body)
	if err != nil {
		return nil, err
	}
	out["kind"], out["spec"], out["options"] = nil, "", json.RawMessage("{}")
	if c.Kind != 0 {
		out["kind"], out["spec"] = c.Kind.String(), string(c.Spec)
		if out["options"], err = effective(options, c); err != nil {
			return nil, err
		}
	}
	return json.Marshal(out)
}

// ToolsJSON is the last three members of RequestJSON, for which no family has to be known.
func ToolsJSON(body []byte) (_ []byte, err error) {
	defer caught(&err)
	out, err := toolsJSON(body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

func toolsJSON(body []byte) (map[string]any, error) {
	t, err := request.ReadTools(body)
	if err != nil {
		return nil, err
	}
	indices := make([]int, len(t.List))
	for i, tool := range t.List {
		indices[i] = tool.Index
	}
	return map[string]any{"tools": indices, "tool_choice": t.Choice.String(), "parallel": t.Parallel}, nil
}

// effective returns the options of a request's constraint: those of the request that mean something for its kind, and
// what the request itself adds.
func effective(options []byte, c *RequestConstraint) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	err := readObject(options, func(name string, value json.RawMessage) error {
		one := new(Options)
		optionNamed(name).read(one, value)
		if checkKind(c.Kind, one) == nil {
			out[name] = slices.Clone(value)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	o := &c.Options
	if o.Closed {
		delete(out, "closed") // a request closes a schema whatever the caller says
	}
	add := func(name string, set bool, value any) error {
		if _, there := out[name]; there || !set {
			return nil
		}
		text, err := json.Marshal(value)
		out[name] = text
		return err
	}
	for _, err := range []error{
		add("compact", o.Compact, true), add("closed", o.Closed, true),
		add("whitespace_pattern", o.WhitespacePattern != "", o.WhitespacePattern),
		add("grammars", o.Grammars != nil, o.Grammars),
		add("special_tokens", o.SpecialTokens == source.TokensView, "tokens"),
	} {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// compileRequest compiles what a request asks for.
func (c *Compiler) compileRequest(body []byte, o *Options) (*Grammar, error) {
	r, err := ReadRequest(body, o, c.v)
	if err != nil {
		return nil, err
	}
	out := &Grammar{v: c.v, number: c.number, kind: r.Kind}
	kind, spec := written(r)
	if out.g, err = c.compile(kind, spec, &r.Options); err != nil {
		return nil, r.Moved(err)
	}
	out.notes = r.MovedNotes(out.g.Notes())
	return out, nil
}

// written returns the constraint that stands for a request.
func written(r *RequestConstraint) (Kind, []byte) {
	if r.Kind == 0 {
		return StructuralTag, []byte(unconstrained)
	}
	return r.Kind, r.Spec
}

// unconstrained is the constraint of a request that asks for nothing: any text, and any tokens, special ones among
// them. Tokens alone would do for masks, but bytes that no token brings are no token.
const unconstrained = `{"type": "structural_tag", "format": {"type": "star", "content": {"type": "or", "elements": [
	{"type": "any_text"}, {"type": "exclude_token", "exclude_tokens": []}]}}}`

// tokenTexts answers what requests ask about a vocabulary.
type tokenTexts struct{ v *Vocabulary }

// Special reports whether a special token is spelled so.
func (t tokenTexts) Special(text string) bool {
	id, ok := t.v.TokenID(text)
	return ok && t.v.v.IsSpecial(id)
}

// Has reports whether a special or added token is spelled so.
func (t tokenTexts) Has(text string) bool {
	_, ok := t.v.TokenID(text)
	return ok
}
