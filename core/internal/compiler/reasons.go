package compiler

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// placesOf returns a function that compiles the constraint again and returns the places of its program. A grammar keeps
// this function and the text. It has no places before its first explanation, since they hold the constraint's tree.
func (c *Compiler) placesOf(
	kind source.Kind, spec []byte, o *source.Options,
) func(expanded []uint32) (*pushdown.Places, error) {
	opts := *o
	opts.Work, opts.Stop = nil, nil
	return func(expanded []uint32) (_ *pushdown.Places, err error) {
		defer func() { err = c.ended(kind, recover(), err) }()
		opts := opts
		opts.Work = work.New(c.config.Budgets.Compile, nil)
		st := c.newEngine(&opts).Store()
		st.SetWork(opts.Work)
		g, _, err := c.front(kind, st, spec, &opts)
		st.SetWork(nil) // lazy rules are outside the budget here as in the grammar
		opts.Work.End()
		if err != nil {
			return nil, err
		}
		return pushdown.PlacesOf(st, g, expanded)
	}
}
