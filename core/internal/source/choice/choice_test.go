package choice

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/work"
)

func compile(t testing.TB, spec string) (*terminal.Store, terminal.Expr) {
	st := terminal.NewStore()
	g, notes, err := Compile(st, []byte(spec), &source.Options{})
	require.NoError(t, err)
	require.Empty(t, notes)
	alts := g.Rules[g.Start].Alternatives
	require.Len(t, alts, 1)
	require.Len(t, alts[0], 1)
	require.Equal(t, grammar.Terminal, alts[0][0].Kind)
	return st, terminal.Expr(alts[0][0].Index)
}

func TestChoice(t *testing.T) {
	st, e := compile(t, ` ["yes", "no", "no way", "no", "日本", "日曜", "", "a\n\"b", "\ud83d\ude00"] `)
	for _, s := range []string{"yes", "no", "no way", "日本", "日曜", "", "a\n\"b", "😀"} {
		require.True(t, counters.Match(st, e, []byte(s)), s)
	}
	for _, s := range []string{"ye", "yess", "no ", "日", "\xe6", " yes", "\"yes\"", "a\\n\"b"} {
		require.False(t, counters.Match(st, e, []byte(s)), s)
	}
}

func TestManyChoicesAreOneTerminal(t *testing.T) {
	list := make([]string, 20_000)
	for i := range list {
		list[i] = "choice-" + strconv.Itoa(i*7919)
	}
	spec, err := json.Marshal(list)
	require.NoError(t, err)
	st, e := compile(t, string(spec))
	require.True(t, counters.Match(st, e, []byte("choice-7919")))
	require.False(t, counters.Match(st, e, []byte("choice-7918")))
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		spec, want string
		code       diag.Code
	}{
		{`[]`, "choice: the list of choices is empty; give it at least one string (near " +
			"`[]`)", diag.Invalid},
		{`{"a": 1}`, "choice: a choice must be a JSON list of strings such as [\"yes\", \"no\"], not an object (near " +
			"`{\"a\": 1}`)", diag.Invalid},
		{`["a", 1]`, "choice:/1: every choice must be a string, not a number; write it as a string (near " +
			"`1`)", diag.Invalid},
		{`["a", ["b"]]`, "choice:/1: every choice must be a string, not an array; write it as a string (near " +
			"`[\"b\"]`)", diag.Invalid},
		{`["a", null]`, "choice:/1: every choice must be a string, not null; write it as a string (near " +
			"`null`)", diag.Invalid},
		{`["a",`, "", diag.Syntax},
		{`["a"] x`, "", diag.Syntax},
		{``, "", diag.Syntax},
		{"[\"\xff\"]", "", diag.Syntax},
	} {
		_, _, err := Compile(terminal.NewStore(), []byte(c.spec), &source.Options{})
		var e *diag.Error
		require.True(t, errors.As(err, &e), c.spec)
		require.Equal(t, c.code, e.Code, c.spec)
		require.Equal(t, "choice", e.Source)
		if c.want != "" {
			require.Equal(t, c.want, err.Error())
		}
	}
}

// FuzzChoice checks that no text makes the reader panic, and that exactly the listed strings are matched.
func FuzzChoice(f *testing.F) {
	for _, s := range []string{
		`["yes","no"]`, `[""]`, `["a","a\u0000","aa"]`, `["日本","日"]`, `[1]`, `{}`, `["\ud800"]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, spec []byte) {
		if len(spec) > 1<<12 {
			return
		}
		st := terminal.NewStore()
		g, _, err := Compile(st, spec, &source.Options{})
		if err != nil {
			var e *diag.Error
			require.True(t, errors.As(err, &e))
			return
		}
		e := terminal.Expr(g.Rules[g.Start].Alternatives[0][0].Index)
		choices, err := Parse(nil, spec)
		require.NoError(t, err)
		listed := map[string]bool{}
		for _, c := range choices {
			listed[c] = true
			require.True(t, counters.Match(st, e, []byte(c)), "%q", c)
		}
		for _, c := range choices {
			for _, other := range []string{c + "x", c[:max(len(c)-1, 0)]} {
				require.Equal(t, listed[other], counters.Match(st, e, []byte(other)), "%q", other)
			}
		}
	})
}

// Each line holds one string, with any line end.
func TestLines(t *testing.T) {
	list, err := ParseLines(nil, []byte("yes\nno\r\n\n\r\n [\"a\"]\t\na\\n\r\r\nlast"))
	require.NoError(t, err)
	require.Equal(t, []string{"yes", "no", ` ["a"]` + "\t", `a\n` + "\r", "last"}, list)
	for _, c := range []struct{ text, want string }{
		{"\n\r\n", "choice:1:1: all lines are empty; write one string on each line"},
		{"", "choice:1:1: all lines are empty; write one string on each line"},
		{"a\nb\xffc", "choice:2:2: choices must be UTF-8 text, but this byte is not part of a valid sequence"},
		{"\uFEFFa", "choice:1:1: the choices begin with a byte order mark (U+FEFF); remove it"},
	} {
		_, err := ParseLines(nil, []byte(c.text))
		var e *diag.Error
		require.ErrorAs(t, err, &e, c.text)
		require.Equal(t, diag.Invalid, e.Code)
		require.Contains(t, e.Error(), c.want)
	}
}

// A million strings are within the budget of a compilation, each with what JSON takes around it.
func TestMillionChoices(t *testing.T) {
	list := make([]byte, 0, 48<<20)
	for i := range 1_000_000 {
		list = fmt.Appendf(list, ",\"%08x-%04x-%04x-%04x-%012x\"", i*2654435761%(1<<32), i%7, i%11, i%13, i)
	}
	list[0] = '['
	spec := append(list, ']')
	require.Less(t, len(spec), limits.SpecBytes)
	m := work.New(limits.DefaultBudgets().Compile, nil)
	st := terminal.NewStore()
	st.SetWork(m)
	g, _, err := Compile(st, spec, &source.Options{Work: m})
	require.NoError(t, err)
	e := terminal.Expr(g.Rules[g.Start].Alternatives[0][0].Index)
	require.True(t, counters.Match(st, e, []byte("00000000-0000-0000-0000-000000000000")))
	require.False(t, counters.Match(st, e, []byte("00000000-0000-0000-0000-000000000001")))
	require.Less(t, st.Size().Bytes, 100_000_000)
}
