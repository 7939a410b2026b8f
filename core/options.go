package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// optionsSource is the Source of errors about options.
const optionsSource = "options"

// ParseOptions reads the options of a compilation from a JSON object; empty text means the defaults. Unknown members,
// members given twice and values of the wrong type are errors: an option that was meant is never ignored.
func ParseOptions(text []byte) (_ *Options, err error) {
	defer caught(&err)
	o := new(Options)
	err = readObject(text, func(name string, value json.RawMessage) error {
		x := optionNamed(name)
		if x == nil {
			return optionError(name, value, "there is no such option")
		}
		if !x.read(o, value) {
			return optionError(name, value, "must be "+x.values)
		}
		return nil
	})
	return o, err
}

// ParseCompilerConfig reads a compiler's configuration from a JSON object, as ParseOptions does.
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
			return optionError(name, value, "a compiler has no such option")
		}
		least := 1
		if to == &c.CacheBytes || to == &c.WarmBytes {
			least = 0
		}
		if !readValue(value, to) || *to < least {
			return optionError(name, value, fmt.Sprintf("must be a whole number of at least %d", least))
		}
		if *to == 0 { // here the value says so; in Go it stands for the default
			*to = -1
		}
		return nil
	})
	return c, err
}

// checkKind refuses options that mean nothing to a kind of constraint: whoever sets them expects something of them.
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
	if len(text) > limits.OptionBytes {
		return diag.Errorf(CodeLimit, optionsSource, diag.Place{}, "the options have %d bytes; at most %d are read: leave "+
			"out documents and grammars that nothing refers to", len(text), limits.OptionBytes)
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
