package choice

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Compile reads a list of strings and lowers it.
func Compile(st *terminal.Store, spec []byte, o *source.Options) (*grammar.Grammar, []diag.Note, error) {
	read := Parse
	if o.Lines {
		read = ParseLines
	}
	choices, err := read(o.Work, spec)
	if err != nil {
		return nil, nil, err
	}
	g := grammar.New()
	whole := list(spec)
	g.At = grammar.Origin{Text: &whole} // a pointer, because origins are compared
	defer o.Work.At(g.At.Place)()
	g.Start = g.NewRule("choice")
	g.Add(g.Start, grammar.T(st.Texts(choices, terminal.UTF8, nil)))
	return g, nil, nil
}

type list []byte

// Place returns the place of the whole list, for errors that no single string causes.
func (l *list) Place(uint32) *diag.Error {
	e := diag.Errorf(diag.Limit, sourceName, diag.At(""), "")
	e.Fragment = diag.Shorten(string((*l)[:min(len(*l), 2*limits.ChoiceFragment)]), limits.ChoiceFragment)
	return e
}
