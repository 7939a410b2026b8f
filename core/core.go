// Package core constrains the output of a language model: JSON that satisfies a schema, a regular expression, a
// grammar, a list of choices, or the tool calls of a request. For every sequence at every decoding step it tells an
// inference engine which tokens of the vocabulary may come next, as a bit mask. It is Sluice for Go programs and needs
// no cgo; the C and Python interfaces are built on it.
//
// Load a Vocabulary and make a Compiler once for each model. Compile each constraint into a Grammar once, and make a
// Matcher from it for each sequence. At each step call Matcher.Fill, sample one of the tokens whose bit is set, and
// pass it to Matcher.Accept, until Matcher.Terminated. A Batch does the same for many sequences in one call.
//
// Vocabularies, compilers and grammars are safe for concurrent use. One goroutine at a time may use a matcher or a
// batch; State, Completed, Terminated and Len of a matcher may be called by all. Every error is an *Error with a code
// and a place.
//
// Invariant: this package decides neither the meaning of a constraint nor which token is allowed; the packages below
// internal do. It names their objects, reads options and converts types. It must not know C.
package core

import "github.com/sluice-engine/sluice/core/internal/source"

// Kind is the language that a constraint is written in. Its values equal SLUICE_KIND_* in the C header and never
// change.
type Kind uint32

// The kinds of constraint.
const (
	JSONSchema    Kind = 1  // a JSON Schema: JSON that satisfies it
	Regex         Kind = 2  // a regular expression that matches the whole output
	EBNF          Kind = 3  // a context-free grammar in GBNF and its superset
	Lark          Kind = 4  // a context-free grammar in LLGuidance's dialect of Lark
	StructuralTag Kind = 5  // a JSON document: free text in which some strings open constrained regions
	Choice        Kind = 6  // a JSON list of strings: one of them; see Options.Lines
	JSONObject    Kind = 7  // any JSON object; the text of the constraint is ignored
	AnyJSON       Kind = 8  // any JSON value; the text of the constraint is ignored
	Request       Kind = 9  // the body of a request to an inference server: the constraint that it contains
	GrammarText   Kind = 10 // EBNF or Lark, as Resolve decides
)

// ParseKind returns the kind of that name: "json_schema", "regex", "ebnf", "lark", "structural_tag", "choice",
// "json_object", "json", "request", "grammar".
func ParseKind(name string) (Kind, bool) {
	k, ok := source.ParseKind(name)
	return Kind(k), ok
}

// String returns the kind's name as ParseKind reads it.
func (k Kind) String() string { return source.Kind(k).String() }

// Resolve returns the kind that a constraint's text is read as. A GrammarText is read as EBNF if a ::= stands outside
// its comments, and as Lark otherwise. All other kinds are read as themselves.
func (k Kind) Resolve(spec []byte) Kind { return Kind(source.Kind(k).Resolve(spec)) }
