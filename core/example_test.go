package core_test

import (
	"fmt"
	"log"

	"github.com/sluice-engine/sluice/core"
)

// smallVocabulary has the 256 bytes as ids 0 to 255, then some words, then the end token.
func smallVocabulary() *core.Vocabulary {
	var c core.VocabularyConfig
	for b := range 256 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	for _, text := range []string{"yes", "no", "the ", "\": ", "12", "</s>"} {
		c.Tokens = append(c.Tokens, []byte(text))
	}
	end := uint32(len(c.Tokens) - 1)
	c.Special, c.EndTokens = []uint32{end}, []uint32{end}
	v, err := core.NewVocabulary(c)
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// A constraint is compiled once; a matcher follows one sequence. Each step fills the row of allowed tokens, lets the
// model choose one of them, and accepts it.
func Example() {
	v := smallVocabulary()
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.Regex, []byte("yes|no{3}"), nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		log.Fatal(err)
	}
	row := make([]uint32, v.Words())
	for !m.Terminated() {
		if _, err := m.Fill(row); err != nil {
			log.Fatal(err)
		}
		id := lastAllowed(row) // a model would look at its logits
		text, _ := v.Token(id)
		fmt.Printf("%q\n", text)
		if _, err := m.Accept([]int32{int32(id)}); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// "no"
	// "o"
	// "o"
	// "</s>"
}

func lastAllowed(row []uint32) uint32 {
	for id := len(row)*32 - 1; id >= 0; id-- {
		if row[id/32]>>(id%32)&1 != 0 {
			return uint32(id)
		}
	}
	return 0
}

// Errors are values with a stable code and a place.
func ExampleCompiler_Compile_error() {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	_, err := c.Compile(core.EBNF, []byte("root ::= \"a\" item\n"), nil)
	e := core.AsError(err)
	fmt.Println(e.Code, e.Place.Line, e.Place.Column)
	// Output: invalid 1 14
}

// Drafts are tried without moving, and anything accepted can be taken back.
func ExampleMatcher_Rollback() {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	g, err := c.Compile(core.Regex, []byte("[a-c]+"), nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		log.Fatal(err)
	}
	draft := []int32{'a', 'b', 'x', 'c'}
	n, _ := m.Validate(draft)
	fmt.Println("valid:", n, "length:", m.Len())
	n, _ = m.Accept(draft)
	fmt.Println("accepted:", n, "length:", m.Len())
	_ = m.Rollback(2)
	fmt.Println("length:", m.Len(), "completed:", m.Completed())
	// Output:
	// valid: 2 length: 0
	// accepted: 2 length: 2
	// length: 0 completed: false
}

// A batch fills the rows of one step, each matcher's its own, with as many threads as the process may use.
func ExampleBatch() {
	v := smallVocabulary()
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.Choice, []byte(`["yes", "no"]`), nil)
	if err != nil {
		log.Fatal(err)
	}
	const sequences = 3
	var b core.Batch
	for i := range sequences {
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		if err != nil {
			log.Fatal(err)
		}
		b.Items = append(b.Items, core.BatchItem{Matcher: m, Row: sequences - 1 - i})
	}
	b.Fill(core.Rows{Words: make([]uint32, sequences*v.Words()), Count: sequences, Stride: v.Words(), Width: v.Words()},
		0)
	for _, it := range b.Items {
		fmt.Println(it.Row, it.Constrained, it.Err)
	}
	// Output:
	// 2 true <nil>
	// 1 true <nil>
	// 0 true <nil>
}

// An output that stops at a string, and how much of its text may be sent at each step.
func ExampleMatcher_SetStopStrings() {
	v, err := core.NewVocabulary(core.VocabularyConfig{
		Tokens:    [][]byte{[]byte("so"), []byte("\n"), []byte("\nOb"), []byte("serve: "), []byte("</s>")},
		EndTokens: []uint32{4},
	})
	if err != nil {
		panic(err)
	}
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.Regex, []byte("(.|\n)*"), nil)
	if err != nil {
		panic(err)
	}
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		panic(err)
	}
	if err := m.SetStopStrings([]string{"\n\n", "Observe:"}); err != nil {
		panic(err)
	}
	for _, id := range []int32{0, 2, 3, 0} {
		n, err := m.Accept([]int32{id})
		if err != nil {
			panic(err)
		}
		s, err := m.Stopped()
		if err != nil {
			panic(err)
		}
		fmt.Println(n, s.HeldBack, s.Stopped, s.Index, s.Behind)
	}
	// Output:
	// 1 0 false 0 0
	// 1 2 false 0 0
	// 1 0 true 1 9
	// 0 0 true 1 9
}

// A process saves its compiler, and others start from the file.
func ExampleLoadCompiler() {
	file, err := core.NewCompiler(smallVocabulary(), core.CompilerConfig{}).Save()
	if err != nil {
		panic(err)
	}
	v, err := core.ParseVocabulary(core.FormatAuto, file, core.VocabularyOptions{})
	if err != nil {
		panic(err)
	}
	compiler, err := core.LoadCompiler(v, file, core.CompilerConfig{})
	if err != nil {
		panic(err)
	}
	_, err = compiler.Compile(core.Regex, []byte("yes|no"), nil)
	fmt.Println(v.Size(), err)
	// Output: 262 <nil>
}
