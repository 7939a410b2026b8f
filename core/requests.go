package core

import (
	"encoding/json"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/reasons"
	"github.com/sluice-engine/sluice/core/internal/request"
	"github.com/sluice-engine/sluice/core/internal/request/family"
)

// Family says how the models of one family write tool calls and reasoning. Immutable.
type Family struct {
	Name    string   // as Options.Family takes it
	Aliases []string // other names that Options.Family takes
	Models  string   // the models of the family, in words
	Needs   []string // tokens that a vocabulary must have
	Tokens  []string // marks that a vocabulary may have as one special token each
	// ModelNames are how the names of its models start, without their owner.
	ModelNames []string
	File       json.RawMessage // all that is known of it, in the format of docs/families.md
}

// Families returns the families of the library, by name. They must not be changed.
func Families() []*Family {
	return converted(family.List(), func(f *family.Family) *Family {
		own, err := familyOfEngine(f)
		if err != nil {
			panic(err) // a struct of strings and lists has a form in JSON
		}
		return own
	})
}

// FamilyOf returns the family of a model by the model's name, such as "Qwen/Qwen3-8B". The error is of CodeArgument and
// names families with similar models.
func FamilyOf(model string) (_ *Family, err error) {
	defer caught(&err)
	f, err := family.Of(model)
	if err != nil {
		return nil, err
	}
	return familyOfEngine(f)
}

// ParseFamily parses and checks the content of a family's file, which Options.Family takes too.
func ParseFamily(text []byte) (_ *Family, err error) {
	defer caught(&err)
	f, err := family.Read(text)
	if err != nil {
		return nil, err
	}
	return familyOfEngine(f)
}

func familyOfEngine(f *family.Family) (*Family, error) {
	file, err := json.Marshal(f)
	return &Family{f.Name, f.Aliases, f.Models, f.Needs, f.Tokens, f.ModelNames, file}, err
}

// RequestConstraint is the constraint of a request, as Compile takes it. Immutable.
type RequestConstraint struct {
	Kind    Kind    // 0: the request has no constraint, and the output may be anything
	Spec    []byte  // the constraint
	Options Options // the options for Compile: the given ones and the request's own
}

// ReadRequest returns the constraint of a request without compiling it. o are the options of a compilation, and may be
// nil. v is the vocabulary of the model; if it is nil, the marks of the model's family are text even if they are
// special tokens.
func ReadRequest(body []byte, o *Options, v *Vocabulary) (_ *RequestConstraint, err error) {
	defer caught(&err)
	if o == nil {
		o = new(Options)
	}
	c, err := readRequest(body, o, v)
	if err != nil {
		return nil, err
	}
	return &RequestConstraint{Kind(c.Kind), c.Spec, optionsOfEngine(&c.Options)}, nil
}

func readRequest(body []byte, o *Options, v *Vocabulary) (*request.Constraint, error) {
	t := flightTurn{stop: o.Stop}
	defer compilations.leave(&t)
	if !t.look(len(body) / limits.RequestLook) {
		return nil, notBegun(Request)
	}
	if v == nil {
		return request.Read(body, o.engine(), nil)
	}
	return request.Read(body, o.engine(), tokenTexts{v})
}

// RequestJSON is ReadRequest for programs that read JSON. It returns an object with the members
//
//	kind, spec, options  the constraint as Compile takes it; kind is null if it has none
//	tools                the indices of the tools that may be called
//	tool_choice          "auto", "required", "named" or "none"
//	parallel             whether there may be more than one call
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

// ToolsJSON returns the members tools, tool_choice and parallel of RequestJSON. It needs no family.
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

// effective returns the options of a request's constraint: the given ones that apply to its kind, and the request's
// own.
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
		delete(out, "closed") // a request closes a schema whether or not the caller does
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
		add("special_tokens", o.SpecialTokens == TokensView, "tokens"),
	} {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *Compiler) compileRequest(body []byte, o *Options) (*Grammar, error) {
	r, err := readRequest(body, o, c.v)
	if err != nil {
		return nil, err
	}
	out := &Grammar{v: c.v, number: c.number, kind: Kind(r.Kind), events: programOf(Kind(r.Kind), r.Family, r.Use)}
	kind, spec := written(r)
	if out.g, err = c.compile(kind, spec, &r.Options); err != nil {
		return nil, r.Moved(err)
	}
	out.notes = notesOfEngine(r.MovedNotes(out.g.Notes()))
	if r.Kind != 0 {
		place := r.PlaceOf()
		out.move = func(p *reasons.Place) {
			p.Source, p.Pointer, p.HasPointer = Request.String(), place(p.Pointer, p.HasPointer), true
		}
	}
	return out, nil
}

func written(r *request.Constraint) (Kind, []byte) {
	if r.Kind == 0 {
		return StructuralTag, []byte(unconstrained)
	}
	return Kind(r.Kind), r.Spec
}

// unconstrained is the constraint of a request without one: any text, and any tokens, special ones among them. Tokens
// alone would do for masks, but AcceptBytes also takes bytes that no token has.
const unconstrained = `{"type": "structural_tag", "format": {"type": "star", "content": {"type": "or", "elements": [
	{"type": "any_text"}, {"type": "exclude_token", "exclude_tokens": []}]}}}`

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
