package core_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Check returns the error of compilation whole, or the notes of the grammar.
func TestCheckSaysWhatCompilingSays(t *testing.T) {
	testkit.Alone(t)
	compiler := core.NewCompiler(loadCaseVocabulary(t).v, core.CompilerConfig{})
	for _, c := range loadCases(t) {
		kind, _ := core.ParseKind(c.Kind)
		o, err := core.ParseOptions(c.Options)
		if err != nil {
			continue
		}
		sameVerdict(t, compiler, kind, c.specText(), o, c.file+"/"+c.Name)
	}
}

func sameVerdict(t *testing.T, c *core.Compiler, kind core.Kind, spec []byte, o *core.Options, name string) {
	t.Helper()
	g, want := c.Compile(kind, spec, o)
	notes, err := core.Check(kind, spec, o)
	for _, prefix := range []string{"the first mask takes more than", "the vocabulary has no token"} {
		if want != nil && strings.HasPrefix(core.AsError(want).Message, prefix) { // by a vocabulary alone
			require.NoError(t, err, name)
			return
		}
	}
	require.Equal(t, want, err, name)
	if err == nil {
		require.Equal(t, len(g.Notes()), len(notes), name)
		for i, n := range g.Notes() {
			require.Equal(t, n, notes[i], name)
		}
	}
}

// The same of constraints from the field.
func TestCheckOfCollections(t *testing.T) {
	testkit.Alone(t)
	compiler := core.NewCompiler(committedVocabulary(t), core.CompilerConfig{})
	step := 4
	if testing.Short() {
		step = 40
	}
	for name, kind := range map[string]core.Kind{
		"maskbench/dev": core.JSONSchema, "bfcl/dev": core.StructuralTag, "bfcl/many": core.StructuralTag,
	} {
		f, err := os.Open("../../shared/data/" + name + ".jsonl.gz")
		if err != nil {
			t.Skip(err)
		}
		z, err := gzip.NewReader(f)
		require.NoError(t, err)
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 1<<26)
		for i := 0; lines.Scan(); i++ {
			if i%step != 0 {
				continue
			}
			var line struct {
				ID     string
				Schema json.RawMessage
				Spec   string
			}
			require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
			sameVerdict(t, compiler, kind, append(line.Schema, line.Spec...), nil, line.ID)
		}
		require.NoError(t, lines.Err())
	}
}

// A check beyond its budget is unfinished; within it, the result equals the one without a budget.
func TestCheckWithABudget(t *testing.T) {
	testkit.Alone(t)
	many := "root ::= " + strings.Repeat(`[a-f] "x" | `, 20_000) + `"y"`
	for _, c := range []struct {
		spec     string
		budget   int
		finishes bool
	}{{many, 0, true}, {many, 32_000_000, true}, {many, 100_000, false}, {`root ::= "a"`, 100_000, true}} {
		for range 2 {
			_, err := core.Check(core.EBNF, []byte(c.spec), &core.Options{CheckBudget: c.budget})
			if c.finishes {
				require.NoError(t, err)
			} else {
				require.Equal(t, core.CodeUnfinished, core.AsError(err).Code)
			}
		}
	}
	_, err := core.Check(core.EBNF, []byte("root ::= ("), &core.Options{CheckBudget: 100_000})
	require.Equal(t, core.CodeSyntax, core.AsError(err).Code)
}
