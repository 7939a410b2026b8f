// Package main watches the memory of long-lived grammars that see ever new texts: `make lab NAME=memory`. After the
// first ten seconds it must be flat. With -schemas it watches a process in which grammars come and go.
//
// Invariant: memory is the live heap after a collection, minus the heap before the grammar. A grammar has only one
// matcher at a time, so all growth belongs to texts that are gone. The package sees Sluice as its users do, through
// package core. Start reading at kinds.go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

func main() {
	seconds := flag.Float64("time", 180, "seconds for each kind of text")
	only := flag.String("only", "", "kinds whose name matches this regular expression")
	seed := flag.Int64("seed", 1, "of the texts")
	profiles := flag.String("profiles", "", "folder for a heap profile of each kind of text, taken at its end")
	schemas := flag.Int("schemas", 0, "instead: so many schemas of MaskBench, one after the other, in one process")
	flag.Parse()
	var ok bool
	var err error
	if *schemas > 0 {
		ok, err = runSchemas(*schemas)
	} else {
		ok, err = run(*seconds, regexp.MustCompile(*only), *seed, *profiles)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lab memory:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

const (
	// settled is the number of seconds after which memory must not grow, or a tenth of the time if that is less.
	settled = 10.0
	// slack is the growth allowed nevertheless, in MiB: bounded caches are not full at once.
	slack = 8.0
	// most is the memory in MiB at which a kind of text fails.
	most = 512.0
)

const row = "%-26s %7v %7v %7v %7v %7v %8v %9v %9v %9v  %s\n"

func run(seconds float64, only *regexp.Regexp, seed int64, profiles string) (ok bool, err error) {
	root, err := corpus.Checkout()
	if err != nil {
		return false, err
	}
	v, name, err := corpus.Best(root)
	if err != nil {
		return false, err
	}
	fmt.Printf("%s, heap in MiB after 1/20, 1/4, 1/2, 3/4 and all of %.0f s, and what statistics say\n",
		name, seconds)
	fmt.Printf(row, "", "5 %", "25 %", "50 %", "75 %", "100 %", "B/text", "texts", "grammar", "shared", "")
	ok = true
	for _, k := range kinds {
		if only.MatchString(k.name) {
			ok = watch(v, k, seconds, seed, profiles) && ok
		}
	}
	return ok, nil
}

// sample is the memory at one time.
type sample struct {
	seconds, mib float64
	texts        int
}

// watch follows texts of one kind and prints the memory; flat reports whether it stopped growing.
func watch(v *core.Vocabulary, k kind, seconds float64, seed int64, profiles string) (flat bool) {
	c := core.NewCompiler(v, core.CompilerConfig{})
	before := heapMiB()
	g, err := k.compile(c)
	if err != nil {
		fmt.Printf("%-24s %s\n", k.name, err)
		return false
	}
	r := rand.New(rand.NewSource(seed))
	follower := follower{g: g, row: make([]uint32, v.Words())}
	begin, texts := time.Now(), 0
	var samples []sample
	first := min(settled, seconds/10)
	for next := 0.05; next <= 1; {
		follower.follow(k.text(r))
		texts++
		elapsed := time.Since(begin).Seconds()
		due := elapsed >= next*seconds
		if len(samples) == 0 || samples[len(samples)-1].seconds < first && elapsed >= first || due ||
			texts%20_000 == 0 {
			samples = append(samples, sample{elapsed, heapMiB() - before, texts})
		}
		if due {
			next = nextShare(next)
		}
		if samples[len(samples)-1].mib > most {
			break
		}
	}
	if profiles != "" {
		if err := profile(filepath.Join(profiles, k.name)); err != nil {
			fmt.Println(err)
			return false
		}
	}
	says := statistics{float64(g.Stats().Bytes) / (1 << 20), float64(c.CacheStats().TokenSetBytes) / (1 << 20)}
	return report(k, says, samples, seconds, first, follower.errors)
}

// statistics holds a grammar's own figure of its memory, in MiB, and its compiler's figure of shared token sets. The
// grammar counts the shared sets that it uses too.
type statistics struct{ grammar, shared float64 }

// profile writes a profile of the live heap.
func profile(path string) error {
	runtime.GC()
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("heap").WriteTo(f, 0), f.Close())
}

// nextShare is the share of the time after which the next column is measured.
func nextShare(share float64) float64 {
	for _, next := range shares {
		if next > share {
			return next
		}
	}
	return 2
}

var shares = []float64{0.05, 0.25, 0.5, 0.75, 1}

func report(
	k kind, says statistics, samples []sample, seconds, first float64, failed map[string]int,
) (flat bool) {
	columns := make([]any, 0, 10)
	for _, share := range shares {
		text := "-"
		for _, s := range samples {
			if s.seconds >= share*seconds {
				text = fmt.Sprintf("%.1f", s.mib)
				break
			}
		}
		columns = append(columns, text)
	}
	last, base := samples[len(samples)-1], samples[len(samples)-1]
	for _, s := range samples {
		if s.seconds >= first {
			base = s
			break
		}
	}
	growth := (last.mib - base.mib) * (1 << 20) / float64(max(last.texts-base.texts, 1))
	flat = last.mib <= base.mib+slack && last.mib <= most
	verdict := "flat"
	if !flat {
		verdict = fmt.Sprintf("GROWS: %.0f MiB after %.0f s, %.0f MiB after %.0f s",
			base.mib, base.seconds, last.mib, last.seconds)
	}
	for text, n := range failed {
		verdict += fmt.Sprintf("; %d × %s", n, text)
	}
	columns = append(columns, fmt.Sprintf("%.0f", growth), last.texts, fmt.Sprintf("%.1f", says.grammar),
		fmt.Sprintf("%.1f", says.shared), verdict)
	fmt.Printf(row, append([]any{k.name}, columns...)...)
	return flat
}

func heapMiB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// follower follows texts, each with a matcher of its own. One goroutine.
type follower struct {
	g      *core.Grammar
	row    []uint32
	errors map[string]int
}

// follow accepts a text byte by byte and fills a mask at every fourth. A refused text ends there.
func (f *follower) follow(text string) {
	m, err := core.NewMatcher(f.g, core.MatcherOptions{})
	if err != nil {
		panic(err) // without options there is nothing to refuse
	}
	for i := range len(text) {
		if i%4 == 0 {
			_, err := m.Fill(f.row)
			f.count(err)
		}
		ok, err := m.AcceptBytes([]byte(text[i : i+1]))
		f.count(err)
		if !ok {
			return
		}
	}
}

func (f *follower) count(err error) {
	if err == nil {
		return
	}
	if f.errors == nil {
		f.errors = map[string]int{}
	}
	f.errors[err.Error()]++
}
