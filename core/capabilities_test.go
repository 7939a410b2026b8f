package core_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

var update = flag.Bool("update", false, "rewrite docs/CAPABILITIES.md")

// vocabulary of bytes, a special token and an end token.
func capabilityCompiler(t *testing.T) *core.Compiler {
	var config core.VocabularyConfig
	for b := range 256 {
		config.Tokens = append(config.Tokens, []byte{byte(b)})
	}
	config.Tokens = append(config.Tokens, []byte("<end>"))
	config.Special, config.EndTokens = []uint32{256}, []uint32{256}
	v, err := core.NewVocabulary(config)
	require.NoError(t, err)
	return core.NewCompiler(v, core.CompilerConfig{})
}

// Every example of the table compiles to the result that the table states.
func TestCapabilitiesAreTrue(t *testing.T) {
	c := capabilityCompiler(t)
	table := core.Capabilities()
	for _, group := range []struct {
		kind core.Kind
		list []core.Capability
	}{
		{core.JSONSchema, table.Keywords},
		{core.JSONSchema, table.Formats},
		{core.Regex, table.Regex},
		{core.EBNF, table.EBNF},
		{core.Lark, table.Lark},
		{core.StructuralTag, table.Tags},
	} {
		names := map[string]bool{}
		for _, x := range group.list {
			require.False(t, names[x.Name], "%s is there twice", x.Name)
			names[x.Name] = true
			t.Run(group.kind.String()+"/"+x.Name, func(t *testing.T) {
				require.Equal(t, x.Support, observed(c, group.kind, x.Example), x.Example)
				if x.Support == core.SupportUnsupported {
					require.NotEmpty(t, x.Sentence, "the way out")
				}
				require.Equal(t, x.Except == "", x.Refused == "")
				if x.Refused != "" {
					require.Equal(t, core.SupportUnsupported, observed(c, group.kind, x.Refused), x.Refused)
				}
			})
		}
	}
}

// observed returns the outcome of compiling a constraint.
func observed(c *core.Compiler, kind core.Kind, spec string) core.Support {
	g, err := c.Compile(kind, []byte(spec), nil)
	if err != nil {
		if e := core.AsError(err); e.Code != core.CodeUnsupported {
			return core.Support(e.Error())
		}
		return core.SupportUnsupported
	}
	support := core.SupportExact
	for _, n := range g.Notes() {
		if n.Effect != core.DeadEnd { // exact, with a warning
			support = core.Support(n.Effect.String())
		}
	}
	return support
}

// Kinds and options state their effect, and the table has all of them.
func TestKindsAndOptionsAreTrue(t *testing.T) {
	c := capabilityCompiler(t)
	table := core.Capabilities()
	specs := map[string]string{
		"json_schema": `{"type": "object"}`, "regex": "a", "ebnf": "start ::= \"a\"\nroot ::= start", "lark": "start: " +
			"\"a\"", "choice": `["a"]`,
		"structural_tag": `{"type": "structural_tag", "format": {"type": "any_text"}}`, "json_object": "", "json": "",
		"request": `{"response_format": {"type": "json_object"}}`, "grammar": "root ::= start\nstart ::= \"a\"",
	}
	require.Len(t, table.Kinds, len(specs))
	for _, k := range table.Kinds {
		parsed, ok := core.ParseKind(k.Name)
		require.True(t, ok && parsed == k.Value, k.Name)
		require.Equal(t, k.Support, observed(c, k.Value, specs[k.Name]), k.Name)
	}
	for _, o := range table.Options {
		require.NotEmpty(t, o.Kinds, o.Name)
		for _, value := range []json.RawMessage{o.Default, o.Example} {
			if string(value) == "null" {
				continue
			}
			read, err := core.ParseOptions(fmt.Appendf(nil, `{%q: %s}`, o.Name, value))
			require.NoError(t, err)
			if string(value) == string(o.Default) {
				require.Equal(t, &core.Options{}, normal(read), "the default of %s is %s", o.Name, value)
				continue
			}
			if o.Name == "reasoning" { // is written as a family writes it
				read.Family = "qwen3"
			}
			kind, _ := core.ParseKind(o.Kinds[0])
			_, err = c.Compile(kind, []byte(specs[o.Kinds[0]]), read)
			if o.Support == core.SupportUnsupported {
				require.Equal(t, core.CodeUnsupported, core.AsError(err).Code, o.Name)
			} else {
				require.NoError(t, err, o.Name)
			}
		}
	}
}

// normal returns options without members that spell out defaults.
func normal(o *core.Options) *core.Options {
	n := *o
	if n.Dialect == "2020-12" {
		n.Dialect = ""
	}
	if n.StartRule == "root" {
		n.StartRule = ""
	}
	return &n
}

// docs/CAPABILITIES.md is the table. `make capabilities` writes it.
func TestCapabilitiesPage(t *testing.T) {
	path := filepath.Join("..", "docs", "CAPABILITIES.md")
	want := capabilitiesPage(core.Capabilities())
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	have := strings.Split(string(got), "\n")
	for i, line := range strings.Split(want, "\n") { // line by line, since the whole page hides the difference
		require.Less(t, i, len(have), "docs/CAPABILITIES.md ends before %q: make capabilities", line)
		require.Equal(t, line, have[i], "line %d of docs/CAPABILITIES.md is out of date: make capabilities", i+1)
	}
	require.Len(t, have, strings.Count(want, "\n")+1, "docs/CAPABILITIES.md goes on: make capabilities")
}

// cell escapes text for a table of Markdown.
func cell(s string) string { return strings.NewReplacer("|", `\|`, "\n", "⏎").Replace(s) }

func plain(s string) string {
	return strings.NewReplacer("*", `\*`, "~", `\~`, "<", "&lt;").Replace(cell(s))
}

// code returns a code span of a table. A blank separates backticks of the text from its own.
func code(s string) string {
	if s == "" {
		return ""
	}
	fence, pad := "`", ""
	for strings.Contains(s, fence) {
		fence, pad = fence+"`", " "
	}
	return fence + pad + cell(s) + pad + fence
}

const capabilitiesHead = `# Capabilities

Look up here how the library treats one kind, option, keyword, format or construct. ` +
	"[JSON Schema](json-schema.md), [grammars](grammars.md), [options](options.md) and [requests](requests.md) " +
	"explain them.\n\nPrograms read the same table with `sluice.capabilities()`, `core.Capabilities()` or " +
	"`sluice_capabilities`. Each example compiles in a test; in an example, ⏎ is a line end. To write this page " +
	"again, run `make capabilities`." + `

| support | meaning |
|---|---|
| exact | enforced as written |
| narrower | some outputs that the constraint allows are left out; a note says so |
| wider | some outputs that the constraint forbids are allowed; a note says so |
| ignored | without effect; a note says so |
| unsupported | an error that names the place and a way out |

## Kinds

| kind | number in C | the output is |
|---|--:|---|
`

func capabilitiesPage(t core.CapabilityTable) string {
	var b strings.Builder
	b.WriteString(capabilitiesHead)
	for _, k := range t.Kinds {
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", k.Name, k.Value, plain(k.Sentence))
	}
	b.WriteString("\n## Options\n\n| option | default | values | kinds | effect |\n|---|---|---|---|---|\n")
	for _, o := range t.Options {
		fallback := code(string(o.Default))
		if string(o.Default) == "null" {
			fallback = "–"
		}
		kinds := strings.Join(o.Kinds, ", ")
		if len(o.Kinds) == len(t.Kinds) {
			kinds = "all"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", o.Name, fallback, plain(o.Values), kinds, plain(o.Sentence))
	}
	group := func(title, what, before, after string, list []core.Capability) {
		fmt.Fprintf(&b, "\n## %s\n", title)
		if before != "" {
			fmt.Fprintf(&b, "\nAn example is the `format` of a document `%s…%s`.\n", before, after)
		}
		fmt.Fprintf(&b, "\n| %s | support | meaning | unsupported part | example |\n|---|---|---|---|---|\n", what)
		for _, c := range list {
			name := code(c.Name)
			if len(c.Dialects) > 0 {
				name += " (since " + c.Dialects[0] + ")"
			}
			example := strings.TrimPrefix(strings.TrimSuffix(c.Example, after), before)
			if len(example)+len(before)+len(after) != len(c.Example) {
				example = c.Example
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", name, c.Support, plain(c.Sentence), plain(c.Except), code(example))
		}
	}
	group("JSON Schema: keywords", "keyword", "", "", t.Keywords)
	b.WriteString("\nThe dialects are " + strings.Join(t.Dialects, ", ") +
		". Other keywords are annotations or unknown, and are ignored as the specification says.\n")
	group("JSON Schema: formats", "format", "", "", t.Formats)
	group("Regular expressions", "construct", "", "", t.Regex)
	group("EBNF", "construct", "", "", t.EBNF)
	group("Lark", "construct", "", "", t.Lark)
	const before, after = `{"type": "structural_tag", "format": `, "}"
	group("Structural tags", "format", before, after, t.Tags)
	return b.String()
}
