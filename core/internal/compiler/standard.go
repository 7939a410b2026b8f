package compiler

import (
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// standard lists constraints with the parts that nearly every grammar needs: JSON's strings, numbers and gaps. A new
// compiler compiles them and computes the masks along their texts. The stores of all its grammars are above the results.
var standard = []struct {
	kind  source.Kind
	spec  string
	texts []string
}{
	{source.JSONSchema, `{"properties":{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},
		"b":{"type":"boolean"},
		"z":{"type":"null"},"o":{"type":"object"},"a":{"type":"array"},"any":true,"list":{"items":{"type":"string"}},
		"min":{"type":"string","minLength":1},"max":{"type":"string","maxLength":255},
		"nat":{"type":"integer","minimum":0},
		"one":{"type":"integer","minimum":1},"pos":{"type":"number","minimum":0},"ns":{"type":["string","null"]},
		"c":{"type":"object","properties":{"x":{}},"additionalProperties":false}}}`, []string{
		`{"s": "a b\n\u00e9é", "i": -120, "n": -1.5e-10, "b": true, "z": null, "o": {"k": [1, "x", {}]}, "a": [1, ` +
			`2.5, "a", null, {"b": []}], "any": {"a": "b"},` +
			` "list": ["a", "b"], "min": "ab", "max": "abc", "nat": 10, "one": 10, "pos": 0.5, "ns": null, "c": ` +
			`{"x": ` +
			`"y"}, "q": "t"}`,
		"{\n  \"s\": \"The quick brown fox.\",\n  \"i\": 0,\n  \"n\": 3.25,\n  \"b\": false,\n  \"o\": {\n    \"k\": " +
			"{}\n  },\n  \"a\": [\n    [],\n    -7\n  ],\n  \"list\": [],\n  \"ns\": \"x\"\n}",
		`{"any":1.0,"list":["a"],"zz":[true,{"a":1}]}`,
	}},
	{source.JSONSchema, `{"properties":{"a":{"format":"date-time"},"b":{"format":"date"},"c":{"format":"time"},
		"d":{"format":"email"},
		"e":{"format":"uri"},
		"f":{"format":"uuid"},"g":{"format":"ipv4"},"h":{"format":"hostname"},"i":{"format":"idn-hostname"},
		"j":{"format":"idn-email"},"k":{"format":"email","maxLength":254},"l":{"format":"hostname","maxLength":253},
		"m":{"format":"uri","maxLength":2048}}}`, []string{
		`{"a": "2024-01-02T03:04:05.678Z", "b": "2024-11-30", "c": "10:20:30Z", "d": "john.doe@example.com", "e": ` +
			`"https://www.example.com/path/x?q=1#f",` +
			` "f": "550e8400-e29b-41d4-a716-446655440000", "g": "192.168.0.1", "h": "www.example.com", ` +
			`"i": "www.bücher.example", "j": "andré.doe@bücher.example.com"}`,
		`{"j": "john.doe@example.com"}`,
		`{"k": "john.doe@example.com", "l": "www.example.com", "m": "https://www.example.com/path/x?q=1#f"}`,
	}},
	{source.AnyJSON, "", []string{`[1, "a", {"b": [true, null]}]`}},
	{source.JSONObject, "", []string{`{"a": 1, "b": "c"}`}},
}

func (c *Compiler) newStandard(tokens *tokenset.Tokens) *mask.Engine {
	st := terminal.NewStore()
	e := mask.NewEngine(tokens, st)
	for _, x := range standard {
		g, _, err := c.front(x.kind, st, []byte(x.spec), &source.Options{})
		if err != nil {
			panic("compiler: a standard constraint does not compile: " + err.Error())
		}
		p, err := pushdown.NewProgram(st, g)
		if err != nil {
			panic("compiler: a standard constraint does not link: " + err.Error())
		}
		m := mask.NewMasks(e, pushdown.NewAutomaton(p), false)
		for _, text := range x.texts {
			m.Walk([]byte(text))
		}
	}
	e.Seal()
	return e
}
