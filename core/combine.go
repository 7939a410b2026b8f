package core

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// Part is a constraint to combine with others.
type Part struct {
	Kind Kind   // any but Request
	Spec []byte // the constraint, as Compile takes it
}

// Concat returns a constraint whose outputs satisfy the parts one after another: a structural tag, and the options to
// compile it with. Pass both to Compile with the kind StructuralTag. Options added to o apply to all parts.
//
// Errors of Compile point into the tag: the second part is at /format/elements/1.
func Concat(parts ...Part) (spec []byte, o *Options, err error) {
	defer caught(&err)
	return combined("concat", "sequence", parts)
}

// Union returns a constraint whose outputs satisfy at least one of the parts, as Concat does.
func Union(parts ...Part) (spec []byte, o *Options, err error) {
	defer caught(&err)
	return combined("union", "or", parts)
}

// combined writes a structural tag of one format with the parts as its elements. It leaves out the option of special
// tokens, because each part has its own.
func combined(call, format string, parts []Part) ([]byte, *Options, error) {
	if len(parts) == 0 {
		return nil, nil, Errorf(CodeArgument, call, "there is nothing to put together: give a part")
	}
	elements := make([]any, len(parts))
	for i, p := range parts {
		f, err := formatOf(p)
		if err != nil {
			e := *AsError(err)
			e.Source, e.Place = call, Place(diag.At("/"+strconv.Itoa(i)))
			return nil, nil, &e
		}
		elements[i] = f
	}
	spec, err := json.Marshal(map[string]any{
		"type": "structural_tag", "format": map[string]any{"type": format, "elements": elements},
	})
	return spec, &Options{SpecialTokens: TokensView}, err
}

// formatOf returns the format of structural tags that stands for a constraint.
func formatOf(p Part) (any, error) {
	wrong := func(code Code, what string) error {
		return Errorf(code, p.Kind.String(), "%s", what)
	}
	p.Kind = p.Kind.Resolve(p.Spec)
	if p.Kind != JSONObject && p.Kind != AnyJSON && !utf8.Valid(p.Spec) {
		return nil, wrong(CodeSyntax, "a part must be UTF-8 text") // json.Marshal would replace the other bytes
	}
	switch p.Kind {
	case JSONSchema:
		schema := json.RawMessage(p.Spec)
		if string(p.Spec) == "$$ANY$$" {
			schema = json.RawMessage("true")
		}
		if !json.Valid(schema) {
			return nil, wrong(CodeSyntax, "this schema is not JSON")
		}
		return map[string]any{"type": "json_schema", "json_schema": schema}, nil
	case JSONObject:
		return map[string]any{"type": "json_schema", "json_schema": map[string]any{"type": "object"}}, nil
	case AnyJSON:
		return map[string]any{"type": "json_schema", "json_schema": true}, nil
	case Regex:
		return map[string]any{"type": "regex", "pattern": string(p.Spec)}, nil
	case EBNF:
		return map[string]any{"type": "grammar", "grammar": string(p.Spec)}, nil
	case Lark:
		return map[string]any{"type": "grammar", "syntax": "lark", "grammar": string(p.Spec)}, nil
	case Choice:
		var texts []json.RawMessage // decoding would replace a lone surrogate; the tag refuses it
		if json.Unmarshal(p.Spec, &texts) != nil || len(texts) == 0 {
			return nil, wrong(CodeSyntax, "a choice is a JSON list of at least one string")
		}
		elements := make([]any, len(texts))
		for i, s := range texts {
			if s[0] != '"' {
				return nil, wrong(CodeSyntax, "a choice is a JSON list of at least one string")
			}
			elements[i] = map[string]any{"type": "const_string", "value": s}
		}
		return map[string]any{"type": "or", "elements": elements}, nil
	case StructuralTag:
		var tag map[string]json.RawMessage // a struct would also take a member "FORMAT"
		if json.Unmarshal(p.Spec, &tag) != nil || tag["format"] == nil {
			return nil, wrong(CodeSyntax, `a structural tag that is a part is an object with the member "format"`)
		}
		return tag["format"], nil
	}
	return nil, wrong(CodeArgument, "a part is of one of the kinds json_schema, regex, ebnf, lark, grammar, "+
		"structural_tag, choice, json_object and json")
}
