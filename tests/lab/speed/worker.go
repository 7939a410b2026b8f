package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// loadConfig selects the constraints. Both sides have the same.
type loadConfig struct {
	Collection, Vocabulary, Only string
	Schemas                      int
	Fresh                        bool
	Profile                      string // a file for the profile of the worker's CPU time; none: no profile
}

// hello is a worker's first message.
type hello struct {
	IDs   []string
	Error string
}

// request names the constraints to measure, from First on. A round begins with a new compiler.
type request struct {
	First, Count int
	NewRound     bool
}

// reply holds their results, and the process's use of resources so far, without its use before the first one.
type reply struct {
	Results []result
	CPU     time.Duration
	Memory  int64
}

// result is the outcome of one constraint. Times are nanoseconds of CPU.
type result struct {
	Verdict string // of the compilation: ok, or the error's code
	Compile int64
	Walks   []walk
}

// walk holds the result of one instance: a time for each mask, the last one after the last token.
type walk struct {
	Test  int
	Fills []int64
	End   string // why it ended early
}

// worker measures. One goroutine, on a thread of its own.
type worker struct {
	load      loadConfig
	v         *core.Vocabulary
	jobs      []*corpus.Job
	ids       [][][]int32 // the tokens of each valid instance of each job
	compiler  *core.Compiler
	row       []uint32
	clockCost int64
}

// serve answers requests until there are no more.
func serve(load loadConfig, in io.Reader, out io.Writer) error {
	runtime.LockOSThread()
	to, from := gob.NewEncoder(out), gob.NewDecoder(in)
	w, err := newWorker(load)
	if err != nil {
		return errors.Join(err, to.Encode(hello{Error: err.Error()}))
	}
	var h hello
	for _, x := range w.jobs {
		h.IDs = append(h.IDs, x.ID)
	}
	if err := to.Encode(h); err != nil {
		return err
	}
	runtime.GC()
	if load.Profile != "" {
		f, err := os.Create(load.Profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	before := processTime()
	for {
		var r request
		if err := from.Decode(&r); err != nil {
			return nil // the parent has no more
		}
		if r.NewRound {
			w.compiler = core.NewCompiler(w.v, core.CompilerConfig{})
		}
		var a reply
		for i := r.First; i < r.First+r.Count; i++ {
			a.Results = append(a.Results, w.run(i))
		}
		a.CPU, a.Memory = processTime()-before, peakMemory()
		if err := to.Encode(a); err != nil {
			return err
		}
	}
}

// newWorker reads the constraints and cuts their instances into tokens.
func newWorker(load loadConfig) (*worker, error) {
	only, err := regexp.Compile(load.Only)
	if err != nil {
		return nil, err
	}
	root, err := corpus.Checkout()
	if err != nil {
		return nil, err
	}
	v, err := corpus.Vocabulary(root, load.Vocabulary)
	if err != nil {
		return nil, err
	}
	w := &worker{load: load, v: v, row: make([]uint32, v.Words()), clockCost: clockCost()}
	if err := collect(root, load.Collection, func(x *corpus.Job) {
		if only.MatchString(x.ID) {
			w.jobs = append(w.jobs, x)
		}
	}); err != nil {
		return nil, err
	}
	if n := load.Schemas; n > 0 && n < len(w.jobs) {
		spread := make([]*corpus.Job, n)
		for i := range spread {
			spread[i] = w.jobs[i*len(w.jobs)/n]
		}
		w.jobs = spread
	}
	tokenizer := corpus.NewTokenizer(v)
	for _, x := range w.jobs {
		tests := make([][]int32, len(x.Tests))
		for k, t := range x.Tests {
			if ids, ok := tokenizer.Cut(t.Pieces, 1<<30); ok && t.Valid {
				tests[k] = ids
			}
		}
		w.ids = append(w.ids, tests)
	}
	return w, nil
}

func collect(root, name string, take func(*corpus.Job)) error {
	switch name {
	case "builtin":
		return corpus.Builtin(take)
	case "slow":
		return corpus.Slow(take)
	}
	data, err := corpus.Shared(root)
	if err != nil {
		return err
	}
	switch name {
	case "maskbench":
		return corpus.MaskBench(data, take)
	case "heavy":
		return corpus.Heavy(data, take)
	case "bfcl":
		return corpus.BFCL(data, "dev", take)
	}
	return fmt.Errorf("there is no collection %q", name)
}

// run compiles a constraint and walks its valid instances.
func (w *worker) run(i int) (r result) {
	x := w.jobs[i]
	if w.load.Fresh {
		w.compiler = core.NewCompiler(w.v, core.CompilerConfig{})
	}
	begin := threadTime()
	g, err := w.compiler.Compile(x.Kind, x.Spec, &x.Options)
	r.Compile = w.since(begin)
	if err != nil {
		r.Verdict = core.AsError(err).Code.String()
		return r
	}
	r.Verdict = "ok"
	for k, ids := range w.ids[i] {
		if ids != nil {
			r.Walks = append(r.Walks, w.walk(g, x.Tests[k].Index, ids))
		}
	}
	return r
}

func (w *worker) walk(g *core.Grammar, test int, ids []int32) walk {
	out := walk{Test: test, Fills: make([]int64, 0, len(ids)+1)}
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	for k := 0; err == nil; k++ {
		begin := threadTime()
		_, err = m.Fill(w.row)
		out.Fills = append(out.Fills, w.since(begin))
		if err != nil || k == len(ids) {
			break
		}
		n := 0
		if n, err = m.Accept(ids[k : k+1]); n == 0 && err == nil {
			err = fmt.Errorf("token %d is rejected", k)
		}
	}
	if err != nil {
		out.End = err.Error()
	}
	return out
}

// since returns the CPU time since begin, without the clock's own.
func (w *worker) since(begin int64) int64 { return max(0, threadTime()-begin-w.clockCost) }
