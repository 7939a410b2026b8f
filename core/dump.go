package core

import (
	"io"

	"github.com/sluice-engine/sluice/core/internal/dump"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// DumpOptions selects what Compiler.Dump writes. The zero value selects every stage, before any output.
type DumpOptions struct {
	Text   []byte // the output before the dumped state, token sets and mask
	Tokens int    // how many tokens of the mask are listed; 0: 50
	// Draw selects one thing, written as Graphviz DOT: "grammar" (of the front end), "rewritten" (the grammar in the
	// form of the automaton), "state" (with its stack) or "automaton" (of the terminal that the output is in). "":
	// text.
	Draw string
}

// Dump writes the result of each stage of a compilation: the grammar of the front end, the grammar after rewriting, the
// linked program, the state after a text, the sources of the tokens of its mask, the mask, and the result of a trial
// of every token. Use it to find a mistake in a constraint or in the engine. The format may change with
// every release.
//
// Errors are as for Compile, errors of w, and CodeArgument for a text that does not match or an unknown Draw.
func (c *Compiler) Dump(w io.Writer, kind Kind, spec []byte, o *Options, d DumpOptions) (err error) {
	defer caught(&err)
	if o, err = o.orDefault(kind); err != nil {
		return err
	}
	own := o.engine()
	if kind == Request {
		r, err := readRequest(spec, o, c.v)
		if err != nil {
			return err
		}
		kind, spec = written(r)
		own = &r.Options
	}
	kind = kind.Resolve(spec)
	in := dump.Input{Kind: source.Kind(kind), Spec: spec, Options: own, Text: d.Text, Tokens: d.Tokens}
	if in.Tokens == 0 {
		in.Tokens = 50
	}
	if d.Draw != "" {
		return dump.Draw(w, c.c, in, d.Draw)
	}
	if err := dump.Stages(w, c.c, in); err != nil {
		return err
	}
	return c.dumpAgreement(w, in)
}

// dumpAgreement compares the mask after the text with a trial of every token.
func (c *Compiler) dumpAgreement(w io.Writer, in dump.Input) error {
	g, err := c.compile(Kind(in.Kind), in.Spec, in.Options)
	if err != nil {
		return err
	}
	m, err := NewMatcher(&Grammar{g: g, v: c.v, number: c.number}, MatcherOptions{})
	if err != nil {
		return err
	}
	if _, err = m.AcceptBytes(in.Text); err != nil {
		return err
	}
	row := make([]uint32, c.v.Words())
	if _, err = m.Fill(row); err != nil {
		return err
	}
	texts := make([][]byte, c.v.Size())
	for id := range texts {
		texts[id], _ = c.v.Token(uint32(id))
	}
	return dump.Agreement(w, row, texts, func(id int32) (bool, error) {
		n, err := m.Validate([]int32{id})
		return n == 1, err
	})
}
