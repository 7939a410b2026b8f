package core_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core"
)

// A server streams the arguments of a call while the model writes them.
func ExampleMatcher_Events() {
	config := core.VocabularyConfig{EndTokens: []uint32{256}, Special: []uint32{256}}
	for b := range 256 {
		config.Tokens = append(config.Tokens, []byte{byte(b)})
	}
	config.Tokens = append(config.Tokens, []byte("</s>"))
	vocabulary, err := core.NewVocabulary(config)
	if err != nil {
		panic(err)
	}
	request := []byte(`{"tools": [{"name": "add", "input_schema": {"type": "object"}}]}`)
	compiler := core.NewCompiler(vocabulary, core.CompilerConfig{})
	grammar, err := compiler.Compile(core.Request, request, &core.Options{Family: "hermes"})
	if err != nil {
		panic(err)
	}
	matcher, err := core.NewMatcher(grammar, core.MatcherOptions{KeepOutput: true})
	if err != nil {
		panic(err)
	}
	var events []core.Event
	for _, piece := range []string{"<tool_call>\n{\"name\": \"add\", ", `"arguments": {"a": [1, "x`, "y\"]}}\n</tool_call>"} {
		if ok, err := matcher.AcceptBytes([]byte(piece)); !ok || err != nil { // a server accepts tokens here
			panic(err)
		}
		events, err = matcher.Events(events[:0], false)
		if err != nil {
			panic(err)
		}
		for i := range events {
			switch e := &events[i]; {
			case e.Kind == core.CallEvent && e.Begins:
				fmt.Printf("call %d of %s\n", e.Call, e.Text)
			case e.JSON != "":
				fmt.Printf("%s of call %d, place %q\n", e.JSON, e.Call, e.Pointer())
			}
		}
	}
	// Output:
	// call 0 of add
	// { of call 0, place ""
	// "a":[ of call 0, place "/a"
	// 1 of call 0, place "/a/0"
	// ,"x of call 0, place "/a/1"
	// y" of call 0, place "/a/1"
	// ] of call 0, place "/a"
	// } of call 0, place ""
}

// The calls of a finished output.
func ExampleParseCalls() {
	output := `Adding. [TOOL_CALLS]add[ARGS]{"a": 1}`
	found, err := core.ParseCalls([]byte(output), []byte("{}"), &core.Options{Family: "mistral_v11"})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%q %s %s\n", found.Text, found.Calls[0].Name, found.Calls[0].Arguments)
	// Output: "Adding. " add {"a":1}
}
