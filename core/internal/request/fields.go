package request

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// A field is where requests say what the output must look like.
type field struct {
	name string
	read func(r *reader, id jsontext.ID) *Constraint
}

// direct are the fields of vLLM's structured outputs, of SGLang's sampling parameters and of LLGuidance's container.
// They stand in the request itself, or in one of the objects of nested.
var direct = []field{
	{"json", (*reader).schema},
	{"json_schema", (*reader).schema},
	{"json_object", (*reader).jsonObject},
	{"regex", (*reader).regex},
	{"choice", (*reader).choice},
	{"grammar", (*reader).grammar},
	{"ebnf", (*reader).ebnf},
	{"structural_tag", (*reader).structuralTag},
	{"guided_json", (*reader).schema},
	{"guided_json_object", (*reader).jsonObject},
	{"guided_regex", (*reader).regex},
	{"guided_choice", (*reader).choice},
	{"guided_grammar", (*reader).grammar},
	{"grammars", (*reader).container},
}

// nested are the objects of a request that may hold such fields.
var nested = []string{"structured_outputs", "sampling_params"}

// found is a field that says something.
type found struct {
	field
	at jsontext.ID
}

// constraints returns the field that constrains the output, nil if none does. Two are an error.
func (r *reader) constraints(root jsontext.ID) *found {
	var all []found
	for _, f := range direct {
		all = r.add(all, root, f, strings.HasPrefix(f.name, "guided_"))
	}
	r.vllmOptions(root)
	for _, name := range nested {
		inner := r.object(root, name)
		for _, f := range direct {
			all = r.add(all, inner, f, name == "structured_outputs" || strings.HasPrefix(f.name, "guided_"))
		}
		r.vllmOptions(inner)
	}
	all = r.add(all, root, field{"response_format", (*reader).responseFormat}, false)
	all = r.add(all, root, field{"output_format", (*reader).responseFormat}, false)
	// "text" is a prompt to SGLang and an object of settings in OpenAI's responses.
	for _, outer := range []string{"text", "output_config"} {
		if id := r.get(root, outer); id != 0 && r.tree.Kind(id) == jsontext.Object {
			all = r.add(all, id, field{"format", (*reader).responseFormat}, false)
		}
	}
	for _, name := range []string{"functions", "function_call"} {
		if id := r.get(root, name); id != 0 {
			r.failure(diag.Unsupported, id, "%s was replaced by tools and tool_choice; use those", name)
		}
	}
	if len(all) > 1 {
		one, other := all[0].name, all[1].name
		if one == other {
			one, other = r.tree.Pointer(all[0].at), r.tree.Pointer(all[1].at)
		}
		r.wrong(all[1].at, "Cannot specify both '%s' and '%s' in the same request: an output has one constraint", one, other)
	}
	if len(all) == 0 {
		return nil
	}
	return &all[0]
}

// add appends the field of an object if it says something: null, false and {"type": "text"} do not, nor does an empty
// text, but in vLLM's fields, where it is a constraint like any other.
func (r *reader) add(all []found, object jsontext.ID, f field, empty bool) []found {
	id := r.get(object, f.name)
	if id == 0 {
		return all
	}
	switch n := r.tree.Node(id); n.Kind {
	case jsontext.False:
		if f.name == "json_object" || f.name == "guided_json_object" {
			return all
		}
	case jsontext.String:
		if n.Text == "" && !empty {
			return all
		}
	case jsontext.Object:
		if t := r.tree.Get(id, "type"); isFormat(f.name) && t != 0 && r.tree.Node(t).Text == "text" {
			return all
		}
	}
	return append(all, found{f, id})
}

func isFormat(name string) bool {
	return name == "response_format" || name == "output_format" || name == "format"
}

// vllmOptions reads the options that vLLM's requests have beside the constraint. One that the caller of the library has
// set stays.
func (r *reader) vllmOptions(object jsontext.ID) {
	compact := r.flag(object, "disable_any_whitespace", false)
	for _, name := range []string{"whitespace_pattern", "guided_whitespace_pattern"} {
		if r.get(object, name) == 0 {
			continue
		}
		if compact {
			r.wrong(r.get(object, name), "%s and disable_any_whitespace both say what stands between tokens", name)
		}
		if pattern := r.text(object, name); !r.spaced() {
			r.o.WhitespacePattern = pattern
		}
	}
	if compact && !r.spaced() {
		r.o.Compact = true
	}
	closed := r.flag(object, "disable_additional_properties", false)
	r.o.Closed = r.o.Closed || closed
}

// spaced tells whether an option says what may stand between the tokens of JSON; they exclude each other.
func (r *reader) spaced() bool {
	o := &r.o
	return o.Compact || o.MaxWhitespace != 0 || o.WhitespacePattern != "" || o.Separators != nil || o.Indent != nil
}
