package core_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// A compiler's budgets decide which constraints are refused, and do not affect grammars of other compilers.
func TestBudgetsOfACompiler(t *testing.T) {
	tokens := [][]byte{[]byte("</s>"), []byte("a"), []byte("b"), []byte("ab"), []byte("1")}
	v, err := core.NewVocabulary(core.VocabularyConfig{Tokens: tokens, EndTokens: []uint32{0}})
	require.NoError(t, err)
	config, err := core.ParseCompilerConfig([]byte(`{"mask_budget": 5, "search_budget": 1000, "transition_budget": ` +
		`1000}`))
	require.NoError(t, err)
	require.Equal(t, core.CompilerConfig{MaskBudget: 5, SearchBudget: 1000, TransitionBudget: 1000}, config)
	low, usual := core.NewCompiler(v, config), core.NewCompiler(v, core.CompilerConfig{})
	for range 2 {
		_, err = low.Compile(core.Regex, []byte(`(a|b1)*ab`), nil)
		var e *core.Error
		require.True(t, errors.As(err, &e))
		require.Equal(t, core.CodeLimit, e.Code)
		_, err = usual.Compile(core.Regex, []byte(`(a|b1)*ab`), nil)
		require.NoError(t, err)
	}
}

// A budget may be the largest number; then nothing is refused for it.
func TestLargestBudgets(t *testing.T) {
	config, err := core.ParseCompilerConfig([]byte(`{"mask_budget": 9223372036854775807, "search_budget": ` +
		`9223372036854775807, "transition_budget": 9223372036854775807, "compile_budget": 9223372036854775807}`))
	require.NoError(t, err)
	c := core.NewCompiler(smallVocabulary(), config)
	for _, pattern := range []string{`(?=.*a)(?=.*b)(?!.*ab.{3}).{2,40}`, `([a-f]+x|[c-z]+y){2,40}`} {
		_, err = c.Compile(core.Regex, []byte(pattern), nil)
		require.NoError(t, err)
	}
}

// Counted work of a compilation does not depend on the compiler's history, and a budget of exactly that work allows it.
func TestBudgetOfACompilation(t *testing.T) {
	testkit.Alone(t)
	for _, x := range []struct {
		kind core.Kind
		text string
	}{
		{core.JSONSchema, `{"properties":{"a":{"pattern":"^(x|yz)*$"},"b":{"anyOf":[{"type":"string"},` +
			`{"type":"integer"}]}}}`},
		{core.Regex, `([a-f]+x|[c-z]+y){2,40}`},
		{core.EBNF, "root ::= e\ne ::= e \"+\" e | [0-9]{1,9} | \"(\" e \")\""},
		{core.Choice, `["red","green","blue"]`},
		{core.StructuralTag, `{"type":"structural_tag","format":{"type":"tag","begin":"<a>",` +
			`"content":{"type":"json_schema","json_schema":{"pattern":"^a+b$"}},"end":"</a>"}}`},
		{core.JSONObject, ""},
	} {
		compile := func(budget int, before ...string) (int, error) {
			c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{CompileBudget: budget})
			for _, pattern := range before {
				_, err := c.Compile(core.Regex, []byte(pattern), nil)
				require.NoError(t, err)
			}
			g, err := c.Compile(x.kind, []byte(x.text), nil)
			if err != nil {
				return 0, err
			}
			return g.Stats().CompileWork, nil
		}
		work, err := compile(0)
		require.NoError(t, err)
		require.Positive(t, work)
		again, err := compile(0, `([a-f]+x|[c-z]+y){2,40}`, `"(x|yz)*"`)
		require.NoError(t, err)
		require.Equal(t, work, again, "%s", x.text)
		_, err = compile(work)
		require.NoError(t, err)
		_, err = compile(work - 1)
		require.Equal(t, core.CodeLimit, core.AsError(err).Code)
		require.Contains(t, err.Error(), "compile_budget")
	}
}

// Classes count for their ranges after copying, folding and joining, and formats of a tag for their memory.
func TestClassesAndFormatsCountForWhatTheyTake(t *testing.T) {
	testkit.Alone(t)
	const budget = 1_000_000
	v := smallVocabulary()
	refused := func(kind core.Kind, text string) bool {
		_, err := core.NewCompiler(v, core.CompilerConfig{CompileBudget: budget}).Compile(kind, []byte(text), nil)
		if err != nil {
			require.Equal(t, core.CodeLimit, core.AsError(err).Code)
		}
		return err != nil
	}
	require.False(t, refused(core.Regex, strings.Repeat(`[\p{L}\P{N}]`, 100)))
	require.True(t, refused(core.Regex, strings.Repeat(`[\p{L}\P{N}]`, 250)))
	require.True(t, refused(core.Regex, "(?i)"+strings.Repeat(`[\p{L}\P{N}]`, 100)))
	texts := func(n int) string {
		text := strings.Repeat(`{"type":"const_string","value":"a"},`, n)
		return `{"type":"structural_tag","format":{"type":"sequence","elements":[` + text[:len(text)-1] + `]}}`
	}
	require.False(t, refused(core.StructuralTag, texts(1000)))
	require.True(t, refused(core.StructuralTag, texts(5000)))
}

// Documents and options are read before work is counted, so they have bounds of their own.
func TestDocumentsAndOptionsAreBounded(t *testing.T) {
	long := `{"messages": [` + strings.Repeat("0,", 1_500_000) + `0]}`
	_, err := core.ReadRequest([]byte(long), nil, nil)
	require.Equal(t, core.CodeLimit, core.AsError(err).Code)
	require.ErrorContains(t, err, "more than 1500000 values")
	_, err = core.ParseOptions([]byte(strings.Repeat(" ", 8<<20) + "{}"))
	require.Equal(t, core.CodeLimit, core.AsError(err).Code)
	require.ErrorContains(t, err, "at most 8388608 are read")
}
