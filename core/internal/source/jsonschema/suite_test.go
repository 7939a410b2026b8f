package jsonschema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// suiteCounts is what became of the tests of one dialect.
type suiteCounts struct {
	right, refused, rejected, accepted, noted int
}

// TestSuite runs the required tests of the official suite. An invalid instance must never be accepted. A valid one may
// be rejected where its properties are not in declared order.
func TestSuite(t *testing.T) {
	for _, d := range []string{"draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"} {
		t.Run(d, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(shared(t, "json-schema-test-suite", "tests", d), "*.json"))
			require.NoError(t, err)
			c := runSuite(t, files, &source.Options{Dialect: d, AnyOrder: true, AllNumberForms: true, FormatIsNote: true, Documents: remotes(t, d)})
			t.Logf("%+v", c)
			require.Zero(t, c.accepted)
		})
	}
}

// TestSuiteFormats runs the optional tests of formats.
func TestSuiteFormats(t *testing.T) {
	for _, d := range []string{"draft4", "draft7", "draft2020-12"} {
		t.Run(d, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(shared(t, "json-schema-test-suite", "tests", d), "optional", "format", "*.json"))
			require.NoError(t, err)
			c := runSuite(t, files, &source.Options{Dialect: d, AnyOrder: true, AllNumberForms: true})
			t.Logf("%+v", c)
			require.Zero(t, c.accepted)
		})
	}
}

// remotes are the documents that the suite serves.
func remotes(t *testing.T, d string) map[string]json.RawMessage {
	root := shared(t, "json-schema-test-suite", "remotes")
	docs := map[string]json.RawMessage{}
	require.NoError(t, filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if first, _, _ := strings.Cut(filepath.ToSlash(rel), "/"); strings.HasPrefix(first, "draft") && first != d {
			return nil
		}
		docs["http://localhost:1234/"+filepath.ToSlash(rel)], _ = os.ReadFile(path)
		return err
	}))
	return docs
}

func runSuite(t *testing.T, files []string, o *source.Options) (c suiteCounts) {
	slices.Sort(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var tree jsontext.Tree
		root, err := tree.Read(text, "suite")
		if err != nil {
			t.Logf("%s is left out: %v", filepath.Base(file), err)
			continue
		}
		for g := tree.Node(root).First; g != 0; g = tree.Node(g).Next {
			group := filepath.Base(file) + ": " + tree.Node(tree.Get(g, "description")).Text
			schema := tree.Raw(tree.Get(g, "schema"))
			options := *o
			if !strings.Contains(schema, "localhost:1234") {
				options.Documents = nil
			}
			runGroup(t, &c, &tree, g, group, schema, &options)
		}
	}
	return c
}

func runGroup(t *testing.T, c *suiteCounts, tree *jsontext.Tree, g jsontext.ID, group, schema string, o *source.Options) {
	r, notes, err := compile(terminal.NewStore(), schema, o)
	var d *diag.Error
	unsatisfiable := errors.As(err, &d) && d.Code == diag.Unsatisfiable
	if err != nil && !unsatisfiable && testing.Verbose() {
		t.Logf("REFUSED %s: %v", group, err)
	}
	for x := tree.Node(tree.Get(g, "tests")).First; x != 0; x = tree.Node(x).Next {
		valid := tree.Kind(tree.Get(x, "valid")) == jsontext.True
		var b strings.Builder
		dump(&b, tree, tree.Get(x, "data"))
		name := fmt.Sprintf("%s: %s: %s", group, tree.Node(tree.Get(x, "description")).Text, b.String())
		switch {
		case err != nil && !unsatisfiable:
			c.refused++
		case (r != nil && r.accepts(b.String())) == valid:
			c.right++
		case valid:
			c.rejected++
			t.Logf("REJECTED %s", name)
		case hasWider(notes):
			t.Logf("NOTED %s", name)
			c.noted++
		default:
			c.accepted++
			t.Logf("ACCEPTED %s", name)
		}
	}
}
