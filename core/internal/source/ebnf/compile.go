package ebnf

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Compile compiles a grammar.
func Compile(st *terminal.Store, spec []byte, o *source.Options) (*grammar.Grammar, []diag.Note, error) {
	tree, notes, err := parse(string(spec), o)
	if err != nil {
		return nil, nil, err
	}
	g, err := tree.Grammar(st)
	return g, notes, err
}
