package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"math/bits"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// walker compiles constraints and walks their outputs. One goroutine.
type walker struct {
	v         *core.Vocabulary
	tokenizer *corpus.Tokenizer
	tokens    int
	trace     io.Writer // every step is printed here; nil: nowhere

	compiler *core.Compiler
	compiled int
	row      []uint32
	bytes    []byte

	masks hash.Hash // answers of the present constraint
	fills int
	keys  map[core.MaskKey][sha256.Size]byte // of the present constraint
}

// renewAfter is the number of constraints that one compiler compiles: many, to share its cost; few, so that a wrong
// dependence on earlier lines stays small.
const renewAfter = 100

func newWalker(v *core.Vocabulary, tokens int) *walker {
	return &walker{
		v: v, tokenizer: corpus.NewTokenizer(v), tokens: tokens,
		row: make([]uint32, v.Words()), bytes: make([]byte, 4*v.Words()),
	}
}

// line compiles a constraint, walks its outputs and returns its line of the file.
func (w *walker) line(x *corpus.Job) string {
	if w.compiled%renewAfter == 0 {
		w.compiler = core.NewCompiler(w.v, core.CompilerConfig{})
	}
	w.compiled++
	w.masks, w.fills, w.keys = sha256.New(), 0, map[core.MaskKey][sha256.Size]byte{}
	text, verdict := sha256.New(), "ok"
	g, err := w.compiler.Compile(x.Kind, x.Spec, &x.Options)
	if err != nil {
		e := core.AsError(err)
		verdict = e.Code.String()
		w.say("%s", err)
		fmt.Fprintf(text, "%+v", *e)
	} else {
		for _, n := range g.Notes() {
			w.say("note %+v", n)
			fmt.Fprintf(text, "%+v\n", n)
		}
		for i := range x.Tests {
			w.walk(g, &x.Tests[i])
		}
	}
	return fmt.Sprintf("%s text=%x masks=%x fills=%d", verdict, text.Sum(nil)[:4], w.masks.Sum(nil)[:8], w.fills)
}

// answer adds an answer to the hash.
func (w *walker) answer(format string, args ...any) {
	w.say(format, args...)
	fmt.Fprintf(w.masks, format+"\n", args...)
}

// say prints a step if somebody looks.
func (w *walker) say(format string, args ...any) {
	if w.trace != nil {
		fmt.Fprintf(w.trace, "    "+format+"\n", args...)
	}
}

// forcedEvery is the number of tokens between two calls for forced text, which may be long and changes little from
// token to token.
const forcedEvery = 8

// walk follows one output token by token as far as it is allowed.
func (w *walker) walk(g *core.Grammar, t *corpus.Test) {
	ids, ok := w.tokenizer.Cut(t.Pieces, w.tokens)
	if !ok {
		w.answer("the vocabulary cannot spell it")
		return
	}
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		w.answer("%s", err)
		return
	}
	w.answer("output %d, %d tokens", t.Index, len(ids))
	for i, id := range ids {
		w.fill(m)
		if i%forcedEvery == 0 {
			forced, err := m.ForcedBytes(nil)
			w.answer("forced %q %v", forced, err)
		}
		n, err := m.Accept([]int32{id})
		w.answer("token %d: %d %v", id, n, err)
		if n == 0 || err != nil {
			return
		}
	}
	w.fill(m)
	w.answer("completed %v", m.Completed())
}

// fill adds the mask of the present state, and checks that equal keys are equal masks.
func (w *walker) fill(m *core.Matcher) {
	w.fills++
	constrained, err := m.Fill(w.row)
	if err != nil {
		w.answer("fill: %s", err)
		return
	}
	count := 0
	for i, x := range w.row {
		binary.LittleEndian.PutUint32(w.bytes[4*i:], x)
		count += bits.OnesCount32(x)
	}
	sum := sha256.Sum256(w.bytes)
	w.answer("mask %x of %d, constrained %v", sum[:8], count, constrained)
	key, err := m.MaskKey()
	if err != nil {
		w.answer("key: %s", err)
	} else if before, known := w.keys[key]; key != (core.MaskKey{}) && known && before != sum {
		w.answer("the key of a mask is that of another")
	}
	w.keys[key] = sum
}
