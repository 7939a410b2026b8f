package ebnf

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Compile compiles a grammar.
func Compile(st *terminal.Store, spec []byte, o *source.Options) (*grammar.Grammar, []diag.Note, error) {
	p, err := parse(string(spec), o)
	if err != nil {
		return nil, nil, err
	}
	g, err := p.tree.Grammar(st)
	for _, at := range p.tree.Uncut {
		p.note(at, "max_tokens", diag.Wider, rules.Uncut)
	}
	return g, p.notes, err
}
