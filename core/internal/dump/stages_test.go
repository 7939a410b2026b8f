package dump

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// One small input of each front end, and the beginning of an output.
var inputs = []struct {
	name       string
	kind       source.Kind
	spec, text string
}{
	{
		"schema", source.JSONSchema,
		`{"type": "object", "properties": {"age": {"type": "integer"}}, "additionalProperties": false}`, `{"age": 1`,
	},
	{"unique", source.JSONSchema, `{"type": "array", "items": {"type": "integer"}, "uniqueItems": true}`, "[1"},
	{"regex", source.Regex, `(a|b{2,5})*c`, "ab"},
	{"ebnf", source.EBNF, "root ::= root \"+\" n | n\nn ::= [12]{1,3} | \"(\" root \")\"", "(1"},
	{"lark", source.Lark, "start: A (\",\" A)*\nA: /a+/", "a,"},
	{
		"tag", source.StructuralTag, `{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ` +
			`["<t"], "tags": [{"type": "tag", "begin": "<t>", "content": {"type": "regex", "pattern": "[ab]"}, ` +
			`"end": "</t>"}]}}`,
		"a<t>",
	},
	{"choice", source.Choice, `["ab", "abc", "x"]`, "ab"},
}

func inputOf(i int) Input {
	x := inputs[i]
	return Input{Kind: x.kind, Spec: []byte(x.spec), Options: new(source.Options), Text: []byte(x.text), Tokens: 10}
}

func newCompiler(t *testing.T) *compiler.Compiler {
	v, err := testkit.ConstraintVocabulary(true)
	require.NoError(t, err)
	return compiler.New(v, compiler.Config{})
}

// testdata holds the result of each stage for small inputs. UPDATE=1 rewrites it: read the difference.
func TestStages(t *testing.T) {
	c := newCompiler(t)
	for i, x := range inputs {
		t.Run(x.name, func(t *testing.T) {
			var got bytes.Buffer
			require.NoError(t, Stages(&got, c, inputOf(i)))
			file := filepath.Join("testdata", x.name+".txt")
			if os.Getenv("UPDATE") != "" {
				require.NoError(t, os.WriteFile(file, got.Bytes(), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), got.String())
			// A second dump is equal, although masks and states are cached now.
			got.Reset()
			require.NoError(t, Stages(&got, c, inputOf(i)))
			require.Equal(t, string(want), got.String())
		})
	}
}

// Every drawing is a graph whose arrows lead to existing boxes; Graphviz agrees if it is installed.
func TestDraw(t *testing.T) {
	c := newCompiler(t)
	dot, noDot := exec.LookPath("dot")
	for i, x := range inputs {
		for _, what := range drawings {
			var out bytes.Buffer
			err := Draw(&out, c, inputOf(i), what)
			if x.name == "unique" && what == "automaton" { // it is in the middle of a boolean node
				require.ErrorContains(t, err, "no terminal is open")
				continue
			}
			require.NoError(t, err, "%s %s", x.name, what)
			requireBoxes(t, out.String())
			if noDot == nil {
				cmd := exec.Command(dot, "-Tsvg", "-o", os.DevNull)
				cmd.Stdin = &out
				text, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", text)
			}
		}
	}
	require.ErrorContains(t, Draw(new(bytes.Buffer), c, inputOf(0), "program"), `"program" cannot be drawn`)
}

func requireBoxes(t *testing.T, text string) {
	boxes := map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		from, rest, ok := strings.Cut(line, " [")
		if ok && !strings.Contains(from, "->") && strings.HasSuffix(rest, "]") {
			boxes[strings.TrimSpace(from)] = true
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if from, to, ok := strings.Cut(strings.TrimSpace(line), " -> "); ok {
			to, _, _ = strings.Cut(to, " [")
			require.True(t, boxes[from] && boxes[to], "%s\n%s", line, text)
		}
	}
}

func TestStagesErrors(t *testing.T) {
	c := newCompiler(t)
	in := inputOf(0)
	in.Text = []byte(`{"age": x`)
	err := Stages(new(bytes.Buffer), c, in)
	var e *diag.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, diag.Argument, e.Code)
	require.Equal(t, 8, e.Place.Offset)
	in.Spec = []byte(`{"type": `)
	require.Error(t, Stages(new(bytes.Buffer), c, in))
}

// A grammar of many rules leaves gaps in the tables of its program.
func TestStagesOfManyRules(t *testing.T) {
	spec := "root ::= r0\n"
	for i := range 40 {
		spec += fmt.Sprintf("r%d ::= \"(\" r%d \")\" | \"x%d\"\n", i, (i+1)%40, i)
	}
	var got bytes.Buffer
	in := Input{Kind: source.EBNF, Spec: []byte(spec), Options: new(source.Options)}
	require.NoError(t, Stages(&got, newCompiler(t), in))
	require.Contains(t, got.String(), "== mask")
}

// A drawing of all states has no node for further ones.
func TestDrawnStates(t *testing.T) {
	for n, cut := range map[int]bool{drawnStates - 1: false, drawnStates: true} {
		st, out := terminal.NewStore(), new(bytes.Buffer)
		require.NoError(t, drawAutomaton(out, st, st.Literal(strings.Repeat("a", n)))) // n + 1 states
		require.Equal(t, cut, strings.Contains(out.String(), more), n)
	}
}
