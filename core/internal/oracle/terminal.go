package oracle

import "github.com/sluice-engine/sluice/core/internal/terminal"

// Terminal answers for one expression. One goroutine at a time.
type Terminal struct {
	tree    *tree
	machine *machine
}

// NewTerminal reads the expression.
func NewTerminal(st *terminal.Store, e terminal.Expr) *Terminal {
	r := reader{st: st, trees: map[terminal.Expr]*tree{}}
	t := r.read(e)
	return &Terminal{tree: t, machine: newMachine(t)}
}

// Accepts reports whether the whole text matches, with a tag or without.
func (o *Terminal) Accepts(text []byte) bool {
	return len(newSpans(text).from(o.tree, 0)[len(text)]) > 0
}

// Prefix reports whether some continuation of text matches.
func (o *Terminal) Prefix(text []byte) bool {
	_, live := o.machine.from(text, 0)
	return len(live) > 0
}
