package core

import (
	"encoding/json"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// Check reports what Compile would, as far as no vocabulary is needed, in a fraction of the time: the same error, or
// the notes of the grammar. It has the budgets of a zero CompilerConfig; Options.CheckBudget lowers them.
//
// A constraint that passes may still fail to compile: with CodeInvalid or CodeArgument if the vocabulary lacks a token
// that the constraint names (Options.TokenIDs avoids that), or with CodeLimit if its first mask exceeds MaskBudget.
func Check(kind Kind, spec []byte, o *Options) (_ []Note, err error) {
	defer caught(&err)
	if o, err = o.orDefault(kind); err != nil {
		return nil, err
	}
	if kind != Request {
		as := kind.Resolve(spec)
		notes, err := check(as, spec, o.engine())
		return notesOfEngine(notes), takenFor(kind, as, err)
	}
	r, err := readRequest(spec, o, nil)
	if err != nil || r.Kind == 0 {
		return nil, err
	}
	notes, err := check(Kind(r.Kind), r.Spec, &r.Options)
	if err != nil {
		return nil, r.Moved(err)
	}
	return notesOfEngine(r.MovedNotes(notes)), nil
}

func check(kind Kind, spec []byte, o *source.Options) ([]diag.Note, error) {
	if o.CheckBudget > 0 { // a caller with a bound cannot wait for others
		return compiler.Check(source.Kind(kind), spec, o)
	}
	return inTurn(o, func(o *source.Options) ([]diag.Note, error) {
		return compiler.Check(source.Kind(kind), spec, o)
	})
}

// CheckJSON is Check for programs that read JSON. It returns the notes as a list of objects with the members "pointer",
// "keyword", "effect" and "text". options are as for ParseOptions, budget is Options.CheckBudget. CheckJSON looks up
// names of tokens in v; if v is nil, it accepts every name.
func CheckJSON(kind Kind, spec, options []byte, v *Vocabulary, budget int) (_ []byte, err error) {
	defer caught(&err)
	o, err := ParseOptions(options)
	if err != nil {
		return nil, err
	}
	if o.CheckBudget = budget; v != nil {
		o.TokenIDs = v.v.TokenIDs
	}
	notes, err := Check(kind, spec, o)
	if err != nil {
		return nil, err
	}
	list := make([]noteJSON, len(notes))
	for i, n := range notes {
		list[i] = noteJSON{n.Pointer, n.Keyword, n.Effect.String(), n.Text}
	}
	return json.Marshal(list)
}

type noteJSON struct {
	Pointer string `json:"pointer"`
	Keyword string `json:"keyword"`
	Effect  string `json:"effect"`
	Text    string `json:"text"`
}
