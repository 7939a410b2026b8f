package core

import (
	"encoding/json"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// Capability says what becomes of one construct of a constraint. Immutable.
type Capability = source.Capability

// Support says how exactly a construct is enforced: "exact", "narrower", "wider" or "ignored" (with a note),
// "unsupported" (an error).
type Support = source.Support

// The kinds of Support.
const (
	SupportExact       = source.Exact
	SupportNarrower    = source.Narrower
	SupportWider       = source.Wider
	SupportIgnored     = source.Ignored
	SupportUnsupported = source.Unsupported
)

// CapabilityTable is everything that this library can do with constraints, for programs and for the documentation.
type CapabilityTable struct {
	Kinds   []KindCapability   `json:"kinds"`
	Options []OptionCapability `json:"options"`
	compiler.Constructs
}

// KindCapability is a kind of constraint.
type KindCapability struct {
	Name     string  `json:"name"`
	Value    Kind    `json:"value"` // SLUICE_KIND_* in the C header
	Support  Support `json:"support"`
	Sentence string  `json:"sentence"`
}

// OptionCapability is an option of a compilation.
type OptionCapability struct {
	Name     string          `json:"name"`
	Default  json.RawMessage `json:"default"` // null: by kind, or none
	Values   string          `json:"values"`
	Kinds    []string        `json:"kinds"`   // those for which it means something; an error for all others
	Example  json.RawMessage `json:"example"` // a value that is not the default
	Support  Support         `json:"support"`
	Sentence string          `json:"sentence"`
}

// Capabilities returns the table. It is the same for every compiler of this library.
func Capabilities() CapabilityTable {
	t := CapabilityTable{Constructs: compiler.Capabilities()}
	for _, k := range []struct {
		kind     Kind
		sentence string
	}{
		{JSONSchema, "JSON that a schema allows"},
		{Regex, "text that a regular expression matches as a whole"},
		{EBNF, "text of a context-free grammar: GBNF and its superset"},
		{Lark, "text of a context-free grammar in LLGuidance's dialect of Lark"},
		{StructuralTag, "free text in which certain strings open constrained regions"},
		{Choice, "one of a JSON list of strings"},
		{JSONObject, "any JSON object"},
		{AnyJSON, "any JSON value"},
		{Request, "what a request asks for, in the shapes of OpenAI, Anthropic, Gemini and of engines (docs/requests.md)"},
		{GrammarText, "text of a grammar: EBNF if a ::= stands outside of its comments, and else Lark, as in vLLM"},
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
