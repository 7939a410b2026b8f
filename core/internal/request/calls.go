package request

import (
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/request/family"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// withFamily combines a constraint, tools and reasoning in the format of the model's family. Without a family it
// accepts only requests with a constraint alone.
func (r *reader) withFamily(c *Constraint, t *Tools) (*Constraint, error) {
	thinking, err := r.thinking()
	if err != nil {
		return nil, err
	}
	if r.o.Family == "" {
		switch {
		case thinking != family.Off:
			return nil, option("reasoning", "models write reasoning in different ways; also set the option family")
		case len(t.List) > 0 && t.Choice != family.None:
			return nil, r.failure(diag.Argument, t.at, "models write tool calls in different ways; set the option "+
				"family to one of %s, or to the content of a family's file", familyNames())
		}
		return c, nil
	}
	f, err := family.Find(r.o.Family)
	if err != nil {
		return nil, err
	}
	if r.vocabulary != nil {
		for _, need := range f.Needs {
			if !r.vocabulary.Has(need) {
				return nil, option("family", "the vocabulary has no token "+need+", which the family "+f.Name+
					" needs; set the option to the family of this model")
			}
		}
	}
	if len(t.List) == 0 && thinking == family.Off && (c.Kind == 0 || f.Content == nil) {
		return c, nil
	}
	use := &family.Use{Tools: t.List, Choice: t.Choice, Parallel: t.Parallel, Reasoning: thinking}
	if c.Kind != 0 {
		if use.Answer, err = r.embedded(c); err != nil {
			return nil, err
		}
	}
	if r.vocabulary != nil {
		// A style writes its marks as text, which tokens may spell; in all else a mark is a token, or text.
		styled := f.Marked() && len(t.List) > 0 && t.Choice != family.None
		if r.o.SpecialTokens == source.DefaultView && !styled {
			r.o.SpecialTokens = source.TokensView
		}
	}
	d, err := f.Document(use, r.vocabulary)
	if err != nil {
		return nil, err
	}
	out := &Constraint{Kind: source.StructuralTag, Spec: d.Text, Family: f, Use: use, document: d}
	if t.at != 0 {
		out.pointer = "/tools"
	}
	return out, nil
}

// ReadCalls returns the family that the options name, and what outputs of a request have, without making a constraint
// of it. Errors are *diag.Error values, as of Read.
func ReadCalls(body []byte, o *source.Options) (*family.Family, *family.Use, error) {
	r := &reader{o: *o}
	root, err := r.root(body)
	if err != nil {
		return nil, nil, err
	}
	t := r.tools(root)
	if r.err != nil {
		return nil, nil, r.err
	}
	if len(t.List) == 0 {
		t.Choice = family.Auto // the tools are not known
	}
	thinking, err := r.thinking()
	if err != nil {
		return nil, nil, err
	}
	f, err := family.Find(o.Family)
	if err != nil {
		return nil, nil, err
	}
	return f, &family.Use{Tools: t.List, Choice: t.Choice, Parallel: t.Parallel, Reasoning: thinking}, nil
}

// thinking reads the option reasoning.
func (r *reader) thinking() (family.Thinking, error) {
	switch r.o.Reasoning {
	case "", "off":
		return family.Off, nil
	case "on":
		return family.On, nil
	case "auto":
		return family.Maybe, nil
	}
	return 0, option("reasoning", `reasoning must be "off", "on" or "auto", not `+
		strconv.Quote(diag.Shorten(r.o.Reasoning, 40)))
}

func option(name, message string) error {
	e := diag.Errorf(diag.Argument, "options", diag.At("/"+name), "%s", message)
	e.Keyword = name
	return e
}

func familyNames() string {
	var names []string
	for _, f := range family.List() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}
