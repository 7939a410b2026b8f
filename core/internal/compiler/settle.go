package compiler

import (
	"cmp"
	"errors"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

const contradiction = "nothing can satisfy the schema: its keywords contradict one another, or require numbers of " +
	"more digits than an output may have"

// settle returns an error if the grammar of a doubtful lazy rule matches nothing. Otherwise an output could reach the rule
// and never end.
func settle(st *terminal.Store, g *grammar.Grammar, kind source.Kind) error {
	for i := range g.Rules {
		r := &g.Rules[i]
		if !r.Doubtful {
			continue
		}
		sub, err := r.Lazy(st)
		if err != nil {
			return err
		}
		if _, _, err = rewrite.Run(st, sub); err == nil {
			continue
		}
		var e *diag.Error
		if errors.As(err, &e) {
			moved := *e
			moved.Source, moved.Place = kind.String(), diag.At("")
			if at := cmp.Or(r.Part, r.Origin).Place(); at != nil {
				moved.Place = at.Place
			}
			if e.Code == diag.Unsatisfiable {
				moved.Message, moved.Other = contradiction, diag.Place{}
			}
			err = &moved
		}
		return err
	}
	return nil
}
