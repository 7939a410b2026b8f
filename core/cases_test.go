package core_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// The case files of tests/cases, run on the Go facade. tests/cases/README.md describes their format.

const casesDir = "../tests/cases"

type testCase struct {
	Name    string          `json:"name"`
	Kind    string          `json:"kind"`
	Spec    json.RawMessage `json:"spec"`
	Options json.RawMessage `json:"options"`
	Accept  []output        `json:"accept"`
	Reject  []output        `json:"reject"`
	Masks   []maskCase      `json:"masks"`
	Error   *errorCase      `json:"error"`
	Notes   *[]noteCase     `json:"notes"`
	Why     string          `json:"why"`
	Skip    string          `json:"skip"`

	file string
}

type maskCase struct {
	After   output   `json:"after"`
	Allowed []string `json:"allowed"`
	Denied  []string `json:"denied"`
	End     *bool    `json:"end"`
	// Captures are names and texts.
	Captures *[][2]string `json:"captures"`
	// Temperature is a number, or null: there is none.
	Temperature json.RawMessage `json:"temperature"`
}

type errorCase struct {
	Code    string  `json:"code"`
	Pointer *string `json:"pointer"`
	Line    int     `json:"line"`
	Column  int     `json:"column"`
}

type noteCase struct {
	Pointer string `json:"pointer"`
	Keyword string `json:"keyword"`
	Effect  string `json:"effect"`
}

// output is a text, fed byte by byte, or a list of tokens.
type output struct {
	text   string
	tokens []string
}

func (o *output) UnmarshalJSON(b []byte) error {
	if b[0] != '[' {
		return json.Unmarshal(b, &o.text)
	}
	var list []any
	err := json.Unmarshal(b, &list)
	o.tokens = []string{}
	for _, x := range list {
		switch x := x.(type) {
		case string:
			o.tokens = append(o.tokens, x)
		case float64:
			o.tokens = append(o.tokens, string([]byte{byte(x)}))
		}
	}
	return err
}

// specText is the text of the constraint: a string's content, or the JSON value itself.
func (c *testCase) specText() []byte {
	if c.Spec[0] != '"' {
		return c.Spec
	}
	var s string
	if err := json.Unmarshal(c.Spec, &s); err != nil {
		panic(err)
	}
	return []byte(s)
}

// caseVocabulary is the vocabulary of all cases: 256 single bytes, then the entries of vocabulary.json.
type caseVocabulary struct {
	Tokens, Added, Special, End []string

	texts []string            // by id
	ids   map[string][]uint32 // a text may have several
	v     *core.Vocabulary
}

func loadCaseVocabulary(t *testing.T) *caseVocabulary {
	t.Helper()
	v := &caseVocabulary{ids: map[string][]uint32{}}
	data, err := os.ReadFile(filepath.Join(casesDir, "vocabulary.json"))
	require.NoError(t, err)
	readStrictly(t, data, v)
	var c core.VocabularyConfig
	add := func(s string) uint32 {
		id := uint32(len(v.texts))
		v.texts = append(v.texts, s)
		v.ids[s] = append(v.ids[s], id)
		c.Tokens = append(c.Tokens, []byte(s))
		return id
	}
	for b := range 256 {
		add(string([]byte{byte(b)}))
	}
	for _, s := range v.Tokens {
		add(s)
	}
	for _, s := range v.Added {
		c.Added = append(c.Added, add(s))
	}
	for _, s := range v.Special {
		c.Special = append(c.Special, add(s))
	}
	for _, s := range v.End {
		id := add(s)
		c.Special, c.EndTokens = append(c.Special, id), append(c.EndTokens, id)
	}
	v.v, err = core.NewVocabulary(c)
	require.NoError(t, err)
	return v
}

func readStrictly(t *testing.T, data []byte, to any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(to))
}

func (v *caseVocabulary) sequence(t tester, o output) []int32 {
	t.Helper()
	var ids []int32
	for i := range len(o.text) {
		ids = append(ids, int32(o.text[i]))
	}
	for _, s := range o.tokens {
		require.NotEmpty(t, v.ids[s], "%q is no token", s)
		ids = append(ids, int32(v.ids[s][len(v.ids[s])-1]))
	}
	return ids
}

func loadCases(t *testing.T) []testCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(casesDir, "*.json"))
	require.NoError(t, err)
	var all []testCase
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		if name == "vocabulary" {
			continue
		}
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		var cases []testCase
		readStrictly(t, data, &cases)
		seen := map[string]bool{}
		for _, c := range cases {
			require.False(t, seen[c.Name], "%s: two cases are named %q", name, c.Name)
			seen[c.Name] = true
			c.file = name
			all = append(all, c)
		}
	}
	require.NotEmpty(t, all)
	return all
}

func TestCases(t *testing.T) {
	v := loadCaseVocabulary(t)
	compiler := core.NewCompiler(v.v, core.CompilerConfig{})
	for _, c := range loadCases(t) {
		t.Run(c.file+"/"+c.Name, func(t *testing.T) {
			if c.Skip == "" {
				runCase(t, v, compiler, &c)
				return
			}
			var r recorder
			r.run(func() { runCase(&r, v, compiler, &c) })
			require.True(t, r.failed, "the case is skipped (%s) but passes; it should not be skipped any more", c.Skip)
			t.Skip(c.Skip)
		})
	}
}

// recorder records the failure of a case that is skipped because it fails.
type recorder struct{ failed bool }

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) FailNow()              { r.failed = true; panic(r) }

func (r *recorder) run(f func()) {
	defer func() {
		if x := recover(); x != nil && x != any(r) {
			panic(x)
		}
	}()
	f()
}

// tester is the part of testing.T that a case uses.
type tester interface {
	require.TestingT
	Helper()
}

func runCase(t tester, v *caseVocabulary, compiler *core.Compiler, c *testCase) {
	t.Helper()
	kind, ok := core.ParseKind(c.Kind)
	require.True(t, ok, "%q is no kind", c.Kind)
	o, err := core.ParseOptions(c.Options)
	var g *core.Grammar
	if err == nil {
		g, err = compiler.Compile(kind, c.specText(), o)
	}
	if c.Error != nil {
		checkError(t, err, c.Error)
		return
	}
	require.NoError(t, err)
	if c.Notes != nil {
		checkNotes(t, g.Notes(), *c.Notes)
	}
	for _, x := range c.Accept {
		n, end := v.feed(t, g, x)
		require.True(t, end, "%s must be accepted, but %s", show(x), v.stopped(t, x, n))
	}
	for _, x := range c.Reject {
		_, end := v.feed(t, g, x)
		require.False(t, end, "%s must be rejected", show(x))
	}
	for _, m := range c.Masks {
		v.checkMask(t, g, &m)
	}
}

func show(o output) string {
	if o.tokens != nil {
		return fmt.Sprintf("%q", o.tokens)
	}
	return fmt.Sprintf("%q", o.text)
}

func (v *caseVocabulary) stopped(t tester, o output, n int) string {
	ids := v.sequence(t, o)
	if n == len(ids) {
		return "it may not end there"
	}
	return fmt.Sprintf("token %d (%q) is not", n, v.texts[ids[n]])
}

func checkError(t tester, err error, want *errorCase) {
	t.Helper()
	require.Error(t, err, "must be refused with %q", want.Code)
	e := core.AsError(err)
	require.Equal(t, want.Code, e.Code.String(), "the code of: %v", err)
	if want.Pointer != nil {
		require.Equal(t, *want.Pointer, e.Place.Pointer, "the pointer of: %v", err)
	}
	if want.Line != 0 {
		require.Equal(t, want.Line, e.Place.Line, "the line of: %v", err)
	}
	if want.Column != 0 {
		require.Equal(t, want.Column, e.Place.Column, "the column of: %v", err)
	}
}

func checkNotes(t tester, notes []core.Note, want []noteCase) {
	t.Helper()
	got := []noteCase{}
	for _, n := range notes {
		got = append(got, noteCase{n.Pointer, n.Keyword, n.Effect.String()})
	}
	require.ElementsMatch(t, want, got)
}

// feed accepts an output with a fresh matcher. It returns the number of accepted tokens, and whether all were accepted
// and the output may end.
func (v *caseVocabulary) feed(t tester, g *core.Grammar, o output) (int, bool) {
	t.Helper()
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	ids := v.sequence(t, o)
	row := make([]uint32, v.v.Words())
	for i, id := range ids {
		_, err := m.Fill(row)
		require.NoError(t, err, "filling after %d tokens of %s", i, show(o))
		n, err := m.Accept([]int32{id})
		require.NoError(t, err)
		require.Equal(t, n == 1, row[id>>5]>>(id&31)&1 == 1, "mask and accept differ on token %d (%q) of %s", i,
			v.texts[id], show(o))
		if n == 0 {
			return i, false
		}
	}
	return len(ids), m.Completed()
}

func (v *caseVocabulary) checkMask(t tester, g *core.Grammar, c *maskCase) {
	t.Helper()
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	ids := v.sequence(t, c.After)
	n, err := m.Accept(ids)
	require.NoError(t, err)
	require.Equal(t, len(ids), n, "%s leads to a mask, but %s", show(c.After), v.stopped(t, c.After, n))
	row := make([]uint32, v.v.Words())
	constrained, err := m.Fill(row)
	require.NoError(t, err)
	check := func(texts []string, want bool) {
		for _, s := range texts {
			require.NotEmpty(t, v.ids[s], "%q is no token", s)
			for _, id := range v.ids[s] {
				require.Equal(t, want, row[id>>5]>>(id&31)&1 == 1, "after %s, is token %q allowed", show(c.After), s)
			}
		}
	}
	check(c.Allowed, true)
	check(c.Denied, false)
	if c.End != nil {
		check(v.End, *c.End)
	}
	if c.Captures != nil {
		all, err := m.Captures()
		require.NoError(t, err)
		got := [][2]string{}
		for _, x := range all {
			got = append(got, [2]string{x.Name, string(x.Text)})
		}
		require.Equal(t, *c.Captures, got, "what is captured in %s", show(c.After))
	}
	if c.Temperature != nil {
		require.Equal(t, string(c.Temperature), temperatureOf(t, m), "the temperature after %s", show(c.After))
	}
	// A token that the case does not name must agree with accepting it.
	all := true
	for id := range v.texts {
		got, err := m.Validate([]int32{int32(id)})
		require.NoError(t, err)
		require.Equal(t, got == 1, row[id>>5]>>(id&31)&1 == 1, "after %s, mask and accept differ on token %q",
			show(c.After), v.texts[id])
		all = all && got == 1
	}
	require.Equal(t, !all, constrained, "after %s", show(c.After))
}

// TestCasesText compares cases.txt, the same cases for programs without a reader of JSON, with the case files.
func TestCasesText(t *testing.T) {
	v := loadCaseVocabulary(t)
	var b bytes.Buffer
	blob := func(word string, data []byte) { fmt.Fprintf(&b, "%s %d\n%s\n", word, len(data), data) }
	ids := func(word string, o output) {
		s := v.sequence(t, o)
		fmt.Fprintf(&b, "%s %d", word, len(s))
		for _, id := range s {
			fmt.Fprintf(&b, " %d", id)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "vocabulary %d\n", len(v.texts))
	for id, s := range v.texts {
		_, flags := v.v.Token(uint32(id))
		blob(fmt.Sprintf("token %d", flags), []byte(s))
	}
	for _, c := range loadCases(t) {
		if c.Skip != "" {
			continue
		}
		kind, _ := core.ParseKind(c.Kind)
		fmt.Fprintf(&b, "case %s/%s\nkind %d\n", c.file, c.Name, kind)
		blob("spec", c.specText())
		if c.Options != nil {
			blob("options", c.Options)
		}
		writeExpected(t, v, &b, &c, blob, ids)
		b.WriteString("done\n")
	}
	path := filepath.Join(casesDir, "cases.txt")
	if os.Getenv("SLUICE_UPDATE") != "" {
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(have, b.Bytes()), "tests/cases/cases.txt is not what the case files say; "+
		"SLUICE_UPDATE=1 go test ./core -run TestCasesText rewrites it")
}

func writeExpected(
	t *testing.T, v *caseVocabulary, b *bytes.Buffer, c *testCase, blob func(string, []byte), ids func(string, output),
) {
	t.Helper()
	if c.Error != nil {
		fmt.Fprintf(b, "error %d\n", codeOf(t, c.Error.Code))
		switch {
		case c.Error.Pointer != nil:
			blob("pointer", []byte(*c.Error.Pointer))
		case c.Error.Line != 0:
			fmt.Fprintf(b, "place %d %d\n", c.Error.Line, c.Error.Column)
		}
		return
	}
	for _, x := range c.Accept {
		ids("accept", x)
	}
	for _, x := range c.Reject {
		ids("reject", x)
	}
	for _, m := range c.Masks {
		ids("after", m.After)
		for _, list := range []struct {
			word  string
			texts []string
		}{{"allowed", m.Allowed}, {"denied", m.Denied}} {
			for _, s := range list.texts {
				for _, id := range v.ids[s] {
					fmt.Fprintf(b, "%s %d\n", list.word, id)
				}
			}
		}
		if m.Captures != nil {
			fmt.Fprintf(b, "captures %d\n", len(*m.Captures))
			for _, c := range *m.Captures {
				blob("name", []byte(c[0]))
				blob("text", []byte(c[1]))
			}
		}
		if m.Temperature != nil {
			fmt.Fprintf(b, "temperature %s\n", m.Temperature)
		}
		if m.End != nil {
			fmt.Fprintf(b, "end %d\n", map[bool]int{false: 0, true: 1}[*m.End])
		}
	}
}

// temperatureOf returns a matcher's temperature as JSON.
func temperatureOf(t tester, m *core.Matcher) string {
	x, ok, err := m.Temperature()
	require.NoError(t, err)
	if !ok {
		return "null"
	}
	return fmt.Sprint(x)
}

func codeOf(t *testing.T, name string) core.Code {
	t.Helper()
	codes := []core.Code{
		core.CodeArgument, core.CodeSyntax, core.CodeInvalid, core.CodeUnsupported, core.CodeUnsatisfiable,
		core.CodeLimit,
	}
	i := slices.IndexFunc(codes, func(c core.Code) bool { return c.String() == name })
	require.GreaterOrEqual(t, i, 0, "%q is no code that a compilation fails with", name)
	return codes[i]
}
