package core

import (
	"encoding/json"
	"slices"
	"strings"
)

// option is one option of a compilation, with the functions that read, refuse and describe it.
type option struct {
	name     string
	kinds    []Kind // for which it means something; nil: all
	field    func(o *Options) any
	from     func(field any, value json.RawMessage) bool // nil: as a field of that type is written in JSON
	fallback string                                      // null: by kind, or none
	values   string
	example  string // a value that is not the default
	sentence string
}

// optionNamed returns the option of a name, or nil.
func optionNamed(name string) *option {
	i := slices.IndexFunc(options, func(x option) bool { return x.name == name })
	if i < 0 {
		return nil
	}
	return &options[i]
}

func optionNames() []string {
	names := make([]string, len(options))
	for i := range options {
		names[i] = options[i].name
	}
	return names
}

func (x *option) appliesTo(k Kind) bool { return x.kinds == nil || slices.Contains(x.kinds, k) }

// read sets the option; it reports false if the value has another type or is out of range.
func (x *option) read(o *Options, value json.RawMessage) bool {
	if x.from == nil {
		return readValue(value, x.field(o))
	}
	return x.from(x.field(o), value)
}

var (
	schemaKinds  = []Kind{JSONSchema, StructuralTag, Request}
	jsonKinds    = append([]Kind{JSONObject, AnyJSON}, schemaKinds...)
	startedKinds = []Kind{EBNF, Lark, GrammarText, Request}
	namingKinds  = []Kind{Lark, GrammarText, StructuralTag, Request}
	requestKind  = []Kind{Request}
)

var options = []option{
	{
		name: "special_tokens", field: func(o *Options) any { return &o.SpecialTokens },
		from:     oneOf(map[string]TokenView{"tokens": TokensView, "text": TextView}),
		fallback: "null", values: `"tokens" or "text"`, example: `"text"`,
		sentence: "tokens: a special token is allowed only where the grammar names it. text (the default of " +
			"structural tags and Lark): also where the text that it spells is allowed",
	},
	{
		name: "start_rule", kinds: startedKinds, field: func(o *Options) any { return &o.StartRule },
		fallback: `"root"`, values: "the name of a rule", example: `"start"`,
		sentence: "the rule at which the output starts; the default of Lark is \"start\"",
	},
	flag("lines", []Kind{Choice}, func(o *Options) any { return &o.Lines },
		"the text has one string on each line instead of a JSON list; empty lines are skipped"),
	flag("any_order", jsonKinds, func(o *Options) any { return &o.AnyOrder },
		"properties may stand in any order; required ones must occur, no declared one twice"),
	flag("closed", schemaKinds, func(o *Options) any { return &o.Closed },
		"forbids keys and items that the schema does not declare, where it declares any and does not say what others "+
			"are; XGrammar's strict_mode, vLLM's disable_additional_properties"),
	flag("lenient", schemaKinds, func(o *Options) any { return &o.Lenient },
		"unsupported keywords of a schema become notes (wider) instead of errors; a keyword that is null, or an empty "+
			"list in place of an object, counts as absent, with a note (ignored)"),
	flag("compact", jsonKinds, func(o *Options) any { return &o.Compact }, "the JSON has no whitespace"),
	{
		name: "max_whitespace", kinds: jsonKinds, field: func(o *Options) any { return &o.MaxWhitespace },
		from: func(field any, value json.RawMessage) bool {
			n := field.(*int)
			return readValue(value, n) && *n >= 1 && *n <= 1_000_000
		},
		fallback: "null", values: `a whole number from 1 to 1000000 (for no whitespace: "compact": true)`,
		example: "2", sentence: "each gap between two tokens takes up to this many whitespace characters; by default it " +
			"takes the whitespace that serializers write (docs/options.md)",
	},
	{
		name: "whitespace_pattern", kinds: jsonKinds, field: func(o *Options) any { return &o.WhitespacePattern },
		from: readText, fallback: "null", values: "a regular expression of at most 1024 bytes",
		example: `" ?"`, sentence: "the whitespace of each gap between two tokens matches this pattern",
	},
	{
		name: "separators", kinds: jsonKinds, field: func(o *Options) any { return &o.Separators },
		from: readSeparators, fallback: "null",
		values: `a list of two strings of at most 64 bytes, as [", ", ": "]`, example: `[", ", ": "]`,
		sentence: "exactly these stand between elements and after keys, and no other whitespace",
	},
	{
		name: "indent", kinds: jsonKinds, field: func(o *Options) any { return &o.Indent }, from: readIndent,
		fallback: "null", values: "a number of spaces from 0 to 16, or whitespace of at most 64 bytes", example: "2",
		sentence: "each element stands on its own line, indented by this for each level",
	},
	{
		name: "number_forms", kinds: jsonKinds, field: func(o *Options) any { return &o.AllNumberForms },
		from:     oneOf(map[string]bool{"integer": false, "all": true}),
		fallback: `"integer"`, values: `"integer" or "all"`, example: `"all"`,
		sentence: `all: values of the type integer, and integers in enum and const, may also be written 1.0, 1e2 ` +
			`and 100e-2; other numbers always may`,
	},
	flag("ascii_only", jsonKinds, func(o *Options) any { return &o.ASCIIOnly },
		"strings are ASCII; other characters are escaped"),
	{
		name: "escapes", kinds: schemaKinds, field: func(o *Options) any { return &o.AnyEscapes },
		from:     oneOf(map[string]bool{"written": false, "any": true}),
		fallback: `"written"`, values: `"written" or "any"`, example: `"any"`,
		sentence: "how declared keys and strings of enum and const are spelled. written: ASCII letters, digits, " +
			"space, _ - and . as themselves, others also as escapes. any: every character also as an escape",
	},
	{
		name: "dialect", kinds: schemaKinds, field: func(o *Options) any { return &o.Dialect },
		fallback: `"2020-12"`, values: `the name of a dialect ("2020-12", "draft-07")`, example: `"draft-07"`,
		sentence: "the dialect of a schema without $schema",
	},
	{
		name: "documents", kinds: schemaKinds, field: func(o *Options) any { return &o.Documents },
		fallback: "null", values: "an object that gives each document by its URI",
		example: `{"http://example.com/a": {}}`, sentence: "further schema documents that $ref may refer to",
	},
	{
		name: "grammars", kinds: namingKinds, field: func(o *Options) any { return &o.Grammars }, from: readGrammars,
		fallback: "null",
		values:   `an object that gives each grammar by its name, as {"lark_grammar": …} or {"json_schema": …}`,
		example:  `{"call": {"json_schema": {"type": "object"}}}`,
		sentence: "further grammars that @name in Lark refers to",
	},
	{
		name: "family", kinds: requestKind, field: func(o *Options) any { return &o.Family }, from: readFamily,
		fallback: "null", values: "the name of a family, or the object that a family's file holds", example: `"hermes"`,
		sentence: "how the model writes tool calls and reasoning; docs/families.md lists the families",
	},
	{
		name: "reasoning", kinds: requestKind, field: func(o *Options) any { return &o.Reasoning },
		from:     oneOf(map[string]string{"off": "", "on": "on", "auto": "auto"}),
		fallback: `"off"`, values: `"off", "on" or "auto"`, example: `"auto"`,
		sentence: "whether the output contains the model's reasoning: never, first, or first if at all",
	},
	{
		name: "format", kinds: schemaKinds, field: func(o *Options) any { return &o.FormatIsNote },
		from:     oneOf(map[string]bool{"assertion": false, "annotation": true}),
		fallback: `"assertion"`, values: `"assertion" or "annotation"`, example: `"annotation"`,
		sentence: "whether the keyword format restricts anything",
	},
}

func flag(name string, kinds []Kind, field func(o *Options) any, sentence string) option {
	return option{
		name: name, kinds: kinds, field: field,
		fallback: "false", values: "true or false", example: "true", sentence: sentence,
	}
}

// oneOf returns a reader for the values of a few names.
func oneOf[T any](names map[string]T) func(field any, value json.RawMessage) bool {
	return func(field any, value json.RawMessage) (ok bool) {
		var name string
		if readValue(value, &name) {
			*field.(*T), ok = names[name]
		}
		return ok
	}
}

// readText reads a string that is not empty.
func readText(field any, value json.RawMessage) bool {
	return readValue(value, field) && *field.(*string) != ""
}

func readSeparators(field any, value json.RawMessage) bool {
	var list []string
	if !readValue(value, &list) || len(list) != 2 {
		return false
	}
	*field.(**[2]string) = &[2]string{list[0], list[1]}
	return true
}

func readIndent(field any, value json.RawMessage) bool {
	var spaces int
	var text string
	switch {
	case readValue(value, &text):
	case readValue(value, &spaces) && spaces >= 0 && spaces <= 16:
		text = strings.Repeat(" ", spaces)
	default:
		return false
	}
	*field.(**string) = &text
	return true
}

func readGrammars(field any, value json.RawMessage) bool {
	var all map[string]map[string]json.RawMessage
	if !readValue(value, &all) {
		return false
	}
	grammars := make(map[string]NamedGrammar, len(all))
	for name, members := range all {
		var g NamedGrammar
		if g.Schema = members["json_schema"]; g.Schema == nil && !readValue(members["lark_grammar"], &g.Lark) ||
			len(members) != 1 {
			return false
		}
		grammars[name] = g
	}
	*field.(*map[string]NamedGrammar) = grammars
	return true
}

func readFamily(field any, value json.RawMessage) bool {
	if len(value) > 0 && value[0] == '{' {
		*field.(*string) = string(value)
		return true
	}
	return readText(field, value)
}
