package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core"
)

// Suite reads the files of the JSON-Schema-Test-Suite that match pattern, in the folder of the suite: each group of
// tests is a job.
func Suite(data, dialect, pattern string, take func(*Job)) error {
	suite := filepath.Join(data, "json-schema-test-suite")
	files, err := filepath.Glob(filepath.Join(suite, pattern))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no files match %s in the suite: %w", pattern, errors.Join(err, fs.ErrNotExist))
	}
	slices.Sort(files)
	documents, err := remotes(suite, dialect)
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var groups []struct {
			Schema json.RawMessage
			Tests  []rawTest
		}
		if err := json.Unmarshal(text, &groups); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for i, g := range groups {
			x := &Job{ID: fmt.Sprintf("%s#%d", filepath.Base(file), i), Kind: core.JSONSchema}
			schema, ok := Respell(g.Schema)
			if !ok {
				return fmt.Errorf("%s: the schema of %s is no JSON text", file, x.ID)
			}
			x.Spec = []byte(schema)
			if strings.Contains(schema, "localhost:1234") {
				x.Options.Documents = documents
			}
			x.addTests(g.Tests)
			take(x)
		}
	}
	return nil
}

// rawTest is an output in a collection's file: a JSON value, or a text.
type rawTest struct {
	Data  json.RawMessage
	Text  *string
	Valid bool
}

func (x *Job) addTests(tests []rawTest) {
	for k, t := range tests {
		if t.Text != nil {
			x.Tests = append(x.Tests, Test{k, []string{*t.Text}, t.Valid})
		} else if text, ok := Respell(t.Data); ok {
			x.Tests = append(x.Tests, Test{k, []string{text}, t.Valid})
		}
	}
}

// remotes returns the documents that the suite expects to be served, without those for other dialects.
func remotes(suite, dialect string) (map[string]json.RawMessage, error) {
	root := filepath.Join(suite, "remotes")
	documents := map[string]json.RawMessage{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if first, _, _ := strings.Cut(rel, "/"); strings.HasPrefix(first, "draft") && first != dialect {
			return nil
		}
		documents["http://localhost:1234/"+rel], err = os.ReadFile(path)
		return err
	})
	return documents, err
}

// MaskBench reads the schemas of MaskBench.
func MaskBench(data string, take func(*Job)) error {
	return schemas(filepath.Join(data, "maskbench", "dev.jsonl.gz"), take)
}

// Heavy reads a few schemas of MaskBench's form that cost more than all others, from beside the shared data.
func Heavy(data string, take func(*Job)) error {
	return schemas(filepath.Join(filepath.Dir(data), "review", "repro", "heavy.jsonl.gz"), take)
}

func schemas(path string, take func(*Job)) error {
	return lines(path, func(line []byte) error {
		var raw struct {
			ID     string
			Schema json.RawMessage
			Tests  []rawTest
		}
		if err := json.Unmarshal(line, &raw); err != nil {
			return fmt.Errorf("maskbench: %w", err)
		}
		schema, ok := Respell(raw.Schema)
		if !ok {
			return fmt.Errorf("maskbench: the schema of %s is no JSON text", raw.ID)
		}
		x := &Job{ID: raw.ID, Kind: core.JSONSchema, Spec: []byte(schema)}
		x.addTests(raw.Tests)
		take(x)
		return nil
	})
}

// BFCL reads a file of tool-calling cases, "dev" or "many".
func BFCL(data, file string, take func(*Job)) error {
	return lines(filepath.Join(data, "bfcl", file+".jsonl.gz"), func(line []byte) error {
		var raw struct {
			ID, Spec string
			Tests    []rawTest
		}
		if err := json.Unmarshal(line, &raw); err != nil {
			return fmt.Errorf("bfcl: %w", err)
		}
		x := &Job{ID: strings.TrimPrefix(raw.ID, "bfcl/"), Kind: core.StructuralTag, Spec: []byte(raw.Spec)}
		x.addTests(raw.Tests)
		take(x)
		return nil
	})
}

// lines calls take for each line of a gzipped file.
func lines(path string, take func(line []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(z, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			if err := take(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}
