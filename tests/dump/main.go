// Package main prints the result of every stage for a constraint, and the reason why a token may or may not come next.
// `make dump` runs it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

func main() {
	kind := flag.String("kind", "json_schema", "kind of the constraint, as Python's compile calls it")
	spec := flag.String("spec", `{"type": "object", "properties": {"age": {"type": "integer"}}}`,
		"the constraint, or @ and the file it is in")
	text := flag.String("text", "", "the output so far")
	options := flag.String("options", "", "options of the compilation, a JSON object, or @ and the file it is in")
	token := flag.Int("token", -1, "explain this token and nothing else")
	draw := flag.String("draw", "", "write Graphviz DOT instead: grammar, rewritten, state or automaton")
	tokens := flag.Int("tokens", 0, "how many tokens of the mask are listed")
	name := flag.String("vocabulary", corpus.Small, "a vocabulary: small, or one of the shared data")
	flag.Parse()
	d := core.DumpOptions{Text: []byte(*text), Tokens: *tokens, Draw: *draw}
	err := run(os.Stdout, *kind, *spec, *options, *name, int32(*token), d)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, kind, spec, options, name string, token int32, d core.DumpOptions) error {
	for _, text := range []*string{&spec, &options} {
		if file, ok := strings.CutPrefix(*text, "@"); ok {
			b, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			*text = string(b)
		}
	}
	k, ok := core.ParseKind(kind)
	if !ok {
		return fmt.Errorf("there is no kind %q", kind)
	}
	o, err := core.ParseOptions([]byte(options))
	if err != nil {
		return err
	}
	root, err := corpus.Checkout()
	if err != nil {
		return err
	}
	v, err := corpus.Vocabulary(root, name)
	if err != nil {
		return err
	}
	c := core.NewCompiler(v, core.CompilerConfig{})
	if token < 0 {
		return c.Dump(w, k, []byte(spec), o, d)
	}
	g, err := c.Compile(k, []byte(spec), o)
	if err != nil {
		return err
	}
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		return err
	}
	if ok, err = m.AcceptBytes(d.Text); err != nil {
		return err
	} else if !ok {
		return errors.New("the text does not match the constraint")
	}
	why, err := m.Explain(token)
	if err == nil {
		_, err = fmt.Fprintln(w, why)
	}
	return err
}
