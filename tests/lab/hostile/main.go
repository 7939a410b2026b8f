// Package main sends hostile constraints to the library and measures every call: `make lab NAME=hostile`. Each call
// must end within a second of CPU time (compile) or a tenth of one (all others), within 512 MiB, and an error of code
// limit must name construct, place and remedy.
//
// Invariant: inputs run in a child process. The parent kills it when a call takes ten times its limit or memory runs
// out, reports the input, and continues with a new child. The package sees Sluice as its users do, through package
// core. Start reading at inputs.go (the inputs), then measure.go (the measurements).
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

func main() {
	only := flag.String("only", "", "inputs whose name matches this regular expression")
	vocabulary := flag.String("vocabulary", "", "a tokenizer of the shared data, or small (Llama 3.1 where it is, "+
		"else "+
		"small)")
	jsonLines := flag.Bool("json", false, "print outcomes as lines of JSON")
	children := flag.Bool("child", false, "measure the inputs whose numbers are read, for a parent")
	names := flag.Bool("list", false, "print the names of the inputs and the sizes of their texts")
	flag.Parse()
	var err error
	bad := 0
	switch {
	case *children:
		err = child(*vocabulary)
	case *names:
		for i, x := range inputs() {
			fmt.Printf("%3d %-60s %d bytes\n", i, x.name, len(x.spec()))
		}
	default:
		bad, err = parent(regexp.MustCompile(*only), *vocabulary, *jsonLines)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(2)
	}
	if bad > 0 {
		os.Exit(1)
	}
}

// again is the number of repeated measurements of an expensive call, each in a process of its own: garbage of earlier
// inputs does not count.
const again = 2

// parent measures all inputs in child processes and returns how many have problems.
func parent(only *regexp.Regexp, vocabulary string, jsonLines bool) (bad int, err error) {
	w := &worker{command: []string{os.Args[0], "-child", "-vocabulary", vocabulary}, patience: patience}
	defer w.stop()
	if !jsonLines {
		printHead()
	}
	count := 0
	for i, x := range inputs() {
		if !only.MatchString(x.name) {
			continue
		}
		o, err := w.run(i, x.name)
		for range again {
			if err != nil || len(o.problems(1)) == 0 || o.Killed != "" {
				break
			}
			w.stop()
			var next *outcome
			if next, err = w.run(i, x.name); err == nil {
				o = o.best(next)
			}
		}
		if err != nil {
			return bad, err
		}
		count++
		if len(o.problems(1)) > 0 {
			bad++
		}
		if jsonLines {
			text, err := json.Marshal(o)
			if err != nil {
				return bad, err
			}
			fmt.Println(string(text))
			continue
		}
		o.print(1)
	}
	fmt.Fprintf(os.Stderr, "%d inputs, %d with a problem\n", count, bad)
	return bad, nil
}

// child measures inputs by the numbers it reads, until there are no more.
func child(vocabulary string) error {
	m, err := newMeasurer(vocabulary)
	if err != nil {
		return err
	}
	m.begun = func(call string) { fmt.Println("begin", call) }
	all := inputs()
	for {
		var i int
		if _, err := fmt.Scan(&i); err != nil {
			return nil // the parent has no more
		}
		text, err := json.Marshal(m.run(all[i]))
		if err != nil {
			return err
		}
		fmt.Println("done", string(text))
	}
}

func newMeasurer(vocabulary string) (*measurer, error) {
	root, err := corpus.Checkout()
	if err != nil {
		return nil, err
	}
	var v *core.Vocabulary
	if vocabulary == "" {
		v, _, err = corpus.Best(root)
	} else {
		v, err = corpus.Vocabulary(root, vocabulary)
	}
	if err != nil {
		return nil, err
	}
	return &measurer{v: v, tokenizer: corpus.NewTokenizer(v)}, nil
}
