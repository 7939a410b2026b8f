package corpus

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core"
)

// CaseVocabulary returns the vocabulary of the cases of tests/cases; tests/cases/README.md describes it.
func CaseVocabulary(root string) (*core.Vocabulary, error) {
	text, err := os.ReadFile(filepath.Join(root, "tests", "cases", "vocabulary.json"))
	if err != nil {
		return nil, err
	}
	var raw struct{ Tokens, Added, Special, End []string }
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, err
	}
	var c core.VocabularyConfig
	for b := range 256 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	add := func(texts []string, lists ...*[]uint32) {
		for _, s := range texts {
			for _, list := range lists {
				*list = append(*list, uint32(len(c.Tokens)))
			}
			c.Tokens = append(c.Tokens, []byte(s))
		}
	}
	add(raw.Tokens)
	add(raw.Added, &c.Added)
	add(raw.Special, &c.Special)
	add(raw.End, &c.Special, &c.EndTokens)
	return core.NewVocabulary(c)
}

// Cases reads the cases of tests/cases. It skips a case with wrong options.
func Cases(root string, take func(*Job)) error {
	files, err := filepath.Glob(filepath.Join(root, "tests", "cases", "*.json"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if name == "vocabulary" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var cases []rawCase
		if err := json.Unmarshal(text, &cases); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for i := range cases {
			if x, ok := cases[i].job(); ok {
				x.ID = name + "/" + strings.ReplaceAll(x.ID, " ", "_")
				take(x)
			}
		}
	}
	return nil
}

// rawCase holds the members of a case that the reader uses.
type rawCase struct {
	Name, Kind     string
	Spec, Options  json.RawMessage
	Accept, Reject []output
	Masks          []struct{ After output }
}

// output is a text or a list of tokens, of which a number is a byte.
type output []string

// UnmarshalJSON reads either form.
func (o *output) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		var list []any
		err := json.Unmarshal(b, &list)
		for _, x := range list {
			switch x := x.(type) {
			case string:
				*o = append(*o, x)
			case float64:
				*o = append(*o, string([]byte{byte(x)}))
			}
		}
		return err
	}
	*o = make(output, 1)
	return json.Unmarshal(b, &(*o)[0])
}

func (c *rawCase) job() (*Job, bool) {
	kind, known := core.ParseKind(c.Kind)
	o, err := core.ParseOptions(c.Options)
	if !known || err != nil {
		return nil, false
	}
	x := &Job{ID: c.Name, Kind: kind, Spec: c.Spec, Options: *o}
	var text string
	if json.Unmarshal(c.Spec, &text) == nil {
		x.Spec = []byte(text)
	}
	add := func(out output, valid bool) {
		x.Tests = append(x.Tests, Test{len(x.Tests), out, valid})
	}
	for _, out := range c.Accept {
		add(out, true)
	}
	for _, m := range c.Masks {
		add(m.After, true)
	}
	for _, out := range c.Reject {
		add(out, false)
	}
	return x, true
}
