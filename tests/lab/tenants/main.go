// Package main measures the effect of one tenant of a compiler on another: `make lab NAME=tenants`. A hundred and fifty
// ordinary schemas are compiled and walked again and again while another goroutine compiles and fills heavy
// constraints, once in the same compiler and once in one of its own. The answers must equal the answers of a quiet run,
// and the times must be close to one another.
//
// Invariant: both runs do the same work beside the same load, in turns on one machine. The package sees Sluice as its
// users do, through package core. Start reading at tenant.go; heavy.go is the load.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

func main() {
	seconds := flag.Float64("time", 60, "seconds for each heavy neighbour")
	count := flag.Int("schemas", 150, "ordinary schemas")
	only := flag.String("only", "", "neighbours whose name matches this regular expression")
	flag.Parse()
	ok, err := run(*seconds, *count, regexp.MustCompile(*only))
	switch {
	case errors.Is(err, corpus.ErrNoData):
		fmt.Println("lab tenants: SKIPPED:", err)
	case err != nil:
		fmt.Fprintln(os.Stderr, "lab tenants:", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

// The most that a neighbour may cost: the shared compiler against one of its own, and the longest fill.
const (
	mostRatio = 2
	longest   = 50 * time.Millisecond
)

const row = "%-28s %8v %10v %10v %7v %10v %10v %7v %9v %9v %6v\n"

func run(seconds float64, count int, only *regexp.Regexp) (ok bool, err error) {
	data, v, err := corpus.Real()
	if err != nil {
		return false, err
	}
	jobs, err := ordinary(data, count)
	if err != nil {
		return false, err
	}
	all, err := neighbours(data)
	if err != nil {
		return false, err
	}
	quiet := newTenant(v, jobs)
	quiet.pass(core.NewCompiler(v, uncached), time.Time{})
	fmt.Printf("%d schemas, Llama 3.1; quiet: %s\n", len(jobs), quiet.times())
	fmt.Printf(row, "", "changed", "fill p99", "own", "ratio", "compile", "own", "ratio", "max fill", "own",
		"passes")
	ok = true
	for _, n := range all {
		if only.MatchString(n.name) {
			ok = beside(v, quiet, n, seconds) && ok
		}
	}
	return ok, nil
}

// ordinary returns schemas as they come, the huge ones left out.
func ordinary(data string, count int) (jobs []*corpus.Job, err error) {
	n := 0
	err = corpus.MaskBench(data, func(x *corpus.Job) {
		valid := slices.IndexFunc(x.Tests, func(t corpus.Test) bool { return t.Valid && len(t.Text()) < 400 })
		if n++; n%12 == 0 && len(x.Spec) < 20_000 && valid >= 0 && len(jobs) < count {
			x.Tests = x.Tests[valid : valid+1]
			jobs = append(jobs, x)
		}
	})
	return jobs, err
}

// uncached is the configuration of the compilers here: their times are times of compilations.
var uncached = core.CompilerConfig{CacheBytes: -1}

// beside prints the effect of one neighbour on the tenant and reports whether it is within bounds.
func beside(v *core.Vocabulary, quiet *tenant, n neighbour, seconds float64) bool {
	shared, own := newTenant(v, quiet.jobs), newTenant(v, quiet.jobs)
	passes, half := 0, time.Duration(seconds*float64(time.Second)/2)
	for begin := time.Now(); time.Since(begin).Seconds() < seconds; passes++ {
		c := core.NewCompiler(v, uncached)
		stop := n.start(core.NewCompiler(v, uncached))
		own.pass(c, time.Now().Add(half))
		stop()
		c = core.NewCompiler(v, uncached)
		stop = n.start(c)
		shared.pass(c, time.Now().Add(half))
		stop()
	}
	changed := shared.changed(quiet) + own.changed(quiet)
	fill, ownFill := quantile(shared.fills, 0.99), quantile(own.fills, 0.99)
	compile, ownCompile := quantile(shared.compiles, 0.99), quantile(own.compiles, 0.99)
	ratio := func(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }
	worst := quantile(shared.fills, 1)
	fmt.Printf(row, n.name, changed, fill, ownFill, fmt.Sprintf("%.1f", ratio(fill, ownFill)), compile, ownCompile,
		fmt.Sprintf("%.1f", ratio(compile, ownCompile)), worst, quantile(own.fills, 1), passes)
	for _, line := range shared.differences {
		fmt.Println("   ", line)
	}
	return changed == 0 && ratio(fill, ownFill) <= mostRatio && ratio(compile, ownCompile) <= mostRatio &&
		worst <= longest
}
