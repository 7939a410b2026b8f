package core

import (
	"encoding/json"

	"github.com/sluice-engine/sluice/core/internal/compiler"
)

// Check says what Compile would say of a constraint as far as no vocabulary is needed, in a fraction of the time: the
// same error, or the notes. A constraint that passes may still fail to compile: where a token that it names is missing
// in the vocabulary (unless Options.TokenIDs says which there are), and where its first mask is beyond MaskBudget.
// Budgets are those of a compiler without configuration; Options.CheckBudget sets a lower one, beyond which the error is
// Unfinished. For a request it is read as without a vocabulary, see ReadRequest.
func Check(kind Kind, spec []byte, o *Options) (_ []Note, err error) {
	defer caught(&err)
	if o == nil {
		o = new(Options)
	}
	if err := checkKind(kind, o); err != nil {
		return nil, err
	}
	if kind != Request {
		as := kind.Resolve(spec)
		notes, err := check(as, spec, o)
		return notes, takenFor(kind, as, err)
	}
	r, err := ReadRequest(spec, o, nil)
	if err != nil || r.Kind == 0 {
		return nil, err
	}
	notes, err := check(r.Kind, r.Spec, &r.Options)
	if err != nil {
		return nil, r.Moved(err)
	}
	return r.MovedNotes(notes), nil
}

func check(kind Kind, spec []byte, o *Options) ([]Note, error) {
	if o.CheckBudget > 0 { // whoever bounds it cannot wait for others
		return compiler.Check(kind, spec, o)
	}
	return inTurn(o, func(o *Options) ([]Note, error) { return compiler.Check(kind, spec, o) })
}

// CheckJSON is Check for programs that read JSON: a list of the notes, each an object with the members "pointer",
// "keyword", "effect" and "text". Tokens are looked up by name in v, if it is not nil; a budget of 0 is none.
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
