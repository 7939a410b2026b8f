package core

import (
	"encoding/json"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// Capability says how one construct of a constraint is enforced, for programs and for the documentation. Immutable.
type Capability struct {
	Name     string   `json:"name"`               // as it is written: "uniqueItems", "date-time", "triggered_tags"
	Support  Support  `json:"support"`            // how exactly it is enforced
	Sentence string   `json:"sentence,omitempty"` // the meaning, or how it differs from the standard
	Dialects []string `json:"dialects,omitempty"` // of JSON Schema that have it, if not all do
	Example  string   `json:"example"`            // a constraint that shows the support
	Except   string   `json:"except,omitempty"`   // the part of it that is unsupported
	Refused  string   `json:"refused,omitempty"`  // an example of that part
}

// Support is how exactly a construct is enforced. Every value but exact comes with a note or an error.
type Support string

// The kinds of Support.
const (
	SupportExact       Support = "exact"       // as it is written
	SupportNarrower    Support = "narrower"    // with a note: some valid outputs are rejected
	SupportWider       Support = "wider"       // with a note: some invalid outputs are accepted
	SupportIgnored     Support = "ignored"     // with a note: it has no effect
	SupportUnsupported Support = "unsupported" // compiling fails with CodeUnsupported
)

// CapabilityTable is everything that this library can do with constraints, for programs and for the documentation.
type CapabilityTable struct {
	Kinds    []KindCapability   `json:"kinds"`
	Options  []OptionCapability `json:"options"`
	Dialects []string           `json:"dialects"` // of JSON Schema, oldest first
	Keywords []Capability       `json:"keywords"` // of JSON Schema
	Formats  []Capability       `json:"formats"`  // of JSON Schema
	Regex    []Capability       `json:"regex"`
	EBNF     []Capability       `json:"ebnf"`
	Lark     []Capability       `json:"lark"`
	Tags     []Capability       `json:"structural_tag"`
}

// KindCapability describes a kind of constraint.
type KindCapability struct {
	Name     string  `json:"name"`
	Value    Kind    `json:"value"` // SLUICE_KIND_* in the C header
	Support  Support `json:"support"`
	Sentence string  `json:"sentence"`
}

// OptionCapability describes an option of a compilation.
type OptionCapability struct {
	Name     string          `json:"name"`
	Default  json.RawMessage `json:"default"` // null: it depends on the kind, or there is none
	Values   string          `json:"values"`
	Kinds    []string        `json:"kinds"`   // the kinds that take it; for others it is an error
	Example  json.RawMessage `json:"example"` // a value that is not the default
	Support  Support         `json:"support"`
	Sentence string          `json:"sentence"`
}

// Capabilities returns the table. It is the same for every compiler of this library.
func Capabilities() CapabilityTable {
	c := compiler.Capabilities()
	list := func(of []source.Capability) []Capability {
		return converted(of, func(x source.Capability) Capability {
			return Capability{x.Name, Support(x.Support), x.Sentence, x.Dialects, x.Example, x.Except, x.Refused}
		})
	}
	t := CapabilityTable{
		Dialects: c.Dialects, Keywords: list(c.Keywords), Formats: list(c.Formats), Regex: list(c.Regex),
		EBNF: list(c.EBNF), Lark: list(c.Lark), Tags: list(c.Tags),
	}
	for _, k := range []struct {
		kind     Kind
		sentence string
	}{
		{JSONSchema, "JSON text that the schema allows"},
		{Regex, "text that the regular expression matches as a whole"},
		{EBNF, "text of a context-free grammar in EBNF (GBNF and its superset)"},
		{Lark, "text of a context-free grammar in LLGuidance's dialect of Lark"},
		{StructuralTag, "free text in which triggers open constrained regions"},
		{Choice, "one of a JSON list of strings"},
		{JSONObject, "any JSON object"},
		{AnyJSON, "any JSON value"},
		{Request, "as a request to OpenAI, Anthropic, Gemini or an engine asks (docs/requests.md)"},
		{GrammarText, "text of a grammar: EBNF if ::= stands outside its comments, else Lark; this is vLLM's rule"},
	} {
		t.Kinds = append(t.Kinds, KindCapability{k.kind.String(), k.kind, SupportExact, k.sentence})
	}
	for i := range options {
		x := &options[i]
		o := OptionCapability{
			Name: x.name, Default: json.RawMessage(x.fallback), Values: x.values, Example: json.RawMessage(x.example),
			Support: SupportExact, Sentence: x.sentence,
		}
		for k := JSONSchema; k <= GrammarText; k++ {
			if x.appliesTo(k) {
				o.Kinds = append(o.Kinds, k.String())
			}
		}
		t.Options = append(t.Options, o)
	}
	return t
}
