package lark_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/dump"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/lark"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A terminal is a regular language; rules are context-free.
func ExampleCompile() {
	st := terminal.NewStore()
	g, notes, err := lark.Compile(st, []byte("start: NAME (\"=\" start)?\nNAME: /[a-z]+/"), new(source.Options))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(len(notes), " notes\n", dump.Grammar(st, g))
	// Output:
	// 0 notes
	// start start.1
	// $1 = [a-z]*
	// start.1
	//   = /([a-z] $1 [=])* [a-z] $1/
}
