package sluicev1_test

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/sluicev1"
)

func Example() {
	v, _ := core.NewVocabulary(core.VocabularyConfig{Tokens: [][]byte{[]byte("a"), []byte("b")}})
	c := core.NewCompiler(v, core.CompilerConfig{})
	_, _ = c.Compile(core.Regex, []byte("a+b"), nil)
	_, _ = c.Compile(core.Regex, []byte("(a"), nil)

	var s sluicev1.CompilerStats
	if err := proto.Unmarshal(c.StatsMessage(), &s); err != nil {
		panic(err)
	}
	fmt.Println(s.Compilations.Count, s.Cache.Misses, s.Refusals["syntax"])
	// Output: 2 2 1
}
