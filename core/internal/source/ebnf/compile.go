package ebnf

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Compile compiles a grammar.
func Compile(st *terminal.Store, spec []byte, o *source.Options) (*grammar.Grammar, []diag.Note, error) {
	p, err := parse(string(spec), o)
	if err != nil {
		return nil, nil, err
	}
	g, err := p.Tree.Grammar(st)
	p.NoteUncut()
	p.NoteEdges()
	return g, p.Notes, err
}
