package core_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Loops within loops have more alternatives together than one rule takes over, in every kind that has loops.
func TestLoopsWithinLoops(t *testing.T) {
	testkit.Alone(t)
	alternatives := func(n int, word, rule string) string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf(`"%s%d" %s`, word, i, rule)
		}
		return strings.Join(out, " | ")
	}
	const p = "\np ::= \"(\" p \")\" | \"q\"\nws ::= [ ]*"
	lark := strings.NewReplacer("root ::=", "start:", "::=", ":", "[ ]", "/[ ]/").Replace
	many := func(n int, word string) (list []any) {
		for i := range n {
			list = append(list, map[string]any{
				"type": "tag", "begin": fmt.Sprint(word, i, "("), "end": ")",
				"content": map[string]any{"type": "regex", "pattern": "q"},
			})
		}
		return list
	}
	star := func(list ...any) any {
		return map[string]any{"type": "star", "content": map[string]any{"type": "or", "elements": list}}
	}
	blanks := map[string]any{"type": "regex", "pattern": " *"}
	tag, err := json.Marshal(map[string]any{
		"type": "structural_tag", "format": star(append(many(100, "o"), star(append(many(200, "k"), blanks)...))...),
	})
	require.NoError(t, err)
	compiler := core.NewCompiler(loadCaseVocabulary(t).v, core.CompilerConfig{})
	for _, n := range [][2]int{{1, 255}, {128, 128}, {129, 128}, {57, 200}, {1, 256}} {
		text := "root ::= ( " + alternatives(n[0], "o", "p") + " | (" + alternatives(n[1], "k", "p") + " | ws)* )*" + p
		both := "root ::= ( (" + alternatives(n[0], "o", "p") + "| ws)* | (" + alternatives(n[1], "k", "p") + " | ws)* )*" + p
		for _, c := range []struct {
			kind core.Kind
			spec string
		}{{core.EBNF, text}, {core.EBNF, both}, {core.Lark, lark(text)}, {core.StructuralTag, string(tag)}} {
			g, err := compiler.Compile(c.kind, []byte(c.spec), nil)
			require.NoError(t, err, "%v, %s", n, c.kind)
			_, err = core.Check(c.kind, []byte(c.spec), nil)
			require.NoError(t, err)
			for output, want := range map[string]bool{
				"": true, "  ": true, "o0(q)k0(q) k0(q)o0(q)": true, "o0 (q)": false, "k0": false, "o900(q)": false,
			} {
				m, err := core.NewMatcher(g, core.MatcherOptions{})
				require.NoError(t, err)
				ok, err := m.AcceptBytes([]byte(output))
				require.NoError(t, err)
				require.Equal(t, want, ok && m.Completed(), "%v, %s: %q", n, c.kind, output)
			}
		}
	}
}

// A pattern that nothing matches, beside other conditions on the string.
func TestEmptyPatternBesideOthers(t *testing.T) {
	for _, spec := range []string{
		`{"type": "string", "allOf": [{"pattern": "^(?:\\d\\baaa)$"}, {"pattern": "^a"}], "maxLength": 2}`,
		`{"anyOf": [{"type": "string", "pattern": "^bb$bb", "maxLength": 5}, {"type": "null"}]}`,
		`{"if": {"type": "string", "pattern": "([abc]$baa)+"}, "then": {"type": "string", "not": {"pattern": "(a+)*"}}}`,
	} {
		if _, err := core.Check(core.JSONSchema, []byte(spec), nil); err != nil {
			require.Equal(t, core.CodeUnsatisfiable, core.AsError(err).Code, err)
		}
	}
}

// Grammars of 30 rules and more compile or are refused, without a bug.
func TestManyRules(t *testing.T) {
	testkit.Alone(t)
	r := testkit.Seeded(t, 11)
	compiled := 0
	for i := range testkit.Rounds(45, 3000) {
		x := testkit.ManyRules(r, []source.Kind{source.EBNF, source.Lark, source.StructuralTag}[i%3])
		o, err := core.ParseOptions([]byte(x.Options))
		require.NoError(t, err)
		if _, err = core.Check(core.Kind(x.Kind), []byte(x.Text), o); err != nil {
			require.NotEqual(t, core.CodeInternal, core.AsError(err).Code, "%s: %v\n%s", x.Kind, err, x.Text)
			continue
		}
		compiled++
	}
	require.NotZero(t, compiled)
}

// A panic becomes the error INTERNAL of the call. The log gets its stack, the message does not, and the objects of the
// call keep working.
func TestPanicIsAnError(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	fault := func() bool { panic("at fault") }
	isBug := func(err error) {
		t.Helper()
		require.ErrorContains(t, err, "a bug in Sluice")
		require.ErrorContains(t, err, "at fault")
		require.Equal(t, core.CodeInternal, core.AsError(err).Code)
		require.NotContains(t, err.Error(), ".go:")
		require.Contains(t, logged.String(), "bug_test.go:")
		logged.Reset()
	}
	spec := []byte(`root ::= "a"{1,9} b` + "\nb ::= [a-z]* | b b")
	faulty := &core.Options{Stop: fault}
	_, err := core.Check(core.EBNF, spec, faulty)
	isBug(err)
	c := core.NewCompiler(committedVocabulary(t), core.CompilerConfig{WarmBytes: -1})
	isBug(c.Dump(io.Discard, core.EBNF, spec, faulty, core.DumpOptions{}))
	_, err = c.Compile(core.EBNF, spec, faulty)
	isBug(err)
	_, err = c.Start(core.EBNF, spec, faulty).Result()
	isBug(err)
	g, err := c.Compile(core.EBNF, spec, nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	row := make([]uint32, c.Vocabulary().Words())
	_, err = m.Until(fault).AcceptBytes([]byte("aaab"))
	isBug(err)
	_, err = m.AcceptBytes([]byte("aaab"))
	require.NoError(t, err)
	_, err = m.Until(fault).Fill(row)
	isBug(err)
	b := core.Batch{Items: []core.BatchItem{{Matcher: m}}, Stop: fault}
	b.Fill(core.Rows{Words: row, Count: 1, Stride: len(row), Width: len(row)}, 1)
	isBug(b.Items[0].Err)
	_, err = m.Fill(row)
	require.NoError(t, err)
}

// Every exported function that returns an error recovers panics.
func TestEveryCallCatchesPanics(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || f.Type.Results == nil || f.Name.Name == "Result" { // which only waits
				continue
			}
			last := f.Type.Results.List[len(f.Type.Results.List)-1]
			if x, ok := last.Type.(*ast.Ident); !ok || x.Name != "error" {
				continue
			}
			found++
			first, ok := f.Body.List[0].(*ast.DeferStmt)
			require.True(t, ok, "%s does not begin with defer caught(&err)", f.Name)
			name, ok := first.Call.Fun.(*ast.Ident)
			if s, method := first.Call.Fun.(*ast.SelectorExpr); method {
				name, ok = s.Sel, true
			}
			require.True(t, ok, f.Name.Name)
			require.Equal(t, "caught", name.Name, f.Name.Name)
		}
	}
	require.Greater(t, found, 30)
}
