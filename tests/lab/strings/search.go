package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"strings"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

const (
	walks     = 6   // random outputs of each constraint
	walkMost  = 150 // tokens
	textsEach = 12  // texts that are tried with each constraint
	// compilerEach is how many constraints share a compiler, so that caches stay small.
	compilerEach = 200
)

// search tries one constraint after the other.
type search struct {
	v         *core.Vocabulary
	c         *core.Compiler
	parts     *parts
	tokenizer *corpus.Tokenizer
	tried     int
	refused   map[core.Code]int // compilations, by the error's code
	compiled  int
	wider     int // of them, with a format that gave way
	accepted  int // texts
	steps     int
	findings  int
	found     map[string]bool // constraints that have been reported
}

func newSearch(v *core.Vocabulary, p *parts) *search {
	return &search{
		v: v, parts: p, tokenizer: corpus.NewTokenizer(v), refused: map[core.Code]int{},
		found: map[string]bool{},
	}
}

// try compiles a random constraint and walks it.
func (s *search) try(r *rand.Rand) {
	if s.tried++; s.c == nil || s.tried%compilerEach == 0 {
		s.c = core.NewCompiler(s.v, core.CompilerConfig{WarmBytes: -1})
	}
	spec := s.spec(r)
	g, err := s.c.Compile(core.JSONSchema, spec, nil)
	var refusal *core.Error
	switch {
	case errors.As(err, &refusal):
		s.refused[refusal.Code]++
		return
	case err != nil:
		s.finding(spec, "compile", err)
		return
	}
	s.compiled++
	for _, n := range g.Notes() {
		if n.Effect == core.Wider && n.Keyword == "format" && strings.Contains(n.Text, "too many states") {
			s.wider++
		}
	}
	for range textsEach {
		s.text(g, spec, s.parts.texts[r.Intn(len(s.parts.texts))])
	}
	for i := range walks {
		s.walk(g, spec, r, i%3)
	}
}

// spec returns a schema of an object with one string.
func (s *search) spec(r *rand.Rand) []byte {
	p, v := s.parts, map[string]any{"type": "string"}
	if r.Intn(4) > 0 {
		v["format"] = p.formats[r.Intn(len(p.formats))]
	}
	if r.Intn(8) > 0 {
		v["pattern"] = p.patterns[r.Intn(len(p.patterns))]
	}
	if r.Intn(8) == 0 {
		v["allOf"] = []any{map[string]any{"pattern": p.patterns[r.Intn(len(p.patterns))]}}
	}
	if r.Intn(2) > 0 {
		b := p.lengths[r.Intn(len(p.lengths))]
		if b.least >= 0 {
			v["minLength"] = b.least
		}
		if b.most >= 0 {
			v["maxLength"] = b.most
		}
	}
	spec, err := json.Marshal(map[string]any{
		"type": "object", "properties": map[string]any{"v": v}, "required": []string{"v"}, "additionalProperties": false,
	})
	if err != nil {
		panic(err)
	}
	return spec
}

// text walks an output token by token, as far as it is accepted.
func (s *search) text(g *core.Grammar, spec []byte, text string) {
	output, err := json.Marshal(map[string]string{"v": text})
	if err != nil {
		panic(err)
	}
	ids, ok := s.tokenizer.Cut([]string{string(output)}, len(output))
	if !ok {
		return
	}
	m, row := s.matcher(g)
	for i, id := range ids {
		if _, err := m.Fill(row); err != nil {
			s.finding(spec, fmt.Sprintf("%s, mask %d", output, i), err)
			return
		}
		switch n, err := m.Accept([]int32{id}); {
		case err != nil:
			s.finding(spec, fmt.Sprintf("%s, token %d", output, i), err)
			return
		case n == 0:
			return
		}
		s.steps++
	}
	s.accepted++
}

func (s *search) matcher(g *core.Grammar) (*core.Matcher, []uint32) {
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		panic(err)
	}
	return m, make([]uint32, s.v.Words())
}

// walk follows the masks: manner 0 takes any token, 1 a long one, 2 one of letters if possible.
func (s *search) walk(g *core.Grammar, spec []byte, r *rand.Rand, manner int) {
	m, row := s.matcher(g)
	var output []byte
	for range walkMost {
		if _, err := m.Fill(row); err != nil {
			s.finding(spec, fmt.Sprintf("mask after %q", output), err)
			return
		}
		id, ok := s.choose(row, r, manner)
		if !ok || m.Completed() && r.Intn(4) == 0 {
			return
		}
		if _, err := m.Accept([]int32{id}); err != nil {
			s.finding(spec, fmt.Sprintf("token %d after %q", id, output), err)
			return
		}
		s.steps++
		text, _ := s.v.Token(uint32(id))
		output = append(output, text...)
	}
}

// choose picks one of the allowed tokens that a few random looks find.
func (s *search) choose(row []uint32, r *rand.Rand, manner int) (best int32, ok bool) {
	score := -1
	look := func(id int) {
		if row[id>>5]>>(id&31)&1 == 0 {
			return
		}
		text, _ := s.v.Token(uint32(id))
		n := 0
		switch manner {
		case 1:
			n = len(text)
		case 2:
			n = len(strings.Trim(string(text), "abcdefghijklmnopqrstuvwxyz"))
			n = len(text) - 3*n
		}
		if n = max(n, 0); n > score {
			best, score, ok = int32(id), n, true
		}
	}
	for range 400 {
		if look(r.Intn(s.v.Size())); ok && manner == 0 {
			return best, true
		}
	}
	for id := 0; id < s.v.Size() && !ok; id++ {
		look(id)
	}
	return best, ok
}

func (s *search) finding(spec []byte, at string, err error) {
	if s.found[string(spec)] {
		return
	}
	s.found[string(spec)] = true
	s.findings++
	fmt.Printf("FINDING %s\n  %s\n  %v\n", spec, at, err)
}

func (s *search) report(w io.Writer) {
	fmt.Fprintf(w, "%d constraints: %d compile, of which %d with a wider format; refused: %v\n",
		s.tried, s.compiled, s.wider, s.refused)
	fmt.Fprintf(w, "%d steps, %d texts accepted whole, %d findings\n", s.steps, s.accepted, s.findings)
}
