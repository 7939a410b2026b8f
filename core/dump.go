package core

import (
	"io"

	"github.com/sluice-engine/sluice/core/internal/dump"
)

// DumpOptions says what Compiler.Dump shows; the zero value is every stage as text, before any output.
type DumpOptions struct {
	Text   []byte // an output so far: the state, its token sets and its mask are those after it
	Tokens int    // how many tokens of the mask are written; 0: fifty
	// Draw, where it is set, writes one thing as Graphviz DOT instead: "grammar" (of the front end), "rewritten" (the
	// same after the passes that bring it into the form of the automaton), "state" (with its stack) or "automaton" (of
	// the terminal that the output is in the middle of).
	Draw string
}

// Dump writes what each stage makes of a constraint: the grammar of the front end, the grammar after rewriting, the
// linked program, the state after a text, where the tokens of its mask come from, the mask, and whether trying every
// token says the same as the mask. It is for people who look for a mistake, in a constraint or in the engine; the form
// of the text may change with every release. Errors are
// those of Compile, CodeArgument for a text that does not match and for a drawing that there is not, and those of w.
func (c *Compiler) Dump(w io.Writer, kind Kind, spec []byte, o *Options, d DumpOptions) (err error) {
	defer caught(&err)
	if o == nil {
		o = new(Options)
	}
	if err := checkKind(kind, o); err != nil {
		return err
	}
	if kind == Request {
		r, err := ReadRequest(spec, o, c.v)
		if err != nil {
			return err
		}
		kind, spec = written(r)
		o = &r.Options
	}
	in := dump.Input{Kind: kind.Resolve(spec), Spec: spec, Options: o, Text: d.Text, Tokens: d.Tokens}
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

// dumpAgreement compares the mask after the text with what trying each token says.
func (c *Compiler) dumpAgreement(w io.Writer, in dump.Input) error {
	g, err := c.Compile(in.Kind, in.Spec, in.Options)
	if err != nil {
		return err
	}
	m, err := NewMatcher(g, MatcherOptions{})
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
