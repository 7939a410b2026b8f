package request

import (
	"slices"
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
	{"guided_structural_tag", (*reader).structuralTag},
	{"grammars", (*reader).container},
}

// blank are those of SGLang, where an empty text asks for nothing. Elsewhere it is a constraint like any other, or
// wrong.
var blank = []string{"json_schema", "regex", "ebnf", "structural_tag"}

// parameters are the other fields of vLLM's structured outputs.
var parameters = []string{
	"disable_any_whitespace", "disable_additional_properties", "whitespace_pattern", "guided_whitespace_pattern",
	"disable_fallback",
}

// found is a field that says something.
type found struct {
	field
	at jsontext.ID
}

// constraints returns the field that constrains the output, nil if none does. Two are an error.
func (r *reader) constraints(root jsontext.ID) *found {
	sampling := r.object(root, "sampling_params")
	all := r.fields(nil, root)
	all = r.structuredOutputs(all, root)
	all = r.fields(all, sampling)
	all = r.structuredOutputs(all, sampling)
	all = r.add(all, root, field{"response_format", (*reader).responseFormat}, true)
	all = r.add(all, root, field{"output_format", (*reader).responseFormat}, true)
	// "text" is a prompt to SGLang and an object of settings in OpenAI's responses.
	if id := r.get(root, "text"); id != 0 && r.tree.Kind(id) == jsontext.Object {
		all = r.add(all, id, field{"format", (*reader).responseFormat}, true)
	}
	all = r.add(all, r.object(root, "output_config"), field{"format", (*reader).responseFormat}, true)
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

// fields appends what stands directly in an object, where SGLang's fields and those of vLLM may stand side by side.
func (r *reader) fields(all []found, object jsontext.ID) []found {
	for _, f := range direct {
		all = r.add(all, object, f, !slices.Contains(blank, f.name))
	}
	r.vllmOptions(object)
	return all
}

// structuredOutputs appends what stands in vLLM's object of an object. It holds constraints and nothing else: one that
// is not known must not pass for none.
func (r *reader) structuredOutputs(all []found, object jsontext.ID) []found {
	inner := r.object(object, "structured_outputs")
	known := slices.Clone(parameters)
	for _, f := range direct {
		all = r.add(all, inner, f, true)
		known = append(known, f.name)
	}
	r.vllmOptions(inner)
	for c := range r.tree.Children(inner) {
		n := r.tree.Node(c)
		if n.Kind == jsontext.Null || strings.HasPrefix(n.Key, "_") || slices.Contains(known, n.Key) {
			continue
		}
		slices.Sort(known)
		r.wrong(c, "structured outputs have no such field; there are %s", strings.Join(known, ", "))
	}
	return all
}

// add appends the field of an object if it says something: null, false and {"type": "text"} do not, nor does an empty
// text where it asks for nothing.
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
