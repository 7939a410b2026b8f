package core_test

import (
	"encoding/json"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// All cases of grammars pass after their grammar was written as EBNF.
func TestCasesWrittenAsEBNF(t *testing.T) {
	testkit.Alone(t)
	v := loadCaseVocabulary(t)
	compiler := core.NewCompiler(v.v, core.CompilerConfig{})
	run, refused := map[core.Kind]int{}, map[core.Kind]int{}
	for _, c := range loadCases(t) {
		kind, _ := core.ParseKind(c.Kind)
		o, err := core.ParseOptions(c.Options)
		if kind != core.EBNF && kind != core.Lark && kind != core.GrammarText || err != nil || c.Skip != "" {
			continue
		}
		if _, err := compiler.Compile(kind, c.specText(), o); err != nil {
			continue
		}
		name := c.file + "/" + c.Name
		text, err := core.ToEBNF(kind, c.specText(), o)
		if err != nil {
			require.NotEqual(t, core.EBNF, kind, "%s: %v", name, err)
			require.Equal(t, core.CodeUnsupported, core.AsError(err).Code, "%s: %v", name, err)
			refused[kind]++
			continue
		}
		run[kind]++
		same, err := core.ToEBNF(core.EBNF, []byte(text), nil)
		require.NoError(t, err, name)
		require.Equal(t, text, same, name)
		c.Options = optionsInEBNF(c.Options, kind.Resolve(c.specText()))
		c.Kind, c.Notes = "ebnf", nil
		c.Spec, _ = json.Marshal(text)
		t.Run(name, func(t *testing.T) { runCase(t, v, compiler, &c) })
	}
	t.Log(run, refused)
	require.Greater(t, run[core.EBNF], 50)
	require.Greater(t, run[core.Lark], 2*refused[core.Lark])
}

// optionsInEBNF returns the options for the EBNF of a grammar of another kind.
func optionsInEBNF(options json.RawMessage, was core.Kind) json.RawMessage {
	all := map[string]json.RawMessage{}
	if was == core.Lark {
		all["special_tokens"] = json.RawMessage(`"text"`)
	}
	if options != nil {
		if err := json.Unmarshal(options, &all); err != nil {
			panic(err)
		}
	}
	delete(all, "start_rule")
	delete(all, "grammars")
	out, _ := json.Marshal(all)
	return out
}

// A random grammar and its EBNF allow the same tokens along random outputs.
func TestRandomGrammarsWrittenAsEBNF(t *testing.T) {
	testkit.Alone(t)
	v := loadCaseVocabulary(t)
	compiler := core.NewCompiler(v.v, core.CompilerConfig{})
	written := map[core.Kind]int{}
	for seed := range 1000 {
		r := rand.New(rand.NewSource(int64(seed)))
		kind := []core.Kind{core.EBNF, core.Lark}[seed%2]
		x := testkit.RandomConstraint(r, source.Kind(kind), 2)
		spec := x.Text
		options := core.OptionsOfEngine(x.SourceOptions())
		g, err := compiler.Compile(kind, []byte(spec), &options)
		if err != nil {
			continue
		}
		text, err := core.ToEBNF(kind, []byte(spec), &options)
		if err != nil {
			require.Equal(t, core.Lark, kind, "%s\n%v", spec, err)
			continue
		}
		inEBNF := options
		inEBNF.StartRule, inEBNF.Grammars = "", nil
		if kind == core.Lark && options.SpecialTokens == core.DefaultView {
			inEBNF.SpecialTokens = core.TextView
		}
		same, err := compiler.Compile(core.EBNF, []byte(text), &inEBNF)
		require.NoError(t, err, "%s\n%s", spec, text)
		written[kind]++
		sameMasks(t, r, v.v, g, same, true, spec+"\n"+text)
	}
	t.Log(written)
	require.Greater(t, written[core.EBNF], 80)
	require.Greater(t, written[core.Lark], 10)
}

// sameMasks follows a random output of both. limits demands that they meet limits at the same places.
func sameMasks(t *testing.T, r *rand.Rand, v *core.Vocabulary, a, b *core.Grammar, limits bool, what string) {
	t.Helper()
	one, err := core.NewMatcher(a, core.MatcherOptions{})
	require.NoError(t, err)
	other, err := core.NewMatcher(b, core.MatcherOptions{})
	require.NoError(t, err)
	row, same := make([]uint32, (v.Size()+31)/32), make([]uint32, (v.Size()+31)/32)
	for range 6 {
		_, err := one.Fill(row)
		_, sameErr := other.Fill(same)
		require.True(t, !limits || (err == nil) == (sameErr == nil), what)
		if err != nil || sameErr != nil {
			return
		}
		require.Equal(t, row, same, what)
		var next []int32
		for id := range int32(v.Size()) {
			if row[id/32]>>(id%32)&1 != 0 {
				next = append(next, id)
			}
		}
		if len(next) == 0 { // the output has ended
			return
		}
		id := next[r.Intn(len(next)):][:1]
		_, err = one.Accept(id)
		require.NoError(t, err, what)
		_, err = other.Accept(id)
		require.NoError(t, err, what)
	}
}

func TestToEBNF(t *testing.T) {
	text, err := core.ToEBNF(core.GrammarText, []byte("start: x{A} | <|any|>\nx{y}: y+ /a.b/s\nA: \"a\"i"), nil)
	require.NoError(t, err)
	require.Equal(t, "root ::= start\n", text[:strings.Index(text, "start ::=")])
	text, err = core.ToEBNF(core.Lark, []byte("start: x\nx[lazy]: /a+/\n%ignore \" \""), nil)
	require.NoError(t, err)
	require.Equal(t, "root ::= start\nstart ::= x\nx ::= part \" \"*\npart[lazy] ::= Regex(\"a+\")\n", text)
	// Text ignored behind the last token of a rule does not have the rule's temperature.
	text, err = core.ToEBNF(core.Lark, []byte(`start: x
x[temperature=1]: "a"* | y
y: y "b" | "c"
%ignore " "`), nil)
	require.NoError(t, err)
	require.Equal(t, `root ::= start
start ::= x
x ::= part " "* | ""
y ::= y.2 " "*
y.2 ::= y.2 " "* "b" | "c"
part[temperature=1] ::= "a" (" "* "a")* | y.2
`, text)
	for _, c := range []struct {
		kind core.Kind
		spec string
		code core.Code
		said string
	}{
		{core.Lark, "start: A\nA: /a/ & ~/b/", core.CodeUnsupported, "lark:2:4: & and ~, and ignored text"},
		{core.Lark, "start: %json {}", core.CodeUnsupported, "%json has no form in EBNF"},
		{core.EBNF, "root ::= (", core.CodeSyntax, "ebnf:1:10"},
		{core.EBNF, "root ::= \"a\" (= \"b\")", core.CodeUnsupported, "nothing follows the start rule"},
		{core.Regex, "a", core.CodeArgument, "of kind regex is not written as EBNF"},
		{99, "a", core.CodeArgument, "there is no kind 99"},
		{core.Lark, "start: <[0-2000000000]>", core.CodeLimit, "more than the limit of 250000"},
		{core.Lark, "start: x~249999\nx: <[0-249999]> <[0-249999]>", core.CodeLimit, "written as EBNF, the grammar"},
	} {
		_, err := core.ToEBNF(c.kind, []byte(c.spec), nil)
		require.ErrorContains(t, err, c.said)
		require.Equal(t, c.code, core.AsError(err).Code, "%v", err)
	}
	_, err = core.ToEBNF(core.EBNF, []byte("root ::= \"a\""), &core.Options{Compact: true})
	require.Equal(t, core.CodeArgument, core.AsError(err).Code)
}
