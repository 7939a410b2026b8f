// Package jsonschema turns a JSON Schema into a grammar of the JSON texts that satisfy it.
//
// The way from text to grammar leads through inner packages, each of which may import those above it:
//
//	jsontype        sets of JSON types
//	number, format  keywords about numbers and strings, as terminals; number has package grid below it
//	schema          the written schema: keywords of a dialect, references, notes and errors with their places
//	node            facts about single schemas: types, values, bounds
//	pattern, style  patterns of strings; spellings of values other than JSON
//	plan            its meaning: conjunctions of schemas and the cases that satisfy them
//	lower           the grammar of a plan: rules, spellings, whitespace
//
// Front ends import this package alone. Package events reads the styles of the calls that it follows.
//
// Invariant: a schema is enforced as written, or an error with pointer and keyword, or a note, says otherwise. Only
// keywords unknown to the dialect are ignored.
//
// Order of properties: keywords apply in written order, $ref and allOf at their place. A property comes at the place
// of its first declaration in that order; names that are only required follow, then all other keys. Two further orders
// are allowed: the required properties first, as required lists them; and, if several schemas declare properties,
// first the properties of the schemas that were applied last. The rest follows as before (plan/object.go). Names that
// are only tested (if, not, dependencies) may be anywhere. Listed objects (const, enum) keep their order. The option
// any_order allows every order.
//
// Start reading at Compile.
package jsonschema

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/lower"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Compile returns the grammar of the JSON texts that satisfy a schema. The literal $$ANY$$ stands for the schema true.
// Errors are *diag.Error values.
func Compile(st *terminal.Store, spec []byte, o *source.Options) (*grammar.Grammar, []diag.Note, error) {
	c, err := CheckOver(func() *terminal.Store { return st }, spec, o)
	if err != nil {
		return nil, nil, err
	}
	g, err := c.Lower(st)
	if err != nil {
		return nil, nil, err
	}
	return g, c.Notes(), nil
}

// CompileAnyJSON returns the grammar of all JSON values.
func CompileAnyJSON(st *terminal.Store, o *source.Options) (*grammar.Grammar, error) {
	g, _, err := Compile(st, []byte("true"), o)
	return g, err
}

// CompileJSONObject returns the grammar of all JSON objects.
func CompileJSONObject(st *terminal.Store, o *source.Options) (*grammar.Grammar, error) {
	g, _, err := Compile(st, []byte(`{"type":"object"}`), o)
	return g, err
}

// Checked is a schema after reading and checking, before lowering. One goroutine at a time may call Lower, any number
// of times.
type Checked struct {
	plan *plan.Plan
	more []diag.Note // of lowering
}

// Check reads a schema and reports malformed or unsupported keywords, and contradictions that need no automata. It
// takes a fraction of the time of a compilation.
func Check(spec []byte, o *source.Options) (*Checked, error) {
	return CheckOver(nil, spec, o)
}

// CheckOver is Check with the store for lowering, which st returns when it is first needed.
func CheckOver(st func() *terminal.Store, spec []byte, o *source.Options) (*Checked, error) {
	if o == nil {
		o = &source.Options{}
	}
	if err := lower.CheckLayout(o); err != nil {
		return nil, err
	}
	r, err := schema.Read(spec, o)
	if err != nil {
		return nil, err
	}
	return check(st, r, Writing{})
}

// check is Check for values in some writing. It uses the store of st, or its own if st is nil, for patterns.
func check(st func() *terminal.Store, r *schema.Reader, w Writing) (*Checked, error) {
	made, err := plan.New(r, st, w)
	if err != nil {
		return nil, err
	}
	return &Checked{plan: made}, nil
}

// Notes returns the notes so far; lowering may add some.
func (c *Checked) Notes() []diag.Note {
	notes := c.plan.Planner.Notes
	if len(c.more) == 0 {
		return notes
	}
	return append(slices.Clip(notes), c.more...)
}

// Lower builds the grammar, with expressions of st.
func (c *Checked) Lower(st *terminal.Store) (g *grammar.Grammar, err error) {
	g, c.more, err = lower.Grammar(st, c.plan)
	return g, err
}

// Settled reports whether lowering cannot fail, cannot discover that no value satisfies the schema, and adds no notes.
func (c *Checked) Settled() bool { return lower.Settled(c.plan) }
