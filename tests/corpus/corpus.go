// Package corpus reads the collections of constraints that the programs of tests/ run: MaskBench, BFCL and the
// JSON-Schema-Test-Suite from the data beside the checkout, tests/cases, and a few constraints of its own.
//
// Invariant: a job has the same id and the same texts in every run, and the order of a collection is fixed. The package
// sees Sluice as its users do, through package core, and decides nothing about a constraint. Start reading at Job; each
// reader calls take for one job after the other.
package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-engine/sluice/core"
)

// ErrNoData says that the data beside the checkout is missing.
var ErrNoData = errors.New("there is no shared/data beside the checkout: the collections are no part of the project")

// Job is a constraint with outputs to walk along. Immutable.
type Job struct {
	ID      string
	Kind    core.Kind
	Spec    []byte
	Options core.Options
	Tests   []Test
}

// Test is an output, and whether its collection calls it valid. Most outputs are one text; one of tests/cases may be a
// list of tokens, given by their bytes.
type Test struct {
	Index  int // in its job
	Pieces []string
	Valid  bool
}

// Text returns the bytes of the output.
func (t *Test) Text() string { return strings.Join(t.Pieces, "") }

// Checkout returns the root of the module that the program is run in.
func Checkout() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("run it inside the checkout: there is no go.mod above")
		}
	}
}

// Shared returns the folder of data beside the checkout at root.
func Shared(root string) (string, error) {
	data := filepath.Join(filepath.Dir(root), "shared", "data")
	if _, err := os.Stat(data); err != nil {
		return "", ErrNoData
	}
	return data, nil
}

// Vocabulary loads a tokenizer of the shared data, for example "llama3_1", or the committed one, "small".
func Vocabulary(root, name string) (*core.Vocabulary, error) {
	if name == Small {
		return core.LoadVocabulary(filepath.Join(root, "tests", "data", "tokenizer.json.gz"), core.VocabularyOptions{})
	}
	data, err := Shared(root)
	if err != nil {
		return nil, err
	}
	return core.LoadVocabulary(filepath.Join(data, "tokenizers", name+".json.gz"), core.VocabularyOptions{})
}

// Small names the vocabulary that the project carries.
const Small = "small"

// Best returns Llama 3.1's vocabulary if the shared data exists, else the committed one, and its name.
func Best(root string) (*core.Vocabulary, string, error) {
	if v, err := Vocabulary(root, "llama3_1"); !errors.Is(err, ErrNoData) {
		return v, "llama3_1", err
	}
	v, err := Vocabulary(root, Small)
	return v, Small, err
}

// Real returns the folder of shared data and its vocabulary of Llama 3.1, for a program that runs inside the checkout.
// The error is ErrNoData if there is none.
func Real() (data string, v *core.Vocabulary, err error) {
	root, err := Checkout()
	if err != nil {
		return "", nil, err
	}
	if data, err = Shared(root); err != nil {
		return "", nil, err
	}
	v, err = Vocabulary(root, "llama3_1")
	return data, v, err
}
