package core_test

import (
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/sluice-engine/sluice/core"
)

// allows reports whether a constraint allows a whole output.
func allows(g *core.Grammar, output string) bool {
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		log.Fatal(err)
	}
	ok, err := m.AcceptBytes([]byte(output))
	if err != nil {
		log.Fatal(err)
	}
	return ok && m.Completed()
}

func compile(kind core.Kind, spec string, o *core.Options) *core.Grammar {
	g, err := core.NewCompiler(smallVocabulary(), core.CompilerConfig{}).Compile(kind, []byte(spec), o)
	if err != nil {
		log.Fatal(err)
	}
	return g
}

// A schema allows undeclared keys unless it or the option Closed forbids them.
func Example_jsonSchema() {
	const schema = `{
		"type": "object",
		"properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 7}},
		"required": ["city", "days"]
	}`
	g := compile(core.JSONSchema, schema, &core.Options{Closed: true})
	fmt.Println(allows(g, `{"city": "Oslo", "days": 3}`))
	fmt.Println(allows(g, `{"city": "Oslo", "days": 9}`))
	fmt.Println(allows(g, `{"city": "Oslo", "days": 3, "hotel": true}`))
	fmt.Println(len(g.Notes()), "notes: the schema is enforced exactly")
	// Output:
	// true
	// false
	// false
	// 0 notes: the schema is enforced exactly
}

// A regular expression matches the whole output.
func Example_regex() {
	g := compile(core.Regex, `[A-Z]{2}-\d{4}`, nil)
	fmt.Println(allows(g, "NO-1234"), allows(g, "NO-12345"))
	// Output: true false
}

// A grammar starts at the rule root in EBNF, and at the rule start in Lark.
func Example_grammar() {
	g := compile(core.EBNF, `root ::= term (("+" | "-") term)*
term ::= [0-9]+ | "(" root ")"
`, nil)
	fmt.Println(allows(g, "1+(20-3)"), allows(g, "1+"))
	// Output: true false
}

// A request is the body that a client sends to an inference server. With tools, the option Family selects the format of
// calls.
func Example_toolCall() {
	const request = `{
		"messages": [{"role": "user", "content": "Weather in Oslo?"}],
		"tools": [{"type": "function", "function": {"name": "weather", "parameters": {
			"type": "object", "properties": {"city": {"type": "string"}},
			"required": ["city"], "additionalProperties": false}}}],
		"tool_choice": "required"
	}`
	g := compile(core.Request, request, &core.Options{Family: "llama3_json"})
	fmt.Println(allows(g, `{"name": "weather", "parameters": {"city": "Oslo"}}`))
	fmt.Println(allows(g, `{"name": "news", "parameters": {"city": "Oslo"}}`))
	// Output:
	// true
	// false
}

// Start compiles in the background, so that a server keeps serving. Several goroutines may also call Compile.
func ExampleCompiler_Start() {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	var jobs []*core.Job
	for _, pattern := range []string{"yes|no", "[0-9]+", "[a-z]{1,8}"} {
		jobs = append(jobs, c.Start(core.Regex, []byte(pattern), nil))
	}
	for _, j := range jobs {
		g, err := j.Result() // <-j.Done() says when it is there
		fmt.Println(g.Kind(), err)
	}
	// Output:
	// regex <nil>
	// regex <nil>
	// regex <nil>
}

// An error points into the constraint. Its text is complete, its parts are for programs.
func ExampleError() {
	_, err := core.Check(core.JSONSchema, []byte(`{"properties": {"age": {"multipleOf": -3}}}`), nil)
	fmt.Println(err)
	var e *core.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code, e.Place.Pointer, e.Keyword)
	}
	// Output:
	// json_schema:/properties/age/multipleOf: must be positive (near `-3`)
	// invalid /properties/age/multipleOf multipleOf
}

// ParseOptions reads the options that docs/options.md describes, as a server gets them.
func ExampleParseOptions() {
	o, err := core.ParseOptions([]byte(`{"compact": true, "any_order": true}`))
	if err != nil {
		log.Fatal(err)
	}
	g := compile(core.JSONSchema, `{"properties": {"a": {"const": 1}, "b": {"const": 2}}, "required": ["a", "b"]}`, o)
	fmt.Println(allows(g, `{"b":2,"a":1}`), allows(g, `{"b": 2, "a": 1}`))
	_, err = core.ParseOptions([]byte(`{"compct": true}`))
	fmt.Println(core.AsError(err).Code, core.AsError(err).Place.Pointer)
	// Output:
	// true false
	// argument /compct
}

// A vocabulary is read from a tokenizer's file, or made from the bytes of each token.
func ExampleLoadVocabulary() {
	v, err := core.LoadVocabulary("../tests/data/tokenizer.json.gz", core.VocabularyOptions{})
	if err != nil {
		log.Fatal(err)
	}
	end := v.EndTokens()[0]
	text, flags := v.Token(end)
	fmt.Println(v.Size(), v.Words(), string(text), flags&core.TokenEnd != 0)
	// Output: 32768 1024 <|end|> true
}

// Explain says why a token may come next or not.
func ExampleMatcher_Explain() {
	m, err := core.NewMatcher(compile(core.Regex, "[0-9]+", nil), core.MatcherOptions{})
	if err != nil {
		log.Fatal(err)
	}
	why, err := m.Explain('x')
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(why)
	// Output: token 120 ("x") is not allowed: the output goes on with one of [0-9], not with "x"; expected: one of [0-9] (regex:1:1)
}

// ExplainText says which part of the constraint refuses a text, and which parts the output still lacks.
func ExampleMatcher_ExplainText() {
	schema := `{"type": "object", "properties": {"age": {"type": "integer", "maximum": 14}, "name": {"type": "string"}},
		"required": ["age", "name"]}`
	m, err := core.NewMatcher(compile(core.JSONSchema, schema, nil), core.MatcherOptions{})
	if err != nil {
		log.Fatal(err)
	}
	why, err := m.ExplainText([]byte(`{"age":19`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(why.Offset, why.Bytes)
	for _, e := range why.Expected {
		fmt.Printf("%s: %q %s\n", e.Text, e.Place.Pointer, e.Place.Keyword)
	}
	for _, k := range why.Missing {
		fmt.Println(k.Kind, k.Text)
	}
	// Output:
	// 8 [\x0a\x0d\x20,0-4]
	// one of [0-4]: "/properties/age" maximum
	// a property "name": "" properties
	// property the required property "name"
	// text "}"
}

// Notes name parts of the constraint that are not enforced as written.
func ExampleGrammar_Notes() {
	g := compile(core.JSONSchema, `{"type": "string", "minLenght": 3}`, nil)
	for _, n := range g.Notes() {
		fmt.Printf("%s (%s): %s\n", n.Keyword, n.Effect, n.Text)
	}
	// Output: minLenght (ignored): there is no such keyword, so this is ignored; did you mean minLength?
}

// ToEBNF shows a Lark grammar in EBNF.
func ExampleToEBNF() {
	text, err := core.ToEBNF(core.Lark, []byte("start: \"a\" item\nitem: /[0-9]/\n"), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.TrimSpace(text))
	// Output:
	// root ::= start
	// start ::= "a" item
	// item ::= Regex("[0-9]")
}
