// Package main prints the result of every stage for a constraint, and the reason why a token may or may not come next.
// `make dump` runs it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

func main() {
	kind := flag.String("kind", "json_schema", "kind of the constraint, as Python's compile calls it")
	spec := flag.String("spec", `{"type": "object", "properties": {"age": {"type": "integer"}}}`,
		"the constraint, or @ and the file it is in")
	text := flag.String("text", "", "the output so far, or @ and the file it is in")
	options := flag.String("options", "", "options of the compilation, a JSON object, or @ and the file it is in")
	token := flag.String("token", "", "explain this token and nothing else: an id, or a text as the dump quotes it")
	draw := flag.String("draw", "", "write Graphviz DOT instead: grammar, rewritten, state or automaton")
	tokens := flag.Int("tokens", 0, "how many tokens of the mask are listed")
	name := flag.String("vocabulary", corpus.Small, "a vocabulary: small, or one of the shared data")
	flag.Parse()
	d := core.DumpOptions{Text: []byte(*text), Tokens: *tokens, Draw: *draw}
	err := run(os.Stdout, *kind, *spec, *options, *name, *token, d)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, kind, spec, options, name, token string, d core.DumpOptions) error {
	output := string(d.Text)
	for _, text := range []*string{&spec, &options, &output} {
		if file, ok := strings.CutPrefix(*text, "@"); ok {
			b, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			*text = string(b)
		}
	}
	d.Text = []byte(output)
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
	if token == "" {
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
	id, err := tokenOf(v, token)
	if err != nil {
		return err
	}
	why, err := m.Explain(id)
	if err != nil {
		return err
	}
	row := make([]uint32, v.Words())
	if _, err = m.Fill(row); err != nil {
		return err
	}
	says := "does not allow"
	if row[id>>5]>>(id&31)&1 == 1 {
		says = "allows"
	}
	_, err = fmt.Fprintf(w, "%s\nthe mask %s it\n", why, says)
	return err
}

// tokenOf returns the id of a token that is given by its id or its text, quoted or not.
func tokenOf(v *core.Vocabulary, token string) (int32, error) {
	if id, err := strconv.ParseInt(token, 10, 32); err == nil && id >= 0 && int(id) < v.PaddedSize() {
		return int32(id), nil
	}
	text := token
	if plain, err := strconv.Unquote(token); err == nil {
		text = plain
	}
	for id := range v.Size() {
		if b, _ := v.Token(uint32(id)); b != nil && string(b) == text {
			return int32(id), nil
		}
	}
	return 0, fmt.Errorf("the vocabulary has no token %q", text)
}
