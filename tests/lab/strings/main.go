// Package main pairs formats, patterns and lengths from real schemas, and searches for strings that a compiled schema
// accepts but cannot serve: a mask or an accepted token that fails with limit in the middle of an output.
//
// Invariant: the seed decides every trial. The package sees Sluice as its users do, through package core. Start reading
// at search.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"time"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

func main() {
	seconds := flag.Float64("time", 60, "search for so many seconds")
	count := flag.Int("count", 0, "search through so many constraints instead")
	seed := flag.Int64("seed", 1, "what the search begins with")
	name := flag.String("vocabulary", "", "a tokenizer of the shared data, or small (Llama 3.1's, if it is there)")
	flag.Parse()
	ok, err := run(*name, *seed, *count, time.Duration(*seconds*float64(time.Second)))
	if err != nil {
		fmt.Fprintln(os.Stderr, "lab strings:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(name string, seed int64, count int, limit time.Duration) (ok bool, err error) {
	root, err := corpus.Checkout()
	if err != nil {
		return false, err
	}
	var v *core.Vocabulary
	if name == "" {
		v, name, err = corpus.Best(root)
	} else {
		v, err = corpus.Vocabulary(root, name)
	}
	if err != nil {
		return false, err
	}
	p := realParts()
	if data, err := corpus.Shared(root); err == nil {
		err = p.collect(data)
		if err != nil {
			return false, err
		}
	} else if !errors.Is(err, corpus.ErrNoData) {
		return false, err
	}
	fmt.Printf("seed %d, vocabulary %s, %d patterns, %d formats, %d lengths, %d texts\n",
		seed, name, len(p.patterns), len(p.formats), len(p.lengths), len(p.texts))
	s := newSearch(v, p)
	for begin, n := time.Now(), 0; count > 0 && n < count || count == 0 && time.Since(begin) < limit; n++ {
		s.try(rand.New(rand.NewSource(seed<<32 + int64(n))))
	}
	s.report(os.Stdout)
	return s.findings == 0, nil
}
