// Package main compares the speed of two commits in one run: `make lab NAME=speed ARGS="-base <commit>"`. Both compile
// the same constraints and fill a mask before every token of their valid outputs. The report is the distribution of
// their CPU times, side by side, and the slowest items.
//
// Invariant: this code measures both commits, on the same constraints, in turns of a few schemas each, so that other
// load on the machine falls on both. For that the package is copied, with tests/corpus, into a worktree of the other
// commit: it uses package core alone, and nothing of it that an older commit lacks. Start reading at compare in this
// file; worker.go has the measurements, build.go makes the other commit's program.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/sluice-engine/sluice/tests/corpus"
)

type config struct {
	base, commit string // the commits; no commit: the working tree
	rounds       int
	slowest      int
	load         loadConfig
}

func main() {
	var c config
	flag.StringVar(&c.base, "base", "", "the commit to compare with")
	flag.StringVar(&c.commit, "commit", "", "the commit that is compared, instead of the working tree")
	flag.IntVar(&c.rounds, "rounds", 3, "measure everything so often; a time is the median of its rounds")
	flag.IntVar(&c.slowest, "slowest", 10, "list so many of the slowest masks and compilations")
	flag.IntVar(&c.load.Schemas, "schemas", 1000, "so many schemas, spread over the collection; 0: all of them")
	flag.StringVar(&c.load.Collection, "collection", "maskbench", "maskbench, bfcl, heavy, builtin or slow")
	flag.StringVar(&c.load.Vocabulary, "vocabulary", "llama3_1", "a tokenizer of the shared data")
	flag.StringVar(&c.load.Only, "only", "", "constraints whose id matches this regular expression")
	flag.BoolVar(&c.load.Fresh, "fresh", false, "a compiler for each constraint, instead of one for each round")
	flag.StringVar(&c.load.Profile, "profile", "", "write profiles of CPU time to this path with -base and -now "+
		"behind it")
	worker := flag.Bool("worker", false, "measure what is asked for on the standard input, for a parent")
	flag.Parse()
	var err error
	if *worker {
		err = serve(c.load, os.Stdin, os.Stdout)
	} else {
		err = compare(c)
	}
	switch {
	case errors.Is(err, corpus.ErrNoData):
		fmt.Println("lab speed: SKIPPED:", err)
	case err != nil:
		fmt.Fprintln(os.Stderr, "lab speed:", err)
		os.Exit(1)
	}
}

// turn is the number of constraints that one commit measures before the other has its turn.
const turn = 20

// compare builds both programs, lets them measure by turns, and prints the report.
func compare(c config) error {
	root, err := corpus.Checkout()
	if err != nil {
		return err
	}
	if _, err := corpus.Shared(root); err != nil {
		return err
	}
	if c.base == "" {
		return errors.New("which commit is it to be compared with? give -base <commit>")
	}
	var sides [2]*side
	for i, commit := range []string{c.base, c.commit} {
		program, err := build(root, commit)
		if err != nil {
			return err
		}
		load := c.load
		if load.Profile != "" {
			load.Profile += []string{"-base", "-now"}[i]
		}
		sides[i], err = start(program, root, load)
		if err != nil {
			return err
		}
		defer sides[i].stop()
	}
	if len(sides[0].ids) == 0 {
		return errors.New("no constraint was chosen")
	}
	for round := range c.rounds {
		for first := 0; first < len(sides[0].ids); first += turn {
			for i := range sides {
				s := sides[(i+round+first/turn)%2]
				if err := s.measure(request{first, min(turn, len(s.ids)-first), first == 0}); err != nil {
					return err
				}
			}
		}
	}
	return report(os.Stdout, c, sides)
}
