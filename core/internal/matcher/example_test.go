package matcher_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// A matcher follows one sequence: Accept takes the tokens that Fill allows, and Rollback takes them back.
func ExampleMatcher() {
	v, err := vocab.New(vocab.Config{
		Tokens: [][]byte{[]byte("a"), []byte("b"), []byte("</s>")}, EndTokens: []uint32{2},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := compiler.New(v, compiler.Config{}).Compile(source.Regex, []byte("ab?"), new(source.Options))
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := matcher.New(g, matcher.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	row := make([]uint32, v.Words())
	show := func() {
		_, err := m.Fill(row)
		fmt.Printf("%03b %v\n", row[0], err)
	}
	show()
	fmt.Println(m.Accept([]int32{0, 1, 1})) // the second b is not allowed
	show()
	fmt.Println(m.Rollback(1))
	show()
	// Output:
	// 001 <nil>
	// 2 <nil>
	// 100 <nil>
	// <nil>
	// 110 <nil>
}
