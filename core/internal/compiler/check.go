package compiler

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/structag"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/vocab"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// Check returns the error or the notes of Compile without a vocabulary. It does not detect a token that the vocabulary
// lacks (unless o has TokenIDs), or a first mask beyond the budget. It fails with Unfinished beyond o.CheckBudget
// steps. o is not changed.
func Check(kind source.Kind, spec []byte, o *source.Options) ([]diag.Note, error) {
	if len(spec) > limits.SpecBytes {
		return nil, tooLong(kind, spec)
	}
	c, opts := checker(), *o
	most, m := c.config.Budgets.Compile, (*work.Meter)(nil)
	m = work.New(most, func() bool {
		return o.CheckBudget > 0 && most-m.Left() > o.CheckBudget || o.Stop != nil && o.Stop()
	})
	defer m.End()
	opts.Work, opts.Stop = m, nil
	return c.check(kind, spec, &opts)
}

var checker = sync.OnceValue(func() *Compiler {
	v, err := vocab.New(vocab.Config{Tokens: [][]byte{[]byte("a"), nil}, EndTokens: []uint32{1}})
	if err != nil {
		panic("compiler: the smallest vocabulary cannot be made: " + err.Error())
	}
	return New(v, Config{})
})

func (c *Compiler) check(kind source.Kind, spec []byte, opts *source.Options) (notes []diag.Note, err error) {
	defer func() { err = c.ended(kind, recover(), err) }()
	defer opts.Work.At(func() *diag.Error { return beginning(kind, spec) })()
	store := sync.OnceValue(func() *terminal.Store {
		st := terminal.NewStoreOver(c.parts().standard.Store(), *c.config.Budgets)
		st.SetWork(opts.Work)
		return st
	})
	const first = 1 << 30 // above the ids that constraints name
	known, tokens := opts.TokenIDs, newAnyTokens(first)
	opts.TokenIDs, opts.TokenCount, opts.EndTokens = func(text string) []uint32 {
		if known != nil && known(text) == nil {
			return nil
		}
		return tokens.id(text)
	}, 0, nil
	var g *grammar.Grammar
	switch kind {
	case source.JSONSchema:
		var s *jsonschema.Checked
		if s, err = jsonschema.CheckOver(store, spec, opts); err != nil {
			return nil, err
		}
		// Lowering takes about as much work as reading and planning.
		if early := opts.Work.Left() > c.config.Budgets.Compile/4*3; early && s.Settled() {
			return s.Notes(), nil
		}
		g, err = s.Lower(store())
		notes = s.Notes()
	case source.StructuralTag:
		var d *structag.Document
		if d, err = structag.Parse(spec, opts); err != nil {
			return nil, err
		}
		g, notes, err = d.Lower(store(), opts)
	default:
		g, notes, err = c.front(kind, store(), spec, opts)
	}
	if err != nil {
		return nil, err
	}
	if _, err = c.link(store(), g, kind, opts.Work); err == nil {
		_, err = c.finder(g, kind, opts.Work)
	}
	if err != nil {
		return nil, err
	}
	return notes, nil
}

// anyTokens assigns an id to each token name of a constraint.
type anyTokens struct {
	first uint32
	ids   map[string]uint32
	texts []string // names, by id from first on
}

func newAnyTokens(first uint32) *anyTokens { return &anyTokens{first: first, ids: map[string]uint32{}} }

func (t *anyTokens) id(text string) []uint32 {
	id, ok := t.ids[text]
	if !ok {
		id = t.first + uint32(len(t.texts))
		t.ids[text] = id
		t.texts = append(t.texts, text)
	}
	return []uint32{id}
}

func (t *anyTokens) text(id uint32) string {
	if id < t.first || id-t.first >= uint32(len(t.texts)) {
		return ""
	}
	return t.texts[id-t.first]
}
