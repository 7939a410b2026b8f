package regex

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Compile compiles a pattern for the whole output. It ignores options of other kinds.
func Compile(st *terminal.Store, spec []byte, o *source.Options) (*grammar.Grammar, []diag.Note, error) {
	n, err := Parse(o.Work, string(spec))
	if err != nil {
		return nil, nil, err
	}
	defer o.Work.At(func() *diag.Error { return n.Place(0) })()
	e, err := Lower(st, n, Mode{Encoding: terminal.UTF8})
	if err != nil {
		return nil, nil, err
	}
	if e == terminal.Empty {
		return nil, nil, failure(n.pattern, diag.Unsatisfiable, 0, "", "no text can match this pattern; check its "+
			"anchors and assertions")
	}
	g := grammar.New()
	g.At = grammar.Origin{Text: n}
	g.Start = g.NewRule("root")
	g.Add(g.Start, grammar.T(e))
	return g, nil, nil
}

// Place returns the place of the pattern's beginning, for errors about the whole pattern.
func (n *Node) Place(uint32) *diag.Error {
	e := diag.Errorf(diag.Limit, "regex", diag.Place{}, "").InText(n.pattern, 0)
	e.Fragment = diag.Shorten(n.pattern, limits.RegexFragment)
	return e
}
