package rewrite

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Passes are the passes that keep a grammar's form. They report whether they changed anything.
var Passes = map[string]func(st *terminal.Store, g *grammar.Grammar) bool{
	"operators": func(st *terminal.Store, g *grammar.Grammar) bool {
		_, components := leftCorners(st, g, analyse(st, g))
		return flattenOperators(g, components)
	},
	"loops": func(st *terminal.Store, g *grammar.Grammar) bool {
		info := analyse(st, g)
		plainRepeats(g, info)
		return simplifyLoops(st, g, info)
	},
	"unreachable": func(_ *terminal.Store, g *grammar.Grammar) bool {
		dropUnreachable(g)
		return true
	},
}

// DropUnproductive must run before Passes.
var DropUnproductive = dropUnproductive
