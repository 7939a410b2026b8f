package testkit

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/request/family"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// SourceOptions returns the options of the constraint's compilation.
func (c Constraint) SourceOptions() *source.Options {
	o := new(source.Options)
	if c.Options != "" {
		if err := json.Unmarshal([]byte(c.Options), o); err != nil {
			panic(err) // RandomConstraint has written it
		}
	}
	return o
}

// options of the compilation of such a text, as JSON: the default mostly.
func (g *constraintGen) options(kind source.Kind, spec string) string {
	var o source.Options
	switch kind {
	case source.JSONSchema, source.StructuralTag:
		if g.chance(2) {
			g.jsonOptions(&o)
		}
	case source.Request:
		if g.chance(4) {
			g.jsonOptions(&o)
		}
		all := family.List()
		o.Family, o.Reasoning = all[g.r.Intn(len(all))].Name, g.pick("", "", "", "auto")
	default:
		if g.chance(8) {
			o.SpecialTokens = source.TextView
		}
	}
	if strings.Contains(spec, "@") {
		o.Grammars = map[string]source.NamedGrammar{
			"g": {Lark: "start: " + g.alternatives(g.larkElement, []string{"start", "x"}, 1) + "\nx: \"a\" | x " +
				"\"b\"\nTERM: /[ab]+/\ntext_rule[lazy]: /[ab]*b/\npair{p, q}: p (q p)*\n" +
				"count::_: \"a\" count::incr(_) %if lt(_, 2)\n | \"b\" %if ge(_, 2)"},
			"j": {Schema: json.RawMessage(g.schema(1))},
		}
	}
	return written(&o)
}

// written returns options as JSON, without those that have their defaults; "" if all have.
func written(o *source.Options) string {
	var all map[string]any
	text, err := json.Marshal(o)
	if err != nil {
		panic(err) // all of it can be written
	}
	if err := json.Unmarshal(text, &all); err != nil {
		panic(err) // it has just been written
	}
	for name, value := range all {
		if value == nil || value == false || value == "" || value == 0.0 {
			delete(all, name)
		}
	}
	if len(all) == 0 {
		return ""
	}
	if text, err = json.Marshal(all); err != nil {
		panic(err) // all of it can be written
	}
	return string(text)
}

// jsonOptions sets how JSON is written: one layout, and a few of the rest.
func (g *constraintGen) jsonOptions(o *source.Options) {
	switch g.r.Intn(7) {
	case 0:
		o.Compact = true
	case 1:
		o.MaxWhitespace = 1 + g.count()
	case 2:
		o.WhitespacePattern = g.pick(`[ \n]{0,3}`, " ?", `[ \n]*`, `(\n( {2}){0,9})?| `)
	case 3:
		o.Separators = &[2]string{g.pick(", ", ","), g.pick(": ", ":")}
	case 4:
		indent := g.pick("", "  ", "\t")
		o.Indent = &indent
	}
	for _, flag := range []*bool{
		&o.AnyOrder, &o.Lenient, &o.AllNumberForms, &o.ASCIIOnly, &o.AnyEscapes, &o.Closed, &o.FormatIsNote,
	} {
		*flag = g.chance(4)
	}
	o.Dialect = g.pick("", "", "", "draft-07", "2019-09")
}

// request returns a request with tools and a choice among them.
func (g *constraintGen) request() string {
	names := []string{"ab", "a_b", "get"}[:1+g.r.Intn(3)]
	var tools []string
	for _, n := range names {
		tools = append(tools, fmt.Sprintf(`{"type": "function", "function": {"name": %q, "parameters": %s}}`, n,
			g.parameters()))
	}
	choice := g.pick(`"auto"`, `"auto"`, `"required"`, `{"type": "function", "function": {"name": "ab"}}`)
	more := ""
	if g.chance(5) && choice == `"auto"` {
		more = fmt.Sprintf(`, "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": %s}}`,
			g.schema(1))
	}
	return fmt.Sprintf(`{"tools": [%s], "tool_choice": %s, "parallel_tool_calls": %t%s}`, strings.Join(tools, ", "),
		choice, g.chance(2), more)
}
