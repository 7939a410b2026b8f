package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// optionsSource is the Source of errors about options.
const optionsSource = "options"

// ParseOptions reads the options of a compilation from a JSON object; empty text means the defaults. Unknown members,
// members given twice and values of the wrong type are errors: an option that was meant is never ignored.
func ParseOptions(text []byte) (*Options, error) {
	o := new(Options)
	err := readObject(text, func(name string, value json.RawMessage) error {
		set, known := optionReaders[name]
		if !known {
			return optionError(name, value, "there is no such option")
		}
		if want := set(o, value); want != "" {
			return optionError(name, value, "must be "+want)
		}
		return nil
	})
	return o, err
}

// ParseCompilerConfig reads a compiler's configuration from a JSON object, as ParseOptions does.
func ParseCompilerConfig(text []byte) (CompilerConfig, error) {
	var c CompilerConfig
	bounds := map[string]*int{
		"shared_bytes": &c.SharedBytes, "grammar_states": &c.GrammarStates, "cache_bytes": &c.CacheBytes,
		"mask_budget": &c.MaskBudget, "search_budget": &c.SearchBudget, "transition_budget": &c.TransitionBudget,
		"compile_budget": &c.CompileBudget,
	}
	err := readObject(text, func(name string, value json.RawMessage) error {
		to := bounds[name]
		if to == nil {
			return optionError(name, value, "a compiler has no such option")
		}
		least := 1
		if to == &c.CacheBytes {
			least = 0
		}
		if readValue(value, to, "") != "" || *to < least {
			return optionError(name, value, fmt.Sprintf("must be a whole number of at least %d", least))
		}
		if *to == 0 { // here the value says so; in Go it stands for the default
			*to = -1
		}
		return nil
	})
	return c, err
}

// optionReaders sets one option each from its value and returns what the value must be if it is not.
var optionReaders = map[string]func(o *Options, value json.RawMessage) (want string){
	"special_tokens": func(o *Options, value json.RawMessage) string {
		return readName(value, map[string]func(){
			"tokens": func() { o.SpecialTokens = source.TokensView },
			"text":   func() { o.SpecialTokens = source.TextView },
		}, `"tokens" or "text"`)
	},
	"start_rule": func(o *Options, value json.RawMessage) string {
		return readValue(value, &o.StartRule, "the name of a rule")
	},
	"any_order": func(o *Options, value json.RawMessage) string {
		return readValue(value, &o.AnyOrder,
			"true or false")
	},
	"lenient": func(o *Options, value json.RawMessage) string {
		return readValue(value, &o.Lenient,
			"true or false")
	},
	"compact": func(o *Options, value json.RawMessage) string {
		return readValue(value, &o.Compact,
			"true or false")
	},
	"max_whitespace": func(o *Options, value json.RawMessage) string {
		const want = `a whole number from 1 to 1000000 (for no whitespace at all: "compact": true)`
		if readValue(value, &o.MaxWhitespace, want) != "" || o.MaxWhitespace < 1 || o.MaxWhitespace > 1_000_000 {
			return want
		}
		return ""
	},
	"whitespace_pattern": func(o *Options, value json.RawMessage) string {
		const want = "a regular expression of what may stand between tokens"
		if readValue(value, &o.WhitespacePattern, want) != "" || o.WhitespacePattern == "" {
			return want
		}
		return ""
	},
	"separators": func(o *Options, value json.RawMessage) string {
		const want = `a list of two strings, as [", ", ": "]`
		var list []string
		if readValue(value, &list, want) != "" || len(list) != 2 {
			return want
		}
		o.Separators = &[2]string{list[0], list[1]}
		return ""
	},
	"indent": func(o *Options, value json.RawMessage) string {
		const want = "a number of spaces from 0 to 16, or a string of whitespace"
		var spaces int
		var text string
		switch {
		case readValue(value, &text, want) == "":
		case readValue(value, &spaces, want) == "" && spaces >= 0 && spaces <= 16:
			text = strings.Repeat(" ", spaces)
		default:
			return want
		}
		o.Indent = &text
		return ""
	},
	"number_forms": func(o *Options, value json.RawMessage) string {
		return readName(value, map[string]func(){
			"integer": func() { o.AllNumberForms = false },
			"all":     func() { o.AllNumberForms = true },
		}, `"integer" or "all"`)
	},
	"ascii_only": func(o *Options, value json.RawMessage) string {
		return readValue(value, &o.ASCIIOnly, "true or false")
	},
	"escapes": func(o *Options, value json.RawMessage) string {
		return readName(value, map[string]func(){
			"written": func() { o.AnyEscapes = false },
			"any":     func() { o.AnyEscapes = true },
		}, `"written" or "any"`)
	},
	"closed": func(o *Options, value json.RawMessage) string { return readValue(value, &o.Closed, "true or false") },
	"dialect": func(o *Options, value json.RawMessage) string {
		return readValue(value, &o.Dialect, `the name of a dialect ("2020-12", "draft-07")`)
	},
	"documents": func(o *Options, value json.RawMessage) string {
		return readValue(value, &o.Documents, "an object that gives each document by its URI")
	},
	"grammars": func(o *Options, value json.RawMessage) string {
		const want = `an object that gives each grammar by its name, as {"lark_grammar": …} or {"json_schema": …}`
		var all map[string]map[string]json.RawMessage
		if readValue(value, &all, want) != "" {
			return want
		}
		o.Grammars = make(map[string]NamedGrammar, len(all))
		for name, members := range all {
			var g NamedGrammar
			if g.Schema = members["json_schema"]; g.Schema == nil &&
				readValue(members["lark_grammar"], &g.Lark, want) != "" || len(members) != 1 {
				return want
			}
			o.Grammars[name] = g
		}
		return ""
	},
	"family": func(o *Options, value json.RawMessage) string {
		const want = "the name of a family, or the object that a family's file holds"
		if len(value) > 0 && value[0] == '{' {
			o.Family = string(value)
			return ""
		}
		if readValue(value, &o.Family, want) != "" || o.Family == "" {
			return want
		}
		return ""
	},
	"reasoning": func(o *Options, value json.RawMessage) string {
		set := func(mode string) func() { return func() { o.Reasoning = mode } }
		return readName(value, map[string]func(){"off": set(""), "on": set("on"), "auto": set("auto")},
			`"off", "on" or "auto"`)
	},
	"format": func(o *Options, value json.RawMessage) string {
		return readName(value, map[string]func(){
			"assertion":  func() { o.FormatIsNote = false },
			"annotation": func() { o.FormatIsNote = true },
		}, `"assertion" or "annotation"`)
	},
}

// checkKind refuses options that mean nothing to a kind of constraint: whoever sets them expects something of them.
func checkKind(kind Kind, o *Options) error {
	schema := kind == JSONSchema || kind == StructuralTag || kind == Request
	json := schema || kind == JSONObject || kind == AnyJSON
	started := []Kind{EBNF, Lark, GrammarText, Request}
	named := []Kind{Lark, GrammarText, StructuralTag, Request}
	for _, option := range []struct {
		name         string
		set, applies bool
	}{
		{"start_rule", o.StartRule != "", slices.Contains(started, kind)},
		{"any_order", o.AnyOrder, json},
		{"compact", o.Compact, json},
		{"max_whitespace", o.MaxWhitespace != 0, json},
		{"whitespace_pattern", o.WhitespacePattern != "", json},
		{"separators", o.Separators != nil, json},
		{"indent", o.Indent != nil, json},
		{"number_forms", o.AllNumberForms, json},
		{"ascii_only", o.ASCIIOnly, json},
		{"escapes", o.AnyEscapes, schema},
		{"lenient", o.Lenient, schema},
		{"closed", o.Closed, schema},
		{"dialect", o.Dialect != "", schema},
		{"documents", o.Documents != nil, schema},
		{"format", o.FormatIsNote, schema},
		{"grammars", o.Grammars != nil, slices.Contains(named, kind)},
		{"family", o.Family != "", kind == Request},
		{"reasoning", o.Reasoning != "", kind == Request},
	} {
		if option.set && !option.applies {
			return optionError(option.name, nil, "means nothing for a constraint of kind "+kind.String()+": leave it "+
				"out")
		}
	}
	return nil
}

// readValue decodes a value into its option; null is no value.
func readValue[T any](value json.RawMessage, to *T, want string) string {
	if string(value) == "null" || json.Unmarshal(value, to) != nil {
		return want
	}
	return ""
}

// readName acts on one of a few names.
func readName(value json.RawMessage, names map[string]func(), want string) string {
	var name string
	if readValue(value, &name, want) != "" || names[name] == nil {
		return want
	}
	names[name]()
	return ""
}

// optionError is about one option. The option's name is as long as its writer likes, so it is shortened too.
func optionError(name string, value json.RawMessage, rule string) error {
	name = diag.Shorten(name, 64)
	return &Error{
		Code: CodeArgument, Source: optionsSource, Place: diag.At("/" + name), Keyword: name,
		Message: rule, Fragment: diag.Shorten(string(value), 64),
	}
}

// readObject calls member for each member of a JSON object, in order. Empty text is an empty object.
func readObject(text []byte, member func(name string, value json.RawMessage) error) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	syntax := func(d *json.Decoder, what string) error {
		return diag.Errorf(CodeArgument, optionsSource, diag.TextPlace(string(text), int(d.InputOffset())),
			"%s: options are one JSON object, for example {\"any_order\": true}", what)
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
