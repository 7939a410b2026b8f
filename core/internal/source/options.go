// Package source holds what all front ends share: the kinds of constraint and the options of a compilation. Each front
// end is a package below it with parse.go (text to tree) and lower.go (tree to grammar).
package source

import (
	"encoding/json"

	"github.com/sluice-engine/sluice/core/internal/work"
)

// Kind says how a constraint's text is read. Values are part of the C ABI.
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
	Request       Kind = 9  // a request to an engine, which contains a constraint of another kind
	GrammarText   Kind = 10 // EBNF or Lark, whichever Resolve takes the text for
)

var kindNames = map[string]Kind{
	"json_schema": JSONSchema, "regex": Regex, "ebnf": EBNF, "lark": Lark,
	"structural_tag": StructuralTag, "choice": Choice, "json_object": JSONObject, "json": AnyJSON,
	"request": Request, "grammar": GrammarText,
}

// ParseKind returns the kind of that name.
func ParseKind(name string) (Kind, bool) { k, ok := kindNames[name]; return k, ok }

// String returns the kind's name as ParseKind reads it.
func (k Kind) String() string {
	for n, x := range kindNames {
		if x == k {
			return n
		}
	}
	return "unknown"
}

// TokenView says where special tokens are allowed; see "Special and added tokens" of the documentation.
type TokenView uint8

// The views of special tokens.
const (
	DefaultView TokenView = iota // by kind
	TokensView                   // only where the grammar names the token
	TextView                     // also wherever the text it spells may stand
)

// NamedGrammar is a grammar beside the one where the output starts: the text of a Lark grammar, or a JSON schema.
type NamedGrammar struct {
	Lark   string          `json:"lark_grammar,omitempty"`
	Schema json.RawMessage `json:"json_schema,omitempty"`
}

// Options of one compilation. The zero value is the default of every option.
type Options struct {
	SpecialTokens TokenView
	StartRule     string // EBNF: the start rule, "root" if empty
	Lines         bool   // Choice: one string a line instead of a JSON list

	// JSON text and JSON Schema.
	AnyOrder      bool
	Lenient       bool
	Compact       bool // no whitespace at all
	MaxWhitespace int  // longest gap of any whitespace; 0: gaps as serializers write them
	// WhitespacePattern is a regular expression of the gaps between tokens, instead of any whitespace.
	WhitespacePattern string
	Separators        *[2]string // exactly these between elements and after keys, and no other whitespace
	Indent            *string    // every element on a line of its own, indented by this for each level
	AllNumberForms    bool       // integers may be written 1.0 and 1e2
	ASCIIOnly         bool
	AnyEscapes        bool                       // escapes: any, also in declared keys, enums and constants
	Closed            bool                       // undeclared members and items are forbidden
	Dialect           string                     // the dialect of a schema without $schema
	Documents         map[string]json.RawMessage // further schema documents by URI
	FormatIsNote      bool                       // format: annotation

	// Grammars holds the grammars that @name in Lark refers to, by name.
	Grammars map[string]NamedGrammar

	// Requests.
	Family    string // how the model writes calls: the name of a family, or the content of a family's file
	Reasoning string // "off" if empty, "on" or "auto"

	// TokenIDs resolves a token's text to its id, or to several ids, the lowest first, for constraints that name
	// tokens. It returns nil for an unknown text. Nil: no vocabulary at hand.
	TokenIDs func(text string) []uint32 `json:"-"`
	// TokenText returns the text of a token, special or not, "" if it has none. Nil: no vocabulary at hand.
	TokenText func(id uint32) string `json:"-"`
	// EndTokens are the vocabulary's end tokens: an AnyToken must leave them out.
	EndTokens []uint32 `json:"-"`
	// TokenCount bounds the ids a constraint may name; 0: unknown.
	TokenCount int `json:"-"`

	// Work counts the work of the compilation; the compiler sets it. Nil counts nothing.
	Work *work.Meter `json:"-"`

	// Stop ends a compilation early, which then fails as Unfinished. The compiler asks it after each millisecond of
	// work, on the compiling goroutine, and never after the compilation. nil never stops. The result of a compilation
	// does not depend on it.
	Stop func() bool `json:"-"`

	// CheckBudget is how many steps Check may take before it fails as Unfinished, in the unit of a compiler's budget; 0:
	// as many as a compilation.
	CheckBudget int `json:"-"`
}
