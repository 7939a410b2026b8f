package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// Options of one compilation. The zero value is the default of every option. An option that means nothing for the kind
// of the constraint is an error. docs/options.md describes each option. A comment names the option if its name differs from
// the field's. Equal options make equal grammars. Stop, CheckBudget and TokenIDs never change a grammar.
type Options struct {
	// All kinds.

	SpecialTokens TokenView // special_tokens: the places that allow special tokens

	// Grammars, structural tags and choices.

	StartRule string                  // of EBNF and Lark; "": "root" in EBNF, "start" in Lark
	Grammars  map[string]NamedGrammar // the grammars for @name in Lark, by name
	Lines     bool                    // of a Choice: one string a line instead of a JSON list

	// How JSON is written.

	AnyOrder          bool       // properties in any order instead of the schema's
	Compact           bool       // no whitespace
	MaxWhitespace     int        // any whitespace up to so many characters between tokens; 0: as serializers write it
	WhitespacePattern string     // a regular expression of the whitespace between tokens, "": none is given
	Separators        *[2]string // exactly these between elements and after keys, and no other whitespace
	Indent            *string    // each element on its own line, indented by this for each level
	AllNumberForms    bool       // number_forms "all": integers may be written 1.0 and 1e2
	ASCIIOnly         bool       // strings are ASCII, everything else is escaped

	// The meaning of a JSON Schema.

	Closed       bool                       // forbid keys and items that a schema does not declare
	Lenient      bool                       // unsupported keywords become notes instead of errors
	AnyEscapes   bool                       // escapes "any": declared keys, enum and const may use any escapes
	FormatIsNote bool                       // format "annotation": the keyword format restricts nothing
	Dialect      string                     // of a schema without $schema; "": "2020-12"
	Documents    map[string]json.RawMessage // further schema documents that $ref may name, by URI

	// The meaning of a Request.

	Family    string // how the model writes tool calls: the name of a family, or the content of a family's file
	Reasoning string // "on": the output begins with reasoning; "auto": it may; "": it does not

	// The call.

	// Stop ends the call with CodeUnfinished once it returns true. It is asked after each millisecond of work on the
	// goroutine that compiles, and never after the call. nil never stops.
	Stop func() bool
	// CheckBudget is the number of steps after which Check fails with CodeUnfinished, in the unit of
	// CompilerConfig.CompileBudget; 0: a compilation's budget. Compile ignores it.
	CheckBudget int
	// TokenIDs returns to Check the ids of the tokens with a text that a constraint names, lowest first, or nil if there are
	// none. If TokenIDs is nil, Check accepts every name. Compile asks its vocabulary instead.
	TokenIDs func(text string) []uint32
}

// NamedGrammar is a grammar that @name in Lark refers to: the text of a Lark grammar, or a JSON Schema. Set one of
// them.
type NamedGrammar struct {
	Lark   string          `json:"lark_grammar,omitempty"`
	Schema json.RawMessage `json:"json_schema,omitempty"`
}

// TokenView selects the places that allow special tokens.
type TokenView uint8

// The views of special tokens.
const (
	DefaultView TokenView = 0 // TextView for Lark and structural tags, TokensView for all other kinds
	TokensView  TokenView = 1 // only as a token that the grammar names
	TextView    TokenView = 2 // also wherever the text that the token spells is allowed
)

// engine returns the options as the engine takes them.
func (o *Options) engine() *source.Options {
	e := &source.Options{
		SpecialTokens: source.TokenView(o.SpecialTokens), StartRule: o.StartRule, Lines: o.Lines,
		AnyOrder: o.AnyOrder, Lenient: o.Lenient, Compact: o.Compact, MaxWhitespace: o.MaxWhitespace,
		WhitespacePattern: o.WhitespacePattern, Separators: o.Separators, Indent: o.Indent,
		AllNumberForms: o.AllNumberForms, ASCIIOnly: o.ASCIIOnly, AnyEscapes: o.AnyEscapes, Closed: o.Closed,
		Dialect: o.Dialect, Documents: o.Documents, FormatIsNote: o.FormatIsNote, Family: o.Family,
		Reasoning: o.Reasoning, Stop: o.Stop, CheckBudget: o.CheckBudget, TokenIDs: o.TokenIDs,
	}
	if o.Grammars != nil {
		e.Grammars = make(map[string]source.NamedGrammar, len(o.Grammars))
		for name, g := range o.Grammars {
			e.Grammars[name] = source.NamedGrammar(g)
		}
	}
	return e
}

func optionsOfEngine(e *source.Options) Options {
	o := Options{
		SpecialTokens: TokenView(e.SpecialTokens), StartRule: e.StartRule, Lines: e.Lines,
		AnyOrder: e.AnyOrder, Lenient: e.Lenient, Compact: e.Compact, MaxWhitespace: e.MaxWhitespace,
		WhitespacePattern: e.WhitespacePattern, Separators: e.Separators, Indent: e.Indent,
		AllNumberForms: e.AllNumberForms, ASCIIOnly: e.ASCIIOnly, AnyEscapes: e.AnyEscapes, Closed: e.Closed,
		Dialect: e.Dialect, Documents: e.Documents, FormatIsNote: e.FormatIsNote, Family: e.Family,
		Reasoning: e.Reasoning, Stop: e.Stop, CheckBudget: e.CheckBudget, TokenIDs: e.TokenIDs,
	}
	if e.Grammars != nil {
		o.Grammars = make(map[string]NamedGrammar, len(e.Grammars))
		for name, g := range e.Grammars {
			o.Grammars[name] = NamedGrammar(g)
		}
	}
	return o
}

// optionsSource is the Source of errors about options.
const optionsSource = "options"

// ParseOptions reads options from a JSON object with the names of docs/options.md. Empty text means the defaults.
// Unknown members, members given twice and values of the wrong type are errors.
func ParseOptions(text []byte) (_ *Options, err error) {
	defer caught(&err)
	o := new(Options)
	err = readObject(text, func(name string, value json.RawMessage) error {
		x := optionNamed(name)
		if x == nil {
			return noOption(name, "there is no such option", value, optionNames())
		}
		if !x.read(o, value) {
			return optionError(name, value, "must be "+x.values)
		}
		return nil
	})
	return o, err
}

// ParseCompilerConfig reads the configuration of a compiler from a JSON object, as ParseOptions reads options. The
// members are the fields of CompilerConfig in lower case: "cache_bytes", "mask_budget", …; Number has none.
func ParseCompilerConfig(text []byte) (_ CompilerConfig, err error) {
	defer caught(&err)
	var c CompilerConfig
	bounds := map[string]*int{
		"shared_bytes": &c.SharedBytes, "grammar_states": &c.GrammarStates, "cache_bytes": &c.CacheBytes,
		"mask_budget": &c.MaskBudget, "search_budget": &c.SearchBudget, "transition_budget": &c.TransitionBudget,
		"compile_budget": &c.CompileBudget, "warm_bytes": &c.WarmBytes,
	}
	err = readObject(text, func(name string, value json.RawMessage) error {
		to := bounds[name]
		if to == nil {
			return noOption(name, "a compiler has no such option", value, slices.Sorted(maps.Keys(bounds)))
		}
		least := 1
		if to == &c.CacheBytes || to == &c.WarmBytes {
			least = 0
		}
		if !readValue(value, to) || *to < least {
			return optionError(name, value, fmt.Sprintf("must be a whole number of at least %d", least))
		}
		if *to == 0 { // none; in Go that is −1, and 0 the default
			*to = -1
		}
		return nil
	})
	return c, err
}

// orDefault returns o, or the defaults for nil. It refuses unknown kinds, and options that mean nothing for the kind,
// because the caller expects an effect.
func (o *Options) orDefault(kind Kind) (*Options, error) {
	if kind < JSONSchema || kind > GrammarText {
		var names []string
		for k := JSONSchema; k <= GrammarText; k++ {
			names = append(names, fmt.Sprintf("%d (%s)", k, k))
		}
		return nil, Errorf(CodeArgument, "compile", "there is no kind %d: use one of %s", uint32(kind),
			strings.Join(names, ", "))
	}
	if o == nil {
		return new(Options), nil
	}
	return o, checkKind(kind, o)
}

// checkKind refuses options that mean nothing for a kind of constraint.
func checkKind(kind Kind, o *Options) error {
	for i := range options {
		if x := &options[i]; !x.appliesTo(kind) && !reflect.ValueOf(x.field(o)).Elem().IsZero() {
			return optionError(x.name, nil, "means nothing for a constraint of kind "+kind.String()+": leave it out")
		}
	}
	return nil
}

// readValue decodes a value; null is none.
func readValue(value json.RawMessage, to any) bool {
	return string(value) != "null" && json.Unmarshal(value, to) == nil
}

// optionError makes an error about one option. It shortens the option's name, which the caller may have made long.
func optionError(name string, value json.RawMessage, rule string) error {
	name = diag.Shorten(name, 64)
	return &Error{
		Code: CodeArgument, Source: optionsSource, Place: Place(diag.At("/" + name)), Keyword: name,
		Message: rule, Fragment: diag.Shorten(string(value), 64),
	}
}

// readObject calls member for each member of a JSON object, in order. Empty text is an empty object.
func readObject(text []byte, member func(name string, value json.RawMessage) error) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	if len(text) > limits.OptionBytes {
		return diag.Errorf(diag.Limit, optionsSource, diag.Place{}, "the options have %d bytes; at most %d are read: leave "+
			"out documents and grammars that nothing refers to", len(text), limits.OptionBytes)
	}
	syntax := func(d *json.Decoder, what string) error {
		return diag.Errorf(diag.Argument, optionsSource, diag.Place{}, "%s: options are one JSON object, for example "+
			"{\"any_order\": true}", what).InText(string(text), int(d.InputOffset()))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if !utf8.Valid(text) {
		return syntax(d, "not UTF-8")
	}
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return syntax(d, "not a JSON object")
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		name, isName := t.(string)
		if err != nil || !isName {
			return syntax(d, "malformed JSON")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return syntax(d, fmt.Sprintf("malformed JSON (%v)", err))
		}
		if seen[name] {
			return optionError(name, value, "is given twice")
		}
		seen[name] = true
		if err := member(name, value); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return syntax(d, "malformed JSON")
	}
	if _, err := d.Token(); err != io.EOF {
		return syntax(d, "text after the end of the object")
	}
	return nil
}
