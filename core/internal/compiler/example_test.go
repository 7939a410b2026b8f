package compiler_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// A compiler belongs to a vocabulary. A wrong constraint gives an error with its place.
func ExampleCompiler() {
	v, err := vocab.New(vocab.Config{
		Tokens: [][]byte{[]byte("a"), []byte("b"), []byte("</s>")}, EndTokens: []uint32{2},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := compiler.New(v, compiler.Config{})
	g, err := c.Compile(source.Regex, []byte("[ab]+"), new(source.Options))
	fmt.Println(len(g.Notes()), err)
	_, err = c.Compile(source.Regex, []byte("[ab"), new(source.Options))
	fmt.Println(err)
	// Output:
	// 0 <nil>
	// regex:1:1: [: this character class is never closed; add ] or write \[ for the character
	//     [ab
	//     ^
}
