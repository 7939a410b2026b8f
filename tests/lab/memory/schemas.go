package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

const (
	// mostResident is the resident memory in MiB that a process may reach, for any number of schemas.
	mostResident = 320
	// every is after how many schemas a line is printed.
	every = 1000
)

// runSchemas compiles n schemas of MaskBench with one compiler, walks along their valid instances and drops them,
// starting over after the last. It watches the memory of the whole process, vocabulary included.
func runSchemas(n int) (ok bool, err error) {
	data, v, err := corpus.Real()
	if err != nil {
		return false, err
	}
	w := walker{
		c: core.NewCompiler(v, core.CompilerConfig{}), cut: corpus.NewTokenizer(v), row: make([]uint32, v.Words()),
	}
	fmt.Println("Llama 3.1, resident memory in MiB after so many schemas, and its peak")
	for w.schemas < n {
		if err := corpus.MaskBench(data, func(x *corpus.Job) { w.take(x, n) }); err != nil {
			return false, err
		}
		if w.err != nil {
			return false, w.err
		}
	}
	peak := resident("VmHWM")
	fmt.Printf("%d schemas, %d refused, %d masks; peak %d MiB of %d\n",
		w.schemas, w.refused, w.masks, peak, mostResident)
	return peak <= mostResident, nil
}

// walker compiles and walks one schema after the other. One goroutine.
type walker struct {
	c                       *core.Compiler
	cut                     *corpus.Tokenizer
	row                     []uint32
	schemas, refused, masks int
	err                     error
}

// take compiles and walks x, unless there have been enough.
func (w *walker) take(x *corpus.Job, most int) {
	if w.schemas == most || w.err != nil {
		return
	}
	w.schemas++
	if w.schemas%every == 0 {
		fmt.Printf("%7d %5d %5d\n", w.schemas, resident("VmRSS"), resident("VmHWM"))
	}
	g, err := w.c.Compile(x.Kind, x.Spec, &x.Options)
	if err != nil {
		w.refused++
		return
	}
	for _, t := range x.Tests {
		if ids, ok := w.cut.Cut(t.Pieces, 1<<20); ok && t.Valid {
			w.err = errors.Join(w.err, w.walk(g, ids))
		}
	}
}

// walk fills a mask before each token, as far as the tokens are allowed.
func (w *walker) walk(g *core.Grammar, ids []int32) error {
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		return err
	}
	for i := range ids {
		if _, err := m.Fill(w.row); err != nil {
			return nil // a mask beyond its budget is tests/lab/hostile's matter
		}
		w.masks++
		if n, err := m.Accept(ids[i : i+1]); n == 0 || err != nil {
			return nil
		}
	}
	return nil
}

// resident returns a figure of the process's memory in MiB, 0 if /proc does not say.
func resident(what string) (mib int) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, what+":"); ok {
			if _, err := fmt.Sscanf(rest, "%d", &mib); err != nil {
				return 0
			}
			return mib >> 10
		}
	}
	return 0
}
