package dump

import (
	"bytes"
	"fmt"
	"io"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// Input selects the output of Stages.
type Input struct {
	Kind    source.Kind
	Spec    []byte
	Options *source.Options // as for a compilation
	Text    []byte          // the output before the dumped state, token sets and mask
	Tokens  int             // the number of tokens of the mask that are written
}

// Bounds of the output.
const (
	exprBytes  = 300 // the bytes of an expression in a listing
	stackNodes = 100 // the stack nodes of a state
)

// Stages writes the result of each stage of a compilation, in their order. Errors are errors of the compilation, or say
// that the text does not match.
func Stages(w io.Writer, c *compiler.Compiler, in Input) error {
	front, st, err := c.Front(in.Kind, in.Spec, in.Options)
	if err != nil {
		return err
	}
	written := Grammar(st, front)
	fmt.Fprintf(w, "== grammar of the front end ==\n%s", written)
	rewritten, _, err := rewrite.Run(st, front)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "== grammar after rewriting ==")
	if text := Grammar(st, rewritten); text != written {
		io.WriteString(w, text)
	} else {
		fmt.Fprintln(w, "the same")
	}
	g, err := c.Compile(in.Kind, in.Spec, in.Options)
	if err != nil {
		return err
	}
	m := g.Current()
	a, st := m.Automaton(), m.Engine().Store()
	expr := inListing(st)
	s, err := follow(a, in.Text)
	if err != nil {
		return err
	}
	if notes := g.Notes(); len(notes) > 0 {
		fmt.Fprintln(w, "== notes ==")
		for _, n := range notes {
			fmt.Fprintln(w, n.Pointer, n.Keyword, n.Effect, n.Text)
		}
	}
	fmt.Fprintln(w, "== program ==")
	a.Program().Print(w, expr)
	fmt.Fprintf(w, "== state after %q ==\n", in.Text)
	a.Print(w, s, stackNodes, expr)
	fmt.Fprintln(w, "== token sets of its items ==")
	for _, set := range m.Describe(s) {
		fmt.Fprintf(w, "%s\n  %s\n", expr(set.Terminal), tokenSet(set, expr))
	}
	return writeMask(w, g, m, s, in.Tokens)
}

// inListing returns a function that writes expressions in listings.
func inListing(st *terminal.Store) func(e terminal.Expr) string {
	return func(e terminal.Expr) string { return "/" + Expression(st, e, exprBytes) + "/" }
}

func follow(a *pushdown.Automaton, text []byte) (pushdown.StateID, error) {
	s := a.Start()
	for n, b := range text {
		if s = a.Step(s, b); s <= pushdown.Over {
			e := argument("the text does not match the constraint from here on")
			e.Place = diag.TextPlace(string(text), n)
			return s, e
		}
	}
	return s, nil
}

func argument(format string, args ...any) *diag.Error {
	return diag.Errorf(diag.Argument, "dump", diag.Place{}, format, args...)
}

func tokenSet(set tokenset.Provenance, expr func(terminal.Expr) string) string {
	switch set.How {
	case "walked":
		return "walked: no class is of use; the walk of the trie follows it"
	case "difference":
		return fmt.Sprintf("difference: the %d tokens within %s without %d; %d tokens may go beyond its end",
			set.Inside+set.Removed, expr(set.From), set.Removed, set.Crossing)
	}
	return fmt.Sprintf("%s: %d tokens stay within; %d may go beyond its end", set.How, set.Inside, set.Crossing)
}

// writeMask writes the number of tokens that the mask of state s allows, and the first of them.
func writeMask(w io.Writer, g *compiled.Grammar, m *mask.Masks, s pushdown.StateID, most int) error {
	v := g.Vocabulary()
	row := make([]uint32, v.Words())
	if _, inBudget := m.Fill(s, row, v.EndTokens()); !inBudget {
		return diag.Errorf(diag.Limit, "dump", diag.Place{}, "the mask takes more than its budget")
	}
	var list bytes.Buffer
	n := 0
	for id := range uint32(v.PaddedSize()) {
		if row[id>>5]>>(id&31)&1 == 0 {
			continue
		}
		if n++; n > most {
			continue
		}
		if fmt.Fprintf(&list, "  %d", id); v.IsEnd(id) {
			list.WriteString(" end\n")
		} else {
			fmt.Fprintf(&list, " %q\n", g.Tokens().Text(id, true))
		}
	}
	fmt.Fprintf(w, "== mask: %d of %d tokens ==\n", n, v.Size())
	if n > most {
		fmt.Fprintf(&list, "  and %d more\n", n-most)
	}
	_, err := list.WriteTo(w)
	return err
}
