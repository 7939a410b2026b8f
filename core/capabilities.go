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
		{Request, "what a request asks for, in the shapes of OpenAI, Anthropic, vLLM, SGLang and LLGuidance"},
		{GrammarText, "text of a grammar: EBNF if a ::= stands outside of its comments, and else Lark, as in vLLM"},
	} {
		t.Kinds = append(t.Kinds, KindCapability{k.kind.String(), k.kind, SupportExact, k.sentence})
	}
	t.Options = optionCapabilities()
	return t
}

func optionCapabilities() []OptionCapability {
	option := func(name, fallback, values, example, sentence string) OptionCapability {
		o := OptionCapability{
			Name: name, Default: json.RawMessage(fallback), Values: values, Example: json.RawMessage(example), Support: SupportExact, Sentence: sentence,
		}
		for k := JSONSchema; k <= GrammarText; k++ {
			if read, err := ParseOptions([]byte(`{"` + name + `": ` + example + `}`)); err == nil &&
				checkKind(k, read) == nil {
				o.Kinds = append(o.Kinds, k.String())
			}
		}
		return o
	}
	const flag = "true or false"
	return []OptionCapability{
		option("special_tokens", "null", `"tokens" or "text"`, `"text"`,
			"where a special token is allowed: where the grammar names it, or also where the text that it spells may "+
				"stand (the default of structural tags)"),
		option("start_rule", `"root"`, "the name of a rule", `"start"`,
			"where a grammar starts; a Lark grammar starts at \"start\" by default"),
		option("any_order", "false", flag, "true", "properties in any order: required ones enforced, no declared one "+
			"twice"),
		option("closed", "false", flag, "true",
			"keys and items that a schema does not declare, where it declares any, are forbidden unless it allows "+
				"them: XGrammar's strict_mode, vLLM's disable_additional_properties"),
		option("lenient", "false", flag, "true", "what is unsupported in a schema becomes a note (wider) instead of "+
			"an error"),
		option("compact", "false", flag, "true", "JSON without whitespace"),
		option("max_whitespace", "128", "a number from 1 to 1000000", "2",
			"the longest gap between two tokens of JSON, in characters"),
		option("whitespace_pattern", "null", "a regular expression", `" ?"`,
			"what may stand between two tokens of JSON"),
		option("separators", "null", "two strings", `[", ", ": "]`,
			"exactly these between elements and after keys, and no other whitespace"),
		option("indent", "null", "a number of spaces, or whitespace", "2",
			"every element on a line of its own, indented by this for each level"),
		option("number_forms", `"integer"`, `"integer" or "all"`, `"all"`,
			`"all": integers may also be written 1.0, 1e2 and 100e-2. This is about the type integer and integers in `+
				`enum `+
				`and const; other numbers may always be written so`),
		option("ascii_only", "false", flag, "true", "JSON strings in ASCII, everything else escaped"),
		option("escapes", `"written"`, `"written" or "any"`, `"any"`,
			"how declared keys and strings of enum and const are spelled: ASCII letters, digits, space, _ - and . as "+
				"themselves and all else also by escapes, as writers of JSON do, or everything also by escapes"),
		option("dialect", `"2020-12"`, "the name of a dialect", `"draft-07"`, "what a schema without $schema means"),
		option("documents", "null", "an object: schemas by URI", `{"http://example.com/a": {}}`,
			"further schema documents that $ref may name"),
		option("grammars", "null", "an object: Lark grammars and JSON schemas by name",
			`{"call": {"json_schema": {"type": "object"}}}`, "further grammars that @name in Lark refers to"),
		option("family", "null", "the name of a family, or the object that a family's file holds", `"hermes"`,
			"how the model writes calls of tools and reasoning: docs/families.md lists the families"),
		option("reasoning", `"off"`, `"off", "on" or "auto"`, `"auto"`,
			"whether the output has the model's reasoning in it: never, first, or first if at all"),
		option("format", `"assertion"`, `"assertion" or "annotation"`, `"annotation"`,
			"whether the keyword format restricts anything"),
	}
}
