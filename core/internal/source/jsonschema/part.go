package jsonschema

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/lower"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Part is a schema inside another constraint. It is checked with the constraint, and lowered when its rule is first
// entered, or at once if only lowering can find errors in it. Safe for concurrent use.
type Part struct {
	checked *Checked
	settled bool // lowering cannot fail
	within  func(error) error

	lowering sync.Mutex // a Checked is lowered by one goroutine at a time
}

// Writing selects the writing of a part's values. The zero Writing is JSON.
type Writing = plan.Writing

// NewPart reads and checks a schema. within gives its errors a place in the whole, and must be safe for concurrent
// calls.
func NewPart(spec []byte, o *source.Options, within func(error) error) (*Part, error) {
	c, err := Check(spec, o)
	if err != nil {
		return nil, within(err)
	}
	return &Part{checked: c, settled: c.Settled(), within: within}, nil
}

// NewWritten is NewPart for a schema in a tree and values in a writing.
func NewWritten(
	tree *jsontext.Tree, at jsontext.ID, o *source.Options, w plan.Writing, within func(error) error,
) (*Part, error) {
	if err := lower.CheckLayout(o); err != nil {
		return nil, within(err)
	}
	part, root := tree.Part(at)
	r, err := schema.ReadTree(part, root, o)
	if err != nil {
		return nil, within(err)
	}
	c, err := check(nil, r, w)
	if err != nil {
		return nil, within(err)
	}
	return &Part{checked: c, settled: c.Settled(), within: within}, nil
}

// Notes returns the notes so far; Rule may add some.
func (p *Part) Notes() []diag.Note { return p.checked.Notes() }

// Settled reports whether Rule cannot fail and adds no notes.
func (p *Part) Settled() bool { return p.settled }

// Closes reports whether the rule also reads the end of the tag around it, because its value is a text up to that end.
func (p *Part) Closes() bool {
	return p.checked.plan.Planner.Tagged != nil && p.checked.plan.Planner.Tagged.Alone
}

// Rule adds the rule of the schema to g. In a style it may match the empty text.
func (p *Part) Rule(st *terminal.Store, g *grammar.Grammar) (grammar.RuleID, error) {
	write := p.lower
	members := p.checked.plan.Planner.Tagged == nil || p.checked.plan.Members
	if !p.settled {
		// A tag must not open if nothing can complete its content.
		made, err := p.lower(st)
		if err != nil {
			return 0, err
		}
		members = members && (!p.checked.plan.Empty || len(made.Rules[made.Start].Alternatives) > 0)
		write = func(other *terminal.Store) (*grammar.Grammar, error) {
			if other == st {
				return made, nil
			}
			return p.lower(other)
		}
	}
	id := grammar.RuleID(0)
	if members {
		id = g.NewLazy("json_schema", write)
		g.Rules[id].Doubtful = !p.settled
	}
	if !p.checked.plan.Empty {
		return id, nil
	}
	// A lazy rule must not match the empty text, so the value without members is an alternative.
	r := g.NewRule("parameters")
	g.Add(r, grammar.T(lower.NoMembers(st, p.checked.plan.Planner)))
	if id != 0 {
		g.Add(r, grammar.N(id))
	}
	return r, nil
}

func (p *Part) lower(st *terminal.Store) (*grammar.Grammar, error) {
	p.lowering.Lock()
	defer p.lowering.Unlock()
	g, err := p.checked.Lower(st)
	return g, p.within(err)
}
