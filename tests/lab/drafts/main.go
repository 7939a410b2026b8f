// Package main measures forced tokens and drafts: `make lab NAME=drafts`. Every valid output of BFCL, or of MaskBench, is
// written in six layouts and cut into tokens as the tokenizer cuts it. A matcher follows these tokens: the forced tokens
// must be among them at every step, and the drafts should be.
//
// Invariant: the tokens to compare with come from a grammar whose only text is the whole output, so they do not depend
// on the constraint. The package sees Sluice as its users do, through package core. Start reading at walk.go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

type options struct {
	collection       string
	every, k, show   int
	share, precision float64
}

func main() {
	o := options{}
	flag.StringVar(&o.collection, "collection", "bfcl", "bfcl or maskbench")
	tokenizers := flag.String("tokenizers", "llama3_1,qwen2_5,gpt4o,gemma3,llama2", "of the shared data")
	flag.IntVar(&o.every, "every", 1, "take every n-th constraint")
	flag.IntVar(&o.k, "k", 8, "tokens of a draft")
	flag.IntVar(&o.show, "show", 0, "wrong drafts to print")
	flag.Float64Var(&o.share, "share", 0, "fail if fewer percent of the tokens are drafted")
	flag.Float64Var(&o.precision, "precision", 0, "fail if fewer percent of the drafts are right")
	flag.Parse()
	all := true
	for _, name := range strings.Split(*tokenizers, ",") {
		ok, err := run(name, &o)
		if errors.Is(err, corpus.ErrNoData) {
			fmt.Println("lab drafts: SKIPPED:", err)
			return
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "lab drafts:", err)
			os.Exit(2)
		}
		all = all && ok
	}
	if !all {
		os.Exit(1)
	}
}

// figures belong to one tokenizer and layout.
type figures struct {
	outputs, tokens   int
	forced, wrong     int // tokens saved by forced ones; outputs in which one is wrong
	drafted, proposed int // right tokens of drafts; all tokens of drafts
	steps             int // of the model, with drafts
}

const row = "%-9s %-10s %8v %8v %8v %6v %8v %8v %12v\n"

func run(name string, o *options) (ok bool, err error) {
	root, err := corpus.Checkout()
	if err != nil {
		return false, err
	}
	data, err := corpus.Shared(root)
	if err != nil {
		return false, err
	}
	path := filepath.Join(data, "tokenizers", name+".json.gz")
	v, err := core.LoadVocabulary(path, core.VocabularyOptions{KeepTokenizer: true})
	if err != nil {
		return false, err
	}
	list := corpus.Layouts()
	w := &walker{
		c: core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1}), v: v, o: o,
		list: []corpus.Layout{list[0], list[1], list[2], list[3], list[4], list[6]},
	}
	w.all = make([]figures, len(w.list))
	if o.collection == "maskbench" {
		w.relay = (*corpus.Layout).Write
		err = corpus.MaskBench(data, w.take)
	} else {
		w.relay = (*corpus.Layout).Calls
		err = corpus.BFCL(data, "dev", w.take)
	}
	if err = errors.Join(err, w.err); err != nil {
		return false, err
	}
	fmt.Printf(row, name, "layout", "outputs", "tokens", "forced %", "wrong", "draft %", "right %", "tokens/step")
	total := figures{}
	for i := range w.all {
		w.all[i].print(w.list[i].Name)
		total.add(&w.all[i])
	}
	total.print("all")
	return total.tokens > 0 && total.wrong == 0 && percent(total.drafted, total.tokens) >= o.share &&
		percent(total.drafted, total.proposed) >= o.precision, nil
}

func (f *figures) add(g *figures) {
	f.outputs, f.tokens, f.forced, f.wrong = f.outputs+g.outputs, f.tokens+g.tokens, f.forced+g.forced, f.wrong+g.wrong
	f.drafted, f.proposed = f.drafted+g.drafted, f.proposed+g.proposed
	f.steps += g.steps
}

func percent(a, b int) float64 { return 100 * float64(a) / float64(max(b, 1)) }

func (f *figures) print(layout string) {
	name, _, _ := strings.Cut(layout, ",")
	one := func(x float64) string { return fmt.Sprintf("%.1f", x) }
	fmt.Printf(row, "", name[:min(len(name), 10)], f.outputs, f.tokens, one(percent(f.forced, f.tokens)), f.wrong,
		one(percent(f.drafted, f.tokens)), one(percent(f.drafted, f.proposed)),
		fmt.Sprintf("%.2f", float64(f.tokens)/float64(max(f.steps, 1))))
}
