package jsonschema

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Part is a schema inside another constraint: checked with it, and lowered when its rule is first entered, unless only
// lowering tells whether there is anything wrong with it. Safe for concurrent use.
type Part struct {
	checked *Checked
	within  func(error) error

	lowering sync.Mutex // a Checked is lowered by one goroutine at a time
}

// NewPart reads and checks a schema. within gives an error of it the place that it has in the whole; it may be called
// from several goroutines at once.
func NewPart(spec []byte, o *source.Options, within func(error) error) (*Part, error) {
	c, err := Check(spec, o)
	if err != nil {
		return nil, within(err)
	}
	return &Part{checked: c, within: within}, nil
}

// Notes returns the notes so far; Rule may add some.
func (p *Part) Notes() []diag.Note { return p.checked.Notes() }

// Rule adds the rule of the schema to g.
func (p *Part) Rule(st *terminal.Store, g *grammar.Grammar) (grammar.RuleID, error) {
	lower := p.lower
	settled := p.checked.Settled()
	if !settled {
		// A model must not be led into what nothing can complete.
		made, err := p.lower(st)
		if err != nil {
			return 0, err
		}
		lower = func(other *terminal.Store) (*grammar.Grammar, error) {
			if other == st {
				return made, nil
			}
			return p.lower(other)
		}
	}
	id := g.NewLazy("json_schema", lower)
	g.Rules[id].Doubtful = !settled
	return id, nil
}

func (p *Part) lower(st *terminal.Store) (*grammar.Grammar, error) {
	p.lowering.Lock()
	defer p.lowering.Unlock()
	g, err := p.checked.Lower(st)
	return g, p.within(err)
}
