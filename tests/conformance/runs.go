package main

import (
	"path/filepath"
	"time"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// run is one collection of schemas with the options it is judged under.
type run struct {
	name    string
	unit    string // the unit of the counts: "tests" or "schemas"
	options core.Options
	jobs    func(data string, o core.Options, take func(*job)) error
}

// job is a schema with its instances.
type job struct {
	id      string // without the data's own words: dialect, file and number, or MaskBench's id
	schema  []byte
	options core.Options
	tests   []test
}

// test is an instance and its collection's verdict.
type test struct {
	index int // in its group
	text  string
	valid bool
}

// runs returns all runs. The options of the suite follow its authors' instances: these come in their own order, 1.0 is
// an integer, and format is an annotation except in the tests about formats.
func runs() (all []run) {
	dialects := []string{"draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"}
	for _, format := range []bool{false, true} {
		for _, d := range dialects {
			r := run{
				name: d, unit: "tests",
				options: core.Options{AnyOrder: true, AllNumberForms: true, Dialect: d, FormatIsNote: !format},
			}
			pattern := filepath.Join("tests", d, "*.json")
			if format {
				r.name += "-format"
				pattern = filepath.Join("tests", d, "optional", "format", "*.json")
			}
			r.jobs = func(data string, o core.Options, take func(*job)) error {
				return suiteJobs(data, d, pattern, o, take)
			}
			all = append(all, r)
		}
	}
	return append(all, run{name: "maskbench", unit: "schemas", jobs: maskbenchJobs},
		run{name: "maskbench-any-order", unit: "schemas", options: core.Options{AnyOrder: true}, jobs: maskbenchJobs})
}

// counts holds the results of the units of a run. Among the rejected, excused are those that only an option's default
// rejects.
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

// addSchema counts a schema once, by the worst of its instances' results.
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

// suiteJobs reads the files of the suite that match pattern.
func suiteJobs(data, dialect, pattern string, o core.Options, take func(*job)) error {
	return corpus.Suite(data, dialect, pattern, func(x *corpus.Job) { take(newJob(x, o)) })
}

// maskbenchJobs reads the schemas of MaskBench.
func maskbenchJobs(data string, o core.Options, take func(*job)) error {
	return corpus.MaskBench(data, func(x *corpus.Job) { take(newJob(x, o)) })
}

func newJob(x *corpus.Job, o core.Options) *job {
	out := &job{id: x.ID, schema: x.Spec, options: o}
	out.options.Documents = x.Options.Documents
	for _, t := range x.Tests {
		out.tests = append(out.tests, test{t.Index, t.Text(), t.Valid})
	}
	return out
}
