package request

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// A field is a member of a request that constrains the output.
type field struct {
	name string
	read func(r *reader, id jsontext.ID) *Constraint
	none nothing
}

// nothing is the value, beside null, with which a field sets no constraint.
type nothing uint8

const (
	never     nothing = iota
	emptyText         // elsewhere it is a constraint like any other, or wrong
	off               // false
	typeText          // {"type": "text"}
)

// direct are the fields of vLLM's structured outputs, of SGLang's sampling parameters and of LLGuidance's container.
var direct = []field{
	{"json", (*reader).schema, never},
	{"json_schema", (*reader).schema, emptyText},
	{"json_object", (*reader).jsonObject, off},
	{"regex", (*reader).regex, emptyText},
	{"choice", (*reader).choice, never},
	{"grammar", (*reader).grammar, emptyText},
	{"ebnf", (*reader).ebnf, emptyText},
	{"structural_tag", (*reader).structuralTag, emptyText},
	{"guided_json", (*reader).schema, never},
	{"guided_json_object", (*reader).jsonObject, off},
	{"guided_regex", (*reader).regex, never},
	{"guided_choice", (*reader).choice, never},
	{"guided_grammar", (*reader).grammar, never},
	{"guided_structural_tag", (*reader).structuralTag, never},
	{"grammars", (*reader).container, never},
}

// formats are the fields of OpenAI, of Anthropic and of Ollama.
var formats = []field{
	{"response_format", (*reader).responseFormat, typeText},
	{"output_format", (*reader).responseFormat, typeText},
	{"format", (*reader).ollama, emptyText},
}

// framed are objects with a response format as their field "format".
var framed = []string{"text", "output_config"}

// nests are objects of vLLM and of TensorRT-LLM that hold fields of direct and nothing else.
var nests = []string{"structured_outputs", "guided_decoding", "guided_decoding_params"}

// places are objects that may hold constraints: parameters of vLLM and SGLang, of Text Generation Inference, Ollama,
// Gemini and NIM, and the additions of OpenAI's client to the request itself.
var places = []string{
	"sampling_params", "parameters", "options", "generationConfig", "generation_config", "nvext", "extra_body",
}

// parameters are the other fields of nests.
var parameters = []string{
	"disable_any_whitespace", "disable_additional_properties", "whitespace_pattern", "guided_whitespace_pattern",
	"disable_fallback", "backend",
}

// found is a field with a constraint.
type found struct {
	field
	at jsontext.ID
}

// constraints returns the field that constrains the output, or nil. Two are an error.
func (r *reader) constraints(root jsontext.ID) *found {
	for _, name := range []string{"functions", "function_call"} {
		if id := r.get(root, name); id != 0 {
			r.failure(diag.Unsupported, id, "%s is obsolete and not read; use tools and tool_choice", name)
		}
	}
	all := r.place(nil, root)
	if len(all) > 1 {
		one, other := all[0].name, all[1].name
		if one == other {
			one, other = r.tree.Pointer(all[0].at), r.tree.Pointer(all[1].at)
		}
		r.wrong(all[1].at, "Cannot specify both '%s' and '%s' in the same request; an output has one constraint, so "+
			"remove one", one, other)
	}
	if len(all) == 0 {
		return nil
	}
	return &all[0]
}

// place appends the constraints of a request, or of an object of places within it.
func (r *reader) place(all []found, object jsontext.ID) []found {
	for _, f := range direct {
		all = r.add(all, object, f)
	}
	r.vllmOptions(object)
	all = r.guide(all, object, "guided_decoding_guide_type", "guided_decoding_guide")
	for _, name := range nests {
		all = r.nest(all, r.object(object, name))
	}
	for _, f := range formats {
		all = r.add(all, object, f)
	}
	for _, name := range framed {
		id := r.get(object, name)
		if name == "text" && r.tree.Kind(id) != jsontext.Object { // a prompt, or some, to SGLang
			continue
		}
		r.object(object, name)
		all = r.add(all, id, field{"format", (*reader).responseFormat, typeText})
		r.unread(id, "format")
	}
	all = r.gemini(all, object)
	for _, name := range places {
		if name == "sampling_params" {
			r.object(object, name)
		}
		if inner := r.get(object, name); r.tree.Kind(inner) == jsontext.Object { // elsewhere they mean something else
			all = r.place(all, inner)
		}
	}
	r.unreadAround(object)
	return all
}

// nest appends the constraints in an object of nests. The object holds nothing else: an unknown member is an error,
// since it may be a constraint.
func (r *reader) nest(all []found, inner jsontext.ID) []found {
	known := append(slices.Clone(parameters), "guide_type", "guide")
	for _, f := range direct {
		if f.none == emptyText {
			f.none = never
		}
		all = r.add(all, inner, f)
		known = append(known, f.name)
	}
	all = r.guide(all, inner, "guide_type", "guide")
	r.vllmOptions(inner)
	for c := range r.tree.Children(inner) {
		n := r.tree.Node(c)
		if n.Kind == jsontext.Null || strings.HasPrefix(n.Key, "_") || slices.Contains(known, n.Key) {
			continue
		}
		slices.Sort(known)
		r.wrong(c, "structured outputs have no such field; %s", diag.Choices(n.Key, known))
	}
	return all
}

// add appends the field of an object if it says something.
func (r *reader) add(all []found, object jsontext.ID, f field) []found {
	id := r.get(object, f.name)
	if id == 0 || r.asksNothing(id, f.none) {
		return all
	}
	return append(all, found{f, id})
}

func (r *reader) asksNothing(id jsontext.ID, none nothing) bool {
	n := r.tree.Node(id)
	switch none {
	case emptyText:
		return n.Kind == jsontext.String && n.Text == ""
	case off:
		return n.Kind == jsontext.False
	case typeText:
		if t := r.tree.Get(id, "type"); n.Kind == jsontext.Object && t != 0 && r.tree.Node(t).Text == "text" {
			r.formatOf(id, "text", formatTypes["text"])
			return true
		}
	}
	return false
}

// vllmOptions reads the options that vLLM's requests have beside the constraint. Options of the library's caller take
// precedence.
func (r *reader) vllmOptions(object jsontext.ID) {
	compact := r.flag(object, "disable_any_whitespace", false)
	for _, name := range []string{"whitespace_pattern", "guided_whitespace_pattern"} {
		if r.get(object, name) == 0 {
			continue
		}
		if compact {
			r.wrong(r.get(object, name), "%s and disable_any_whitespace both set the whitespace in JSON; remove one",
				name)
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

// spaced reports whether an option of whitespace between the tokens of JSON is set; these options exclude each other.
func (r *reader) spaced() bool {
	o := &r.o
	return o.Compact || o.MaxWhitespace != 0 || o.WhitespacePattern != "" || o.Separators != nil || o.Indent != nil
}
