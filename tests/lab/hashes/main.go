// Package main writes one line for each constraint of the collections: its verdict, and hashes of its messages (errors,
// notes) and of its masks along its outputs. Two commits with equal answers write equal files.
//
// Invariant: a line is a function of the constraint and the commit, on every machine and in every run. The package sees
// Sluice as its users do, through package core; it uses nothing that an older commit lacks, so the folder can be copied
// into one. Start reading at walk.go.
//
//	llama3_1 suite/draft7/not.json#3 ok text=c40bafd1 masks=7d0c12aab98e12f0 fills=213
//
// Every hundred constraints share a compiler, so that a line hardly depends on the lines before it.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

type config struct {
	vocabularies []string
	only         *regexp.Regexp
	step, tokens int
	seconds      float64
	steps        bool
}

func main() {
	var c config
	vocabularies := flag.String("vocabularies", "llama3_1,llama2", "tokenizers of the shared data, or small")
	only := flag.String("only", "", "constraints whose name matches this regular expression")
	flag.IntVar(&c.step, "step", 1, "every n-th schema of MaskBench only")
	flag.IntVar(&c.tokens, "tokens", 300, "walk at most so many tokens of an output")
	flag.Float64Var(&c.seconds, "time", 0, "stop after so many seconds: the beginning of the whole file")
	flag.BoolVar(&c.steps, "steps", false, "print every step of the constraints instead of their hashes")
	compare := flag.Bool("compare", false, "compare two files, OLD NEW, instead of writing one")
	output := flag.String("o", "", "the file to write (the standard output)")
	flag.Parse()
	c.vocabularies = strings.Split(*vocabularies, ",")
	c.only = regexp.MustCompile(*only)
	ok, err := true, error(nil)
	if *compare {
		ok, err = compareFiles(os.Stdout, flag.Args())
	} else {
		err = writeTo(*output, c)
	}
	switch {
	case errors.Is(err, corpus.ErrNoData):
		fmt.Println("lab hashes: SKIPPED:", err)
	case err != nil:
		fmt.Fprintln(os.Stderr, "lab hashes:", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

func writeTo(path string, c config) error {
	if path == "" {
		return write(os.Stdout, c)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f, c), f.Close())
}

// errStopped says that the time is over.
var errStopped = errors.New("stopped")

func write(to io.Writer, c config) error {
	root, err := corpus.Checkout()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	defer out.Flush()
	begin := time.Now()
	for _, name := range append([]string{"cases"}, c.vocabularies...) {
		v, err := vocabulary(root, name)
		if err != nil {
			return err
		}
		w := newWalker(v, c.tokens)
		if c.steps {
			w.trace = out
		}
		err = collections(root, name == "cases", c.step, func(id string, x *corpus.Job) error {
			if c.seconds > 0 && time.Since(begin).Seconds() > c.seconds {
				return errStopped
			}
			if id = name + " " + id; !c.only.MatchString(id) {
				return nil
			}
			_, err := fmt.Fprintf(out, "%s %s\n", id, w.line(x))
			return errors.Join(err, out.Flush())
		})
		if errors.Is(err, errStopped) {
			fmt.Fprintf(out, "# stopped after %.0f s\n", c.seconds)
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func vocabulary(root, name string) (*core.Vocabulary, error) {
	if name == "cases" {
		return corpus.CaseVocabulary(root)
	}
	return corpus.Vocabulary(root, name)
}

// collections calls take for every constraint of tests/cases, or of all collections. MaskBench, the longest one, comes
// last. The first error of take ends it.
func collections(root string, casesOnly bool, step int, take func(id string, x *corpus.Job) error) (err error) {
	every := func(prefix string, step int) func(x *corpus.Job) {
		n := 0
		return func(x *corpus.Job) {
			if n++; err == nil && (n-1)%step == 0 {
				err = take(prefix+x.ID, x)
			}
		}
	}
	read := func(readErr error) {
		if err == nil {
			err = readErr
		}
	}
	read(corpus.Cases(root, every("cases/", 1)))
	read(corpus.Builtin(every("builtin/", 1)))
	data, noData := corpus.Shared(root)
	if casesOnly || err != nil || noData != nil {
		return err
	}
	for _, d := range []string{"draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"} {
		for _, folder := range []string{"", "optional/format"} {
			take := every("suite/"+filepath.Join(d, folder)+"/", 1)
			read(corpus.Suite(data, d, filepath.Join("tests", d, folder, "*.json"), func(x *corpus.Job) {
				x.Options.AnyOrder, x.Options.AllNumberForms, x.Options.Dialect = true, true, d
				x.Options.FormatIsNote = folder == ""
				take(x)
			}))
		}
	}
	read(corpus.BFCL(data, "many", every("bfcl-many/", 1)))
	read(corpus.BFCL(data, "dev", every("bfcl/", 1)))
	read(corpus.MaskBench(data, every("maskbench/", step)))
	return err
}
