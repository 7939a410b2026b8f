// Package main runs the JSON-Schema-Test-Suite and MaskBench against Sluice and compares every decision with the
// expected one. `make conformance` runs all of it and prints a table; the tests of this package run it for `make test`.
//
// Invariant: a case passes, or it stands in a file of expected/ with its outcome and a reason. A case that fails
// unexpectedly, passes unexpectedly or has no reason fails the run. The package sees Sluice as its users do, through
// package core, and copies nothing of the data: expectation files hold ids and reasons.
//
// Start reading at runs.go (the runs and their options), then judge.go (the decision on a case and its explanation) and
// expect.go (the files). The data lies beside the checkout, in ../shared; without it there is nothing to run.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/sluice-engine/sluice/tests/corpus"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: conformance [-update] [-sample n] [-cases] [run ...]\nruns: "+
			"%s\n", strings.Join(names(), " "))
		flag.PrintDefaults()
	}
	update := flag.Bool("update", false, "rewrite the expectation files and print what changed")
	sample := flag.Int("sample", 1, "judge every n-th schema of MaskBench only")
	cases := flag.Bool("cases", false, "print every case that does not pass")
	flag.Parse()
	ok, err := conform(os.Stdout, config{update: *update, sample: *sample, cases: *cases, only: flag.Args()})
	switch {
	case errors.Is(err, corpus.ErrNoData):
		fmt.Println("conformance: SKIPPED:", err)
	case err != nil:
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

type config struct {
	update bool
	sample int
	cases  bool
	only   []string
}

func names() (all []string) {
	for _, r := range runs() {
		all = append(all, r.name)
	}
	return all
}

// conform does the runs, prints the table and the differences from the expectation, and reports whether there are none.
func conform(out io.Writer, c config) (ok bool, err error) {
	for _, name := range c.only {
		if !slices.Contains(names(), name) {
			return false, fmt.Errorf("there is no run %q; the runs are %s", name, strings.Join(names(), " "))
		}
	}
	root, err := corpus.Checkout()
	if err != nil {
		return false, err
	}
	data, err := corpus.Shared(root)
	if err != nil {
		return false, err
	}
	j, err := newJudge(root)
	if err != nil {
		return false, err
	}
	ok = true
	var results []*result
	for _, r := range runs() {
		if len(c.only) > 0 && !slices.Contains(c.only, r.name) {
			continue
		}
		begin := time.Now()
		res, err := r.do(j, data, c.sample)
		if err != nil {
			return false, fmt.Errorf("%s: %w", r.name, err)
		}
		res.took = time.Since(begin)
		results = append(results, res)
		same, err := settle(out, root, res, c)
		if err != nil {
			return false, err
		}
		ok = ok && same
	}
	printTable(out, results)
	return ok, nil
}

// mostLines is the number of printed differences of a run: the effect of one keyword on MaskBench fills pages.
const mostLines = 40

// settle compares a result with its expectation file, or rewrites the file.
func settle(out io.Writer, root string, res *result, c config) (same bool, err error) {
	path := expectationPath(root, res.name)
	want, err := readExpectation(path)
	if err != nil {
		return false, err
	}
	got := res.expectation(want)
	if c.cases {
		got.printCases(out)
	}
	difference := want.diff(got, res)
	for i, line := range difference {
		if i == mostLines {
			fmt.Fprintf(out, "%s: … and %d more\n", res.name, len(difference)-i)
			break
		}
		fmt.Fprintf(out, "%s: %s\n", res.name, line)
	}
	if unexplained := got.unexplained(); len(unexplained) > 0 {
		fmt.Fprintf(out, "%s: %d cases without a reason, the first of them %s\n", res.name, len(unexplained),
			unexplained[0])
		difference = append(difference, "unexplained")
	}
	if c.update {
		if res.sampled {
			return false, errors.New("-update needs all of the schemas: leave -sample out")
		}
		return len(got.unexplained()) == 0, got.write(path)
	}
	return len(difference) == 0, nil
}

// printTable prints the results of each run. "but for defaults" counts as right the instances that only the default of
// an option rejects: instances in another order than declared, integers written 1.0.
func printTable(out io.Writer, results []*result) {
	const head = "%-20s %6v %8v %7v %8v %8v %9v %8v %8v %10v %5v\n"
	const row = "%-20s %6v %8v %7d %8d %8d %9d %8d %8.2f %10.2f %5.1f\n"
	fmt.Fprintf(out, head, "", "", "", "", "of which", "", "valid", "invalid", "", "but for", "")
	fmt.Fprintf(out, head, "run", "of", "unit", "decided", "by unsat", "refused", "rejected", "accepted", "right %",
		"defaults %", "s")
	for _, r := range results {
		c := r.counts
		percent := 100 / float64(max(c.all, 1))
		fmt.Fprintf(out, row, r.name, c.all, r.unit, c.right, c.unsatisfiable, c.refused, c.rejected, c.accepted,
			percent*float64(c.right), percent*float64(c.right+c.excused), r.took.Seconds())
	}
}
