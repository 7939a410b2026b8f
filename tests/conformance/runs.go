package main

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
	"time"

	"github.com/sluice-engine/sluice/core"
)

// errNoData says that the data beside the checkout is missing.
var errNoData = errors.New("there is no shared/data beside the checkout: the collections are no part of the project")

// run is one collection of schemas with the options it is judged under.
type run struct {
	name    string
	unit    string // what is counted: "tests" or "schemas"
	options core.Options
	jobs    func(data string, o core.Options, take func(*job)) error
}

// job is a schema with its instances.
type job struct {
	id      string // without the data's own words: dialect, file and number, or the id that MaskBench gives
	schema  []byte
	options core.Options
	tests   []test
}

// test is an instance and what its collection says of it.
type test struct {
	index int // in its group
	text  string
	valid bool
}

// runs returns everything there is to run. The options of the suite are those that its authors' instances need: they come
// in their own order, 1.0 is an integer, and format is an annotation but for the tests that are about formats.
func runs() (all []run) {
	dialects := []string{"draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"}
	for _, format := range []bool{false, true} {
		for _, d := range dialects {
			r := run{name: d, unit: "tests", options: core.Options{AnyOrder: true, AllNumberForms: true, Dialect: d, FormatIsNote: !format}}
			pattern := filepath.Join("tests", d, "*.json")
			if format {
				r.name += "-format"
				pattern = filepath.Join("tests", d, "optional", "format", "*.json")
			}
			r.jobs = func(data string, o core.Options, take func(*job)) error {
				return suiteJobs(filepath.Join(data, "json-schema-test-suite"), d, pattern, o, take)
			}
			all = append(all, r)
		}
	}
	return append(all, run{name: "maskbench", unit: "schemas", jobs: maskbenchJobs},
		run{name: "maskbench-any-order", unit: "schemas", options: core.Options{AnyOrder: true}, jobs: maskbenchJobs})
}

// counts is what became of the units of a run. Of the rejected, excused are those that only an option's default keeps out.
type counts struct{ all, right, unsatisfiable, refused, rejected, excused, accepted int }

// result is a finished run.
type result struct {
	name, unit string
	counts     counts
	sampled    bool
	judged     map[string]bool // ids of the jobs
	failed     []failure
	took       time.Duration
}

func (r *run) do(j *judge, data string, sample int) (*result, error) {
	res := &result{name: r.name, unit: r.unit, judged: map[string]bool{}}
	step := 1
	if r.unit == "schemas" {
		step = max(sample, 1)
	}
	res.sampled = step > 1
	n := 0
	err := r.jobs(data, r.options, func(x *job) {
		if n++; (n-1)%step != 0 {
			return
		}
		res.judged[x.id] = true
		v := j.judge(x)
		res.failed = append(res.failed, v.failures...)
		if r.unit == "schemas" {
			res.counts.addSchema(v)
		} else {
			res.counts.addTests(v)
		}
	})
	return res, err
}

func (c *counts) addTests(v verdict) {
	c.all += v.refused + v.right + v.rejected + v.accepted
	c.right += v.right
	c.refused += v.refused
	c.rejected += v.rejected
	c.excused += v.excused
	c.accepted += v.accepted
	if v.unsatisfiable {
		c.unsatisfiable += v.right
	}
}

// addSchema counts a schema once, as the worst of what its instances show.
func (c *counts) addSchema(v verdict) {
	c.all++
	switch {
	case v.isRefused:
		c.refused++
	case v.accepted > 0:
		c.accepted++
	case v.rejected > 0:
		c.rejected++
		if v.excused == v.rejected {
			c.excused++
		}
	default:
		c.right++
		if v.unsatisfiable {
			c.unsatisfiable++
		}
	}
}

// checkout returns the root of the module that the command is run in.
func checkout() (string, error) {
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

// sharedData returns the folder of data beside the checkout.
func sharedData(root string) (string, error) {
	data := filepath.Join(filepath.Dir(root), "shared", "data")
	if _, err := os.Stat(data); err != nil {
		return "", errNoData
	}
	return data, nil
}

// suiteJobs reads the files of the suite that match pattern: each group of tests is a job.
func suiteJobs(suite, dialect, pattern string, o core.Options, take func(*job)) error {
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
			Tests  []struct {
				Data  json.RawMessage
				Valid bool
			}
		}
		if err := json.Unmarshal(text, &groups); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for i, g := range groups {
			x := &job{id: fmt.Sprintf("%s#%d", filepath.Base(file), i), options: o}
			schema, ok := respell(g.Schema)
			if !ok {
				return fmt.Errorf("%s: the schema of %s is no JSON text", file, x.id)
			}
			x.schema = []byte(schema)
			if strings.Contains(schema, "localhost:1234") {
				x.options.Documents = documents
			}
			for k, t := range g.Tests {
				if text, ok := respell(t.Data); ok {
					x.tests = append(x.tests, test{k, text, t.Valid})
				}
			}
			take(x)
		}
	}
	return nil
}

// remotes returns the documents that the suite expects to be served, those of other dialects left out.
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

// maskbenchJobs reads the schemas of MaskBench, a line each.
func maskbenchJobs(data string, o core.Options, take func(*job)) error {
	f, err := os.Open(filepath.Join(data, "maskbench", "dev.jsonl.gz"))
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
		if len(bytes.TrimSpace(line)) > 0 {
			x, err := maskbenchJob(line)
			if err != nil {
				return err
			}
			x.options = o
			take(x)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func maskbenchJob(line []byte) (*job, error) {
	var raw struct {
		ID     string
		Schema json.RawMessage
		Tests  []struct {
			Data  json.RawMessage
			Valid bool
		}
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		return nil, fmt.Errorf("maskbench: %w", err)
	}
	schema, ok := respell(raw.Schema)
	if !ok {
		return nil, fmt.Errorf("maskbench: the schema of %s is no JSON text", raw.ID)
	}
	x := &job{id: raw.ID, schema: []byte(schema)}
	for k, t := range raw.Tests {
		if text, ok := respell(t.Data); ok {
			x.tests = append(x.tests, test{k, text, t.Valid})
		}
	}
	return x, nil
}
