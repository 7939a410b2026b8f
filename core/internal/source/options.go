// Package source declares the kinds of constraint and the options of a compilation. Each front end is a package below
// it with parse.go (text to tree) and lower.go (tree to grammar).
package source

import (
	"encoding/json"

	"github.com/sluice-engine/sluice/core/internal/work"
)

// Kind is the language of a constraint. Values are part of the C ABI.
type Kind uint32

// The kinds of constraint.
const (
	JSONSchema    Kind = 1
	Regex         Kind = 2
	EBNF          Kind = 3
	Lark          Kind = 4
	StructuralTag Kind = 5
	Choice        Kind = 6
	JSONObject    Kind = 7  // any JSON object; the text is ignored
	AnyJSON       Kind = 8  // any JSON value; the text is ignored
	Request       Kind = 9  // an engine's request, which contains a constraint of another kind
	GrammarText   Kind = 10 // EBNF or Lark, as Resolve decides
)

var kindNames = map[string]Kind{
	"json_schema": JSONSchema, "regex": Regex, "ebnf": EBNF, "lark": Lark,
	"structural_tag": StructuralTag, "choice": Choice, "json_object": JSONObject, "json": AnyJSON,
	"request": Request, "grammar": GrammarText,
}

// ParseKind returns the kind of that name.
func ParseKind(name string) (Kind, bool) { k, ok := kindNames[name]; return k, ok }

// String returns the name that ParseKind reads.
func (k Kind) String() string {
	for n, x := range kindNames {
		if x == k {
			return n
		}
	}
	return "unknown"
}

// TokenView selects the places of special tokens; see "Special and added tokens" of the documentation.
type TokenView uint8

// The views of special tokens.
const (
	DefaultView TokenView = iota // by kind
	TokensView                   // only at places that name the token
	TextView                     // also at places that allow the token's text
)

// NamedGrammar is a grammar that the main grammar refers to: the text of a Lark grammar, or a JSON schema.
type NamedGrammar struct {
	Lark   string          `json:"lark_grammar,omitempty"`
	Schema json.RawMessage `json:"json_schema,omitempty"`
}

// Options are the options of one compilation. The zero value selects every default.
type Options struct {
	SpecialTokens TokenView
	StartRule     string // EBNF: the start rule, "root" if empty
	Lines         bool   // Choice: one string a line instead of a JSON list

	// JSON text and JSON Schema.
	AnyOrder      bool
	Lenient       bool
	Compact       bool
	MaxWhitespace int // longest gap of any whitespace; 0: gaps as serializers write them
	// WhitespacePattern is a regular expression for the gaps between tokens, in place of any whitespace.
	WhitespacePattern string
	Separators        *[2]string // exactly these between elements and after keys, no other whitespace
	Indent            *string    // every element on its own line, indented by this text for each level
	AllNumberForms    bool       // integers may be written 1.0 and 1e2
	ASCIIOnly         bool
	AnyEscapes        bool                       // escapes: any, also in declared keys, enums and constants
	Closed            bool                       // undeclared members and items are forbidden
	Dialect           string                     // the dialect of a schema without $schema
	Documents         map[string]json.RawMessage // further schema documents by URI
	FormatIsNote      bool                       // format: annotation

	// Grammars maps names to the grammars that @name in Lark refers to.
	Grammars map[string]NamedGrammar

	Family    string // a family's name or the content of a family's file
	Reasoning string // "off" if empty, "on" or "auto"

	// TokenIDs returns the ids of the tokens with a text, lowest first, nil for an unknown text. The function is nil
	// without a vocabulary.
	TokenIDs func(text string) []uint32 `json:"-"`
	// TokenText returns the text of a token, special or not, "" if it has none. The function is nil without a
	// vocabulary.
	TokenText func(id uint32) string `json:"-"`
	// EndTokens are the vocabulary's end tokens, which an AnyToken excludes.
	EndTokens []uint32 `json:"-"`
	// TokenCount bounds the ids a constraint may name; 0: unknown.
	TokenCount int `json:"-"`

	// Work counts the work of the compilation; the compiler sets it. Nil counts nothing.
	Work *work.Meter `json:"-"`

	// Stop ends the compilation with Unfinished once it returns true; nil never stops. The compiling goroutine calls
	// it about once a millisecond, and never after the compilation. It does not change results.
	Stop func() bool `json:"-"`

	// CheckBudget bounds the steps of Check, in the unit of a compiler's budget. Beyond it Check fails with
	// Unfinished. 0: the budget of a compilation.
	CheckBudget int `json:"-"`
}
